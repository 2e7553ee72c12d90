/* Expressions with reductions inside them: how they are taken apart.
 *
 * Of exp(x - max(x)) / sum(exp(x - max(x))) the maximum comes first, the sum waits for it, and the elements wait for both. A pass is
 * what waits for the same: pass 1 makes the reductions of which only given arrays are reduced, pass 2 those that read results of
 * pass 1, and so on. A reduction's `pass` is one more than the last pass that it reads; a node of another kind has that of what it
 * reads, and 0 if this is given alone. `depth` is the pass of the reductions that are made last. The last pass, depth + 1, computes the
 * elements.
 *
 * Passes run one behind the other, each as one or several reductions of expressions (passes.c), or all of them in one kernel, in
 * which they are its stages (fused.h). */
#pragma once

#include "op/fold/fold.h"

#define PASSES_FOLDS LUN_MAP_RESULTS /* reductions of an expression; op/folded.h: how many go together */
#define PASSES_ARRAYS (LUN_MAP_ARRAYS + PASSES_FOLDS)

typedef struct passes {
    const lun_expression *given;
    size_t count;                           /* of reductions: */
    unsigned fold_nodes[PASSES_FOLDS];      /* their nodes, and */
    lun_array made[PASSES_FOLDS];           /* their results */
    const lun_array *arrays[PASSES_ARRAYS]; /* the given ones, and these */
    lun_node *nodes;                        /* the given ones, in which reductions are arrays */
    unsigned *pass, depth;                  /* of each node its pass; the last pass of reductions */
    /* ---- what one kernel computes of it: `part`, and */
    lun_expression part;
    unsigned *place; /* of each node in it */
    lun_node *part_nodes;
    unsigned part_results[LUN_MAP_RESULTS];
    const lun_array *part_arrays[LUN_MAP_ARRAYS];
    lun_number part_numbers[LUN_MAP_NUMBERS];
} passes;

/* How many nodes go into a node. */
unsigned passes_operands(const lun_node *n);
