/* A part of lunarray.h: operations as data, and one way to call any of them.
 *
 *     lun_request r;                                          in the host's memory, which must survive errors
 *     lun_request_init(&r, lun_operation_find(LUN_OF_ARRAY, "sort"), NULL);
 *     r.arguments[0] = ...;                                   the array itself, then the row's arguments
 *     lun_request_option(&r, "descending", &value, &err);     one by one
 *     lun_request_bind(&r, &err);                             checks all; r.results describes the results
 *     for (lun_request_attempt(&t, &r); host_goes_on(&t);)
 *         t.status = lun_request_run(&t.more, &r, out, &t.err);
 *     lun_request_clear(&r);
 *
 * A host converts its values and objects in both directions. Core checks them and words the errors in the host's
 * manner. */
#pragma once

#include "array.h"
#include "manner.h"
#include "operation.h"
#include "random.h"
#include "trace.h"

/* ---- values -------------------------------------------------------------------------------------------------------- */

typedef struct lun_list {
    struct lun_value *items; /* from lun_request_list; not set for LUN_OPTION_DATA, whose shape is in lun_request's
                              * `data` */
    size_t count;
    const char *const *names; /* of the elements; or NULL */
    const char *odd;          /* what the host's list has besides its elements, "the key 0; ...", or NULL */
    bool spread;              /* they were given as several arguments */
} lun_list;

/* A sparse matrix in rows: where each row starts and the last one ends, the columns of its entries, ascending, and
 * their values. The host owns the arrays; if one is NULL, the matrix was released. */
typedef struct lun_sparse {
    lun_array *starts, *columns, *values;
    size_t rows, width;
    struct lun_levels *levels[2]; /* core's own, of the lower and the upper triangle, or NULL: lun_sparse_forget */
} lun_sparse;

/* Frees what core has computed about the matrix; called at the matrix's end. */
void lun_sparse_forget(lun_sparse *matrix);

/* Why a matrix is no longer usable, "the matrix was released"; NULL if it is usable. */
const char *lun_sparse_lost(const lun_sparse *matrix);
/* LUN_MISUSE where there is no matrix of that many rows and columns. */
lun_status lun_sparse_check(size_t rows, size_t width, lun_error *err);
/* For tests: matrices of that many rows, columns or entries get starts and columns in i64, and levels of that many rows
 * get their own launches; 0: the default. */
void lun_sparse_try(size_t narrow, size_t wide);

typedef struct lun_value {
    lun_value_kind kind;
    const char *hint; /* for LUN_VALUE_OTHER and sparse matrices: a hint where an array is needed, or NULL */
    size_t length;    /* of a text, in bytes, where LUN_OPTION_DATA is needed */
    union {
        bool truth;
        lun_number number;
        const char *text; /* for LUN_VALUE_OTHER: its name in messages, "a function" */
        lun_array *array; /* may have been released */
        lun_queue *queue; /* NULL: it was released */
        lun_device *device;
        lun_sparse *sparse;
        lun_list list;
        size_t function; /* the host's own number for it */
    };
} lun_value;

/* ---- rows of operation.def ------------------------------------------------------------------------------------------- */

typedef enum lun_owner {
    LUN_OF_NOTHING, /* options of operations that are not methods */
    LUN_OF_ARRAY,   /* argument 0 is an array */
    LUN_OF_DEVICE,
    LUN_OF_MODULE,
    LUN_OF_SPARSE, /* argument 0 is a sparse matrix */
    LUN_OF_STREAM, /* of random numbers */
    LUN_OF_TRACE,  /* what a traced function computes */
    LUN_OWNERS
} lun_owner;

typedef struct lun_operand {
    const char *name; /* also the name of an option: the value may be in either place */
    lun_option_kind kind;
    const char *wanted; /* for messages, if the kind's own name does not fit */
    const char *means;  /* for people, or NULL */
    bool optional;
    bool spread;         /* a list may be given as several arguments */
    bool shares;         /* a list's table may also have the options */
    bool last;           /* an axis: if it is missing, the last one is meant */
    bool named;          /* the host passes a table that has only names as a list with names */
    const char *instead; /* or calls the operation of that name without an owner */
} lun_operand;

/* The float dtype of results that are always floats: a float array's own, or that of means, which is f32 for floats of
 * 16 bits; for integers both are f64 (f32 on devices without f64). LUN_FLOAT_DEFAULT: the operation computes with f32,
 * f64 and complex numbers alone, so that its arrays of integers and truth values are first cast to the default dtype,
 * and floats of 16 bits to f32. */
typedef enum lun_float { LUN_FLOAT_BY_NO_RULE, LUN_FLOAT_EACH, LUN_FLOAT_MEAN, LUN_FLOAT_DEFAULT } lun_float;

typedef struct lun_operation {
    const char *name;
    lun_owner owner;
    const lun_operand *arguments;          /* after the owner; ended by a NULL name */
    const lun_option *options;             /* the same */
    const char *says;                      /* its description, in sentences */
    const char *kind;                      /* "reduction", "function" (elementwise), "draw", or NULL */
    const char *returns;                   /* the results, "array values; array positions"; NULL: an array */
    const char *matlab;                    /* the call in MATLAB, "": none; NULL: by its own name */
    const char *example, *promise, *tried; /* a call, its results, and how the specs try it; or NULL */
    const char *takes; /* letters for the kinds of dtypes that its array may have (operation.def), or NULL */
    lun_float gives;
    bool in_place; /* its result has its array's shape: hosts may also offer it in place */
    const void *variants, *functions;
    int number; /* for rows from other tables: lun_reduce_op, lun_distribution */
} lun_operation;

#define LUN_POSITIONS_PARTS 3
/* Which positions of an axis: one position; or from, to and step, each of which may be missing. */
typedef struct lun_positions {
    bool picks, given[LUN_POSITIONS_PARTS];
    int64_t part[LUN_POSITIONS_PARTS]; /* the first is the selected position */
} lun_positions;
/* Makes a view whose arguments are only whole numbers and ranges, at most LUN_MAX_AXES, without a request; false: there
 * is an error, which a request will report. */
typedef bool (*lun_view)(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                         const lun_manner *manner);
/* That function of an operation with such arguments; NULL: it has none. */
lun_view lun_operation_view(const lun_operation *operation);
/* An axis of an array of that shape, counted from 0; without a shape one of a result with that many axes. */
lun_status lun_axis(int *out, int64_t axis, int ndim, const size_t *shape, const lun_manner *manner, lun_error *err);
/* Slices that select an element: one position for each axis, as that manner counts. */
lun_status lun_element_slices(lun_slice *out, const lun_array *array, const int64_t *positions, int count,
                              const lun_manner *manner, lun_error *err);

const lun_operation *lun_operation_at(size_t position); /* NULL after the last */
const lun_operation *lun_operation_find(lun_owner owner, const char *name);
/* The option of that name, or NULL. */
const lun_option *lun_operation_option(const lun_operation *operation, const char *name);
/* Is it an elementwise function of its arguments (the array among them), and which? */
bool lun_operation_is_elementwise(lun_map_op *op, const lun_operation *operation);
/* Does lun_request_run run it? Other operations have C functions. */
bool lun_operation_is_called(const lun_operation *operation);
/* May its array have that dtype? Other conditions on the arguments are checked by a call. */
bool lun_operation_takes(const lun_operation *operation, lun_device *device, lun_dtype dtype);
/* What its example promises: by the row itself, or by its row in reduce.def or map.def. */
const char *lun_operation_promise(const lun_operation *operation);
/* The names of its variants that this device can run for some problem, ended by NULL; borrowed, at most `room`-1 of
 * them. False if the operation has no variants. */
bool lun_operation_variants(const char **names, size_t room, const lun_operation *operation, const lun_device *device);
/* The variant at that position, and the type of device that it is meant for: "cpu", "gpu", "any". NULL after the
 * last. */
const char *lun_operation_variant(const char **meant_for, const lun_operation *operation, size_t position);
const char *lun_option_kind_name(lun_option_kind kind); /* its description: "a whole number" */
/* Does the kind of a row's operand accept a value of that kind? */
bool lun_option_kind_takes(lun_option_kind kind, lun_value_kind value);

/* ---- requests ---------------------------------------------------------------------------------------------------------- */

typedef enum lun_form { LUN_FORM_ARRAY, LUN_FORM_LIST, LUN_FORM_BYTES, LUN_FORM_STREAM } lun_form;

typedef struct lun_result {
    int numbers; /* 0: an array; else the host gives the 1 or 2 elements of the array as numbers */
    lun_form
        form; /* not an array: all elements as a nested list or as bytes, which the host makes from `data`; or a random
               * stream */
    lun_array *given;  /* an array that exists: from the option `out`, or changed in place */
    lun_array *behind; /* core's own: the memory of numbers that the host gets at once */
    bool late;         /* core's own: the shape is known only after a part of the operation has run */
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
} lun_result;

/* Elements in host memory, row-major. */
typedef struct lun_elements {
    void *memory;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
} lun_elements;

/* A call of a user's function, LUN_WISH_CALL, which core never makes itself. For cg, bicgstab and gmres: A(from, to),
 * M(from, to) both arrays have b's shape and the dtype of the result, and `from` must not change. The host enqueues a
 * write of the product to `to` and gives `to`, or gives another array of that shape and dtype
 *     callback(step, residual)   `to` is NULL, and there is no result
 * Then it clears `wish` and calls lun_request_run again. The result may be of any kind; core reports a wrong one as
 * LUN_MISUSE. If the function fails, the host clears the request, which frees all memory of the solver. */
typedef struct lun_ask {
    const lun_value *function;
    const lun_array *from, *to;
    int64_t step;
    double residual;
    lun_value given; /* set by the host as an argument is, also for `to` itself, */
    bool lost;       /* and whether the function has released an argument */
} lun_ask;

/* The report of an iterative solver. */
typedef struct lun_report {
    bool converged;
    int64_t steps;
    double residual;
    const double *history; /* the residual after each step; lives as long as the request */
    size_t count;
} lun_report;

/* Columns of texts, beside the numbers of a text that was read. */
typedef struct lun_texts {
    const char *bytes; /* row by row, each text ended by a zero byte */
    size_t rows, count;
    const char *const *names; /* of the columns; "": it has none */
} lun_texts;

typedef enum lun_wish {
    LUN_WISH_NOTHING,
    LUN_WISH_CALL,    /* what `ask` says */
    LUN_WISH_SEED,    /* in `seed` */
    LUN_WISH_ELEMENTS /* of the list of LUN_OPTION_DATA, in data.memory, with the dtype and shape of `data` */
} lun_wish;

#define LUN_ARGUMENTS 6
#define LUN_OPTIONS 20
#define LUN_FEW_RESULTS 4

typedef struct lun_request {
    const lun_operation *operation;
    const lun_manner *manner;
    lun_device *device; /* set by the host for an operation that is not an array's */
    lun_graph *trace;   /* set for an operation of a trace, and while a function is traced */
    lun_rng *stream;    /* set for an operation of a stream; it advances when all is enqueued */
    lun_value arguments[LUN_ARGUMENTS + 1], options[LUN_OPTIONS];
    lun_value surplus;   /* the first argument beyond those of the row, */
    unsigned surplus_at; /* its number after the owner, the largest number allowed, */
    unsigned surplus_behind;
    bool surplus_options; /* and whether it is in the place of the options */
    bool told;            /* is there a table of options, even an empty one? */
    uint32_t given;       /* bits: which of the row's options are given */
    lun_dtype floats; /* the dtype of results for which none is given: f32, unless the host sets another before it reads
                 * arguments */
    bool reproducible; /* the value of that option if it is not given; set by the host */
    /* ---- what lun_request_bind finds */
    lun_result *results;
    size_t result_count;
    bool sparse;              /* the results are the arrays of a sparse matrix: */
    lun_sparse matrix;        /* the rest of the matrix, which the host takes over */
    bool views;               /* the results are views: they have no row in `results`, and nothing is enqueued */
    bool async;               /* the option: the host sets call.event then */
    const lun_report *report; /* of an iterative solver, when it has ended */
    const char **names;       /* the names of the columns of a text file, or NULL: a further result */
    size_t name_count;
    bool has_texts; /* one more result: */
    lun_texts texts;
    lun_ask ask;
    lun_wish wish; /* after a run without failure: a call that the host makes; then it clears this and runs on */
    uint64_t seed;
    size_t staging_bytes; /* staging memory of the next run: for the host's lun_attempt */
    lun_staging *staging; /* for a result with a form and an event: memory that the host takes over and releases */
    lun_call call;
    /* ---- set by lun_request_run */
    lun_number numbers[LUN_REDUCE_NUMBERS]; /* results that are numbers without an array, in order */
    lun_rng made;                           /* a random stream */
    lun_elements data; /* a result with a form and no event: in memory that the host has set before */
    size_t number_count;
    /* ---- core's own */
    int stage; /* the stage of the operation; 0: it has not begun */
    bool begun;
    bool traced;          /* it is recorded in the trace: the results are traced arrays */
    bool numeric, direct; /* are there numbers among the results? does the operation read them itself? */
    size_t reading, received, used;
    void *state, *chunks, *owned, *held;
    lun_numbers *pending;
    lun_result few[LUN_FEW_RESULTS];
    uint64_t room[128];
} lun_request;

void lun_request_init(lun_request *out, const lun_operation *operation, const lun_manner *manner); /* NULL: C's */
/* The dtype of an array of such numbers if none is given: the request's float dtype, the complex dtype of it, or
 * bool. */
lun_dtype lun_request_dtype(const lun_request *request, lun_number number);
/* Allocates that many values, which live as long as the request; NULL: out of memory. */
lun_value *lun_request_list(lun_request *request, size_t count);
/* Memory that lives as long, for texts and other data. */
void *lun_request_memory(lun_request *request, size_t bytes);
/* LUN_MISUSE for a name that the row does not have, or a value of another kind. */
lun_status lun_request_option(lun_request *request, const char *name, const lun_value *value, lun_error *err);
/* The number of positions along the axis that the request names, or in its whole array; before it is bound. */
size_t lun_request_extent(const lun_request *request);
lun_status lun_request_bind(lun_request *request, lun_error *err);
/* The option of that name, or `missing` if it is not given: for rows that the host runs. */
bool lun_request_truth(const lun_request *request, const char *name, bool missing);
void lun_request_attempt(lun_attempt *out, const lun_request *request);
/* out: for each result an array, empty or the one that is `given`; NULL for numbers that the host gets at once. Creates
 * the empty ones, and enqueues. Arguments released in the meantime are LUN_MISUSE. */
lun_status lun_request_run(bool *more, lun_request *request, lun_array *const *out, lun_error *err);
/* The options of a bound request of `simulation`, which the host runs (lun_nbody_start). */
const lun_gravity_options *lun_simulation_options(const lun_request *request);
void lun_request_clear(lun_request *request); /* takes zeroed memory, and may be called twice */
