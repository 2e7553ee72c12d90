/* Filling an array with one value, or with an arithmetic sequence. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "op/launch.h"
#include "op/operation.h"
#include "op/variant.h"

#include <string.h>

#define LEAST_A_CHUNK 16384

typedef struct fill_problem {
    const lun_array *out;
    cl_ulong bits; /* the element in the low bytes */
} fill_problem;

/* ---- the ways to fill ----------------------------------------------------------------------------------------- */

static lun_status run_plain(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const fill_problem *p = data;
    const lun_array *out = p->out;
    cl_kernel kernel;
    layout to = array_layout(out);
    lun_dtype dtype = dtype_of_bytes(lun_dtype_bytes(out->dtype));
    TRY(program_kernel(&kernel, op->device, &(program_key){row->file, dtype, NULL}, "fill_plain", err));
    TRY(operation_begin(op, err));
    launch_plan plan = launch_spread(op->device, kernel, out->size, LEAST_A_CHUNK);
    TRY(launch(
        op, &plan,
        ARGS(ARG_BLOCK(out->block), ARG_LONG(out->offset), ARG_VALUE(&to), ARG_LONG(out->size), ARG_VALUE(&p->bits)),
        err));
done:
    return status;
}

static cl_ulong repeated(cl_ulong bits, size_t item)
{
    for (size_t filled = item; filled < sizeof bits; filled *= 2)
        bits |= bits << (8 * filled);
    return bits;
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    const fill_problem *p = data;
    return variant_on_cpu(device, data) && (!p || lun_array_is_contiguous(p->out));
}

static lun_status run_cpu(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const fill_problem *p = data;
    cl_kernel kernel;
    size_t item = lun_dtype_bytes(p->out->dtype), at = (size_t)p->out->offset * item, bytes = lun_array_bytes(p->out);
    byte_run s = byte_run_of(at, bytes, CPU_VECTOR);
    cl_ulong bits = repeated(p->bits, item);
    TRY(program_kernel(&kernel, op->device, &(program_key){row->file, LUN_u8, NULL}, "fill_cpu", err));
    TRY(operation_begin(op, err));
    launch_plan plan = launch_spread(op->device, kernel, s.vectors, LEAST_A_CHUNK * 4 / CPU_VECTOR);
    TRY(launch(op, &plan,
               ARGS(ARG_BLOCK(p->out->block), ARG_LONG(at), ARG_LONG(s.head), ARG_LONG(s.vectors), ARG_LONG(s.tail),
                    ARG_VALUE(&bits), ARG_LONG(passes_cache(op->device, bytes))),
               err));
done:
    return status;
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    const fill_problem *p = data;
    return launch_can_move_vectors(device) && (!p || lun_array_is_contiguous(p->out));
}

static lun_status run_gpu(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const fill_problem *p = data;
    cl_kernel kernel;
    size_t item = lun_dtype_bytes(p->out->dtype), at = (size_t)p->out->offset * item;
    byte_run s = byte_run_of(at, lun_array_bytes(p->out), GPU_VECTOR);
    cl_ulong bits = repeated(p->bits, item);
    TRY(program_kernel(&kernel, op->device, &(program_key){row->file, LUN_u8, NULL}, "fill_gpu", err));
    TRY(operation_begin(op, err));
    launch_plan plan = launch_byte_run(kernel, &s);
    TRY(launch(op, &plan,
               ARGS(ARG_BLOCK(p->out->block), ARG_LONG(at), ARG_LONG(s.head), ARG_LONG(s.vectors), ARG_LONG(s.tail),
                    ARG_VALUE(&bits)),
               err));
done:
    return status;
}

/* cpu    lines of the cache, past it where they would not stay: contiguous arrays on CPUs.
 * gpu    16 bytes a work-item: contiguous arrays on GPUs; anywhere by name.
 * plain  one element at a time: every device and view. */

const variant fill_variants[] = {
    {"cpu", "fill_cpu", CL_DEVICE_TYPE_CPU, 0, cpu_applies, run_cpu},
    {"gpu", "fill_gpu", CL_DEVICE_TYPE_GPU, 0, gpu_applies, run_gpu},
    {"plain", "fill_plain", 0, 0, variant_anywhere, run_plain},
};
const size_t fill_variant_count = COUNT(fill_variants);

/* ---- the calls ---------------------------------------------------------------------------------------------------- */

lun_status lun_array_fill(const lun_array *out, lun_number value, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    const variant *row;
    fill_problem problem = {.out = out};
    TRY(array_check_live(out, "the array", err));
    TRY(lun_number_store(&problem.bits, out->dtype, value,
                         err)); /* little-endian hosts: the low bytes are the element */
    operation_init(&op, out->device, "fill", call);
    TRY(operation_writes(&op, out, err));
    TRY(variant_choose(&row, fill_variants, fill_variant_count, op.device, &problem, call ? call->variant : NULL, err));
    if (out->size)
        TRY(row->run(&op, row, &problem, err));
    else
        TRY(operation_begin(&op, err));
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}

static double real(lun_number x) { return x.is_integer ? (double)x.integer : x.real; }

/* Both ends must fit an integer dtype; what lies between then does too. */
static lun_status check_ends(const lun_array *out, lun_number from, lun_number step, lun_error *err)
{
    uint64_t ignored;
    lun_status status = LUN_OK;
    if (lun_dtype_kind(out->dtype) == LUN_FLOAT || out->size == 0)
        return LUN_OK;
    if (!from.is_integer || !step.is_integer)
        FAIL(LUN_MISUSE, "a sequence in %s needs integers for its start and step; %.17g came",
             lun_dtype_name(out->dtype), lun_number_shown(from.is_integer ? step.real : from.real));
    __int128 end = (__int128)(out->size - 1) * step.integer + from.integer;
    int64_t last = (int64_t)end;
    if (last != end)
        FAIL(LUN_MISUSE, "the sequence's end does not fit in 64 bits");
    TRY(lun_number_store(&ignored, out->dtype, from, err));
    TRY(lun_number_store(&ignored, out->dtype, (lun_number){.is_integer = true, .integer = last}, err));
done:
    return status;
}

lun_status lun_array_sequence(const lun_array *out, lun_number from, lun_number step, const lun_call *call,
                              lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    cl_kernel kernel;
    TRY(array_check_live(out, "the array", err));
    TRY(check_ends(out, from, step, err));
    operation_init(&op, out->device, "arange", call);
    TRY(operation_writes(&op, out, err));
    TRY(program_kernel(&kernel, out->device, &(program_key){"sequence_plain", out->dtype, NULL}, "sequence_plain",
                       err));
    TRY(operation_begin(&op, err));
    if (out->size) {
        layout to = array_layout(out);
        bool integers = lun_dtype_kind(out->dtype) != LUN_FLOAT;
        launch_plan plan = launch_spread(out->device, kernel, out->size, LEAST_A_CHUNK);
        launch_arg first = integers                 ? (launch_arg)ARG_LONG(from.integer)
                           : out->device->info.fp64 ? (launch_arg)ARG_DOUBLE(real(from))
                                                    : (launch_arg)ARG_FLOAT(real(from));
        launch_arg each = integers                 ? (launch_arg)ARG_LONG(step.integer)
                          : out->device->info.fp64 ? (launch_arg)ARG_DOUBLE(real(step))
                                                   : (launch_arg)ARG_FLOAT(real(step));
        TRY(launch(&op, &plan,
                   ARGS(ARG_BLOCK(out->block), ARG_LONG(out->offset), ARG_VALUE(&to), ARG_LONG(out->size), first, each),
                   err));
    }
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}
