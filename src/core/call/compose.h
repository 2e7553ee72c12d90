/* Compositions: an operation as one function that calls other operations. When it is bound, the function is called
 * once, with arrays without memory, to find the dtypes and shapes of the results. When it is run, it makes the same
 * arrays, and enqueues the work that fills them. An operation that waits is called again when its numbers are
 * available. With one step:
 *
 *     static lun_status advance(composing *c, lun_error *err)
 *     {
 *         const lun_array *in = c->r->arguments[0].array, *out;
 *         TRY(compose_like(&out, c, in->dtype, in, err));
 *         return CALLED(c, true, lun_roll_flat(out, in, 1, &call, err));
 *     }
 *     COMPOSED(advance)
 *
 * With several steps:
 *
 *     static lun_status ptp(composing *c, lun_error *err)
 *     {
 *         composed x = {0};
 *         ...
 *         TRY(compose_fold(ends, c, &x, ops, &over, err));
 *         x = (composed){0};
 *         x.results[0] = of_op(&x, LUN_MAP_sub, of_array(&x, ends[0]), of_array(&x, ends[1]));
 *         return compose_give_map(c, &x, err);
 *     }
 *     COMPOSED(ptp)
 *
 * The step that writes the result comes last, because its event is that of the whole operation. */
#pragma once

#include "call/request.h"

typedef struct composing {
    lun_request *r;
    lun_array *const *out; /* NULL: nothing is enqueued, and arrays have no memory */
    struct made *next;     /* made by an earlier attempt */
    struct made **end;
    struct kept **kept; /* the next piece of kept memory */
    bool *more;         /* the operation waits, and is called again */
    bool last;        /* is the next step that is a row (call/steps.h) the last one, whose event is the operation's? */
    unsigned step;    /* the next one */
    size_t results;   /* the number of results; 0: 1 */
    unsigned further; /* the number of further results without `out`: at most 3 for one result, 1 for several */
    bool unchecked;   /* given results are checked by the step that writes them */
    bool numbers;     /* is the result a number, unless an array is requested? */
} composing;

/* The data that an operation keeps in the request's state. */
typedef struct compose_state {
    struct made *first;
    struct kept *kept;
    unsigned done; /* the number of completed steps, which an operation skips when it is called again */
} compose_state;

typedef lun_status (*compose_word)(composing *c, lun_error *err);

lun_status compose(bool *more, lun_request *r, compose_word word, lun_array *const *out, lun_error *err);
/* The operation upon arrays whose numbers are cast as LUN_FLOAT_DEFAULT says. */
lun_status compose_floats(composing *c, compose_word word, lun_error *err);

/* Defines <name>_functions of the operation `name`. */
#define COMPOSED(name)                                                                                                 \
    static lun_status bind_##name(lun_request *r, lun_error *err) { return compose(NULL, r, name, NULL, err); }        \
    static lun_status run_##name(bool *more, lun_request *r, lun_array *const *out, lun_error *err)                    \
    {                                                                                                                  \
        return compose(more, r, name, out, err);                                                                       \
    }                                                                                                                  \
    const request_functions name##_functions = {bind_##name, run_##name};

/* ---- expressions ------------------------------------------------------------------------------------------------- */

#define COMPOSED_NODES 64

/* Zeroed at first. The functions below return nodes; `results` are the result_count (0: 1) nodes whose values are
 * needed. */
typedef struct composed {
    lun_node nodes[COMPOSED_NODES];
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number numbers[LUN_MAP_NUMBERS];
    unsigned results[LUN_MAP_RESULTS];
    struct composed_axes *over; /* for reducing nodes, which keep their axes */
    size_t node_count, array_count, number_count, result_count;
} composed;

unsigned of_array(composed *x, const lun_array *array);
unsigned of_number(composed *x, lun_number number); /* it is not a part of the kernel */
unsigned of_real(composed *x, double number);
unsigned of_cast(composed *x, lun_dtype dtype, unsigned a);
unsigned of_op1(composed *x, lun_map_op op, unsigned a);
unsigned of_op(composed *x, lun_map_op op, unsigned a, unsigned b);
unsigned of_op3(composed *x, lun_map_op op, unsigned a, unsigned b, unsigned c);
unsigned of_difference(composed *x, const lun_array *a, const lun_array *b); /* of truth values: whether they differ */
unsigned of_fold(composed *x, lun_reduce_op op, unsigned a);                 /* for compose_give_map */
/* The array in the dtype of statistics: f64, or f32 on a device without f64; complex numbers are not converted. */
unsigned of_wide(composed *x, const lun_array *array);
/* The array in that dtype; real numbers beside complex ones stay real. */
unsigned of_cast_array(composed *x, lun_dtype dtype, const lun_array *array);
/* The value cast to that dtype, or unchanged if it has it. */
unsigned of_given(composed *x, lun_dtype dtype, lun_dtype has, unsigned value);
/* The float dtype of the operation's result, by its row in taken.c, for the dtype that holds all the arrays (some may
 * be NULL). *computed: the dtype of the computation, f64 for integers and f32 for floats of 16 bits. */
lun_dtype compose_float(lun_dtype *computed, const composing *c, const lun_array *const *arrays, size_t count);

/* The whole as an expression of the request's operation. */
lun_expression compose_expression(const lun_request *r, composed *x);

/* ---- waiting ------------------------------------------------------------------------------------------------------

 *     COMPOSE_KEPT(found, c);
 *     if (compose_enters(c))
 *         TRY(request_reduce(c->more, c->r, found, ...));
 *     if (compose_waits(c))
 *         return LUN_OK;
 *
 * When the numbers are available, the operation is called again from its beginning, and skips the completed steps. */

/* Zeroed memory that the operation gets again at each later call, also when it is run after it was bound. */
lun_status compose_kept(void **out, composing *c, size_t bytes, lun_error *err);
#define COMPOSE_KEPT(out, c) TRY(compose_kept((void **)&(out), (c), sizeof *(out), err))
/* Is the next step to be run now? For steps that are not functions of this file. */
bool compose_enters(composing *c);
/* The status of a step that was entered. One that succeeded is not run again, even if memory for the next is refused. */
lun_status compose_ran(composing *c, lun_status status);
/* Must the operation return now, to be called again later? Also true if it is only bound. */
bool compose_waits(composing *c);
/* The number of true elements of a mask, and their counts for lun_mask and the like; compose_waits must follow
 * (mask_words.c). */
lun_status compose_count(const lun_array **counts, size_t *count, composing *c, const lun_array *mask,
                         const lun_call *call, lun_error *err);

/* ---- steps -------------------------------------------------------------------------------------------------------- */

typedef struct composed_axes {
    bool axis[LUN_MAX_AXES]; /* that go */
    bool keepdims;
    const lun_reduction *like; /* the reduction's options besides its axes, or NULL */
} composed_axes;

/* Fills *out for an array of that shape: the axes of the option `axis`, or all, and `keepdims`. Also sets
 * c->numbers. */
lun_status compose_axes(composed_axes *out, composing *c, const lun_array *array, lun_error *err);
/* The number of elements that are reduced to each result. */
size_t compose_extent(const composed_axes *over, const lun_array *array);
/* The option `axis` as one axis, or `missing`, which counts from 0, or from the last axis if negative. */
lun_status compose_axis(int *out, const composing *c, const lun_array *array, int missing, lun_error *err);

/* Arrays of the operation's own. */
lun_status compose_array(lun_array **out, composing *c, lun_dtype dtype, int ndim, const size_t *shape, lun_error *err);
/* An empty array, for a view. */
lun_status compose_view(lun_array **out, composing *c, lun_error *err);
/* A view of the operation's own, and the call that makes it: COMPOSE_VIEW(view, c, lun_array_part(view, in, true, err)). */
#define COMPOSE_VIEW(view, c, make)                                                                                    \
    do {                                                                                                               \
        TRY(compose_view(&(view), (c), err));                                                                          \
        if (!lun_array_is_live(view))                                                                                  \
            TRY(make);                                                                                                 \
    } while (0)
/* `count` positions from one on, by steps, along an axis. */
lun_status compose_slice(const lun_array **out, composing *c, const lun_array *in, int axis, int64_t from, int64_t step,
                         size_t count, lun_error *err);
/* With an additional axis of size 1 at that position. */
lun_status compose_expand(const lun_array **out, composing *c, const lun_array *in, int axis, lun_error *err);
/* In another shape: a view, of a copy if necessary. */
lun_status compose_reshape(const lun_array **out, composing *c, const lun_array *in, int ndim, const size_t *shape,
                           lun_error *err);

/* Result i of the operation, which later calls write. */
lun_status compose_result(const lun_array **out, composing *c, size_t i, lun_dtype dtype, int ndim, const size_t *shape,
                          lun_error *err);

/* The same for a result whose shape is known late: its dtype is set before the operation waits, and its shape after
 * it. */
lun_status compose_late(composing *c, size_t i, lun_dtype dtype, lun_error *err);
lun_status compose_late_result(lun_array **out, composing *c, size_t i, int ndim, const size_t *shape, lun_error *err);
/* LUN_MISUSE if a given result shares elements with an input, or is on another device. */
lun_status compose_check_out(const composing *c, const lun_array *out, const lun_array *in, lun_error *err);
/* A result like an array, to the option `out`; and the request's array as the result, changed in place. */
lun_status compose_like(const lun_array **out, composing *c, lun_dtype dtype, const lun_array *like, lun_error *err);
lun_status compose_in_place(lun_array **out, composing *c, lun_error *err);

/* The dtype of the first value of an expression. */
lun_status compose_dtype(lun_dtype *out, composing *c, composed *x, lun_error *err);
/* The values of an expression, as a new array, ... */
lun_status compose_map(const lun_array **out, composing *c, composed *x, lun_error *err);
/* ... as the operation's result, at last, ... */
lun_status compose_give_map(composing *c, composed *x, lun_error *err);
/* ... or in given arrays, which may be results: `last` says whether it is the last step. */
lun_status compose_into(composing *c, const lun_array *const *to, composed *x, bool last, lun_error *err);
/* Each result of an expression, reduced. */
lun_status compose_fold(const lun_array **outs, composing *c, composed *x, const lun_reduce_op *ops,
                        const composed_axes *over, lun_error *err);
/* One of them, written to the array of a result. */
lun_status compose_fold_into(composing *c, const lun_array *to, composed *x, lun_reduce_op op,
                             const composed_axes *over, bool last, lun_error *err);
lun_status compose_give_fold(composing *c, composed *x, lun_reduce_op op, const composed_axes *over, lun_error *err);
lun_status compose_reduce(const lun_array **out, composing *c, const lun_array *in, lun_reduce_op op,
                          const composed_axes *over, lun_error *err);
/* The elements of an array at positions along an axis, or of the flattened array for LUN_FLATTENED. */
lun_status compose_take(const lun_array **out, composing *c, const lun_array *in, const lun_array *index, int axis,
                        lun_error *err);
/* The position of each element of an array with one axis in the sorted array: i64. */
lun_status compose_argsort(const lun_array **out, composing *c, const lun_array *in, lun_error *err);
/* Copies to an array, cast to its dtype. */
lun_status compose_copy(composing *c, const lun_array *to, const lun_array *in, bool last, lun_error *err);
/* The array in that dtype: itself, or a copy. */
lun_status compose_cast(const lun_array **out, composing *c, lun_dtype dtype, const lun_array *in, lun_error *err);
/* A new array with that many evenly spaced whole numbers. */
lun_status compose_sequence(lun_array **out, composing *c, size_t count, int64_t from, int64_t step, lun_error *err);
lun_status compose_matmul(composing *c, const lun_array *to, const lun_array *a, const lun_array *b, bool last,
                          lun_error *err);
/* The results of a row of operation.def for arrays, with one option that is true, or NULL. Matrices are in core's
 * order, not the host's. It runs at once, and gives only arrays. */
lun_status compose_call(const lun_array **outs, composing *c, const char *operation, const lun_array *const *arrays,
                        size_t count, const char *option, lun_error *err);
/* The value to write, an array or a number. */
static inline lun_values compose_values(const lun_value *value)
{
    return value->kind == LUN_VALUE_ARRAY ? (lun_values){.array = value->array}
                                          : (lun_values){.number = value_scalar(value)};
}
/* The lun_call for an operation without a function here, and whether to call it at all. */
bool compose_calls(lun_call *out, composing *c, bool last);
/* The same as a status, where `enqueue` uses `call`: TRY(CALLED(c, false, lun_array_fill(a, x, &call, err))). */
#define CALLED(c, last, enqueue)                                                                                       \
    ({                                                                                                                 \
        lun_call call;                                                                                                 \
        compose_calls(&call, (c), (last)) ? compose_ran((c), (enqueue)) : LUN_OK;                                      \
    })
