/* Graphs: the computation of a user's function as nodes, and the steps that compute them.
 *
 * While the function is traced its arrays are traced ones: they have a device, dtype, shape and strides, and a node
 * instead of memory. The function's calls are bound as usual (call/request.h) and run, but core's elementwise
 * expressions, reductions, copies and shifted reads are recorded here instead of writing results (nodes.c). A call that
 * does anything else is recorded as a whole (call/traced.c), and called again when the graph runs. When the function
 * has returned, the nodes that its results need are cut into steps, each one kernel or a call (op/trace/cut.c,
 * graph_steps.c), which the row `call` of LUN_OF_TRACE runs one after the other (op/trace/replay.c). */
#pragma once

#include "base/error.h"
#include "memory/block.h"

/* The source of a LUN_NODE_ARRAY. */
typedef enum graph_source {
    GRAPH_ARGUMENT, /* an array argument: number `of`; after lun_graph_end the position in `arrays_used` */
    GRAPH_OUTSIDE,  /* an array from outside the function: `layout`, which holds it */
    GRAPH_VIEW,     /* other elements of the value of node `of`, given by `layout` */
    GRAPH_READ,     /* the value of node `of` at other positions: reads[read] */
    GRAPH_CALL      /* result `result` of calls[of] */
} graph_source;

typedef struct graph_node {
    lun_node
        n; /* args: operands are nodes; for a number args[0] is its position in the host's, later in `numbers_used`; for
            * a reduction args[1] is its position in `reductions` */
    bool drops_axes; /* for a reduction: its result does not keep the reduced axes */
    bool number;     /* the host gets the value as a number */
    bool passed;     /* for a constant: kernels may take it as an argument, and then serve other constants too */
    graph_source source;
    unsigned of, result, read;
    lun_array layout; /* dtype (LUN_DTYPES: not known), shape and strides of the value */
    /* ---- set by cutting */
    bool needed, stored; /* stored: a step writes its value to an array */
    unsigned level;      /* the number of successive steps until it is computed */
    unsigned last;       /* the last step that reads it, if it is stored */
} graph_node;

typedef struct graph_call {
    const lun_operation *operation;
    const lun_manner *manner;
    lun_value arguments[LUN_ARGUMENTS + 1],
        options[LUN_OPTIONS]; /* the value of an array has array NULL, and its node in `length` */
    uint32_t given;
    bool reproducible;
    size_t result_count;
} graph_call;

#define GRAPH_NO_RESULT (~0u)
#define GRAPH_CONSTANT (~0u)
typedef enum graph_step_kind { STEP_MAP, STEP_FOLD, STEP_CALL } graph_step_kind;

/* A step: a call, or an expression as in lun_expression, with nodes of the graph as arrays and the host's numbers. */
typedef struct graph_step {
    graph_step_kind kind;
    unsigned call;
    size_t node_count, array_count, number_count, result_count;
    lun_node *nodes;
    unsigned results[LUN_MAP_RESULTS];      /* the results of the step among `nodes` */
    unsigned output_nodes[LUN_MAP_RESULTS]; /* the same as nodes of the graph; until cut_into_steps ends, positions of
                                        * roots */
    unsigned result_slots[LUN_MAP_RESULTS]; /* which results of the function these are; GRAPH_NO_RESULT: none */
    unsigned arrays[LUN_MAP_ARRAYS], numbers[LUN_MAP_NUMBERS]; /* GRAPH_CONSTANT: that one of `constants` */
    lun_number constants[LUN_MAP_NUMBERS];
    lun_read reads[LUN_MAP_ARRAYS];
    bool shifted;                       /* does it read an array at other positions? */
    lun_reduce_op ops[LUN_MAP_RESULTS]; /* a STEP_FOLD: of each result */
    lun_reduction over;                 /* how it, or the reductions inside, reduce */
    bool reduces;                       /* a STEP_MAP: are there reductions within the expression? */
    bool drops_axes;                    /* a STEP_FOLD: are the reduced axes dropped from the result? */
} graph_step;

typedef struct graph_chunk {
    struct graph_chunk *next;
    uint64_t data[];
} graph_chunk;

struct lun_graph {
    block_trace trace; /* the first: blocks refer to it */
    lun_device *device;
    graph_node *nodes;
    size_t count, room, argument_count;
    lun_reduction *reductions;
    lun_read *reads;
    graph_call *calls;
    size_t reduction_count, read_count, call_count;
    graph_chunk *chunks;    /* memory of calls and steps */
    bool depends_on_shapes; /* does its computation depend on its arguments' shapes? */
    bool ended;
    /* ---- set by lun_graph_end */
    graph_step *steps;
    size_t step_count, result_count;
    unsigned results[LUN_MAP_RESULTS];                                            /* nodes */
    lun_array result_layouts[LUN_MAP_RESULTS];                                    /* dtypes and shapes of results */
    bool result_is_number[LUN_MAP_RESULTS];                                       /* the host gives a number */
    unsigned arrays_used[LUN_GRAPH_ARGUMENTS], numbers_used[LUN_GRAPH_ARGUMENTS]; /* the host's, in order */
    size_t arrays_used_count, numbers_used_count;
};

/* Zeroed memory that lives as long as the graph; NULL: out of memory. */
void *graph_memory(lun_graph *graph, size_t bytes);
/* The trace that an array belongs to; NULL: none. */
static inline lun_graph *graph_of(const lun_array *array) { return (lun_graph *)block_traced(array->block); }
/* The number of operands of a node. */
unsigned graph_operands(const lun_node *node);
/* An array's dtype, shape and strides, without device and memory. */
lun_array graph_layout(const lun_array *array);
/* The strides of the node's value as an array. */
const int64_t *graph_strides(int64_t *room, const graph_node *node);

/* ---- recording: for operations whose first output is a traced array (array_is_traced). LUN_NOT_NOTED if the graph
 * cannot express it ---- */

/* The computation of lun_map or lun_passes; or with `ops` of lun_fold. */
lun_status graph_note(const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                      const lun_reduction *over, lun_error *err);
/* One array, reduced; copied. */
lun_status graph_note_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, lun_error *err);
lun_status graph_note_copy(const lun_array *out, const lun_array *in, lun_error *err);
lun_status graph_note_read(const lun_array *out, const lun_array *in, const lun_read *read, lun_error *err);

/* The node of an array as an operand. */
lun_status graph_node_of(unsigned *out, lun_graph *graph, const lun_array *array, lun_error *err);
lun_status graph_add_read(unsigned *out, lun_graph *graph, const lun_read *read, lun_error *err); /* to `reads` */
lun_status graph_add(unsigned *out, lun_graph *graph, const graph_node *node, lun_error *err);
/* A traced array for node `node`, or for none yet. */
lun_status graph_array(lun_array *out, lun_graph *graph, lun_device *device, lun_dtype dtype, int ndim,
                       const size_t *shape, unsigned node, lun_error *err);
