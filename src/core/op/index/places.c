/* Places that several index arrays name together, or one along an axis: their elements, and their positions. */
#include "op/index/index.h"
#include "op/planning.h"

#include <stdio.h>
#include <string.h>

/* ---- which places ------------------------------------------------------------------------------------------------ */

static lun_status check_index(const lun_device *device, const lun_array *index, lun_error *err)
{
    TRY(array_check_live(index, "the index array", err));
    if (index->device != device)
        FAIL_HINT(LUN_HINT_BRING_OVER, "the index array is on another device");
    if (index->dtype != LUN_i32 && index->dtype != LUN_i64)
        FAIL(LUN_MISUSE, "the index array is %s; i32 or i64 is needed", lun_dtype_name(index->dtype));
    return LUN_OK;
}

lun_status lun_places_along(lun_places *out, const lun_array *array, const lun_array *index, int axis, lun_error *err)
{
    char has[200], wanted[200];
    *out = (lun_places){.ndim = array->ndim, .count = 1, .index = {index}, .axis = {axis}, .array_ndim = array->ndim};
    TRY(check_index(array->device, index, err));
    memcpy(out->array_shape, array->shape, sizeof out->array_shape);
    bool fits = index->ndim == array->ndim;
    for (int i = 0; fits && i < array->ndim; i++) {
        const size_t own = array->shape[i], other = index->shape[i];
        out->walks[i] = i == axis ? -1 : i;
        out->shape[i] = i == axis || own == 1 ? other : own;
        fits = i == axis || own == other || own == 1 || other == 1;
    }
    if (!fits)
        FAIL(LUN_MISUSE, "the index array has shape %s, and the array %s: apart from axis %d they must broadcast",
             array_shape_text(has, sizeof has, index), array_shape_text(wanted, sizeof wanted, array),
             array_axis_shown(array, axis));
    return LUN_OK;
}

lun_status lun_places_at(lun_places *out, lun_device *device, int ndim, const size_t *shape,
                         const lun_array *const *index, size_t count, lun_error *err)
{
    char one[200], other[200];
    *out = (lun_places){.count = count, .behind = ndim - (int)count, .array_ndim = ndim};
    if (count > (size_t)ndim)
        FAIL(LUN_MISUSE, "got %zu index arrays, one for each axis, but the array has %d %s", count, ndim,
             ndim == 1 ? "axis" : "axes");
    for (size_t i = 0; i < count; i++) {
        TRY(check_index(device, index[i], err));
        out->index[i] = index[i];
        out->axis[i] = (int)i;
        if (!shape_broadcast(&out->ndim, out->shape, index, i + 1)) {
            shape_broadcast(&out->ndim, out->shape, index, i);
            FAIL(LUN_MISUSE, "index arrays of shapes %s and %s do not broadcast",
                 device_shape_text(one, sizeof one, device, out->ndim, out->shape),
                 array_shape_text(other, sizeof other, index[i]));
        }
    }
    if (out->ndim + out->behind > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", out->ndim + out->behind,
             LUN_MAX_AXES);
    for (int i = 0; i < out->ndim; i++)
        out->walks[i] = -1;
    for (int i = (int)count; i < ndim; i++, out->ndim++) {
        out->walks[out->ndim] = i;
        out->shape[out->ndim] = shape[i];
    }
    memcpy(out->array_shape, shape, (size_t)ndim * sizeof *shape);
    return LUN_OK;
}

/* ---- one launch --------------------------------------------------------------------------------------------------- */

static void say_place(char *text, size_t room, const lun_verdict *found, int64_t indices)
{
    char which[40] = "";
    if (indices > 1)
        snprintf(which, sizeof which, " of index array %lld", (long long)(found->position % indices) + 1);
    snprintf(text, room, "index %lld at position %lld%s is out of range 1..%lld", (long long)found->value,
             (long long)(found->position / indices) + 1, which, (long long)found->beside);
}

/* What walks the axes that have no index, with the array's strides. */
static lun_array own_walk(const lun_places *p, const int64_t *stride)
{
    lun_array own = {.ndim = p->ndim};
    for (int i = 0; i < p->ndim; i++) {
        const int axis = p->walks[i];
        own.shape[i] = p->shape[i];
        own.stride[i] = axis < 0 || p->array_shape[axis] == 1 ? 0 : stride[axis];
    }
    return own;
}

/* The index array as the places see it. */
static lun_array index_walk(const lun_places *p, const lun_array *index)
{
    lun_array view = *index;
    view.ndim = p->ndim;
    for (int i = 0; i < p->ndim; i++) {
        const int axis = i - (p->ndim - p->behind - index->ndim);
        const bool has = axis >= 0 && axis < index->ndim && index->shape[axis] != 1;
        view.shape[i] = p->shape[i];
        view.stride[i] = has ? index->stride[axis] : 0;
    }
    return view;
}

/* Index arrays of one dtype: i64 where they differ. */
static lun_status find_indices(lun_array *out, plan *p, const lun_places *places, lun_error *err)
{
    lun_dtype dtype = places->index[0]->dtype;
    for (size_t k = 1; k < places->count; k++)
        dtype = places->index[k]->dtype == dtype ? dtype : LUN_i64;
    for (size_t k = 0; k < places->count; k++) {
        const lun_array *index = places->index[k];
        out[k] = *index;
        if (index->dtype != dtype)
            TRY(index_dense(&out[k], p, index, dtype, index->ndim, index->shape, err));
    }
    return LUN_OK;
}

static void find_shape(places_shape *s, const lun_places *p, const lun_array *out, const lun_array *in,
                       const lun_array *indices)
{
    lun_array own, views[LUN_MAX_AXES];
    const lun_array *all[2 + LUN_MAX_AXES] = {out, &own};
    layout layouts[2 + LUN_MAX_AXES];
    int64_t stride[LUN_MAX_AXES];
    shape_strides(stride, p->array_ndim, p->array_shape);
    if (in)
        memcpy(stride, in->stride, sizeof stride);
    own = own_walk(p, stride);
    for (size_t k = 0; k < p->count; k++) {
        views[k] = index_walk(p, &indices[k]);
        all[2 + k] = &views[k];
        s->first[k] = indices[k].offset;
        s->extent[k] = (cl_long)p->array_shape[p->axis[k]];
        s->stride[k] = stride[p->axis[k]];
    }
    shape_layouts(layouts, p->ndim, p->shape, all, 2 + p->count);
    s->to = layouts[0];
    s->own = layouts[1];
    memcpy(s->index, layouts + 2, p->count * sizeof *layouts);
    s->dst = out->offset;
    s->src = in ? in->offset : 0;
    s->size = (cl_long)out->size;
    s->indices = (cl_long)p->count;
    s->behind = 1;
    for (int i = p->ndim - p->behind; i < p->ndim; i++)
        s->behind *= (cl_long)p->shape[i];
}

static lun_status plan_places(plan *p, const lun_array *out, const lun_array *in, const lun_places *places,
                              lun_error *err)
{
    lun_device *device = p->op->device;
    lun_array indices[LUN_MAX_AXES];
    places_shape s = {0};
    char defines[80];
    launch groups;
    cl_mem of[LUN_MAX_AXES];
    TRY(find_indices(indices, p, places, err));
    find_shape(&s, places, out, in, indices);
    for (size_t k = 0; k < LUN_MAX_AXES; k++) /* those that are not there stand for the first */
        of[k] = block_memory(indices[k < places->count ? k : 0].block);
    snprintf(defines, sizeof defines, "#define INDEX %s\n", dtype_cl(indices[0].dtype));
    const program_key key = {.file = "places_plain", .dtype = index_moved(out->dtype), .defines = defines};
    TRY(program_kernel(&groups.kernel, device, &key, in ? "places_plain_take" : "places_plain_tell", err));
    groups = launch_spread(device, groups.kernel, out->size, spread_tuned(device)->indexed);
    TRY(plan_verdict(p, say_place, (int64_t)places->count, err));
#define INDICES                                                                                                        \
    ARG_MEM(of[0]), ARG_MEM(of[1]), ARG_MEM(of[2]), ARG_MEM(of[3]), ARG_MEM(of[4]), ARG_MEM(of[5]), ARG_MEM(of[6]),    \
        ARG_MEM(of[7])
    if (in)
        TRY(plan_launch(p, &groups,
                        ARGS(ARG_BLOCK(out->block), ARG_BLOCK(in->block), INDICES, ARG_VALUE(&s), ARG_VERDICT(p->op)),
                        err));
    else
        TRY(plan_launch(p, &groups, ARGS(ARG_BLOCK(out->block), INDICES, ARG_VALUE(&s), ARG_VERDICT(p->op)), err));
#undef INDICES
    return LUN_OK;
}

/* ---- the calls ---------------------------------------------------------------------------------------------------- */

static lun_status run(const lun_array *out, const char *name, const lun_array *in, const lun_places *places,
                      const lun_call *call, lun_error *err)
{
    const lun_array *first = places->index[0];
    const lun_dtype dtype = in ? in->dtype : LUN_i64;
    TRY(array_check_out(out, first, dtype, places->ndim, places->shape, err));
    if (in)
        TRY(array_check_apart(out, in, err));
    for (size_t k = 0; k < places->count; k++) {
        TRY(array_check_live(places->index[k], "the index array", err));
        TRY(array_check_apart(out, places->index[k], err));
    }
    PLANNED(op, p, first->device, name, call);
    TRY(operation_touches(&op, ARRAYS(in), ARRAYS(NULL), err));
    TRY(operation_touches(&op, places->index, places->count, ARRAYS(out), err));
    operation_weigh(&op, 4 * index_weight(out->size));
    if (out->size)
        TRY(plan_places(&p, out, in, places, err));
    index_quick(&op, out->size);
    return operation_run(&op, &p, err);
}

lun_status lun_places_take(const lun_array *out, const char *name, const lun_array *in, const lun_places *places,
                           const lun_call *call, lun_error *err)
{
    return run(out, name, in, places, call, err);
}

lun_status lun_places_tell(const lun_array *out, const char *name, const lun_places *places, const lun_call *call,
                           lun_error *err)
{
    return run(out, name, NULL, places, call, err);
}
