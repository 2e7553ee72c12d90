/* Cutting a graph: declarations shared by cut.c and graph_steps.c. */
#pragma once

#include "call/traced.h"
#include "op/expression/expression.h"

/* A value that a step must produce: a node, as a result of the function or for later steps. */
typedef struct root {
    unsigned node, result, level;
    bool done;
} root;

typedef struct cutting {
    lun_graph *graph;
    root *roots;
    size_t root_count;
    bool *marked;    /* the nodes marked by the last mark_expression */
    unsigned *place; /* the position of a node in the step being built */
} cutting;

/* The size and properties of the expression of a step. */
typedef struct expression_extent {
    size_t nodes, arrays, numbers, folds;
    bool reads;               /* are arrays read at other positions? */
    bool incompatible;        /* do its reductions have different axes, or operands of different shapes? */
    unsigned over;            /* the position of the last of them in `reductions` */
    const lun_array *reduced; /* the operand of the last of them */
} expression_extent;

static inline bool is_source(const graph_node *node) { return node->n.kind == LUN_NODE_ARRAY; }
static inline bool is_of(const graph_node *node, graph_source source)
{
    return node->n.kind == LUN_NODE_ARRAY && node->source == source;
}
/* Is the node's value an array that others can read: a stored one, or an input of the graph? */
bool is_stored_or_given(const lun_graph *graph, const graph_node *node);
/* The reduction that the node represents, as a value with all axes, possibly through a view; *fold: its node. NULL: it
 * is not a reduction, or not one that can be inside an expression. */
graph_node *find_inner_reduction(const lun_graph *graph, unsigned node, unsigned *fold);
/* Marks the nodes that a step computes and reads for `top`, which the step computes even if it is stored, or only reads
 * (`read`). `inside`: also the operands of inner reductions. */
expression_extent mark_expression(cutting *c, unsigned top, bool inside, bool read);

/* Can lun_passes handle that many arrays and inner reductions? A pass also reads the results of earlier passes. */
static inline bool cut_fits_passes(size_t arrays, size_t folds) { return arrays + folds <= LUN_FOLD_ARRAYS; }

/* Finds the steps, once the stored values are known (graph_steps.c). */
lun_status cut_into_steps(cutting *c, lun_error *err);
