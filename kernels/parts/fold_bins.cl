/* Reductions of expressions: states that are sums in bins, whose bits do not depend on the order, parts of
 * parts/fold.cl. */

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

/* Members of a state, for sums of values, of squares, or both: DO(TYPE, name, kind, the step of its scale). TYPE is
 * what parts/bins.cl or bins_near.cl calls a member's type; `s`, `to` and `lane` are states of parts/fold_states.cl. */
#define FOLD_OF_SUMS(DO, TYPE) DO(TYPE, sums, , BINS_STEP)
#define FOLD_OF_SQUARES(DO, TYPE) DO(TYPE, squares, _squares, BINS_STEP / 2)
#define FOLD_OF_BOTH(DO, TYPE) FOLD_OF_SUMS(DO, TYPE) FOLD_OF_SQUARES(DO, TYPE)
#define FOLD_BINS_MEMBER(TYPE, member, kind, step) TYPE member;
#define FOLD_BINS_INIT(TYPE, member, kind, step) s.member = TYPE##_init(step);
#define FOLD_BINS_AGAIN(TYPE, member, kind, step) first->member = TYPE##_again(first->member);
#define FOLD_BINS_JOIN(TYPE, member, kind, step) a.member = TYPE##_join(a.member, b.member, step);
#define FOLD_BINS_TAKE(TYPE, member, kind, step) s.member = TYPE##_take##kind(s.member, y, exact);
#define FOLD_BINS_MORE(TYPE, member, kind, step) s.member = TYPE##_more##kind(s.member, &y, exact);
#define FOLD_BINS_LANE(TYPE, member, kind, step) lane.member = TYPE##_lane(&s->member, l);
#define FOLD_BINS_END(TYPE, member, kind, step) s.member = near_c_end(first.member);
#define FOLD_NEAR_MORE(TYPE, member, kind, step)                                                                       \
    {                                                                                                                  \
        TYPE taken = to->member;                                                                                       \
        TYPE##_more##kind(&taken, &y);                                                                                 \
        to->member = taken;                                                                                            \
    }
