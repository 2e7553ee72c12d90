/* Heads and rests of integers of 64 bits in LONGS, and what their heads in floats are made by, for parts/order.cl.
 * ULONGS: LONGS without signs. */

inline LONGS HEAD(LONGS, LONGS)(LONGS x) { return x >> (LONGS)(63); }
inline LONGS REST(LONGS, LONGS)(LONGS x) { return x & (LONGS)(LONG_MAX); }
inline LONGS HEAD(ULONGS, LONGS)(ULONGS x) { return JOIN(as_, LONGS)(x >> (ULONGS)(63)); }
inline LONGS REST(ULONGS, LONGS)(ULONGS x) { return JOIN(as_, LONGS)(x) & (LONGS)(LONG_MAX); }

/* x without all but its first digits */
inline ULONGS JOIN(cut_, ULONGS)(ULONGS x, ulong digits)
{
    const ULONGS most = (ULONGS)(64 - digits), lost = most - min(clz(x), most);
    return x >> lost << lost;
}

inline LONGS JOIN(cut_, LONGS)(LONGS x, ulong digits)
{
    const LONGS size = JOIN(as_, LONGS)(JOIN(cut_, ULONGS)(abs(x), digits));
    return x < (LONGS)(0) ? -size : size;
}
