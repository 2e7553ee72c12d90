/* The order of two numbers by value where no type holds those of both: signed and unsigned 64-bit integers, or integers and floats with
 * fewer digits. Each becomes a head and a rest of one type, TO; heads are compared first.
 *   TO long      head: the bits from 2^63 on, -1, 0 or 1.   rest: those below.
 *   TO a float   head: the integer's first digits, as many as TO has.   rest: what is left; of a float 0. */

/* Below 0 where a is less than b, 0 where both are equal, above 0 where a is greater; NaN where one of them is. */
#define ORDER(FROM_A, FROM_B, TO, a, b)                                                                        \
    (head_##FROM_A##_##TO(a) == head_##FROM_B##_##TO(b) ? rest_##FROM_A##_##TO(a) - rest_##FROM_B##_##TO(b) \
                                                        : head_##FROM_A##_##TO(a) - head_##FROM_B##_##TO(b))

#define ORDER_INTEGERS(N)                                                                                      \
    inline long##N head_long##N##_long##N(long##N x) { return x >> (long##N)(63); }                            \
    inline long##N rest_long##N##_long##N(long##N x) { return x & (long##N)(LONG_MAX); }                       \
    inline long##N head_ulong##N##_long##N(ulong##N x) { return as_long##N(x >> (ulong##N)(63)); }             \
    inline long##N rest_ulong##N##_long##N(ulong##N x) { return as_long##N(x) & (long##N)(LONG_MAX); }         \
    /* x without all but its first digits */                                                                   \
    inline ulong##N cut_ulong##N(ulong##N x, ulong digits)                                                     \
    {                                                                                                          \
        const ulong##N most = (ulong##N)(64 - digits), lost = most - min(clz(x), most);                        \
        return x >> lost << lost;                                                                              \
    }                                                                                                          \
    inline long##N cut_long##N(long##N x, ulong digits)                                                        \
    {                                                                                                          \
        const long##N size = as_long##N(cut_ulong##N(abs(x), digits));                                         \
        return x < (long##N)(0) ? -size : size;                                                                \
    }

#define ORDER_FLOATS(N, FROM, TO, DIGITS)                                                                      \
    inline TO##N head_##FROM##N##_##TO##N(FROM##N x) { return convert_##TO##N(cut_##FROM##N(x, DIGITS)); }     \
    inline TO##N rest_##FROM##N##_##TO##N(FROM##N x) { return convert_##TO##N(x - cut_##FROM##N(x, DIGITS)); }

#define ORDER_NUMBERS(N, TO, DIGITS)                                                                           \
    ORDER_FLOATS(N, long, TO, DIGITS)                                                                          \
    ORDER_FLOATS(N, ulong, TO, DIGITS)                                                                         \
    inline TO##N head_##TO##N##_##TO##N(TO##N x) { return x; }                                                 \
    inline TO##N rest_##TO##N##_##TO##N(TO##N x) { return (TO##N)(0); }

#ifdef HAS_F64
#define ORDER_DOUBLES(N) ORDER_NUMBERS(N, double, 53)
#else
#define ORDER_DOUBLES(N)
#endif
#define ORDER_WIDTH(N) ORDER_INTEGERS(N) ORDER_NUMBERS(N, float, 24) ORDER_DOUBLES(N)

ORDER_WIDTH()
ORDER_WIDTH(2)
ORDER_WIDTH(4)
ORDER_WIDTH(8)
ORDER_WIDTH(16)
