/* Requests whose arrays are traced. */
#pragma once

#include "graph/graph.h"

/* Is one of its arrays traced, or one of its numbers an argument of the traced function? */
lun_status request_is_traced(bool *out, const lun_request *r, lun_error *err);
/* LUN_MISUSE where a bound request cannot be noted. */
lun_status trace_check_bound(const lun_request *r, lun_error *err);
/* Has a bound request whose arrays are all from outside noted, so that their elements are read at each call: where it computes new arrays.
 * Numbers, lists, bytes and what gives self come now, and only now. */
lun_status trace_outside(lun_request *r, lun_error *err);
/* Runs it upon traced arrays, which become `out`. */
lun_status trace_request(lun_request *r, lun_array *const *out, lun_error *err);
/* Calls `visit` for the node of each array that the call takes. */
void graph_call_arrays(const graph_call *call, void (*visit)(void *data, unsigned node), void *data);
/* The request that a noted call is, of these arrays, one for each node; bound. */
lun_status graph_call_bind(lun_request *out, const lun_graph *graph, const graph_call *call,
                           lun_status (*array_of)(lun_array **out, void *context, unsigned node, lun_error *err),
                           void *context, lun_error *err);
