/* A part of lunarray.h: traces. A host calls a function of its user's once, with stand-ins for arrays and numbers, and notes here what
 * the function computes with them; then the whole is one kernel, for these and for other arguments.
 *
 *     lun_trace_add(&x, &trace, &(lun_node){.kind = LUN_NODE_ARRAY, .args = {0}}, &err);
 *     lun_trace_add(&y, &trace, &(lun_node){.kind = LUN_NODE_OP, .op = LUN_MAP_square, .args = {x}}, &err);
 *     lun_trace_end(&trace, &(lun_traced){.node = y, .op = LUN_REDUCE_OPS}, 1, &err);
 *     ...                                   requests of the rows of LUN_OF_TRACE compute it
 *     lun_trace_clear(&trace); */
#ifndef LUN_API_TRACE_H
#define LUN_API_TRACE_H

#include "operation.h"

/* Zeroed memory at first. A host reads it, and writes none of it. */
typedef struct lun_trace {
    lun_node *nodes; /* all that were added; when the trace has ended, those that results need, in their order */
    unsigned *noted; /* which one each was, as lun_trace_add has told it */
    size_t count, room;
    lun_read *shifted; /* reads of arrays at other positions, in the order in which they were added */
    size_t shifted_count;
    /* ---- what lun_trace_end finds */
    unsigned arrays[LUN_MAP_ARRAYS], numbers[LUN_MAP_NUMBERS]; /* which of the host's the kernel takes, in order */
    size_t array_count, number_count;
    lun_read reads[LUN_MAP_ARRAYS];    /* how the kernel reads each array, */
    bool reads_shifted;                /* if one of them at other positions */
    bool reduces;                      /* are there reductions in the midst? */
    unsigned results[LUN_MAP_RESULTS]; /* what the kernel computes, nodes: columns */
    size_t result_count;
    bool folds;                         /* it reduces each column, too, in one pass, */
    lun_reduce_op ops[LUN_MAP_RESULTS]; /* by these */
    /* ---- what a request leaves that is refused */
    bool refused;
    unsigned refused_at; /* the node whose function refuses its operands, as lun_trace_add has told it */
} lun_trace;

/* A result of the function. */
typedef struct lun_traced {
    unsigned node;
    lun_reduce_op op; /* by which it is reduced; LUN_REDUCE_OPS: it is not */
    unsigned options; /* equal where the options of reductions are equal */
    bool apart;       /* the options are none that several reductions in one pass take */
    size_t column;    /* lun_trace_end's: where the kernel computes it */
} lun_traced;

/* Notes a node: of an array or a number args[0] is the host's own number for it. Operands are nodes that were added. A node that is
 * there already is not added again. LUN_MISUSE where there are several times as many as a kernel takes. */
lun_status lun_trace_add(unsigned *out, lun_trace *trace, const lun_node *node, lun_error *err);
/* Notes a read, for nodes of arrays: their args[1] is *out, which is not 0. An array that is read so has a number of its own. */
lun_status lun_trace_read(unsigned *out, lun_trace *trace, const lun_read *read, lun_error *err);
/* Finds what the results need, and finds each one's column: reductions of one node have a column together, results have their own.
 * LUN_MISUSE where that is more than a kernel takes. */
lun_status lun_trace_end(lun_trace *trace, lun_traced *results, size_t count, lun_error *err);
void lun_trace_clear(lun_trace *trace); /* may be called twice */

#endif
