/* The nodes of a graph, in which operations record their computations. */
#include "api/functions.h"
#include "base/shape.h"
#include "device/device.h"
#include "graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NOTED 8192 /* nodes: each is compared with all before it, and a long loop of the host would take minutes */

/* ---- adding -------------------------------------------------------------------------------------------------------- */

unsigned graph_operands(const lun_node *node)
{
    if (node->kind == LUN_NODE_OP)
        return lun_map_arity(node->op);
    return node->kind == LUN_NODE_CAST || node->kind == LUN_NODE_FOLD;
}

const int64_t *graph_strides(int64_t *room, const graph_node *node)
{
    if (node->n.kind == LUN_NODE_ARRAY && node->source == GRAPH_ARGUMENT)
        return node->layout.stride;
    shape_strides(room, node->layout.ndim, node->layout.shape);
    return room;
}

/* Constants are compared by their bits: 0 and -0 differ, and so do 1 and 1.0. */
static bool is_same_number(const lun_number *a, const lun_number *b)
{
    return a->is_integer == b->is_integer && a->is_complex == b->is_complex && a->is_truth == b->is_truth &&
           memcmp(&a->imaginary, &b->imaginary, sizeof a->imaginary) == 0 &&
           (a->is_integer ? a->integer == b->integer : memcmp(&a->real, &b->real, sizeof a->real) == 0);
}

static bool is_same_array(const lun_graph *graph, const graph_node *a, const graph_node *b)
{
    if (a->source != b->source || a->of != b->of || a->source == GRAPH_CALL)
        return false;
    if (a->source == GRAPH_READ)
        return memcmp(&graph->reads[a->read], &graph->reads[b->read], sizeof(lun_read)) == 0;
    return a->source == GRAPH_ARGUMENT || array_is_same_view(&a->layout, &b->layout);
}

/* Are both nodes equal? */
static bool is_same(const lun_graph *graph, const graph_node *a, const graph_node *b)
{
    const lun_node *n = &a->n, *m = &b->n;
    if (n->kind != m->kind || (n->kind != LUN_NODE_FOLD && a->number != b->number))
        return false;
    switch (n->kind) {
    case LUN_NODE_ARRAY:
        return is_same_array(graph, a, b);
    case LUN_NODE_NUMBER:
        return n->args[0] == m->args[0];
    case LUN_NODE_CONSTANT:
        return a->passed == b->passed && is_same_number(&n->value, &m->value);
    case LUN_NODE_CAST:
        return n->dtype == m->dtype && n->rounds == m->rounds && n->args[0] == m->args[0];
    case LUN_NODE_FOLD:
        return n->fold == m->fold && a->drops_axes == b->drops_axes && n->args[0] == m->args[0] &&
               n->args[1] == m->args[1];
    default:
        return n->op == m->op && n->dtype == m->dtype &&
               memcmp(n->args, m->args, lun_map_arity(n->op) * sizeof *n->args) == 0;
    }
}

lun_status graph_add(unsigned *out, lun_graph *graph, const graph_node *node, lun_error *err)
{
    for (*out = 0; *out < graph->count; ++*out)
        if (is_same(graph, &graph->nodes[*out], node))
            return LUN_OK;
    if (graph->count == MOST_NOTED)
        FAIL(LUN_MISUSE,
             "the function has more than %d steps; each turn of a loop adds its own: fuse one turn, or a few, and call "
             "that in the loop",
             MOST_NOTED);
    WIDEN(graph->nodes, graph->room, graph->count + 1, "a graph");
    graph->nodes[graph->count++] = *node;
    return LUN_OK;
}

/* The position of the item in a list of the graph, to which it is added if it is missing. */
static lun_status list_item(unsigned *at, void **list, size_t *count, const void *item, size_t bytes, lun_error *err)
{
    for (*at = 0; *at < *count; ++*at)
        if (memcmp((char *)*list + *at * bytes, item, bytes) == 0)
            return LUN_OK;
    *list = OR_LEAVE(FAIL, realloc(*list, (*count + 1) * bytes), "a graph");
    memcpy((char *)*list + *count * bytes, item, bytes);
    *at = (unsigned)(*count)++;
    return LUN_OK;
}

/* ---- operands ------------------------------------------------------------------------------------------------------ */

/* Are these all elements of the node's value, in its order? */
static bool is_whole_value(const lun_array *array, const graph_node *node)
{
    int64_t room[LUN_MAX_AXES];
    const int64_t *stride = graph_strides(room, node);
    bool whole = array->offset == 0 && array->dtype == node->layout.dtype && shape_equal(array, &node->layout);
    for (int i = 0; whole && i < array->ndim; i++)
        whole = array->shape[i] < 2 || array->stride[i] == stride[i];
    return whole;
}

/* The part of complex numbers that is viewed: 0 real, 1 imaginary; -1: not such a view. */
static int complex_part(const lun_array *array, const graph_node *node)
{
    int64_t stride[LUN_MAX_AXES];
    bool is = lun_dtype_has(node->layout.dtype, LUN_PAIRS) && array->dtype == lun_dtype_part(node->layout.dtype) &&
              (array->offset == 0 || array->offset == 1) && shape_equal(array, &node->layout);
    shape_strides(stride, array->ndim, array->shape);
    for (int i = 0; is && i < array->ndim; i++)
        is = array->shape[i] < 2 || array->stride[i] == 2 * stride[i];
    return is ? (int)array->offset : -1;
}

lun_status graph_add_read(unsigned *out, lun_graph *graph, const lun_read *read, lun_error *err)
{
    return list_item(out, (void **)&graph->reads, &graph->read_count, read, sizeof *read, err);
}

static lun_status add_read(unsigned *out, lun_graph *graph, unsigned of, const lun_read *read, const lun_array *seen,
                           lun_error *err)
{
    graph_node node = {.n.kind = LUN_NODE_ARRAY, .source = GRAPH_READ, .of = of, .layout = graph_layout(seen)};
    node.layout.offset = 0;
    TRY(graph_add_read(&node.read, graph, read, err));
    return graph_add(out, graph, &node, err);
}

static lun_status add_view(unsigned *out, lun_graph *graph, unsigned of, const lun_array *array, lun_error *err)
{
    const graph_node *base = &graph->nodes[of];
    const bool argument = base->n.kind == LUN_NODE_ARRAY && base->source == GRAPH_ARGUMENT;
    const int part = argument ? -1 : complex_part(array, base);
    graph_node node = {.n.kind = LUN_NODE_ARRAY, .source = GRAPH_VIEW, .of = of, .layout = graph_layout(array)};
    graph->depends_on_shapes = true;
    if (part >= 0) {
        node = (graph_node){.n = {.kind = LUN_NODE_OP, .op = part ? LUN_MAP_imag : LUN_MAP_real, .args = {of}},
                            .layout = graph_layout(array)};
        node.layout.offset = 0;
    }
    return graph_add(out, graph, &node, err);
}

lun_status graph_node_of(unsigned *out, lun_graph *graph, const lun_array *array, lun_error *err)
{
    if (graph->device && array->device != graph->device)
        FAIL_HINT(LUN_HINT_BRING_OVER, "arrays of two devices in one call");
    if (!array_is_traced(array)) {
        graph_node node = {.n.kind = LUN_NODE_ARRAY, .source = GRAPH_OUTSIDE, .layout = *array};
        const size_t before = graph->count;
        graph->device = array->device;
        TRY(lun_array_view(&node.layout, array, err));
        const lun_status status = graph_add(out, graph, &node, err);
        if (status != LUN_OK || graph->count == before)
            lun_array_clear(&node.layout);
        return status;
    }
    if (graph_of(array)->ended)
        return block_check_memory(array->block, err);
    if (graph_of(array) != graph)
        FAIL(LUN_MISUSE, "one traced function cannot compute with arrays of another");
    *out = block_node(array->block);
    if (*out == BLOCK_NO_NODE)
        FAIL(LUN_NOT_NOTED, "the array is not computed yet");
    return is_whole_value(array, &graph->nodes[*out]) ? LUN_OK : add_view(out, graph, *out, array, err);
}

/* ---- noting -------------------------------------------------------------------------------------------------------- */

/* Makes the array the node's value. */
static lun_status assign(const lun_array *out, lun_graph *graph, unsigned node, lun_error *err)
{
    if (graph->ended)
        return block_check_memory(out->block, err);
    if (block_node(out->block) != BLOCK_NO_NODE || out->offset || !lun_array_is_contiguous(out) ||
        lun_array_bytes(out) != block_bytes(out->block))
        FAIL(LUN_NOT_NOTED, "a part of an array is written");
    if (graph->nodes[node].layout.dtype == LUN_DTYPES)
        graph->nodes[node].layout.dtype = out->dtype;
    block_set_node(out->block, node, graph->nodes[node].number);
    return LUN_OK;
}

/* The shape of a node from those of its operands; its dtype is not known yet. Returns whether all operands count as
 * numbers. */
static void find_layout(graph_node *node, const lun_graph *graph)
{
    const lun_array *operands[3];
    size_t count = 0;
    node->number = node->n.kind == LUN_NODE_OP;
    for (unsigned k = 0; k < graph_operands(&node->n); k++) {
        const graph_node *operand = &graph->nodes[node->n.args[k]];
        const bool number = operand->n.kind == LUN_NODE_NUMBER || operand->n.kind == LUN_NODE_CONSTANT;
        node->number = node->number && (operand->number || number);
        if (!number)
            operands[count++] = &operand->layout;
    }
    node->layout = (lun_array){.dtype = LUN_DTYPES};
    shape_broadcast(&node->layout.ndim, node->layout.shape, operands, count);
    node->layout.size = 1;
    if (node->n.kind == LUN_NODE_FOLD) {
        const bool *goes = graph->reductions[node->n.args[1]].axis;
        int left = 0;
        for (int i = 0; i < node->layout.ndim; i++)
            if (!goes[i] || !node->drops_axes)
                node->layout.shape[left++] = goes[i] ? 1 : node->layout.shape[i];
        node->layout.ndim = left;
    }
    for (int i = 0; i < node->layout.ndim; i++)
        node->layout.size *= node->layout.shape[i];
    shape_strides(node->layout.stride, node->layout.ndim, node->layout.shape);
}

static lun_status add_computed(unsigned *out, lun_graph *graph, graph_node *node, lun_error *err)
{
    find_layout(node, graph);
    return graph_add(out, graph, node, err);
}

static lun_status add_cast(unsigned *out, lun_graph *graph, unsigned operand, lun_dtype dtype, lun_error *err)
{
    graph_node node = {.n = {.kind = LUN_NODE_CAST, .dtype = dtype, .args = {operand}}};
    return add_computed(out, graph, &node, err);
}

static lun_status add_fold(unsigned *out, lun_graph *graph, lun_reduce_op op, unsigned operand,
                           const lun_reduction *reduction, bool drops_axes, lun_error *err)
{
    lun_reduction over; /* the rest of its memory is zeroed: equal ones are found by their bytes */
    graph_node node = {.n = {.kind = LUN_NODE_FOLD, .fold = op, .args = {operand}}, .drops_axes = drops_axes};
    if (reduction->own || reduction->segments)
        FAIL(LUN_NOT_NOTED, "the reduction does not take expressions");
    memset(&over, 0, sizeof over);
    memcpy(over.axis, reduction->axis, sizeof over.axis);
    over.accurate = reduction->accurate;
    over.reproducible = reduction->reproducible;
    over.typed = reduction->typed;
    over.ddof = reduction->ddof;
    over.base = reduction->base;
    TRY(list_item(&node.n.args[1], (void **)&graph->reductions, &graph->reduction_count, &over, sizeof over, err));
    return add_computed(out, graph, &node, err);
}

/* Does PoCL's kernel of the expression take a number as an argument? This is done for fractions that have changed since
 * an earlier run. An argument makes a call 2 % slower, so whole numbers are compiled in, and so are divisors and
 * powers, from which the compiler makes faster code. */
static bool takes_number(const lun_graph *graph, const lun_expression *e, lun_number number)
{
    const lun_node *last = &e->nodes[e->node_count - 1];
    if (!device_on_pocl(graph->device) || last->kind != LUN_NODE_OP || lun_map_arity(last->op) + 1 != e->node_count ||
        number.is_complex || isnan(number.real) || floor(number.real) == number.real)
        return false;
    switch (last->op) {
    case LUN_MAP_add:
    case LUN_MAP_sub:
    case LUN_MAP_mul:
    case LUN_MAP_fma:
    case LUN_MAP_minimum:
    case LUN_MAP_maximum:
    case LUN_MAP_clamp:
    case LUN_MAP_where:
    case LUN_MAP_lt:
    case LUN_MAP_le:
    case LUN_MAP_gt:
    case LUN_MAP_ge:
        return true;
    default:
        return false;
    }
}

/* The graph's node for node i of an expression; `place`: those of the earlier nodes. */
static lun_status add_step(unsigned *place, size_t i, lun_graph *graph, const lun_expression *e,
                           const lun_reduction *over, lun_error *err)
{
    graph_node node = {.n = e->nodes[i]};
    for (unsigned k = 0; k < graph_operands(&node.n); k++)
        node.n.args[k] = place[node.n.args[k]];
    switch (node.n.kind) {
    case LUN_NODE_ARRAY:
        return graph_node_of(&place[i], graph, e->arrays[node.n.args[0]], err);
    case LUN_NODE_NUMBER:
        node.n.value = e->numbers[node.n.args[0]];
        node.n.args[0] = node.n.value.argument - 1u;
        node.n.kind = node.n.value.argument ? LUN_NODE_NUMBER : LUN_NODE_CONSTANT;
        node.passed = !node.n.value.argument && takes_number(graph, e, node.n.value);
        return graph_add(&place[i], graph, &node, err);
    case LUN_NODE_CONSTANT:
        if (node.n.value.argument) {
            node.n.args[0] = node.n.value.argument - 1u;
            node.n.kind = LUN_NODE_NUMBER;
        }
        return graph_add(&place[i], graph, &node, err);
    case LUN_NODE_FOLD:
        return add_fold(&place[i], graph, node.n.fold, node.n.args[0], over, false, err);
    default:
        return add_computed(&place[i], graph, &node, err);
    }
}

lun_status graph_note(const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                      const lun_reduction *over, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_graph *graph = graph_of(outs[0]);
    unsigned *place = NEW(e->node_count + 1, sizeof *place, "a graph"), node;
    if (e->texts || e->reads)
        FAIL_DONE(LUN_NOT_NOTED, "the expression is a text");
    for (size_t i = 0; i < e->node_count; i++)
        TRY_DONE(add_step(place, i, graph, e, over, err));
    for (size_t i = 0; i < e->result_count; i++) {
        node = place[e->results[i]];
        if (!ops && graph->nodes[node].n.kind == LUN_NODE_ARRAY) /* whatever its layout in memory, the result is
                                                                  * dense */
            TRY_DONE(add_cast(&node, graph, node, outs[i]->dtype, err));
        if (ops)
            TRY_DONE(add_fold(&node, graph, ops[i], node, over, outs[i]->ndim != graph->nodes[node].layout.ndim, err));
        TRY_DONE(assign(outs[i], graph, node, err));
    }
done:
    free(place);
    return status;
}

lun_status graph_note_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, lun_error *err)
{
    lun_graph *graph = graph_of(out);
    unsigned node;
    TRY(graph_node_of(&node, graph, in, err));
    TRY(add_fold(&node, graph, reduction->op, node, reduction, out->ndim != in->ndim, err));
    return assign(out, graph, node, err);
}

lun_status graph_note_copy(const lun_array *out, const lun_array *in, lun_error *err)
{
    lun_graph *graph = graph_of(out);
    unsigned node;
    TRY(graph_node_of(&node, graph, in, err));
    TRY(add_cast(&node, graph, node, out->dtype, err));
    return assign(out, graph, node, err);
}

lun_status graph_note_read(const lun_array *out, const lun_array *in, const lun_read *read, lun_error *err)
{
    lun_graph *graph = graph_of(out);
    unsigned node;
    TRY(graph_node_of(&node, graph, in, err));
    graph->depends_on_shapes = true;
    TRY(add_read(&node, graph, node, read, out, err));
    return assign(out, graph, node, err);
}
