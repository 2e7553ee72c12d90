/* Requests with traced arrays: their computation is recorded, as nodes if it consists of expressions and reductions,
 * otherwise as a call that is repeated when the graph runs. */
#include "call/traced.h"
#include "call/request.h"

#include <stdlib.h>
#include <string.h>

/* ---- whether a request is one ------------------------------------------------------------------------------------------ */

/* Calls `look` for each value of a request, and those in its lists. */
static lun_status each_value(const lun_value *value,
                             lun_status (*look)(void *data, const lun_value *value, lun_error *err), void *data,
                             lun_error *err)
{
    TRY(look(data, value, err));
    for (size_t i = 0; value->kind == LUN_VALUE_LIST && value->list.items && i < value->list.count; i++)
        TRY(each_value(&value->list.items[i], look, data, err));
    return LUN_OK;
}

static lun_status each_of_request(const lun_request *r,
                                  lun_status (*look)(void *data, const lun_value *value, lun_error *err), void *data,
                                  lun_error *err)
{
    TRY(look(data, &r->arguments[0], err));
    for (unsigned i = 1; r->operation->arguments[i - 1].name; i++)
        TRY(each_value(&r->arguments[i], look, data, err));
    for (uint32_t left = r->given, i = 0; left; left >>= 1, i++)
        if (left & 1)
            TRY(each_value(&r->options[i], look, data, err));
    return LUN_OK;
}

typedef struct looking {
    const lun_graph *graph;
    bool arrays, traced,
        numbers; /* has it found arrays, traced ones, and numbers that are arguments of the function? */
} looking;

static lun_status look_for(void *data, const lun_value *value, lun_error *err)
{
    looking *l = data;
    const bool number = value->kind == LUN_VALUE_NUMBER || value->kind == LUN_VALUE_COMPLEX;
    l->numbers = l->numbers || (number && value->number.argument);
    if (value->kind != LUN_VALUE_ARRAY || !lun_array_is_live(value->array))
        return LUN_OK;
    l->arrays = true;
    if (!array_is_traced(value->array))
        return LUN_OK;
    l->traced = true;
    if (graph_of(value->array)->ended)
        FAIL(LUN_MISUSE,
             "an array of a traced function is used after the function has returned; only results may leave it");
    if (graph_of(value->array) != l->graph)
        FAIL(LUN_MISUSE, "one traced function cannot compute with arrays of another");
    return LUN_OK;
}

lun_status request_is_traced(bool *out, const lun_request *r, lun_error *err)
{
    looking l = {.graph = r->trace};
    lun_map_op op;
    TRY(each_of_request(r, look_for, &l, err));
    *out = l.traced || l.numbers;
    if (l.numbers && !lun_operation_is_elementwise(&op, r->operation))
        FAIL(LUN_MISUSE, "a fixed number is needed, got a number that is an argument of the fused function: "
                         "its value may differ from call to call");
    return LUN_OK;
}

lun_status trace_check_bound(const lun_request *r, lun_error *err)
{
    if (r->async || r->call.queue || r->call.variant || request_option(r, "out"))
        FAIL(LUN_MISUSE, "out, async, queue and variant have no meaning within a fused function; its call takes them");
    if (!r->result_count)
        FAIL(LUN_MISUSE, "cannot be fused: values are not known yet");
    for (size_t i = 0; !r->views && i < r->result_count; i++) {
        const lun_result *result = &r->results[i];
        if (result->given)
            FAIL(LUN_MISUSE, "a fused function cannot change arrays in place; `out` of its call may be an argument");
        if (result->late)
            FAIL(LUN_MISUSE, "cannot be fused: the size of its result depends on values, which are not known yet");
        if (result->form || result->numbers > 1)
            FAIL(LUN_MISUSE, "cannot be fused: values are not known yet");
    }
    return LUN_OK;
}

lun_status trace_outside(lun_request *r, lun_error *err)
{
    const bool out = request_option(r, "out") != NULL;
    bool computes = r->operation->owner != LUN_OF_TRACE && r->result_count && !r->views;
    looking l = {.graph = r->trace};
    for (size_t i = 0; i < r->result_count && computes; i++)
        computes = !r->results[i].numbers && !r->results[i].form && (out || !r->results[i].given);
    TRY(computes ? each_of_request(r, look_for, &l, err) : LUN_OK);
    if (!l.arrays)
        return LUN_OK;
    TRY(trace_check_bound(r, err));
    r->traced = r->views = true;
    return LUN_OK;
}

/* ---- calls ---------------------------------------------------------------------------------------------------------------- */

/* Copies a value, and what it points to, into memory of `take(from)`; arrays by `array`. */
typedef struct copying {
    void *from;
    void *(*take)(void *from, size_t bytes);
    lun_status (*array)(void *from, lun_value *value, lun_error *err);
} copying;

static lun_status copy_value(lun_value *out, const lun_value *value, const copying *c, lun_error *err);

static lun_status copy_text(const char **out, const char *text, size_t length, const copying *c, lun_error *err)
{
    char *copy = OR_LEAVE(FAIL, c->take(c->from, length + 1), "a graph");
    memcpy(copy, text, length);
    copy[length] = 0;
    *out = copy;
    return LUN_OK;
}

static lun_status copy_list(lun_value *out, const lun_value *value, const copying *c, lun_error *err)
{
    const size_t count = value->list.count;
    if (!value->list.items)
        return fail(err, LUN_MISUSE, "cannot be fused: it makes an array from a list");
    out->list.items = c->take(c->from, (count + 1) * sizeof *out->list.items);
    const char **names = value->list.names ? c->take(c->from, (count + 1) * sizeof *names) : NULL;
    if (!out->list.items || (value->list.names && !names))
        return fail(err, LUN_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        TRY(copy_value(&out->list.items[i], &value->list.items[i], c, err));
        if (names)
            TRY(copy_text(&names[i], value->list.names[i], strlen(value->list.names[i]), c, err));
    }
    out->list.names = names;
    return LUN_OK;
}

static lun_status copy_value(lun_value *out, const lun_value *value, const copying *c, lun_error *err)
{
    *out = *value;
    out->hint = NULL;
    switch (value->kind) {
    case LUN_VALUE_TEXT:
    case LUN_VALUE_CUT:
        return copy_text(&out->text, value->text, value->length ? value->length : strlen(value->text), c, err);
    case LUN_VALUE_ARRAY:
        return c->array(c->from, out, err);
    case LUN_VALUE_LIST:
        return copy_list(out, value, c, err);
    case LUN_VALUE_SPARSE:
        return fail(err, LUN_MISUSE, "cannot be fused: operations on sparse matrices are not recorded");
    default:
        return LUN_OK;
    }
}

static void *take_of_graph(void *graph, size_t bytes) { return graph_memory(graph, bytes); }

static lun_status note_array(void *graph, lun_value *value, lun_error *err)
{
    unsigned node;
    TRY(graph_node_of(&node, graph, value->array, err));
    value->array = NULL;
    value->length = node;
    return LUN_OK;
}

/* Options in the place of an argument are not options of the call. */
static uint32_t given_alone(const lun_request *r)
{
    uint32_t given = r->given;
    for (unsigned i = 1; r->operation->arguments[i - 1].name; i++) {
        const lun_option *option = lun_operation_option(r->operation, r->operation->arguments[i - 1].name);
        if (option && r->arguments[i].kind != LUN_VALUE_NOTHING)
            given &= ~(1u << (option - r->operation->options));
    }
    return given;
}

/* Records the call, whose results are nodes. */
static lun_status note_call(lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_graph *graph = r->trace;
    const copying c = {graph, take_of_graph, note_array};
    graph_call call = {
        .operation = r->operation, .manner = r->manner, .given = given_alone(r), .reproducible = r->reproducible};
    call.result_count = r->result_count;
    if (r->stream || r->operation->owner == LUN_OF_STREAM)
        FAIL(LUN_MISUSE, "cannot be fused: random numbers would be the same at every call");
    for (unsigned i = 0; i <= LUN_ARGUMENTS; i++)
        TRY(copy_value(&call.arguments[i], &r->arguments[i], &c, err));
    for (uint32_t left = call.given, i = 0; left; left >>= 1, i++)
        if (left & 1)
            TRY(copy_value(&call.options[i], &r->options[i], &c, err));
    graph->calls = OR_LEAVE(FAIL, realloc(graph->calls, (graph->call_count + 1) * sizeof call), "a graph");
    graph->calls[graph->call_count++] = call;
    graph->depends_on_shapes = true;
    for (size_t i = 0; i < r->result_count; i++) {
        unsigned at;
        graph_node node = {.n.kind = LUN_NODE_ARRAY,
                           .source = GRAPH_CALL,
                           .of = (unsigned)graph->call_count - 1,
                           .result = (unsigned)i,
                           .layout = *out[i]};
        node.layout.device = NULL;
        node.layout.block = NULL;
        TRY(graph_add(&at, graph, &node, err));
        block_set_node(out[i]->block, at, false);
    }
    return LUN_OK;
}

#define MOST_TURNS 100 /* of an operation that runs in stages */

/* Runs the operation's own function on traced arrays: the functions that it calls record nodes. LUN_NOT_NOTED: it does
 * something that nodes cannot express. */
static lun_status record_by_running(lun_request *r, lun_array *const *out, lun_error *err)
{
    const request_functions *functions = r->operation->functions;
    bool more = true;
    for (int turns = 0; more; turns++) {
        more = false;
        if (turns == MOST_TURNS)
            FAIL(LUN_NOT_NOTED, "it waits");
        TRY(functions->run(&more, r, out, err));
    }
    for (size_t i = 0; i < r->result_count; i++)
        if (block_node(out[i]->block) == BLOCK_NO_NODE)
            FAIL(LUN_NOT_NOTED, "it leaves a result unwritten");
    return LUN_OK;
}

lun_status trace_request(lun_request *r, lun_array *const *out, lun_error *err)
{
    r->views = false; /* it was set so that the host makes arrays without memory */
    for (size_t i = 0; i < r->result_count; i++)
        TRY(lun_graph_array(out[i], r->trace, r->device, r->results[i].dtype, r->results[i].ndim, r->results[i].shape,
                            err));
    const lun_status status = record_by_running(r, out, err);
    if (status != LUN_OK && status != LUN_NOT_NOTED)
        return status;
    for (size_t i = 0; status == LUN_NOT_NOTED && i < r->result_count; i++)
        block_set_node(out[i]->block, BLOCK_NO_NODE, false);
    if (status == LUN_NOT_NOTED)
        TRY(note_call(r, out, err));
    for (size_t i = 0; i < r->result_count; i++) {
        const unsigned node = block_node(out[i]->block);
        if (r->results[i].numbers)
            r->trace->nodes[node].number = true;
        block_set_node(out[i]->block, node, r->trace->nodes[node].number);
    }
    return LUN_OK;
}

static void visit_value(const lun_value *value, void (*visit)(void *data, unsigned node), void *data)
{
    if (value->kind == LUN_VALUE_ARRAY)
        visit(data, (unsigned)value->length);
    for (size_t i = 0; value->kind == LUN_VALUE_LIST && i < value->list.count; i++)
        visit_value(&value->list.items[i], visit, data);
}

void graph_call_arrays(const graph_call *call, void (*visit)(void *data, unsigned node), void *data)
{
    for (unsigned i = 0; i <= LUN_ARGUMENTS; i++)
        visit_value(&call->arguments[i], visit, data);
    for (uint32_t left = call->given, i = 0; left; left >>= 1, i++)
        if (left & 1)
            visit_value(&call->options[i], visit, data);
}

/* ---- calling again --------------------------------------------------------------------------------------------------------- */

typedef struct calling {
    lun_request *r;
    lun_status (*array_of)(lun_array **out, void *context, unsigned node, lun_error *err);
    void *context;
} calling;

static void *take_of_request(void *from, size_t bytes) { return lun_request_memory(((calling *)from)->r, bytes); }

static lun_status find_array(void *from, lun_value *value, lun_error *err)
{
    calling *c = from;
    return c->array_of(&value->array, c->context, (unsigned)value->length, err);
}

lun_status graph_call_bind(lun_request *out, const lun_graph *graph, const graph_call *call,
                           lun_status (*array_of)(lun_array **out, void *context, unsigned node, lun_error *err),
                           void *context, lun_error *err)
{
    calling from = {out, array_of, context};
    const copying c = {&from, take_of_request, find_array};
    lun_request_init(out, call->operation, call->manner);
    out->device = graph->device;
    out->given = call->given;
    out->reproducible = call->reproducible;
    out->told = call->given != 0;
    for (unsigned i = 0; i <= LUN_ARGUMENTS; i++)
        TRY(copy_value(&out->arguments[i], &call->arguments[i], &c, err));
    for (uint32_t left = call->given, i = 0; left; left >>= 1, i++)
        if (left & 1)
            TRY(copy_value(&out->options[i], &call->options[i], &c, err));
    out->async = true; /* numbers are arrays, too */
    return lun_request_bind(out, err);
}
