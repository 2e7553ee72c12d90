/* Launches: geometry, arguments, and the one place that enqueues a kernel. */
#include "op/launch.h"
#include "base/error.h"
#include "device/device.h"
#include "flow/queue.h"
#include "op/operation.h"

/* A CPU gets a few long chunks a core; a GPU enough groups to fill every unit, each striding over the rest. */
launch_plan launch_spread(const lun_device *device, cl_kernel kernel, size_t items, size_t least)
{
    size_t local = device_group(device);
    size_t most = (size_t)device->info.units * (local == 1 ? 8 : 32);
    size_t groups = local == 1 ? (items + least - 1) / least : (items + local - 1) / local;
    groups = groups < 1 ? 1 : groups > most ? most : groups;
    return (launch_plan){kernel, 1, {groups, 1, 1}, {local, 1, 1}};
}

byte_run byte_run_of(size_t at, size_t bytes, size_t vector)
{
    size_t head = (vector - at % vector) % vector;
    head = head < bytes ? head : bytes;
    return (byte_run){head, (bytes - head) / vector, (bytes - head) % vector};
}

#define STREAM_ITEMS 256

bool launch_can_move_vectors(const lun_device *device) { return device->info.max_group >= STREAM_ITEMS; }

launch_plan launch_byte_run(cl_kernel kernel, const byte_run *s)
{
    size_t items = s->vectors > GPU_VECTOR ? s->vectors : GPU_VECTOR; /* those before and behind are fewer */
    return (launch_plan){kernel, 1, {(items + STREAM_ITEMS - 1) / STREAM_ITEMS, 1, 1}, {STREAM_ITEMS, 1, 1}};
}

static lun_status set_args(cl_kernel kernel, const launch_arg *args, size_t count, lun_error *err)
{
    lun_status status = LUN_OK;
    for (cl_uint i = 0; i < count; i++) {
        const launch_arg *arg = &args[i];
        const void *value = arg->kind == ARG_KIND_MEM      ? (const void *)&arg->mem
                            : arg->kind == ARG_KIND_LONG   ? (const void *)&arg->integer
                            : arg->kind == ARG_KIND_FLOAT  ? (const void *)&arg->f32
                            : arg->kind == ARG_KIND_DOUBLE ? (const void *)&arg->f64
                            : arg->kind == ARG_KIND_LOCAL  ? NULL
                                                           : arg->value;
        size_t bytes = arg->kind == ARG_KIND_MEM      ? sizeof arg->mem
                       : arg->kind == ARG_KIND_LONG   ? sizeof arg->integer
                       : arg->kind == ARG_KIND_FLOAT  ? sizeof arg->f32
                       : arg->kind == ARG_KIND_DOUBLE ? sizeof arg->f64
                                                      : arg->bytes;
        CL(clSetKernelArg, kernel, i, bytes, value);
    }
done:
    return status;
}

lun_status launch(operation *op, const launch_plan *plan, const launch_arg *args, size_t arg_count, lun_error *err)
{
    lun_status status = LUN_OK;
    size_t global[3];
    cl_event event = NULL;
    for (cl_uint i = 0; i < plan->dims; i++)
        global[i] = plan->groups[i] * plan->local[i];
    TRY(set_args(plan->kernel, args, arg_count, err));
    CL_WAITING(op, clEnqueueNDRangeKernel, plan->kernel, plan->dims, NULL, global, plan->local, WAITS(op),
               op->silent || (op->unrecorded && !op->watched) ? NULL : &event);
    operation_enqueued(op, event);
    op->queue->unrecorded = op->queue->unrecorded || op->unrecorded;
done:
    return status;
}
