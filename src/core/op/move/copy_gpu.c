/* Strided copies on GPUs: neighbouring elements are copied as wider items where alignment allows it. */
#include "abi/move.h"
#include "op/move/move.h"
#include "op/move/move_tuning.h"
#include "op/planning.h"

#include <stdlib.h>

#define MOST_ITEMS ((size_t)INT32_MAX) /* in a launch, since its kernel counts in 32 bits */
#define LEAST_ROW 16                   /* bytes: in a shorter row most words would be the incomplete ones at its ends */
#define GROUP_ITEMS (COPY_GPU_ITEMS * COPY_GPU_EACH)

typedef struct copy_form {
    axis_pairs axes; /* sizes and strides in items */
    size_t item;     /* bytes of an item: 1, 2, 4, 8 or 16 */
    size_t width; /* not 0: rows of that many bytes at any address; items are bytes, and the last axis counts words */
    bool lines;   /* the last axis is a long row of items, whose place is found once for a group */
} copy_form;

/* Are all offsets, strides and the last size multiples of `by` bytes? */
static bool divides(const copy_form *form, size_t by)
{
    const axis_pairs *a = &form->axes;
    const int64_t items = (int64_t)(by / form->item);
    bool yes = a->dst_first % items == 0 && a->src_first % items == 0 && a->size[a->count - 1] % (size_t)items == 0;
    for (int i = 0; i < a->count - 1; i++)
        yes &= a->dst[i] % items == 0 && a->src[i] % items == 0;
    return yes;
}

/* Counts in items that are `factor` times as large, or for a negative factor -factor times as small. */
static void rescale(copy_form *form, int64_t factor)
{
    axis_pairs *a = &form->axes;
    const int last = a->count - 1;
    const int64_t up = factor < 0 ? -factor : 1, down = factor < 0 ? 1 : factor;
    a->dst_first = a->dst_first * up / down, a->src_first = a->src_first * up / down;
    for (int i = 0; i < last; i++)
        a->dst[i] = a->dst[i] * up / down, a->src[i] = a->src[i] * up / down;
    a->size[last] = a->size[last] * (size_t)up / (size_t)down;
    form->item = form->item * (size_t)down / (size_t)up;
}

static copy_form find_form(const lun_array *dst, const lun_array *src)
{
    copy_form form = {.axes = shape_axis_pairs(dst, src), .item = lun_dtype_bytes(dst->dtype)};
    axis_pairs *a = &form.axes;
    if (a->count == 0)
        *a = (axis_pairs){.count = 1, .size = {1}, .dst = {1}, .src = {1}, a->dst_first, a->src_first};
    const int last = a->count - 1;
    if (a->dst[last] != 1 || a->src[last] != 1)
        return form;
    size_t wide = 16, bytes = a->size[last] * form.item;
    while (wide > form.item && !divides(&form, wide))
        wide /= 2;
    if (wide >= 4 || bytes < LEAST_ROW || bytes > MOST_ITEMS) {
        rescale(&form, (int64_t)(wide / form.item));
        form.lines = a->count > 1 && form.item < 16 && a->size[last] >= move_tuned(dst->device)->long_row;
    } else if (a->count < LUN_MAX_AXES) {
        rescale(&form, -(int64_t)form.item);
        form.width = bytes;
        a->size[last] = (bytes + 3) / 4 + 1;
        a->dst[last] = a->src[last] = 0;
    }
    return form;
}

static size_t count_items(const axis_pairs *a)
{
    size_t count = 1;
    for (int i = 0; i < a->count; i++)
        count *= a->size[i];
    return count;
}

/* The axis that a copy is cut along when it has too many items: the longest, but not the words of a row. */
static int cut_axis(const copy_form *form)
{
    int longest = 0;
    for (int i = 1; i < form->axes.count - (form->width > 0 || form->lines); i++)
        if (form->axes.size[i] > form->axes.size[longest])
            longest = i;
    return longest;
}

/* Of rows that are lines the positions are the rows themselves. */
static copy_shape make_shape(const copy_form *form)
{
    axis_pairs outer = form->axes;
    outer.count -= form->lines;
    const axis_pairs *a = &outer;
    copy_shape shape = {.dst = a->dst_first,
                        .src = a->src_first,
                        .dst_outer = a->dst[0],
                        .src_outer = a->src[0],
                        .inner = (cl_uint)a->count - 1,
                        .count = (cl_uint)count_items(a),
                        .width = (cl_uint)(form->lines ? form->axes.size[a->count] : form->width)};
    for (int i = 0; i < a->count - 1; i++) {
        const int axis = a->count - 1 - i;
        const uint64_t size = a->size[axis];
        unsigned shift = 0;
        while (((uint64_t)1 << shift) < size)
            shift++;
        shape.dst_step[i] = (cl_int)a->dst[axis];
        shape.src_step[i] = (cl_int)a->src[axis];
        shape.size[i] = (cl_uint)size;
        shape.shift[i] = shift;
        shape.magic[i] = (cl_uint)(((((uint64_t)1 << shift) - size) << 32) / size + 1);
    }
    return shape;
}

static lun_status find_kernel(cl_kernel *out, lun_device *device, const variant *row, const copy_form *form,
                              lun_error *err)
{
    const bool pairs = form->item == 16;
    program_key key = {.file = row->file,
                       .dtype = dtype_of_bytes(pairs ? 8 : form->item),
                       .defines = pairs ? "#define PAIRS 1\n" : NULL};
    return program_kernel(out, device, &key,
                          form->lines   ? "copy_gpu_lines"
                          : form->width ? "copy_gpu_rows"
                                        : "copy_gpu",
                          err);
}

bool copy_gpu_applies(const lun_device *device, const void *data)
{
    const copy_problem *p = data;
    if (device->info.max_group < COPY_GPU_ITEMS)
        return false;
    if (!p)
        return true;
    if (p->dst->dtype != p->src->dtype)
        return false;
    const copy_form form = find_form(p->dst, p->src);
    bool near = true;
    for (int i = 1; i < form.axes.count; i++)
        near &= form.axes.dst[i] <= INT32_MAX && llabs(form.axes.src[i]) <= INT32_MAX;
    return near && count_items(&form.axes) / form.axes.size[cut_axis(&form)] <= MOST_ITEMS;
}

lun_status copy_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const lun_array *dst = ((const copy_problem *)data)->dst, *src = ((const copy_problem *)data)->src;
    cl_kernel kernel;
    copy_form form = find_form(dst, src);
    const int cut = cut_axis(&form);
    const size_t whole = form.axes.size[cut], share = MOST_ITEMS / (count_items(&form.axes) / whole);
    const cl_uint parts = (cl_uint)ceil_div(form.axes.size[form.axes.count - 1], COPY_GPU_ITEMS * COPY_GPU_LINE);
    TRY(find_kernel(&kernel, out->op->device, row, &form, err));
    for (size_t from = 0; from < whole; from += share) {
        form.axes.size[cut] = whole - from < share ? whole - from : share;
        const copy_shape shape = make_shape(&form);
        const size_t groups = form.lines ? shape.count * parts : ceil_div(shape.count, GROUP_ITEMS);
        const launch all = {kernel, 1, {groups, 1, 1}, {COPY_GPU_ITEMS, 1, 1}};
        const launch_arg args[] = {ARG_BLOCK(dst->block), ARG_BLOCK(src->block), ARG_VALUE(&shape), ARG_VALUE(&parts)};
        TRY(plan_launch(out, &all, args, form.lines ? 4 : 3, err));
        form.axes.dst_first += (int64_t)share * form.axes.dst[cut];
        form.axes.src_first += (int64_t)share * form.axes.src[cut];
    }
    return LUN_OK;
}
