/* Scans of an array as it is: the lines that they go along. */
#include "op/fold/scan_array.h"
#include "op/fold/fold_tuning.h"
#include "op/planning.h"

#include <stdlib.h>
#include <string.h>

/* ---- lines -------------------------------------------------------------------------------------------------------- */

static scan_problem find_problem(const lun_array *out, const lun_array *in, const segments_problem *s)
{
    const int axis = s->axis;
    lun_array to = *out, from = *in;
    scan_problem p = {.row = s->fold->form.rows[0],
                      .out = out,
                      .in = in,
                      .exclusive = s->shape.exclusive,
                      .elements = in->shape[axis],
                      .step = in->stride[axis],
                      .out_step = out->stride[axis]};
    to.shape[axis] = from.shape[axis] = 1; /* which is not an axis of the lines */
    p.lines = shape_axis_pairs(&to, &from);
    if (p.elements == 1)
        p.step = p.out_step = 1;
    if (s->reverse) {
        p.lines.src_first += p.step * ((int64_t)p.elements - 1);
        p.lines.dst_first += p.out_step * ((int64_t)p.elements - 1);
        p.step = -p.step;
        p.out_step = -p.out_step;
    }
    return p;
}

static bool is_columns(const scan_problem *p)
{
    const int last = p->lines.count - 1;
    return last >= 0 && p->lines.dst[last] == 1 && p->lines.src[last] == 1;
}

bool scan_is_rows(const scan_problem *p)
{
    return llabs(p->step) == 1 && llabs(p->out_step) == 1 && !(p->elements == 1 && is_columns(p));
}

static bool is_simple(const scan_problem *p) { return scan_is_rows(p) || is_columns(p); }

static const lun_array *array_of(const segments_problem *s) { return s->fold->form.map.expression->arrays[0]; }

bool scan_is_of_neighbours(const segments_problem *s)
{
    if (!s)
        return true;
    const lun_array *in = array_of(s);
    const scan_problem p = find_problem(s->fold->outs[0], in, s);
    return is_simple(&p) || in->size >= fold_tuned(in->device)->scan.least_copied;
}

bool scan_is_same(const scan_problem *p) { return p->row->accumulator == FOLD_SAME; }

lun_status scan_plan(plan *out, const variant *row, const segments_problem *s, scan_planner *plan_lines, lun_error *err)
{
    const lun_array *given = s->fold->outs[0];
    lun_array from = *array_of(s), to = *given, dense;
    scan_problem p = find_problem(&to, &from, s);
    if (!is_simple(&p)) {
        TRY(operation_scratch_array(out->op, &dense, from.dtype, from.ndim, from.shape, err));
        TRY(plan_array_copy(out, &dense, &from, err));
        from = dense;
        p = find_problem(&to, &from, s);
    }
    const bool through = !is_simple(&p);
    if (through) {
        TRY(operation_scratch_array(out->op, &to, given->dtype, given->ndim, given->shape, err));
        p = find_problem(&to, &from, s);
    }
    TRY(plan_lines(out, row, &p, err));
    return through ? plan_array_copy(out, given, &to, err) : LUN_OK;
}

/* ---- what kernels get --------------------------------------------------------------------------------------------- */

size_t scan_accumulator_bytes(const scan_problem *p)
{
    return lun_dtype_bytes(fold_accumulator_dtype(p->row, p->in->dtype, false));
}

scan_shape scan_shape_of(const scan_problem *p, bool by_columns)
{
    const axis_pairs *lines = &p->lines;
    const int outer = lines->count - by_columns;
    scan_shape s = {.outer = layout_of(outer, lines->size, lines->src),
                    .outer_out = layout_of(outer, lines->size, lines->dst),
                    .in = lines->src_first,
                    .out = lines->dst_first,
                    .step = p->step,
                    .out_step = p->out_step,
                    .places = 1,
                    .columns = by_columns ? (cl_long)lines->size[outer] : 1,
                    .elements = (cl_long)p->elements,
                    .parts = 1,
                    .part = (cl_long)p->elements,
                    .exclusive = p->exclusive};
    for (int i = 0; i < outer; i++)
        s.places *= (cl_long)lines->size[i];
    return s;
}

void scan_cut(scan_shape *s, size_t wanted, size_t step)
{
    const size_t steps = ceil_div((size_t)s->elements, step), parts = smaller(larger(wanted, 1), steps);
    s->part = (cl_long)(ceil_div(steps, parts) * step);
    s->parts = (cl_long)ceil_div((size_t)s->elements, (size_t)s->part);
}
