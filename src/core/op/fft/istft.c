/* Signals from the transforms of their frames. */
#include "abi/frames.h"
#include "op/fft/frames.h"

#include <stdio.h>
#include <string.h>

typedef struct joining {
    framing f;
    bool real, accurate;
    size_t first, shape[LUN_MAX_AXES];
} joining;

static lun_status find_size(joining *s, const lun_request *r, const lun_array *in, lun_error *err)
{
    const framing *f = &s->f;
    const size_t covered = f->n + f->hop * (f->count - 1), ends = f->center ? f->n / 2 * 2 : 0;
    const int64_t size = request_whole(r, "size", covered > ends ? (int64_t)(covered - ends) : 0);
    s->first = ends / 2;
    if (size < 0 || (size == 0 && request_option(r, "size")))
        FAIL(LUN_MISUSE, "option 'size': a whole number from 1 is needed, got %lld", (long long)size);
    if (size == 0)
        FAIL(LUN_MISUSE, "a single centered frame of %zu numbers gives no signal by default; give the size", f->n);
    if ((size_t)size > covered - s->first)
        FAIL(LUN_MISUSE, "the size is %lld, but the frames end after %zu numbers", (long long)size, covered - s->first);
    memcpy(s->shape, in->shape, sizeof s->shape);
    s->shape[in->ndim - 2] = (size_t)size;
    return LUN_OK;
}

static lun_status read_joining(joining *s, const lun_request *r, const lun_array *in, lun_error *err)
{
    const lun_value *real = request_option(r, "real");
    if (!lun_dtype_has(in->dtype, LUN_PAIRS))
        FAIL(LUN_MISUSE, "the array is %s, real; complex numbers are needed, as stft gives them",
             lun_dtype_name(in->dtype));
    if (in->ndim < 2)
        FAIL(LUN_MISUSE, "the array has %d ax%ss; frames and their transforms are needed, as stft gives them", in->ndim,
             in->ndim == 1 ? "i" : "e");
    s->real = !real || real->truth;
    const size_t frames = in->shape[in->ndim - 2], numbers = in->shape[in->ndim - 1];
    if (frames == 0 || numbers == 0)
        FAIL(LUN_MISUSE, "there are %zu frames of %zu numbers; at least one is needed", frames, numbers);
    TRY(frames_read(&s->f, r, s->real ? 2 * (numbers - 1) : numbers, err));
    s->f.count = frames;
    if ((s->real ? s->f.n / 2 + 1 : s->f.n) != numbers)
        FAIL(LUN_MISUSE, "frames of %zu numbers have transforms of %zu, but these have %zu", s->f.n,
             s->real ? s->f.n / 2 + 1 : s->f.n, numbers);
    TRY(fft_read_accurate(&s->accurate, r, err));
    return find_size(s, r, in, err);
}

static void say_gap(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    (void)limit;
    snprintf(text, room,
             "the windows do not overlap-add: all are 0 at number %lld of the signal; a smaller hop is "
             "needed",
             (long long)found->position + 1);
}

/* The frames are the operation's own, so they are dense. */
static lun_status join(const lun_array *out, const lun_array *frames, const joining *s, const char *name,
                       const lun_call *call, lun_error *err)
{
    lun_device *device = out->device;
    const framing *f = &s->f;
    const lun_array *window = f->plain ? NULL : f->window;
    lun_array parts = *out;
    frames_shape shape = {.size = (abi_long)out->shape[out->ndim - 1],
                          .parts = s->real ? 1 : 2,
                          .count = (abi_long)f->count,
                          .n = (abi_long)f->n,
                          .hop = (abi_long)f->hop,
                          .first = (abi_long)s->first,
                          .out_at = out->offset * (s->real ? 1 : 2)};
    shape.lines = (abi_long)out->size / shape.size;
    for (int i = 0; i < parts.ndim && !s->real; i++)
        parts.stride[i] *= 2;
    parts.shape[parts.ndim] = (size_t)shape.parts;
    parts.stride[parts.ndim++] = 1;
    shape.out = array_layout(&parts);
    if (window) {
        shape.window_at = window->offset;
        shape.window_step = window->stride[0];
    }
    PLANNED(op, p, device, name, call);
    TRY(operation_touches(&op, ARRAYS(frames, window), ARRAYS(out), err));
    TRY(plan_verdict(&p, say_gap, 0, err));
    TRY(plan_spread(&p,
                    &(program_key){.file = "frames_plain",
                                   .dtype = lun_dtype_part(out->dtype),
                                   .defines = s->accurate ? "#define FRAME double\n" : NULL},
                    "frames_plain", out->size * (size_t)shape.parts, spread_tuned(device)->indexed,
                    ARGS(ARG_BLOCK(out->block), ARG_BLOCK(frames->block), ARG_BLOCK(window ? window->block : NULL),
                         ARG_VALUE(&shape), ARG_VERDICT(&op)),
                    err));
    return operation_run(&op, &p, err);
}

static lun_status istft(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *window = request_array_option(c->r, "window");
    const char *name = c->r->operation->name;
    joining s = {.real = false};
    lun_array *frames;
    size_t shape[LUN_MAX_AXES];
    TRY(read_joining(&s, c->r, in, err));
    const lun_dtype dtype = s.real ? lun_dtype_part(in->dtype) : in->dtype;
    const fft_axes along = {.count = 1,
                            .axes = {in->ndim - 1},
                            .n = {s.f.n},
                            .inverse = true,
                            .scale = 1 / (double)s.f.n,
                            .accurate = s.accurate};
    TRY(compose_result(&out, c, 0, dtype, in->ndim - 1, s.shape, err));
    TRY(compose_check_out(c, out, in, err));
    TRY(compose_check_out(c, out, window ? window : in, err));
    memcpy(shape, in->shape, sizeof shape);
    shape[in->ndim - 1] = s.f.n;
    TRY(frames_window(&s.f, c, fft_between(in->dtype, false, s.accurate), err));
    TRY(compose_array(&frames, c, fft_between(dtype, !s.real, s.accurate), in->ndim, shape, err));
    TRY(CALLED(c, false, fft_along(frames, in, &along, name, &call, err)));
    return CALLED(c, true,
                  out->size ? join(out, frames, &s, name, &call, err) : lun_array_fill(out, lun_real(0), &call, err));
}

COMPOSED(istft)
