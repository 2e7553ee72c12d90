/* Transforms of a signal's frames, and the squares of them. */
#include "op/fft/frames.h"

#include "api/functions.h"

#include <string.h>

typedef struct frames_request {
    framing f;
    bool accurate;
    lun_padding padding;
    size_t padded_size; /* of a padded line */
} frames_request;

static bool is_pairs(lun_dtype dtype) { return lun_dtype_has(dtype, LUN_PAIRS); }

static lun_status find_frames(frames_request *s, const lun_request *r, const lun_array *in, lun_error *err)
{
    framing *f = &s->f;
    const char *pad = request_text(r, "pad");
    const int last = in->ndim - 1;
    s->padding.mode = LUN_PAD_CONSTANT;
    if (pad)
        TRY(lun_pad_mode_find(&s->padding.mode, pad, err));
    if (pad && !f->center)
        FAIL(LUN_MISUSE, "pad needs center: without it the ends are not padded");
    if (f->center)
        s->padding.before[last] = s->padding.after[last] = f->n / 2;
    s->padded_size = in->shape[last] + (f->center ? f->n / 2 * 2 : 0);
    if (in->shape[last] == 0)
        FAIL(LUN_MISUSE, "axis %d has no elements; at least one is needed", array_axis_shown(in, last));
    if (s->padded_size < f->n)
        FAIL(LUN_MISUSE, "the signal has %zu numbers, fewer than a frame of %zu", s->padded_size, f->n);
    f->count = (s->padded_size - f->n) / f->hop + 1;
    return LUN_OK;
}

static lun_status read_frames(frames_request *s, const lun_request *r, const lun_array *in, lun_error *err)
{
    TRY(fft_read_accurate(&s->accurate, r, err));
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it cannot be transformed");
    if (in->ndim == LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", LUN_MAX_AXES + 1, LUN_MAX_AXES);
    TRY(frames_read(&s->f, r, 0, err));
    return find_frames(s, r, in, err);
}

/* Cuts frames out, times the window. A plain window leaves them where they are. */
static lun_status cut(lun_array *out, composing *c, frames_request *s, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    size_t shape[LUN_MAX_AXES];
    lun_array line = *in, *padded, *cut;
    const lun_array *to;
    composed x = {0};
    memcpy(shape, in->shape, sizeof shape);
    shape[in->ndim - 1] = s->padded_size;
    if (s->f.center) {
        TRY(compose_array(&padded, c, in->dtype, in->ndim, shape, err));
        TRY(CALLED(c, false, lun_pad(padded, in, &s->padding, &call, err)));
        line = *padded;
    }
    *out = frames_view(&line, &s->f);
    TRY(frames_window(&s->f, c, fft_between(in->dtype, false, s->accurate), err));
    if (s->f.plain)
        return LUN_OK;
    TRY(compose_array(&cut, c, fft_between(in->dtype, is_pairs(in->dtype), s->accurate), out->ndim, out->shape, err));
    x.results[0] = of_array(&x, out);
    x.results[0] = of_op(&x, LUN_MAP_mul, x.results[0], of_array(&x, s->f.window));
    to = cut;
    TRY(compose_into(c, &to, &x, false, err));
    *out = *cut;
    return LUN_OK;
}

static lun_array part_of(const lun_array *pairs, int which)
{
    lun_array view = *pairs;
    view.dtype = lun_dtype_part(pairs->dtype);
    view.offset = 2 * pairs->offset + which;
    for (int i = 0; i < view.ndim; i++)
        view.stride[i] *= 2;
    return view;
}

static lun_status square(const lun_array *out, const lun_array *in, const char *name, const lun_call *call,
                         lun_error *err)
{
    const lun_array re = part_of(in, 0), im = part_of(in, 1);
    const lun_expression e = {.name = name,
                              .result_count = 1,
                              .arrays = (const lun_array *const[]){&re, &im},
                              .array_count = 2,
                              .texts = (const char *const[]){"re * re + im * im"},
                              .array_names = (const char *const[]){"re", "im"},
                              .dtype = out->dtype};
    return lun_map((const lun_array *const[]){out}, &e, call, err);
}

static lun_status stft(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *window = request_array_option(c->r, "window");
    const char *name = c->r->operation->name;
    const bool squares = request_is(c->r, ROW_SQUARED);
    frames_request s = {.accurate = false};
    size_t shape[LUN_MAX_AXES + 1];
    lun_array frames, *spectra = NULL;
    TRY(read_frames(&s, c->r, in, err));
    const fft_axes along = {.count = 1, .axes = {in->ndim}, .n = {s.f.n}, .scale = 1, .accurate = s.accurate};
    memcpy(shape, in->shape, sizeof in->shape);
    shape[in->ndim - 1] = s.f.count;
    shape[in->ndim] = is_pairs(in->dtype) ? s.f.n : s.f.n / 2 + 1;
    TRY(compose_result(&out, c, 0, fft_between(in->dtype, !squares, false), in->ndim + 1, shape, err));
    TRY(compose_check_out(c, out, in, err));
    TRY(compose_check_out(c, out, window ? window : in, err));
    TRY(cut(&frames, c, &s, err));
    if (squares)
        TRY(compose_array(&spectra, c, fft_between(in->dtype, true, s.accurate), in->ndim + 1, shape, err));
    TRY(CALLED(c, !squares, fft_along(squares ? spectra : out, &frames, &along, name, &call, err)));
    return squares ? CALLED(c, true, square(out, spectra, name, &call, err)) : LUN_OK;
}

COMPOSED(stft)
