/* fmod of NUMBERS, a vector of WIDTH of NUMBER, for parts/remainder.cl. */
inline NUMBERS JOIN(remainder_, NUMBERS)(NUMBERS a, NUMBERS b)
{
    const NUMBERS divisor = fabs(b), quotient = trunc(fabs(a) / divisor);
    NUMBERS value = fma(-quotient, divisor, fabs(a));
    value = copysign(value < (NUMBERS)(0) ? value + divisor : value, a);
    if (all((quotient < (NUMBERS)(JOIN(EXACT_, NUMBER))) & (divisor < (NUMBERS)(INFINITY))))
        return value;
    for (int lane = 0; lane < WIDTH; lane++)
        ((NUMBER *)&value)[lane] = driver_remainder(((NUMBER *)&a)[lane], ((NUMBER *)&b)[lane]);
    return value;
}

#undef NUMBERS
#undef NUMBER
