/* Reductions of expressions: what the kernels for all devices share.
 *
 * A reduction has a state, which begins empty (init), takes one value (one) or FOLD_LEAF of them (leaf), is joined with another
 * (join), and gives the result in the end (finish). A kernel makes several results at once, 0, 1 ...: the state of result K is
 * fold<K>_1, for one value, and fold<K>_v, for FOLD_WIDTH values side by side. The families of states are macros here; the host
 * says in FOLD_STATES which results there are, and defines before this text: FOLD_EACH(DO), which expands DO(K) for each result;
 * FOLD_PARAMETERS, the kernel's parameters behind those of parts/map.cl: results o<K> and partial states t<K>; FOLD_PUT(x, q, r),
 * which stores a vector r of values as the q-th WIDTH of x; FOLD_INDEX, the type of positions, FOLD_INDEX_V, its vector, and
 * FOLD_LANES, that vector with 0, 1 ...; fold<K>_map, _identity, _combine and _better; and fold<K>_give(output, state), which
 * stores what a state gives: one result, or several that share it. */
#ifndef FOLD_STATES /* sums of floats, so that each file compiles by itself */
#define WIDTH 4
#define MAP_OUTER 1
#define MAP_ARRAYS 1
#define MAP_PARAMETERS , global const float *i0
#define MAP_ROW(row) global const float *p0 = i0 + map_first(&shape, 0, row);
#define MAP_VALUES_1(j) const float r0 = p0[j];
#define MAP_VALUES_V(j) const float4 r0 = vload4(0, p0 + (j));
#define FOLD_RESULTS 1
#define FOLD_WIDTH 4
#define FOLD_INDEX_V int4
#define FOLD_LANES ((int4)(0, 1, 2, 3))
#define FOLD_LEAF 16
#define FOLD_INDEX int
#define FOLD_EACH(DO) DO(0)
#define FOLD_PARAMETERS , global float *o0, global fold0_1 *t0
#define FOLD_PUT(x, q, r) x[(q) * 4] = r.s0; x[(q) * 4 + 1] = r.s1; x[(q) * 4 + 2] = r.s2; x[(q) * 4 + 3] = r.s3;
#define fold0_map(x, VALUE, ACC) (x)
#define fold0_identity 0
#define fold0_combine(a, b) (a + b)
#define fold0_give(output, state) o0[fold_place(&fold, 0, output)] = (state).a;
#define FOLD_STATES FOLD_ONE(0, _1, float, float, int) FOLD_ONE(0, _v, float4, float4, int4) FOLD_LANE_ONE(0, float)
typedef float fold0_value_1;
typedef float4 fold0_value_v;
#endif

#include "parts/map.cl"
#include "abi/fold.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wunused-function"
#endif

#define FOLD_UNROLLED _Pragma("unroll")

/* How far behind the first value of a leaf its i-th lies, in positions. */
#ifndef FOLD_AT
#define FOLD_AT(i, step) ((i) * (step))
#endif

/* ---- one value: sums, extremes, counts --------------------------------------------------------------------------------- */

#define FOLD_ONE(K, V, VALUE, ACC, INDEX)                                                                                  \
    typedef struct {                                                                                                       \
        ACC a;                                                                                                             \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(ACC a)                                                                               \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.a = a;                                                                                                           \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline ACC fold##K##V##_joined(ACC a, ACC b) { return fold##K##_combine(a, b); }                                       \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_of((ACC)(fold##K##_identity)); }                       \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at) { return fold##K##V##_of(fold##K##_map(x, VALUE, ACC)); }        \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        return fold##K##V##_of(fold##K##V##_joined(a.a, b.a));                                                             \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                          \
    {                                                                                                                      \
        ACC y[FOLD_LEAF];                                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = fold##K##_map(x[i], VALUE, ACC);                          \
        FOLD_UNROLLED for (int step = 1; step < FOLD_LEAF; step *= 2)                                                      \
            FOLD_UNROLLED for (int i = 0; i + step < FOLD_LEAF; i += 2 * step)                                             \
                y[i] = fold##K##V##_joined(y[i], y[i + step]);                                                             \
        return fold##K##V##_of(y[0]);                                                                                      \
    }
#define FOLD_LANE_ONE(K, ACC)                                                                                              \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l) { return fold##K##_1_of(((const ACC *)&s->a)[l]); }

/* ---- a value and its position: where an extreme lies ------------------------------------------------------------------- */

/* The first of the best wins, and the first NaN over all others. better(a, b): is a better than b? */
#define FOLD_EXTREME(K, V, VALUE, ACC, INDEX)                                                                              \
    typedef struct {                                                                                                       \
        VALUE a;                                                                                                           \
        INDEX at;                                                                                                          \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(VALUE a, INDEX at)                                                                   \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.a = a;                                                                                                           \
        s.at = at;                                                                                                         \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_init(void)                                                                              \
    {                                                                                                                      \
        return fold##K##V##_of((VALUE)(fold##K##_identity), (INDEX)(FOLD_NOWHERE));                                        \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at) { return fold##K##V##_of(x, at); }                               \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const INDEX wins = convert_##INDEX((fold##K##_better(b.a, a.a) | (b.a != b.a)) & (a.a == a.a));                    \
        const INDEX ties = convert_##INDEX((a.a == b.a) | ((a.a != a.a) & (b.a != b.a))) & (b.at < a.at);                  \
        const INDEX taken = (wins | ties) != (INDEX)(0);                                                                   \
        return fold##K##V##_of(fold##K##V##_pick(a.a, b.a, taken), taken ? b.at : a.at);                                   \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                          \
    {                                                                                                                      \
        fold##K##V s = fold##K##V##_of(x[0], at);                                                                          \
        FOLD_UNROLLED for (int i = 1; i < FOLD_LEAF; i++) {                                                                \
            const INDEX wins = convert_##INDEX((fold##K##_better(x[i], s.a) | (x[i] != x[i])) & (s.a == s.a));             \
            s = fold##K##V##_of(fold##K##V##_pick(s.a, x[i], wins), wins ? at + (INDEX)(FOLD_AT(i, step)) : s.at);               \
        }                                                                                                                  \
        return s;                                                                                                          \
    }
/* b where `taken`, a elsewhere; MASK is the integer of VALUE's width. */
#define FOLD_PICK(K, V, VALUE, INDEX, MASK)                                                                                \
    inline VALUE fold##K##V##_pick(VALUE a, VALUE b, INDEX taken) { return convert_##MASK(taken) ? b : a; }
#define FOLD_LANE_EXTREME(K, VALUE)                                                                                        \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const VALUE *)&s->a)[l], ((const FOLD_INDEX *)&s->at)[l]);                                 \
    }

/* ---- moments: mean and variance ---------------------------------------------------------------------------------------- */

#define FOLD_OR_ZERO(REAL, x) ((x) == (x) ? (x) : (REAL)(0)) /* for a NaN */

/* Count, mean (as mean + low: the sum of two numbers, so that what is left of x - mean is exact to the last place), and the sum of
 * squares of what is left. A leaf is summed in two passes over its values; two states are joined as Chan, Golub and LeVeque do. */
#define FOLD_MOMENTS(K, V, VALUE, REAL, INDEX)                                                                             \
    typedef struct {                                                                                                       \
        REAL n, mean, low, m2;                                                                                             \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(REAL n, REAL mean, REAL low, REAL m2)                                                \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.n = n;                                                                                                           \
        s.mean = mean + low;                                                                                               \
        s.low = FOLD_OR_ZERO(REAL, low - (s.mean - mean));                                                                 \
        s.m2 = m2;                                                                                                         \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_init(void)                                                                              \
    {                                                                                                                      \
        return fold##K##V##_of((REAL)(0), (REAL)(0), (REAL)(0), (REAL)(0));                                                \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        return fold##K##V##_of((REAL)(1), convert_##REAL(x), (REAL)(0), (REAL)(0));                                        \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL n = a.n + b.n, share = b.n / fmax(n, (REAL)(1));                                                        \
        const REAL apart = (b.mean - a.mean) + (b.low - a.low), nothing = apart - apart; /* NaN where a mean is infinite */ \
        const REAL mean = nothing == (REAL)(0) ? a.mean : a.mean + b.mean;                                                 \
        const REAL low = nothing == (REAL)(0) ? a.low + apart * share : (REAL)(0);                                         \
        const REAL between = apart * apart * (a.n * share) + nothing;                                                      \
        return fold##K##V##_of(n, a.n == (REAL)(0) ? b.mean : mean, a.n == (REAL)(0) ? b.low : low,                        \
                               a.m2 + b.m2 + (a.n == (REAL)(0) ? (REAL)(0) : between));                                    \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                          \
    {                                                                                                                      \
        REAL y[FOLD_LEAF];                                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = convert_##REAL(x[i]);                                     \
        REAL mean = (REAL)(0), left = (REAL)(0), m2 = (REAL)(0);                                                           \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) mean += y[i];                                                    \
        mean *= (REAL)(1.0f / FOLD_LEAF);                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL d = y[i] - mean;                                                                                    \
            left += d;                                                                                                     \
            m2 += d * d;                                                                                                   \
        }                                                                                                                  \
        left *= (REAL)(1.0f / FOLD_LEAF);                                                                                  \
        return fold##K##V##_of((REAL)(FOLD_LEAF), mean, FOLD_OR_ZERO(REAL, left), m2 - (REAL)(FOLD_LEAF) * left * left);   \
    }
#define FOLD_LANE_MOMENTS(K, REAL)                                                                                         \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const REAL *)&s->n)[l], ((const REAL *)&s->mean)[l], ((const REAL *)&s->low)[l],           \
                              ((const REAL *)&s->m2)[l]);                                                                  \
    }

/* The same where REAL holds all sums of VALUE's differences: count, a value of its own (the pivot), and the sums of what is left
 * without the pivot and of its squares. As the pivot is one of the values, (pivot - mean)^2 is at most the sum of squares about the
 * mean, and so squares lose at most as many bits as the count has. No division. */
#define FOLD_PIVOTED(K, V, VALUE, REAL, INDEX)                                                                             \
    typedef struct {                                                                                                       \
        REAL n, pivot, sum, squares;                                                                                       \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(REAL n, REAL pivot, REAL s, REAL q)                                                  \
    {                                                                                                                      \
        fold##K##V r;                                                                                                      \
        r.n = n;                                                                                                           \
        r.pivot = pivot;                                                                                                   \
        r.sum = s;                                                                                                         \
        r.squares = q;                                                                                                     \
        return r;                                                                                                          \
    }                                                                                                                      \
    inline REAL fold##K##V##_pivot(REAL x) { return x - x == (REAL)(0) ? x : (REAL)(0); }                                  \
    inline fold##K##V fold##K##V##_init(void)                                                                              \
    {                                                                                                                      \
        return fold##K##V##_of((REAL)(0), (REAL)(0), (REAL)(0), (REAL)(0));                                                \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        const REAL y = convert_##REAL(x), pivot = fold##K##V##_pivot(y), d = y - pivot;                                    \
        return fold##K##V##_of((REAL)(1), pivot, d, d * d);                                                                \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL pivot = a.n == (REAL)(0) ? b.pivot : a.pivot, d = b.n == (REAL)(0) ? (REAL)(0) : b.pivot - pivot;       \
        return fold##K##V##_of(a.n + b.n, pivot, a.sum + (b.sum + b.n * d), a.squares + (b.squares + d * (b.sum + b.sum + b.n * d))); \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        const REAL pivot = fold##K##V##_pivot(convert_##REAL(x[0]));                                                       \
        REAL s = (REAL)(0), q = (REAL)(0);                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL d = convert_##REAL(x[i]) - pivot;                                                                   \
            s += d;                                                                                                        \
            q += d * d;                                                                                                    \
        }                                                                                                                  \
        return fold##K##V##_of((REAL)(FOLD_LEAF), pivot, s, q);                                                            \
    }
#define FOLD_LANE_PIVOTED(K, REAL)                                                                                         \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const REAL *)&s->n)[l], ((const REAL *)&s->pivot)[l], ((const REAL *)&s->sum)[l],          \
                              ((const REAL *)&s->squares)[l]);                                                             \
    }

/* ---- norms ------------------------------------------------------------------------------------------------------------- */

/* The sum of squares as (scale * scale) * a, where the scale is the largest magnitude: no square overflows or vanishes. */
#define FOLD_NORM(K, V, VALUE, REAL, INDEX)                                                                                \
    typedef struct {                                                                                                       \
        REAL scale, a;                                                                                                     \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(REAL scale, REAL a)                                                                  \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.scale = scale;                                                                                                   \
        s.a = a;                                                                                                           \
        return s;                                                                                                          \
    }                                                                                                                      \
    /* What x / scale is; where both are infinite or 0, x itself tells as much. */                                         \
    inline REAL fold##K##V##_over(REAL x, REAL scale) { return x == scale ? (REAL)(1) : x / scale; }                       \
    inline REAL fold##K##V##_larger(REAL a, REAL b) { return ((a < b) | (b != b)) ? b : a; }                               \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_of((REAL)(0), (REAL)(0)); }                            \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        return fold##K##V##_of(fabs(convert_##REAL(x)), (REAL)(1));                                                        \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL scale = fold##K##V##_larger(a.scale, b.scale);                                                          \
        const REAL of_a = fold##K##V##_over(a.scale, scale), of_b = fold##K##V##_over(b.scale, scale);                     \
        return fold##K##V##_of(scale, a.a * of_a * of_a + b.a * of_b * of_b);                                              \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                          \
    {                                                                                                                      \
        REAL y[FOLD_LEAF], scale = (REAL)(0), a = (REAL)(0);                                                               \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            y[i] = fabs(convert_##REAL(x[i]));                                                                             \
            scale = fold##K##V##_larger(scale, y[i]);                                                                      \
        }                                                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL part = fold##K##V##_over(y[i], scale);                                                              \
            a += part * part;                                                                                              \
        }                                                                                                                  \
        return fold##K##V##_of(scale, a);                                                                                  \
    }
#define FOLD_LANE_NORM(K, REAL)                                                                                            \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const REAL *)&s->scale)[l], ((const REAL *)&s->a)[l]);                                     \
    }

/* ---- states of the kernel's results ------------------------------------------------------------------------------------- */

#define FOLD_NOWHERE (sizeof(FOLD_INDEX) == 4 ? (FOLD_INDEX)0x7fffffff : (FOLD_INDEX)0x7fffffffffffffffL)

FOLD_STATES

/* One output's result goes to its place, or one part's state to the partial states. */
inline long fold_place(const fold_shape *s, int result, long output)
{
    long at = s->out[result].first;
    for (long axis = s->kept - 1; axis > 0; axis--) {
        const long rest = output / s->size[axis];
        at += (output - rest * s->size[axis]) * s->out[result].stride[axis];
        output = rest;
    }
    return s->kept > 0 ? at + output * s->out[result].stride[0] : at;
}

/* FOLD_PARTED says beforehand which it is, 0 or 1: code that finishes takes registers from the loops before it. */
#ifndef FOLD_PARTED
#define FOLD_PARTED (fold.parts > 1)
#endif
#define FOLD_GIVE(K, state, output, part)                                                                                  \
    if (FOLD_PARTED)                                                                                                       \
        t##K[(output) * fold.parts + (part)] = state;                                                                      \
    else {                                                                                                                 \
        fold##K##_give(output, state)                                                                                      \
    }

/* ---- parts of outputs ---------------------------------------------------------------------------------------------------- */

/* Two chains, the second of which gets a state of the first for every FOLD_CHAIN joins: the error of a sum grows with the square
 * root of their number. */
#define FOLD_CHAINS(K, V) fold##K##V first##K = fold##K##V##_init(), second##K = fold##K##V##_init();
#define FOLD_NEXT(K, V)                                                                                                    \
    second##K = fold##K##V##_join(second##K, first##K);                                                                    \
    first##K = fold##K##V##_init();

/* Joins the parts of each output, in their order: a group makes an output. */
#ifndef FOLD_JOINERS
#define FOLD_JOINERS 1
#endif
kernel __attribute__((reqd_work_group_size(FOLD_JOINERS, 1, 1)))
void fold_join(const fold_shape fold FOLD_PARAMETERS)
{
#define DECLARE(K) local fold##K##_1 states##K[FOLD_JOINERS];
    FOLD_EACH(DECLARE)
#undef DECLARE
    const long item = get_local_id(0);
    for (long output = get_group_id(0); output < fold.outputs; output += get_num_groups(0)) {
        const long share = (fold.parts + FOLD_JOINERS - 1) / FOLD_JOINERS;
        const long from = min(item * share, fold.parts), to = min(from + share, fold.parts);
#define START(K) FOLD_CHAINS(K, _1)
        FOLD_EACH(START)
#undef START
        for (long part = from; part < to; part++) {
#define TAKE(K) first##K = fold##K##_1_join(first##K, t##K[output * fold.parts + part]);
            FOLD_EACH(TAKE)
#undef TAKE
            if ((part - from) % FOLD_CHAIN == FOLD_CHAIN - 1) {
#define NEXT(K) FOLD_NEXT(K, _1)
                FOLD_EACH(NEXT)
#undef NEXT
            }
        }
#define KEEP(K) states##K[item] = fold##K##_1_join(second##K, first##K);
        FOLD_EACH(KEEP)
#undef KEEP
        for (int step = 1; step < FOLD_JOINERS; step *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item % (2 * step) == 0 && item + step < FOLD_JOINERS) {
#define PAIR(K) states##K[item] = fold##K##_1_join(states##K[item], states##K[item + step]);
                FOLD_EACH(PAIR)
#undef PAIR
            }
        }
        if (item == 0) {
#define GIVE(K) fold##K##_give(output, states##K[0])
            FOLD_EACH(GIVE)
#undef GIVE
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
