/* A part of lunarray.h: the operations, and the options and variants that hosts list. */
#pragma once

#include "array.h"

/* ---- operations ------------------------------------------------------------------------------------ */

typedef unsigned lun_reduce_op; /* LUN_REDUCE_sum and so on, of api/reductions.h */

/* A user's operator, in OpenCL C. Values are combined in the dtype of the expression. */
typedef struct lun_own_op {
    const char *combine;  /* of a and b; associative; values keep their row-major order */
    const char *identity; /* NULL: none; reducing no elements is then an error */
} lun_own_op;

typedef struct lun_reduction {
    lun_reduce_op op;
    const lun_own_op *own;   /* NULL, or an operator that replaces op: only for lun_fold, with one result */
    bool axis[LUN_MAX_AXES]; /* the reduced axes */
    /* NULL, or the starts of segments of the one reduced axis, i32 or i64, from 1 and one more than the segments, as in
     * CSR: the axis is kept, with an element for each segment. Errors that only the device sees in the starts are
     * verdicts. */
    const lun_array *segments;
    const char *name; /* the operation's name for failures, with segments; a string literal, or NULL */
    /* Both sum floats in bins, so that the bits depend only on the values, and are within 2 units in the last place of
     * the exact result. LUN_MISUSE for ops of floats that cannot do this, and on devices without f64. */
    bool accurate, reproducible;
    /* For lun_fold and the like: results have the dtype of the elements, not that of their sums. Integers wrap; floats
     * are rounded at the end. LUN_MISUSE for an op that neither sums nor multiplies, and if a mean cannot have that
     * dtype. */
    bool typed;
    double ddof;  /* variances divide by the count minus this */
    int64_t base; /* the position of the first element, from which positions count */
    /* For LUN_REDUCE_quantile and LUN_REDUCE_nanquantile: which quantiles, from 0 to 1; for a list the result has
     * another first axis. */
    const double *q;
    size_t q_count;
    bool q_list;
    unsigned q_method; /* its position in the table of op/sort/quantile.c; 0: linear */
} lun_reduction;

/* Does it select elements by rank, as medians and quantiles do? These take no segments, interpolate between two
 * elements, need a pass of their own, and are LUN_MISUSE in lun_fold. */
bool lun_reduce_is_rank(lun_reduce_op op);
lun_status lun_reduce_find(lun_reduce_op *out, const char *name, lun_error *err);
const char *lun_reduce_name(lun_reduce_op op);
/* The dtype and shape of the result; an empty extent is LUN_MISUSE if the op has no identity. */
lun_status lun_reduce_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                             const lun_reduction *reduction, bool keepdims, lun_error *err);
/* out is as lun_reduce_result describes it, with or without the reduced axes. */
lun_status lun_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, const lun_call *call,
                      lun_error *err);
/* Can these ops run in one pass over the array? If so, lun_reduce_list does it, with an output for each op. For small
 * arrays several passes are preferred if their kernels need not be built for this list. */
bool lun_reduce_is_one_pass(const lun_array *in, const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                            const lun_call *call);
lun_status lun_reduce_list(const lun_array *const *outs, const lun_array *in, const lun_reduction *reduction,
                           const lun_reduce_op *ops, size_t count, const lun_call *call, lun_error *err);
/* The results of at most LUN_REDUCE_NUMBERS ops over all axes. It waits in slices: *more says whether to call again.
 * *pending is NULL at first; while it is not NULL the host owns it, and calls lun_numbers_free if it does not call
 * again. */
#define LUN_REDUCE_NUMBERS 16
typedef struct lun_numbers lun_numbers;
lun_status lun_reduce_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_array *in,
                              const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                              const lun_call *call, lun_error *err);
void lun_numbers_free(lun_numbers *pending); /* NULL is fine */

/* ---- elementwise functions: map.def -----------------------------------------------------------------
 * An expression is a list of nodes, each of which may use those before it. It is one kernel: arrays broadcast and are
 * read once, and there are no intermediate arrays. */

typedef unsigned lun_map_op; /* LUN_MAP_add and so on, of api/functions.h */

lun_status lun_map_find(lun_map_op *out, const char *name, lun_error *err);
const char *lun_map_name(lun_map_op op);
unsigned lun_map_arity(lun_map_op op); /* 1 to 3 operands */
bool lun_map_is_hosted(lun_map_op op); /* not a method: follows the rules of one host */
/* Should this number, as that operand (from 0), be a constant of the kernel rather than an argument? The exponents 2
 * and -1 should: a ^ 2 becomes a * a. */
bool lun_map_compiles_in(lun_map_op op, unsigned operand, lun_number number);
/* Does the function accept a host's truth value for an array of bool? */
bool lun_map_takes_truths(lun_map_op op);

typedef enum lun_node_kind {
    LUN_NODE_ARRAY,    /* args[0]: which of the arrays */
    LUN_NODE_NUMBER,   /* args[0]: which of the numbers; an argument of the kernel */
    LUN_NODE_CONSTANT, /* a number that is a constant of the kernel */
    LUN_NODE_CAST, /* args[0] as dtype, as `cast` does; `rounds`: floats to the nearest integer, halves away from 0 */
    LUN_NODE_OP,   /* a function of args */
    LUN_NODE_FOLD  /* args[0] reduced by `fold`, with its axes kept: only for lun_passes */
} lun_node_kind;

typedef struct lun_node {
    lun_node_kind kind;
    lun_map_op op;
    lun_reduce_op fold;
    lun_dtype dtype; /* for LUN_NODE_CAST; for LUN_NODE_OP the float dtype that integers become, LUN_bool (0): f32 */
    unsigned args[3];
    lun_number value;
    bool rounds;
    bool number; /* for an array without axes: its element counts as a host's number */
} lun_node;

#define LUN_MAP_ARRAYS 32  /* arrays of an expression, at most */
#define LUN_MAP_RESULTS 16 /* its results */
#define LUN_MAP_NUMBERS 16 /* numbers that an expression takes as arguments */

/* How an expression reads an array at shifted positions: along each axis, position i of the read is the array's
 * position i - before. If the read rolls, positions beyond one end continue at the other. Otherwise the array is padded
 * with `before` and `after` positions, as by lun_pad; modes that repeat the array do so at most once at each end. Of
 * these positions it keeps those from `first` to `last`, which count from 1, or from the end if negative; 0 means the
 * first or the last position. */
typedef struct lun_read {
    bool shifted; /* false: the array is read as it is */
    bool rolls;
    lun_pad_mode mode;
    lun_number value;                                  /* of constants */
    int64_t before[LUN_MAX_AXES], after[LUN_MAX_AXES]; /* for reads that roll only `before`, which may be any number */
    int64_t first[LUN_MAX_AXES], last[LUN_MAX_AXES];
} lun_read;

typedef struct lun_expression {
    const char *name; /* the operation's name, for events and failures; a string literal */
    const lun_node *nodes;
    size_t node_count;
    const unsigned *results; /* nodes */
    size_t result_count;
    const lun_array *const *arrays; /* at least one */
    size_t array_count;
    const lun_read *reads;     /* NULL, or one for each array; only with nodes, and not in reductions */
    const lun_number *numbers; /* they take the dtype of the arrays that they are combined with; a float changes
                                * integers to f32 */
    size_t number_count;
    /* Instead of nodes: OpenCL C, one text for each result, in which array elements and numbers have these names.
     * Results, numbers and the texts' literals have `dtype`; LUN_DTYPES: the one that holds those of all arrays and
     * numbers. */
    const char *const *texts; /* NULL: nodes */
    const char *const *array_names, *const *number_names;
    const char *text_name; /* the name of a text in compiler messages; NULL: "expression" */
    lun_dtype dtype;
    lun_dtype floats; /* for texts: the dtype to which a float number changes integers; LUN_bool (0): f32 */
} lun_expression;

/* LUN_MISUSE unless the text, called `what` in messages, is one expression, as far as this can be checked without
 * compiling it. */
lun_status lun_expression_check(const char *text, const char *what, lun_error *err);
bool lun_expression_is_name(const char *text);               /* of an array or a number in expressions */
bool lun_expression_has(const char *text, const char *name); /* outside of comments */

/* The dtypes and the common shape of the results. Shapes that do not broadcast, results of different shapes, and dtypes
 * that a function does not support are LUN_MISUSE. */
lun_status lun_map_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *expression,
                          lun_error *err);
/* LUN_MISUSE if a node's function does not support a dtype, or an integer dtype cannot hold a number; *node is then
 * that node. */
lun_status lun_map_check(size_t *node, const lun_expression *expression, lun_error *err);
/* One function of arrays and numbers; it becomes an expression when all its operands are set, in order. */
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

/* Reductions of expressions: each result of the expression is reduced by its own op over the same axes, in one pass and
 * without intermediate arrays. Arrays and results together are at most LUN_FOLD_ARRAYS. The op of `reduction` is
 * ignored. */
#define LUN_FOLD_ARRAYS 10
/* As lun_reduce_find, for the ops that reduce expressions. */
lun_status lun_fold_find(lun_reduce_op *out, const char *name, lun_error *err);
lun_status lun_fold_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *expression,
                           const lun_reduce_op *ops, const lun_reduction *reduction, bool keepdims, lun_error *err);
/* outs are as lun_fold_result describes them, with or without the reduced axes; they share no element with an input. */
lun_status lun_fold(const lun_array *const *outs, const lun_expression *expression, const lun_reduce_op *ops,
                    const lun_reduction *reduction, const lun_call *call, lun_error *err);

/* The results over all axes as numbers, waited for in slices, as lun_reduce_numbers does. */
lun_status lun_fold_numbers(bool *more, lun_number *out, lun_numbers **pending, const lun_expression *expression,
                            const lun_reduce_op *ops, const lun_reduction *reduction, const lun_call *call,
                            lun_error *err);

/* Expressions that contain reductions (LUN_NODE_FOLD), all with the axes and options of `over`, whose op is ignored: in
 * as few passes as possible. Reduced operands have as many axes as the results. Without such nodes: lun_map_result and
 * lun_map. */
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

/* The dtype of the product of arrays of these dtypes: the one that holds both, i64 for truth values. */
lun_dtype lun_matmul_dtype(lun_dtype a, lun_dtype b);
/* The shape of a*b, for matrices and vectors with leading batch axes that broadcast. Two vectors give ndim 0. */
lun_status lun_matmul_result(int *ndim, size_t *shape, const lun_array *a, const lun_array *b, lun_error *err);
/* out = alpha*a*b + beta*out; with beta = 0 out is not read. Computed in the dtype of both; integers wrap, and need
 * integral alpha and beta. */
lun_status lun_matmul(const lun_array *out, const lun_array *a, const lun_array *b, lun_number alpha, lun_number beta,
                      const lun_call *call, lun_error *err);
/* The same with the first, the second or both arrays conjugated, without a copy; real arrays are not changed. */
enum { LUN_CONJUGATE_A = 1, LUN_CONJUGATE_B = 2 };
lun_status lun_matmul_conjugated(const lun_array *out, const lun_array *a, const lun_array *b, unsigned conjugated,
                                 lun_number alpha, lun_number beta, const lun_call *call, lun_error *err);

/* ---- Fourier transforms ----------------------------------------------------------------------------- */

#define LUN_FFT_LONGEST ((int64_t)1 << 53)
/* The smallest length of at least n, at most LUN_FFT_LONGEST, whose prime factors are 2, 3, 5 and 7. */
size_t lun_fft_length(size_t n);

/* ---- gravity: positions n x 4 (x, y, z, mass), velocities n x 4 (vx, vy, vz, unused), f32 or f64 --------
 * b x n x 4: b independent systems. Each gives the result that it would give alone. */

/* The state that one run of nbody passes to the next, so that several runs give the same bits as one: arrays on the
 * device, which a host can save by name and set again in another process. */
typedef struct lun_nbody_state lun_nbody_state;
lun_status lun_nbody_state_create(lun_nbody_state **out, lun_error *err); /* before the first run */
void lun_nbody_state_free(lun_nbody_state *state);                        /* NULL is fine */
/* Marks the arrays as valid for the bodies' present positions, velocities and softenings (NULL: a number). Called at
 * the end of a run. */
lun_status lun_nbody_state_bind(lun_nbody_state *state, const lun_array *pos, const lun_array *vel,
                                const lun_array *softenings, lun_error *err);
/* Drops what is no longer valid for these bodies, because one of the arrays is a different one or was written since.
 * Called at the beginning of a run. */
void lun_nbody_state_review(lun_nbody_state *state, const lun_array *pos, const lun_array *vel,
                            const lun_array *softenings);
/* Are these positions those of the last bind, not written since? */
bool lun_nbody_state_knows(const lun_nbody_state *state, const lun_array *pos);
/* The names at positions 0 ..; NULL after the last. */
const char *lun_nbody_state_name(size_t position);
/* Borrowed; without elements if there is none. Setting keeps a reference to the memory. */
const lun_array *lun_nbody_state_array(const lun_nbody_state *state, size_t position);
lun_status lun_nbody_state_set(lun_nbody_state *state, size_t position, const lun_array *array, lun_error *err);

typedef struct lun_gravity_options {
    double softening, G;
    double accuracy; /* 0: the direct sum; else 1e-6 to 0.1: a bound for 99 % of the errors, relative to the sum of the
                   * magnitudes of all pulls */
    const lun_array *softenings; /* NULL, or an array of n, one for each body: two bodies use the mean of their
                                  * squares */
    uint64_t active;             /* the number of bodies that attract, from the first; 0: all */
    double dt;
    uint64_t steps;
    const char *integrator; /* NULL: "leapfrog" */
    const lun_array *at;    /* for lun_gravity: NULL, or points m x 3 or m x 4 (the fourth column is not read) */
    size_t first, rows;     /* for lun_gravity without points: the number of bodies of one system, from `first`; 0:
                             * all */
    /* For "hermite4" (Aarseth's eta, for example 0.01; if not given, all steps are dt) and "ias15" (Rein and Spiegel's
     * epsilon; if not given, 1e-9; with 0 all steps are dt). They choose the number of steps, and reach each multiple
     * of dt exactly. */
    bool has_adaptive;
    double adaptive;        /* 0 to 1 */
    lun_nbody_state *state; /* NULL, or the state that the run continues and updates; it must outlive the run */
    bool forced;            /* the host accelerates the bodies too: lun_nbody_wants_force */
    double origin;          /* the origin of time, and the steps since then, from which times are computed */
    uint64_t before;
    /* For runs: the devices that share each evaluation of the accelerations of one system; the bodies are on the first.
     * The results do not depend on the list, but are rounded differently than without a list. count 0: the bodies'
     * device does all work. */
    lun_devices devices;
} lun_gravity_options;

typedef struct lun_nbody lun_nbody; /* a run in progress, on scratch memory */

/* Starts a run; pos and vel do not change before lun_nbody_finish. */
lun_status lun_nbody_start(lun_nbody **out, const lun_array *pos, const lun_array *vel,
                           const lun_gravity_options *options, const lun_call *call, lun_error *err);
/* Enqueues a bounded number of launches; *more says whether steps are left. Call lun_queue_room in between. An
 * integrator that chooses its steps may wait LUN_SLICE for earlier steps; it returns LUN_MISUSE if no step is short
 * enough or numbers are not finite. */
lun_status lun_nbody_advance(bool *more, lun_nbody *run, lun_error *err);
/* For a run with a force, after each lun_nbody_advance: is the force needed, and at which time? If so, the host
 * enqueues work that adds the accelerations at these positions and velocities (n x 4, as pos and vel) to `more` (n x 4,
 * the fourth column is ignored) before it continues. */
bool lun_nbody_wants_force(double *time, const lun_nbody *run);
lun_status lun_nbody_outside(lun_array *pos, lun_array *vel, lun_array *more, const lun_nbody *run, lun_error *err);
/* Enqueues the writing of pos and vel. */
lun_status lun_nbody_finish(lun_nbody *run, const lun_call *call, lun_error *err);
void lun_nbody_free(lun_nbody *run); /* at any time; NULL is fine */
/* out, in the shape of pos: acceleration and potential per unit mass of each body; or, for pos n x 4, m x 4 with those
 * at each of the points options->at. A point has no softening of its own: with an array of softenings that of the body
 * is used. */
lun_status lun_gravity(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                       const lun_call *call, lun_error *err);
/* For evaluations that several devices share: the work of all accelerations is divided into `of` shares, a power of 2.
 * This computes `count` shares, also a power of 2, from `first` on, a multiple of `count`. */
typedef struct lun_shares {
    size_t first, count, of;
} lun_shares;
/* out is n x 3, contiguous. The sum of two adjacent parts of equal size has the same bits as their union computed as
 * one part. */
lun_status lun_pull(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                    const lun_shares *shares, const lun_call *call, lun_error *err);
/* out: 2 elements of the same dtype, the kinetic and the potential energy; for b systems 2 x b. */
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
    LUN_OPTION_SCALAR,    /* any element: a number, complex or not, true or false */
    LUN_OPTION_SCALARS,   /* one of these, or an array */
    LUN_OPTION_POSITIONS, /* an array or a list of whole numbers */
    LUN_OPTION_PLACES,    /* the same, or a list of arrays */
    LUN_OPTION_COUNTS,    /* a whole number or a list of them */
    LUN_OPTION_HEADINGS,  /* the same, or names */
    LUN_OPTION_REALS,     /* a number or a list of them */
    LUN_OPTION_COMPLEX,   /* the same for numbers that may be complex */
    LUN_OPTION_NAMES,     /* a string or a list of them */
    LUN_OPTION_ARRAYS,    /* several arrays, or a list of them */
    LUN_OPTION_NAMED,     /* a list whose elements have names */
    LUN_OPTION_OUTS,      /* an array, or a list with one for each result */
    LUN_OPTION_DATA,      /* elements: a number, a list of any depth, bytes, or an array */
    LUN_OPTION_DEVICE,
    LUN_OPTION_DEVICES, /* a list of them */
    LUN_OPTION_SPARSE,
    LUN_OPTION_MATRIX, /* an array, or a sparse matrix */
    LUN_OPTION_LINEAR, /* one of these, or a user's function */
    LUN_OPTION_HOST,   /* a value that the host checks itself */
    LUN_OPTION_RANGES, /* for each axis a number, a list {from, to, step}, each of which may be missing, or nothing */
    LUN_OPTION_VALUE
} lun_option_kind;

typedef struct lun_option {
    const char *name;
    lun_option_kind kind;
    const char *means,
        *words; /* its description, with unit and default; for a text its possible values, "a|b", or NULL */
} lun_option;

/* Finds the known name that is nearest to an unknown one, `to`: begin with {.to = name}, then pass each known name. Of
 * equally near names it is the shortest, and of these the first in alphabetical order. */
#define LUN_NEAR_ROOM 33
typedef struct lun_near {
    const char *to;
    char nearest[LUN_NEAR_ROOM]; /* "": none is near */
    int edits;
} lun_near;

void lun_near_try(lun_near *near, const char *name);
#ifdef LUN_FAULTS
/* Test builds only: makes `times` OpenCL calls fail, from the n-th from now (0: none); returns the number of calls
 * since the last use. */
uint64_t lun_fault_after(uint64_t calls, uint64_t times, int code);
/* Test builds only: the next `operations` that begin wait, on the device, until lun_fault_open lets them start
 * (code 0) or makes them fail (a negative code). */
void lun_fault_close(uint64_t operations);
void lun_fault_open(int code);
/* Test builds only: operations do not check whether what they wait for has failed already. */
void lun_fault_blind(bool blind);
#endif
