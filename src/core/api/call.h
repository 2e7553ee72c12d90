/* A part of lunarray.h: operations as data, and one way to call any of them.
 *
 *     lun_request r;                                          memory of the host's own, which an error must not lose
 *     lun_request_init(&r, lun_operation_find(LUN_OF_ARRAY, "sort"), NULL);
 *     r.arguments[0] = ...;                                   the array itself, and what its row names behind it
 *     lun_request_option(&r, "descending", &value, &err);     one by one
 *     lun_request_bind(&r, &err);                             checks all; r.results says what will come
 *     for (lun_request_attempt(&t, &r); host_goes_on(&t);)
 *         t.status = lun_request_run(&t.more, &r, out, &t.err);
 *     lun_request_clear(&r);
 *
 * A host converts its values and objects, and gives what comes. Whatever is wrong core says, in the host's manner. */
#pragma once

#include "array.h"
#include "manner.h"
#include "operation.h"
#include "random.h"
#include "trace.h"

/* ---- values -------------------------------------------------------------------------------------------------------- */

typedef struct lun_list {
    struct lun_value *items; /* lun_request_list; none of LUN_OPTION_DATA, whose shape lun_request's `data` has */
    size_t count;
    const char *const *names; /* of the elements; or NULL */
    const char *odd;          /* what the host's list has beside its elements, "the key 0; ...", or NULL */
    bool spread;              /* they were there as several arguments */
} lun_list;

/* A sparse matrix in rows: where each starts and the last one ends, the columns of its entries, which ascend, and their values. The
 * host owns the arrays; one that is NULL: the matrix was released. */
typedef struct lun_sparse {
    lun_array *starts, *columns, *values;
    size_t rows, width;
    struct lun_levels *levels[2]; /* core's own, of the lower and the upper triangle, or NULL: lun_sparse_forget */
} lun_sparse;

/* Lets go of what core has found out about the matrix; at the matrix's end. */
void lun_sparse_forget(lun_sparse *matrix);

/* What has become of a matrix that is no longer whole, "the matrix was released"; NULL: it is. */
const char *lun_sparse_lost(const lun_sparse *matrix);
/* LUN_MISUSE where there is no matrix of that many rows and columns. */
lun_status lun_sparse_check(size_t rows, size_t width, lun_error *err);
/* Of tests: matrices of that many rows, columns or entries have starts and columns of i64, and levels of that many rows are swept over by
 * calls of their own; 0: as ever. */
void lun_sparse_try(size_t narrow, size_t wide);

typedef struct lun_value {
    lun_value_kind kind;
    const char *hint; /* LUN_VALUE_OTHER, and a sparse matrix: what to do where an array is needed, or NULL */
    size_t length;    /* of a text, in bytes, where LUN_OPTION_DATA is needed */
    union {
        bool truth;
        lun_number number;
        const char *text; /* LUN_VALUE_OTHER: what messages call it, "a function" */
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
    LUN_OF_NOTHING, /* options of what is not a method by itself */
    LUN_OF_ARRAY,   /* argument 0 is an array */
    LUN_OF_DEVICE,
    LUN_OF_MODULE,
    LUN_OF_SPARSE, /* argument 0 is a sparse matrix */
    LUN_OF_STREAM, /* of random numbers */
    LUN_OF_TRACE,  /* what a function of the host's user computes */
    LUN_OWNERS
} lun_owner;

typedef struct lun_operand {
    const char *name; /* that of an option too: the value may be in either place */
    lun_option_kind kind;
    const char *wanted; /* for messages, where the kind's own words do not do */
    const char *means;  /* for people, or NULL */
    bool optional;
    bool spread;         /* a list may be there as several arguments */
    bool shares;         /* a list's table may have the options too */
    bool last;           /* an axis: where it is missing, the last one is meant */
    bool named;          /* the host gives a table of names alone as a list with names */
    const char *instead; /* or calls the operation of that name, which is nobody's */
} lun_operand;

/* The float dtype of results that are always floats: a float array's own, or that of means, which is f32 for floats of 16 bits; of
 * integers both are f64 (f32 on devices without). LUN_FLOAT_DEFAULT: the operation computes with f32, f64 and complex numbers alone, so
 * that its arrays of integers and truth values are first cast to the default dtype, and floats of 16 bits to f32. */
typedef enum lun_float { LUN_FLOAT_BY_NO_RULE, LUN_FLOAT_EACH, LUN_FLOAT_MEAN, LUN_FLOAT_DEFAULT } lun_float;

typedef struct lun_operation {
    const char *name;
    lun_owner owner;
    const lun_operand *arguments;          /* behind the owner; ended by a NULL name */
    const lun_option *options;             /* the same */
    const char *says;                      /* what it gives, in sentences */
    const char *kind;                      /* "reduction", "function" (elementwise), "draw", or NULL */
    const char *returns;                   /* the results, "array values; array positions"; NULL: an array */
    const char *matlab;                    /* how MATLAB's users call it, "" if not; NULL: by its own name */
    const char *example, *promise, *tried; /* a call, what it gives, and how the specs try it; or NULL */
    const char *takes; /* letters for the kinds of dtypes that its array may have, as operation.def says; or NULL */
    lun_float gives;
    bool in_place; /* its result has its array's shape: hosts may have it in place, too */
    const void *variants, *functions;
    int number; /* of a row that others feed: lun_reduce_op, lun_distribution */
} lun_operation;

#define LUN_POSITIONS_PARTS 3
/* What says of an axis which positions: one; or from, to and step, of which some may be missing. */
typedef struct lun_positions {
    bool picks, given[LUN_POSITIONS_PARTS];
    int64_t part[LUN_POSITIONS_PARTS]; /* the first is the position that is picked */
} lun_positions;
/* Makes a view whose arguments are whole numbers and ranges of them alone, at most LUN_MAX_AXES, without a request; false:
 * something is wrong, which a request shows. */
typedef bool (*lun_view)(lun_array *out, const lun_array *array, const lun_positions *ranges, int count,
                         const lun_manner *manner);
/* That of an operation whose arguments may be such; NULL: there is none. */
lun_view lun_operation_view(const lun_operation *operation);
/* An axis of an array of that shape, counted from 0; without a shape one of a result with that many axes. */
lun_status lun_axis(int *out, int64_t axis, int ndim, const size_t *shape, const lun_manner *manner, lun_error *err);
/* Slices that pick an element: as many positions as the array has axes, as that manner counts. */
lun_status lun_element_slices(lun_slice *out, const lun_array *array, const int64_t *positions, int count,
                              const lun_manner *manner, lun_error *err);

const lun_operation *lun_operation_at(size_t position); /* NULL behind the last */
const lun_operation *lun_operation_find(lun_owner owner, const char *name);
/* The option of that name, or NULL. */
const lun_option *lun_operation_option(const lun_operation *operation, const char *name);
/* Is it an elementwise function of its arguments (of an array of itself too), and which? */
bool lun_operation_is_elementwise(lun_map_op *op, const lun_operation *operation);
/* Does lun_request_run run it? The others are functions of their own. */
bool lun_operation_is_called(const lun_operation *operation);
/* May its array have that dtype? What else stands between the arguments, a call shows. */
bool lun_operation_takes(const lun_operation *operation, lun_device *device, lun_dtype dtype);
/* What its example promises: the row's own words, or those of its row in reduce.def or map.def. */
const char *lun_operation_promise(const lun_operation *operation);
/* The names of its variants that this device can run on some problem, ended by NULL; borrowed, at most `room`-1 of them. False
 * for an operation that has none. */
bool lun_operation_variants(const char **names, size_t room, const lun_operation *operation, const lun_device *device);
/* The variant at that position, and the type of device that it is meant for: "cpu", "gpu", "any". NULL behind the last. */
const char *lun_operation_variant(const char **meant_for, const lun_operation *operation, size_t position);
const char *lun_option_kind_name(lun_option_kind kind); /* in words: "a whole number" */
/* May a value of that kind be where the row has that kind? */
bool lun_option_kind_takes(lun_option_kind kind, lun_value_kind value);

/* ---- requests ---------------------------------------------------------------------------------------------------------- */

typedef enum lun_form { LUN_FORM_ARRAY, LUN_FORM_LIST, LUN_FORM_BYTES, LUN_FORM_STREAM } lun_form;

typedef struct lun_result {
    int numbers; /* 0: an array; else the host gives the 1 or 2 elements of the array as numbers */
    lun_form
        form; /* no array, but all elements as a list, nested, or as bytes, that the host makes from `data`; a random stream */
    lun_array *given;  /* the array that it is: of the option `out`, or changed in place */
    lun_array *behind; /* core's own: the memory of numbers that the host needs now */
    bool late;         /* core's own: the shape is known only when some of it has run */
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

/* A call of a function of the host's user, LUN_WISH_CALL, which core never makes itself. Of cg, bicgstab and gmres:
 *     A(from, to), M(from, to)   both arrays have b's shape and the dtype of the result, and `from` stays as it is. The host enqueues what
 *                                writes the product to `to`, and gives `to`, or gives another array of that shape and dtype
 *     callback(step, residual)   `to` is NULL, and nothing is given
 * Then it clears `wish`, and calls lun_request_run again. What it gives may be of any kind: LUN_MISUSE says what is wrong with it. A host
 * whose function fails clears the request, and all that the solver has goes. */
typedef struct lun_ask {
    const lun_value *function;
    const lun_array *from, *to;
    int64_t step;
    double residual;
    lun_value given; /* the host sets it, of `to` itself, as it sets an argument, */
    bool lost;       /* and whether the function has released what it got */
} lun_ask;

/* What an iterative solver says about its x. */
typedef struct lun_report {
    bool converged;
    int64_t steps;
    double residual;
    const double *history; /* the residual after each step, as long as the request */
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
    LUN_WISH_ELEMENTS /* of the list that is LUN_OPTION_DATA, in data.memory, with the dtype and shape that `data` has */
} lun_wish;

#define LUN_ARGUMENTS 6
#define LUN_OPTIONS 20
#define LUN_FEW_RESULTS 4

typedef struct lun_request {
    const lun_operation *operation;
    const lun_manner *manner;
    lun_device *device; /* a host sets it for an operation that is none of an array */
    lun_graph *trace;   /* and this for one of a trace, and while it traces a function */
    lun_rng *stream;    /* and this for one of a stream; it moves on when all is enqueued */
    lun_value arguments[LUN_ARGUMENTS + 1], options[LUN_OPTIONS];
    lun_value surplus;   /* the first argument more than the row has, */
    unsigned surplus_at; /* its number behind the owner, that of the last that may be there, */
    unsigned surplus_behind;
    bool surplus_options; /* and whether it is where options do */
    bool told;            /* is there a table of options, if an empty one? */
    uint32_t given;       /* bits: which of the row's options are there */
    lun_dtype
        floats; /* of results whose dtype nothing names: f32, unless the host sets another before it reads arguments */
    bool reproducible; /* what the option of that name is where it is not given; the host sets it */
    /* ---- what lun_request_bind finds */
    lun_result *results;
    size_t result_count;
    bool sparse;              /* the results are the arrays of a sparse matrix: */
    lun_sparse matrix;        /* what else it has, which the host takes over */
    bool views;               /* results are views: they have no row in `results`, and nothing is enqueued */
    bool async;               /* the option: the host sets call.event then */
    const lun_report *report; /* of an iterative solver, when it has ended */
    const char **names;       /* of the columns of a text that was read, or NULL: one more result */
    size_t name_count;
    bool has_texts; /* one more result: */
    lun_texts texts;
    lun_ask ask;
    lun_wish wish; /* after a run without failure: what the host does, clears this, and lets it run on */
    uint64_t seed;
    size_t staging_bytes; /* that the next run asks for: for the host's lun_attempt */
    lun_staging *staging; /* of a result with a form, and an event: memory that the host takes, and releases */
    lun_call call;
    /* ---- what lun_request_run leaves */
    lun_number numbers[LUN_REDUCE_NUMBERS]; /* of results that are numbers and have no array, in order */
    lun_rng made;                           /* a random stream */
    lun_elements data; /* a result with a form and no event: in memory that the host has set before */
    size_t number_count;
    /* ---- core's own */
    int stage; /* of the operation that runs; 0: it has not begun */
    bool begun;
    bool traced;          /* it is noted in the trace: results are traced arrays */
    bool numeric, direct; /* are there numbers among the results? does the operation read them by itself? */
    size_t reading, received, used;
    void *state, *chunks, *owned, *held;
    lun_numbers *pending;
    lun_result few[LUN_FEW_RESULTS];
    uint64_t room[128];
} lun_request;

void lun_request_init(lun_request *out, const lun_operation *operation, const lun_manner *manner); /* NULL: C's */
/* The dtype of an array of such numbers where none is named: the request's floats, or complex numbers of them, or bool. */
lun_dtype lun_request_dtype(const lun_request *request, lun_number number);
/* That many values, which live as long as the request; NULL: out of memory. */
lun_value *lun_request_list(lun_request *request, size_t count);
/* Memory of that kind for texts and the like. */
void *lun_request_memory(lun_request *request, size_t bytes);
/* LUN_MISUSE for a name that the row does not have, and a value of another kind. */
lun_status lun_request_option(lun_request *request, const char *name, const lun_value *value, lun_error *err);
/* How many positions there are along the axis that the request names, or in all of its array; before it is bound. */
size_t lun_request_extent(const lun_request *request);
lun_status lun_request_bind(lun_request *request, lun_error *err);
/* The option of that name, `missing` where it is not given: for rows that the host runs. */
bool lun_request_truth(const lun_request *request, const char *name, bool missing);
void lun_request_attempt(lun_attempt *out, const lun_request *request);
/* out: for each result an array, empty or the one that is `given`; NULL for numbers that the host needs now. Creates what is
 * empty, and enqueues. Arguments that were released since are LUN_MISUSE. */
lun_status lun_request_run(bool *more, lun_request *request, lun_array *const *out, lun_error *err);
/* What the options of a bound request of `simulation` say: its host runs it (lun_nbody_start). */
const lun_gravity_options *lun_simulation_options(const lun_request *request);
void lun_request_clear(lun_request *request); /* takes zeroed memory, and may be called twice */
