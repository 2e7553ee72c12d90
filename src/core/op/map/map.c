/* Elementwise functions of arrays: shapes, layouts, and the ways to compute an expression. */
#include "op/map/map.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_A_CHUNK 16384 /* elements a work-item gets at least on a CPU: below, a second core does not pay */

/* ---- layouts ---------------------------------------------------------------------------------------------------- */

/* Strides of an array as broadcast to that many axes. */
static void broadcast_strides(int64_t *out, int ndim, const lun_array *array)
{
    for (int i = 0; i < ndim; i++) {
        const int own = i - (ndim - array->ndim);
        out[i] = own < 0 || array->shape[own] == 1 ? 0 : array->stride[own];
    }
}

/* Moves the axes of long strides in the first output outward, so that its neighbours are neighbours in a row. */
static void sort_axes(int ndim, size_t *size, int64_t *const *strides, size_t count)
{
    for (int i = 1; i < ndim; i++)
        for (int at = i; at > 0 && llabs(strides[0][at - 1]) < llabs(strides[0][at]); at--) {
            const size_t held = size[at];
            size[at] = size[at - 1];
            size[at - 1] = held;
            for (size_t k = 0; k < count; k++) {
                const int64_t stride = strides[k][at];
                strides[k][at] = strides[k][at - 1];
                strides[k][at - 1] = stride;
            }
        }
}

/* Fills shape and form from the arrays; the result is not empty. */
static void find_rows(map_problem *p)
{
    const size_t count = p->form.array_count;
    const lun_array *first = p->form.arrays[0];
    size_t size[LUN_MAX_AXES];
    int64_t strides[MAP_ARRAYS][LUN_MAX_AXES], *lists[MAP_ARRAYS];
    int ndim = first->ndim;
    memcpy(size, first->shape, sizeof size);
    for (size_t k = 0; k < count; k++) {
        lists[k] = strides[k];
        broadcast_strides(strides[k], ndim, p->form.arrays[k]);
    }
    sort_axes(ndim, size, lists, count);
    ndim = shape_collapse(ndim, size, lists, (int)count);
    const int last = ndim - 1;
    p->form.outer = ndim ? last : 0;
    p->shape.columns = ndim ? (cl_long)size[last] : 1;
    p->shape.rows = 1;
    for (int i = 0; i < p->form.outer; i++) {
        p->shape.size[i] = (cl_long)size[i];
        p->shape.rows *= (cl_long)size[i];
    }
    for (size_t k = 0; k < count; k++) {
        map_array *array = &p->shape.array[k];
        array->first = p->form.arrays[k]->offset;
        array->inner = ndim ? strides[k][last] : 1;
        p->form.inner[k] = array->inner == 1 ? INNER_DENSE : array->inner == 0 ? INNER_SINGLE : INNER_STRIDED;
        for (int i = 0; i < p->form.outer; i++)
            array->outer[i] = strides[k][i];
    }
}

/* ---- plans -------------------------------------------------------------------------------------------------------- */

/* The bytes of the widest number that is computed, and of the widest element. */
static void find_widest(size_t *computed, size_t *element, const map_form *form)
{
    *computed = *element = 1;
    for (size_t i = 0; i < form->expression->node_count; i++) {
        const map_value *v = &form->types->value[i];
        if (v->weak)
            continue;
        const bool op = form->expression->nodes[i].kind == LUN_NODE_OP;
        *computed = larger(*computed, lun_dtype_bytes(dtype_computed(v->dtype)));
        *computed = larger(*computed, lun_dtype_bytes(dtype_computed(op ? v->operands : v->dtype)));
    }
    for (size_t i = 0; i < form->array_count; i++)
        *element = larger(*element, lun_dtype_bytes(form->arrays[i]->dtype));
}

static lun_status find_kernel(cl_kernel *out, lun_device *device, const variant *row, const map_form *form,
                              const char *defines, lun_error *err)
{
    lun_status status = LUN_OK;
    text_builder signature = {0};
    char all[160];
    bool half = false, bfloat = false;
    for (size_t i = 0; i < form->expression->node_count; i++) {
        half = half || form->types->value[i].dtype == LUN_f16;
        bfloat = bfloat || form->types->value[i].dtype == LUN_bf16;
    }
    for (size_t i = 0; i < form->array_count; i++) {
        half = half || form->arrays[i]->dtype == LUN_f16;
        bfloat = bfloat || form->arrays[i]->dtype == LUN_bf16;
    }
    snprintf(all, sizeof all, "%s%s%s", half ? "#define SRC_ENCODED_HALF 1\n" : "",
             bfloat ? "#define SRC_ENCODED_BFLOAT 1\n" : "", defines);
    map_write_signature(&signature, form);
    TRY(text_check(&signature, err));
    TRY(program_kernel(out, device,
                       &(program_key){.file = row->file,
                                      .dtype = LUN_u8,
                                      .defines = all,
                                      .signature = signature.chars,
                                      .single_literals = form->expression->texts && form->types->result[0] != LUN_f64,
                                      .write = map_write_text,
                                      .of = form},
                       row->file, err));
done:
    text_clear(&signature);
    return status;
}

static lun_status launch_map(plan *out, const launch *what, const map_problem *p, lun_error *err)
{
    launch_arg args[1 + MAP_ARRAYS + MAP_NUMBERS];
    const map_form *form = &p->form;
    size_t count = 0;
    args[count++] =
        (launch_arg)ARG_BYTES(&p->shape, offsetof(map_shape, array) + form->array_count * sizeof p->shape.array[0]);
    for (size_t i = 0; i < form->array_count; i++)
        args[count++] = (launch_arg)ARG_BLOCK(form->arrays[i]->block);
    for (size_t i = 0; i < form->expression->number_count; i++)
        args[count++] = p->numbers[i];
    return plan_launch(out, what, args, count, err);
}

lun_status map_plain_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    map_problem p = *(const map_problem *)data;
    cl_kernel kernel;
    p.form.width = 1;
    TRY(find_kernel(&kernel, out->op->device, row, &p.form, "", err));
    const launch spread =
        launch_spread(out->op->device, kernel, (size_t)(p.shape.rows * p.shape.columns), LEAST_A_CHUNK);
    TRY(launch_map(out, &spread, &p, err));
done:
    return status;
}

#define LONG_ROW 64 /* elements from which stores past the cache are worth their alignment */

bool map_cpu_applies(const lun_device *device, const void *problem) { return variant_on_cpu(device, problem); }

lun_status map_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    map_problem p = *(const map_problem *)data;
    const lun_device *device = out->op->device;
    cl_kernel kernel;
    size_t computed, element;
    find_widest(&computed, &element, &p.form);
    const size_t lanes = larger(4, device->info.vector_f32) * sizeof(float) / computed;
    p.form.width = p.form.expression->texts ? 1 : (unsigned)smaller(lanes, 16);
    const size_t vector = p.form.width * lun_dtype_bytes(p.form.arrays[0]->dtype);
    const bool streams = p.form.width > 1 && p.form.inner[0] == INNER_DENSE && p.shape.columns >= LONG_ROW &&
                         passes_cache(device, p.touched);
    p.form.stream = streams ? (unsigned)vector : 0;
    TRY(find_kernel(&kernel, out->op->device, row, &p.form, "", err));
    const launch spread = launch_spread(device, kernel, (size_t)(p.shape.rows * p.shape.columns), LEAST_A_CHUNK);
    TRY(launch_map(out, &spread, &p, err));
done:
    return status;
}

#define GPU_ITEMS 256
#define GPU_LEAST_COLUMNS 128
#define GPU_MOST_ROWS 65535 /* groups along the second dimension of a launch */

/* Do all vectors of so many elements begin at multiples of their own size? */
static bool is_aligned(const map_problem *p, int64_t width)
{
    bool yes = true;
    for (size_t k = 0; k < p->form.array_count; k++) {
        const map_array *array = &p->shape.array[k];
        if (p->form.inner[k] != INNER_DENSE)
            continue;
        yes = yes && array->first % width == 0;
        for (int i = 0; i < p->form.outer; i++)
            yes = yes && array->outer[i] % width == 0;
    }
    return yes;
}

bool map_gpu_applies(const lun_device *device, const void *data)
{
    const map_problem *p = data;
    return device->info.max_group >= GPU_ITEMS && (!p || p->shape.columns >= GPU_LEAST_COLUMNS);
}

lun_status map_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    map_problem p = *(const map_problem *)data;
    cl_kernel kernel;
    char defines[80];
    size_t computed, element;
    find_widest(&computed, &element, &p.form);
    p.form.width = p.form.expression->texts ? 1 : (unsigned)(GPU_VECTOR / element);
    while (p.form.width > 1 && !is_aligned(&p, p.form.width))
        p.form.width /= 2;
    p.form.aligned = p.form.width > 1;
    const size_t each = p.form.width * element >= 16 ? 1 : 16 / (p.form.width * element);
    snprintf(defines, sizeof defines, "#define GROUP_ITEMS %d\n#define EACH %zu\n", GPU_ITEMS, each);
    TRY(find_kernel(&kernel, out->op->device, row, &p.form, defines, err));
    const size_t group = GPU_ITEMS * each * p.form.width;
    const launch groups = {kernel,
                           2,
                           {ceil_div((size_t)p.shape.columns, group), smaller((size_t)p.shape.rows, GPU_MOST_ROWS), 1},
                           {GPU_ITEMS, 1, 1}};
    TRY(launch_map(out, &groups, &p, err));
done:
    return status;
}

/* cpu     a work-item computes a run of elements in vectors: CPUs.
 * gpu     a work-item computes 16 bytes of a row: GPUs, rows of GPU_LEAST_COLUMNS elements and more.
 * plain   one element at a time. */
static const variant ways[] = {
    {"cpu", "map_cpu", CL_DEVICE_TYPE_CPU, 0, false, map_cpu_applies, map_cpu_plan},
    {"gpu", "map_gpu", CL_DEVICE_TYPE_GPU, 0, false, map_gpu_applies, map_gpu_plan},
    {"plain", "map_plain", 0, 0, false, variant_anywhere, map_plain_plan},
};
const variants map_variants = {ways, COUNT(ways)};

/* ---- the calls ------------------------------------------------------------------------------------------------------ */

/* Checks the arrays of an expression, and finds the shape they broadcast to. */
static lun_status check_arrays(int *ndim, size_t *shape, const lun_expression *e, lun_error *err)
{
    lun_status status = LUN_OK;
    char one[200], other[200];
    if (!e->array_count)
        FAIL(LUN_MISUSE, "there is no array to compute with");
    for (size_t i = 0; i < e->array_count; i++) {
        TRY(array_check_live(e->arrays[i], "the array", err));
        if (e->arrays[i]->device != e->arrays[0]->device)
            FAIL_HINT(LUN_HINT_BRING_OVER, "arrays of two devices in one call");
        if (shape_broadcast(ndim, shape, e->arrays, i + 1))
            continue;
        shape_broadcast(ndim, shape, e->arrays, i);
        FAIL(LUN_MISUSE, "shapes %s and %s do not broadcast", lun_shape_text(one, sizeof one, *ndim, shape),
             lun_shape_text(other, sizeof other, e->arrays[i]->ndim, e->arrays[i]->shape));
    }
done:
    return status;
}

static lun_status find_result(map_types *types, int *ndim, size_t *shape, const lun_expression *e, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(check_arrays(ndim, shape, e, err));
    TRY(map_find_types(types, e, e->arrays[0]->device->info.fp64, err));
done:
    return status;
}

lun_status lun_map_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *e, lun_error *err)
{
    lun_status status = LUN_OK;
    map_types types;
    TRY(find_result(&types, ndim, shape, e, err));
    for (size_t i = 0; i < e->result_count; i++)
        dtypes[i] = types.result[i];
done:
    return status;
}

static bool is_same_view(const lun_array *a, const lun_array *b)
{
    bool same = a->block == b->block && a->offset == b->offset && a->dtype == b->dtype && shape_equal(a, b);
    for (int i = 0; same && i < a->ndim; i++)
        same = a->shape[i] == 1 || a->stride[i] == b->stride[i];
    return same;
}

static lun_status check_out(const lun_array *const *outs, size_t position, const map_types *types, int ndim,
                            const size_t *shape, const lun_expression *e, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *out = outs[position];
    const lun_dtype dtype = types->result[position];
    char has[200], wanted[200];
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, e->arrays[0], "out", err));
    if (out->ndim != ndim || memcmp(out->shape, shape, (size_t)ndim * sizeof *shape) != 0)
        FAIL(LUN_MISUSE, "out has shape %s; the result has %s", lun_shape_text(has, sizeof has, out->ndim, out->shape),
             lun_shape_text(wanted, sizeof wanted, ndim, shape));
    if (out->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s; the result is %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    if (array_is_spread(out))
        FAIL(LUN_MISUSE, "out is a broadcast view, whose elements stand for several results");
    for (size_t i = 0; i < e->array_count; i++)
        if (!is_same_view(out, e->arrays[i]))
            TRY(array_check_apart(out, e->arrays[i], err));
    for (size_t i = 0; i < position; i++)
        if (lun_array_overlap(out, outs[i]))
            FAIL(LUN_MISUSE, "outputs %zu and %zu share elements", i + 1, position + 1);
done:
    return status;
}

/* The numbers as the kernel takes them; `elements` keeps them. */
static lun_status convert_numbers(launch_arg *out, double *elements, const lun_expression *e, const map_types *types,
                                  lun_error *err)
{
    lun_status status = LUN_OK;
    for (size_t i = 0; i < e->number_count; i++) {
        TRY(lun_number_store(&elements[i], types->number[i], e->numbers[i], err));
        out[i] = (launch_arg)ARG_BYTES(&elements[i], lun_dtype_bytes(types->number[i]));
    }
done:
    return status;
}

static lun_status touch(operation *op, map_problem *p, lun_error *err)
{
    lun_status status = LUN_OK;
    for (size_t i = 0; i < p->form.array_count; i++) {
        const lun_array *array = p->form.arrays[i];
        p->touched += lun_array_bytes(array);
        TRY(i < p->form.expression->result_count ? operation_writes(op, array, err) : operation_reads(op, array, err));
    }
done:
    return status;
}

lun_status lun_map(const lun_array *const *outs, const lun_expression *e, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan planned = {0};
    map_types types;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *arrays[MAP_ARRAYS];
    launch_arg numbers[MAP_NUMBERS];
    double elements[MAP_NUMBERS];
    map_problem p = {
        .form = {.expression = e, .types = &types, .arrays = arrays, .array_count = e->result_count + e->array_count},
        .numbers = numbers};
    TRY(find_result(&types, &ndim, shape, e, err));
    for (size_t i = 0; i < e->result_count; i++)
        TRY(check_out(outs, i, &types, ndim, shape, e, err));
    TRY(convert_numbers(numbers, elements, e, &types, err));
    memcpy(arrays, outs, e->result_count * sizeof *outs);
    memcpy(arrays + e->result_count, e->arrays, e->array_count * sizeof *e->arrays);
    operation_init(&op, outs[0]->device, e->name, call);
    plan_init(&planned, &op);
    TRY(touch(&op, &p, err));
    if (outs[0]->size) {
        find_rows(&p);
        TRY(plan_variant(&planned, &map_variants, &p, variant_named(call), err));
    }
    operation_quick(&op);
    TRY(operation_run(&op, &planned, err));
done:
    plan_clear(&planned);
    operation_clear(&op);
    return status;
}
