/* Reductions of expressions: what the states of moments and their results are made with, a part of parts/fold.cl. */

/* ---- moments: mean and variance ---------------------------------------------------------------------------------- */

#define FOLD_OR_ZERO(REAL, x) ((x) == (x) ? (x) : (REAL)(0)) /* for a NaN */

/* A single state has units: mean, low and m2 are those of its values times `by`, which is 1, or FOLD_SMALL where
 * that overflows. Nothing of values times FOLD_SMALL does. Vectors, for CPUs, have units of 1. */
#ifdef HAS_F64
#define FOLD_SMALL 0x1p-600
#define FOLD_LARGE 0x1p600
#else
#define FOLD_SMALL 0x1p-80f
#define FOLD_LARGE 0x1p80f
#endif
#define FOLD_UNIT(s) ((s).by < 1 ? FOLD_LARGE : 1)
#define FOLD_MEAN(s) (((s).mean + (s).low) * FOLD_UNIT(s))
#define FOLD_VARIANCE(s, count) ((s).m2 / (count) * FOLD_UNIT(s) * FOLD_UNIT(s))
#define FOLD_DEVIATION(s, count) (sqrt((s).m2 / (count)) * FOLD_UNIT(s))
#define FOLD_BY_1(s) (s).by
#define FOLD_BY_v(s) 1

/* What a value of a leaf is of its mean. */
#define FOLD_SHARE(REAL) ((REAL)(1) / (REAL)(FOLD_LEAF))

#define FOLD_UNITS_1(REAL) REAL by;
#define FOLD_UNITS_v(REAL)
#define FOLD_SET_UNITS_1(s, unit) s.by = unit;
#define FOLD_SET_UNITS_v(s, unit)

/* Makes a state again that has overflowed, of the values that FOR_EACH(K, DO) goes through. Where one of them is
 * infinite it stays. */
#define FOLD_AGAIN(K, state, FOR_EACH)                                                                                 \
    {                                                                                                                  \
        fold##K##_1 small = fold##K##_1_init();                                                                        \
        if (fold##K##_1_repeats(&small, state)) {                                                                      \
            fold##K##_1 first = small;                                                                                 \
            int count = 0;                                                                                             \
            FOR_EACH(K, FOLD_AGAIN_MORE)                                                                               \
            small = fold##K##_1_join(small, first);                                                                    \
            if (small.mean - small.mean == 0)                                                                          \
                state = small;                                                                                         \
        }                                                                                                              \
    }
#define FOLD_AGAIN_MORE(K, x)                                                                                          \
    fold##K##_1_more(&first, x, 0);                                                                                    \
    if (++count == FOLD_CHAIN) {                                                                                       \
        fold##K##_1_next(&small, &first);                                                                              \
        count = 0;                                                                                                     \
        if (small.mean - small.mean != 0)                                                                              \
            break;                                                                                                     \
    }

/* The variance of complex numbers, whose states have the parts side by side. */
#define FOLD_SPREAD(s, part) ((s).squares.part - (s).sum.part * ((s).sum.part / (s).n.part))
#define FOLD_POSITIVE(x) ((x) < 0 ? 0 : (x))
#define FOLD_PAIR_VARIANCE(s, count) ((FOLD_POSITIVE(FOLD_SPREAD(s, s0)) + FOLD_POSITIVE(FOLD_SPREAD(s, s1))) / (count))
#define FOLD_LEFT_VARIANCE(s, ddof)                                                                                    \
    ((s).n > (ddof) ? FOLD_POSITIVE((s).squares - (s).sum * ((s).sum / (s).n)) / ((s).n - (ddof)) : NAN)
