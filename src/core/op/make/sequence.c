/* Filling an array with an arithmetic sequence. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "op/plan.h"
#include "op/tuning.h"

/* Both ends must fit an integer dtype; what lies between then does too. */
static lun_status check_ends(const lun_array *out, lun_number from, lun_number step, lun_error *err)
{
    uint64_t ignored;
    lun_status status = LUN_OK;
    if (!dtype_is_whole(out->dtype) || out->size == 0)
        return LUN_OK;
    if (!from.is_integer || !step.is_integer)
        FAIL(LUN_MISUSE, "a sequence in %s needs integers for its start and step; %.17g came",
             lun_dtype_name(out->dtype), lun_number_shown(from.is_integer ? step.real : from.real));
    __int128 end = (__int128)(out->size - 1) * step.integer + from.integer;
    int64_t last = (int64_t)end;
    if (last != end)
        FAIL(LUN_MISUSE, "the sequence's end does not fit in 64 bits");
    TRY(lun_number_store(&ignored, out->dtype, from, err));
    TRY(lun_number_store(&ignored, out->dtype, lun_integer(last), err));
done:
    return status;
}

/* A number of the sequence as the kernel computes it: in 64-bit integers, else in the widest float of the device. */
static launch_arg term(const lun_array *out, lun_number x)
{
    if (dtype_is_whole(out->dtype))
        return (launch_arg)ARG_LONG(x.integer);
    return out->device->info.fp64 ? (launch_arg)ARG_DOUBLE(x.real) : (launch_arg)ARG_FLOAT(x.real);
}

lun_status lun_array_sequence(const lun_array *out, lun_number from, lun_number step, const lun_call *call,
                              lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    cl_kernel kernel;
    TRY(array_check_live(out, "the array", err));
    TRY(dtype_check_real(out->dtype, "a sequence", err));
    TRY(check_ends(out, from, step, err));
    operation_init(&op, out->device, "arange", call);
    plan_init(&p, &op);
    TRY(operation_writes(&op, out, err));
    operation_weigh(&op, 4 * operation_bytes_weight(&op));
    TRY(program_kernel(&kernel, out->device, &(program_key){.file = "sequence_plain", .dtype = out->dtype},
                       "sequence_plain", err));
    if (out->size) {
        const layout to = array_layout(out);
        const launch groups = launch_spread(out->device, kernel, out->size, spread_tuned(out->device)->plain);
        TRY(plan_launch(&p, &groups,
                        ARGS(ARG_BLOCK(out->block), ARG_LONG(out->offset), ARG_VALUE(&to), ARG_LONG(out->size),
                             term(out, from), term(out, step)),
                        err));
    }
    TRY(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}
