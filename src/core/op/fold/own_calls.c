/* Operators of the host's user, and products that are summed, as rows of operation.def are called. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "call/own.h"

#include <stdio.h>
#include <string.h>

lun_status own_of_array(own_expression **out, lun_request *r, lun_dtype as, size_t count, lun_error *err)
{
    own_expression *x = REQUEST_MEMORY(r, sizeof *x);
    x->arrays[0] = r->arguments[0].array;
    x->nodes[0] = (lun_node){.kind = LUN_NODE_ARRAY};
    x->nodes[1] = (lun_node){.kind = LUN_NODE_CAST, .dtype = as};
    for (size_t i = 0; i < count && i < COUNT(x->results); i++)
        x->results[i] = as != LUN_DTYPES;
    x->e = (lun_expression){.name = r->operation->name,
                            .nodes = x->nodes,
                            .node_count = as == LUN_DTYPES ? 1 : 2,
                            .results = x->results,
                            .result_count = count,
                            .arrays = x->arrays,
                            .array_count = 1,
                            .dtype = LUN_DTYPES};
    *out = x;
    return LUN_OK;
}

/* ---- texts --------------------------------------------------------------------------------------------------------------- */

/* The option as a text that is one expression; NULL where it is not given. */
static lun_status read_text(const char **out, const lun_request *r, const char *name, lun_error *err)
{
    *out = request_text(r, name);
    return *out ? lun_expression_check(*out, name, err) : LUN_OK;
}

lun_status own_read_texts(const char **map, lun_own_op *op, const lun_request *r, lun_error *err)
{
    TRY(read_text(map, r, "map", err));
    TRY(read_text(&op->combine, r, "combine", err));
    TRY(read_text(&op->identity, r, "identity", err));
    if (!op->combine)
        FAIL(LUN_MISUSE, "combine is missing: an operator of your own needs an expression of two values a and b");
    return LUN_OK;
}

lun_status own_read(own_expression **out, lun_request *r, lun_error *err)
{
    own_expression *x = REQUEST_MEMORY(r, sizeof *x);
    const lun_value *dtype = request_option(r, "dtype");
    TRY(own_read_texts(&x->texts[0], &x->op, r, err));
    if (!x->texts[0])
        x->texts[0] = "x";
    x->names[0] = "x";
    x->arrays[0] = r->arguments[0].array;
    x->e = (lun_expression){.name = r->operation->name,
                            .text_name = "map",
                            .texts = x->texts,
                            .result_count = 1,
                            .arrays = x->arrays,
                            .array_names = x->names,
                            .array_count = 1,
                            .dtype = LUN_DTYPES};
    if (dtype)
        TRY(value_dtype(&x->e.dtype, dtype, err));
    *out = x;
    return LUN_OK;
}

lun_status own_refuse(const lun_request *r, lun_error *err)
{
    static const char *const names[] = {"map", "combine", "identity"};
    for (size_t i = 0; r->given && i < COUNT(names); i++)
        if (request_option(r, names[i]))
            return fail(err, LUN_MISUSE,
                        "map, combine and identity describe an operator of your own, which replaces an op's name");
    return LUN_OK;
}

lun_status own_refuse_op(const char *name, const char *own, lun_error *err)
{
    if (err->status != LUN_MISUSE || lun_expression_is_name(name) || name[0] == '\0')
        return err->status;
    const size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, "; an operator of your own belongs in a table, %s", own);
    return err->status;
}

/* ---- reductions ---------------------------------------------------------------------------------------------------------- */

lun_status fold_bind(lun_request *r, const lun_expression *e, const lun_reduce_op *ops, lun_reduction *reduction,
                     lun_error *err)
{
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    bool numbers;
    TRY(lun_map_result(dtypes, &ndim, shape, e, err));
    TRY(request_reduced(&numbers, reduction->axis, r, ndim, shape, err));
    return fold_tell(r, e, ops, reduction, numbers, request_truth(r, "keepdims"), err);
}

lun_status fold_tell(lun_request *r, const lun_expression *e, const lun_reduce_op *ops, const lun_reduction *reduction,
                     bool numbers, bool keepdims, lun_error *err)
{
    lun_dtype dtypes[LUN_MAP_RESULTS] = {LUN_f32};
    int ndim = 0;
    size_t shape[LUN_MAX_AXES];
    r->direct = numbers && !r->async;
    if (!r->direct)
        TRY(lun_fold_result(dtypes, &ndim, shape, e, ops, reduction, keepdims, err));
    TRY(request_outs(r, e->result_count, err));
    for (size_t i = 0; i < e->result_count; i++) {
        request_tell(r, i, dtypes[i], ndim, shape);
        if (numbers)
            request_tell_numbers(r, i, 1);
    }
    return LUN_OK;
}

lun_status fold_run(bool *more, lun_request *r, const lun_expression *e, const lun_reduce_op *ops,
                    const lun_reduction *reduction, lun_array *const *out, lun_error *err)
{
    r->number_count = e->result_count;
    if (!r->direct)
        return lun_fold((const lun_array *const *)out, e, ops, reduction, &r->call, err);
    return lun_fold_numbers(more, r->numbers, &r->pending, e, ops, reduction, &r->call, err);
}

lun_status own_check_options(const lun_reduction *reduction, lun_error *err)
{
    if (!reduction->accurate && !reduction->reproducible && reduction->ddof == 0)
        return LUN_OK;
    return fail(err, LUN_MISUSE,
                "accurate, reproducible and ddof are options of the library's ops, not of an operator of your own");
}

lun_status own_bind(own_expression **out, lun_request *r, const lun_reduction *reduction, lun_error *err)
{
    TRY(own_read(out, r, err));
    (*out)->reduction = *reduction;
    (*out)->reduction.own = &(*out)->op;
    TRY(own_check_options(reduction, err));
    return fold_bind(r, &(*out)->e, NULL, &(*out)->reduction, err);
}

/* ---- dot ----------------------------------------------------------------------------------------------------------------- */

#define DOT_NODES 8

typedef struct product {
    own_expression x;
    const lun_array *arrays[2];
    lun_node nodes[DOT_NODES];
    unsigned results[2];
    lun_expression of_parts; /* the real and the imaginary part of the products, where their sums are to be exact */
    bool parted;
} product;

static const lun_reduce_op sums[2] = {LUN_REDUCE_sum, LUN_REDUCE_sum};

/* Says what comes as of sums that are not exact, as those of complex numbers are none; those of both parts are checked. */
static lun_status bind_parts(lun_request *r, product *p, lun_error *err)
{
    lun_dtype dtypes[2];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_reduction plain = p->x.reduction;
    const unsigned made = p->results[0], count = (unsigned)p->x.e.node_count;
    plain.accurate = plain.reproducible = false;
    TRY(fold_bind(r, &p->x.e, sums, &plain, err));
    memcpy(p->x.reduction.axis, plain.axis, sizeof plain.axis);
    p->nodes[count] = (lun_node){.kind = LUN_NODE_OP, .op = LUN_MAP_real, .args = {made}};
    p->nodes[count + 1] = (lun_node){.kind = LUN_NODE_OP, .op = LUN_MAP_imag, .args = {made}};
    p->results[0] = count;
    p->results[1] = count + 1;
    p->of_parts = p->x.e;
    p->of_parts.node_count = count + 2;
    p->of_parts.result_count = p->x.reduction.segments ? 1 : 2;
    return lun_fold_result(dtypes, &ndim, shape, &p->of_parts, sums, &p->x.reduction, false, err);
}

/* The products of integers are made in the 64 bits of their sum, as those of floats are in the dtype of theirs. */
static lun_status bind_dot(lun_request *r, lun_error *err)
{
    product *p = REQUEST_STATE(r, product);
    bool whole = true, pairs = false;
    for (unsigned i = 0; i < 2; i++) {
        p->arrays[i] = r->arguments[i].array;
        const lun_dtype dtype = p->arrays[i]->dtype;
        whole = whole && lun_dtype_has(dtype, LUN_WHOLE);
        pairs = pairs || lun_dtype_has(dtype, LUN_PAIRS);
    }
    const lun_dtype wide = dtype_summed(lun_dtype_promoted(p->arrays[0]->dtype, p->arrays[1]->dtype));
    for (unsigned i = 0; i < 2; i++) {
        p->nodes[i] = (lun_node){.kind = LUN_NODE_ARRAY, .args = {i}};
        p->nodes[2 + i] = (lun_node){.kind = LUN_NODE_CAST, .dtype = whole ? wide : p->arrays[i]->dtype, .args = {i}};
    }
    const bool turns = request_is(r, ROW_TURNED) && lun_dtype_has(p->arrays[0]->dtype, LUN_PAIRS);
    p->nodes[4] = (lun_node){.kind = LUN_NODE_OP, .op = LUN_MAP_conj, .args = {2}};
    p->nodes[4 + turns] = (lun_node){.kind = LUN_NODE_OP, .op = LUN_MAP_mul, .args = {turns ? 4 : 2, 3}};
    p->results[0] = 4 + turns;
    p->x.e = (lun_expression){.name = r->operation->name,
                              .nodes = p->nodes,
                              .node_count = 5 + turns,
                              .results = p->results,
                              .result_count = 1,
                              .arrays = p->arrays,
                              .array_count = 2,
                              .dtype = LUN_DTYPES};
    p->x.reduction = (lun_reduction){.accurate = request_truth(r, "accurate"),
                                     .reproducible = request_reproducible(r),
                                     .segments = request_array_option(r, "segments"),
                                     .base = r->manner->first};
    p->parted = pairs && (p->x.reduction.accurate || p->x.reduction.reproducible);
    return p->parted ? bind_parts(r, p, err) : fold_bind(r, &p->x.e, sums, &p->x.reduction, err);
}

/* Segments have one result at a time. */
static lun_status run_parts(bool *more, lun_request *r, product *p, lun_array *const *out, lun_error *err)
{
    const lun_expression *e = &p->of_parts;
    lun_number found[2];
    if (r->direct) {
        TRY(lun_fold_numbers(more, found, &r->pending, e, sums, &p->x.reduction, &r->call, err));
        r->number_count = 1;
        if (!*more)
            r->numbers[0] = lun_complex(found[0].real, found[1].real);
        return LUN_OK;
    }
    const lun_dtype dtype = r->results[0].dtype;
    lun_array parts[2] = {*out[0], *out[0]};
    if (out[0]->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s; the result is %s", lun_dtype_name(out[0]->dtype), lun_dtype_name(dtype));
    for (int i = 0; i < 2; i++) {
        parts[i].dtype = lun_dtype_part(dtype);
        parts[i].offset = 2 * parts[i].offset + i;
        for (int axis = 0; axis < parts[i].ndim; axis++)
            parts[i].stride[axis] *= 2;
    }
    TRY(lun_fold((const lun_array *[]){&parts[0], &parts[1]}, e, sums, &p->x.reduction, &r->call, err));
    if (e->result_count == 1) {
        lun_expression other = *e;
        other.results++;
        TRY(lun_fold((const lun_array *[]){&parts[1]}, &other, sums, &p->x.reduction, &r->call, err));
    }
    return LUN_OK;
}

static lun_status run_dot(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    product *p = r->state;
    return p->parted ? run_parts(more, r, p, out, err) : fold_run(more, r, &p->x.e, sums, &p->x.reduction, out, err);
}

const request_functions dot_functions = {bind_dot, run_dot};
