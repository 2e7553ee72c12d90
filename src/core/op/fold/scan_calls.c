/* Scans, by ops and by operators of the host's user, as rows of operation.def are called. */
#include "api/functions.h"
#include "api/reductions.h"
#include "call/interface.h"
#include "call/own.h"
#include "op/folded.h"

#include <string.h>

typedef struct scanning {
    lun_scan_options o;
    bool initial;   /* is the op's identity the first result? */
    bool present;   /* are NaN left out? */
    lun_dtype cast; /* what the numbers are taken as; LUN_DTYPES: as they are */
    own_expression *own;
} scanning;

/* The result along the axis, which is one longer where it has the identity, too. */
static size_t *length_along(const scanning *s, size_t *shape)
{
    return &shape[s->o.axis == LUN_FLATTENED ? 0 : s->o.axis];
}

/* The op's identity in place of NaN, before the cast. */
static void leave_nan_out(own_expression *x, lun_reduce_op op)
{
    const lun_node cast = x->nodes[1];
    x->numbers[0] = lun_integer(op == LUN_REDUCE_prod);
    x->nodes[1] = (lun_node){.kind = LUN_NODE_OP, .op = LUN_MAP_isnan, .args = {0}};
    x->nodes[2] = (lun_node){.kind = LUN_NODE_NUMBER, .args = {0}};
    x->nodes[3] = (lun_node){.kind = LUN_NODE_OP, .op = LUN_MAP_where, .args = {1, 2, 0}};
    x->nodes[4] = cast;
    x->nodes[4].args[0] = 3;
    x->e.numbers = x->numbers;
    x->e.number_count = 1;
    x->results[0] += 3;
    x->e.node_count += 3;
}

static lun_status bind_scan_by(lun_request *r, scanning *s, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *axis = request_option(r, "axis");
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    s->o.axis = LUN_FLATTENED;
    s->o.exclusive = request_truth(r, "exclusive");
    s->o.reverse = request_truth(r, "reverse");
    s->o.segments = request_array_option(r, "segments");
    if (s->initial && (s->o.exclusive || s->o.segments))
        FAIL(LUN_MISUSE, "initial puts the identity before all results; it does not work with exclusive and segments");
    if (axis)
        TRY(value_axis(&s->o.axis, r, axis, array->ndim, array->shape, err));
    if (s->own)
        s->o.own = &s->own->op;
    else
        TRY(own_of_array(&s->own, r, s->cast, 1, err));
    if (s->present && lun_dtype_has(array->dtype, LUN_NANS))
        leave_nan_out(s->own, s->o.op);
    TRY(lun_fold_scan_result(&dtype, &ndim, shape, &s->own->e, &s->o, err));
    *length_along(s, shape) += s->initial;
    return request_result(r, dtype, ndim, shape, err);
}

/* The option dtype of an op of the library: nothing where its results have that dtype anyway. */
static lun_status read_cast(scanning *s, const lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *named = request_option(r, "dtype");
    lun_dtype dtype;
    if (!named)
        return LUN_OK;
    TRY(value_dtype(&dtype, named, err));
    TRY(fold_check_typed(s->o.op, dtype, err));
    s->o.typed = fold_plain_dtype(s->o.op, array) != dtype;
    s->cast = s->o.typed ? dtype : LUN_DTYPES;
    return LUN_OK;
}

static lun_status bind_scan(lun_request *r, lun_error *err)
{
    const lun_value *op = &r->arguments[1];
    scanning *s = REQUEST_STATE(r, scanning);
    s->o.op = LUN_REDUCE_OPS;
    s->cast = LUN_DTYPES;
    if (op->kind == LUN_VALUE_NOTHING && !r->told)
        TRY(request_refuse(r, 1, "the name of an op", err));
    if (op->kind == LUN_VALUE_NOTHING)
        TRY(own_read(&s->own, r, err));
    else if (lun_scan_find(&s->o.op, op->text, err) != LUN_OK)
        return own_refuse_op(op->text, "{combine = \"a + b\"}", err);
    if (!s->own) {
        TRY(own_refuse(r, err));
        TRY(read_cast(s, r, err));
    }
    return bind_scan_by(r, s, err);
}

static lun_status bind_running(lun_request *r, lun_error *err)
{
    scanning *s = REQUEST_STATE(r, scanning);
    const lun_reduce_op op = (lun_reduce_op)r->operation->number;
    s->present = op == LUN_REDUCE_nansum || op == LUN_REDUCE_nanprod;
    s->o.op = op == LUN_REDUCE_nansum ? LUN_REDUCE_sum : op == LUN_REDUCE_nanprod ? LUN_REDUCE_prod : op;
    s->initial = request_truth(r, "initial");
    s->cast = LUN_DTYPES;
    TRY(read_cast(s, r, err));
    return bind_scan_by(r, s, err);
}

/* The identity, at the end where the scan begins, and the view of the other results. */
static lun_status begin(lun_array *rest, const lun_array *out, const scanning *s, lun_request *r, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    const lun_array *in = r->arguments[0].array;
    const int axis = s->o.axis == LUN_FLATTENED ? 0 : s->o.axis;
    lun_array first = *out;
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, in->shape, sizeof shape);
    if (s->o.axis == LUN_FLATTENED)
        shape[0] = in->size;
    shape[axis]++;
    TRY(array_check_out(out, in, r->results[0].dtype, s->o.axis == LUN_FLATTENED ? 1 : in->ndim, shape, err));
    TRY(array_check_apart(out, in, err));
    *rest = *out;
    first.size = out->size / out->shape[axis];
    first.shape[axis] = 1;
    rest->size -= first.size;
    rest->shape[axis]--;
    *(s->o.reverse ? &first.offset : &rest->offset) +=
        out->stride[axis] * (s->o.reverse ? (int64_t)rest->shape[axis] : 1);
    return lun_array_fill(&first, lun_real(s->o.op == LUN_REDUCE_prod), &quiet, err);
}

static lun_status run_scan(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const scanning *s = r->state;
    lun_array rest = *out[0];
    if (s->initial)
        TRY(begin(&rest, out[0], s, r, err));
    const lun_array *to = s->initial ? &rest : out[0];
    return lun_fold_scan(to, &s->own->e, &s->o, &r->call, err);
}

const request_functions scan_functions = {bind_scan, run_scan}, running_functions = {bind_running, run_scan};
