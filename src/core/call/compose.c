/* Compositions: their arrays, and the calls. */
#include "call/compose.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"

#include <string.h>

/* An array that the operation has made, in the order of creation. While the composition is only bound, arrays have no
 * memory. */
typedef struct made {
    struct made *next;
    lun_array *array;
} made_array;

/* Memory that it keeps, in the same order. */
typedef struct kept {
    struct kept *next;
    uint64_t memory[];
} kept_memory;

lun_status compose(bool *more, lun_request *r, compose_word word, lun_array *const *out, lun_error *err)
{
    compose_state *s = r->state ? r->state : REQUEST_STATE(r, compose_state);
    made_array *bound = NULL;
    composing c = {.r = r, .out = out, .kept = &s->kept, .more = more};
    c.next = out ? s->first : NULL;
    c.end = out ? &s->first : &bound;
    if (out)
        *more = false;
    return r->operation->gives == LUN_FLOAT_DEFAULT ? compose_floats(&c, word, err) : word(&c, err);
}

/* ---- which steps are run ------------------------------------------------------------------------------------------ */

bool compose_enters(composing *c)
{
    compose_state *s = c->r->state;
    const unsigned step = c->step++;
    if (!c->out || step < s->done)
        return false;
    s->done = step; /* the steps before it were run, or the operation would have returned */
    return true;
}

lun_status compose_ran(composing *c, lun_status status)
{
    if (status == LUN_OK)
        ((compose_state *)c->r->state)->done = c->step;
    return status;
}

bool compose_waits(composing *c)
{
    if (!c->out || *c->more)
        return true;
    compose_state *s = c->r->state;
    s->done = s->done > c->step ? s->done : c->step; /* an earlier attempt may have come further */
    return false;
}

bool compose_calls(lun_call *out, composing *c, bool last)
{
    *out = last ? c->r->call : request_quiet(c->r);
    return compose_enters(c);
}

lun_expression compose_expression(const lun_request *r, composed *x)
{
    for (size_t i = 0; i < x->node_count; i++)
        if (x->nodes[i].kind == LUN_NODE_OP)
            x->nodes[i].dtype = r->floats;
    return (lun_expression){.name = r->operation->name,
                            .nodes = x->nodes,
                            .node_count = x->node_count,
                            .results = x->results,
                            .result_count = x->result_count ? x->result_count : 1,
                            .arrays = x->arrays,
                            .array_count = x->array_count,
                            .numbers = x->numbers,
                            .number_count = x->number_count,
                            .dtype = LUN_DTYPES};
}

/* ---- axes --------------------------------------------------------------------------------------------------------- */

lun_status compose_axes(composed_axes *out, composing *c, const lun_array *array, lun_error *err)
{
    const lun_array *given = request_array_option(c->r, "out");
    TRY(request_reduced(&c->numbers, out->axis, c->r, array->ndim, array->shape, err));
    out->like = NULL;
    out->keepdims = request_truth(c->r, "keepdims") || (given && given->ndim == array->ndim);
    return LUN_OK;
}

size_t compose_extent(const composed_axes *over, const lun_array *array)
{
    size_t extent = 1;
    for (int i = 0; i < array->ndim; i++)
        extent *= over->axis[i] ? array->shape[i] : 1;
    return extent;
}

lun_status compose_axis(int *out, const composing *c, const lun_array *array, int missing, lun_error *err)
{
    const lun_value *axis = request_option(c->r, "axis");
    if (array->ndim == 0)
        return fail(err, LUN_MISUSE, "the array has no axes");
    *out = missing < 0 ? array->ndim + missing : missing;
    return axis ? value_axis(out, c->r, axis, array->ndim, array->shape, err) : LUN_OK;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------- */

/* The next array of the operation: the one that an earlier attempt made, or a new, empty one. */
static lun_status next_array(lun_array ***out, composing *c, lun_error *err)
{
    made_array *at = c->next;
    if (!at) {
        at = REQUEST_MEMORY(c->r, sizeof *at);
        *c->end = at;
    }
    c->end = &at->next;
    c->next = at->next;
    *out = &at->array;
    return LUN_OK;
}

lun_status compose_kept(void **out, composing *c, size_t bytes, lun_error *err)
{
    if (!*c->kept)
        *c->kept = REQUEST_MEMORY(c->r, sizeof(kept_memory) + bytes);
    *out = (*c->kept)->memory;
    c->kept = &(*c->kept)->next;
    return LUN_OK;
}

lun_status compose_view(lun_array **out, composing *c, lun_error *err)
{
    lun_array **slot = NULL;
    TRY(next_array(&slot, c, err));
    TRY(request_own(slot, c->r, err));
    *out = *slot;
    return LUN_OK;
}

/* An array without memory, and without a reference to the device. */
static lun_status imagine(lun_array **out, lun_request *r, lun_dtype dtype, int ndim, const size_t *shape,
                          lun_error *err)
{
    lun_array *array = *out = REQUEST_MEMORY(r, sizeof *array);
    array->device = r->device;
    array->dtype = dtype;
    array->ndim = ndim;
    TRY(shape_size(&array->size, ndim, shape, lun_dtype_bytes(dtype), err));
    if (ndim)
        memcpy(array->shape, shape, (size_t)ndim * sizeof *shape);
    shape_strides(array->stride, ndim, shape);
    return LUN_OK;
}

lun_status compose_array(lun_array **out, composing *c, lun_dtype dtype, int ndim, const size_t *shape, lun_error *err)
{
    lun_array **slot = NULL;
    if (!c->out)
        return imagine(out, c->r, dtype, ndim, shape, err);
    TRY(next_array(&slot, c, err));
    TRY(request_array(slot, c->r, dtype, ndim, shape, err));
    *out = *slot;
    return LUN_OK;
}

/* Makes room for the operation's results when the first one is set. */
static lun_status begin_results(composing *c, lun_error *err)
{
    if (c->r->results)
        return LUN_OK;
    TRY(request_outs(c->r, c->results ? c->results : 1, err));
    c->r->result_count += c->further;
    return LUN_OK;
}

lun_status compose_result(const lun_array **out, composing *c, size_t i, lun_dtype dtype, int ndim, const size_t *shape,
                          lun_error *err)
{
    lun_array *imagined;
    if (c->out) {
        *out = c->out[i];
        return c->unchecked ? LUN_OK : array_check_out(*out, *out, dtype, ndim, shape, err);
    }
    TRY(begin_results(c, err));
    request_tell(c->r, i, dtype, ndim, shape);
    if (c->numbers)
        request_tell_numbers(c->r, i, 1);
    TRY(imagine(&imagined, c->r, dtype, ndim, shape, err));
    *out = imagined;
    return LUN_OK;
}

lun_status compose_like(const lun_array **out, composing *c, lun_dtype dtype, const lun_array *like, lun_error *err)
{
    return compose_result(out, c, 0, dtype, like->ndim, like->shape, err);
}

lun_status compose_check_out(const composing *c, const lun_array *out, const lun_array *in, lun_error *err)
{
    if (!c->out)
        return LUN_OK;
    TRY(array_check_same_device(out, in, "out", err));
    return array_check_apart(out, in, err);
}

lun_status compose_in_place(lun_array **out, composing *c, lun_error *err)
{
    *out = c->r->arguments[0].array;
    return c->out ? LUN_OK : request_in_place(c->r, err);
}

lun_status compose_late(composing *c, size_t i, lun_dtype dtype, lun_error *err)
{
    if (c->out)
        return LUN_OK;
    TRY(begin_results(c, err));
    request_tell_late(c->r, i, dtype);
    return LUN_OK;
}

lun_status compose_late_result(lun_array **out, composing *c, size_t i, int ndim, const size_t *shape, lun_error *err)
{
    *out = c->out[i];
    return request_make_late(c->r, i, *out, ndim, shape, err);
}

lun_status compose_slice(const lun_array **out, composing *c, const lun_array *in, int axis, int64_t from, int64_t step,
                         size_t count, lun_error *err)
{
    lun_slice slices[LUN_MAX_AXES];
    lun_array *view;
    for (int i = 0; i < in->ndim; i++)
        slices[i] = (lun_slice){.from = 0, .step = 1, .count = in->shape[i]};
    slices[axis] = (lun_slice){.from = from, .step = step, .count = count};
    COMPOSE_VIEW(view, c, lun_array_slice(view, in, slices, err));
    *out = view;
    return LUN_OK;
}

lun_status compose_expand(const lun_array **out, composing *c, const lun_array *in, int axis, lun_error *err)
{
    bool fresh[LUN_MAX_AXES] = {false};
    lun_array *view;
    fresh[axis] = true;
    COMPOSE_VIEW(view, c, lun_array_expand(view, in, fresh, 1, err));
    *out = view;
    return LUN_OK;
}

lun_status compose_reshape(const lun_array **out, composing *c, const lun_array *in, int ndim, const size_t *shape,
                           lun_error *err)
{
    lun_array *view, *copy;
    lun_error ignored;
    TRY(compose_view(&view, c, err));
    *out = view;
    if (lun_array_is_live(view) || lun_array_reshape(view, in, ndim, shape, &ignored) == LUN_OK)
        return LUN_OK;
    TRY(compose_array(&copy, c, in->dtype, in->ndim, in->shape, err));
    TRY(compose_copy(c, copy, in, false, err));
    return lun_array_reshape(view, copy, ndim, shape, err);
}

/* ---- steps -------------------------------------------------------------------------------------------------------- */

static lun_reduction reduction_of(const composing *c, const composed_axes *over)
{
    lun_reduction reduction = over && over->like ? *over->like : (lun_reduction){0};
    reduction.base = c->r->manner->first;
    reduction.reproducible = reduction.reproducible || request_reproducible(c->r);
    if (over)
        memcpy(reduction.axis, over->axis, sizeof reduction.axis);
    return reduction;
}

lun_status compose_into(composing *c, const lun_array *const *to, composed *x, bool last, lun_error *err)
{
    const lun_expression e = compose_expression(c->r, x);
    const lun_reduction over = reduction_of(c, x->over);
    return CALLED(c, last, lun_passes(to, &e, &over, &call, err));
}

lun_status compose_dtype(lun_dtype *out, composing *c, composed *x, lun_error *err)
{
    const lun_expression e = compose_expression(c->r, x);
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_map_result(dtypes, &ndim, shape, &e, err));
    *out = dtypes[0];
    return LUN_OK;
}

lun_status compose_map(const lun_array **out, composing *c, composed *x, lun_error *err)
{
    const lun_expression e = compose_expression(c->r, x);
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *made;
    TRY(lun_map_result(dtypes, &ndim, shape, &e, err));
    for (size_t i = 0; i < e.result_count; i++) {
        TRY(compose_array(&made, c, dtypes[i], ndim, shape, err));
        out[i] = made;
    }
    return compose_into(c, out, x, false, err);
}

lun_status compose_give_map(composing *c, composed *x, lun_error *err)
{
    const lun_expression e = compose_expression(c->r, x);
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *to[LUN_MAP_RESULTS];
    const lun_reduction over = reduction_of(c, x->over);
    c->results = e.result_count;
    TRY(lun_passes_result(dtypes, &ndim, shape, &e, &over, err));
    for (size_t i = 0; i < e.result_count; i++)
        TRY(compose_result(&to[i], c, i, dtypes[i], ndim, shape, err));
    return compose_into(c, to, x, true, err);
}

static lun_status fold(const lun_array **outs, composing *c, composed *x, const lun_reduce_op *ops,
                       const composed_axes *over, bool gives, lun_error *err)
{
    const lun_expression e = compose_expression(c->r, x);
    const lun_reduction reduction = reduction_of(c, over);
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *made;
    TRY(lun_fold_result(dtypes, &ndim, shape, &e, ops, &reduction, over->keepdims, err));
    for (size_t i = 0; i < e.result_count; i++) {
        if (gives) {
            TRY(compose_result(&outs[i], c, i, dtypes[i], ndim, shape, err));
        } else {
            TRY(compose_array(&made, c, dtypes[i], ndim, shape, err));
            outs[i] = made;
        }
    }
    return CALLED(c, gives, lun_fold(outs, &e, ops, &reduction, &call, err));
}

lun_status compose_fold(const lun_array **outs, composing *c, composed *x, const lun_reduce_op *ops,
                        const composed_axes *over, lun_error *err)
{
    return fold(outs, c, x, ops, over, false, err);
}

lun_status compose_fold_into(composing *c, const lun_array *to, composed *x, lun_reduce_op op,
                             const composed_axes *over, bool last, lun_error *err)
{
    const lun_expression e = compose_expression(c->r, x);
    const lun_reduction reduction = reduction_of(c, over);
    return CALLED(c, last, lun_fold(&to, &e, &op, &reduction, &call, err));
}

lun_status compose_give_fold(composing *c, composed *x, lun_reduce_op op, const composed_axes *over, lun_error *err)
{
    const lun_array *out;
    return fold(&out, c, x, &op, over, true, err);
}

lun_status compose_reduce(const lun_array **out, composing *c, const lun_array *in, lun_reduce_op op,
                          const composed_axes *over, lun_error *err)
{
    lun_reduction reduction = reduction_of(c, over);
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *made;
    reduction.op = op;
    TRY(lun_reduce_result(&dtype, &ndim, shape, in, &reduction, over->keepdims, err));
    TRY(compose_array(&made, c, dtype, ndim, shape, err));
    TRY(CALLED(c, false, lun_reduce(made, in, &reduction, &call, err)));
    *out = made;
    return LUN_OK;
}

lun_status compose_copy(composing *c, const lun_array *to, const lun_array *in, bool last, lun_error *err)
{
    return CALLED(c, last, lun_array_copy(to, in, &call, err));
}

lun_status compose_matmul(composing *c, const lun_array *to, const lun_array *a, const lun_array *b, bool last,
                          lun_error *err)
{
    return CALLED(c, last, lun_matmul(to, a, b, lun_integer(1), lun_integer(0), &call, err));
}
