/* Adding values at flattened positions, where equal indices add up. */
#include "base/error.h"
#include "device/device.h"
#include "memory/block.h"
#include "op/index/put.h"

/* Integers wrap: they are added as unsigned ones. */
static lun_dtype added_as(lun_dtype dtype) { return lun_dtype_kind(dtype) == LUN_FLOAT ? dtype : index_moved(dtype); }

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const put_problem *p = data;
    const lun_dtype dtype = added_as(p->array->dtype);
    cl_kernel kernel;
    TRY(index_kernel(&kernel, out, row, dtype, p->index.dtype, NULL, "add_at_plain", err));
    const launch groups = put_launch_ranges(out->op->device, kernel, p);
    TRY(plan_launch(out, &groups,
                    ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(p->index.block), ARG_BLOCK(p->values.dense.block),
                         ARG_ELEMENT(&p->values, dtype), ARG_VALUE(&p->shape), ARG_VERDICT(out->op)),
                    err));
done:
    return status;
}

/* plain  an item owns a range of the array and looks at all indices: every device and view. */
static const variant rows[] = {
    {"plain", "add_at_plain", 0, 0, false, variant_anywhere, plan_plain},
};
const variants add_at_variants = {rows, COUNT(rows)};

lun_status lun_add_at(const lun_array *array, const lun_array *index, const lun_values *values, const lun_call *call,
                      lun_error *err)
{
    return put_run("add_at", &add_at_variants, array, index, values, call, err);
}
