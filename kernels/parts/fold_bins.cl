/* Reductions of expressions: states that are sums in bins, whose bits do not depend on the order, parts of parts/fold.cl. */

#pragma OPENCL FP_CONTRACT OFF
#define BINS_V _1
#define BINS_REAL double
#define BINS_MASK int
#define BINS_LONG long
#define BINS_BITS as_long
#define BINS_DOUBLE as_double
#define BINS_ALL(x) (x)
#define BINS_ANY(x) ((x) < 0)
#include "parts/bins.cl"
#ifdef FOLD_WIDTH
#define BINS_V _v
#define BINS_REAL JOIN(double, FOLD_WIDTH)
#define BINS_MASK JOIN(long, FOLD_WIDTH)
#define BINS_LONG JOIN(long, FOLD_WIDTH)
#define BINS_BITS JOIN(as_long, FOLD_WIDTH)
#define BINS_DOUBLE JOIN(as_double, FOLD_WIDTH)
#define BINS_ALL all
#define BINS_ANY any
#include "parts/bins.cl"

inline bins_1 bins_lane(bins_v s, int l)
{
    bins_1 lane;
    lane.scale = ((const double *)&s.scale)[l];
    FOLD_UNROLLED for (int k = 0; k < BINS_COUNT; k++)
    {
        lane.bin[k] = ((const long *)&s.bin[k])[l];
        lane.carry[k] = ((const long *)&s.carry[k])[l];
    }
    return lane;
}
#endif
#include "parts/bins_finish.cl"

/* BINNED has sums of values, SQUARED of squares, POWERS both: each is a member of the state, and its scale has that step. */
#define FOLD_BINNED(K, V, VALUE, REAL, INDEX) FOLD_BINS_STATE(K, V, VALUE, REAL, INDEX, FOLD_OF_SUMS)
#define FOLD_SQUARED(K, V, VALUE, REAL, INDEX) FOLD_BINS_STATE(K, V, VALUE, REAL, INDEX, FOLD_OF_SQUARES)
#define FOLD_POWERS(K, V, VALUE, REAL, INDEX) FOLD_BINS_STATE(K, V, VALUE, REAL, INDEX, FOLD_OF_BOTH)
#define FOLD_OF_SUMS(DO, V) DO(V, sums, , BINS_STEP)
#define FOLD_OF_SQUARES(DO, V) DO(V, squares, _squares, BINS_STEP / 2)
#define FOLD_OF_BOTH(DO, V) FOLD_OF_SUMS(DO, V) FOLD_OF_SQUARES(DO, V)
#define FOLD_BINS_MEMBER(V, member, kind, step) bins##V member;
#define FOLD_BINS_INIT(V, member, kind, step) s.member = bins##V##_init(step);
#define FOLD_BINS_AGAIN(V, member, kind, step) s.member = bins##V##_again(s.member);
#define FOLD_BINS_JOIN(V, member, kind, step) a.member = bins##V##_join(a.member, b.member, step);
#define FOLD_BINS_TAKE(V, member, kind, step) s.member = bins##V##_take##kind(s.member, y, exact);
#define FOLD_BINS_MORE(V, member, kind, step) s.member = bins##V##_more##kind(s.member, &y, exact);
#define FOLD_BINS_STATE(K, V, VALUE, REAL, INDEX, EACH)                                                                    \
    typedef struct {                                                                                                       \
        EACH(FOLD_BINS_MEMBER, V)                                                                                          \
    } fold##K##V;                                                                                                          \
    BINS_OFTEN fold##K##V fold##K##V##_init(void)                                                                              \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        EACH(FOLD_BINS_INIT, V)                                                                                            \
        return s;                                                                                                          \
    }                                                                                                                      \
    BINS_OFTEN fold##K##V fold##K##V##_again(fold##K##V s)                                                                     \
    {                                                                                                                      \
        EACH(FOLD_BINS_AGAIN, V)                                                                                           \
        return s;                                                                                                          \
    }                                                                                                                      \
    BINS_OFTEN fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        EACH(FOLD_BINS_JOIN, V)                                                                                            \
        return a;                                                                                                          \
    }                                                                                                                      \
    BINS_OFTEN fold##K##V fold##K##V##_take(fold##K##V s, const VALUE *x, INDEX at, int step)                              \
    {                                                                                                                      \
        REAL y[FOLD_LEAF];                                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = fold##K##_map(x[i], VALUE, REAL);                         \
        const int exact = fold##K##_exact;                                                                                 \
        EACH(FOLD_BINS_TAKE, V)                                                                                            \
        return s;                                                                                                          \
    }                                                                                                                      \
    BINS_OFTEN fold##K##V fold##K##V##_more(fold##K##V s, VALUE x, INDEX at)                                               \
    {                                                                                                                      \
        const REAL y = fold##K##_map(x, VALUE, REAL);                                                                      \
        const int exact = fold##K##_exact;                                                                                 \
        EACH(FOLD_BINS_MORE, V)                                                                                            \
        return s;                                                                                                          \
    }
#define FOLD_BINS_LANE(V, member, kind, step) lane.member = bins_lane(s->member, l);
#define FOLD_LANE_BINNED(K, REAL) FOLD_LANE_BINS(K, FOLD_OF_SUMS)
#define FOLD_LANE_SQUARED(K, REAL) FOLD_LANE_BINS(K, FOLD_OF_SQUARES)
#define FOLD_LANE_POWERS(K, REAL) FOLD_LANE_BINS(K, FOLD_OF_BOTH)
#define FOLD_LANE_BINS(K, EACH)                                                                                            \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        fold##K##_1 lane;                                                                                                  \
        EACH(FOLD_BINS_LANE, _1)                                                                                           \
        return lane;                                                                                                       \
    }
