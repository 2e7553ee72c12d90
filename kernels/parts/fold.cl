/* Reductions of expressions: what the kernels for all devices share.
 *
 * A reduction has a state, which begins empty (init), takes one value (one) or FOLD_LEAF of them (leaf), is joined with another
 * (join), and gives the result in the end (finish). A kernel makes several results at once, 0, 1 ...: the state of result K is
 * fold<K>_1, for one value, and fold<K>_v, for FOLD_WIDTH values side by side. The families of states are macros here; the host
 * says in FOLD_STATES which results there are, and defines before this text: FOLD_EACH(DO), which expands DO(K) for each result;
 * FOLD_PARAMETERS, the kernel's parameters behind those of parts/map.cl: results o<K> and partial states t<K>; FOLD_PUT(x, q, r),
 * which stores a vector r of values as the q-th WIDTH of x; FOLD_INDEX, the type of positions, FOLD_INDEX_V, its vector, and
 * FOLD_LANES, that vector with 0, 1 ...; fold<K>_map, _identity, _combine and _better; fold<K>_made, the type of what
 * a state has; and fold<K>_give(output, state), which
 * stores what a state gives: one result, or several that share it.
 *
 * A job begins with the state `start` and ends in another, which may have overflowed. fold<K>_repeat(start, state) changes `start` then, and
 * sets `repeat`, so that the job is done again; fold<K>_again(state, FOR_EACH) does it, value by value: FOR_EACH(K, DO) is the loop. Both
 * are nothing where states do not overflow. fold<K>_united joins states of two jobs, and fold<K>_added
 * those that jobs have left, in a job that can be done again. */
#ifndef FOLD_STATES /* sums of floats, so that each file compiles by itself */
#define WIDTH 4
#define MAP_PARAMETERS , global const float *i0
#define MAP_ROW(row) global const float *p0 = i0 + shape.at[0] + (row) * shape.at[1];
#define MAP_VALUES_1(j) const float r0 = p0[j];
#define MAP_VALUES_V(j) const float4 r0 = vload4(0, p0 + (j));
#define MAP_FETCH(j, place) MAP_FETCH_ONE(p0 + (j), place)
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
#define fold0_1_own(a, b) (a + b)
#define fold0_v_own(a, b) (a + b)
#define fold0_finish(s) ((s).a)
#define fold0_store(at, x) o0[at] = (x)
#define fold0_repeat(start, state)
#define fold0_again(state, FOR_EACH)
#define fold0_added fold0_1_join
#define fold0_united fold0_1_join
#define fold0_give(output, state) fold0_store(fold_place(&fold, 0, output), fold0_finish(state));
#define FOLD_STATES FOLD_OWN(0, _1, float, float, int) FOLD_OWN(0, _v, float4, float4, int4) FOLD_TAKES(0, _1, float, int) FOLD_TAKES(0, _v, float4, int4) FOLD_LANE_OWN(0, float) FOLD_LANES_JOINED(0) FOLD_SAME(0, float, int)
typedef float fold0_value_1;
typedef float fold0_made;
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

/* For kernels whose jobs are parts of rows: declares a job's output and part, and where the part ends, in elements of the output. */
#define FOLD_FIND_PART                                                                                                     \
    const long output = job / fold.parts, part = job - output * fold.parts;                                                \
    const long to = min((part + 1) * fold.part, fold.elements);
/* The run of neighbours in which element e of the output lies, of `runs` in an output: sets `last` to the element behind it, and declares
 * the row of the shape, where it ends and j, the position of e in it; `before` elements of the output come before the run. */
#define FOLD_FIND_RUN                                                                                                      \
    const long run = e / shape.columns, before = run * shape.columns;                                                      \
    last = min(before + shape.columns, to);                                                                                \
    const long row = output * runs + run, end = last - before;                                                             \
    long j = e - before;                                                                                                   \
    MAP_ROW(row)

/* How a state takes a leaf or one value more, and how a chain's state is put aside: a family whose functions do more than this has its
 * own. */
#define FOLD_TAKES(K, V, VALUE, INDEX)                                                                                     \
    inline void fold##K##V##_take(fold##K##V *s, const VALUE *x, INDEX at, int step)                                       \
    {                                                                                                                      \
        *s = fold##K##V##_join(*s, fold##K##V##_leaf(x, at, step));                                                        \
    }                                                                                                                      \
    inline void fold##K##V##_next(fold##K##V *second, fold##K##V *first)                                                   \
    {                                                                                                                      \
        *second = fold##K##V##_join(*second, *first);                                                                      \
        *first = fold##K##V##_init();                                                                                      \
    }                                                                                                                      \
    FOLD_MORE(K, V, VALUE, INDEX)
#define FOLD_MORE(K, V, VALUE, INDEX)                                                                                      \
    inline void fold##K##V##_more(fold##K##V *s, VALUE x, INDEX at)                                                        \
    {                                                                                                                      \
        *s = fold##K##V##_join(*s, fold##K##V##_one(x, at));                                                               \
    }

/* A chain of single values: of what a state takes one after the other, in kernels that ask for FOLD_HAS_CHAINS. It is the state itself,
 * but for sums in bins of short values. A tail has `count` values, `step` positions apart, behind which x is 0 up to FOLD_LEAF. */
#define FOLD_SAME(K, VALUE, INDEX)                                                                                         \
    typedef fold##K##_1 fold##K##_c;                                                                                       \
    inline fold##K##_c fold##K##_c_init(void) { return fold##K##_1_init(); }                                               \
    inline void fold##K##_c_take(fold##K##_c *s, const VALUE *x, INDEX at, int step) { fold##K##_1_take(s, x, at, step); } \
    inline void fold##K##_c_more(fold##K##_c *s, VALUE x, INDEX at) { fold##K##_1_more(s, x, at); }                        \
    inline void fold##K##_c_tail(fold##K##_c *s, const VALUE *x, int count, INDEX at, int step)                            \
    {                                                                                                                      \
        for (int i = 0; i < count; i++)                                                                                    \
            fold##K##_1_more(s, x[i], at + i * step);                                                                      \
    }                                                                                                                      \
    inline void fold##K##_c_next(fold##K##_c *second, fold##K##_c *first) { fold##K##_1_next(second, first); }             \
    inline fold##K##_1 fold##K##_c_end(fold##K##_c second, fold##K##_c first) { return fold##K##_1_join(second, first); }

#include "parts/fold_extremes.cl"

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
    }                                                                                                                      \
    FOLD_PAIRED##V(K, ACC)
/* The lanes of a vector joined in pairs, as FOLD_LANES_JOINED does, all pairs at a time. */
#define FOLD_PAIRED_1(K, ACC)
#define FOLD_PAIRED_v(K, ACC)                                                                                              \
    inline ACC fold##K##_v_paired(ACC a)                                                                                   \
    {                                                                                                                      \
        FOLD_UNROLLED for (int lanes = FOLD_WIDTH; lanes > 1; lanes /= 2)                                                  \
            a = fold##K##_v_joined((ACC)(a.even, a.even), (ACC)(a.odd, a.odd));                                            \
        return a;                                                                                                          \
    }
#define FOLD_LANE_ONE(K, ACC)                                                                                              \
    FOLD_LANE_OF(K, ACC)                                                                                                   \
    inline fold##K##_1 fold##K##_lanes(fold##K##_v s) { return fold##K##_1_of(fold##K##_v_paired(s.a).s0); }
#define FOLD_LANE_OF(K, ACC)                                                                                               \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l) { return fold##K##_1_of(((const ACC *)&s->a)[l]); }
/* The lanes of a state joined in pairs. */
#define FOLD_LANES_JOINED(K)                                                                                               \
    inline fold##K##_1 fold##K##_lanes(fold##K##_v s)                                                                      \
    {                                                                                                                      \
        fold##K##_1 lanes[FOLD_WIDTH];                                                                                     \
        for (int l = 0; l < FOLD_WIDTH; l++)                                                                               \
            lanes[l] = fold##K##_lane(&s, l);                                                                              \
        for (int step = 1; step < FOLD_WIDTH; step *= 2)                                                                   \
            for (int l = 0; l + step < FOLD_WIDTH; l += 2 * step)                                                          \
                lanes[l] = fold##K##_1_join(lanes[l], lanes[l + step]);                                                    \
        return lanes[0];                                                                                                   \
    }

/* ---- one value, by an operator of the user's ---------------------------------------------------------------------------- */

/* His text computes with numbers; fold<K>_v_own applies it to each lane. */
#define FOLD_OWN(K, V, VALUE, ACC, INDEX)                                                                                  \
    FOLD_IN_ORDER(K, V, ACC)                                                                                               \
    typedef struct {                                                                                                       \
        ACC a;                                                                                                             \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(ACC a)                                                                               \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.a = a;                                                                                                           \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_of((ACC)(fold##K##_identity)); }                       \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at) { return fold##K##V##_of(x); }                                   \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b) { return fold##K##V##_of(fold##K##V##_own(a.a, b.a)); } \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        return fold##K##V##_of(fold##K##V##_all(x));                                                                       \
    }
#define FOLD_LANE_OWN(K, ACC)                                                                                              \
    FOLD_LANE_OF(K, ACC)                                                                                                  \
    inline fold##K##_1 fold##K##_row(fold##K##_value_v *x) { return fold##K##_1_of(fold##K##_v_row(x)); }

/* The values of a leaf combined in their order. */
#define FOLD_IN_ORDER(K, V, ACC)                                                                                           \
    inline ACC fold##K##V##_all(const ACC *x)                                                                              \
    {                                                                                                                      \
        ACC y[FOLD_LEAF];                                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = x[i];                                                     \
        FOLD_UNROLLED for (int step = 1; step < FOLD_LEAF; step *= 2)                                                      \
            FOLD_UNROLLED for (int i = 0; i + step < FOLD_LEAF; i += 2 * step)                                             \
                y[i] = fold##K##V##_own(y[i], y[i + step]);                                                                \
        return y[0];                                                                                                       \
    }                                                                                                                      \
    FOLD_ROW##V(K, ACC)
/* FOLD_LEAF vectors, one behind the other in memory, combined in the order of their lanes: neighbours, then pairs of them ... */
#define FOLD_ROW_1(K, ACC)
#define FOLD_ROW_v(K, ACC)                                                                                                 \
    inline ACC fold##K##_v_neighbours(ACC a, ACC b)                                                                        \
    {                                                                                                                      \
        return fold##K##_v_own((ACC)(a.even, b.even), (ACC)(a.odd, b.odd));                                                \
    }                                                                                                                      \
    inline fold##K##_value_1 fold##K##_v_row(ACC *x)                                                                       \
    {                                                                                                                      \
        FOLD_UNROLLED for (int step = 1; step < FOLD_LEAF; step *= 2)                                                      \
            FOLD_UNROLLED for (int i = 0; i + step < FOLD_LEAF; i += 2 * step)                                             \
                x[i] = fold##K##_v_neighbours(x[i], x[i + step]);                                                          \
        FOLD_UNROLLED for (int lanes = FOLD_WIDTH; lanes > 1; lanes /= 2) x[0] = fold##K##_v_neighbours(x[0], x[0]);       \
        return x[0].s0;                                                                                                    \
    }

/* The same where combining has no identity: the state says whether it has a value, or one in each lane. */
#define FOLD_FIRST(K, V, VALUE, ACC, INDEX)                                                                                \
    FOLD_IN_ORDER(K, V, ACC)                                                                                               \
    typedef struct {                                                                                                       \
        ACC a;                                                                                                             \
        int any;                                                                                                           \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(ACC a, int any)                                                                      \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.a = a;                                                                                                           \
        s.any = any;                                                                                                       \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_of((ACC)(0), 0); }                                     \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at) { return fold##K##V##_of(x, 1); }                                \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        if (a.any && b.any)                                                                                                \
            return fold##K##V##_of(fold##K##V##_own(a.a, b.a), 1);                                                         \
        return a.any ? a : b;                                                                                              \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        return fold##K##V##_of(fold##K##V##_all(x), 1);                                                                    \
    }
#define FOLD_LANE_FIRST(K, ACC)                                                                                            \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const ACC *)&s->a)[l], s->any);                                                            \
    }                                                                                                                      \
    inline fold##K##_1 fold##K##_row(fold##K##_value_v *x) { return fold##K##_1_of(fold##K##_v_row(x), 1); }

/* ---- a value and its position: where an extreme lies ------------------------------------------------------------------- */

/* The first of the best wins. better(a, b): is a better than b? wins(b, a): is b to be taken in place of a? So NaN win, the first of
 * them, or lose. */
#define FOLD_NAN_WINS(better, b, a) ((better(b, a) | ((b) != (b))) & ((a) == (a)))
#define FOLD_NAN_LOSES(better, b, a) (better(b, a) | (((a) != (a)) & ((b) == (b))))
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
        const INDEX wins = convert_##INDEX(fold##K##_wins(b.a, a.a));                                                      \
        const INDEX ties = convert_##INDEX((a.a == b.a) | ((a.a != a.a) & (b.a != b.a))) & (b.at < a.at);                  \
        const INDEX taken = (wins | ties) != (INDEX)(0);                                                                   \
        return fold##K##V##_of(fold##K##V##_pick(a.a, b.a, taken), taken ? b.at : a.at);                                   \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                          \
    {                                                                                                                      \
        fold##K##V s = fold##K##V##_of(x[0], at);                                                                          \
        FOLD_UNROLLED for (int i = 1; i < FOLD_LEAF; i++) {                                                                \
            const INDEX wins = convert_##INDEX(fold##K##_wins(x[i], s.a));                                                 \
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

#include "parts/fold_moments.cl"

#ifdef FOLD_HAS_NEIGHBOURS
#include "parts/fold_neighbours.cl"
#endif

#ifdef FOLD_HAS_BINS
#include "parts/fold_bins.cl"
#endif

/* ---- states of the kernel's results ------------------------------------------------------------------------------------- */

#define FOLD_NOWHERE (sizeof(FOLD_INDEX) == 4 ? (FOLD_INDEX)0x7fffffff : (FOLD_INDEX)0x7fffffffffffffffL)

FOLD_STATES

/* The elements that an output is made of, for finishing. */
#ifndef FOLD_COUNT
#define FOLD_COUNT fold.elements
#endif

/* What variances take off the count, and what it leaves of a count. */
#ifdef HAS_F64
#define FOLD_DDOF as_double(fold.ddof)
#define FOLD_LEFT(n) fmax((double)(n) - FOLD_DDOF, (double)(0))
#else
#define FOLD_DDOF as_float((int)fold.ddof)
#define FOLD_LEFT(n) fmax((float)(n) - FOLD_DDOF, 0.0f)
#endif

#ifndef FOLD_FUSED /* results stay in the kernel */
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
#endif

/* ---- parts of outputs ---------------------------------------------------------------------------------------------------- */

/* Two chains, the second of which gets a state of the first for every FOLD_CHAIN joins: the error of a sum grows with the square
 * root of their number. */
#define FOLD_CHAINS(K, V) fold##K##V first##K = fold##K##V##_init(), second##K = fold##K##V##_init();
#define FOLD_BEGIN(K, V) fold##K##V start##K = fold##K##V##_init(), first##K, second##K;
#define FOLD_START(K) first##K = second##K = start##K;
#define FOLD_NEXT(K, V) fold##K##V##_next(&second##K, &first##K);

#ifndef FOLD_FUSED
#include "parts/fold_join.cl"
#endif
