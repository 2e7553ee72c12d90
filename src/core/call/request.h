/* Requests for operations: reading and checking values, and setting results. */
#pragma once

#include "base/error.h"
#include "base/manner.h"

/* How a row of operation.def is called. `bind` reads the arguments and options, and describes the results. `run` writes
 * them, and may be called repeatedly: `stage`, initially 0, belongs to the row. */
typedef struct request_functions {
    lun_status (*bind)(lun_request *r, lun_error *err);
    lun_status (*run)(bool *more, lun_request *r, lun_array *const *out, lun_error *err);
} request_functions;

/* Defines <name>_functions of a row that gives one view: `name` reads the arguments, and makes the view, without
 * waiting. */
#define VIEW(name)                                                                                                     \
    static lun_status run_##name(bool *more, lun_request *r, lun_array *const *out, lun_error *err)                    \
    {                                                                                                                  \
        (void)more;                                                                                                    \
        return name(out[0], r, err);                                                                                   \
    }                                                                                                                  \
    const request_functions name##_functions = {request_bind_view, run_##name};

/* The same for a single call, in which the view is `out` and the array `in`. */
#define VIEW_AS(name, make)                                                                                            \
    static lun_status name(lun_array *out, lun_request *r, lun_error *err)                                             \
    {                                                                                                                  \
        const lun_array *in = r->arguments[0].array;                                                                   \
        return make;                                                                                                   \
    }                                                                                                                  \
    VIEW(name)

/* The functions that operation.def names. */
#define OPERATION(owner, name, run, ...) extern const request_functions run##_functions;
#include "call/operation.def"
#undef OPERATION

/* The differences between rows that share functions, as bits of their `number`; rows of one reduction have a
 * lun_reduce_op there. */
enum {
    ROW_INVERSE = 1, /* the inverse transform */
    ROW_IN_PLACE = 2,
    ROW_HALVED = 4,      /* half of a symmetric transform, of real numbers */
    ROW_TURNED = 8,      /* conjugated, or in the opposite direction */
    ROW_SEVERAL = 16,    /* along several axes */
    ROW_SINE = 32,       /* sines instead of cosines */
    ROW_SQUARED = 64,    /* gives squares of magnitudes */
    ROW_VALUES = 128,    /* gives only eigenvalues */
    ROW_LOGARITHM = 256, /* gives a sign and a logarithm */
    ROW_JOINED = 512,    /* the values of both arrays */
    ROW_COMMON = 1024,   /* the values in both */
    ROW_APART = 2048,    /* the values only in the first */
    ROW_JUDGED = 4096    /* a singular matrix is an error */
};
static inline bool request_is(const lun_request *r, int what) { return (r->operation->number & what) == what; }

/* Zeroed memory that lives as long as the request; the second macro uses it as the row's state. If there is none, the
 * calling function returns LUN_NO_MEMORY, so the result is never NULL. */
#define REQUEST_MEMORY(r, bytes)                                                                                       \
    ({                                                                                                                 \
        void *const memory_ = lun_request_memory((r), (bytes));                                                        \
        if (!memory_)                                                                                                  \
            FAIL(LUN_NO_MEMORY, "out of memory");                                                                      \
        memory_;                                                                                                       \
    })
#define REQUEST_STATE(r, type) ((type *)((r)->state = REQUEST_MEMORY((r), sizeof(type))))
/* An empty array owned by the request, for a view. */
lun_status request_own(lun_array **out, lun_request *r, lun_error *err);
/* An array owned by the request, with memory. *out is NULL, or the array of an earlier attempt. */
lun_status request_array(lun_array **out, lun_request *r, lun_dtype dtype, int ndim, const size_t *shape,
                         lun_error *err);
/* Registers a function that frees `what` when the request is cleared. */
lun_status request_hold(lun_request *r, void *what, void (*drop)(void *what), lun_error *err);
/* The call without its event and its variant, for intermediate work. */
lun_call request_quiet(const lun_request *r);
/* The same with the variant. */
lun_call request_unnoticed(const lun_request *r);

/* ---- options: NULL, false or `missing` where they are not given --------------------------------------------------------- */

const lun_value *request_option(const lun_request *r, const char *name);
bool request_truth(const lun_request *r, const char *name);
bool request_reproducible(const lun_request *r); /* the option, or the host's default */
const char *request_text(const lun_request *r, const char *name);
/* The position of an option's value among the names, which NULL ends; *out is unchanged if it is not given. Messages
 * call it `what`. */
lun_status request_named(int *out, const lun_request *r, const char *option, const char *what, const char *const *names,
                         lun_error *err);
lun_status value_named(int *out, const char *name, const char *what, const char *const *names, lun_error *err);
lun_array *request_array_option(const lun_request *r, const char *name);
bool value_is_scalar(const lun_value *value);
lun_number value_scalar(const lun_value *value); /* for a number, complex or not, or a truth value */
lun_number request_number(const lun_request *r, const char *name, lun_number missing);
int64_t request_whole(const lun_request *r, const char *name, int64_t missing);

/* ---- checks, in the host's manner (refusals.c) ------------------------------------------------------------------------------ */

bool option_fits(lun_option_kind kind, const lun_value *value);
lun_status request_check_argument(lun_request *r, unsigned i, const lun_operand *row, lun_error *err);
lun_status request_refuse_option(const lun_request *r, const char *name, lun_error *err);
lun_status request_refuse_value(const lun_request *r, const lun_option *row, const lun_value *value, lun_error *err);
lun_status request_refuse_twice(const lun_request *r, unsigned i, const lun_operand *row, const lun_value *option,
                                lun_error *err);
lun_status request_refuse_surplus(const lun_request *r, lun_error *err);

/* ---- values ---------------------------------------------------------------------------------------------------------------- */

#define SHOWN 128
/* A value, or a number, as messages show it, in `text` of SHOWN bytes. */
const char *value_shown(char *text, const lun_request *r, const lun_value *value);
const char *kind_shown(const lun_request *r, const lun_value *value);             /* what it is called: "a number" */
const char *text_shown(char *text, const lun_request *r, const lun_value *value); /* the string "f64" */
/* That many elements, as they are written in messages: 1, 2.5. */
const char *list_shown(char *text, const lun_request *r, const lun_list *list, size_t count);
const char *number_shown(char *text, lun_number number);
/* The place of an argument, for messages: "argument 1". */
const char *request_place(char *text, const lun_request *r, unsigned argument);
/* The same for a value at that position after the owner. */
const char *request_position(char *text, const lun_request *r, unsigned position);
/* LUN_MISUSE: "argument 1: <wanted> is needed, got ...". */
lun_status request_refuse(const lun_request *r, unsigned argument, const char *wanted, lun_error *err);
bool number_whole(int64_t *out, lun_number number);
bool number_is_below(lun_number a, lun_number b); /* by value */
/* The number of values of a list, or 1 for a single value; and each of them. */
size_t value_count(const lun_value *value);
const lun_value *value_item(const lun_value *value, size_t i);
/* A number as a whole number; otherwise LUN_MISUSE with the argument's place. */
lun_status request_integer(int64_t *out, const lun_request *r, unsigned argument, lun_error *err);
/* The same, with a lower bound. */
lun_status request_integer_from(int64_t *out, const lun_request *r, unsigned argument, int64_t least, lun_error *err);
/* A list of whole numbers, or one number, with a lower bound, one for each axis, called "size 1" ... in messages; at
 * most LUN_MAX_AXES. */
lun_status value_counts(int *count, size_t *out, const lun_request *r, const lun_value *value, const char *what,
                        unsigned least, lun_error *err);
lun_status value_whole_from(size_t *out, const lun_request *r, const lun_value *value, const char *what,
                            size_t position, unsigned least, lun_error *err);
/* The sizes of a new array. */
lun_status request_shape(int *ndim, size_t *shape, const lun_request *r, unsigned argument, lun_error *err);
/* An axis of an array of that shape, counted from 0; without a shape one of a result with that many axes. */
lun_status value_axis(int *out, const lun_request *r, const lun_value *value, int ndim, const size_t *shape,
                      lun_error *err);
/* A list of axes, or one axis. `more`: they are axes of a result that has these axes in addition. */
lun_status value_axes(int *count, int *out, const lun_request *r, const lun_value *value, int ndim, const size_t *shape,
                      bool more, lun_error *err);
lun_status value_dtype(lun_dtype *out, const lun_value *value, lun_error *err);
/* The argument `dtype`; NULL: the operation takes none. The second function sets the dtype that it names, if one is
 * given. */
const lun_value *request_dtype_argument(const lun_request *r);
lun_status request_dtype(lun_dtype *out, const lun_request *r, lun_error *err);

/* ---- results --------------------------------------------------------------------------------------------------------------- */

/* Makes room for that many results, zeroed, and for one more, which an operation may add to result_count. */
lun_status request_results(lun_request *r, size_t count, lun_error *err);
/* The request has only that many views as results. */
void request_views(lun_request *r, size_t count);
lun_status request_bind_view(lun_request *r, lun_error *err); /* of VIEW */
/* One result of that dtype and shape, to the option `out` where that is given. */
lun_status request_result(lun_request *r, lun_dtype dtype, int ndim, const size_t *shape, lun_error *err);
/* That many results, to the option `out`, an array or a list of them, where that is given. */
lun_status request_outs(lun_request *r, size_t count, lun_error *err);
/* Result i is that many numbers for the host, unless an array is given for it. */
void request_tell_numbers(lun_request *r, size_t i, int count);
/* Sets result i. */
void request_tell(lun_request *r, size_t i, lun_dtype dtype, int ndim, const size_t *shape);
/* One result, which is the array itself, changed in place. */
lun_status request_in_place(lun_request *r, lun_error *err);
/* lun_array_copy in slices: between devices, if one does not support gates, it waits for the operations before the
 * copy. */
/* Waits a slice for the array; *more: it cannot be read yet. */
lun_status request_await(bool *more, const lun_array *array, lun_error *err);
lun_status request_copy(bool *more, const lun_request *r, const lun_array *out, const lun_array *in, lun_error *err);
/* Makes it, unless it exists. */
lun_status request_make(lun_request *r, size_t i, lun_array *out, lun_error *err);
/* For a result whose shape is known only after a part of the operation has run: sets its dtype, and later its shape,
 * and makes it. */
void request_tell_late(lun_request *r, size_t i, lun_dtype dtype);
lun_status request_make_late(lun_request *r, size_t i, lun_array *out, int ndim, const size_t *shape, lun_error *err);

/* The values from which a random stream can be made. */
#define RANDOM_STATE "a seed (a whole number) or a state (a list of 4 whole numbers, or an i64 array of them)"

/* ---- shared by several rooms
 * ------------------------------------------------------------------------------------------- */

/* Reduces a whole array by each op, with positions as the host counts; waits, a slice at each call (reduce_calls.c). */
lun_status request_reduce(bool *more, lun_request *r, lun_number *out, const lun_array *array, const lun_reduce_op *ops,
                          size_t count, lun_error *err);

/* Marks the reduced axes: those of the option `axis`, or all, or with segments the last. Returns whether the results
 * are numbers: no axis remains, and no array is requested. */
lun_status request_reduced(bool *numbers, bool *reduced, const lun_request *r, int ndim, const size_t *shape,
                           lun_error *err);
