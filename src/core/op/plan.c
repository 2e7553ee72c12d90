/* Plans: collecting an operation's commands, and enqueueing them; the one place that enqueues a kernel. */
#include "op/plan.h"
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"
#include "flow/queue.h"
#include "op/arguments.h"
#include "op/at_once.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_ALIGNMENT 16 /* of the widest vector in a struct that kernels take */

void plan_init(plan *out, operation *op)
{
    out->op = op;
    out->scratch_only = false;
    out->count.commands = out->count.args = out->count.values = 0;
    out->room.commands = PLAN_COMMANDS;
    out->room.args = PLAN_ARGS;
    out->room.values = PLAN_VALUES;
    out->commands = out->few_commands;
    out->args = out->few_args;
    out->values = out->few_values;
}

/* Releases the kernels of launches. Launches hold their kernels, because a program of a user's expression may be
 * dropped from the device's table before the plan is enqueued. */
static void release_kernels(plan *p, size_t from)
{
    for (size_t i = from; i < p->count.commands; i++)
        if (p->commands[i].kind == COMMAND_LAUNCH)
            clReleaseKernel(p->commands[i].launch.kernel);
}

void plan_clear(plan *p)
{
    release_kernels(p, 0);
    p->count.commands = 0;
    if (p->commands != p->few_commands)
        free(p->commands);
    if (p->args != p->few_args)
        free(p->args);
    if (p->values != p->few_values)
        free(p->values);
    p->commands = NULL;
    p->args = NULL;
    p->values = NULL;
}

plan_mark plan_marked(const plan *p) { return p->count; }

void plan_back_to(plan *p, plan_mark before)
{
    release_kernels(p, before.commands);
    p->count = before;
}

/* Makes room for `wanted` items of `bytes` each in a list that has *room; `few` is part of the plan and never freed. */
static lun_status reserve(void **list, const void *few, size_t *room, size_t wanted, size_t bytes, lun_error *err)
{
    size_t wider = *room;
    if (wanted <= *room)
        return LUN_OK;
    while (wider < wanted)
        wider *= 2;
    void *made = *list == few ? malloc(wider * bytes) : realloc(*list, wider * bytes);
    if (!made)
        return fail(err, LUN_NO_MEMORY, "out of host memory for the plan of an operation");
    if (*list == few)
        memcpy(made, few, *room * bytes);
    *list = made;
    *room = wider;
    return LUN_OK;
}

/* `output`: does the command get memory of an output, which it may write? */
static lun_status add_command(plan *p, const command *made, bool output, lun_error *err)
{
    TRY(reserve((void **)&p->commands, p->few_commands, &p->room.commands, p->count.commands + 1, sizeof *p->commands,
                err));
    p->commands[p->count.commands] = *made;
    p->commands[p->count.commands++].scratch_only = p->scratch_only || !output;
    return LUN_OK;
}

static size_t aligned(size_t bytes) { return (bytes + VALUE_ALIGNMENT - 1) / VALUE_ALIGNMENT * VALUE_ALIGNMENT; }

lun_status plan_launch(plan *p, const launch *what, const launch_arg *args, size_t arg_count, lun_error *err)
{
    size_t values = p->count.values;
    bool output = false;
    for (size_t i = 0; i < arg_count; i++) {
        values += args[i].kind == ARG_KIND_VALUE ? aligned(args[i].bytes) : 0;
        output = output || (args[i].kind == ARG_KIND_MEM && operation_writes_to(p->op, args[i].mem));
    }
    TRY(reserve((void **)&p->args, p->few_args, &p->room.args, p->count.args + arg_count, sizeof *p->args, err));
    TRY(reserve((void **)&p->values, p->few_values, &p->room.values, values, 1, err));
    TRY(add_command(p,
                    &(command){.kind = COMMAND_LAUNCH,
                               .launch = *what,
                               .first_arg = (unsigned)p->count.args,
                               .arg_count = (unsigned)arg_count},
                    output, err));
    clRetainKernel(what->kernel);
    for (size_t i = 0; i < arg_count; i++) {
        launch_arg *made = &p->args[p->count.args++];
        *made = args[i];
        if (made->kind != ARG_KIND_VALUE)
            continue;
        memcpy(p->values + p->count.values, args[i].value, made->bytes);
        made->at = p->count.values;
        p->count.values += aligned(made->bytes);
    }
    return LUN_OK;
}

void plan_offset(plan *p, const size_t *offset)
{
    memcpy(p->commands[p->count.commands - 1].offset, offset, sizeof p->commands->offset);
}

lun_status plan_copy(plan *p, cl_mem dst, size_t dst_at, cl_mem src, size_t src_at, size_t bytes, lun_error *err)
{
    return add_command(
        p, &(command){.kind = COMMAND_COPY, .dst = dst, .src = src, .dst_at = dst_at, .src_at = src_at, .bytes = bytes},
        operation_writes_to(p->op, dst), err);
}

lun_status plan_fill(plan *p, cl_mem dst, size_t at, size_t bytes, cl_ulong2 element, size_t item, lun_error *err)
{
    return add_command(p,
                       &(command){.kind = COMMAND_FILL,
                                  .filled = dst,
                                  .filled_at = at,
                                  .filled_bytes = bytes,
                                  .item = item,
                                  .pattern = element},
                       operation_writes_to(p->op, dst), err);
}

/* ---- enqueueing ---------------------------------------------------------------------------------------------- */

static lun_status set_arg(plan *p, cl_kernel kernel, cl_uint position, const launch_arg *arg, lun_error *err)
{
    cl_mem counters;
    size_t bytes = arg->bytes;
    const void *value = NULL;
    switch (arg->kind) {
    case ARG_KIND_MEM:
        bytes = sizeof arg->mem;
        value = &arg->mem;
        break;
    case ARG_KIND_LONG:
        bytes = sizeof arg->integer;
        value = &arg->integer;
        break;
    case ARG_KIND_FLOAT:
        bytes = sizeof arg->f32;
        value = &arg->f32;
        break;
    case ARG_KIND_DOUBLE:
        bytes = sizeof arg->f64;
        value = &arg->f64;
        break;
    case ARG_KIND_VALUE:
        value = p->values + arg->at;
        break;
    case ARG_KIND_LOCAL:
        break;
    case ARG_KIND_COUNTERS:
        TRY(p->op->at_once ? companion_counters(&counters, p->op, err) : queue_counters(&counters, p->op->queue, err));
        bytes = sizeof counters;
        value = &counters;
        break;
    }
    if (p->op->at_once)
        TRY(argument_set_kept(p->op->device, kernel, position, bytes, value, err));
    else
        CL(clSetKernelArg, kernel, position, bytes, value);
    return LUN_OK;
}

static cl_kernel kernel_of(const void *data) { return ((const command *)data)->launch.kernel; }

static cl_int call_launch(cl_command_queue queue, const void *data, cl_uint wait_count, const cl_event *waits,
                          cl_event *event)
{
    const command *c = data;
    const launch *what = &c->launch;
    size_t global[3];
    for (cl_uint i = 0; i < what->dims; i++)
        global[i] = what->groups[i] * what->local[i];
    const size_t *offset = c->offset[0] | c->offset[1] | c->offset[2] ? c->offset : NULL;
    return clEnqueueNDRangeKernel(queue, what->kernel, what->dims, offset, global, what->local, wait_count, waits,
                                  event);
}

static cl_int call_copy(cl_command_queue queue, const void *data, cl_uint wait_count, const cl_event *waits,
                        cl_event *event)
{
    const command *c = data;
    return clEnqueueCopyBuffer(queue, c->src, c->dst, c->src_at, c->dst_at, c->bytes, wait_count, waits, event);
}

static cl_int call_fill(cl_command_queue queue, const void *data, cl_uint wait_count, const cl_event *waits,
                        cl_event *event)
{
    const command *c = data;
    return clEnqueueFillBuffer(queue, c->filled, &c->pattern, c->item, c->filled_at, c->filled_bytes, wait_count, waits,
                               event);
}

static lun_status enqueue(plan *p, const command *c, lun_error *err)
{
    static const enqueuer by[] = {
        [COMMAND_LAUNCH] = {.name = "clEnqueueNDRangeKernel", .says = "", .kernel = kernel_of, .call = call_launch},
        [COMMAND_COPY] = {.name = "clEnqueueCopyBuffer", .says = "copy", .call = call_copy},
        [COMMAND_FILL] = {.name = "clEnqueueFillBuffer", .says = "fill", .call = call_fill}};
    lun_status status = LUN_OK;
    operation *op = p->op;
    for (cl_uint i = 0; c->kind == COMMAND_LAUNCH && i < c->arg_count; i++)
        TRY_DONE(set_arg(p, c->launch.kernel, i, &p->args[c->first_arg + i], err));
    const bool was_harmless = op->harmless;
    TRY_DONE(operation_enqueue(op, &by[c->kind], c, operation_has_events(op), err));
    op->harmless = was_harmless && c->scratch_only;
done:
    op->refusal = status != LUN_OK ? err->code : CL_SUCCESS;
    return status;
}

lun_status plan_enqueue(plan *p, lun_error *err)
{
    for (size_t i = 0; i < p->count.commands; i++)
        TRY(enqueue(p, &p->commands[i], err));
    return LUN_OK;
}

lun_status operation_run(operation *op, plan *p, lun_error *err)
{
    TRY(operation_begin(op, err));
    TRY(plan_enqueue(p, err));
    return operation_end(op, err);
}

/* ---- arguments ----------------------------------------------------------------------------------------------- */

launch_arg launch_real(lun_dtype dtype, double x)
{
    return dtype_computed(dtype) == LUN_f64 ? (launch_arg)ARG_DOUBLE(x) : (launch_arg)ARG_FLOAT(x);
}

/* ---- geometry ------------------------------------------------------------------------------------------------ */

/* A CPU gets a few long chunks for each core; a GPU gets enough groups to fill every unit, which stride over the
 * rest. */
launch launch_spread(const lun_device *device, cl_kernel kernel, size_t items, size_t least)
{
    size_t local = device_group(device);
    size_t most = (size_t)device->info.units * (local == 1 ? 8 : 32);
    size_t groups = local == 1 ? (items + least - 1) / least : (items + local - 1) / local;
    groups = groups < 1 ? 1 : groups > most ? most : groups;
    return (launch){kernel, 1, {groups, 1, 1}, {local, 1, 1}};
}

lun_status plan_spread(plan *p, const program_key *key, const char *kernel, size_t items, size_t least,
                       const launch_arg *args, size_t arg_count, lun_error *err)
{
    launch spread = launch_spread(p->op->device, NULL, items, least);
    TRY(program_kernel(&spread.kernel, p->op->device, key, kernel, err));
    return plan_launch(p, &spread, args, arg_count, err);
}

lun_status plan_groups(plan *p, const program_key *key, const char *kernel, size_t groups, size_t local,
                       const launch_arg *args, size_t arg_count, lun_error *err)
{
    launch all = {NULL, 1, {groups, 1, 1}, {local, 1, 1}};
    TRY(program_kernel(&all.kernel, p->op->device, key, kernel, err));
    return plan_launch(p, &all, args, arg_count, err);
}

byte_run byte_run_of(size_t at, size_t bytes, size_t vector)
{
    size_t head = (vector - at % vector) % vector;
    head = head < bytes ? head : bytes;
    return (byte_run){head, (bytes - head) / vector, (bytes - head) % vector};
}

#define STREAM_ITEMS 256

bool launch_can_move_vectors(const lun_device *device) { return device->info.max_group >= STREAM_ITEMS; }

launch launch_byte_run(cl_kernel kernel, const byte_run *s)
{
    size_t items = s->vectors > GPU_VECTOR ? s->vectors : GPU_VECTOR; /* single bytes on a side are fewer */
    return (launch){kernel, 1, {(items + STREAM_ITEMS - 1) / STREAM_ITEMS, 1, 1}, {STREAM_ITEMS, 1, 1}};
}
