/* Reductions on every device and view: one element at a time, a work-item to an output or to a part of one. */
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "memory/block.h"
#include "op/reduce/reduce.h"

#define PLAIN_LEAST 1024 /* elements of a part, at least */

lun_status reduce_plain_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const reduce_problem *p = data;
    const lun_device *device = out->op->device;
    cl_kernel kernel, combine = NULL;
    lun_block *partial;
    const size_t workers = device->info.units * (device_group(device) == 1 ? 8 : 2048);
    const size_t wanted = smaller(ceil_div(workers, p->outputs), ceil_div(p->elements, PLAIN_LEAST));
    const size_t part = ceil_div(p->elements, larger(wanted, 1)), parts = ceil_div(p->elements, part);
    const reduce_plain_shape shape = {.in = p->first,
                                      .out = p->out->offset,
                                      .outputs = (cl_long)p->outputs,
                                      .parts = (cl_long)parts,
                                      .part = (cl_long)part,
                                      .elements = (cl_long)p->elements};
    TRY(reduce_kernel(&kernel, p, row->file, "reduce_plain", NULL, err));
    if (parts > 1)
        TRY(reduce_kernel(&combine, p, row->file, "reduce_plain_combine", NULL, err));
    TRY(reduce_partial(&partial, out, p, parts > 1 ? p->outputs * parts : 0, err));
    const launch first = launch_spread(device, kernel, p->outputs * parts, 1);
    TRY(plan_launch(out, &first,
                    ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_BLOCK(p->in->block), ARG_VALUE(&p->kept),
                         ARG_VALUE(&p->kept_out), ARG_VALUE(&p->reduced), ARG_VALUE(&shape)),
                    err));
    if (parts > 1) {
        const launch second = launch_spread(device, combine, p->outputs, 16);
        TRY(plan_launch(out, &second,
                        ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(partial), ARG_VALUE(&p->kept_out), ARG_VALUE(&shape)),
                        err));
    }
    return LUN_OK;
}
