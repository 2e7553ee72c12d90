/* A part of lunarray.h: traces. A host calls a function of its user's once, with traced arrays in place of its arguments; what the
 * function calls is noted as a graph, which then computes the same of these and of other arguments.
 *
 *     lun_graph_create(&graph, &err);
 *     lun_graph_argument(&x, graph, &a, &err);        an array without elements, for each array; numbers have `argument`
 *     ...                                             requests with `trace` = graph give further ones
 *     lun_graph_end(graph, results, count, &err);     what the function has returned
 *     ...                                             requests of the row `call` of LUN_OF_TRACE compute it
 *     lun_graph_release(graph); */
#pragma once

#include "operation.h"

#define LUN_GRAPH_ARGUMENTS 64 /* arrays and numbers that a graph takes at most */

typedef struct lun_graph lun_graph;

lun_status lun_graph_create(lun_graph **out, lun_error *err);
void lun_graph_release(lun_graph *graph); /* NULL is fine */
/* A traced array for the next array among the arguments, whose dtype and layout it has. */
lun_status lun_graph_argument(lun_array *out, lun_graph *graph, const lun_array *like, lun_error *err);
/* An empty traced array, which an operation may write: for operators that have no request. */
lun_status lun_graph_array(lun_array *out, lun_graph *graph, lun_device *device, lun_dtype dtype, int ndim,
                           const size_t *shape, lun_error *err);
/* The graph that an array is traced for; NULL: none. */
const lun_graph *lun_array_graph(const lun_array *array);
/* Notes that the function has asked for the shape of an array: what it computes may depend on it. */
void lun_graph_note_shape(const lun_array *array);
/* The function has returned these, or raised (count 0): nothing is noted any more. Finds the steps that compute them. */
lun_status lun_graph_end(lun_graph *graph, const lun_array *const *results, size_t count, lun_error *err);
/* Does it hold for arguments of the same shapes and strides alone? Else for all of the same dtypes and numbers of axes. */
bool lun_graph_is_shaped(const lun_graph *graph);
/* Is it one expression of operators and elementwise functions alone? */
bool lun_graph_is_elementwise(const lun_graph *graph);
/* Which of the host's arrays and numbers the graph takes, from 0, in the order in which its row takes them. */
size_t lun_graph_arrays(const unsigned **out, const lun_graph *graph);
size_t lun_graph_numbers(const unsigned **out, const lun_graph *graph);
