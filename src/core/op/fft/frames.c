/* The options that say how a signal is cut into frames. */
#include "op/fft/frames.h"

#include <string.h>

static lun_status read_window(framing *f, const lun_request *r, size_t *n, lun_error *err)
{
    char shown[SHOWN];
    const lun_value *given = request_option(r, "window");
    const char *wants;
    f->named.periodic = true;
    if (given && given->kind == LUN_VALUE_ARRAY) {
        const lun_array *array = given->array;
        if (array->ndim != 1 || array->size == 0)
            FAIL(LUN_MISUSE, "the window is %s; a vector is needed", array_shape_text(shown, sizeof shown, array));
        TRY(dtype_check_real(array->dtype, "a window", err));
        if (r->arguments[0].array->device != array->device)
            FAIL_HINT(LUN_HINT_BRING_OVER, "the window is on another device");
        *n = array->size;
        f->window = given->array;
        return LUN_OK;
    }
    if (given && given->kind != LUN_VALUE_TEXT)
        FAIL(LUN_MISUSE, "option 'window': the name of a window or an array is needed, got %s", kind_shown(r, given));
    TRY(window_find(&f->named, given ? given->text : "hann", err));
    if ((wants = window_wants(&f->named)))
        FAIL(LUN_MISUSE, "the window '%s' has a parameter, %s: make the window with it first, and pass the array",
             given->text, wants);
    f->plain = window_is_plain(&f->named);
    return LUN_OK;
}

static lun_status read_count(size_t *out, const lun_request *r, const char *name, lun_error *err)
{
    const int64_t value = request_whole(r, name, (int64_t)*out);
    if (value < 1)
        return fail(err, LUN_MISUSE, "option '%s': a whole number from 1 is needed, got %lld", name, (long long)value);
    *out = (size_t)value;
    return LUN_OK;
}

lun_status frames_read(framing *f, const lun_request *r, size_t missing, lun_error *err)
{
    const lun_value *center = request_option(r, "center");
    f->n = missing;
    TRY(read_window(f, r, &f->n, err));
    const size_t length = f->n;
    if (f->n == 0 && !request_option(r, "n"))
        FAIL(LUN_MISUSE, "n, the length of frames, is needed");
    if (request_option(r, "n"))
        TRY(read_count(&f->n, r, "n", err));
    if (f->window && f->n != length)
        FAIL(LUN_MISUSE, "n is %zu, expected %zu (the window's numbers)", f->n, length);
    f->hop = larger(1, f->n / 4);
    TRY(read_count(&f->hop, r, "hop", err));
    f->center = !center || center->truth;
    f->named.n = f->n;
    return LUN_OK;
}

lun_status frames_window(framing *f, composing *c, lun_dtype dtype, lun_error *err)
{
    const lun_array *given = f->window;
    if (f->plain || (given && given->dtype == dtype))
        return LUN_OK;
    TRY(compose_array(&f->window, c, dtype, 1, &f->n, err));
    if (given)
        return compose_copy(c, f->window, given, false, err);
    return CALLED(c, false, window_write(f->window, &f->named, c->r->operation->name, &call, err));
}

lun_array frames_view(const lun_array *line, const framing *f)
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
