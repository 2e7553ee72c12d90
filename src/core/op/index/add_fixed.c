/* Adding floats at flattened positions as integers of a fixed unit. */
#include "op/index/index_tuning.h"
#include "op/index/put.h"
#include "op/planning.h"

#include <stdint.h>

#define EACH ((size_t)4 * INDEX_GPU_ITEMS) /* as in add_at_fixed.cl */
#define MANTISSA_BITS 24
#define MOST_SHIFT 30

bool add_fixed_applies(const lun_device *device, const void *data)
{
    const put_problem *p = data;
    if (!put_gpu_applies(device, data) || !device_has_extension(device, "cl_khr_int64_base_atomics"))
        return false;
    if (!p)
        return true;
    if (dtype_computed(p->array->dtype) != LUN_f32 || p->index.size >= (size_t)1 << 32)
        return false;
    return p->named || (p->array->size >= index_tuned(device)->add_spread &&
                        p->array->size / index_tuned(device)->fixed_elements <= p->index.size);
}

/* Bits by which a mantissa may be moved up, so that the sum of `count` of them keeps to 63 bits. */
static unsigned fixed_shift(size_t count)
{
    unsigned most = 63 - MANTISSA_BITS;
    for (size_t n = count; n > 1; n = (n + 1) / 2)
        most--;
    return most < MOST_SHIFT ? most : MOST_SHIFT;
}

lun_status add_fixed_plan(plan *out, const variant *row, const put_problem *p, bool bins, lun_error *err)
{
    static const char *const names[] = {"add_at_fixed_clear", "add_at_fixed_highest", "add_at_fixed_sum",
                                        "add_at_fixed_end"};
    const lun_dtype dtype = p->array->dtype;
    const size_t extent = p->array->size, shift = fixed_shift(p->index.size);
    const size_t most = index_tuned(out->op->device)->add_groups * (size_t)out->op->device->info.units;
    const size_t groups = smaller(ceil_div(p->index.size, EACH), most);
    launch what[COUNT(names)];
    lun_block *highest, *sums;
    for (size_t i = 0; i < COUNT(names); i++) {
        what[i] = (launch){.dims = 1, .groups = {groups, 1, 1}, .local = {INDEX_GPU_ITEMS, 1, 1}};
        TRY(index_kernel(&what[i].kernel, out, row, dtype, p->index.dtype, bins ? "#define BINS 1\n" : NULL, names[i],
                         err));
    }
    what[0].groups[0] = what[3].groups[0] = ceil_div(extent, INDEX_GPU_ITEMS);
    TRY(operation_scratch(out->op, &highest, extent * sizeof(cl_uint), err));
    TRY(operation_scratch(out->op, &sums, extent * sizeof(cl_long), err));
    TRY(plan_launch(out, &what[0], ARGS(ARG_BLOCK(highest), ARG_BLOCK(sums), ARG_LONG(extent)), err));
    const launch_arg first[] = {ARG_BLOCK(highest),
                                ARG_BLOCK(p->index.block),
                                ARG_BLOCK(p->values.dense.block),
                                ARG_ELEMENT(&p->values, dtype),
                                ARG_VALUE(&p->shape),
                                bins ? (launch_arg)ARG_LONG(0) : (launch_arg)ARG_MEM(verdict_memory(out->op->verdict)),
                                ARG_LONG(bins ? 0 : out->op->verdict->place)};
    TRY(plan_launch(out, &what[1], first, bins ? COUNT(first) - 2 : COUNT(first), err));
    TRY(plan_launch(out, &what[2],
                    ARGS(ARG_BLOCK(sums), ARG_BLOCK(highest), ARG_BLOCK(p->index.block),
                         ARG_BLOCK(p->values.dense.block), ARG_ELEMENT(&p->values, dtype), ARG_LONG(shift),
                         ARG_VALUE(&p->shape)),
                    err));
    return plan_launch(
        out, &what[3],
        ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(highest), ARG_BLOCK(sums), ARG_LONG(shift), ARG_VALUE(&p->shape)),
        err);
}
