/* Reductions of segments, and scans that begin anew at segments or are by an operator of the user's. */
#include "op/map/segments.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "op/map/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_PART 4096 /* elements of a part, at least */
#define GPU_PART 64
#define GPU_PARTS 256 /* for each unit; a segment that parts share is joined by one work-item */

/* ---- starts ------------------------------------------------------------------------------------------------------- */

lun_status segments_check(const lun_array *segments, const lun_array *in, lun_error *err)
{
    lun_status status = LUN_OK;
    char text[200];
    TRY(array_check_live(segments, "segments", err));
    TRY(array_check_same_device(segments, in, "segments", err));
    if (segments->dtype != LUN_i32 && segments->dtype != LUN_i64)
        FAIL(LUN_MISUSE, "segments is %s; i32 or i64 is wanted", lun_dtype_name(segments->dtype));
    if (segments->ndim != 1 || segments->size == 0)
        FAIL(LUN_MISUSE, "segments has shape %s; one axis is wanted, with a start more than there are segments",
             lun_shape_text(text, sizeof text, segments->ndim, segments->shape));
done:
    return status;
}

static void starts_words(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    const long long place = found->position / 2;
    if (found->position % 2)
        snprintf(text, room, "segment %lld is empty, and the op has no result of no elements", place);
    else
        snprintf(text, room,
                 "start %lld at position %lld of segments is out of range 1..%lld, or less than the one before",
                 (long long)found->value, place + 1, (long long)limit);
}

/* Plans the checking of the starts, which kernels read in *out. */
static lun_status plan_starts(lun_block **out, plan *p, const lun_array *segments, size_t elements, bool reverse,
                              bool filled, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    const lun_device *device = p->op->device;
    const segment_starts_shape s = {.in = segments->offset,
                                    .step = segments->stride[0],
                                    .count = (cl_long)segments->size,
                                    .elements = (cl_long)elements,
                                    .reverse = reverse,
                                    .filled = filled};
    TRY(plan_verdict(p, starts_words, (int64_t)elements + 1, err));
    TRY(program_kernel(&kernel, p->op->device, &(program_key){.file = "segment_starts", .dtype = segments->dtype},
                       "segment_starts", err));
    TRY(operation_scratch(p->op, out, segments->size * sizeof(cl_long), err));
    const launch spread = launch_spread(device, kernel, segments->size, CPU_PART);
    p->scratch_only = true;
    TRY(plan_launch(p, &spread, ARGS(ARG_BLOCK(*out), ARG_BLOCK(segments->block), ARG_VALUE(&s), ARG_VERDICT(p->op)),
                    err));
done:
    p->scratch_only = false;
    return status;
}

/* ---- rows and parts ------------------------------------------------------------------------------------------------ */

/* Makes the axis of the results the last one that places are found by. */
static void add_result_axis(fold_problem *p, const segments_problem *s, int axis)
{
    const lun_array *out = p->outs[0];
    p->fold.size[p->fold.kept] = (cl_long)out->shape[axis];
    p->fold.out[0].stride[p->fold.kept] = s->reverse ? -out->stride[axis] : out->stride[axis];
    if (s->reverse)
        p->fold.out[0].first += out->stride[axis] * (int64_t)(out->shape[axis] - 1);
    p->fold.kept++;
}

/* Lets rows run from their ends. */
static void turn(fold_problem *p)
{
    for (size_t k = 0; k < p->form.map.array_count; k++) {
        map_array *array = &p->shape.array[k];
        array->first += array->inner * (p->shape.columns - 1);
        array->inner = -array->inner;
        p->form.map.inner[k] = map_inner_of(array->inner);
    }
    p->form.reversed = true;
}

static void lay_out(fold_problem *p, const segments_problem *s, const lun_device *device)
{
    const bool cpu = device_group(device) == 1;
    const size_t elements = (size_t)p->fold.elements, rows = (size_t)p->fold.outputs;
    const size_t wanted = ceil_div(device->info.units * (cpu ? 8 : GPU_PARTS), rows);
    const size_t most = ceil_div(elements, cpu ? CPU_PART : GPU_PART);
    fold_lay_out(p, false);
    if (s->reverse)
        turn(p);
    p->form.map.width = p->form.map.spread = 1;
    p->form.leaf = 1;
    p->fold.part = (cl_long)larger(1, ceil_div(elements, larger(1, smaller(wanted, most))));
    p->fold.parts = (cl_long)larger(1, ceil_div(elements, (size_t)p->fold.part));
}

/* ---- launches ------------------------------------------------------------------------------------------------------ */

/* A kernel with the arguments that all kernels have; those that read rows have the inputs, too. */
static lun_status add_launch(plan *out, const fold_problem *p, const segments_problem *s, lun_block *states,
                             const char *name, bool reads, size_t jobs, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_expression *e = p->form.map.expression;
    launch_arg args[10 + MAP_ARRAYS + MAP_NUMBERS];
    size_t count = 0;
    cl_kernel kernel;
    TRY(fold_kernel(&kernel, out->op->device, "fold_segments", &p->form, "", name, err));
    args[count++] = (launch_arg)ARG_BYTES(&p->fold, offsetof(fold_shape, out) + sizeof p->fold.out[0]);
    if (reads)
        args[count++] =
            (launch_arg)ARG_BYTES(&p->shape, offsetof(map_shape, array) + e->array_count * sizeof p->shape.array[0]);
    for (size_t k = 0; k < e->array_count && reads; k++)
        args[count++] = (launch_arg)ARG_BLOCK(e->arrays[k]->block);
    for (size_t k = 0; k < e->number_count && reads; k++)
        args[count++] = p->numbers[k];
    args[count++] = (launch_arg)ARG_BLOCK(p->outs[0]->block);
    args[count++] = (launch_arg)ARG_BLOCK(states);
    args[count++] = (launch_arg)ARG_VALUE(&s->shape);
    args[count++] = (launch_arg)ARG_BLOCK(s->starts);
    const verdict *said = out->op->verdict;
    args[count++] = said ? (launch_arg)ARG_MEM(verdict_memory(said)) : (launch_arg)ARG_MEM(NULL);
    args[count++] = (launch_arg)ARG_LONG(said ? said->place : 0);
    const launch spread = launch_spread(out->op->device, kernel, jobs, 1);
    TRY(plan_launch(out, &spread, args, count, err));
done:
    return status;
}

lun_status segments_plan(plan *out, fold_problem *p, segments_problem *s, const bool *goes, const char *named,
                         lun_error *err)
{
    lun_status status = LUN_OK;
    int axis = 0;
    lun_block *states = NULL;
    const lun_array *segments = s->segments;
    const bool filled = !s->scan && !p->has_identity;
    const size_t rows = (size_t)p->fold.outputs;
    if (named && strcmp(named, "plain") != 0)
        FAIL(LUN_MISUSE, "variant '%.40s' cannot do this here; plain can", named);
    while (!goes[axis])
        axis++;
    s->shape.count = segments ? (cl_long)segments->size : 0;
    if (segments)
        TRY(plan_starts(&s->starts, out, segments, (size_t)p->fold.elements, s->reverse, filled, err));
    if (p->outs[0]->size == 0) /* starts are looked at all the same */
        return LUN_OK;
    lay_out(p, s, out->op->device);
    add_result_axis(p, s, axis);
    const size_t jobs = rows * (size_t)p->fold.parts;
    if (!s->scan || p->fold.parts > 1)
        TRY(operation_scratch(out->op, &states, jobs * (s->scan ? 1 : 2) * fold_state_bytes(p->form.rows[0]), err));
    if (!s->scan) {
        TRY(add_launch(out, p, s, states, "fold_segment_parts", true, jobs, err));
        TRY(add_launch(out, p, s, states, "fold_segment_joins", false, larger(jobs, p->outs[0]->size), err));
        return LUN_OK;
    }
    if (p->fold.parts > 1) {
        out->scratch_only = true;
        TRY(add_launch(out, p, s, states, "fold_scan_parts", true, jobs, err));
        TRY(add_launch(out, p, s, states, "fold_scan_starts", false, rows, err));
        out->scratch_only = false;
    }
    TRY(add_launch(out, p, s, states, "fold_scan", true, jobs, err));
done:
    out->scratch_only = false;
    return status;
}
