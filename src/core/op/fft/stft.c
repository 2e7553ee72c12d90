/* Transforms of a signal's frames, and the squares of them, as rows of operation.def are called. */
#include "op/fft/frames.h"

#include "api/functions.h"

#include <string.h>

typedef struct frames_request {
    framing f;
    bool squares, accurate;
    lun_padding padding;
    size_t padded_size, shape[LUN_MAX_AXES + 1]; /* of a padded line; of the result */
    lun_array *padded, *cut, *spectra;
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
        FAIL(LUN_MISUSE, "pad goes with center: nothing is put at the ends without");
    if (f->center)
        s->padding.before[last] = s->padding.after[last] = f->n / 2;
    s->padded_size = in->shape[last] + (f->center ? f->n / 2 * 2 : 0);
    if (in->shape[last] == 0)
        FAIL(LUN_MISUSE, "axis %d has no elements; one at least is wanted", array_axis_shown(in, last));
    if (s->padded_size < f->n)
        FAIL(LUN_MISUSE, "the signal has %zu numbers, fewer than a frame of %zu", s->padded_size, f->n);
    f->count = (s->padded_size - f->n) / f->hop + 1;
    return LUN_OK;
}

static lun_status bind(lun_request *r, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    frames_request *s = REQUEST_STATE(r, frames_request);
    s->squares = request_is(r, ROW_SQUARED);
    TRY(fft_check_dtype(in->dtype, err));
    TRY(fft_read_accurate(&s->accurate, r, err));
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, along which it could be transformed");
    if (in->ndim == LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", LUN_MAX_AXES + 1, LUN_MAX_AXES);
    TRY(frames_read(&s->f, r, 0, err));
    TRY(find_frames(s, r, in, err));
    memcpy(s->shape, in->shape, sizeof in->shape);
    s->shape[in->ndim - 1] = s->f.count;
    s->shape[in->ndim] = is_pairs(in->dtype) ? s->f.n : s->f.n / 2 + 1;
    return request_result(r, fft_between(in->dtype, !s->squares, false), in->ndim + 1, s->shape, err);
}

/* The frames of a line as they lie in it. */
static lun_array framed(const lun_array *line, const framing *f)
{
    lun_array view = *line;
    const int last = line->ndim - 1;
    view.shape[last] = f->count;
    view.stride[last] = line->stride[last] * (int64_t)f->hop;
    view.shape[last + 1] = f->n;
    view.stride[last + 1] = line->stride[last];
    view.ndim++;
    view.size = line->shape[last] ? line->size / line->shape[last] * f->count * f->n : 0;
    return view;
}

/* Cuts frames out, times the window. A plain window leaves them where they are. */
static lun_status cut(lun_array *out, frames_request *s, lun_request *r, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    const lun_array *in = r->arguments[0].array;
    size_t shape[LUN_MAX_AXES];
    lun_elementwise e;
    lun_array line = *in;
    memcpy(shape, in->shape, sizeof shape);
    shape[in->ndim - 1] = s->padded_size;
    if (s->f.center) {
        TRY(request_array(&s->padded, r, in->dtype, in->ndim, shape, err));
        TRY(lun_pad(s->padded, in, &s->padding, &quiet, err));
        line = *s->padded;
    }
    *out = framed(&line, &s->f);
    TRY(frames_window(&s->f, r, fft_between(in->dtype, false, s->accurate), err));
    if (s->f.plain)
        return LUN_OK;
    TRY(request_array(&s->cut, r, fft_between(in->dtype, is_pairs(in->dtype), s->accurate), out->ndim, out->shape,
                      err));
    lun_elementwise_begin(&e, LUN_MAP_mul);
    lun_elementwise_array(&e, 0, out);
    lun_elementwise_array(&e, 1, s->f.window);
    TRY(lun_map((const lun_array *const[]){s->cut}, &e.expression, &quiet, err));
    *out = *s->cut;
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

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    frames_request *s = r->state;
    const lun_array *in = r->arguments[0].array;
    const lun_value *window = request_option(r, "window");
    const lun_call quiet = request_quiet(r);
    const fft_axes along = {.count = 1, .axes = {in->ndim}, .n = {s->f.n}, .scale = 1, .accurate = s->accurate};
    const char *name = r->operation->name;
    lun_array frames;
    TRY(array_check_out(out[0], in, r->results[0].dtype, in->ndim + 1, s->shape, err));
    TRY(array_check_apart(out[0], in, err));
    if (window && window->kind == LUN_VALUE_ARRAY)
        TRY(array_check_apart(out[0], window->array, err));
    TRY(cut(&frames, s, r, err));
    if (s->squares)
        TRY(request_array(&s->spectra, r, fft_between(in->dtype, true, s->accurate), in->ndim + 1, s->shape, err));
    TRY(fft_along(s->squares ? s->spectra : out[0], &frames, &along, name, s->squares ? &quiet : &r->call, err));
    if (s->squares)
        TRY(square(out[0], s->spectra, name, &r->call, err));
    return LUN_OK;
}

const request_functions stft_functions = {bind, run};
