/* Filling an array with one value. */
#include "op/fill.h"
#include "op/planning.h"

#include <string.h>

/* ---- the variants ----------------------------------------------------------------------------------------- */

static lun_status plan_anywhere(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fill_problem *p = data;
    const lun_array *array = p->out;
    layout to = array_layout(array);
    lun_dtype dtype = dtype_of_bytes(lun_dtype_bytes(array->dtype));
    return plan_spread(out, &(program_key){.file = row->file, .dtype = dtype}, "fill_plain", array->size,
                       spread_tuned(out->op->device)->plain,
                       ARGS(ARG_BLOCK(array->block), ARG_LONG(array->offset), ARG_VALUE(&to), ARG_LONG(array->size),
                            ARG_VALUE(&p->bits)),
                       err);
}

/* Every 16 bytes of an array that is filled with an element of `item` bytes. */
static cl_ulong2 repeated(cl_ulong2 bits, size_t item)
{
    for (size_t filled = item; filled < sizeof bits.s[0]; filled *= 2)
        bits.s[0] |= bits.s[0] << (8 * filled);
    if (item < sizeof bits)
        bits.s[1] = bits.s[0];
    return bits;
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    const fill_problem *p = data;
    return variant_on_cpu(device, data) && (!p || lun_array_is_contiguous(p->out));
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fill_problem *p = data;
    size_t item = lun_dtype_bytes(p->out->dtype), at = (size_t)p->out->offset * item, bytes = lun_array_bytes(p->out);
    byte_run s = byte_run_of(at, bytes, CPU_VECTOR);
    const cl_ulong2 bits = repeated(p->bits, item);
    return plan_spread(out, &(program_key){.file = row->file, .dtype = LUN_u8}, "fill_cpu", s.vectors,
                       spread_tuned(out->op->device)->plain * 4 / CPU_VECTOR,
                       ARGS(ARG_BLOCK(p->out->block), ARG_LONG(at), ARG_LONG(s.head), ARG_LONG(s.vectors),
                            ARG_LONG(s.tail), ARG_VALUE(&bits), ARG_LONG(passes_cache(out->op->device, bytes))),
                       err);
}

static bool driver_applies(const lun_device *device, const void *data)
{
    const fill_problem *p = data;
    return variant_on_cpu(device, data) &&
           (!p || (lun_array_is_contiguous(p->out) && lun_array_bytes(p->out) <= DRIVER_FILLS));
}

static lun_status plan_by_driver(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fill_problem *p = data;
    const size_t item = lun_dtype_bytes(p->out->dtype);
    (void)row;
    return plan_fill(out, block_memory(p->out->block), (size_t)p->out->offset * item, lun_array_bytes(p->out), p->bits,
                     item, err);
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    const fill_problem *p = data;
    return launch_can_move_vectors(device) && (!p || lun_array_is_contiguous(p->out));
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fill_problem *p = data;
    cl_kernel kernel;
    size_t item = lun_dtype_bytes(p->out->dtype), at = (size_t)p->out->offset * item;
    byte_run s = byte_run_of(at, lun_array_bytes(p->out), GPU_VECTOR);
    const cl_ulong2 bits = repeated(p->bits, item);
    TRY(program_kernel(&kernel, out->op->device, &(program_key){.file = row->file, .dtype = LUN_u8}, "fill_gpu", err));
    const launch groups = launch_byte_run(kernel, &s);
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->out->block), ARG_LONG(at), ARG_LONG(s.head), ARG_LONG(s.vectors),
                            ARG_LONG(s.tail), ARG_VALUE(&bits)),
                       err);
}

/* driver the driver's own filling, without a kernel: few bytes, contiguous, on CPUs.
 * cpu    whole cache lines, written past the cache where the array is larger than it: contiguous arrays on CPUs.
 * gpu    16 bytes a work-item: contiguous arrays on GPUs; anywhere by name.
 * plain  one element at a time: every device and view. */

static const variant rows[] = {
    {.name = "driver", ON_CPU, .applies = driver_applies, .plan = plan_by_driver},
    {.name = "cpu", .file = "fill_cpu", ON_CPU, .applies = cpu_applies, .plan = plan_on_cpu},
    {.name = "gpu", .file = "fill_gpu", ON_GPU, .applies = gpu_applies, .plan = plan_on_gpu},
    {.name = "plain", .file = "fill_plain", .applies = variant_anywhere, .plan = plan_anywhere},
};
const variants fill_variants = {rows, COUNT(rows)};

/* ---- the call ---------------------------------------------------------------------------------------------------- */

lun_status lun_array_fill(const lun_array *out, lun_number value, const lun_call *call, lun_error *err)
{
    fill_problem problem = {.out = out};
    TRY(array_check_live(out, "the array", err));
    /* On little-endian hosts the low bytes are the element. */
    TRY(lun_number_store(&problem.bits, out->dtype, value, err));
    return variant_operation("fill", out, NULL, &fill_variants, &problem, call, err);
}
