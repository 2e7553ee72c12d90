/* How vectors of extremes take a leaf, on CPUs, a part of parts/fold.cl: nearly no leaf has anything better than what is there, which the
 * best of the leaf tells in one instruction a value. Chains are not cut, since extremes do not round. */

/* Is any lane of a mask set? In a few instructions, where any() looks at each lane. */
inline int fold_some1(ulong x) { return x != 0; }
inline int fold_some2(ulong2 x) { return (x.x | x.y) != 0; }
inline int fold_some4(ulong4 x) { return fold_some2(x.lo | x.hi); }
inline int fold_some8(ulong8 x) { return fold_some4(x.lo | x.hi); }
inline int fold_some16(ulong16 x) { return fold_some8(x.lo | x.hi); }

/* With positions: a leaf is looked at where it has something better, a NaN, or something equal that comes first. */
#define FOLD_TAKES_EXTREME(K, V, VALUE, INDEX, MASK)                                                                       \
    inline void fold##K##V##_take(fold##K##V *s, const VALUE *x, INDEX at, int step)                                       \
    {                                                                                                                      \
        VALUE best = x[0];                                                                                                 \
        MASK taken = x[0] != x[0];                                                                                         \
        FOLD_UNROLLED for (int i = 1; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            best = fold##K##_better(x[i], best) ? x[i] : best;                                                             \
            taken |= x[i] != x[i];                                                                                         \
        }                                                                                                                  \
        taken |= fold##K##_wins(best, s->a) | ((best == s->a) & convert_##MASK(at < s->at));                             \
        if (fold##K##_some(taken))                                                                                         \
            *s = fold##K##V##_join(*s, fold##K##V##_leaf(x, at, step));                                                    \
    }                                                                                                                      \
    inline void fold##K##V##_next(fold##K##V *second, fold##K##V *first) {}                                                \
    FOLD_MORE(K, V, VALUE, INDEX)

/* Without NaN: comparisons leave it out, and where the best of a lane is still what the leaf began with, it may be all that there is. A
 * zero's sign is looked for where a lane's best is one. */
#define FOLD_TAKES_FOUND(K, V, VALUE, INDEX, MASK)                                                                         \
    inline void fold##K##V##_take(fold##K##V *s, const VALUE *x, INDEX at, int step)                                       \
    {                                                                                                                      \
        const VALUE worst = (VALUE)(fold##K##_worst);                                                                      \
        VALUE best = worst;                                                                                                \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) best = fold##K##_better(x[i], best) ? x[i] : best;               \
        const MASK none = best == worst, zero = best == (VALUE)(0);                                                        \
        if (fold##K##_some(none)) {                                                                                        \
            *s = fold##K##V##_join(*s, fold##K##V##_leaf(x, at, step));                                                    \
            return;                                                                                                        \
        }                                                                                                                  \
        if (fold##K##_some(zero)) {                                                                                        \
            FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) best = fold##K##V##_joined(x[i], best);                      \
            s->a = fold##K##V##_joined(s->a, best);                                                                        \
        } else                                                                                                             \
            s->a = fold##K##_better(s->a, best) ? s->a : best;                                                             \
    }                                                                                                                      \
    inline void fold##K##V##_next(fold##K##V *second, fold##K##V *first) {}                                                \
    FOLD_MORE(K, V, VALUE, INDEX)
