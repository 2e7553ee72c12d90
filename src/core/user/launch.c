/* Running a user kernel: its arguments checked and bound, one launch. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "memory/block.h"
#include "op/move/move.h"
#include "user/user_program.h"

#include <stdlib.h>
#include <string.h>

/* How an array argument reaches the kernel, where that is not by its whole block. */
typedef struct binding {
    cl_mem part;    /* a sub-buffer of the block, released after the launch; NULL: none */
    bool copied;    /* a strided or misaligned view is copied to `copy`, and back if the kernel may write */
    lun_array copy; /* in scratch memory of the operation */
} binding;

typedef struct run {
    lun_kernel *kernel;
    const lun_argument *args;
    size_t count;
    binding *bindings;
    launch_arg *launch_args;
    launch groups;
    operation op;
    plan in, main, back; /* copies in; the kernel; copies back */
} run;

static const lun_parameter *parameter_at(const run *r, size_t position) { return &r->kernel->parameters[position]; }

static bool is_array(const run *r, size_t position) { return parameter_at(r, position)->kind == LUN_PARAMETER_ARRAY; }

/* ---- arguments -------------------------------------------------------------------------------------------------- */

static lun_status check_type(const run *r, size_t position, lun_error *err)
{
    const lun_parameter *parameter = parameter_at(r, position);
    const lun_array *array = r->args[position].array;
    const bool vectors = parameter->width > 1; /* which complex numbers are, too: c64 of float2 and float4 */
    const lun_dtype part = vectors ? lun_dtype_part(array->dtype) : array->dtype;
    const lun_dtype pairs = lun_dtype_promoted_by(parameter->dtype, lun_complex(0, 0));
    const bool or_pairs = vectors && lun_dtype_part(pairs) == parameter->dtype;
    if (parameter->typed && strcmp(dtype_cl(part), dtype_cl(parameter->dtype)) != 0)
        return fail(err, LUN_MISUSE, "an array of %s%s%s is needed, got one of %s", lun_dtype_name(parameter->dtype),
                    or_pairs ? " or " : "", or_pairs ? lun_dtype_name(pairs) : "", lun_dtype_name(array->dtype));
    if (parameter->bytes && lun_array_bytes(array) % parameter->bytes)
        return fail(err, LUN_MISUSE, "the array has %zu bytes, not a multiple of the %zu of %s", lun_array_bytes(array),
                    parameter->bytes, parameter->type);
    return LUN_OK;
}

static lun_status check_array(run *r, size_t position, lun_error *err)
{
    const lun_array *array = r->args[position].array;
    if (!array)
        FAIL(LUN_MISUSE, "an array is needed");
    TRY(array_check_live(array, "the array", err));
    if (array->device != r->op.device)
        TRY(array_check_same_device(array, &(lun_array){.device = r->op.device}, "the array", err));
    TRY(check_type(r, position, err));
    return (parameter_at(r, position)->writable ? operation_reads_writes : operation_reads)(&r->op, array, err);
}

/* Can the kernel work on the view's own memory? */
static bool is_direct(const run *r, const lun_array *array)
{
    size_t from = (size_t)array->offset * lun_dtype_bytes(array->dtype);
    return lun_array_is_contiguous(array) && from % r->kernel->alignment == 0;
}

/* Two parameters may have the same memory if both see the whole of it and neither is restrict. */
static bool is_shared(const run *r, size_t a, size_t b)
{
    const lun_array *one = r->args[a].array, *other = r->args[b].array;
    return is_direct(r, one) && is_direct(r, other) && one->offset == other->offset && one->size == other->size &&
           !parameter_at(r, a)->restricted && !parameter_at(r, b)->restricted;
}

static lun_status check_overlap(run *r, size_t position, lun_error *err)
{
    for (size_t i = 0; i < position; i++) {
        bool written = is_array(r, i) && (parameter_at(r, i)->writable || parameter_at(r, position)->writable);
        if (written && lun_array_overlap(r->args[i].array, r->args[position].array) && !is_shared(r, i, position))
            return fail(err, LUN_MISUSE, "the array shares elements with that of parameter %zu, and %s is written",
                        i + 1, parameter_at(r, position)->writable ? "this one" : "that one");
    }
    return LUN_OK;
}

/* Adds the bytes that the argument needs to those of *taken. */
static lun_status check_local(const run *r, size_t position, uint64_t *taken, lun_error *err)
{
    const uint64_t wanted = r->args[position].bytes, most = r->op.device->info.local_memory;
    if (wanted == 0)
        return fail(err, LUN_MISUSE, "bytes of local memory are needed");
    if (wanted > most || *taken + wanted > most)
        return fail(err, LUN_MISUSE,
                    "%llu bytes of local memory; this device has %llu for a group, of which %llu are taken",
                    (unsigned long long)wanted, (unsigned long long)most, (unsigned long long)*taken);
    *taken += wanted;
    return LUN_OK;
}

static lun_status check_argument(run *r, size_t position, uint64_t *local, lun_error *err)
{
    const lun_parameter *parameter = parameter_at(r, position);
    const size_t bytes = r->args[position].bytes;
    switch (parameter->kind) {
    case LUN_PARAMETER_ARRAY:
        TRY(check_array(r, position, err));
        return check_overlap(r, position, err);
    case LUN_PARAMETER_LOCAL:
        return check_local(r, position, local, err);
    case LUN_PARAMETER_OTHER:
        FAIL(LUN_MISUSE, "lunarray gives kernels arrays, numbers, structs as strings, and local memory only");
    default:
        if (parameter->kind == LUN_PARAMETER_BYTES && bytes != parameter->bytes)
            FAIL(LUN_MISUSE, "a string of %zu bytes is needed, got one of %zu", parameter->bytes, bytes);
        return LUN_OK;
    }
}

/* Messages begin with the parameter: "parameter 2 of saxpy (...): the array was released". A LUN_FAILED names the operation that
 * spoiled an array. */
static lun_status check_arguments(run *r, lun_error *err)
{
    char where[200];
    uint64_t local = r->kernel->info.local_memory;
    for (size_t i = 0; i < r->count; i++) {
        const lun_status status = check_argument(r, i, &local, err);
        if (status == LUN_MISUSE) {
            const lun_error why = *err;
            fail(err, status, "%s: %.300s", lun_parameter_text(where, sizeof where, r->kernel, i), why.message);
            err->hint = why.hint;
        }
        TRY(status);
    }
    return LUN_OK;
}

/* ---- binding ---------------------------------------------------------------------------------------------------- */

static lun_status bind_part(run *r, size_t position, lun_error *err)
{
    const lun_array *array = r->args[position].array;
    cl_buffer_region region = {(size_t)array->offset * lun_dtype_bytes(array->dtype), lun_array_bytes(array)};
    CL_NEW(r->bindings[position].part, clCreateSubBuffer, block_memory(array->block), CL_MEM_READ_WRITE,
           CL_BUFFER_CREATE_TYPE_REGION, &region);
    r->launch_args[position] = (launch_arg){.kind = ARG_KIND_MEM, .mem = r->bindings[position].part};
    return LUN_OK;
}

static lun_status bind_copy(run *r, size_t position, lun_error *err)
{
    const lun_array *array = r->args[position].array;
    binding *b = &r->bindings[position];
    TRY(operation_scratch_array(&r->op, &b->copy, array->dtype, array->ndim, array->shape, err));
    b->copied = true;
    TRY(plan_array_copy(&r->in, &b->copy, array, err));
    if (parameter_at(r, position)->writable)
        TRY(plan_array_copy(&r->back, array, &b->copy, err));
    r->launch_args[position] = (launch_arg)ARG_BLOCK(b->copy.block);
    return LUN_OK;
}

/* A wrong index becomes 0: in a checked program an empty array has some memory there, which nobody reads. */
static lun_status bind_nothing(run *r, size_t position, lun_error *err)
{
    lun_block *room;
    TRY(operation_scratch(&r->op, &room, parameter_at(r, position)->bytes, err));
    r->launch_args[position] = (launch_arg)ARG_BLOCK(room);
    return LUN_OK;
}

static lun_status bind_array(run *r, size_t position, lun_error *err)
{
    const lun_array *array = r->args[position].array;
    if (array->size && !is_direct(r, array))
        return bind_copy(r, position, err);
    if (array->size && array->offset)
        return bind_part(r, position, err);
    if (!array->size && r->kernel->program->checked)
        return bind_nothing(r, position, err);
    r->launch_args[position] = (launch_arg)ARG_BLOCK(array->block);
    return LUN_OK;
}

static lun_status bind_arguments(run *r, lun_error *err)
{
    for (size_t i = 0; i < r->count; i++) {
        const lun_argument *argument = &r->args[i];
        const lun_parameter *parameter = parameter_at(r, i);
        if (parameter->kind == LUN_PARAMETER_ARRAY)
            TRY(bind_array(r, i, err));
        else if (parameter->kind == LUN_PARAMETER_LOCAL)
            r->launch_args[i] = (launch_arg)ARG_LOCAL(argument->bytes);
        else if (parameter->kind == LUN_PARAMETER_BYTES)
            r->launch_args[i] = (launch_arg)ARG_BYTES(argument->data, argument->bytes);
        else
            r->launch_args[i] = (launch_arg)ARG_BYTES(argument->value, parameter->bytes);
    }
    return LUN_OK;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* Does the kernel write arrays of the user, and not only copies of them? */
static bool writes_directly(const run *r)
{
    bool direct = false;
    for (size_t i = 0; i < r->count; i++)
        direct = direct || (is_array(r, i) && parameter_at(r, i)->writable && !r->bindings[i].copied);
    return direct;
}

/* A refused command leaves the user's arrays unspoiled (`harmless`) until a command is enqueued that writes them:
 * the kernel, or the first copy back if the kernel writes copies only. */
static lun_status enqueue(run *r, lun_error *err)
{
    TRY(operation_begin(&r->op, err));
    TRY(plan_enqueue(&r->in, err));
    TRY(plan_enqueue(&r->main, err));
    r->op.harmless = !writes_directly(r);
    TRY(plan_enqueue(&r->back, err));
    return operation_end(&r->op, err);
}

/* The kernel itself, or its trimmed form, which takes the range's sizes. */
static lun_status plan_kernel(run *r, const lun_range *range, lun_error *err)
{
    const bool trimmed = r->groups.kernel == r->kernel->trimmed;
    size_t count = r->count;
    const size_t sizes[3] = {range->global[0], range->dims > 1 ? range->global[1] : 1,
                             range->dims > 2 ? range->global[2] : 1};
    if (r->kernel->program->checked && count) {
        TRY(check_plan(&r->in, r->launch_args + count, r->kernel, r->args, err));
        count += CHECK_ARGS(r->count);
    }
    for (size_t i = 0; trimmed && i < 3; i++)
        r->launch_args[count++] = (launch_arg)ARG_LONG(sizes[i]);
    TRY(plan_launch(&r->main, &r->groups, r->launch_args, count, err));
    if (trimmed && r->kernel->words & SIZE_WORDS)
        plan_offset(&r->main, sizes);
    else
        plan_offset(&r->main, range->offset);
    return LUN_OK;
}

static void clear_run(run *r)
{
    plan_clear(&r->in);
    plan_clear(&r->main);
    plan_clear(&r->back);
    operation_clear(&r->op);
    for (size_t i = 0; r->bindings && i < r->count; i++)
        if (r->bindings[i].part)
            clReleaseMemObject(r->bindings[i].part); /* a command in flight keeps it */
    free(r->bindings);
    free(r->launch_args);
}

lun_status lun_kernel_run(lun_kernel *kernel, const lun_range *range, const lun_argument *args, const lun_call *call,
                          lun_error *err)
{
    const size_t count = kernel->info.parameter_count;
    ENDED_BY(clear_run) run r; /* with {0} the room of its plans, 9 KB, would be zeroed at every call */
    r.kernel = kernel;
    r.args = args;
    r.count = count;
    r.bindings = NULL;
    r.launch_args = NULL;
    operation_init(&r.op, kernel->program->device, kernel->name, call);
    plan_init(&r.in, &r.op);
    r.in.scratch_only = true;
    plan_init(&r.main, &r.op);
    plan_init(&r.back, &r.op);
    operation_risky(&r.op);
    TRY(device_open(r.op.device, err)); /* refuses a forked child before anything is asked of OpenCL */
    TRY(check_arguments(&r, err));
    if (range_is_empty(range)) {
        TRY(operation_begin(&r.op, err));
        return operation_end(&r.op, err);
    }
    TRY(range_plan(&r.groups, kernel, range, err));
    r.bindings = NEW(count + 1, sizeof *r.bindings, "a launch");
    r.launch_args = NEW(count + CHECK_ARGS(count) + 3, sizeof *r.launch_args, "a launch");
    TRY(bind_arguments(&r, err));
    TRY(plan_kernel(&r, range, err));
    return enqueue(&r, err);
}
