/* A part of lunarray.h: the operations, and the options and variants that hosts list. */
#pragma once

#include "array.h"

/* ---- operations ------------------------------------------------------------------------------------ */

typedef unsigned lun_reduce_op; /* LUN_REDUCE_sum and so on, of api/reductions.h */

/* An operator of the host's user, in OpenCL C. What is combined has the dtype of the expression, in which it is computed. */
typedef struct lun_own_op {
    const char *combine;  /* of a and b; associative; values come in their row-major order */
    const char *identity; /* NULL: there is none, and nothing cannot be reduced */
} lun_own_op;

typedef struct lun_reduction {
    lun_reduce_op op;
    const lun_own_op *own;   /* NULL, or what reduces in place of op: lun_fold alone takes it, of one result */
    bool axis[LUN_MAX_AXES]; /* which axes go */
    /* NULL, or of the one axis that goes the starts of segments, i32 or i64, counted from 1 and one more than segments, as in
     * CSR: the axis then stays, with an element for each segment. What only the device sees of the starts is a verdict. */
    const lun_array *segments;
    const char *name; /* of the operation where there are segments, for failures; a string literal, or NULL */
    /* Both: floats are summed in bins, so that the bits depend on the values alone, and are those of the exact result but for
     * 2 units in the last place. LUN_MISUSE where an op of floats cannot, and on devices without f64. */
    bool accurate, reproducible;
    /* Of lun_fold and its like: results have the dtype of the elements, not that of their sums. Integers wrap in it, floats are
     * rounded to it at the end. LUN_MISUSE where an op neither sums nor multiplies, and where a mean has no such dtype. */
    bool typed;
    double ddof;  /* variances divide by the count less that */
    int64_t base; /* positions count from it: that of the first element */
    /* Of LUN_REDUCE_quantile and LUN_REDUCE_nanquantile: which ones, from 0 to 1; of a list the result has an axis for them, before the others. */
    const double *q;
    size_t q_count;
    bool q_list;
    unsigned q_method; /* its position in the table of op/sort/quantile.c; 0: linear */
} lun_reduction;

/* Does it pick elements by their rank, as medians and quantiles do? These take no segments, and are
 * interpolated between two elements. They have a pass for themselves, and are LUN_MISUSE in lun_fold. */
bool lun_reduce_is_rank(lun_reduce_op op);
lun_status lun_reduce_find(lun_reduce_op *out, const char *name, lun_error *err);
const char *lun_reduce_name(lun_reduce_op op);
/* The dtype and shape of the result; empty extents without an identity are LUN_MISUSE. */
lun_status lun_reduce_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                             const lun_reduction *reduction, bool keepdims, lun_error *err);
/* out: as lun_reduce_result says, with or without the reduced axes. */
lun_status lun_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, const lun_call *call,
                      lun_error *err);
/* Can these ops be one pass over the array? If so, lun_reduce_list makes it: each op has its output. Below some size several
 * passes are preferred where their kernels need not be built for this list alone. */
bool lun_reduce_is_one_pass(const lun_array *in, const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                            const lun_call *call);
lun_status lun_reduce_list(const lun_array *const *outs, const lun_array *in, const lun_reduction *reduction,
                           const lun_reduce_op *ops, size_t count, const lun_call *call, lun_error *err);
/* The results of at most LUN_REDUCE_NUMBERS ops over all axes, waited for in slices: *more says whether to call again.
 * *pending is NULL at first, and while it is not the host owns it: lun_numbers_free if it does not call again. */
#define LUN_REDUCE_NUMBERS 16
typedef struct lun_numbers lun_numbers;
lun_status lun_reduce_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_array *in,
                              const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                              const lun_call *call, lun_error *err);
void lun_numbers_free(lun_numbers *pending); /* NULL is fine */

/* ---- elementwise functions: map.def -----------------------------------------------------------------
 * An expression is a list of nodes, each of which may use those before it. All of it is one kernel: arrays broadcast, are read
 * once, and no array is made in between. */

typedef unsigned lun_map_op; /* LUN_MAP_add and so on, of api/functions.h */

lun_status lun_map_find(lun_map_op *out, const char *name, lun_error *err);
const char *lun_map_name(lun_map_op op);
unsigned lun_map_arity(lun_map_op op); /* 1 to 3 operands */
bool lun_map_is_hosted(lun_map_op op); /* no method: by the rules of one host */
/* Is this number as that operand, from 0 on, better a constant of the kernel than an argument of it? The exponents 2 and -1
 * are: a ^ 2 is a * a. */
bool lun_map_compiles_in(lun_map_op op, unsigned operand, lun_number number);
/* Does the function take a host's truth value in place of an array of bool? */
bool lun_map_takes_truths(lun_map_op op);

typedef enum lun_node_kind {
    LUN_NODE_ARRAY,    /* args[0]: which of the arrays */
    LUN_NODE_NUMBER,   /* args[0]: which of the numbers; it is not a part of the kernel */
    LUN_NODE_CONSTANT, /* a number that is part of the kernel */
    LUN_NODE_CAST, /* args[0] as dtype, as `cast` does; `rounds`: floats to the nearest integer, halves away from 0 */
    LUN_NODE_OP,   /* a function of args */
    LUN_NODE_FOLD  /* args[0] reduced by `fold`, its axes kept: lun_passes alone takes it */
} lun_node_kind;

typedef struct lun_node {
    lun_node_kind kind;
    lun_map_op op;
    lun_reduce_op fold;
    lun_dtype dtype; /* of LUN_NODE_CAST; of LUN_NODE_OP the float that integers become, LUN_bool (0): f32 */
    unsigned args[3];
    lun_number value;
    bool rounds;
    bool number; /* of an array of no axes: its element counts as a number of the host's */
} lun_node;

#define LUN_MAP_ARRAYS 32  /* arrays of an expression */
#define LUN_MAP_RESULTS 16 /* its results */
#define LUN_MAP_NUMBERS 16 /* numbers that an expression takes as arguments */

/* How an expression reads an array at other positions than its own: along each axis of the array position i is the array's position
 * i - before. What passes an end comes in at the other one where the read rolls. Else it reads the array with `before` and `after`
 * more positions, as lun_pad makes them; in modes that repeat the array at most once at each end. Of these positions it keeps those
 * from `first` to `last`, which count from 1, or from the end where they are below 0; 0: from the first, to the last one. */
typedef struct lun_read {
    bool shifted; /* false: the array is read as it is */
    bool rolls;
    lun_pad_mode mode;
    lun_number value;                                  /* of constants */
    int64_t before[LUN_MAX_AXES], after[LUN_MAX_AXES]; /* of what rolls `before` alone, any number */
    int64_t first[LUN_MAX_AXES], last[LUN_MAX_AXES];
} lun_read;

typedef struct lun_expression {
    const char *name; /* of the operation, for events and failures; a string literal */
    const lun_node *nodes;
    size_t node_count;
    const unsigned *results; /* nodes */
    size_t result_count;
    const lun_array *const *arrays; /* at least one */
    size_t array_count;
    const lun_read *reads;     /* NULL, or one of each array; they go with nodes, and not into reductions */
    const lun_number *numbers; /* they take the dtype of the arrays that they meet; a float makes integers f32 */
    size_t number_count;
    /* Instead of nodes: OpenCL C, one text for each result, which calls arrays' elements and numbers by these names. Results,
     * numbers and the texts' literals have `dtype`, LUN_DTYPES: the one that holds all arrays' and numbers'. */
    const char *const *texts; /* NULL: nodes */
    const char *const *array_names, *const *number_names;
    const char *text_name; /* what a compiler's messages call a text; NULL: "expression" */
    lun_dtype dtype;
    lun_dtype floats; /* of texts: what a float number makes from integers; LUN_bool (0): f32 */
} lun_expression;

/* LUN_MISUSE unless the text, which messages call `what`, is one expression, as far as that shows before it is compiled. */
lun_status lun_expression_check(const char *text, const char *what, lun_error *err);
bool lun_expression_is_name(const char *text);               /* of an array or a number in expressions */
bool lun_expression_has(const char *text, const char *name); /* outside of comments */

/* The dtypes and the one shape of the results. Shapes that do not broadcast, results whose nodes have different shapes, and
 * dtypes that a function refuses, are LUN_MISUSE. */
lun_status lun_map_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *expression,
                          lun_error *err);
/* Is LUN_MISUSE where a function of the nodes refuses a dtype, or an integer dtype a number; *node is that node then. */
lun_status lun_map_check(size_t *node, const lun_expression *expression, lun_error *err);
/* One function of arrays and numbers, an expression once all its operands are set, in order. */
typedef struct lun_elementwise {
    lun_node nodes[4];
    const lun_array *arrays[3];
    lun_number numbers[3];
    unsigned result;
    lun_expression expression;
} lun_elementwise;

void lun_elementwise_begin(lun_elementwise *out, lun_map_op op);
void lun_elementwise_array(lun_elementwise *e, unsigned operand, const lun_array *array);
void lun_elementwise_number(lun_elementwise *e, unsigned operand, lun_number number);
/* An output may be exactly one of the inputs, with the same strides, or share no element with any. */
lun_status lun_map(const lun_array *const *outs, const lun_expression *expression, const lun_call *call,
                   lun_error *err);

/* Reductions of expressions: each result of the expression is reduced by its own op over the same axes, in one pass, and no array is
 * made in between. Arrays and results together are at most LUN_FOLD_ARRAYS. The op of `reduction` is not looked at. */
#define LUN_FOLD_ARRAYS 10
/* As lun_reduce_find, of the ops that reduce expressions. */
lun_status lun_fold_find(lun_reduce_op *out, const char *name, lun_error *err);
lun_status lun_fold_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *expression,
                           const lun_reduce_op *ops, const lun_reduction *reduction, bool keepdims, lun_error *err);
/* outs: as lun_fold_result says, with or without the reduced axes; they share no element with an input. */
lun_status lun_fold(const lun_array *const *outs, const lun_expression *expression, const lun_reduce_op *ops,
                    const lun_reduction *reduction, const lun_call *call, lun_error *err);

/* The results over all axes as numbers, waited for in slices, as lun_reduce_numbers does. */
lun_status lun_fold_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_expression *expression,
                            const lun_reduce_op *ops, const lun_reduction *reduction, const lun_call *call,
                            lun_error *err);

/* Expressions with reductions inside them (LUN_NODE_FOLD), all of them as `over` says, whose op is not looked at: as few passes as
 * they need. What is reduced has as many axes as the results. Without such nodes: lun_map_result and lun_map. */
lun_status lun_passes_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *expression,
                             const lun_reduction *over, lun_error *err);
lun_status lun_passes(const lun_array *const *outs, const lun_expression *expression, const lun_reduction *over,
                      const lun_call *call, lun_error *err);

/* ---- transpose and matrix product ------------------------------------------------------------------- */

/* out = in with axis axes[i] of `in` as axis i. Same dtype; no overlap. */
lun_status lun_transpose(const lun_array *out, const lun_array *in, const int *axes, const lun_call *call,
                         lun_error *err);
/* Rearranges a contiguous array in place; its struct then has the new shape. */
lun_status lun_transpose_in_place(lun_array *array, const int *axes, const lun_call *call, lun_error *err);

/* The dtype of the product of arrays of those: the one that holds both, i64 of truth values. */
lun_dtype lun_matmul_dtype(lun_dtype a, lun_dtype b);
/* The shape of a*b: vectors, and leading batch axes that broadcast. Two vectors: ndim 0. */
lun_status lun_matmul_result(int *ndim, size_t *shape, const lun_array *a, const lun_array *b, lun_error *err);
/* out = alpha*a*b + beta*out; beta = 0 never reads out. In the dtype of both; integers wrap and take integral alpha, beta. */
lun_status lun_matmul(const lun_array *out, const lun_array *a, const lun_array *b, lun_number alpha, lun_number beta,
                      const lun_call *call, lun_error *err);
/* The same of conjugated arrays, which cost no copy: the first, the second, or both; real ones are as they are. */
enum { LUN_CONJUGATE_A = 1, LUN_CONJUGATE_B = 2 };
lun_status lun_matmul_conjugated(const lun_array *out, const lun_array *a, const lun_array *b, unsigned conjugated,
                                 lun_number alpha, lun_number beta, const lun_call *call, lun_error *err);

/* ---- Fourier transforms ----------------------------------------------------------------------------- */

#define LUN_FFT_LONGEST ((int64_t)1 << 53)
/* The least length from n on, at most LUN_FFT_LONGEST, whose prime factors are 2, 3, 5 and 7. */
size_t lun_fft_length(size_t n);

/* ---- gravity: positions n x 4 (x, y, z, mass), velocities n x 4 (vx, vy, vz, unused), f32 or f64 --------
 * b x n x 4: b systems that know nothing of each other. Each comes out as it would alone. */

/* What a run of nbody hands on to the next one, so that steps in several runs give the same bits as in one: arrays on the
 * device, which a host saves by name and sets again in another process. */
typedef struct lun_nbody_state lun_nbody_state;
lun_status lun_nbody_state_create(lun_nbody_state **out, lun_error *err); /* before the first run */
void lun_nbody_state_free(lun_nbody_state *state);                        /* NULL is fine */
/* The arrays hold for bodies as they are now: positions, velocities and softenings (NULL: a number). A run that ends does this. */
lun_status lun_nbody_state_bind(lun_nbody_state *state, const lun_array *pos, const lun_array *vel,
                                const lun_array *softenings, lun_error *err);
/* Forgets what does not hold for these bodies, because one of the arrays is another one or was written since. A run begins with
 * this. */
void lun_nbody_state_review(lun_nbody_state *state, const lun_array *pos, const lun_array *vel,
                            const lun_array *softenings);
/* Are these positions those of the last bind, not written since? */
bool lun_nbody_state_knows(const lun_nbody_state *state, const lun_array *pos);
/* The names at positions 0 ..; NULL behind the last. */
const char *lun_nbody_state_name(size_t position);
/* Borrowed, without elements where there is none; whoever sets it keeps the memory. */
const lun_array *lun_nbody_state_array(const lun_nbody_state *state, size_t position);
lun_status lun_nbody_state_set(lun_nbody_state *state, size_t position, const lun_array *array, lun_error *err);

typedef struct lun_gravity_options {
    double softening, G;
    double
        accuracy; /* 0: the direct sum; else 1e-6 to 0.1, above 99 of 100 errors over the sum of all pulls' magnitudes */
    const lun_array *softenings; /* NULL, or of each body, an array of n: the mean of two bodies' squares counts */
    uint64_t active;             /* that many bodies attract, the first ones; 0: all */
    double dt;
    uint64_t steps;
    const char *integrator; /* NULL: "leapfrog" */
    const lun_array *at;    /* of lun_gravity: NULL, or points m x 3 or m x 4 (the fourth column is not read) */
    size_t first, rows;     /* of lun_gravity without points: that many bodies of one system from there on; 0: all */
    /* Of "hermite4" (Aarseth's eta, for example 0.01; not given: all steps are dt) and "ias15" (Rein and Spiegel's epsilon; not
     * given: 1e-9; 0: all steps are dt). They take as many steps as they need, and come to each multiple of dt exactly. */
    bool has_adaptive;
    double adaptive;        /* 0 to 1 */
    lun_nbody_state *state; /* NULL, or what the run takes over and hands on; it outlives the run */
    bool forced;            /* the host accelerates the bodies too: lun_nbody_wants_force */
    double origin;          /* of time, and the steps since then, for the times that it is reported */
    uint64_t before;
    /* Of runs: the devices that share each evaluation of the accelerations of one system, the first of which has the bodies. What
     * they give does not depend on the list, and rounds otherwise than without one. count 0: the bodies' device does all. */
    lun_devices devices;
} lun_gravity_options;

typedef struct lun_nbody lun_nbody; /* a run under way on scratch memory */

/* Starts a run; nothing of pos or vel changes before lun_nbody_finish. */
lun_status lun_nbody_start(lun_nbody **out, const lun_array *pos, const lun_array *vel,
                           const lun_gravity_options *options, const lun_call *call, lun_error *err);
/* Enqueues a bounded number of launches; *more says whether steps are left. Call lun_queue_room between. Of an integrator that
 * chooses its steps it may wait LUN_SLICE for those before; LUN_MISUSE where no step is short enough or numbers are not finite. */
lun_status lun_nbody_advance(bool *more, lun_nbody *run, lun_error *err);
/* Of a forced run, after each lun_nbody_advance: is the force wanted, and for which time? Then the host enqueues what adds
 * accelerations to `more` (n x 4, the fourth column counts for nothing), as they are at these positions and velocities (n x 4,
 * as pos and vel are), before it goes on. */
bool lun_nbody_wants_force(double *time, const lun_nbody *run);
lun_status lun_nbody_outside(lun_array *pos, lun_array *vel, lun_array *more, const lun_nbody *run, lun_error *err);
/* Enqueues the writing of pos and vel. */
lun_status lun_nbody_finish(lun_nbody *run, const lun_call *call, lun_error *err);
void lun_nbody_free(lun_nbody *run); /* at any time; NULL is fine */
/* out as pos: acceleration and potential per unit mass, of each body; or m x 4, of each of the points options->at, where pos is
 * n x 4. A point has no softening of its own: with an array of softenings it meets a body at that body's. */
lun_status lun_gravity(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                       const lun_call *call, lun_error *err);
/* For evaluations that several devices share: of the work that all accelerations are, in `of` shares, a power of 2, `count`, another
 * one, from `first` on, a multiple of it. */
typedef struct lun_shares {
    size_t first, count, of;
} lun_shares;
/* out: n x 3, contiguous. Two such parts that are neighbours and as large, added, have the bits of the one that they are. */
lun_status lun_pull(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                    const lun_shares *shares, const lun_call *call, lun_error *err);
/* out: 2 elements of the same dtype, kinetic and potential energy; of b systems 2 x b. */
lun_status lun_energy(const lun_array *out, const lun_array *pos, const lun_array *vel,
                      const lun_gravity_options *options, const lun_call *call, lun_error *err);

/* ---- data that hosts share: options and variants ------------------------------------------------------ */

typedef enum lun_option_kind {
    LUN_OPTION_BOOLEAN,
    LUN_OPTION_NUMBER,
    LUN_OPTION_INTEGER,
    LUN_OPTION_TEXT,
    LUN_OPTION_ARRAY,
    LUN_OPTION_AXES,
    LUN_OPTION_QUEUE,
    LUN_OPTION_NUMBERS,   /* a number or an array */
    LUN_OPTION_KEYS,      /* a number, a list of numbers or an array */
    LUN_OPTION_SCALAR,    /* what an element may be: a number, complex or not, true or false */
    LUN_OPTION_SCALARS,   /* one of these, or an array */
    LUN_OPTION_POSITIONS, /* an array or a list of whole numbers */
    LUN_OPTION_PLACES,    /* the same, or a list of arrays */
    LUN_OPTION_COUNTS,    /* a number or a list, of whole ones */
    LUN_OPTION_HEADINGS,  /* the same, or names */
    LUN_OPTION_REALS,     /* a number or a list of them */
    LUN_OPTION_COMPLEX,   /* the same of numbers that may be complex */
    LUN_OPTION_NAMES,     /* a string or a list of them */
    LUN_OPTION_ARRAYS,    /* several arrays, or a list of them */
    LUN_OPTION_NAMED,     /* a list whose elements have names */
    LUN_OPTION_OUTS,      /* an array or a list of them, for as many results */
    LUN_OPTION_DATA,      /* elements: a number, a list of any depth, bytes, or an array */
    LUN_OPTION_DEVICE,
    LUN_OPTION_DEVICES, /* a list of them */
    LUN_OPTION_SPARSE,
    LUN_OPTION_MATRIX, /* an array, or a sparse matrix */
    LUN_OPTION_LINEAR, /* one of these, or a function of the host's user */
    LUN_OPTION_HOST,   /* what the host looks at by itself */
    LUN_OPTION_RANGES, /* for each axis a number, a list {from, to, step}, of which some may be missing, or nothing */
    LUN_OPTION_VALUE
} lun_option_kind;

typedef struct lun_option {
    const char *name;
    lun_option_kind kind;
    const char *means,
        *words; /* what it is, with unit and default; of a text the words that it may be, "a|b", or NULL */
} lun_option;

/* Which name is meant by an unknown one, `to`: {.to = name}, then each that there is. Of equally near ones it is the shortest, and
 * of these the first in the alphabet. */
#define LUN_NEAR_ROOM 33
typedef struct lun_near {
    const char *to;
    char nearest[LUN_NEAR_ROOM]; /* "": none is near */
    int edits;
} lun_near;

void lun_near_try(lun_near *near, const char *name);
#ifdef LUN_FAULTS
/* Test builds only: `times` OpenCL calls fail, from the n-th from now (0: none); says how many were made since. */
uint64_t lun_fault_after(uint64_t calls, uint64_t times, int code);
/* Test builds only: the next `operations` that begin wait, on the device, until lun_fault_open lets them start
 * (code 0) or makes them fail (a negative code). */
void lun_fault_close(uint64_t operations);
void lun_fault_open(int code);
/* Test builds only: operations do not look whether what they are to wait for has failed already. */
void lun_fault_blind(bool blind);
#endif
