/* Requests as operations see them: their values, read and checked, and the results that they tell. */
#pragma once

#include "base/error.h"
#include "base/manner.h"

/* How a row of operation.def is called. `bind` reads the arguments and options, and says what the results are. `run` writes
 * them, and may be called again and again: `stage`, which is 0 at first, is the row's own. */
typedef struct request_functions {
    lun_status (*bind)(lun_request *r, lun_error *err);
    lun_status (*run)(bool *more, lun_request *r, lun_array *const *out, lun_error *err);
} request_functions;

/* Defines <name>_functions of a row that gives one view: `name` reads the arguments, and makes the view, which nobody waits for. */
#define VIEW(name)                                                                                                     \
    static lun_status run_##name(bool *more, lun_request *r, lun_array *const *out, lun_error *err)                    \
    {                                                                                                                  \
        (void)more;                                                                                                    \
        return name(out[0], r, err);                                                                                   \
    }                                                                                                                  \
    const request_functions name##_functions = {request_bind_view, run_##name};

/* The same of one call, whose names of the view and of the array are `out` and `in`. */
#define VIEW_AS(name, make)                                                                                            \
    static lun_status name(lun_array *out, lun_request *r, lun_error *err)                                             \
    {                                                                                                                  \
        const lun_array *in = r->arguments[0].array;                                                                   \
        return make;                                                                                                   \
    }                                                                                                                  \
    VIEW(name)

/* Those that operation.def names. */
#define OPERATION(owner, name, run, ...) extern const request_functions run##_functions;
#include "call/operation.def"
#undef OPERATION

/* What rows that share functions differ in, as bits of their `number`; rows of one reduction have a lun_reduce_op there. */
enum {
    ROW_INVERSE = 1, /* transforms back */
    ROW_IN_PLACE = 2,
    ROW_HALVED = 4,      /* of real numbers half of what is symmetric */
    ROW_TURNED = 8,      /* conjugated, or the other way round */
    ROW_SEVERAL = 16,    /* along several axes */
    ROW_SINE = 32,       /* of sines, not of cosines */
    ROW_SQUARED = 64,    /* gives squares of magnitudes */
    ROW_VALUES = 128,    /* gives eigenvalues alone */
    ROW_LOGARITHM = 256, /* gives a sign and a logarithm */
    ROW_JOINED = 512,    /* the values of both arrays */
    ROW_COMMON = 1024,   /* those that both have */
    ROW_APART = 2048,    /* those of the first alone */
    ROW_JUDGED = 4096    /* a singular matrix is an error */
};
static inline bool request_is(const lun_request *r, int what) { return (r->operation->number & what) == what; }

/* Zeroed memory that lives as long as the request, and the same as the state of a row's own. Where there is none, the function that
 * asks returns LUN_NO_MEMORY: nobody sees NULL. */
#define REQUEST_MEMORY(r, bytes)                                                                                       \
    ({                                                                                                                 \
        void *const memory_ = lun_request_memory((r), (bytes));                                                        \
        if (!memory_)                                                                                                  \
            FAIL(LUN_NO_MEMORY, "out of memory");                                                                      \
        memory_;                                                                                                       \
    })
#define REQUEST_STATE(r, type) ((type *)((r)->state = REQUEST_MEMORY((r), sizeof(type))))
/* An array of the request's own, which is empty, for a view. */
lun_status request_own(lun_array **out, lun_request *r, lun_error *err);
/* An array of the request's own, with memory. *out is NULL, or what an attempt before this one has made. */
lun_status request_array(lun_array **out, lun_request *r, lun_dtype dtype, int ndim, const size_t *shape,
                         lun_error *err);
/* Lets go of something when the request is cleared. `what` lives as long as the request. */
lun_status request_hold(lun_request *r, void *what, void (*drop)(void *what), lun_error *err);
/* The call without its event and its variant, for what is enqueued on the way. */
lun_call request_quiet(const lun_request *r);
/* The same with the variant. */
lun_call request_unnoticed(const lun_request *r);

/* ---- options: NULL, false or `missing` where they are not given --------------------------------------------------------- */

const lun_value *request_option(const lun_request *r, const char *name);
bool request_truth(const lun_request *r, const char *name);
bool request_reproducible(const lun_request *r); /* the option, or the host's default */
const char *request_text(const lun_request *r, const char *name);
/* Which of the names, of which NULL is the last, an option has; *out stays where it is not given. LUN_MISUSE calls it `what`. */
lun_status request_named(int *out, const lun_request *r, const char *option, const char *what, const char *const *names,
                         lun_error *err);
lun_status value_named(int *out, const char *name, const char *what, const char *const *names, lun_error *err);
lun_array *request_array_option(const lun_request *r, const char *name);
bool value_is_scalar(const lun_value *value);
lun_number value_scalar(const lun_value *value); /* of a number, complex or not, or a truth value */
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
/* A value, or a number, as messages show it; into `text`, of SHOWN bytes. */
const char *value_shown(char *text, const lun_request *r, const lun_value *value);
const char *kind_shown(const lun_request *r, const lun_value *value);             /* what it is called: "a number" */
const char *text_shown(char *text, const lun_request *r, const lun_value *value); /* the string "f64" */
/* That many elements, as they are written: 1, 2.5. */
const char *list_shown(char *text, const lun_request *r, const lun_list *list, size_t count);
const char *number_shown(char *text, lun_number number);
/* Where an argument is, for messages: "argument 1". */
const char *request_place(char *text, const lun_request *r, unsigned argument);
/* The same for a value that is at that position behind the owner. */
const char *request_position(char *text, const lun_request *r, unsigned position);
/* LUN_MISUSE: "argument 1: <wanted> is needed, got ...". */
lun_status request_refuse(const lun_request *r, unsigned argument, const char *wanted, lun_error *err);
bool number_whole(int64_t *out, lun_number number);
bool number_is_below(lun_number a, lun_number b); /* by value */
/* How many values a list has, or that it is not a list: 1; and each of them. */
size_t value_count(const lun_value *value);
const lun_value *value_item(const lun_value *value, size_t i);
/* A number as whole one: LUN_MISUSE with the argument's place. */
lun_status request_integer(int64_t *out, const lun_request *r, unsigned argument, lun_error *err);
/* The same, of at least so much. */
lun_status request_integer_from(int64_t *out, const lun_request *r, unsigned argument, int64_t least, lun_error *err);
/* A list, or one number, of whole numbers of at least so much, one for each axis, which messages call "size 1" ...; at most LUN_MAX_AXES. */
lun_status value_counts(int *count, size_t *out, const lun_request *r, const lun_value *value, const char *what,
                        unsigned least, lun_error *err);
lun_status value_whole_from(size_t *out, const lun_request *r, const lun_value *value, const char *what,
                            size_t position, unsigned least, lun_error *err);
/* The sizes of a new array, as makers take them. */
lun_status request_shape(int *ndim, size_t *shape, const lun_request *r, unsigned argument, lun_error *err);
/* An axis of an array of that shape, counted from 0; without a shape one of a result with that many axes. */
lun_status value_axis(int *out, const lun_request *r, const lun_value *value, int ndim, const size_t *shape,
                      lun_error *err);
/* A list of axes, or one. `more`: they are axes of what has these axes in addition. */
lun_status value_axes(int *count, int *out, const lun_request *r, const lun_value *value, int ndim, const size_t *shape,
                      bool more, lun_error *err);
lun_status value_dtype(lun_dtype *out, const lun_value *value, lun_error *err);
/* The argument `dtype`; NULL: the operation takes none. The second puts the dtype that it names, if one is given. */
const lun_value *request_dtype_argument(const lun_request *r);
lun_status request_dtype(lun_dtype *out, const lun_request *r, lun_error *err);

/* ---- results --------------------------------------------------------------------------------------------------------------- */

/* Makes room for that many, and for one more, which an operation may add to result_count; they are of zeroed memory. */
lun_status request_results(lun_request *r, size_t count, lun_error *err);
/* That many views, and nothing else. */
void request_views(lun_request *r, size_t count);
lun_status request_bind_view(lun_request *r, lun_error *err); /* of VIEW */
/* One result of that dtype and shape, to the option `out` where that is given. */
lun_status request_result(lun_request *r, lun_dtype dtype, int ndim, const size_t *shape, lun_error *err);
/* That many results, to the option `out`, an array or a list of them, where that is given. */
lun_status request_outs(lun_request *r, size_t count, lun_error *err);
/* The host gives that many numbers of result i, unless it is given. */
void request_tell_numbers(lun_request *r, size_t i, int count);
/* Says result i. */
void request_tell(lun_request *r, size_t i, lun_dtype dtype, int ndim, const size_t *shape);
/* One result, which is the array itself, changed in place. */
lun_status request_in_place(lun_request *r, lun_error *err);
/* lun_array_copy in slices: between devices of which one takes no gates it waits for what the copy is to follow. */
/* Waits a slice for the array; *more: it cannot be read yet. */
lun_status request_await(bool *more, const lun_array *array, lun_error *err);
lun_status request_copy(bool *more, const lun_request *r, const lun_array *out, const lun_array *in, lun_error *err);
/* Makes it, unless it is there. */
lun_status request_make(lun_request *r, size_t i, lun_array *out, lun_error *err);
/* Of a result whose shape is known only when some of it has run: its dtype, and then its shape, with which it is made. */
void request_tell_late(lun_request *r, size_t i, lun_dtype dtype);
lun_status request_make_late(lun_request *r, size_t i, lun_array *out, int ndim, const size_t *shape, lun_error *err);

/* What a random stream is made of. */
#define RANDOM_STATE "a seed (a whole number) or a state (a list of 4 whole numbers, or an i64 array of them)"

/* ---- what several rooms need ------------------------------------------------------------------------------------------- */

/* Reduces all of an array by each op, positions counted as the host counts; waits, a slice at each call (reduce_calls.c). */
lun_status request_reduce(bool *more, lun_request *r, lun_number *out, const lun_array *array, const lun_reduce_op *ops,
                          size_t count, lun_error *err);

/* Marks the axes that a reduction takes away: those of the option `axis`, or all, or with segments the last. Are numbers left, since no
 * axis is and nobody needs an array? */
lun_status request_reduced(bool *numbers, bool *reduced, const lun_request *r, int ndim, const size_t *shape,
                           lun_error *err);
