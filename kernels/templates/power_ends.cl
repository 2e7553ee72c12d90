/* pow(a, b) where the power of |a| is `power`: C's Annex F. WHOLES: integers as wide as NUMBERS. SIGN: the bit of the
 * sign in them. */
inline NUMBERS JOIN(power_ends_, NUMBERS)(NUMBERS a, NUMBERS b, NUMBERS power)
{
    const NUMBERS size = fabs(a), halved = b * (NUMBERS)(0.5f), nothing = (NUMBERS)(0.0f),
                  endless = (NUMBERS)(INFINITY);
    const NUMBERS ended =
        (((size == nothing) & (b > nothing)) | ((size == endless) & (b < nothing))) ? nothing : endless;
    const NUMBERS sized = ((size == nothing) | (size == endless)) ? ended : power;
    const NUMBERS normal = ((size == (NUMBERS)(1.0f)) | (b == nothing)) ? (NUMBERS)(1.0f) : sized;
    const NUMBERS whole = trunc(b), even = trunc(halved);
    const NUMBERS odd = JOIN(as_, NUMBERS)((WHOLES)(SIGN));
    const NUMBERS turns = ((whole == b) & (even != halved)) ? odd : nothing;
    const WHOLES given = JOIN(as_, WHOLES)(normal) ^ (JOIN(as_, WHOLES)(a) & JOIN(as_, WHOLES)(turns));
    const NUMBERS wrong =
        ((a < nothing) & (whole != b) & (size != endless)) ? (NUMBERS)(NAN) : JOIN(as_, NUMBERS)(given);
    return (((a != a) & (b != nothing)) | ((b != b) & (a != (NUMBERS)(1.0f)))) ? (NUMBERS)(NAN) : wrong;
}

#undef NUMBERS
#undef WHOLES
#undef SIGN
