/* Running a graph: its steps in order, by the row `call` of LUN_OF_TRACE. */
#include "api/functions.h"
#include "base/shape.h"
#include "call/own.h"
#include "call/traced.h"
#include "device/device.h"
#include "op/expression/expression.h"

#include <string.h>

typedef struct replaying {
    lun_array **slots; /* for each stored node its array, a result or an array of the request */
    lun_array *views;  /* and for each view its present array */
    lun_request *call; /* that runs */
    bool called;
    lun_array *const *out;
    lun_array **apart;      /* for a result that is also read: the array that is copied there after all steps */
    bool *is_apart, copies; /* which results are such, and is there any? */
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number step_numbers[LUN_MAP_NUMBERS];
    lun_expression e;
    lun_reduction over;
} replaying;

/* ---- arrays ------------------------------------------------------------------------------------------------------- */

typedef struct owner {
    lun_request *r;
    replaying *s;
} owner;

static lun_status array_of(lun_array **out, void *context, unsigned node, lun_error *err)
{
    const owner *o = context;
    replaying *s = o->s;
    lun_graph *graph = o->r->trace;
    graph_node *v = &graph->nodes[node];
    lun_array *base;
    if (v->n.kind != LUN_NODE_ARRAY || v->source == GRAPH_CALL || v->stored) {
        *out = s->slots[node];
        return LUN_OK;
    }
    if (v->source == GRAPH_ARGUMENT) {
        *out = o->r->arguments[2].list.items[v->of].array;
        return LUN_OK;
    }
    if (v->source == GRAPH_OUTSIDE) {
        *out = &v->layout;
        return LUN_OK;
    }
    TRY(array_of(&base, context, v->of, err));
    s->views[node] = v->layout;
    s->views[node].device = base->device;
    s->views[node].block = base->block;
    s->views[node].offset +=
        base->offset * (int64_t)lun_dtype_bytes(base->dtype) / (int64_t)lun_dtype_bytes(v->layout.dtype);
    *out = &s->views[node];
    return LUN_OK;
}

/* ---- expressions -------------------------------------------------------------------------------------------------- */

static lun_status find_expression(owner *o, const graph_step *step, lun_error *err)
{
    replaying *s = o->s;
    for (size_t i = 0; i < step->array_count; i++) {
        lun_array *array;
        TRY(array_of(&array, o, step->arrays[i], err));
        s->arrays[i] = array;
    }
    for (size_t i = 0; i < step->number_count; i++)
        s->step_numbers[i] = step->numbers[i] == GRAPH_CONSTANT
                                 ? step->constants[i]
                                 : value_item(&o->r->arguments[1], step->numbers[i])->number;
    s->over = step->over;
    s->e = (lun_expression){.name = "fuse",
                            .nodes = step->nodes,
                            .node_count = step->node_count,
                            .results = step->results,
                            .result_count = step->result_count,
                            .arrays = s->arrays,
                            .array_count = step->array_count,
                            .reads = step->shifted ? step->reads : NULL,
                            .numbers = s->step_numbers,
                            .number_count = step->number_count,
                            .dtype = LUN_DTYPES};
    return LUN_OK;
}

/* If a clamp's limits are numbers, checks that the lower one comes first; for arrays only the device could check it. */
static lun_status check_limits(const lun_expression *e, lun_error *err)
{
    char from[SHOWN], to[SHOWN];
    for (size_t i = 0; i < e->node_count; i++) {
        const lun_node *n = &e->nodes[i];
        const bool clamp = n->kind == LUN_NODE_OP && n->op == LUN_MAP_clamp;
        const lun_number *low = clamp ? expression_number(e, n->args[1]) : NULL;
        const lun_number *high = clamp ? expression_number(e, n->args[2]) : NULL;
        if (low && high && number_is_below(*high, *low))
            FAIL(LUN_MISUSE, "clamp: low %s is above high %s; clamp takes the lower number first",
                 number_shown(from, *low), number_shown(to, *high));
    }
    return LUN_OK;
}

/* ---- binding ------------------------------------------------------------------------------------------------------ */

static lun_status check_arguments(lun_request *r, lun_error *err)
{
    const lun_graph *graph = r->trace;
    const lun_value *numbers = &r->arguments[1];
    const lun_list none = {.count = 0},
                   *arrays = r->arguments[2].kind == LUN_VALUE_LIST ? &r->arguments[2].list : &none;
    const size_t count = numbers->kind == LUN_VALUE_NOTHING ? 0 : value_count(numbers);
    if (arrays->count != graph->arrays_used_count || count != graph->numbers_used_count)
        FAIL(LUN_MISUSE, "%zu arrays and %zu numbers are needed, got %zu and %zu", graph->arrays_used_count,
             graph->numbers_used_count, arrays->count, count);
    for (size_t i = 0; i < arrays->count; i++)
        if (arrays->items[i].array->device != graph->device)
            FAIL_HINT(LUN_HINT_BRING_OVER, "arrays of two devices in one call");
    r->device = graph->device;
    return LUN_OK;
}

/* A graph that does not depend on shapes is one expression, which reads its arrays unshifted, and is bound as such. */
static lun_status bind_expression(replaying *s, lun_request *r, lun_error *err)
{
    const graph_step *step = &r->trace->steps[0];
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(find_expression(&(owner){r, s}, step, err));
    TRY(check_limits(&s->e, err));
    if (step->kind == STEP_FOLD)
        return fold_tell(r, &s->e, step->ops, &s->over, r->trace->result_is_number[0] && !request_option(r, "out"),
                         !step->drops_axes, err);
    TRY(request_outs(r, s->e.result_count, err));
    TRY(lun_passes_result(dtypes, &ndim, shape, &s->e, &s->over, err));
    for (size_t i = 0; i < s->e.result_count; i++)
        request_tell(r, step->result_slots[i], dtypes[i], ndim, shape);
    return LUN_OK;
}

/* Do the steps read the result's array? Then none of them writes it. */
static bool is_read(const lun_request *r, const lun_array *out)
{
    const lun_graph *graph = r->trace;
    bool read = false;
    if (graph->step_count == 1 && graph->steps[0].kind != STEP_CALL) /* a kernel may write what it reads there */
        return false;
    for (size_t i = 0; i < graph->arrays_used_count; i++)
        read = read || lun_array_overlap(out, r->arguments[2].list.items[i].array);
    for (size_t i = 0; i < graph->count; i++) {
        const graph_node *v = &graph->nodes[i];
        const bool outside = v->needed && v->n.kind == LUN_NODE_ARRAY && v->source == GRAPH_OUTSIDE;
        read = read || (outside && lun_array_overlap(out, &v->layout));
    }
    return read;
}

static lun_status bind(lun_request *r, lun_error *err)
{
    const lun_graph *graph = r->trace;
    replaying *s = REQUEST_STATE(r, replaying);
    TRY(check_arguments(r, err));
    if (!graph->depends_on_shapes)
        return bind_expression(s, r, err);
    s->slots = REQUEST_MEMORY(r, graph->count * sizeof *s->slots);
    s->views = REQUEST_MEMORY(r, graph->count * sizeof *s->views);
    s->apart = REQUEST_MEMORY(r, graph->result_count * sizeof *s->apart);
    s->is_apart = REQUEST_MEMORY(r, graph->result_count * sizeof *s->is_apart);
    TRY(request_outs(r, graph->result_count, err));
    for (size_t i = 0; i < graph->result_count; i++) {
        request_tell(r, i, graph->result_layouts[i].dtype, graph->result_layouts[i].ndim,
                     graph->result_layouts[i].shape);
        if (graph->result_is_number[i] && !r->results[i].given)
            request_tell_numbers(r, i, 1);
        if (r->results[i].given)
            TRY(array_check_out(r->results[i].given, r->results[i].given, graph->result_layouts[i].dtype,
                                graph->result_layouts[i].ndim, graph->result_layouts[i].shape, err));
        s->is_apart[i] = r->results[i].given && is_read(r, r->results[i].given);
        s->copies = s->copies || s->is_apart[i];
    }
    return LUN_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

/* The array that a step writes: a result of the function, or an array of the request. */
static lun_status slot_of(lun_array **out, lun_request *r, replaying *s, unsigned node, unsigned result,
                          lun_dtype dtype, int ndim, const size_t *shape, lun_error *err)
{
    if (result != GRAPH_NO_RESULT) {
        *out = s->out[result];
        if (s->is_apart[result]) {
            TRY(request_array(&s->apart[result], r, dtype, ndim, shape, err));
            *out = s->apart[result];
        }
        if (!s->slots[node])
            s->slots[node] = *out;
        return LUN_OK;
    }
    TRY(request_array(&s->slots[node], r, dtype, ndim, shape, err));
    *out = s->slots[node];
    return LUN_OK;
}

static lun_status run_expression(lun_request *r, replaying *s, const graph_step *step, const lun_call *call,
                                 lun_error *err)
{
    const bool folds = step->kind == STEP_FOLD;
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *outs[LUN_MAP_RESULTS];
    TRY(find_expression(&(owner){r, s}, step, err));
    TRY(check_limits(&s->e, err));
    TRY(folds ? lun_fold_result(dtypes, &ndim, shape, &s->e, step->ops, &s->over, !step->drops_axes, err)
              : lun_passes_result(dtypes, &ndim, shape, &s->e, &s->over, err));
    for (size_t i = 0; i < step->result_count; i++)
        TRY(slot_of(&outs[i], r, s, step->output_nodes[i], step->result_slots[i], dtypes[i], ndim, shape, err));
    if (!folds)
        return lun_passes((const lun_array *const *)outs, &s->e, &s->over, call, err);
    if (s->e.node_count == 1 && step->result_count == 1) { /* of one unshifted array, which has its own kernels */
        s->over.op = step->ops[0];
        return lun_reduce(outs[0], s->arrays[0], &s->over, call, err);
    }
    return lun_fold((const lun_array *const *)outs, &s->e, step->ops, &s->over, call, err);
}

static void clear_call(void *call) { lun_request_clear(call); }

/* Makes the call, possibly in slices. */
static lun_status run_call(bool *more, lun_request *r, replaying *s, const graph_step *step, const lun_call *call,
                           lun_error *err)
{
    lun_graph *graph = r->trace;
    lun_array *outs[LUN_REDUCE_NUMBERS];
    owner o = {r, s};
    if (!s->call) {
        s->call = REQUEST_MEMORY(r, sizeof *s->call);
        TRY(request_hold(r, s->call, clear_call, err));
    }
    if (!s->called) {
        lun_request_clear(s->call);
        TRY(graph_call_bind(s->call, graph, &graph->calls[step->call], array_of, &o, err));
        s->call->call = *call;
        s->called = true;
    }
    for (size_t i = 0; i < graph->count; i++) {
        const graph_node *v = &graph->nodes[i];
        unsigned result = GRAPH_NO_RESULT;
        if (v->n.kind != LUN_NODE_ARRAY || v->source != GRAPH_CALL || v->of != step->call)
            continue;
        for (unsigned k = (unsigned)graph->result_count; k-- > 0;)
            result = graph->results[k] == i ? k : result;
        TRY(slot_of(&outs[v->result], r, s, (unsigned)i, result, v->layout.dtype, v->layout.ndim, v->layout.shape,
                    err));
    }
    TRY(lun_request_run(more, s->call, outs, err));
    s->called = *more;
    return LUN_OK;
}

/* Releases arrays that no later step needs. */
static void forget(lun_request *r, replaying *s, size_t done)
{
    const lun_graph *graph = r->trace;
    for (size_t i = 0; i < graph->count; i++) {
        bool result = false;
        for (size_t k = 0; k < graph->result_count; k++)
            result = result || graph->results[k] == i;
        if (s->slots[i] && !result && graph->nodes[i].last == done)
            lun_array_clear(s->slots[i]);
    }
}

static lun_status copy_results(lun_request *r, replaying *s, lun_error *err)
{
    for (size_t i = 0; i < r->result_count; i++)
        if (s->apart[i])
            TRY(lun_array_copy(s->out[i], s->apart[i], &r->call, err));
    return LUN_OK;
}

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const lun_graph *graph = r->trace;
    replaying *s = r->state;
    s->out = out;
    const bool last = (size_t)r->stage + 1 == graph->step_count;
    lun_call call = last && !s->copies ? r->call : request_unnoticed(r);
    if ((size_t)r->stage == graph->step_count)
        return copy_results(r, s, err);
    const graph_step *step = &graph->steps[r->stage];
    if (step->kind == STEP_CALL)
        call.variant = NULL; /* of kernels, which have others */
    if (!graph->depends_on_shapes && step->kind == STEP_FOLD)
        return fold_run(more, r, &s->e, step->ops, &s->over, out, err);
    if (!graph->depends_on_shapes)
        return lun_passes((const lun_array *const *)out, &s->e, &s->over, &call, err);
    if (step->kind == STEP_CALL)
        TRY(run_call(more, r, s, step, &call, err));
    else
        TRY(run_expression(r, s, step, &call, err));
    if (*more)
        return LUN_OK;
    forget(r, s, (size_t)r->stage);
    *more = !last || s->copies;
    r->stage += *more;
    return LUN_OK;
}

const request_functions graph_call_functions = {bind, run};
