/* Powers of complex numbers, REAL2, for parts/pair_functions.cl. WIDENED(z): of the type that they are computed in;
 * NARROWED(z): back. */
inline REAL2 __attribute__((overloadable)) complex_power(REAL2 z, REAL2 w)
{
    if ((w.y == 0) & (w.x == rint(w.x)) & (fabs(w.x) <= WHOLE_POWERS)) {
        REAL2 power = (REAL2)(1, 0);
        for (uint left = (uint)fabs(w.x); left; left >>= 1, z = pair_product(z, z))
            if (left & 1)
                power = pair_product(power, z);
        return w.x < 0 ? pair_divide((REAL2)(1, 0), power) : power;
    }
    if ((z.x == 0) & (z.y == 0))
        return w.x > 0 ? (REAL2)(0) : (REAL2)(NAN);
    return NARROWED(complex_exp(pair_multiply(WIDENED(w), complex_log(WIDENED(z)))));
}

#undef REAL2
#undef WIDENED
#undef NARROWED
