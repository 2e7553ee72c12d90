/* sin, cos and tan of FLOATS nearer to 0 than NEAR, for parts/circular.cl. INTS: integers as many as FLOATS. */
#define NAMED(f) JOIN(f##_, FLOATS)
#define SIGNED(value, bits) JOIN(as_, FLOATS)(JOIN(as_, INTS)(value) ^ ((bits) & SIGN_BIT))

/* What is left of |a| behind whole quarter turns; and the number of these, in the lower bits. */
inline FLOATS NAMED(left_of_quarters)(FLOATS a, INTS *quarters)
{
    const FLOATS turned = fma(fabs(a), (FLOATS)(0x1.45f306p-1f), (FLOATS)(ROUNDING)), j = turned - (FLOATS)(ROUNDING);
    *quarters = JOIN(as_, INTS)(turned);
    return fma(j, (FLOATS)(0x1.ee59dap-50f),
               fma(j, (FLOATS)(0x1.777a5cp-25f), fma(j, (FLOATS)(-0x1.921fb6p+0f), fabs(a))));
}

/* The sine (odd) and the cosine (even) of what is left. */
inline FLOATS NAMED(odd_part)(FLOATS r)
{
    const FLOATS s = r * r;
    const FLOATS cubes = fma(s, (FLOATS)(-0x1.993ce2p-13f), (FLOATS)(0x1.110726p-7f));
    return fma(r * s, fma(s, cubes, (FLOATS)(-0x1.555544p-3f)), r);
}

inline FLOATS NAMED(even_part)(FLOATS r)
{
    const FLOATS s = r * r;
    const FLOATS fourths = fma(s, (FLOATS)(0x1.99e538p-16f), (FLOATS)(-0x1.6c0c1ep-10f));
    return fma(s * s, fma(s, fourths, (FLOATS)(0x1.55554ap-5f)), fma(s, (FLOATS)(-0.5f), (FLOATS)(1.0f)));
}

inline FLOATS NAMED(near_sine)(FLOATS a)
{
    INTS quarters;
    const FLOATS r = NAMED(left_of_quarters)(a, &quarters), odd = NAMED(odd_part)(r), even = NAMED(even_part)(r);
    return SIGNED(select(odd, even, quarters << 31), (quarters << 30) ^ (JOIN(as_, INTS)(a) & SIGN_BIT));
}

inline FLOATS NAMED(near_cosine)(FLOATS a)
{
    INTS quarters;
    const FLOATS r = NAMED(left_of_quarters)(a, &quarters), odd = NAMED(odd_part)(r), even = NAMED(even_part)(r);
    return SIGNED(select(even, odd, quarters << 31), (quarters + 1) << 30);
}

inline FLOATS NAMED(near_tangent)(FLOATS a)
{
    INTS quarters;
    const FLOATS r = NAMED(left_of_quarters)(a, &quarters), odd = NAMED(odd_part)(r), even = NAMED(even_part)(r);
    return SIGNED(select(odd, even, quarters << 31) / select(even, odd, quarters << 31),
                  (quarters << 31) ^ (JOIN(as_, INTS)(a) & SIGN_BIT));
}

#undef NAMED
#undef SIGNED
#undef INTS
