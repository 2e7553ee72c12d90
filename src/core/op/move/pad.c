/* Padding and tiling: a copy in the midst of a larger array, which is then extended along one axis after the other. */
#include "graph/graph.h"
#include "op/expression/read.h"
#include "op/fill.h"
#include "op/move/arranging.h"
#include "op/planning.h"

#include <string.h>

/* ---- extending ----------------------------------------------------------------------------------------------------
 * Positions low .. high-1 of an axis hold what they should; the others are copied from them, within `all`. Each copy of a
 * wrapped or reflected axis can take all that is there already, so a dozen copies extend an axis a thousandfold. */

typedef struct extension {
    const lun_array *all;
    int axis;
    size_t low, high;
    cl_ulong2 bits; /* of the constant */
} extension;

/* Copies `count` positions from `from` on to `to`. */
static lun_status plan_along(plan *p, const extension *e, size_t to, size_t from, size_t count, lun_error *err)
{
    const lun_array there = part_of(e->all, e->axis, to, count), here = part_of(e->all, e->axis, from, count);
    return plan_array_copy(p, &there, &here, err);
}

/* The same, the last position first. */
static lun_status plan_mirrored(plan *p, const extension *e, size_t to, size_t from, size_t count, lun_error *err)
{
    const lun_array there = part_of(e->all, e->axis, to, count);
    lun_array here = part_of(e->all, e->axis, from + count - 1, count);
    here.stride[e->axis] = -here.stride[e->axis];
    return plan_array_copy(p, &there, &here, err);
}

static lun_status extend_constant(plan *p, const extension *e, lun_error *err)
{
    const lun_array before = part_of(e->all, e->axis, 0, e->low);
    const lun_array after = part_of(e->all, e->axis, e->high, e->all->shape[e->axis] - e->high);
    TRY(plan_array_fill(p, &before, e->bits, err));
    return plan_array_fill(p, &after, e->bits, err);
}

/* Copies position `from` to `count` positions from `to` on. */
static lun_status plan_repeated(plan *p, const extension *e, size_t to, size_t from, size_t count, lun_error *err)
{
    const lun_array there = part_of(e->all, e->axis, to, count);
    lun_array here = part_of(e->all, e->axis, from, count);
    here.stride[e->axis] = 0;
    return plan_array_copy(p, &there, &here, err);
}

static lun_status extend_edge(plan *p, const extension *e, lun_error *err)
{
    TRY(plan_repeated(p, e, 0, e->low, e->low, err));
    return plan_repeated(p, e, e->high, e->high - 1, e->all->shape[e->axis] - e->high, err);
}

static lun_status extend_wrap(plan *p, const extension *e, lun_error *err)
{
    const size_t period = e->high - e->low, size = e->all->shape[e->axis];
    size_t low = e->low, high = e->high;
    while (low > 0) {
        const size_t whole = (high - low) / period * period, count = smaller(low, whole);
        low -= count;
        TRY(plan_along(p, e, low, low + whole, count, err));
    }
    while (high < size) {
        const size_t whole = (high - low) / period * period, count = smaller(size - high, whole);
        TRY(plan_along(p, e, high, high - whole, count, err));
        high += count;
    }
    return LUN_OK;
}

/* The first and the last position are mirrors, and so is each that lies high-low-1 further; or the mirrors are beside them. */
static lun_status extend_mirrored(plan *p, const extension *e, bool beside, lun_error *err)
{
    const size_t size = e->all->shape[e->axis], own = !beside;
    for (size_t low = e->low; low > 0;) {
        const size_t count = smaller(low, e->high - own - low);
        TRY(plan_mirrored(p, e, low - count, low + own, count, err));
        low -= count;
    }
    for (size_t high = e->high; high < size;) {
        const size_t count = smaller(size - high, high - own - e->low);
        TRY(plan_mirrored(p, e, high, high - own - count, count, err));
        high += count;
    }
    return LUN_OK;
}

static lun_status extend_reflect(plan *p, const extension *e, lun_error *err)
{
    return e->high - e->low == 1 ? extend_edge(p, e, err) : extend_mirrored(p, e, false, err);
}

static lun_status extend_symmetric(plan *p, const extension *e, lun_error *err)
{
    return extend_mirrored(p, e, true, err);
}

static const struct {
    const char *name;
    lun_status (*extend)(plan *p, const extension *e, lun_error *err);
} modes[] = {
    [LUN_PAD_CONSTANT] = {"constant", extend_constant},
    [LUN_PAD_EDGE] = {"edge", extend_edge},
    [LUN_PAD_WRAP] = {"wrap", extend_wrap},
    [LUN_PAD_REFLECT] = {"reflect", extend_reflect},
    [LUN_PAD_SYMMETRIC] = {"symmetric", extend_symmetric},
};

lun_status lun_pad_mode_find(lun_pad_mode *out, const char *name, lun_error *err)
{
    for (size_t i = 0; i < COUNT(modes); i++) {
        if (strcmp(modes[i].name, name) == 0) {
            *out = (lun_pad_mode)i;
            return LUN_OK;
        }
    }
    return fail(err, LUN_MISUSE, "unknown mode '%.40s'; known are constant, edge, wrap, reflect, symmetric", name);
}

/* Copies `in` into `out`, which has as many axes, `before[i]` positions from the start of axis i, and extends it. The last
 * axis comes first: most of what is written is then written along the first one, where rows are whole. */
static lun_status plan_extended(plan *p, const lun_array *out, const lun_array *in, const size_t *before,
                                lun_pad_mode mode, cl_ulong2 bits, lun_error *err)
{
    lun_array filled = *out; /* what holds its elements already; without a reference of its own */
    for (int i = 0; i < out->ndim; i++)
        filled = part_of(&filled, i, before[i], in->shape[i]);
    TRY(plan_array_copy(p, &filled, in, err));
    for (int i = out->ndim - 1; i >= 0; i--) {
        const size_t size = out->shape[i];
        filled.offset -= (int64_t)before[i] * filled.stride[i];
        filled = part_of(&filled, i, 0, size);
        if (filled.size && size != in->shape[i])
            TRY(modes[mode].extend(p, &(extension){&filled, i, before[i], before[i] + in->shape[i], bits}, err));
    }
    return LUN_OK;
}

/* ---- padding -------------------------------------------------------------------------------------------------------- */

lun_status lun_pad_result(size_t *shape, const lun_array *array, const lun_padding *padding, lun_error *err)
{
    size_t size;
    TRY(array_check_live(array, "the array", err));
    for (int i = 0; i < array->ndim; i++) {
        const size_t before = padding->before[i], after = padding->after[i];
        bool large = __builtin_add_overflow(array->shape[i], before, &shape[i]);
        large = __builtin_add_overflow(shape[i], after, &shape[i]) || large;
        shape[i] = large ? SIZE_MAX : shape[i];
        if (array->shape[i] == 0 && shape[i] > 0 && padding->mode != LUN_PAD_CONSTANT)
            FAIL(LUN_MISUSE, "axis %d has no position to pad with; only a constant can pad it",
                 array_axis_shown(array, i));
    }
    return shape_size(&size, array->ndim, shape, lun_dtype_bytes(array->dtype), err);
}

lun_status lun_pad(const lun_array *out, const lun_array *array, const lun_padding *padding, const lun_call *call,
                   lun_error *err)
{
    ENDED_BY(arrange_clear) arranging a = {0};
    arranged result = arranged_like(array);
    cl_ulong2 bits = {{0}};
    if (array_is_traced(out)) {
        lun_read read = {.shifted = true, .mode = padding->mode, .value = padding->value};
        for (int i = 0; i < array->ndim; i++) {
            read.before[i] = (int64_t)padding->before[i];
            read.after[i] = (int64_t)padding->after[i];
        }
        return read_check(array, &read, err) == LUN_OK ? graph_note_read(out, array, &read, err)
                                                       : fail(err, LUN_NOT_NOTED, "an expression cannot read that far");
    }
    TRY(lun_pad_result(result.shape, array, padding, err));
    if (padding->mode == LUN_PAD_CONSTANT) /* on little-endian hosts the low bytes are the element */
        TRY(lun_number_store(&bits, array->dtype, padding->value, err));
    TRY(arrange_begin(&a, "pad", out, &result, &array, 1, call, err));
    if (out->size)
        TRY(plan_extended(&a.plan, out, array, padding->before, padding->mode, bits, err));
    return operation_run(&a.op, &a.plan, err);
}

/* ---- tiling --------------------------------------------------------------------------------------------------------- */

/* The array with axes of size 1 in front, so that it has one for each of `count` times; without a reference of its own. */
static lun_array with_axes(const lun_array *array, int count)
{
    lun_array view = *array;
    view.ndim = array->ndim > count ? array->ndim : count;
    for (int i = 0; i < view.ndim; i++) {
        const int own = i - (view.ndim - array->ndim);
        view.shape[i] = own < 0 ? 1 : array->shape[own];
        view.stride[i] = own < 0 ? 1 : array->stride[own];
    }
    return view;
}

lun_status lun_tile_result(int *ndim, size_t *shape, const lun_array *array, int count, const size_t *times,
                           lun_error *err)
{
    size_t size;
    TRY(array_check_live(array, "the array", err));
    if (count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", count, LUN_MAX_AXES);
    const lun_array view = with_axes(array, count);
    *ndim = view.ndim;
    for (int i = 0; i < view.ndim; i++) {
        const int own = i - (view.ndim - count);
        if (__builtin_mul_overflow(view.shape[i], own < 0 ? 1 : times[own], &shape[i]))
            shape[i] = SIZE_MAX; /* which is too large */
    }
    return shape_size(&size, *ndim, shape, lun_dtype_bytes(array->dtype), err);
}

lun_status lun_tile(const lun_array *out, const lun_array *array, int count, const size_t *times, const lun_call *call,
                    lun_error *err)
{
    ENDED_BY(arrange_clear) arranging a = {0};
    arranged result = arranged_like(array);
    const size_t before[LUN_MAX_AXES] = {0};
    TRY(lun_tile_result(&result.ndim, result.shape, array, count, times, err));
    const lun_array view = with_axes(array, count);
    TRY(arrange_begin(&a, "tile", out, &result, &array, 1, call, err));
    if (out->size)
        TRY(plan_extended(&a.plan, out, &view, before, LUN_PAD_WRAP, (cl_ulong2){{0}}, err));
    return operation_run(&a.op, &a.plan, err);
}
