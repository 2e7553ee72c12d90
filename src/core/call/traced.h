/* Requests whose arrays are traced. */
#pragma once

#include "graph/graph.h"

/* Is one of its arrays traced, or one of its numbers an argument of the traced function? */
lun_status request_is_traced(bool *out, const lun_request *r, lun_error *err);
/* LUN_MISUSE if a bound request cannot be recorded. */
lun_status trace_check_bound(const lun_request *r, lun_error *err);
/* Records a bound request whose arrays all come from outside the function, if it computes new arrays, so that their
 * elements are read at each call. Numbers, lists, bytes and results that are the array itself are computed now,
 * once. */
lun_status trace_outside(lun_request *r, lun_error *err);
/* Runs it on traced arrays; its results are `out`. */
lun_status trace_request(lun_request *r, lun_array *const *out, lun_error *err);
/* Calls `visit` for the node of each array that the call takes. */
void graph_call_arrays(const graph_call *call, void (*visit)(void *data, unsigned node), void *data);
/* The bound request of a recorded call, with these arrays, one for each node. */
lun_status graph_call_bind(lun_request *out, const lun_graph *graph, const graph_call *call,
                           lun_status (*array_of)(lun_array **out, void *context, unsigned node, lun_error *err),
                           void *context, lun_error *err);
