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

/* An empty state whose scale will do for values like those that the state has met. */
inline bins_1 bins_1_again(bins_1 s)
{
    FOLD_UNROLLED for (int k = 0; k < BINS_COUNT; k++) s.bin[k] = s.carry[k] = 0;
    return s;
}

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

inline bins_1 bins_v_lane(const bins_v *s, int l)
{
    bins_1 lane;
    lane.scale = ((const double *)&s->scale)[l];
    FOLD_UNROLLED for (int k = 0; k < BINS_COUNT; k++)
    {
        lane.bin[k] = ((const long *)&s->bin[k])[l];
        lane.carry[k] = ((const long *)&s->carry[k])[l];
    }
    return lane;
}

#define NEAR_V _v
#define NEAR_WIDTH FOLD_WIDTH
#define NEAR_BINS bins_v
#include "parts/bins_near.cl"

/* Of a state that was joined. */
inline bins_1 near_v_lane(const near_v *s, int l) { return bins_v_lane(&s->all, l); }
#endif

#ifdef FOLD_HAS_CHAINS
#define NEAR_V _c
#define NEAR_WIDTH
#define NEAR_BINS bins_1
#include "parts/bins_near.cl"

BINS_OFTEN bins_1 near_c_end(near_c s)
{
    near_c_settle(&s);
    return s.all;
}
#endif
#include "parts/bins_finish.cl"

/* BINNED has sums of values, SQUARED of squares, POWERS both: each is a member of the state, and its scale has that step. TYPE is what
 * parts/bins.cl or bins_near.cl calls a member's type. */
#define FOLD_OF_SUMS(DO, TYPE) DO(TYPE, sums, , BINS_STEP)
#define FOLD_OF_SQUARES(DO, TYPE) DO(TYPE, squares, _squares, BINS_STEP / 2)
#define FOLD_OF_BOTH(DO, TYPE) FOLD_OF_SUMS(DO, TYPE) FOLD_OF_SQUARES(DO, TYPE)
#define FOLD_BINS_MEMBER(TYPE, member, kind, step) TYPE member;
#define FOLD_BINS_INIT(TYPE, member, kind, step) s.member = TYPE##_init(step);
#define FOLD_BINS_AGAIN(TYPE, member, kind, step) first->member = TYPE##_again(first->member);
#define FOLD_BINS_JOIN(TYPE, member, kind, step) a.member = TYPE##_join(a.member, b.member, step);
/* A single value's chain goes on with the scale that it has. A vector's is not cut: a part has fewer values than bins have room for. */
#define FOLD_BINS_NEXT_1(K, TYPE, EACH)                                                                                    \
    *second = fold##K##_1_join(*second, *first);                                                                           \
    EACH(FOLD_BINS_AGAIN, TYPE)
#define FOLD_BINS_NEXT_v(K, TYPE, EACH)
#define FOLD_BINS_NEXT_c(K, TYPE, EACH)
#define FOLD_BINS_STATE(K, V, TYPE, EACH)                                                                                  \
    typedef struct {                                                                                                       \
        EACH(FOLD_BINS_MEMBER, TYPE)                                                                                       \
    } fold##K##V;                                                                                                          \
    BINS_OFTEN fold##K##V fold##K##V##_init(void)                                                                          \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        EACH(FOLD_BINS_INIT, TYPE)                                                                                         \
        return s;                                                                                                          \
    }                                                                                                                      \
    BINS_OFTEN fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                    \
    {                                                                                                                      \
        EACH(FOLD_BINS_JOIN, TYPE)                                                                                         \
        return a;                                                                                                          \
    }                                                                                                                      \
    BINS_OFTEN void fold##K##V##_next(fold##K##V *second, fold##K##V *first) { FOLD_BINS_NEXT##V(K, TYPE, EACH) }

#define FOLD_BINNED(K, V, VALUE, REAL, INDEX) FOLD_SLICED(K, V, VALUE, REAL, INDEX, FOLD_OF_SUMS)
#define FOLD_SQUARED(K, V, VALUE, REAL, INDEX) FOLD_SLICED(K, V, VALUE, REAL, INDEX, FOLD_OF_SQUARES)
#define FOLD_POWERS(K, V, VALUE, REAL, INDEX) FOLD_SLICED(K, V, VALUE, REAL, INDEX, FOLD_OF_BOTH)
#define FOLD_BINS_TAKE(TYPE, member, kind, step) s.member = TYPE##_take##kind(s.member, y, exact);
#define FOLD_BINS_MORE(TYPE, member, kind, step) s.member = TYPE##_more##kind(s.member, &y, exact);
#define FOLD_SLICED(K, V, VALUE, REAL, INDEX, EACH)                                                                          \
    FOLD_BINS_STATE(K, V, bins##V, EACH)                                                                                   \
    BINS_OFTEN void fold##K##V##_take(fold##K##V *to, const VALUE *x, INDEX at, int step)                                  \
    {                                                                                                                      \
        REAL y[FOLD_LEAF];                                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = fold##K##_map(x[i], VALUE, REAL);                         \
        const int exact = fold##K##_exact;                                                                                 \
        fold##K##V s = *to;                                                                                                \
        EACH(FOLD_BINS_TAKE, bins##V)                                                                                      \
        *to = s;                                                                                                           \
    }                                                                                                                      \
    BINS_OFTEN void fold##K##V##_more(fold##K##V *to, VALUE x, INDEX at)                                                   \
    {                                                                                                                      \
        const REAL y = fold##K##_map(x, VALUE, REAL);                                                                      \
        const int exact = fold##K##_exact;                                                                                 \
        fold##K##V s = *to;                                                                                                \
        EACH(FOLD_BINS_MORE, bins##V)                                                                                      \
        *to = s;                                                                                                           \
    }
#define FOLD_BINS_LANE(TYPE, member, kind, step) lane.member = TYPE##_lane(&s->member, l);
#define FOLD_LANE_BINS(K, TYPE, EACH)                                                                                      \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        fold##K##_1 lane;                                                                                                  \
        EACH(FOLD_BINS_LANE, TYPE)                                                                                         \
        return lane;                                                                                                       \
    }
#define FOLD_LANE_BINNED(K, REAL) FOLD_LANE_BINS(K, bins_v, FOLD_OF_SUMS)
#define FOLD_LANE_SQUARED(K, REAL) FOLD_LANE_BINS(K, bins_v, FOLD_OF_SQUARES)
#define FOLD_LANE_POWERS(K, REAL) FOLD_LANE_BINS(K, bins_v, FOLD_OF_BOTH)

/* The same of vectors of values with at most 24 digits, for which NEAR has room, a vector of floats. */
#define FOLD_NEAR_BINNED(K, V, VALUE, NEAR, INDEX) FOLD_NEAR(K, V, VALUE, NEAR, INDEX, FOLD_OF_SUMS, &to->sums, 0)
#define FOLD_NEAR_SQUARED(K, V, VALUE, NEAR, INDEX) FOLD_NEAR(K, V, VALUE, NEAR, INDEX, FOLD_OF_SQUARES, 0, &to->squares)
#define FOLD_NEAR_POWERS(K, V, VALUE, NEAR, INDEX)                                                                         \
    FOLD_NEAR(K, V, VALUE, NEAR, INDEX, FOLD_OF_BOTH, &to->sums, &to->squares)
#define FOLD_NEAR_MORE(TYPE, member, kind, step)                                                                           \
    {                                                                                                                      \
        TYPE taken = to->member;                                                                                           \
        TYPE##_more##kind(&taken, &y);                                                                                     \
        to->member = taken;                                                                                                \
    }
#define FOLD_NEAR(K, V, VALUE, NEAR, INDEX, EACH, SUMS, SQUARES)                                                           \
    FOLD_BINS_STATE(K, V, near##V, EACH)                                                                                   \
    BINS_OFTEN void fold##K##V##_take(fold##K##V *to, const VALUE *x, INDEX at, int step)                                  \
    {                                                                                                                      \
        NEAR y[FOLD_LEAF];                                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = fold##K##_map(x[i], VALUE, NEAR);                         \
        near##V##_take(SUMS, SQUARES, y);                                                                                       \
    }                                                                                                                      \
    BINS_OFTEN void fold##K##V##_more(fold##K##V *to, VALUE x, INDEX at)                                                   \
    {                                                                                                                      \
        const NEAR y = fold##K##_map(x, VALUE, NEAR);                                                                      \
        EACH(FOLD_NEAR_MORE, near##V)                                                                                             \
    }
#define FOLD_LANE_NEAR_BINNED(K, REAL) FOLD_LANE_BINS(K, near_v, FOLD_OF_SUMS)
#define FOLD_LANE_NEAR_SQUARED(K, REAL) FOLD_LANE_BINS(K, near_v, FOLD_OF_SQUARES)
#define FOLD_LANE_NEAR_POWERS(K, REAL) FOLD_LANE_BINS(K, near_v, FOLD_OF_BOTH)

/* The end of a chain of such values. */
#define FOLD_END_BINNED(K) FOLD_END(K, FOLD_OF_SUMS)
#define FOLD_END_SQUARED(K) FOLD_END(K, FOLD_OF_SQUARES)
#define FOLD_END_POWERS(K) FOLD_END(K, FOLD_OF_BOTH)
#define FOLD_NEAR_TAIL(K, VALUE, INDEX)                                                                                    \
    BINS_OFTEN void fold##K##_c_tail(fold##K##_c *to, const VALUE *x, int count, INDEX at, int step)                       \
    {                                                                                                                      \
        fold##K##_c_take(to, x, at, 1);                                                                                    \
    }
#define FOLD_BINS_END(TYPE, member, kind, step) s.member = near_c_end(first.member);
#define FOLD_END(K, EACH)                                                                                                  \
    BINS_OFTEN fold##K##_1 fold##K##_c_end(fold##K##_c second, fold##K##_c first)                                          \
    {                                                                                                                      \
        fold##K##_1 s;                                                                                                     \
        EACH(FOLD_BINS_END, )                                                                                              \
        return s;                                                                                                          \
    }
