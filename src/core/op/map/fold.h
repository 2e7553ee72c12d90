/* Reductions of expressions: their states, their axes, and the kernels that make them. */
#ifndef LUN_OP_MAP_FOLD_H
#define LUN_OP_MAP_FOLD_H

#include "abi/fold.h"
#include "op/map/map.h"

/* ---- reductions: the rows of reduce.def ------------------------------------------------------------------------- */

typedef enum fold_family { FOLD_ONE, FOLD_EXTREME, FOLD_MOMENTS, FOLD_PIVOTED, FOLD_NORM } fold_family;
typedef enum fold_accumulator { FOLD_SAME, FOLD_WIDE, FOLD_REAL, FOLD_COUNT } fold_accumulator;
typedef enum fold_gives {
    FOLD_GIVES_SAME,
    FOLD_GIVES_SUMS,
    FOLD_GIVES_FLOAT,
    FOLD_GIVES_POSITION,
    FOLD_GIVES_TRUTH
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
} fold_row;

lun_dtype fold_result_dtype(const fold_row *row, lun_dtype dtype, bool fp64);
/* The dtype in which values of that dtype are combined. */
lun_dtype fold_accumulator_dtype(const fold_row *row, lun_dtype dtype, bool fp64);

/* ---- kernels ------------------------------------------------------------------------------------------------------ */

/* What a kernel's text depends on. */
typedef struct fold_form {
    map_form map; /* its arrays are the inputs alone */
    const fold_row *rows[FOLD_RESULTS];
    size_t state_of[FOLD_RESULTS]; /* the first result that has the same state: mean and var of one value */
    bool fp64;
    bool vectors;  /* states are vectors, too */
    bool far;      /* positions need 64 bits */
    unsigned leaf; /* values of a leaf */
} fold_form;

void fold_write_signature(text_builder *out, const fold_form *form);
lun_status fold_write_text(text_builder *out, const void *form, lun_error *err);

typedef struct fold_problem {
    fold_form form;
    map_shape shape;
    fold_shape fold;
    bool by_columns; /* neighbours belong to different outputs */
    const lun_array *const *outs;
    const launch_arg *numbers;
    /* All axes, kept and reduced, each list merged where it can be; strides of the inputs, and of the outputs where kept. */
    int kept, reduced;
    size_t kept_size[LUN_MAX_AXES], reduced_size[LUN_MAX_AXES];
    int64_t kept_stride[MAP_ARRAYS][LUN_MAX_AXES], reduced_stride[MAP_ARRAYS][LUN_MAX_AXES];
} fold_problem;

/* Lays the axes out for kernels of rows or of columns; variants call it with the widths that they have. */
void fold_lay_out(fold_problem *p, bool by_columns);

extern const variants fold_variants;

#endif
