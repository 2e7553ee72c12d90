/* The tree over bodies: its memory, and the commands that build it (tree_build.cl). */
#pragma once

#include "abi/tree.h"
#include "call/interface.h"
#include "packages/nbody/force.h"

/* What a force keeps (force.h) for its tree. */
enum {
    TREE_KEYS,    /* two lists of keys; later, in their place, the bodies in the tree's order */
    TREE_SPARE,   /* positions, while sorting */
    TREE_SOURCES, /* the order of the bodies that attract */
    TREE_TARGETS, /* of those that are attracted, where these are others */
    TREE_CELLS,
    TREE_COUNTS, /* of cells, by level and tile; the sum of all; the size of leaves */
    TREE_REALS,  /* the frame, then the boxes of groups */
    TREE_SOFTS,  /* the softenings in the tree's order */
    TREE_KEPT
};

/* The rows of bodies that are attracted. */
typedef struct tree_targets {
    size_t first, count;
} tree_targets;

/* Rows of bodies or points that anything may ask for. */
tree_targets tree_all_targets(const force *f);
/* Are these the bodies that attract? */
bool tree_is_shared(const force *f, tree_targets targets);
/* Makes what the force keeps for the tree and for the targets. */
lun_status tree_create(force *f, lun_device *device, tree_targets targets, lun_error *err);
/* So that a compiler's refusal shows while the row is planned. */
lun_status tree_find_kernels(const force *f, plan *p, lun_error *err);
/* Appends all that comes before a walk of the targets. */
lun_status tree_plan_build(plan *p, const force *f, tree_targets targets, lun_error *err);
/* The order in which the targets stand side by side. */
const lun_block *tree_order(const force *f, tree_targets targets);
