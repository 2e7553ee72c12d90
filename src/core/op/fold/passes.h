/* Expressions with reductions in their midst: how they are taken apart. */
#ifndef LUN_OP_FOLD_PASSES_H
#define LUN_OP_FOLD_PASSES_H

#include "op/fold/fold.h"

#define PASSES_FOLDS LUN_MAP_RESULTS /* reductions of an expression */
#define PASSES_ARRAYS (LUN_MAP_ARRAYS + PASSES_FOLDS)

typedef struct passes {
    const lun_expression *given;
    size_t count;                           /* reductions */
    unsigned folds[PASSES_FOLDS];           /* their nodes, and */
    lun_array made[PASSES_FOLDS];           /* results */
    const lun_array *arrays[PASSES_ARRAYS]; /* the given ones, and these */
    lun_node *nodes;                        /* the given ones, in which reductions are arrays */
    unsigned *pass, depth;                  /* of each node the reductions behind which it is computed; the most */
    /* ---- a part of it */
    lun_expression part;
    unsigned *place; /* of each node in it */
    lun_node *part_nodes;
    unsigned part_results[LUN_MAP_RESULTS];
    const lun_array *part_arrays[LUN_MAP_ARRAYS];
    lun_number part_numbers[LUN_MAP_NUMBERS];
} passes;

/* How many nodes go into a node. */
unsigned passes_operands(const lun_node *n);

#endif
