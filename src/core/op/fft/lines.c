/* Plans of transforms: the steps of a line along one axis, and of axis after axis.
 *
 * A line that is too long for one step is cut into lengths n1 n2 ... nk. Step i transforms ni numbers that lie m = n(i+1) ... nk
 * apart, and turns them by w^(j c), c being where the first of them lies in its part. These steps read and write the same places of
 * scratch memory; the last one reads there and writes numbers of the result, with the digits of their positions reversed. So there
 * is one scratch, and the result may lie where the input was. Bluestein's transform goes the same steps back after the last,
 * which filters, so that digits are not reversed at all. */
#include "op/fft/form.h"

#include <string.h>

/* ---- the other axes ----------------------------------------------------------------------------------------------------- */

static int64_t width(int64_t stride) { return stride < 0 ? -stride : stride; }

static void find_batch(fft_form *f)
{
    const lun_array *to = &f->line->to, *from = &f->line->from;
    size_t size[LUN_MAX_AXES];
    int64_t in[LUN_MAX_AXES], out[LUN_MAX_AXES], by[LUN_MAX_AXES];
    int count = 0;
    for (int i = 0; i < from->ndim; i++)
        if (i != f->line->axis) {
            size[count] = to->shape[i];
            in[count] = from->stride[i];
            by[count] = f->line->factor ? f->line->factor->stride[i] : 0;
            out[count++] = to->stride[i];
        }
    f->batch_count = count = shape_collapse(count, size, (int64_t *const[]){in, out, by}, f->line->factor ? 3 : 2);
    f->lane = -1;
    for (int i = 0; i < count; i++) {
        f->batch[i] = (fft_around){.size = size[i], .in = in[i], .out = out[i], .by = by[i]};
        const fft_around *best = f->lane < 0 ? NULL : &f->batch[f->lane];
        const bool wide = size[i] >= f->way->lanes;
        if (!best || (wide && best->size < f->way->lanes) ||
            (wide == (best->size >= f->way->lanes) && width(in[i]) < width(best->in)))
            f->lane = i;
    }
}

/* Lines side by side lie so in scratch memory, too. */
static void find_scratch(fft_form *f)
{
    int64_t stride = (int64_t)f->core;
    if (f->packed) {
        f->unit = f->line->from.stride[f->line->axis];
        for (int i = 0; i < f->batch_count; i++)
            f->lines[i] = f->batch[i].in;
        return;
    }
    f->unit = f->lane < 0 ? 1 : (int64_t)f->batch[f->lane].size;
    stride *= f->unit;
    for (int i = f->batch_count - 1; i >= 0; i--) {
        f->lines[i] = i == f->lane ? 1 : stride;
        stride *= i == f->lane ? 1 : (int64_t)f->batch[i].size;
    }
}

static size_t batch_size(const fft_form *f)
{
    size_t size = 1;
    for (int i = 0; i < f->batch_count; i++)
        size *= f->batch[i].size;
    return size;
}

/* ---- a line that is one step ---------------------------------------------------------------------------------------------- */

static lun_status plan_single(fft_form *f, lun_error *err)
{
    fft_step s = {.n = (abi_long)f->core, .flags = FFT_ALONE};
    bool later;
    fft_lay_lines(&s, f, true, true, NULL, 0, 0);
    fft_read_input(&s, f, 1);
    fft_write_output(&s, f, 1, &later);
    if (f->bluestein) {
        s.flags |= FFT_FILTERED;
        s.whole = (abi_long)f->line->n;
    }
    return fft_add_step(f, &s, 0, true, true, f->line->scale, err);
}

/* ---- lines of several steps ------------------------------------------------------------------------------------------------ */

/* The numbers of the line that one number of step i stands for. */
static size_t behind(const fft_form *f, size_t i)
{
    size_t numbers = f->core;
    for (size_t j = 0; j <= i; j++)
        numbers /= f->lengths[j];
    return numbers;
}

/* Step i but the last, on the way there or, after Bluestein's filter, back. */
static lun_status plan_part(fft_form *f, size_t i, bool back, lun_error *err)
{
    const size_t m = behind(f, i), part = m * f->lengths[i], parts = f->core / part;
    const bool in = i == 0 && !back, out = i == 0 && back;
    const int64_t in_unit = in ? f->line->from.stride[f->line->axis] : f->unit,
                  out_unit = out ? f->line->to.stride[f->line->axis] : f->unit;
    fft_step s = {.n = (abi_long)f->lengths[i]};
    const bool pairs = in && f->halved && !is_pairs(&f->line->from);
    const int64_t by_unit = in && f->line->factor ? f->line->factor->stride[f->line->axis] : 0;
    const fft_around more[] = {{parts, (int64_t)part * in_unit, (int64_t)part * out_unit, 0, 0, 0},
                               {m, (pairs ? 2 : 1) * in_unit, out_unit, 1, 1, by_unit}};
    bool later;
    fft_lay_lines(&s, f, in, out, more, 2, 1);
    s.in_step = (int64_t)m * f->unit;
    s.out_step = (int64_t)m * f->unit;
    s.flags = back ? FFT_TURN_IN : FFT_TURN_OUT;
    if (in)
        fft_read_input(&s, f, (int64_t)m);
    if (out)
        fft_write_output(&s, f, (int64_t)m, &later);
    return fft_add_step(f, &s, part, in, out, out ? f->line->scale : 1, err);
}

/* The last step, which reads the digits of a number's position in the order of the steps. */
static lun_status plan_last(fft_form *f, bool *later, lun_error *err)
{
    const size_t last = f->count - 1;
    const bool out = !f->bluestein;
    const bool pairs = out && f->halved && !is_pairs(&f->line->to);
    const int64_t unit = out ? f->line->to.stride[f->line->axis] * (pairs ? 2 : 1) : f->unit;
    fft_step s = {.n = (abi_long)f->lengths[last]};
    fft_around digits[FFT_STEPS];
    int64_t before = 1;
    for (size_t i = 0; i < last; i++) {
        const int64_t apart = (int64_t)behind(f, i);
        digits[i] = (fft_around){f->lengths[i], apart * f->unit, (out ? before : apart) * unit, 0, before, 0};
        before *= (int64_t)f->lengths[i];
    }
    fft_lay_lines(&s, f, false, out, digits, last, 0);
    s.in_step = f->unit;
    s.out_step = unit;
    s.to_step = before;
    *later = false;
    if (out)
        fft_write_output(&s, f, before, later);
    else
        s.flags = FFT_FILTERED;
    return fft_add_step(f, &s, 0, false, out, out && !*later ? f->line->scale : 1, err);
}

/* A pass over whole lines in place, before or behind the others. */
static lun_status plan_whole(fft_form *f, const char *name, const lun_array *lines, lun_error *err)
{
    const fft_line *l = f->line;
    lun_device *device = f->p->op->device;
    const int lane = f->lane;
    cl_kernel kernel;
    cl_mem roots;
    fft_step s = {.n = (abi_long)f->core};
    f->lane = -1;
    fft_lay_lines(&s, f, true, true, NULL, 0, 0);
    f->lane = lane;
    s.store = l->to.shape[l->axis] == l->n ? FFT_FULL : FFT_HALF;
    s.flags = l->inverse ? FFT_CONJUGATE : 0;
    TRY(program_kernel(&kernel, device, &(program_key){.file = f->way->unpacks, .dtype = f->way->dtype}, name, err));
    TRY(fft_roots(&roots, &s.whole_shift, device, f->way->dtype, l->n, err));
    const launch groups = launch_spread(device, kernel, (size_t)s.places * (f->core / 2 + 1), 1024);
    return plan_launch(f->p, &groups,
                       ARGS(ARG_BLOCK(lines->block), ARG_VALUE(&s), fft_part(f->way->dtype, l->scale), ARG_MEM(roots)),
                       err);
}

static lun_status plan_several(fft_form *f, lun_error *err)
{
    const bool before = f->p->scratch_only;
    const size_t last = f->count - 1;
    bool later;
    find_scratch(f);
    f->scratch = f->line->from.block;
    if (!f->packed)
        TRY(operation_scratch(f->p->op, &f->scratch, f->core * batch_size(f) * lun_dtype_bytes(f->way->dtype), err));
    f->p->scratch_only = true;
    if (f->packed)
        TRY(plan_whole(f, "fft_pack_lines", &f->line->from, err));
    for (size_t i = 0; i < last; i++)
        TRY(plan_part(f, i, false, err));
    f->p->scratch_only = before || f->bluestein;
    TRY(plan_last(f, &later, err));
    if (later)
        TRY(plan_whole(f, "fft_unpack_lines", &f->line->to, err));
    for (size_t i = last; f->bluestein && i-- > 0;) {
        f->p->scratch_only = before || i > 0;
        TRY(plan_part(f, i, true, err));
    }
    f->p->scratch_only = before;
    return LUN_OK;
}

/* ---- axes -------------------------------------------------------------------------------------------------------------------- */

static lun_status plan_line(plan *p, const fft_way *way, const fft_line *line, lun_error *err)
{
    fft_form f = {.p = p, .way = way, .line = line, .core = line->n, .count = 1};
    const bool real = !is_pairs(&line->to) || !is_pairs(&line->from);
    f.bluestein = !fft_is_smooth(line->n);
    f.halved = real && !f.bluestein && line->n % 2 == 0;
    if (f.bluestein)
        f.core = lun_fft_length(2 * line->n - 1);
    else if (f.halved)
        f.core = line->n / 2;
    find_batch(&f);
    const bool axis_is_near =
        width(line->from.stride[line->axis]) < (f.lane < 0 ? INT64_MAX : width(f.batch[f.lane].in));
    const size_t alone = batch_size(&f) < way->few ? way->alone : way->longest,
                 across = axis_is_near ? way->longest : way->across;
    if (f.core <= smaller(way->longest, smaller(alone, across)))
        return plan_single(&f, err);
    if (f.halved && is_pairs(&line->to) && lun_dtype_part(line->to.dtype) != lun_dtype_part(way->dtype)) {
        f.halved = false; /* pairs that are unpacked later would be rounded twice */
        f.core = line->n;
    }
    f.packed = line->spare && f.halved && !is_pairs(&line->to) && line->from.shape[line->axis] > f.core;
    if (axis_is_near || f.batch[f.lane].size < way->lanes)
        f.lane = -1;
    for (f.count = 2; f.count <= FFT_STEPS; f.count++)
        if (fft_split(f.lengths, f.core, f.count, way->most))
            return plan_several(&f, err);
    return fail(err, LUN_MISUSE, "lines of %zu numbers are too long", line->n);
}

/* An array whose numbers lie between two axes' lines gets the memory for them. */
static void lay_between(lun_array *a, const lun_array *between)
{
    if (a->device)
        return;
    a->device = between->device;
    a->block = between->block;
    a->offset = between->offset;
    memcpy(a->stride, between->stride, sizeof a->stride);
}

lun_status fft_plan(plan *p, const fft_way *way, const fft_problem *problem, lun_error *err)
{
    lun_array between = {0};
    const bool before = p->scratch_only;
    if (problem->between_ndim)
        TRY(operation_scratch_array(p->op, &between, problem->dtype, problem->between_ndim, problem->between_shape,
                                    err));
    const unsigned scratch = operation_scratch_mark(p->op);
    for (int i = 0; i < problem->count; i++) {
        fft_line line = problem->lines[i];
        line.spare = !line.from.device;
        lay_between(&line.from, &between);
        lay_between(&line.to, &between);
        p->scratch_only = before || (problem->between_ndim && i + 1 < problem->count);
        TRY(plan_line(p, way, &line, err));
        operation_scratch_again(p->op, scratch);
    }
    p->scratch_only = before;
    return LUN_OK;
}
