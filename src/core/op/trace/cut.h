/* Cutting a graph: what its two parts share (cut.c, steps.c). */
#ifndef LUN_OP_TRACE_CUT_H
#define LUN_OP_TRACE_CUT_H

#include "call/traced.h"
#include "op/expression/expression.h"

/* What a step has to give: the value of a node, as a result of the function or for steps behind it. */
typedef struct root {
    unsigned node, result, level;
    bool done;
} root;

typedef struct cutting {
    lun_graph *graph;
    root *roots;
    size_t root_count;
    bool *marked;    /* of each node, while something walks through them */
    unsigned *place; /* where a node is in the step that is built; from 1 on */
} cutting;

/* The nodes that a step would compute. */
typedef struct tree {
    size_t nodes, arrays, numbers, folds;
    bool reads, mixed; /* are arrays read at other positions? do reductions go over other axes, or have other shapes? */
    unsigned over;
    const lun_array *reduced; /* the shape of what the first of them reduces */
} tree;

static inline bool is_source(const graph_node *node) { return node->n.kind == LUN_NODE_ARRAY; }
static inline bool is_of(const graph_node *node, graph_source source)
{
    return node->n.kind == LUN_NODE_ARRAY && node->source == source;
}
/* Is the node's value an array where others need it? */
bool cut_is_array(const lun_graph *graph, const graph_node *node);
/* The reduction whose value, with its axes, the node is; NULL: it is none that may stand in an expression's midst. */
graph_node *cut_fold_in_midst(const lun_graph *graph, unsigned node, unsigned *fold);
/* Marks the nodes of the tree of `top`, whose own value is computed, unless it is `read`; `inside`: of reductions what goes into them,
 * too. */
tree cut_find_tree(cutting *c, unsigned top, bool inside, bool read);

/* Finds the steps, once it is known what is kept (steps.c). */
lun_status cut_find_steps(cutting *c, lun_error *err);

#endif
