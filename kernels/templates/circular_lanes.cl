/* F, which is sine, cosine or tangent, of FLOATS, a vector: of lanes that are not near 0 by the compiler's function,
 * for parts/circular.cl. */
#define DRIVER JOIN(driver_, F)

inline FLOATS JOIN(JOIN(F, _), FLOATS)(FLOATS a)
{
    FLOATS value = JOIN(JOIN(near_, F), JOIN(_, FLOATS))(a);
    if (all(fabs(a) < NEAR))
        return value;
    value = fabs(a) < NEAR ? value : DRIVER(fabs(a) >= FAR ? (FLOATS)(0) : a);
    if (any(fabs(a) >= FAR))
        value = fabs(a) >= FAR ? DRIVER(fabs(a) >= FAR ? a : (FLOATS)(FAR)) : value;
    return value;
}

#undef DRIVER
#undef F
