/* Graphs, and the traced arrays of their nodes. */
#include "graph/graph.h"
#include "base/shape.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* ---- the graph ----------------------------------------------------------------------------------------------------- */

static void drop_graph(block_trace *trace)
{
    lun_graph *graph = (lun_graph *)trace;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].n.kind == LUN_NODE_ARRAY && graph->nodes[i].source == GRAPH_OUTSIDE)
            lun_array_clear(&graph->nodes[i].layout);
    for (graph_chunk *at = graph->chunks, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    free(graph->nodes);
    free(graph->reductions);
    free(graph->reads);
    free(graph->calls);
    free(graph->steps);
    free(graph);
}

lun_status lun_graph_create(lun_graph **out, lun_error *err)
{
    lun_graph *graph = NEW(1, sizeof *graph, "a graph");
    graph->trace = (block_trace){.refs = 1,
                                 .drop = drop_graph,
                                 .refusal = "the array belongs to a traced function, and its values are not known yet"};
    *out = graph;
    return LUN_OK;
}

void lun_graph_release(lun_graph *graph)
{
    if (graph && --graph->trace.refs == 0)
        drop_graph(&graph->trace);
}

void *graph_memory(lun_graph *graph, size_t bytes)
{
    graph_chunk *fresh = calloc(1, sizeof *fresh + (bytes + 7) / 8 * 8);
    if (!fresh)
        return NULL;
    fresh->next = graph->chunks;
    graph->chunks = fresh;
    return fresh->data;
}

const lun_graph *lun_array_graph(const lun_array *array) { return graph_of(array); }

void lun_graph_note_shape(const lun_array *array)
{
    lun_graph *graph = graph_of(array);
    if (graph)
        graph->depends_on_shapes = true;
}

bool lun_graph_is_shaped(const lun_graph *graph) { return graph->depends_on_shapes; }

/* ---- traced arrays ------------------------------------------------------------------------------------------------- */

lun_status graph_array(lun_array *out, lun_graph *graph, lun_device *device, lun_dtype dtype, int ndim,
                       const size_t *shape, unsigned node, lun_error *err)
{
    lun_array fresh = {.device = device, .dtype = dtype, .ndim = ndim};
    TRY(shape_size(&fresh.size, ndim, shape, lun_dtype_bytes(dtype), err));
    if (ndim)
        memcpy(fresh.shape, shape, (size_t)ndim * sizeof *shape);
    shape_strides(fresh.stride, ndim, shape);
    TRY(block_create_traced(&fresh.block, device, &graph->trace, lun_array_bytes(&fresh), err));
    block_set_node(fresh.block, node, false);
    lun_device_retain(device);
    *out = fresh;
    return LUN_OK;
}

lun_status lun_graph_array(lun_array *out, lun_graph *graph, lun_device *device, lun_dtype dtype, int ndim,
                           const size_t *shape, lun_error *err)
{
    return graph_array(out, graph, device, dtype, ndim, shape, BLOCK_NO_NODE, err);
}

lun_array graph_layout(const lun_array *array)
{
    lun_array alone = *array;
    alone.device = NULL;
    alone.block = NULL;
    return alone;
}

lun_status lun_graph_argument(lun_array *out, lun_graph *graph, const lun_array *like, lun_error *err)
{
    unsigned at;
    graph_node node = {.n.kind = LUN_NODE_ARRAY, .source = GRAPH_ARGUMENT, .layout = graph_layout(like)};
    if (graph->argument_count == LUN_GRAPH_ARGUMENTS)
        FAIL(LUN_MISUSE, "the function has more than %d arrays", LUN_GRAPH_ARGUMENTS);
    node.of = (unsigned)graph->argument_count++;
    node.layout.offset = 0;
    graph->device = graph->device ? graph->device : like->device;
    TRY(graph_add(&at, graph, &node, err));
    TRY(graph_array(out, graph, like->device, like->dtype, like->ndim, like->shape, at, err));
    memcpy(out->stride, like->stride, sizeof out->stride);
    return LUN_OK;
}
