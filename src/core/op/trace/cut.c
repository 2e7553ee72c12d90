/* Cutting a graph into steps: which values are stored in arrays for later steps.
 *
 * A value is stored if it is needed as an array: a call takes it, it is read at other positions or as a view, it is a
 * reduction, or an expression would otherwise be too large for a kernel. All other values exist only inside kernels;
 * each kernel that needs one computes it. A reduction is not stored if it keeps its axes and all reductions of the
 * expression have the same axes. Softmax along axis 1 is such an expression:
 *
 *     x --------- sub --- exp ---+--------- div --- result
 *      \          /              \         /
 *       max(axis 1)               sum(axis 1)
 *
 * Both reductions are inner ones (find_inner_reduction), nothing is stored, and the whole graph is one STEP_MAP with
 * `reduces`. The step runs as lun_passes (op/fold/passes.c), which decides by device and shape: one kernel that holds a
 * row at a time (op/fold/fused.c), or one kernel for each pass: max, sum, then the elements. If the sum were over all
 * axes, both reductions would be stored (split_at_reductions): two STEP_FOLDs, followed by a STEP_MAP that reads their
 * results. */
#include "op/trace/cut.h"
#include "base/shape.h"
#include "op/expression/read.h"

#include <stdlib.h>
#include <string.h>

bool is_stored_or_given(const lun_graph *graph, const graph_node *node)
{
    if (node->stored || !is_source(node))
        return node->stored;
    return node->source == GRAPH_VIEW ? is_stored_or_given(graph, &graph->nodes[node->of]) : node->source != GRAPH_READ;
}

/* ---- what is needed, and stored ----------------------------------------------------------------------------------------- */

graph_node *find_inner_reduction(const lun_graph *graph, unsigned node, unsigned *fold)
{
    graph_node *v = &graph->nodes[node], *of = is_of(v, GRAPH_VIEW) ? &graph->nodes[v->of] : v;
    int64_t stride[LUN_MAX_AXES];
    if (of->n.kind != LUN_NODE_FOLD || of->number || of->stored)
        return NULL;
    const graph_node *operand = &graph->nodes[of->n.args[0]];
    const bool *goes = graph->reductions[of->n.args[1]].axis;
    bool same = v->layout.dtype == of->layout.dtype && v->layout.ndim == operand->layout.ndim && !v->layout.offset;
    shape_strides(stride, v->layout.ndim, v->layout.shape);
    for (int i = 0; same && i < v->layout.ndim; i++) {
        same = v->layout.shape[i] == (goes[i] ? 1 : operand->layout.shape[i]);
        same = same && (v->layout.shape[i] < 2 || v == of || v->layout.stride[i] == stride[i]);
    }
    *fold = (unsigned)(of - graph->nodes);
    return same ? of : NULL;
}

/* Marks that the node's value is needed as an array. */
static void store(lun_graph *graph, unsigned node)
{
    graph_node *v = &graph->nodes[node];
    v->needed = true;
    if (is_of(v, GRAPH_VIEW))
        store(graph, v->of);
    else if (!is_stored_or_given(graph, v))
        v->stored = true;
}

static void store_visited(void *graph, unsigned node) { store(graph, node); }

/* ---- reads ------------------------------------------------------------------------------------------------------------- */

/* A part of a read at other positions: along each axis a contiguous range. False: it is not such a part. */
static bool narrow_read(lun_read *out, const lun_read *read, const lun_array *part, const graph_node *whole)
{
    int64_t stride[LUN_MAX_AXES], at = part->offset;
    bool is = part->dtype == whole->layout.dtype && part->ndim == whole->layout.ndim;
    shape_strides(stride, whole->layout.ndim, whole->layout.shape);
    *out = *read;
    for (int i = 0; is && i < part->ndim; i++) {
        const int64_t first = stride[i] ? at / stride[i] : 0;
        at -= first * stride[i];
        out->first[i] = first + 1;
        out->last[i] = first + (int64_t)part->shape[i];
        is = !read->first[i] && !read->last[i] && part->shape[i] > 0 &&
             (part->shape[i] == 1 || part->stride[i] == stride[i]);
    }
    return is && at == 0;
}

/* Views of a read at other positions become narrower reads, if a kernel can do them. */
static lun_status narrow_reads(lun_graph *graph, lun_error *err)
{
    lun_error ignored;
    for (size_t i = 0; i < graph->count; i++) {
        graph_node *v = &graph->nodes[i];
        const graph_node *read = is_of(v, GRAPH_VIEW) ? &graph->nodes[v->of] : v;
        lun_read narrow;
        if (read == v || !is_of(read, GRAPH_READ) || !narrow_read(&narrow, &graph->reads[read->read], &v->layout, read))
            continue;
        lun_array from = graph->nodes[read->of].layout;
        from.device = graph->device;
        if (read_check(&from, &narrow, &ignored) != LUN_OK)
            continue;
        TRY(graph_add_read(&v->read, graph, &narrow, err));
        v->source = GRAPH_READ;
        v->of = read->of;
        v->layout.offset = 0;
        shape_strides(v->layout.stride, v->layout.ndim, v->layout.shape);
    }
    return LUN_OK;
}

/* Marks the operands of needed nodes. Nodes come after their operands. */
static void find_needed(lun_graph *graph)
{
    for (size_t i = graph->count; i-- > 0;) {
        graph_node *v = &graph->nodes[i];
        unsigned fold;
        if (!v->needed)
            continue;
        for (unsigned k = 0; k < graph_operands(&v->n); k++)
            graph->nodes[v->n.args[k]].needed = true;
        if (!is_source(v))
            continue;
        if (v->source == GRAPH_CALL)
            graph_call_arrays(&graph->calls[v->of], store_visited, graph);
        else if (v->source == GRAPH_VIEW && find_inner_reduction(graph, (unsigned)i, &fold))
            graph->nodes[fold].needed = true;
        else if (v->source == GRAPH_VIEW || v->source == GRAPH_READ)
            store(graph, v->of);
    }
}

/* ---- expressions: the nodes that a step would compute ------------------------------------------------------------------------- */

expression_extent mark_expression(cutting *c, unsigned top, bool inside, bool read)
{
    lun_graph *graph = c->graph;
    expression_extent t = {.nodes = 1, .arrays = 1};
    unsigned fold;
    memset(c->marked, 0, graph->count * sizeof *c->marked);
    c->marked[top] = true;
    if (read)
        return t;
    t = (expression_extent){.nodes = 0};
    for (size_t i = top + 1; i-- > 0;) {
        const graph_node *v = &graph->nodes[i];
        if (!c->marked[i])
            continue;
        t.nodes++;
        if (i != top && find_inner_reduction(graph, (unsigned)i, &fold) && fold != top) {
            const graph_node *of = &graph->nodes[fold];
            const lun_array *reduced = &graph->nodes[of->n.args[0]].layout;
            t.incompatible = t.incompatible ||
                             (t.folds && (of->n.args[1] != t.over || !shape_equal(reduced, t.reduced))) ||
                             reduced->ndim != graph->nodes[top].layout.ndim;
            t.over = of->n.args[1];
            t.reduced = reduced;
            t.folds++;
            c->marked[of->n.args[0]] = c->marked[of->n.args[0]] || inside;
        } else if (is_stored_or_given(graph, v) && (i != top || (is_source(v) && v->source != GRAPH_READ))) {
            t.arrays++;
        } else if (is_source(v)) {
            t.arrays++;
            t.reads = true;
        } else if (v->n.kind == LUN_NODE_NUMBER) {
            t.numbers++;
        } else if (v->n.kind == LUN_NODE_FOLD && i != top) { /* a reduction that cannot be inside an expression */
            t.incompatible = true;
            t.folds++;
        } else {
            for (unsigned k = 0; k < graph_operands(&v->n); k++)
                c->marked[v->n.args[k]] = true;
        }
    }
    return t;
}

static bool has_room(const expression_extent *t)
{
    return t->nodes <= MAP_NODES && t->arrays <= LUN_MAP_ARRAYS && t->numbers <= LUN_MAP_NUMBERS;
}

/* Stores intermediate values if an expression is too large for a kernel; returns whether it stored any. */
static bool split_oversized(cutting *c)
{
    bool changed = false;
    lun_graph *graph = c->graph;
    expression_extent all = {.nodes = 0};
    for (size_t i = 0; i < graph->count; i++) {
        all.nodes += graph->nodes[i].needed;
        all.arrays += graph->nodes[i].needed && (graph->nodes[i].stored || is_source(&graph->nodes[i]));
        all.numbers += graph->nodes[i].needed && graph->nodes[i].n.kind == LUN_NODE_NUMBER;
    }
    for (size_t i = 0; !has_room(&all) && i < graph->count; i++) {
        graph_node *v = &graph->nodes[i];
        const bool computes = v->n.kind == LUN_NODE_OP || v->n.kind == LUN_NODE_CAST;
        for (unsigned k = 0; v->needed && computes && k < graph_operands(&v->n); k++) {
            const expression_extent t = mark_expression(c, (unsigned)i, true, false);
            if (has_room(&t))
                break;
            unsigned largest = (unsigned)i; /* usually the last values have the most nodes */
            for (unsigned at = 0; at < graph_operands(&v->n); at++) {
                const graph_node *operand = &graph->nodes[v->n.args[at]];
                if (!operand->stored && graph_operands(&operand->n) && (largest == i || v->n.args[at] > largest))
                    largest = v->n.args[at];
            }
            if (largest == i)
                break;
            store(graph, largest);
            changed = true;
        }
    }
    return changed;
}

/* Stores the outer reductions of an expression; returns whether there was one. */
static bool store_reductions(cutting *c, unsigned top)
{
    bool changed = false;
    unsigned fold;
    mark_expression(c, top, false, false);
    for (size_t i = 0; i < top; i++) {
        graph_node *v = &c->graph->nodes[i];
        if (!c->marked[i])
            continue;
        if (find_inner_reduction(c->graph, (unsigned)i, &fold))
            v = &c->graph->nodes[fold];
        if (v->n.kind != LUN_NODE_FOLD || v->stored)
            continue;
        store(c->graph, (unsigned)(v - c->graph->nodes));
        changed = true;
    }
    return changed;
}

/* Stores what the expression of `node` cannot compute itself: incompatible reductions, and their operands. `given`: a
 * step must produce the node's value. Returns whether more is stored now. */
static bool split_at_reductions(cutting *c, unsigned node, bool given)
{
    lun_graph *graph = c->graph;
    graph_node *v = &graph->nodes[node];
    if (v->n.kind == LUN_NODE_FOLD && given) {
        const unsigned operand = v->n.args[0];
        if (is_stored_or_given(graph, &graph->nodes[operand]))
            return false;
        const expression_extent t = mark_expression(c, operand, false, false);
        if (t.folds && graph->nodes[operand].n.kind != LUN_NODE_FOLD)
            return store_reductions(c, operand);
        if (!t.reads && t.arrays < LUN_FOLD_ARRAYS && graph->nodes[operand].n.kind != LUN_NODE_FOLD)
            return false;
        store(graph, operand);
        return true;
    }
    if (is_source(v) || !given)
        return false;
    const expression_extent t = mark_expression(c, node, true, false);
    if (!t.folds || (!t.incompatible && !t.reads && cut_fits_passes(t.arrays, t.folds)))
        return false;
    return store_reductions(c, node);
}

static void split_all(cutting *c)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = c->graph->count; i-- > 0;)
            if (c->graph->nodes[i].needed)
                changed = split_at_reductions(c, (unsigned)i, c->graph->nodes[i].stored) || changed;
        for (size_t i = 0; i < c->graph->result_count; i++)
            changed = split_at_reductions(c, c->graph->results[i], true) || changed;
        if (changed)
            find_needed(c->graph);
    }
}

/* ---- the end ------------------------------------------------------------------------------------------------------------ */

/* Collects the host's arrays and numbers that the steps take, and renumbers them. */
static lun_status find_used(lun_graph *graph, lun_error *err)
{
    for (size_t i = 0; i < graph->count; i++) {
        graph_node *v = &graph->nodes[i];
        const bool array = is_of(v, GRAPH_ARGUMENT) && v->needed;
        size_t at = 0;
        if (array) {
            graph->arrays_used[graph->arrays_used_count] = v->of;
            v->of = (unsigned)graph->arrays_used_count++;
        }
        if (v->n.kind != LUN_NODE_NUMBER || !v->needed)
            continue;
        while (at < graph->numbers_used_count && graph->numbers_used[at] != v->n.args[0])
            at++;
        if (at == LUN_GRAPH_ARGUMENTS)
            FAIL(LUN_MISUSE, "the function has more than %d numbers", LUN_GRAPH_ARGUMENTS);
        graph->numbers_used[at] = v->n.args[0];
        graph->numbers_used_count += at == graph->numbers_used_count;
        v->n.args[0] = (unsigned)at;
    }
    return LUN_OK;
}

static lun_status cut(cutting *c, lun_error *err)
{
    lun_graph *graph = c->graph;
    TRY(find_used(graph, err));
    split_oversized(c);
    do {
        find_needed(graph);
        split_all(c);
    } while (split_oversized(c)); /* stored reductions are arrays for the expressions that use them */
    TRY(cut_into_steps(c, err));
    if (graph->step_count != 1 || graph->steps[0].kind == STEP_CALL || graph->steps[0].shifted)
        graph->depends_on_shapes = true;
    return LUN_OK;
}

lun_status lun_graph_end(lun_graph *graph, const lun_array *const *results, size_t count, lun_error *err)
{
    lun_status status = LUN_OK;
    cutting c = {.graph = graph};
    if (count > LUN_MAP_RESULTS)
        FAIL_DONE(LUN_MISUSE, "the function has more than %d results", LUN_MAP_RESULTS);
    for (size_t i = 0; i < count; i++) {
        unsigned node;
        if (!array_is_traced(results[i]) || graph_of(results[i]) != graph)
            FAIL_DONE(LUN_MISUSE, "result %zu of the fused function was computed in another call", i + 1);
        TRY_DONE(graph_node_of(&node, graph, results[i], err));
        graph->results[i] = node;
        graph->nodes[node].needed = true;
        graph->result_layouts[i] = *results[i];
        graph->result_layouts[i].device = NULL;
        graph->result_layouts[i].block = NULL;
        graph->result_is_number[i] = graph->nodes[node].number;
    }
    graph->result_count = count;
    if (!count)
        goto done;
    TRY_DONE(narrow_reads(graph, err));
    for (size_t i = 0; i < count; i++)
        if (is_of(&graph->nodes[graph->results[i]], GRAPH_VIEW))
            store(graph, graph->results[i]);
    find_needed(graph);
    c.marked = NEW_DONE(graph->count, sizeof *c.marked, "a graph");
    c.place = NEW_DONE(graph->count, sizeof *c.place, "a graph");
    c.roots = NEW_DONE(graph->count + count, sizeof *c.roots, "a graph");
    TRY_DONE(cut(&c, err));
done:
    graph->ended = true;
    graph->trace.refusal =
        "an array of a traced function is used after the function has returned; only results may leave it";
    free(c.marked);
    free(c.place);
    free(c.roots);
    return status;
}

bool lun_graph_is_elementwise(const lun_graph *graph)
{
    return !graph->depends_on_shapes && graph->steps[0].kind == STEP_MAP && !graph->steps[0].reduces;
}

size_t lun_graph_arrays(const unsigned **out, const lun_graph *graph)
{
    *out = graph->arrays_used;
    return graph->arrays_used_count;
}

size_t lun_graph_numbers(const unsigned **out, const lun_graph *graph)
{
    *out = graph->numbers_used;
    return graph->numbers_used_count;
}
