/* Expressions with reductions inside them in one kernel, which computes whole rows: what its variants plan, and its text.
 *
 * For each row the kernel goes through the passes (passes.h): a stage makes the reductions of a pass, from stage 1 on, and what comes
 * behind the last stage computes the elements. The text has two expressions: fold_expression gives what the reductions reduce, last_expression the
 * elements. Both have the same nodes, where results of reductions are arrays. */
#pragma once

#include "op/fold/passes.h"

/* What a kernel's text depends on. The arrays of both forms are the outputs, the given arrays, and behind these the reductions'
 * results: arrays of one element to a row, which the kernel makes itself. */
typedef struct fused_form {
    fold_form fold;                /* of the reductions: what they reduce is what its expression gives */
    map_form last;                 /* of the results */
    unsigned stage[FOLD_RESULTS];  /* in which each reduction is made: its pass */
    unsigned stages;               /* the number of them: the passes' depth */
    unsigned char kept[MAP_NODES]; /* the stage in which a node's values are kept for later ones; 0: they are not */
    size_t kept_columns;           /* for that many elements */
} fused_form;

typedef struct fused_problem {
    fused_form form;
    map_rows rows;
    fused_shape shape;
    lun_expression fold_expression, last_expression; /* the expressions of form.fold and form.last */
    unsigned results[LUN_MAP_RESULTS];
    const lun_array *arrays[MAP_ARRAYS];
    size_t touched; /* bytes */
    launch_arg numbers[MAP_NUMBERS];
    map_element elements[MAP_NUMBERS];
    fold_problem filled;              /* by fold_init, for its form */
    map_types fold_types, last_types; /* of both expressions: the nodes' are the same; large, and not cleared */
} fused_problem;

/* May the device run such an expression so? Asked before anything else of it is known. */
bool fused_may_run(const lun_expression *e, const lun_reduction *over, const lun_call *call);
/* Runs the expression so, if it can be: its parts have been found out, and the reductions' results have their dtypes and shapes. */
lun_status fused_run(bool *done, const passes *p, const lun_array *const *outs, const lun_reduction *over,
                     const lun_call *call, lun_error *err);

/* Finds the nodes that are computed once and kept, of those that take long; `loads`: what is loaded does. */
void fused_find_kept(fused_form *form, bool loads);
void fused_write_signature(text_builder *out, const fused_form *form);
lun_status fused_write_text(text_builder *out, const void *form, lun_error *err);

extern const variants fused_variants;
