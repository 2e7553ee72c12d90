/* Choosing by masks, among several arrays too, and rows by masks over the first axes; the positions of what is true; rows without some. */
#include "op/index/mask_words.h"
#include "api/functions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"

#include <stdio.h>
#include <string.h>

/* ---- counting what a mask picks ------------------------------------------------------------------------------------------ */

/* The last of the counts, on its way. */
typedef struct counted {
    size_t received;
    int64_t total;
} counted;

lun_status compose_count(const lun_array **counts, size_t *count, composing *c, const lun_array *mask,
                         const lun_call *call, lun_error *err)
{
    const size_t size = lun_mask_counts(mask);
    const lun_call quiet = request_quiet(c->r);
    lun_array *made;
    const lun_array *end;
    counted *found;
    COMPOSE_KEPT(found, c);
    TRY(compose_array(&made, c, LUN_i64, 1, &size, err));
    TRY(compose_slice(&end, c, made, 0, (int64_t)size - 1, 1, 1, err));
    if (compose_enters(c))
        TRY(lun_mask_count(made, mask, call, err));
    if (compose_enters(c))
        TRY(lun_array_receive(c->more, &found->received, &found->total, end, &quiet, err));
    *counts = made;
    *count = (size_t)found->total;
    return LUN_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

/* The positions along an axis that are marked: the operation's result, which comes late. */
static lun_status give_marked(composing *c, const lun_array *in, int axis, const lun_array *marks, lun_error *err)
{
    const lun_call quiet = request_quiet(c->r);
    const lun_array *counts, *positions;
    lun_array *all, *out;
    size_t count, shape[LUN_MAX_AXES];
    TRY(compose_count(&counts, &count, c, marks, &quiet, err));
    if (compose_waits(c))
        return LUN_OK;
    memcpy(shape, in->shape, sizeof shape);
    shape[axis] = count;
    TRY(compose_late_result(&out, c, 0, in->ndim, shape, err));
    TRY(compose_array(&all, c, LUN_i64, 2, (size_t[]){1, count}, err));
    TRY(compose_reshape(&positions, c, all, 1, &count, err));
    TRY(CALLED(c, false, lun_nonzero(all, marks, counts, &call, err)));
    return CALLED(c, true, lun_take(out, in, positions, axis, &call, err));
}

/* Has the mask fewer axes than the array, of the sizes of its first ones? */
static bool is_of_rows(const lun_array *array, const lun_array *mask)
{
    return mask->ndim > 0 && mask->ndim < array->ndim &&
           memcmp(mask->shape, array->shape, (size_t)mask->ndim * sizeof *mask->shape) == 0;
}

/* The axes of the mask as one. */
static lun_status mask_rows(composing *c, const lun_array *in, const lun_array *mask, lun_error *err)
{
    size_t shape[LUN_MAX_AXES] = {mask->size};
    const lun_array *rows, *marks;
    TRY(array_check_same_device(mask, in, "the mask", err));
    if (dtype_built(mask->dtype) != LUN_u8)
        FAIL(LUN_MISUSE, "the mask is %s; bool is needed, as comparisons give it, or u8", lun_dtype_name(mask->dtype));
    if (request_text(c->r, "variant"))
        FAIL(LUN_MISUSE, "option 'variant': a mask over the first axes has no variants");
    TRY(compose_late(c, 0, in->dtype, err));
    for (int i = mask->ndim; i < in->ndim; i++)
        shape[1 + i - mask->ndim] = in->shape[i];
    TRY(compose_reshape(&rows, c, in, 1 + in->ndim - mask->ndim, shape, err));
    TRY(compose_reshape(&marks, c, mask, 1, &mask->size, err));
    return give_marked(c, rows, 0, marks, err);
}

/* Writes values, which broadcast to a row, where the mask is true. */
static lun_status put_rows(composing *c, const lun_array *array, const lun_array *mask, const lun_values *values,
                           lun_error *err)
{
    char came[200], wanted[200];
    lun_array *thin, *wide;
    const lun_array *rows = values->array;
    const int axes = array->ndim - mask->ndim;
    bool behind[LUN_MAX_AXES] = {false}, fits = rows && rows->ndim <= axes;
    composed x = {0};
    for (int i = mask->ndim; i < array->ndim; i++)
        behind[i] = true;
    COMPOSE_VIEW(thin, c, lun_array_expand(thin, mask, behind, axes, err));
    if (!rows || rows->size == 1) {
        COMPOSE_VIEW(wide, c, lun_array_broadcast(wide, thin, array->ndim, array->shape, err));
        return CALLED(c, true, lun_mask_put(array, wide, values, &call, err));
    }
    for (int i = 1; fits && i <= rows->ndim; i++)
        fits = rows->shape[rows->ndim - i] == 1 || rows->shape[rows->ndim - i] == array->shape[array->ndim - i];
    if (!fits)
        FAIL(LUN_MISUSE,
             "the values have shape %s; with a mask over the first axes a number is needed, or an array that "
             "broadcasts to %s",
             array_shape_text(came, sizeof came, rows),
             device_shape_text(wanted, sizeof wanted, array->device, axes, array->shape + mask->ndim));
    const unsigned as = of_given(&x, array->dtype, rows->dtype, of_array(&x, rows));
    x.results[0] = of_op3(&x, LUN_MAP_where, of_array(&x, thin), as, of_array(&x, array));
    return compose_into(c, &array, &x, true, err);
}

/* ---- mask, mask_put, nonzero ----------------------------------------------------------------------------------------------- */

static lun_status mask(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *of = c->r->arguments[1].array, *counts;
    const lun_call counting = request_unnoticed(c->r);
    lun_array *out;
    size_t count;
    if (is_of_rows(in, of))
        return mask_rows(c, in, of, err);
    TRY(lun_mask_check(in, of, err));
    TRY(compose_late(c, 0, in->dtype, err));
    TRY(compose_count(&counts, &count, c, of, &counting, err));
    if (compose_waits(c))
        return LUN_OK;
    TRY(compose_late_result(&out, c, 0, 1, &count, err));
    return CALLED(c, true, lun_mask(out, in, of, counts, &call, err));
}

static lun_status mask_put(composing *c, lun_error *err)
{
    const lun_array *of = c->r->arguments[1].array;
    const lun_values values = compose_values(&c->r->arguments[2]);
    lun_array *out;
    TRY(compose_in_place(&out, c, err));
    if (c->out && is_of_rows(out, of))
        return put_rows(c, out, of, &values, err);
    return CALLED(c, true, lun_mask_put(out, of, &values, &call, err));
}

/* An array of positions for each axis: rows of one array, or the columns of what the option `axes` gives. */
static lun_status nonzero(composing *c, lun_error *err)
{
    const lun_array *of = c->r->arguments[0].array, *counts;
    const lun_call counting = request_unnoticed(c->r);
    const bool together = request_truth(c->r, "axes");
    const size_t axes = (size_t)of->ndim;
    lun_array *all;
    size_t count;
    if (of->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it has no positions");
    c->results = together ? 1 : axes;
    for (size_t i = 0; i < c->results; i++)
        TRY(compose_late(c, i, LUN_i64, err));
    TRY(compose_count(&counts, &count, c, of, &counting, err));
    if (compose_waits(c))
        return LUN_OK;
    TRY(compose_array(&all, c, LUN_i64, 2, (size_t[]){axes, count}, err));
    for (size_t i = 0; i < c->results; i++) {
        const lun_slice row[2] = {{.from = (int64_t)i, .step = 1, .count = 1, .drop = true},
                                  {.from = 0, .step = 1, .count = count}};
        lun_array *to = c->out[together ? 0 : manner_axis(c->r->manner, (int)i, (int)axes)];
        lun_array_clear(to); /* of an attempt before this one */
        TRY(together ? lun_array_permute(to, all, (const int[]){1, 0}, err) : lun_array_slice(to, all, row, err));
    }
    return CALLED(c, true, lun_nonzero(all, of, counts, &call, err));
}

COMPOSED(mask)
COMPOSED(mask_put)
COMPOSED(nonzero)

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

static lun_status without(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *index = c->r->arguments[1].array, *rows;
    const lun_values no = {.number = lun_truth(false)};
    lun_array *marks;
    int axis, ignored;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_take_result(&ignored, shape, in, index, LUN_FLATTENED, err)); /* checks the index */
    TRY(rows_along(&rows, &axis, c, 2, err));
    TRY(compose_late(c, 0, in->dtype, err));
    TRY(compose_array(&marks, c, LUN_bool, 1, &rows->shape[axis], err));
    TRY(CALLED(c, false, lun_array_fill(marks, lun_truth(true), &call, err)));
    TRY(CALLED(c, false, lun_put(marks, index, &no, &call, err)));
    return give_marked(c, rows, axis, marks, err);
}

COMPOSED(without)

/* ---- select -------------------------------------------------------------------------------------------------------------- */

enum { MOST = (LUN_MAP_ARRAYS - 1) / 2 }; /* conditions that one kernel reads, with as many values and a default */

/* A value as a node; `which` names it. */
static lun_status read_choice(unsigned *out, composed *x, const composing *c, const lun_value *value, const char *which,
                              lun_error *err)
{
    if (value->kind == LUN_VALUE_ARRAY)
        TRY(array_check_same_device(c->r->arguments[1].list.items[0].array, value->array, which, err));
    else if (!value_is_scalar(value))
        FAIL(LUN_MISUSE, "%s is %s; an array or a number is needed", which, kind_shown(c->r, value));
    *out = value->kind == LUN_VALUE_ARRAY ? of_array(x, value->array) : of_number(x, value_scalar(value));
    return LUN_OK;
}

/* From the last condition to the first, which wins. */
static lun_status choose(composing *c, lun_error *err)
{
    static const lun_value zero = {.kind = LUN_VALUE_NUMBER, .number = {.is_integer = true}};
    const lun_value *values = &c->r->arguments[2], *missing = &c->r->arguments[3];
    const lun_list *conditions = &c->r->arguments[1].list;
    const size_t given = values->kind == LUN_VALUE_LIST ? values->list.count : 1;
    unsigned chosen, condition, value;
    char which[SHOWN];
    composed x = {0};
    if (conditions->count == 0 || conditions->count > MOST)
        FAIL(LUN_MISUSE, "got %zu conditions; from 1 to %d are possible", conditions->count, MOST);
    if (values->kind != LUN_VALUE_LIST)
        return request_refuse(c->r, 2, "a list of arrays and numbers", err);
    if (given != conditions->count)
        FAIL(LUN_MISUSE, "got %zu values; %zu are needed, one for each condition", given, conditions->count);
    TRY(read_choice(&chosen, &x, c, missing->kind == LUN_VALUE_NOTHING ? &zero : missing, "the default", err));
    for (size_t i = given; i-- > 0;) {
        snprintf(which, sizeof which, "condition %zu", i + 1);
        TRY(read_choice(&condition, &x, c, &conditions->items[i], which, err));
        snprintf(which, sizeof which, "value %zu", i + 1);
        TRY(read_choice(&value, &x, c, &values->list.items[i], which, err));
        chosen = of_op3(&x, LUN_MAP_where, condition, value, chosen);
    }
    x.results[0] = chosen;
    return compose_give_map(c, &x, err);
}

COMPOSED(choose)
