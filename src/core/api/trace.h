/* A part of lunarray.h: traces. A host calls a user's function once, with traced arrays in place of its arguments. The
 * function's calls are recorded as a graph, which then computes the same for these and other arguments.
 *
 *     lun_graph_create(&graph, &err);
 *     lun_graph_argument(&x, graph, &a, &err);   a traced array for each array; numbers have `argument`
 *     ...                                             requests with `trace` = graph return further traced arrays
 *     lun_graph_end(graph, results, count, &err);     the results of the function
 *     ...                                             requests of the row `call` of LUN_OF_TRACE compute it
 *     lun_graph_release(graph); */
#pragma once

#include "operation.h"

#define LUN_GRAPH_ARGUMENTS 64 /* limits of the arrays and numbers that a graph takes */

typedef struct lun_graph lun_graph;

lun_status lun_graph_create(lun_graph **out, lun_error *err);
void lun_graph_release(lun_graph *graph); /* NULL is fine */
/* A traced array for the next array among the arguments, with its dtype and layout. */
lun_status lun_graph_argument(lun_array *out, lun_graph *graph, const lun_array *like, lun_error *err);
/* An empty traced array, which an operation may write: for operators without a request. */
lun_status lun_graph_array(lun_array *out, lun_graph *graph, lun_device *device, lun_dtype dtype, int ndim,
                           const size_t *shape, lun_error *err);
/* The graph for which an array is traced; NULL: none. */
const lun_graph *lun_array_graph(const lun_array *array);
/* Records that the function has read the shape of an array: its computation may depend on it. */
void lun_graph_note_shape(const lun_array *array);
/* Called when the function has returned these results, or raised an error (count 0): ends the recording, and finds the
 * steps that compute the results. */
lun_status lun_graph_end(lun_graph *graph, const lun_array *const *results, size_t count, lun_error *err);
/* Is it valid only for arguments of the same shapes and strides? Otherwise it is valid for all with the same dtypes and
 * numbers of axes. */
bool lun_graph_is_shaped(const lun_graph *graph);
/* Is it a single expression of only operators and elementwise functions? */
bool lun_graph_is_elementwise(const lun_graph *graph);
/* The positions, from 0, of the host's arrays and numbers that the graph takes, in the order of its row's arguments. */
size_t lun_graph_arrays(const unsigned **out, const lun_graph *graph);
size_t lun_graph_numbers(const unsigned **out, const lun_graph *graph);
