/* A part of lunarray.h: the operations, and the options and variants that hosts list. */
#ifndef LUN_API_OPERATION_H
#define LUN_API_OPERATION_H

#include "array.h"

/* ---- operations ------------------------------------------------------------------------------------ */

typedef enum lun_reduce_op {
#define REDUCE(name, ...) LUN_REDUCE_##name,
#define FOLD(name, ...) LUN_REDUCE_##name,
#include "../op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
    LUN_REDUCE_OPS
} lun_reduce_op;

typedef struct lun_reduction {
    lun_reduce_op op;
    bool axis[LUN_MAX_AXES]; /* which axes go */
    bool accurate;           /* float sums carry a compensation */
    int64_t ddof;            /* variances divide by the count less that */
    int64_t base;            /* positions count from it: that of the first element */
} lun_reduction;

/* Is the result a truth value, 0 or 1? */
bool lun_reduce_is_truth(lun_reduce_op op);
lun_status lun_reduce_find(lun_reduce_op *out, const char *name, lun_error *err);
const char *lun_reduce_name(lun_reduce_op op);
/* The dtype and shape of the result; empty extents without an identity are LUN_MISUSE. */
lun_status lun_reduce_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                             const lun_reduction *reduction, bool keepdims, lun_error *err);
/* out: as lun_reduce_result says, with or without the reduced axes. */
lun_status lun_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, const lun_call *call,
                      lun_error *err);
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

typedef enum lun_map_op {
#define MAP(name, ...) LUN_MAP_##name,
#include "../op/map/map.def"
#undef MAP
    LUN_MAP_OPS
} lun_map_op;

lun_status lun_map_find(lun_map_op *out, const char *name, lun_error *err);
const char *lun_map_name(lun_map_op op);
unsigned lun_map_arity(lun_map_op op); /* 1 to 3 operands */

typedef enum lun_node_kind {
    LUN_NODE_ARRAY,    /* args[0]: which of the arrays */
    LUN_NODE_NUMBER,   /* args[0]: which of the numbers; it is no part of the kernel */
    LUN_NODE_CONSTANT, /* a number that is part of the kernel */
    LUN_NODE_CAST,     /* args[0] as dtype, as `cast` does */
    LUN_NODE_OP        /* a function of args */
} lun_node_kind;

typedef struct lun_node {
    lun_node_kind kind;
    lun_map_op op;
    lun_dtype dtype;
    unsigned args[3];
    lun_number value;
} lun_node;

#define LUN_MAP_ARRAYS 12  /* arrays and results of an expression, together */
#define LUN_MAP_NUMBERS 16 /* numbers that an expression takes as arguments */

typedef struct lun_expression {
    const char *name; /* of the operation, for events and failures; a string literal */
    const lun_node *nodes;
    size_t node_count;
    const unsigned *results; /* nodes */
    size_t result_count;
    const lun_array *const *arrays; /* at least one */
    size_t array_count;
    const lun_number *numbers; /* they take the dtype of the arrays that they meet; a float makes integers f32 */
    size_t number_count;
    /* Instead of nodes: OpenCL C, one text for each result, which calls arrays' elements and numbers by these names. Results,
     * numbers and the texts' literals have `dtype`, LUN_DTYPES: the one that holds all arrays' and numbers'. */
    const char *const *texts; /* NULL: nodes */
    const char *const *array_names, *const *number_names;
    lun_dtype dtype;
} lun_expression;

/* The dtypes and the one shape of the results. Shapes that do not broadcast, results whose nodes have different shapes, and
 * dtypes that a function refuses, are LUN_MISUSE. */
lun_status lun_map_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *expression,
                          lun_error *err);
/* An output may be exactly one of the inputs, with the same strides, or share no element with any. */
lun_status lun_map(const lun_array *const *outs, const lun_expression *expression, const lun_call *call,
                   lun_error *err);

/* Reductions of expressions: each result of the expression is reduced by its own op over the same axes, in one pass, and no array is
 * made in between. Arrays and results together are at most LUN_FOLD_ARRAYS. The op of `reduction` is not looked at; `accurate` is
 * LUN_MISUSE. */
#define LUN_FOLD_ARRAYS 10
lun_status lun_fold_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *expression,
                           const lun_reduce_op *ops, const lun_reduction *reduction, bool keepdims, lun_error *err);
/* outs: as lun_fold_result says, with or without the reduced axes; they share no element with an input. */
lun_status lun_fold(const lun_array *const *outs, const lun_expression *expression, const lun_reduce_op *ops,
                    const lun_reduction *reduction, const lun_call *call, lun_error *err);

/* ---- transpose and matrix product ------------------------------------------------------------------- */

/* out = in with axis axes[i] of `in` as axis i. Same dtype; no overlap. */
lun_status lun_transpose(const lun_array *out, const lun_array *in, const int *axes, const lun_call *call,
                         lun_error *err);
/* Rearranges a contiguous array in place; its struct then has the new shape. */
lun_status lun_transpose_in_place(lun_array *array, const int *axes, const lun_call *call, lun_error *err);

/* The shape of a*b: vectors, and leading batch axes that broadcast. Two vectors: ndim 0. */
lun_status lun_matmul_result(int *ndim, size_t *shape, const lun_array *a, const lun_array *b, lun_error *err);
/* out = alpha*a*b + beta*out; beta = 0 never reads out. One dtype; integers wrap and take integral alpha, beta. */
lun_status lun_matmul(const lun_array *out, const lun_array *a, const lun_array *b, lun_number alpha, lun_number beta,
                      const lun_call *call, lun_error *err);

/* ---- gravity: positions n x 4 (x, y, z, mass), velocities n x 4 (vx, vy, vz, unused), f32 or f64 -------- */

typedef struct lun_gravity_options {
    double softening, G;
    const lun_array *softenings; /* NULL, or of each body, an array of n: the squares of two bodies' are added */
    uint64_t active;             /* so many bodies attract, the first ones; 0: all */
    double dt;
    uint64_t steps;
    const char *integrator; /* NULL: "leapfrog" */
} lun_gravity_options;

typedef struct lun_nbody lun_nbody; /* a run under way on scratch memory */

/* Starts a run; nothing of pos or vel changes before lun_nbody_finish. */
lun_status lun_nbody_start(lun_nbody **out, const lun_array *pos, const lun_array *vel,
                           const lun_gravity_options *options, const lun_call *call, lun_error *err);
/* Enqueues a bounded number of launches; *more says whether steps are left. Call lun_queue_room between. */
lun_status lun_nbody_advance(bool *more, lun_nbody *run, lun_error *err);
/* Enqueues the writing of pos and vel. */
lun_status lun_nbody_finish(lun_nbody *run, const lun_call *call, lun_error *err);
void lun_nbody_free(lun_nbody *run); /* at any time; NULL is fine */
/* out n x 4: acceleration and potential per unit mass. */
lun_status lun_gravity(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                       const lun_call *call, lun_error *err);
/* out: 2 elements of the same dtype, kinetic and potential energy. */
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
    LUN_OPTION_NUMBERS, /* a number or an array */
    LUN_OPTION_VALUE
} lun_option_kind;

typedef struct lun_option {
    const char *name;
    lun_option_kind kind;
} lun_option;

/* The options of a method ("reduce", "zeros" ...), ended by a NULL name; NULL for a method it does not know. */
const lun_option *lun_method_options(const char *method);
/* The names of the operations that have variants, in order, ended by NULL. */
const char *const *lun_operations(void);
/* The names of an operation's variants that this device can run on some problem, ended by NULL; borrowed,
 * at most `room`-1 of them. False for an operation that has none. */
bool lun_operation_variants(const char **names, size_t room, const char *operation, const lun_device *device);

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

#endif
