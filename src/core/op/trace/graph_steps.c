/* The steps of a graph that has been cut, in order: the expressions of kernels, and the calls between them. */
#include "base/shape.h"
#include "op/folded.h"
#include "op/trace/cut.h"

#include <stdlib.h>
#include <string.h>

/* ---- the order -------------------------------------------------------------------------------------------------------- */

typedef struct latest {
    const lun_graph *graph;
    unsigned level;
} latest;

static void find_latest(void *data, unsigned node)
{
    latest *l = data;
    l->level = (unsigned)larger(l->level, l->graph->nodes[node].level);
}

static unsigned level_of_call(const lun_graph *graph, const graph_call *call)
{
    latest l = {graph, 0};
    graph_call_arrays(call, find_latest, &l);
    return l.level + 1;
}

/* The number of successive steps before a value can be read, including its own if it is stored. */
static void find_levels(lun_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        graph_node *v = &graph->nodes[i];
        v->level = 0;
        for (unsigned k = 0; k < graph_operands(&v->n); k++)
            v->level = (unsigned)larger(v->level, graph->nodes[v->n.args[k]].level);
        if (is_source(v) && (v->source == GRAPH_VIEW || v->source == GRAPH_READ))
            v->level = graph->nodes[v->of].level;
        if (is_of(v, GRAPH_CALL) && v->needed)
            v->level = level_of_call(graph, &graph->calls[v->of]);
        v->level += v->stored;
    }
}

/* ---- steps -------------------------------------------------------------------------------------------------------------- */

static lun_status add_array(graph_step *s, lun_graph *graph, unsigned node, bool top, lun_error *err)
{
    const graph_node *v = &graph->nodes[node];
    const bool shifted = is_of(v, GRAPH_READ) && (top || !v->stored);
    if (s->array_count == LUN_MAP_ARRAYS)
        FAIL(LUN_MISUSE, "the function has more than %d arrays in one step", LUN_MAP_ARRAYS);
    s->arrays[s->array_count] = shifted ? v->of : node;
    s->reads[s->array_count] = shifted ? graph->reads[v->read] : (lun_read){0};
    s->shifted = s->shifted || shifted;
    s->nodes[s->node_count] =
        (lun_node){.kind = LUN_NODE_ARRAY, .args = {(unsigned)s->array_count++}, .number = v->number};
    return LUN_OK;
}

#define MOST_PASSED 4 /* numbers of a kernel, above which constants are compiled in */

static void add_number(graph_step *s, lun_node *n, unsigned number)
{
    s->constants[s->number_count] = n->value;
    s->numbers[s->number_count] = number;
    n->value = (lun_number){0};
    n->kind = LUN_NODE_NUMBER;
    n->args[0] = (unsigned)s->number_count++;
}

/* The marked nodes as an expression; `tops` are computed even if they are stored. */
static lun_status build(cutting *c, graph_step *s, const unsigned *tops, size_t count, lun_error *err)
{
    lun_graph *graph = c->graph;
    unsigned fold;
    size_t marked = 0, numbers = 0; /* those of the host that have no place yet */
    FREED bool *all = calloc(graph->count, sizeof *all), *top = calloc(graph->count, sizeof *top);
    if (!all || !top)
        FAIL(LUN_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const bool read = s->kind == STEP_FOLD && is_stored_or_given(graph, &graph->nodes[tops[i]]);
        mark_expression(c, tops[i], true, read);
        top[tops[i]] = !read;
        for (size_t k = 0; k < graph->count; k++)
            all[k] = all[k] || c->marked[k];
    }
    for (size_t i = 0; i < graph->count; i++) {
        marked += all[i];
        numbers += all[i] && graph->nodes[i].n.kind == LUN_NODE_NUMBER;
    }
    s->nodes = OR_LEAVE(FAIL, graph_memory(graph, 2 * marked * sizeof *s->nodes), "a graph");
    for (size_t i = 0; i < graph->count; i++) {
        const graph_node *v = &graph->nodes[i];
        lun_node *n = &s->nodes[s->node_count];
        if (!all[i])
            continue;
        if (!top[i] && find_inner_reduction(graph, (unsigned)i, &fold)) {
            *n = graph->nodes[fold].n;
            n->args[0] = c->place[n->args[0]];
            s->over = graph->reductions[n->args[1]];
            s->reduces = true;
        } else if (is_source(v) || (v->stored && !top[i])) {
            TRY(add_array(s, graph, (unsigned)i, top[i], err));
        } else {
            *n = v->n;
            for (unsigned k = 0; k < graph_operands(n); k++)
                n->args[k] = c->place[n->args[k]];
            if (n->kind == LUN_NODE_NUMBER)
                add_number(s, n, n->args[0]);
            else if (v->passed && s->number_count + numbers < MOST_PASSED)
                add_number(s, n, GRAPH_CONSTANT);
            numbers -= v->n.kind == LUN_NODE_NUMBER;
        }
        c->place[i] = (unsigned)s->node_count++;
    }
    for (size_t i = 0; i < count; i++)
        s->results[i] = c->place[tops[i]];
    s->result_count = count;
    return LUN_OK;
}

static lun_status new_step(graph_step **out, lun_graph *graph, graph_step_kind kind, lun_error *err)
{
    graph->steps = OR_LEAVE(FAIL, realloc(graph->steps, (graph->step_count + 1) * sizeof **out), "a graph");
    *out = &graph->steps[graph->step_count++];
    **out = (graph_step){.kind = kind};
    return LUN_OK;
}

/* Can both be results of one kernel? */
static bool go_together(const lun_graph *graph, const root *a, const root *b)
{
    const graph_node *v = &graph->nodes[a->node], *w = &graph->nodes[b->node];
    const bool folds = v->n.kind == LUN_NODE_FOLD;
    if (b->done || a->level != b->level || folds != (w->n.kind == LUN_NODE_FOLD))
        return false;
    if (v->number != w->number)
        return false;
    if (!folds)
        return shape_equal(&v->layout, &w->layout);
    return v->n.args[1] == w->n.args[1] && v->drops_axes == w->drops_axes &&
           shape_equal(&graph->nodes[v->n.args[0]].layout, &graph->nodes[w->n.args[0]].layout);
}

static size_t count_folds(const graph_step *step)
{
    size_t count = 0;
    for (size_t i = 0; i < step->node_count; i++)
        count += step->nodes[i].kind == LUN_NODE_FOLD;
    return count;
}

/* Can a kernel, or lun_passes, compute the step? */
static bool fits(const graph_step *step)
{
    if (step->node_count > MAP_NODES || step->number_count > LUN_MAP_NUMBERS || (step->reduces && step->shifted))
        return false;
    if (step->kind == STEP_FOLD)
        return step->array_count + step->result_count <= LUN_FOLD_ARRAYS;
    return !step->reduces || cut_fits_passes(step->array_count, count_folds(step));
}

/* Do the inner reductions of two expressions, if both have any, have the same axes and shapes? */
static bool reduce_alike(const expression_extent *a, const expression_extent *b)
{
    return !a->folds || !b->folds || (a->over == b->over && shape_equal(a->reduced, b->reduced));
}

/* A step for root i, and for other compatible roots as far as a kernel has room. */
static lun_status add_step(cutting *c, size_t first, lun_error *err)
{
    lun_graph *graph = c->graph;
    const bool folds = graph->nodes[c->roots[first].node].n.kind == LUN_NODE_FOLD;
    const size_t most = folds ? FOLDS_TOGETHER : LUN_MAP_RESULTS;
    unsigned tops[LUN_MAP_RESULTS];
    expression_extent reducing = {.folds = 0}; /* a result's expression with inner reductions */
    graph_step *s = NULL, tried;
    lun_error ignored;
    TRY(new_step(&s, graph, folds ? STEP_FOLD : STEP_MAP, err));
    for (size_t i = first; i < c->root_count && s->result_count < most; i++) {
        const graph_node *v = &graph->nodes[c->roots[i].node];
        if (i != first && !go_together(graph, &c->roots[first], &c->roots[i]))
            continue;
        const size_t at = s->result_count;
        tried = (graph_step){.kind = s->kind};
        memcpy(tried.output_nodes, s->output_nodes, sizeof tried.output_nodes);
        memcpy(tried.ops, s->ops, sizeof tried.ops);
        tops[at] = folds ? v->n.args[0] : c->roots[i].node;
        if (build(c, &tried, tops, at + 1, i == first ? err : &ignored) != LUN_OK && i == first)
            return err->status;
        const expression_extent alone =
            mark_expression(c, tops[at], true, folds && is_stored_or_given(graph, &graph->nodes[tops[at]]));
        if (i != first && (tried.result_count != at + 1 || !fits(&tried) || !reduce_alike(&alone, &reducing)))
            continue;
        reducing = alone.folds ? alone : reducing;
        *s = tried;
        s->output_nodes[at] = (unsigned)i;
        s->ops[at] = v->n.fold;
        s->drops_axes = v->drops_axes;
        if (folds)
            s->over = graph->reductions[v->n.args[1]];
        c->roots[i].done = true;
    }
    return LUN_OK;
}

static lun_status add_call(lun_graph *graph, unsigned call, lun_error *err)
{
    graph_step *s = NULL;
    TRY(new_step(&s, graph, STEP_CALL, err));
    s->call = call;
    return LUN_OK;
}

static void add_root(cutting *c, unsigned node, unsigned result)
{
    const graph_node *v = &c->graph->nodes[node];
    c->roots[c->root_count++] = (root){.node = node, .result = result, .level = v->level + !v->stored};
}

/* A root for each result, except those that a call writes itself; then one for each other stored value. */
static void find_roots(cutting *c)
{
    lun_graph *graph = c->graph;
    for (size_t i = 0; i < graph->result_count; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || graph->results[k] == graph->results[i];
        if (again || !is_of(&graph->nodes[graph->results[i]], GRAPH_CALL))
            add_root(c, graph->results[i], (unsigned)i);
    }
    for (size_t i = 0; i < graph->count; i++) {
        bool given = !graph->nodes[i].needed || !graph->nodes[i].stored;
        for (size_t k = 0; k < graph->result_count; k++)
            given = given || graph->results[k] == i;
        if (!given)
            add_root(c, (unsigned)i, GRAPH_NO_RESULT);
    }
}

static lun_status add_steps(cutting *c, lun_error *err)
{
    lun_graph *graph = c->graph;
    unsigned deepest = 0;
    for (size_t i = 0; i < graph->count; i++)
        deepest = graph->nodes[i].needed && graph->nodes[i].level > deepest ? graph->nodes[i].level : deepest;
    for (unsigned level = 1; level <= deepest + 1; level++) {
        for (size_t i = 0; i < graph->count; i++) {
            const graph_node *v = &graph->nodes[i];
            const bool due = is_of(v, GRAPH_CALL) && v->needed && v->level == level;
            bool added = false;
            for (size_t k = 0; due && k < graph->step_count; k++)
                added = added || (graph->steps[k].kind == STEP_CALL && graph->steps[k].call == v->of);
            if (due && !added)
                TRY(add_call(graph, v->of, err));
        }
        for (size_t i = 0; i < c->root_count; i++)
            if (!c->roots[i].done && c->roots[i].level == level)
                TRY(add_step(c, i, err));
    }
    return LUN_OK;
}

/* ---- how long values are stored ------------------------------------------------------------------------------------------- */

static void note_read(lun_graph *graph, unsigned node, unsigned step)
{
    graph_node *v = &graph->nodes[node];
    v->last = step;
    if (is_source(v) && (v->source == GRAPH_VIEW || (v->source == GRAPH_READ && !v->stored)))
        note_read(graph, v->of, step);
}

typedef struct reading {
    lun_graph *graph;
    unsigned step;
} reading;

static void note_visited(void *data, unsigned node)
{
    note_read(((reading *)data)->graph, node, ((reading *)data)->step);
}

static void find_last(lun_graph *graph)
{
    for (unsigned i = 0; i < graph->step_count; i++) {
        const graph_step *s = &graph->steps[i];
        for (size_t k = 0; k < s->result_count; k++)
            graph->nodes[s->output_nodes[k]].last = i;
        for (size_t k = 0; k < s->array_count; k++)
            note_read(graph, s->arrays[k], i);
        if (s->kind == STEP_CALL)
            graph_call_arrays(&graph->calls[s->call], note_visited, &(reading){graph, i});
        for (size_t k = 0; s->kind == STEP_CALL && k < graph->count; k++) /* results that no step reads */
            if (is_of(&graph->nodes[k], GRAPH_CALL) && graph->nodes[k].of == s->call)
                graph->nodes[k].last = i;
    }
}

lun_status cut_into_steps(cutting *c, lun_error *err)
{
    lun_graph *graph = c->graph;
    find_levels(graph);
    find_roots(c);
    TRY(add_steps(c, err));
    for (size_t i = 0; i < graph->step_count; i++) /* from positions of roots to nodes and results */
        for (size_t k = 0; k < graph->steps[i].result_count; k++) {
            const root *of = &c->roots[graph->steps[i].output_nodes[k]];
            graph->steps[i].result_slots[k] = of->result;
            graph->steps[i].output_nodes[k] = of->node;
        }
    find_last(graph);
    return LUN_OK;
}
