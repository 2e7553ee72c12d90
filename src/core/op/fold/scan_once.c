/* Scans of rows in one pass over memory, on GPUs whose groups go on while others wait for them. */
#include "op/fold/fold_tuning.h"
#include "op/fold/scan_array.h"
#include "op/planning.h"

#include <stdio.h>

#define CLEAR_GROUPS ((size_t)256)

bool scan_once_applies(const lun_device *device, const void *data)
{
    return variant_groups_go_on(device) && scan_gpu_applies(device, data);
}

/* Measured on an H200, 2^27 elements: sums in i64 take 0.89 and 0.83 (of i32 and u8), in f64 0.95 of the time of `once`, and
 * sums in f32 1.01. */
bool scan_nvidia_applies(const lun_device *device, const void *data)
{
    const segments_problem *s = data;
    const lun_array *in = s ? s->fold->form.map.expression->arrays[0] : NULL;
    return scan_once_applies(device, data) &&
           (!s || fold_accumulator_dtype(s->fold->form.rows[0], in->dtype, false) != LUN_f32);
}

static bool adds_floats(const scan_problem *p)
{
    return !scan_is_same(p) && !dtype_is_whole(p->in->dtype) && p->in->device->info.fp64;
}

static lun_status plan_once(plan *out, const variant *row, const scan_problem *p, const scan_rows_form *form,
                            lun_error *err)
{
    char defines[160];
    const scan_shape *s = &form->shape;
    const size_t parts = (size_t)(s->places * s->parts);
    const size_t blocks = (size_t)s->places * ceil_div((size_t)s->parts, form->items);
    const size_t words = 2 + 2 * blocks + parts * (scan_accumulator_bytes(p) == 8 ? 2 : 1);
    launch clear = scan_items(smaller(ceil_div(words, SCAN_GPU_ITEMS), CLEAR_GROUPS), SCAN_GPU_ITEMS);
    launch once = scan_items(parts, form->items);
    lun_block *sums;
    snprintf(defines, sizeof defines, "%s%s", form->defines, adds_floats(p) ? "#define CARRY double\n" : "");
    TRY(reduce_kernel(&clear.kernel, p->row, p->in, row->file, "scan_gpu_once_clear", defines, err));
    TRY(reduce_kernel(&once.kernel, p->row, p->in, row->file, "scan_gpu_once", defines, err));
    TRY(operation_scratch(out->op, &sums, words * sizeof(cl_ulong), err));
    TRY(plan_launch(out, &clear, ARGS(ARG_BLOCK(sums), ARG_LONG(words)), err));
    return plan_launch(out, &once,
                       ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(sums), ARG_BLOCK(p->in->block), ARG_VALUE(s)), err);
}

static lun_status plan_lines(plan *out, const variant *row, const scan_problem *p, lun_error *err)
{
    scan_rows_form form;
    if (!scan_is_rows(p) || !scan_cut_rows(&form, p, row) ||
        (size_t)form.shape.parts > fold_tuned(out->op->device)->scan.most_parts)
        return scan_gpu_lines(out, row, p, err);
    return plan_once(out, row, p, &form, err);
}

lun_status scan_once_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    return scan_plan(out, row, data, plan_lines, err);
}
