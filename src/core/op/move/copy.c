/* Copying: memory without gaps on CPUs and GPUs, by the driver, and one element at a time with a cast. */
#include "op/move/move.h"
#include "op/planning.h"

#include <stdio.h>

/* ---- plain --------------------------------------------------------------------------------------------------- */

static lun_status plain_kernel(cl_kernel *kernel, const lun_array *dst, const lun_array *src, lun_error *err)
{
    char defines[240] = "";
    const bool same = dst->dtype == src->dtype;
    if (!same)
        snprintf(defines, sizeof defines,
                 "#define CAST 1\n#define SRC %s\n#define SRC_IS_%s 1\n#define SRC_ENCODED_%s 1\n%s%s%s\n%s%s%s",
                 dtype_cl(src->dtype), lun_dtype_name(src->dtype), dtype_encoding(src->dtype),
                 dtype_is_packed(src->dtype) ? "#define SRC_PACKED(verb, n) verb##" : "", dtype_packing(src->dtype),
                 dtype_is_packed(src->dtype) ? "##n" : "", dtype_is_whole(src->dtype) ? "" : "#define SRC_IS_FLOAT 1\n",
                 lun_dtype_has(src->dtype, LUN_PAIRS) ? "#define SRC_PAIRS 1\n" : "",
                 lun_dtype_has(dst->dtype, LUN_TRUTHS) ? "#define TO_TRUTHS 1\n" : "");
    const lun_dtype dtype = same ? dtype_of_bytes(lun_dtype_bytes(dst->dtype)) : dst->dtype;
    return program_kernel(kernel, dst->device, &(program_key){.file = "copy_plain", .dtype = dtype, .defines = defines},
                          "copy_plain", err);
}

lun_status copy_plain_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const copy_problem *p = data;
    cl_kernel kernel;
    layout both[2];
    (void)row;
    TRY(plain_kernel(&kernel, p->dst, p->src, err));
    shape_layouts(both, p->dst->ndim, p->dst->shape, (const lun_array *const[]){p->dst, p->src}, 2);
    const launch spread = launch_spread(out->op->device, kernel, p->dst->size, spread_tuned(out->op->device)->plain);
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(p->dst->block), ARG_LONG(p->dst->offset), ARG_VALUE(&both[0]),
                            ARG_BLOCK(p->src->block), ARG_LONG(p->src->offset), ARG_VALUE(&both[1]),
                            ARG_LONG(p->dst->size)),
                       err);
}

/* ---- memory without gaps --------------------------------------------------------------------------------------- */

/* Do the same bytes lie one after the other on both sides? */
static bool is_dense(const copy_problem *p)
{
    return p->dst->dtype == p->src->dtype && lun_array_is_contiguous(p->dst) && lun_array_is_contiguous(p->src);
}

static size_t first_byte(const lun_array *array) { return (size_t)array->offset * lun_dtype_bytes(array->dtype); }

bool copy_dense_applies(const lun_device *device, const void *data)
{
    const copy_problem *p = data;
    return launch_can_move_vectors(device) &&
           (!p || (is_dense(p) && (first_byte(p->dst) - first_byte(p->src)) % GPU_VECTOR == 0));
}

lun_status copy_dense_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const lun_array *dst = ((const copy_problem *)data)->dst, *src = ((const copy_problem *)data)->src;
    const byte_run s = byte_run_of(first_byte(dst), lun_array_bytes(dst), GPU_VECTOR);
    cl_kernel kernel;
    TRY(program_kernel(&kernel, out->op->device, &(program_key){.file = row->file, .dtype = LUN_u8}, "copy_dense",
                       err));
    const launch groups = launch_byte_run(kernel, &s);
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(dst->block), ARG_LONG(first_byte(dst)), ARG_BLOCK(src->block),
                            ARG_LONG(first_byte(src)), ARG_LONG(s.head), ARG_LONG(s.vectors), ARG_LONG(s.tail)),
                       err);
}

bool copy_cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && (!data || is_dense(data));
}

lun_status copy_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const lun_array *dst = ((const copy_problem *)data)->dst, *src = ((const copy_problem *)data)->src;
    const size_t bytes = lun_array_bytes(dst);
    const byte_run s = byte_run_of(first_byte(dst), bytes, CPU_VECTOR);
    const lun_device *device = out->op->device;
    return plan_spread(out, &(program_key){.file = row->file, .dtype = LUN_u8}, "copy_cpu", s.vectors,
                       spread_tuned(device)->plain * 4 / CPU_VECTOR,
                       ARGS(ARG_BLOCK(dst->block), ARG_LONG(first_byte(dst)), ARG_BLOCK(src->block),
                            ARG_LONG(first_byte(src)), ARG_LONG(s.head), ARG_LONG(s.vectors), ARG_LONG(s.tail),
                            ARG_LONG(passes_cache(device, 2 * bytes))),
                       err);
}

bool copy_driver_applies(const lun_device *device, const void *data)
{
    const copy_problem *p = data;
    return variant_on_cpu(device, data) && (!p || (is_dense(p) && p->dst->block != p->src->block && /* no overlap */
                                                   lun_array_bytes(p->dst) <= DRIVER_BYTES));
}

bool copy_buffer_applies(const lun_device *device, const void *data)
{
    return !(device->type & CL_DEVICE_TYPE_CPU) && (!data || is_dense(data));
}

lun_status copy_buffer_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const lun_array *dst = ((const copy_problem *)data)->dst, *src = ((const copy_problem *)data)->src;
    (void)row;
    return plan_copy(out, block_memory(dst->block), first_byte(dst), block_memory(src->block), first_byte(src),
                     lun_array_bytes(dst), err);
}
