/* Choosing rows, as rows of operation.def are called: by masks over the first axes, without some, with others in between, each so
 * many times. */
#include "op/index/row_masks.h"
#include "api/functions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"

#include <string.h>

/* ---- those that a mask has ------------------------------------------------------------------------------------------------ */

/* Which positions along an axis stay is counted, so the result comes late. */
typedef struct kept {
    compose_state state;
    const lun_array *in, *marks;
    int axis;
    mask_count found;
    lun_array *all, *positions;
} kept;

enum { PREPARE, COUNT_MARKS, CHOOSE };

static lun_status run_kept(bool *more, lun_request *r, compose_word prepare, lun_array *const *out, lun_error *err)
{
    kept *k = r->state;
    const lun_call quiet = request_quiet(r);
    size_t shape[LUN_MAX_AXES];
    switch (r->stage) {
    case PREPARE:
        TRY(compose(r, prepare, out, err));
        break;
    case COUNT_MARKS:
        TRY(request_count_mask(more, r, &k->found, k->marks, &quiet, err));
        if (*more)
            return LUN_OK;
        break;
    default:
        memcpy(shape, k->in->shape, sizeof shape);
        shape[k->axis] = k->found.count;
        TRY(request_make_late(r, 0, out[0], k->in->ndim, shape, err));
        TRY(request_array(&k->all, r, LUN_i64, 2, (size_t[]){1, k->found.count}, err));
        TRY(lun_nonzero(k->all, k->marks, k->found.counts, &quiet, err));
        TRY(request_own(&k->positions, r, err));
        lun_array_clear(k->positions); /* of an attempt before this one */
        TRY(lun_array_reshape(k->positions, k->all, 1, &k->found.count, err));
        TRY(lun_take(out[0], k->in, k->positions, k->axis, &r->call, err));
    }
    *more = r->stage++ < CHOOSE;
    return LUN_OK;
}

bool rows_are_masked(const lun_array *array, const lun_array *mask)
{
    return mask->ndim > 0 && mask->ndim < array->ndim &&
           memcmp(mask->shape, array->shape, (size_t)mask->ndim * sizeof *mask->shape) == 0;
}

/* The axes of the mask as one. */
static lun_status prepare_mask(composing *c, lun_error *err)
{
    kept *k = c->r->state;
    const lun_array *in = c->r->arguments[0].array, *mask = c->r->arguments[1].array;
    size_t shape[LUN_MAX_AXES] = {mask->size};
    for (int i = mask->ndim; i < in->ndim; i++)
        shape[1 + i - mask->ndim] = in->shape[i];
    TRY(compose_reshape(&k->in, c, in, 1 + in->ndim - mask->ndim, shape, err));
    return compose_reshape(&k->marks, c, mask, 1, &mask->size, err);
}

lun_status rows_bind_mask(lun_request *r, lun_error *err)
{
    const lun_array *in = r->arguments[0].array, *mask = r->arguments[1].array;
    REQUEST_STATE(r, kept);
    TRY(array_check_same_device(mask, in, "the mask", err));
    if (dtype_built(mask->dtype) != LUN_u8)
        FAIL(LUN_MISUSE, "the mask is %s; bool is wanted, as comparisons give it, or u8", lun_dtype_name(mask->dtype));
    if (request_text(r, "variant"))
        FAIL(LUN_MISUSE, "option 'variant': with a mask over the first axes there are none");
    TRY(request_result(r, in->dtype, 0, NULL, err));
    request_tell_late(r, 0, in->dtype);
    return LUN_OK;
}

lun_status rows_run_mask(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    return run_kept(more, r, prepare_mask, out, err);
}

lun_status rows_put(lun_request *r, const lun_array *array, const lun_array *mask, const lun_values *values,
                    lun_error *err)
{
    lun_status status = LUN_OK;
    char came[200], wanted[200];
    lun_array thin = {0}, wide = {0};
    const lun_array *rows = values->array;
    bool behind[LUN_MAX_AXES] = {false};
    composed x = {0};
    for (int i = mask->ndim; i < array->ndim; i++)
        behind[i] = true;
    TRY_DONE(lun_array_expand(&thin, mask, behind, array->ndim - mask->ndim, err));
    if (!rows || rows->size == 1) {
        TRY_DONE(lun_array_broadcast(&wide, &thin, array->ndim, array->shape, err));
        TRY_DONE(lun_mask_put(array, &wide, values, &r->call, err));
        goto done;
    }
    const int axes = array->ndim - mask->ndim;
    bool fits = rows->ndim <= axes;
    for (int i = 1; fits && i <= rows->ndim; i++)
        fits = rows->shape[rows->ndim - i] == 1 || rows->shape[rows->ndim - i] == array->shape[array->ndim - i];
    if (!fits)
        FAIL_DONE(
            LUN_MISUSE,
            "the values have shape %s; with a mask over the first axes a number is wanted, or what broadcasts to %s",
            array_shape_text(came, sizeof came, rows),
            device_shape_text(wanted, sizeof wanted, array->device, axes, array->shape + mask->ndim));
    const unsigned as =
        rows->dtype == array->dtype ? of_array(&x, rows) : of_cast(&x, array->dtype, of_array(&x, rows));
    x.results[0] = of_op3(&x, LUN_MAP_where, of_array(&x, &thin), as, of_array(&x, array));
    const lun_expression e = {.name = "mask_put",
                              .nodes = x.nodes,
                              .node_count = x.node_count,
                              .results = x.results,
                              .result_count = 1,
                              .arrays = x.arrays,
                              .array_count = x.array_count,
                              .dtype = LUN_DTYPES};
    TRY_DONE(lun_map(&array, &e, &r->call, err));
done:
    lun_array_clear(&thin);
    lun_array_clear(&wide);
    return status;
}

/* ---- without some --------------------------------------------------------------------------------------------------------- */

lun_status rows_along(const lun_array **out, int *axis, composing *c, unsigned argument, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    const lun_value *named = &c->r->arguments[argument];
    *axis = 0;
    if (named->kind == LUN_VALUE_NOTHING)
        return compose_reshape(out, c, in, 1, &in->size, err);
    TRY(value_axis(axis, c->r, named, in->ndim, in->shape, err));
    *out = in;
    return LUN_OK;
}

static lun_status prepare_delete(composing *c, lun_error *err)
{
    kept *k = c->r->state;
    lun_array *marks;
    lun_call call;
    const lun_values no = {.number = lun_truth(false)};
    TRY(rows_along(&k->in, &k->axis, c, 2, err));
    TRY(compose_array(&marks, c, LUN_bool, 1, &k->in->shape[k->axis], err));
    if (compose_calls(&call, c, false)) {
        TRY(lun_array_fill(marks, lun_truth(true), &call, err));
        TRY(lun_put(marks, c->r->arguments[1].array, &no, &call, err));
    }
    k->marks = marks;
    return LUN_OK;
}

static lun_status bind_delete(lun_request *r, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    int ignored;
    size_t shape[LUN_MAX_AXES];
    REQUEST_STATE(r, kept);
    TRY(lun_take_result(&ignored, shape, in, r->arguments[1].array, LUN_FLATTENED, err)); /* checks the index */
    if (r->arguments[2].kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&ignored, r, &r->arguments[2], in->ndim, in->shape, err));
    TRY(request_result(r, in->dtype, 0, NULL, err));
    request_tell_late(r, 0, in->dtype);
    return LUN_OK;
}

static lun_status run_delete(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    return run_kept(more, r, prepare_delete, out, err);
}

const request_functions delete_functions = {bind_delete, run_delete};
