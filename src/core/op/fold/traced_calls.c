/* What a fused function computes, as its rows of operation.def are called: the trace's kernel, or its reductions in one pass. */
#include "api/functions.h"
#include "op/expression/expression.h"
#include "op/own.h"

#include <string.h>

typedef struct traced {
    lun_expression e;
    lun_reduction reduction;
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number numbers[LUN_MAP_NUMBERS];
} traced;

/* Says, if a function refuses the dtypes of its operands, which node that is. Numbers that are arguments may differ from call to call:
 * their values do not count. */
static void find_refused(lun_trace *trace, const lun_expression *given, lun_error *err)
{
    lun_expression e = *given;
    lun_number zeros[LUN_MAP_NUMBERS];
    lun_error refusal;
    size_t node;
    for (size_t i = 0; i < e.number_count; i++)
        zeros[i] = e.numbers[i].is_integer ? lun_integer(0) : e.numbers[i].is_complex ? lun_complex(0, 0) : lun_real(0);
    e.numbers = zeros;
    if (trace->reduces || lun_map_check(&node, &e, &refusal) == LUN_OK || node == e.node_count)
        return;
    *err = refusal;
    trace->refused = true;
    trace->refused_at = trace->noted[node];
}

/* The number that a node is; NULL: it is none. */
static const lun_number *number_of(const lun_expression *e, unsigned node)
{
    const lun_node *n = &e->nodes[node];
    return n->kind == LUN_NODE_NUMBER ? &e->numbers[n->args[0]] : n->kind == LUN_NODE_CONSTANT ? &n->value : NULL;
}

/* Of a clamp's limits that are numbers the lower one comes first; of arrays the device alone knows. */
static lun_status check_limits(lun_trace *trace, const lun_expression *e, lun_error *err)
{
    char from[SHOWN], to[SHOWN];
    for (size_t i = 0; i < e->node_count; i++) {
        const lun_node *n = &e->nodes[i];
        const bool clamp = n->kind == LUN_NODE_OP && n->op == LUN_MAP_clamp;
        const lun_number *low = clamp ? number_of(e, n->args[1]) : NULL;
        const lun_number *high = clamp ? number_of(e, n->args[2]) : NULL;
        if (!low || !high || !number_is_below(*high, *low))
            continue;
        trace->refused = true;
        trace->refused_at = trace->noted[i];
        return fail(err, LUN_MISUSE, "clamp: low %s is above high %s; clamp takes the lower number first",
                    number_shown(from, *low), number_shown(to, *high));
    }
    return LUN_OK;
}

static lun_status begin(traced **out, lun_request *r, lun_error *err)
{
    traced *s = REQUEST_STATE(r, traced);
    lun_trace *t = r->trace;
    const lun_value *numbers = &r->arguments[1];
    const lun_list *arrays = &r->arguments[2].list;
    const size_t count = numbers->kind == LUN_VALUE_NOTHING ? 0 : value_count(numbers);
    if (arrays->count != t->array_count || count != t->number_count)
        FAIL(LUN_MISUSE, "%zu arrays and %zu numbers are wanted, got %zu and %zu", t->array_count, t->number_count,
             arrays->count, count);
    for (size_t i = 0; i < arrays->count; i++)
        s->arrays[i] = arrays->items[i].array;
    for (size_t i = 0; i < count; i++)
        s->numbers[i] = value_item(numbers, i)->number;
    s->e = (lun_expression){.name = "fuse",
                            .nodes = t->nodes,
                            .node_count = t->count,
                            .results = t->results,
                            .result_count = t->result_count,
                            .arrays = s->arrays,
                            .array_count = arrays->count,
                            .reads = t->reads_shifted ? t->reads : NULL,
                            .numbers = s->numbers,
                            .number_count = count,
                            .dtype = LUN_DTYPES};
    t->refused = false;
    r->device = s->arrays[0]->device;
    *out = s;
    return check_limits(t, &s->e, err);
}

static void read_options(traced *s, const lun_request *r)
{
    s->reduction = (lun_reduction){.accurate = request_truth(r, "accurate"),
                                   .reproducible = request_truth(r, "reproducible"),
                                   .typed = request_option(r, "dtype") != NULL, /* the elements are cast to it */
                                   .ddof = request_number(r, "ddof", lun_integer(0)).real,
                                   .base = r->manner->first};
}

/* ---- without reductions, or with such in the midst ---------------------------------------------------------------------------------------------- */

/* Those in the midst, whose axes are the results'. */
static lun_status read_reduction(traced *s, lun_request *r, lun_error *err)
{
    bool numbers;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *most = s->e.arrays[0];
    for (size_t i = 1; i < s->e.array_count; i++)
        most = s->e.arrays[i]->ndim > most->ndim ? s->e.arrays[i] : most;
    ndim = most->ndim;
    memcpy(shape, most->shape, sizeof shape);
    read_options(s, r);
    return request_reduced(&numbers, s->reduction.axis, r, ndim, shape, err);
}

static lun_status bind(lun_request *r, lun_error *err)
{
    traced *s;
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(begin(&s, r, err));
    TRY(request_outs(r, s->e.result_count, err));
    if (r->trace->reduces)
        TRY(read_reduction(s, r, err));
    if (lun_passes_result(dtypes, &ndim, shape, &s->e, &s->reduction, err) != LUN_OK) {
        find_refused(r->trace, &s->e, err);
        return err->status;
    }
    for (size_t i = 0; i < s->e.result_count; i++)
        request_tell(r, i, dtypes[i], ndim, shape);
    return LUN_OK;
}

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const traced *s = r->state;
    return lun_passes((const lun_array *const *)out, &s->e, &s->reduction, &r->call, err);
}

const request_functions traced_functions = {bind, run};

/* ---- with reductions ------------------------------------------------------------------------------------------------- */

static lun_status bind_fold(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    traced *s;
    TRY(begin(&s, r, err));
    read_options(s, r);
    status = fold_bind(r, &s->e, r->trace->ops, &s->reduction, err);
    if (status != LUN_OK)
        find_refused(r->trace, &s->e, err);
    return status;
}

static lun_status run_fold(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const traced *s = r->state;
    return fold_run(more, r, &s->e, r->trace->ops, &s->reduction, out, err);
}

const request_functions traced_fold_functions = {bind_fold, run_fold};
