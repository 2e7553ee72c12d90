/* Reductions of expressions: what the kernels for all devices share.
 *
 * A reduction has a state, which begins empty (init), takes one value (one) or FOLD_LEAF of them (leaf), is joined
 * with another (join), and gives the result in the end (finish). A kernel makes several results at once, 0, 1 ...:
 * the state of result K is fold<K>_1, for one value, and fold<K>_v, for FOLD_WIDTH values side by side. FOLD_STATES
 * are their types and functions, which the host makes from the templates of parts/fold_states.cl. It defines before
 * this text, too: MAP_ARGUMENTS, the names of MAP_PARAMETERS; FOLD_EACH(DO), which expands DO(K) for each result;
 * FOLD_PARAMETERS, the kernel's parameters behind those of parts/map.cl, results o<K> and partial states t<K>, and
 * FOLD_ARGUMENTS, their names; FOLD_PUT(x, q, r), which stores a vector r of values as the q-th WIDTH of x;
 * FOLD_INDEX, the type of positions, FOLD_INDEX_V, its vector, and FOLD_LANES, that vector with 0, 1 ...;
 * fold<K>_map, _identity, _combine and _better; fold<K>_made, the type of what a state has; and fold<K>_give(output,
 * state), which stores what a state gives: one result, or several that share it.
 *
 * A job begins with the state `start` and ends in another, which may have overflowed. fold<K>_repeat(start, state)
 * changes `start` then, and sets `repeat`, so that the job is done again; fold<K>_again(state, FOR_EACH) does it,
 * value by value: FOR_EACH(K, DO) is the loop. Both are nothing where states do not overflow. fold<K>_united joins
 * states of two jobs, and fold<K>_added those that jobs have left, in a job that can be done again. */
#ifndef FOLD_STATES /* sums of floats, so that each file compiles by itself */
#define WIDTH 4
#define MAP_PARAMETERS , global const float *i0
#define MAP_ARGUMENTS , i0
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
#define FOLD_ARGUMENTS , o0, t0
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
#define FOLD_STATES
typedef struct {
    float a;
} fold0_1, fold0_c;
typedef struct {
    float4 a;
} fold0_v;
fold0_1 fold0_1_init(void), fold0_1_one(float, int), fold0_1_join(fold0_1, fold0_1);
fold0_1 fold0_1_leaf(const float *, int, int);
fold0_1 fold0_c_end(fold0_c, fold0_c), fold0_lane(const fold0_v *, int), fold0_lanes(fold0_v), fold0_row(float4 *);
fold0_v fold0_v_init(void), fold0_v_join(fold0_v, fold0_v);
fold0_c fold0_c_init(void);
void fold0_1_take(fold0_1 *, const float *, int, int);
void fold0_1_more(fold0_1 *, float, int), fold0_1_next(fold0_1 *, fold0_1 *);
void fold0_v_take(fold0_v *, const float4 *, int4, int);
void fold0_v_more(fold0_v *, float4, int4), fold0_v_next(fold0_v *, fold0_v *);
void fold0_c_take(fold0_c *, const float *, int, int);
void fold0_c_more(fold0_c *, float, int), fold0_c_next(fold0_c *, fold0_c *);
void fold0_c_tail(fold0_c *, const float *, int, int, int);
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

/* Which of an output's runs of neighbours has its element e. */
#ifndef FOLD_RUN
#define FOLD_RUN(e) ((e) / shape.columns)
#endif

/* For kernels whose jobs are parts of rows: declares a job's output and part, and where the part ends, in elements
 * of the output. */
#define FOLD_FIND_PART                                                                                                 \
    const long output = fold.parts == 1 ? job : job / fold.parts, part = job - output * fold.parts;                    \
    const long to = min((part + 1) * fold.part, fold.elements);
/* The run of neighbours in which element e of the output lies, of `runs` in an output: sets `last` to the element
 * behind it, and declares the row of the shape, where it ends and j, the position of e in it; `before` elements of
 * the output come before the run. */
#define FOLD_FIND_RUN                                                                                                  \
    const long run = FOLD_RUN(e), before = run * shape.columns;                                                        \
    last = min(before + shape.columns, to);                                                                            \
    const long row = output * runs + run, end = last - before;                                                         \
    long j = e - before;                                                                                               \
    MAP_ROW(row)

/* better(a, b): is a better than b? wins(b, a): is b to be taken in place of a? So NaN win, the first of them, or
 * lose. */
#define FOLD_NAN_WINS(better, b, a) ((better(b, a) | ((b) != (b))) & ((a) == (a)))
#define FOLD_NAN_LOSES(better, b, a) (better(b, a) | (((a) != (a)) & ((b) == (b))))

/* Is any lane of a mask set? In a few instructions, where any() looks at each lane. */
inline int fold_some1(ulong x) { return x != 0; }
inline int fold_some2(ulong2 x) { return (x.x | x.y) != 0; }
inline int fold_some4(ulong4 x) { return fold_some2(x.lo | x.hi); }
inline int fold_some8(ulong8 x) { return fold_some4(x.lo | x.hi); }
inline int fold_some16(ulong16 x) { return fold_some8(x.lo | x.hi); }

#include "parts/fold_moments.cl"

#ifdef FOLD_HAS_BINS
#include "parts/fold_bins.cl"
#endif

/* ---- states of the kernel's results ------------------------------------------------------------------------------ */

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
#define FOLD_GIVE(K, state, output, part)                                                                              \
    if (FOLD_PARTED)                                                                                                   \
        t##K[(output) * fold.parts + (part)] = state;                                                                  \
    else {                                                                                                             \
        fold##K##_give(output, state)                                                                                  \
    }
#endif

/* ---- parts of outputs -------------------------------------------------------------------------------------------- */

/* Two chains, the second of which gets a state of the first for every FOLD_CHAIN joins: the error of a sum grows
 * with the square root of their number. */
#define FOLD_CHAINS(K, V) fold##K##V first##K = fold##K##V##_init(), second##K = fold##K##V##_init();
#define FOLD_BEGIN(K, V) fold##K##V start##K = fold##K##V##_init(), first##K, second##K;
#define FOLD_START(K) first##K = second##K = start##K;
#define FOLD_NEXT(K, V) fold##K##V##_next(&second##K, &first##K);

#ifndef FOLD_FUSED
#include "parts/fold_join.cl"
#endif
