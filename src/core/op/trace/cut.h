/* Cutting a graph: what its two parts share (cut.c, graph_steps.c). */
#pragma once

#include "call/traced.h"
#include "op/expression/expression.h"

/* What a step has to give: the value of a node, as a result of the function or for the steps behind it. */
typedef struct root {
    unsigned node, result, level;
    bool done;
} root;

typedef struct cutting {
    lun_graph *graph;
    root *roots;
    size_t root_count;
    bool *marked;    /* which nodes the last mark_expression has found */
    unsigned *place; /* where a node is in the step that is built */
} cutting;

/* How large the expression of a step would be, and what it has. */
typedef struct expression_extent {
    size_t nodes, arrays, numbers, folds;
    bool reads;               /* are arrays read at other positions? */
    bool incompatible;        /* do its reductions go over different axes, or reduce different shapes? */
    unsigned over;            /* which of `reductions` the last of them is */
    const lun_array *reduced; /* what the last of them reduces */
} expression_extent;

static inline bool is_source(const graph_node *node) { return node->n.kind == LUN_NODE_ARRAY; }
static inline bool is_of(const graph_node *node, graph_source source)
{
    return node->n.kind == LUN_NODE_ARRAY && node->source == source;
}
/* Is the node's value an array that others can read: a stored one, or one that the graph is given? */
bool is_stored_or_given(const lun_graph *graph, const graph_node *node);
/* The reduction that the node is, as a value with all axes, perhaps through a view; *fold: its node. NULL: it is not one, or one
 * that an expression may not have inside. */
graph_node *find_inner_reduction(const lun_graph *graph, unsigned node, unsigned *fold);
/* Marks the nodes that a step computes and reads for `top`, which it computes itself even if it is stored, or only reads (`read`).
 * `inside`: also those that go into inner reductions. */
expression_extent mark_expression(cutting *c, unsigned top, bool inside, bool read);

/* Can lun_passes compute with that many arrays and inner reductions? A pass reads the results of those before it, too. */
static inline bool cut_fits_passes(size_t arrays, size_t folds) { return arrays + folds <= LUN_FOLD_ARRAYS; }

/* Finds the steps, once it is known what is stored (graph_steps.c). */
lun_status cut_into_steps(cutting *c, lun_error *err);
