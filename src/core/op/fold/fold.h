/* Reductions of expressions: their states, their axes, and the kernels that make them. */
#pragma once

#include "abi/fold.h"
#include "op/expression/expression.h"
#include "op/variant.h"

/* ---- reductions: the rows of reduce.def ------------------------------------------------------------------------- */

typedef enum fold_family {
    FOLD_ONE,
    FOLD_OWN, /* those whose states are joined in the order of their values, from here on */
    FOLD_FIRST,
    FOLD_NEIGHBOURS, /* the last of these */
    FOLD_EXTREME,
    FOLD_MOMENTS,
    FOLD_PIVOTED,
    FOLD_PRESENT,
    FOLD_NORM,
    FOLD_LOGSUM,
    FOLD_BINNED, /* those of parts/fold_bins.cl, from here on */
    FOLD_SQUARED,
    FOLD_POWERS, /* the last of these */
    FOLD_NONE    /* no kernel of this room makes it: elements by their rank */
} fold_family;
typedef enum fold_accumulator {
    FOLD_SAME,
    FOLD_ADDED, /* as FOLD_WIDE; few small integers are added up in less */
    FOLD_WIDE,
    FOLD_REAL,
    FOLD_COUNT,
    FOLD_PART,
    FOLD_PARTS
} fold_accumulator;
typedef enum fold_gives {
    FOLD_GIVES_SAME,
    FOLD_GIVES_SUMS,
    FOLD_GIVES_FLOAT,
    FOLD_GIVES_POSITION,
    FOLD_GIVES_TRUTH,
    FOLD_GIVES_PART
} fold_gives;

#define FOLD_NOTHING -1

typedef struct fold_row {
    const char *name;
    fold_family family;
    fold_accumulator accumulator;
    bool plain_map;                                /* the map is of x as an ACC, `type` stands for ACC */
    const char *map, *identity, *combine, *finish; /* OpenCL C */
    fold_gives gives;
    int empty; /* the result of no elements; FOLD_NOTHING: there is none */
    bool own;  /* the user's: identity and combine are texts of his, and values are combined in their order */
} fold_row;

const fold_row *fold_row_of(lun_reduce_op op);
/* LUN_MISUSE where the op does not reduce elements of that dtype. */
lun_status fold_check_dtype(lun_reduce_op op, lun_dtype dtype, lun_error *err);
/* LUN_MISUSE unless the op reduces expressions. */
lun_status fold_check_op(lun_reduce_op op, lun_error *err);
/* The row that reduces values of that dtype as they are asked for, and the one where it has the kernel for itself. */
const fold_row *fold_row_for(lun_reduce_op op, const lun_reduction *reduction, lun_dtype dtype, bool fp64);
const fold_row *fold_row_alone(const fold_row *row, lun_dtype dtype, bool fp64);
/* The row of an operator of the user's. */
fold_row fold_row_of_own(const lun_own_op *own);
/* LUN_MISUSE where there are more arrays and results than a kernel that reduces takes. */
lun_status fold_check_room(const lun_expression *e, lun_error *err);
/* Can the ops be made as accurate and reproducible as they are needed? */
lun_status fold_check_bins(const lun_expression *e, const map_types *types, const lun_reduce_op *ops,
                           const lun_reduction *reduction, lun_error *err);
bool fold_is_binned(const fold_row *row);
/* Is there such a row, one of REDUCE in reduce.def, which has kernels for arrays as they are, too? */
static inline bool fold_row_is_plain(const fold_row *row) { return row && row->plain_map; }
/* Bytes of a state of one value. */
size_t fold_state_bytes(const fold_row *row);
lun_dtype fold_result_dtype(const fold_row *row, lun_dtype dtype, bool fp64);
/* The dtype in which values of that dtype are combined. */
lun_dtype fold_accumulator_dtype(const fold_row *row, lun_dtype dtype, bool fp64);

/* ---- kernels ------------------------------------------------------------------------------------------------------ */

/* What a kernel's text depends on. */
typedef struct fold_form {
    map_form map; /* its arrays are the inputs alone */
    const fold_row *rows[FOLD_RESULTS];
    lun_dtype given[FOLD_RESULTS]; /* the results' dtypes */
    size_t state_of
        [FOLD_RESULTS]; /* the result whose state it is made from, its own or another: mean and var of one value */
    bool fp64;
    bool vectors;   /* states are vectors, too */
    bool chains;    /* there are chains of single values */
    bool far;       /* positions need 64 bits */
    bool reversed;  /* values come from the end: an own operator gets them the other way round */
    unsigned leaf;  /* values of a leaf */
    unsigned strip; /* of a CPU's columns: vectors side by side, as many as are tuned for the rows; 0 of rows */
} fold_form;

void fold_write_signature(text_builder *out, const fold_form *form);
lun_status fold_write_text(text_builder *out, const void *form, lun_error *err);
/* Of that text what comes behind the values' macros and does not say where results go. */
lun_status fold_write_states(text_builder *out, const fold_form *form, lun_error *err);
/* Functions of the expression's texts, and of an own operator's. */
lun_status fold_write_texts(text_builder *out, const void *form, lun_error *err);

typedef struct fold_problem {
    fold_form form;
    fold_row own; /* an operator of the user's, which form.rows then has */
    fold_shape fold;
    bool has_identity; /* of segments: is there a result of no elements? */
    bool by_columns;   /* neighbours belong to different outputs */
    const lun_array *const *outs;
    const launch_arg *numbers;
    /* All axes, kept and reduced, each list merged where it can be. What is behind the counts fold_init does not set. */
    int kept, reduced;
    int64_t first[LUN_FOLD_ARRAYS]; /* elements of the inputs */
    map_rows rows;
    size_t kept_size[LUN_MAX_AXES], reduced_size[LUN_MAX_AXES];
    /* Strides of the inputs, and of the outputs where kept. */
    int64_t kept_stride[LUN_FOLD_ARRAYS][LUN_MAX_AXES], reduced_stride[LUN_FOLD_ARRAYS][LUN_MAX_AXES];
} fold_problem;

lun_status fold_kernel(cl_kernel *out, lun_device *device, const char *file, const fold_form *form, const char *more,
                       const char *name, lun_error *err);
/* The arrays and results of an expression, and of its reductions: everything that the axes do not say. */
void fold_init(fold_problem *p, const lun_array *const *outs, const lun_expression *e, const map_types *types,
               const lun_reduce_op *ops, const lun_reduction *reduction);
/* Are values of the op combined one after the other as they are in row-major order? */
bool fold_row_is_ordered(const fold_row *row);
bool fold_has_bins(const fold_form *form); /* is a result summed in bins? */
/* Those of any result? And of some, but not all: fold_plain alone makes such results together. */
bool fold_is_ordered(const fold_problem *p);
bool fold_is_mixed(const fold_problem *p);
/* Sorts the axes of the broadcast shape into those that stay and those that go. `in_order`: segments or scans, whose elements keep their
 * order along these. */
void fold_find_axes(fold_problem *p, int ndim, const size_t *shape, const bool *goes, bool in_order);
/* The input with most elements, whose order in memory is followed. */
size_t fold_largest_input(const lun_expression *e);
/* A copy that a variant lays out: all but the rows, which it then finds, as copying them takes longer than planning. */
void fold_copy(fold_problem *out, const fold_problem *p);
/* Lays the axes out for kernels of rows or of columns; variants call it with the widths that they have. */
void fold_lay_out(fold_problem *p, bool by_columns);

/* Values side by side in a vector of a CPU: a register of numbers of that many bytes. */
unsigned fold_cpu_lanes(const lun_device *device, size_t bytes);
/* The bytes of the widest number that a result is computed or combined in. */
size_t fold_widest_number(const fold_form *form);

extern const variants fold_variants;
/* Is it an array as it is, reduced or scanned by such a row? */
bool fold_is_plain(const fold_problem *p);
/* Those that may run the problem: reduce_variants have kernels for arrays as they are, too. */
const variants *fold_variants_for(const fold_problem *p);
