/* Plans of transforms: the steps of a line along one axis, and of axis after axis.
 *
 * A line that is too long for one step is cut into lengths n1 n2 ... nk. Step i transforms ni numbers that lie m = n(i+1) ... nk
 * apart, and turns them by w^(j c), c being where the first of them lies in its part. These steps read and write the same places of
 * scratch memory; the last one reads there and writes numbers of the result, with the digits of their positions reversed. So there
 * is one scratch, and the result may lie where the input was. Bluestein's transform goes the same steps back after the last,
 * which filters, so that digits are not reversed at all. */
#include "op/fft/fft.h"

#include <string.h>

#define STEPS 8
#define NO_END (INT64_MAX / 4)

/* A set of neighbours or of places: their number, and how far apart they are. */
typedef struct around {
    size_t size;
    int64_t in, out, from, to;
} around;

typedef struct form {
    plan *p;
    const fft_way *way;
    const fft_line *line;
    size_t core; /* numbers that are transformed: a line's, or half as many pairs, or Bluestein's padded line */
    bool halved, bluestein;
    size_t lengths[STEPS], count;
    around batch[LUN_MAX_AXES];        /* strides of the other axes in the arrays */
    int64_t lines[LUN_MAX_AXES], unit; /* and in scratch memory, where a line's numbers are `unit` apart */
    int batch_count, lane;             /* which of them has the lines side by side; -1: none */
    lun_block *scratch;
} form;

static bool is_pairs(const lun_array *a) { return lun_dtype_has(a->dtype, LUN_PAIRS); }

/* ---- the other axes ----------------------------------------------------------------------------------------------------- */

static int64_t width(int64_t stride) { return stride < 0 ? -stride : stride; }

static void find_batch(form *f)
{
    const lun_array *to = &f->line->to, *from = &f->line->from;
    size_t size[LUN_MAX_AXES];
    int64_t in[LUN_MAX_AXES], out[LUN_MAX_AXES];
    int count = 0;
    for (int i = 0; i < from->ndim; i++)
        if (i != f->line->axis) {
            size[count] = to->shape[i];
            in[count] = from->stride[i];
            out[count++] = to->stride[i];
        }
    f->batch_count = count = shape_collapse(count, size, (int64_t *const[]){in, out}, 2);
    f->lane = -1;
    for (int i = 0; i < count; i++) {
        f->batch[i] = (around){.size = size[i], .in = in[i], .out = out[i]};
        const around *best = f->lane < 0 ? NULL : &f->batch[f->lane];
        const bool wide = size[i] >= f->way->lanes;
        if (!best || (wide && best->size < f->way->lanes) ||
            (wide == (best->size >= f->way->lanes) && width(in[i]) < width(best->in)))
            f->lane = i;
    }
}

/* Lines side by side lie so in scratch memory, too. */
static void find_scratch(form *f)
{
    int64_t stride = (int64_t)f->core;
    f->unit = f->lane < 0 ? 1 : (int64_t)f->batch[f->lane].size;
    stride *= f->unit;
    for (int i = f->batch_count - 1; i >= 0; i--) {
        f->lines[i] = i == f->lane ? 1 : stride;
        stride *= i == f->lane ? 1 : (int64_t)f->batch[i].size;
    }
}

static size_t batch_size(const form *f)
{
    size_t size = 1;
    for (int i = 0; i < f->batch_count; i++)
        size *= f->batch[i].size;
    return size;
}

/* ---- steps -------------------------------------------------------------------------------------------------------------- */

static void add_around(fft_step *s, const around *a, bool lanes)
{
    if (lanes) {
        s->lanes = (abi_long)a->size;
        s->in_lane = a->in;
        s->out_lane = a->out;
        s->from_lane = a->from;
        s->to_lane = a->to;
    } else if (a->size != 1) {
        s->size[s->axes] = (abi_long)a->size;
        s->in_axis[s->axes] = a->in;
        s->out_axis[s->axes] = a->out;
        s->from_axis[s->axes] = a->from;
        s->to_axis[s->axes++] = a->to;
        s->places *= (abi_long)a->size;
    }
}

/* The step's lines: those of the other axes, where `in` and `out` say whether they lie in the arrays, not in scratch memory;
 * and `more` within each line, of which the `lane`-th has the lines side by side unless an axis has. */
static void lay_lines(fft_step *s, const form *f, bool in, bool out, const around *more, size_t more_count, size_t lane)
{
    s->places = s->lanes = 1;
    for (int i = 0; i < f->batch_count; i++)
        add_around(s,
                   &(around){.size = f->batch[i].size,
                             .in = in ? f->batch[i].in : f->lines[i],
                             .out = out ? f->batch[i].out : f->lines[i]},
                   i == f->lane);
    for (size_t i = 0; i < more_count; i++)
        add_around(s, &more[i], f->lane < 0 && i == lane);
    if (in) {
        s->in = f->line->from.offset;
        s->in_unit = f->line->from.stride[f->line->axis];
    }
    if (out) {
        s->out = f->line->to.offset;
        s->out_unit = f->line->to.stride[f->line->axis];
    }
    s->whole = NO_END;
    s->from_end = s->to_end = NO_END;
}

/* How the first step reads: `apart` positions between its numbers. */
static void read_input(fft_step *s, const form *f, int64_t apart)
{
    const fft_line *l = f->line;
    const lun_array *from = &l->from;
    const bool halved_back = f->halved && !is_pairs(&l->to), hermitian = is_pairs(from) && !is_pairs(&l->to);
    const size_t wanted = hermitian ? l->n / 2 + 1 : l->n;
    s->load = !is_pairs(from) ? f->halved ? FFT_PAIRS : FFT_REAL
              : hermitian     ? halved_back ? FFT_PACKED : FFT_HERMITIAN
                              : FFT_COMPLEX;
    s->whole = (abi_long)l->n;
    s->from_end = (abi_long)smaller(from->shape[l->axis], wanted);
    s->from_step = apart;
    s->in_step = apart * s->in_unit * (s->load == FFT_PAIRS ? 2 : 1);
    s->flags |= (l->inverse && s->load != FFT_PAIRS ? FFT_SWAP_IN : 0) | (f->bluestein ? FFT_CHIRP_IN : 0);
}

/* How the last step writes. Numbers of pairs that are unpacked later are written as they are: *later. */
static void write_output(fft_step *s, const form *f, int64_t apart, bool *later)
{
    const fft_line *l = f->line;
    const lun_array *to = &l->to;
    const size_t kept = to->shape[l->axis];
    *later = f->halved && is_pairs(to) && f->count > 1;
    s->to_step = apart;
    s->to_end = (abi_long)kept;
    if (f->halved && is_pairs(to)) {
        s->to_end = (abi_long)f->core;
    } else if (f->halved) {
        s->to_end = (abi_long)kept / 2;
        s->odd_out = kept % 2;
    }
    s->store = !f->halved      ? is_pairs(to) ? FFT_COMPLEX : FFT_REAL
               : !is_pairs(to) ? FFT_PAIRS
               : *later        ? FFT_COMPLEX
               : kept == l->n  ? FFT_FULL
                               : FFT_HALF;
    s->out_step = apart * s->out_unit * (s->store == FFT_PAIRS ? 2 : 1);
    const bool unpacked = f->halved && is_pairs(to);
    s->flags |= (l->inverse && !unpacked ? FFT_SWAP_OUT : 0) | (f->bluestein ? FFT_CHIRP_OUT : 0) |
                (l->inverse && unpacked ? FFT_CONJUGATE : 0);
}

static bool reaches(abi_long first, abi_long lane, const fft_step *s, abi_long step, const abi_long *axis, abi_long end)
{
    for (int i = 0; i < (int)s->axes; i++)
        first += (s->size[i] - 1) * axis[i];
    return first + (s->lanes - 1) * lane + (s->n - 1) * step >= end;
}

/* Finds the step's tables, and appends it. `turned`: the length whose roots turn its numbers; `in` and `out` as lay_lines has them. */
static lun_status add_step(form *f, fft_step *s, size_t turned, bool in, bool out, double scale, lun_error *err)
{
    lun_status status = LUN_OK;
    fft_tables t = {0};
    unsigned radices[64];
    lun_device *device = f->p->op->device;
    const lun_dtype dtype = f->way->dtype;
    const size_t n = (size_t)s->n;
    const fft_ends ends = {.dst = block_memory(out ? f->line->to.block : f->scratch),
                           .src = block_memory(in ? f->line->from.block : f->scratch),
                           .to = lun_dtype_part(out ? f->line->to.dtype : dtype),
                           .from = lun_dtype_part(in ? f->line->from.dtype : dtype)};
    s->passes = (abi_long)fft_radices(radices, n, 8);
    for (size_t i = (size_t)s->passes; i-- > 0;)
        s->radices = s->radices << FFT_RADIX_BITS | (radices[i] - 1);
    const abi_long read_end = s->load == FFT_PAIRS ? s->from_end / 2 : s->from_end;
    s->plain_in = !reaches(0, s->from_lane, s, s->from_step, s->from_axis, read_end);
    s->plain_out = !reaches(0, s->to_lane, s, s->to_step, s->to_axis, s->to_end);
    TRY(fft_turns(&t.turns, device, dtype, n, err));
    if (s->flags & (FFT_TURN_IN | FFT_TURN_OUT))
        TRY(fft_roots(&t.roots, &s->shift, device, dtype, turned, err));
    if (s->flags & (FFT_TURN_IN | FFT_TURN_OUT) && s->from_lane)
        TRY(fft_lane_roots(&t.lanes, device, dtype, turned, n, err));
    if (s->load == FFT_PACKED || s->store >= FFT_HALF)
        TRY(fft_roots(&t.whole_roots, &s->whole_shift, device, dtype, f->line->n, err));
    if (s->flags & (FFT_CHIRP_IN | FFT_CHIRP_OUT))
        TRY(fft_chirp(&t.chirp, device, dtype, f->line->n, err));
    if (s->flags & FFT_FILTERED)
        TRY(fft_filter(&t.filter, device, dtype, f->line->n, f->core, err));
    TRY(f->way->launch(f->p, f->way, s, &t, &ends, scale, err));
done:
    return status;
}

/* ---- a line that is one step ---------------------------------------------------------------------------------------------- */

static lun_status plan_single(form *f, lun_error *err)
{
    fft_step s = {.n = (abi_long)f->core};
    bool later;
    lay_lines(&s, f, true, true, NULL, 0, 0);
    read_input(&s, f, 1);
    write_output(&s, f, 1, &later);
    if (f->bluestein) {
        s.flags |= FFT_FILTERED;
        s.whole = (abi_long)f->line->n;
    }
    return add_step(f, &s, 0, true, true, f->line->scale, err);
}

/* ---- lines of several steps ------------------------------------------------------------------------------------------------ */

/* The numbers of the line that one number of step i stands for. */
static size_t behind(const form *f, size_t i)
{
    size_t numbers = f->core;
    for (size_t j = 0; j <= i; j++)
        numbers /= f->lengths[j];
    return numbers;
}

/* Step i but the last, on the way there or, after Bluestein's filter, back. */
static lun_status plan_part(form *f, size_t i, bool back, lun_error *err)
{
    const size_t m = behind(f, i), part = m * f->lengths[i], parts = f->core / part;
    const bool in = i == 0 && !back, out = i == 0 && back;
    const int64_t in_unit = in ? f->line->from.stride[f->line->axis] : f->unit,
                  out_unit = out ? f->line->to.stride[f->line->axis] : f->unit;
    fft_step s = {.n = (abi_long)f->lengths[i]};
    const bool pairs = in && f->halved && !is_pairs(&f->line->from);
    const around more[] = {{parts, (int64_t)part * in_unit, (int64_t)part * out_unit, 0, 0},
                           {m, (pairs ? 2 : 1) * in_unit, out_unit, 1, 1}};
    bool later;
    lay_lines(&s, f, in, out, more, 2, 1);
    s.in_step = (int64_t)m * f->unit;
    s.out_step = (int64_t)m * f->unit;
    s.flags = back ? FFT_TURN_IN : FFT_TURN_OUT;
    if (in)
        read_input(&s, f, (int64_t)m);
    if (out)
        write_output(&s, f, (int64_t)m, &later);
    return add_step(f, &s, part, in, out, out ? f->line->scale : 1, err);
}

/* The last step, which reads the digits of a number's position in the order of the steps. */
static lun_status plan_last(form *f, bool *later, lun_error *err)
{
    const size_t last = f->count - 1;
    const bool out = !f->bluestein;
    const bool pairs = out && f->halved && !is_pairs(&f->line->to);
    const int64_t unit = out ? f->line->to.stride[f->line->axis] * (pairs ? 2 : 1) : f->unit;
    fft_step s = {.n = (abi_long)f->lengths[last]};
    around digits[STEPS];
    int64_t before = 1;
    for (size_t i = 0; i < last; i++) {
        const int64_t apart = (int64_t)behind(f, i);
        digits[i] = (around){f->lengths[i], apart * f->unit, (out ? before : apart) * unit, 0, before};
        before *= (int64_t)f->lengths[i];
    }
    lay_lines(&s, f, false, out, digits, last, 0);
    s.in_step = f->unit;
    s.out_step = unit;
    s.to_step = before;
    *later = false;
    if (out)
        write_output(&s, f, before, later);
    else
        s.flags = FFT_FILTERED;
    return add_step(f, &s, 0, false, out, out && !*later ? f->line->scale : 1, err);
}

static lun_status plan_unpack(form *f, lun_error *err)
{
    lun_status status = LUN_OK;
    const fft_line *l = f->line;
    lun_device *device = f->p->op->device;
    cl_kernel kernel;
    cl_mem roots;
    fft_step s = {.n = (abi_long)f->core};
    f->lane = -1;
    lay_lines(&s, f, true, true, NULL, 0, 0);
    s.store = l->to.shape[l->axis] == l->n ? FFT_FULL : FFT_HALF;
    s.flags = l->inverse ? FFT_CONJUGATE : 0;
    TRY(program_kernel(&kernel, device, &(program_key){.file = f->way->unpacks, .dtype = f->way->dtype}, "fft_unpack",
                       err));
    TRY(fft_roots(&roots, &s.whole_shift, device, f->way->dtype, l->n, err));
    const launch groups = launch_spread(device, kernel, (size_t)s.places * (f->core / 2 + 1), 1024);
    TRY(plan_launch(f->p, &groups,
                    ARGS(ARG_BLOCK(l->to.block), ARG_VALUE(&s), fft_part(f->way->dtype, l->scale), ARG_MEM(roots)),
                    err));
done:
    return status;
}

static lun_status plan_several(form *f, lun_error *err)
{
    lun_status status = LUN_OK;
    const bool before = f->p->scratch_only;
    const size_t last = f->count - 1;
    bool later;
    find_scratch(f);
    TRY(operation_scratch(f->p->op, &f->scratch, f->core * batch_size(f) * lun_dtype_bytes(f->way->dtype), err));
    f->p->scratch_only = true;
    for (size_t i = 0; i < last; i++)
        TRY(plan_part(f, i, false, err));
    f->p->scratch_only = before || f->bluestein;
    TRY(plan_last(f, &later, err));
    if (later)
        TRY(plan_unpack(f, err));
    for (size_t i = last; f->bluestein && i-- > 0;) {
        f->p->scratch_only = before || i > 0;
        TRY(plan_part(f, i, true, err));
    }
    f->p->scratch_only = before;
done:
    return status;
}

/* ---- axes -------------------------------------------------------------------------------------------------------------------- */

static lun_status plan_line(plan *p, const fft_way *way, const fft_line *line, lun_error *err)
{
    form f = {.p = p, .way = way, .line = line, .core = line->n, .count = 1};
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
    if (axis_is_near || f.batch[f.lane].size < way->lanes)
        f.lane = -1;
    for (f.count = 2; f.count <= STEPS; f.count++)
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
    lun_status status = LUN_OK;
    lun_array between = {0};
    const bool before = p->scratch_only;
    if (problem->between_ndim)
        TRY(operation_scratch_array(p->op, &between, problem->dtype, problem->between_ndim, problem->between_shape,
                                    err));
    const unsigned scratch = operation_scratch_mark(p->op);
    for (int i = 0; i < problem->count; i++) {
        fft_line line = problem->lines[i];
        lay_between(&line.from, &between);
        lay_between(&line.to, &between);
        p->scratch_only = before || (problem->between_ndim && i + 1 < problem->count);
        TRY(plan_line(p, way, &line, err));
        operation_scratch_again(p->op, scratch);
    }
    p->scratch_only = before;
done:
    return status;
}
