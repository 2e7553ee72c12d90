/* Steps of transforms: where their lines lie, how the first one reads and the last one writes, and what they work with. */
#include "op/fft/form.h"

#include <string.h>

#define NO_END (INT64_MAX / 4)

static void add_around(fft_step *s, const fft_around *a, bool lanes)
{
    if (lanes) {
        s->lanes = (abi_long)a->size;
        s->in_lane = a->in;
        s->out_lane = a->out;
        s->from_lane = a->from;
        s->to_lane = a->to;
        s->by_lane = a->by;
    } else if (a->size != 1) {
        s->size[s->axes] = (abi_long)a->size;
        s->in_axis[s->axes] = a->in;
        s->out_axis[s->axes] = a->out;
        s->from_axis[s->axes] = a->from;
        if (s->axes < FFT_AXES_IN)
            s->by_axis[s->axes] = a->by;
        s->to_axis[s->axes++] = a->to;
        s->places *= (abi_long)a->size;
    }
}

void fft_lay_lines(fft_step *s, const fft_form *f, bool in, bool out, const fft_around *more, size_t more_count,
                   size_t lane)
{
    s->places = s->lanes = 1;
    for (int i = 0; i < f->batch_count; i++)
        add_around(s,
                   &(fft_around){.size = f->batch[i].size,
                                 .in = in ? f->batch[i].in : f->lines[i],
                                 .out = out ? f->batch[i].out : f->lines[i],
                                 .by = in ? f->batch[i].by : 0},
                   i == f->lane);
    for (size_t i = 0; i < more_count; i++)
        add_around(s, &more[i], f->lane < 0 && i == lane);
    if (in) {
        s->in = f->line->from.offset;
        s->in_unit = f->line->from.stride[f->line->axis];
        if (f->line->factor) {
            s->by = f->line->factor->offset;
            s->by_unit = f->line->factor->stride[f->line->axis];
        }
    }
    if (out) {
        s->out = f->line->to.offset;
        s->out_unit = f->line->to.stride[f->line->axis];
    }
    s->whole = NO_END;
    s->from_end = s->to_end = NO_END;
}

void fft_read_input(fft_step *s, const fft_form *f, int64_t apart)
{
    const fft_line *l = f->line;
    const lun_array *from = &l->from;
    const bool halved_back = f->halved && !is_pairs(&l->to), hermitian = is_pairs(from) && !is_pairs(&l->to);
    const size_t wanted = hermitian ? l->n / 2 + 1 : l->n;
    s->load = !is_pairs(from)           ? f->halved ? FFT_PAIRS : FFT_REAL
              : hermitian && !f->packed ? halved_back ? FFT_PACKED : FFT_HERMITIAN
                                        : FFT_COMPLEX;
    s->whole = (abi_long)l->n;
    s->from_end = (abi_long)(f->packed ? f->core : smaller(from->shape[l->axis], wanted));
    s->from_step = apart;
    s->in_step = apart * s->in_unit * (s->load == FFT_PAIRS ? 2 : 1);
    s->flags |= (l->inverse && s->load != FFT_PAIRS ? FFT_SWAP_IN : 0) | (f->bluestein ? FFT_CHIRP_IN : 0) |
                (l->factor ? FFT_TIMES_IN : 0);
}

void fft_write_output(fft_step *s, const fft_form *f, int64_t apart, bool *later)
{
    const fft_line *l = f->line;
    const lun_array *to = &l->to;
    const size_t kept = to->shape[l->axis], end = l->first + kept;
    *later = f->halved && is_pairs(to) && f->count > 1;
    s->to_step = apart;
    s->to_begin = (abi_long)l->first;
    s->to_end = (abi_long)end;
    s->out -= (abi_long)l->first * s->out_unit;
    if (f->halved && is_pairs(to)) {
        s->to_end = (abi_long)f->core;
    } else if (f->halved) {
        s->to_begin = (abi_long)l->first / 2;
        s->odd_begin = l->first % 2;
        s->to_end = (abi_long)end / 2;
        s->odd_out = end % 2;
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

lun_status fft_add_step(fft_form *f, fft_step *s, size_t turned, bool in, bool out, double scale, lun_error *err)
{
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
    s->plain_out = s->to_begin + s->odd_begin == 0 && !reaches(0, s->to_lane, s, s->to_step, s->to_axis, s->to_end);
    if (s->flags & FFT_TIMES_IN)
        t.factor = block_memory(f->line->factor->block);
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
    return f->way->launch(f->p, f->way, s, &t, &ends, scale, err);
}
