/* Convolutions and correlations: what goes with what, and which way. */
#include "api/functions.h"
#include "op/fft/convolve.h"
#include "op/fft/fft_tuning.h"

enum { FULL, SAME, VALID };
static const char *const modes[] = {"full", "same", "valid", NULL};

typedef struct convolving {
    convolution c;
    lun_dtype dtype;
    int mode;
    bool direct;
} convolving;

/* ---- which axes go together ------------------------------------------------------------------------------------------------ */

static bool is_bare(const convolution *c, const lun_array *in, const lun_array *kernel)
{
    return kernel->ndim == c->count && kernel->ndim < in->ndim;
}

/* The arrays with as many axes as the result, those that are missing having one position. A b of fewer axes than the array has
 * may have those alone along which is convolved, in their order. */
static void lay_arrays(lun_array *a, lun_array *b, const convolution *c, const lun_array *in, const lun_array *kernel)
{
    const bool bare = is_bare(c, in, kernel);
    const lun_array *const from[] = {in, kernel};
    lun_array *const to[] = {a, b};
    for (int k = 0; k < 2; k++) {
        *to[k] = *from[k];
        to[k]->ndim = c->ndim;
        for (int i = 0; i < c->ndim; i++) {
            to[k]->shape[i] = 1;
            to[k]->stride[i] = 0;
        }
        for (int i = 0; i < from[k]->ndim; i++) {
            const int axis = k == 1 && bare ? c->axes[i] : c->ndim - from[k]->ndim + i;
            to[k]->shape[axis] = from[k]->shape[i];
            to[k]->stride[axis] = from[k]->stride[i];
        }
    }
}

static lun_status find_axes(convolution *c, const lun_request *r, const lun_array *in, const lun_array *kernel,
                            lun_error *err)
{
    const lun_value *axis = request_option(r, "axis");
    char texts[2][SHOWN];
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it cannot be convolved");
    c->count = 1;
    c->axes[0] = manner_axis(r->manner, in->ndim - 1, in->ndim);
    if (axis)
        TRY(value_axes(&c->count, c->axes, r, axis, in->ndim, in->shape, false, err));
    if (c->count == 0)
        FAIL(LUN_MISUSE, "no axis is named");
    if (kernel->ndim < c->count)
        FAIL(LUN_MISUSE, "b is %s; at least %d axes are needed, those of the convolution",
             array_shape_text(texts[1], SHOWN, kernel), c->count);
    c->ndim = kernel->ndim > in->ndim ? kernel->ndim : in->ndim;
    for (int i = 0; i < c->count; i++)
        c->axes[i] += c->ndim - in->ndim;
    return LUN_OK;
}

static lun_status find_batch(convolution *c, const lun_array *in, const lun_array *kernel, lun_error *err)
{
    lun_array a, b;
    int ndim;
    char texts[2][SHOWN];
    lay_arrays(&a, &b, c, in, kernel);
    for (int i = 0; i < c->count; i++)
        a.shape[c->axes[i]] = b.shape[c->axes[i]] = 1;
    if (!shape_broadcast(&ndim, c->shape, (const lun_array *const[]){&a, &b}, 2))
        FAIL(LUN_MISUSE, "the array is %s and b %s: their other axes do not broadcast",
             array_shape_text(texts[0], SHOWN, in), array_shape_text(texts[1], SHOWN, kernel));
    return LUN_OK;
}

/* ---- options ----------------------------------------------------------------------------------------------------------------- */

static lun_status read_steps(convolution *c, const lun_request *r, lun_error *err)
{
    const lun_value *stride = request_option(r, "stride");
    const size_t count = stride ? value_count(stride) : 0;
    if (count > 1 && count != (size_t)c->count)
        FAIL(LUN_MISUSE, "stride has %zu numbers, but the convolution is along %d ax%ss", count, c->count,
             c->count == 1 ? "i" : "e");
    for (int i = 0; i < c->count; i++) {
        c->step[i] = 1;
        if (stride)
            TRY(value_whole_from(&c->step[i], r, value_item(stride, count > 1 ? (size_t)i : 0), "stride", (size_t)i + 1,
                                 1, err));
    }
    return LUN_OK;
}

/* Where the result begins in the full one, and how long it is. */
static lun_status find_sizes(convolution *c, int mode, const lun_array *in, const lun_array *kernel, lun_error *err)
{
    lun_array a, b;
    char texts[2][SHOWN];
    int longer = 0, shorter = 0;
    lay_arrays(&a, &b, c, in, kernel);
    c->taps = 1;
    for (int i = 0; i < c->count; i++) {
        const int axis = c->axes[i];
        const size_t n = a.shape[axis], m = b.shape[axis], full = n + m - 1;
        if (n == 0 || m == 0)
            FAIL(LUN_MISUSE, "%s has no elements along axis %d; at least one is needed", n ? "b" : "the array",
                 array_axis_shown(in, axis - (c->ndim - in->ndim)));
        longer += m > n;
        shorter += m < n;
        c->first[i] = mode == FULL ? 0 : mode == SAME ? (m - 1) / 2 : smaller(n, m) - 1;
        c->size[i] = mode == FULL ? full : mode == SAME ? n : larger(n, m) - smaller(n, m) + 1;
        c->shape[axis] = ceil_div(c->size[i], c->step[i]);
        c->taps *= smaller(n, m);
    }
    if (mode == VALID && longer && shorter)
        FAIL(LUN_MISUSE, "the array is %s and b %s: neither fits within the other, as mode 'valid' requires",
             array_shape_text(texts[0], SHOWN, in), array_shape_text(texts[1], SHOWN, kernel));
    return LUN_OK;
}

/* Integers are summed exactly, and numbers of 16 bits in f32: directly, unless transforms are asked for. */
static lun_status choose(convolving *s, const lun_request *r, lun_error *err)
{
    enum { DIRECT, FFT, CHOSEN };
    static const char *const methods[] = {"direct", "fft", NULL};
    int method = CHOSEN;
    const fft_tuning *tuned = fft_tuned(r->device);
    double results = 1;
    for (int i = 0; i < s->c.ndim; i++)
        results *= (double)s->c.shape[i];
    TRY(request_named(&method, r, "method", "method", methods, err));
    if (method == FFT)
        s->dtype = dtype_floating(s->dtype, r->floats);
    const bool only = dtype_is_whole(s->dtype) || dtype_computed(s->dtype) != s->dtype;
    const bool few = s->c.taps <= tuned->direct_taps || results * (double)s->c.taps <= tuned->direct_products;
    s->direct = only || method == DIRECT || (method == CHOSEN && s->c.count <= CONVOLVE_AXES && few);
    if (s->direct && s->c.count > CONVOLVE_AXES)
        FAIL(LUN_MISUSE, "%s numbers are convolved directly along at most %d axes, not %d; %s",
             lun_dtype_name(s->dtype), CONVOLVE_AXES, s->c.count,
             only ? "cast(\"f32\") allows more, by transforms" : "the method \"fft\" allows more");
    return LUN_OK;
}

static lun_status read_convolving(convolving *s, const lun_request *r, const lun_array *in, const lun_array *kernel,
                                  lun_error *err)
{
    *s = (convolving){.dtype = dtype_arithmetic(lun_dtype_promoted(in->dtype, kernel->dtype))};
    TRY(array_check_same_device(kernel, in, "b", err));
    TRY(find_axes(&s->c, r, in, kernel, err));
    TRY(find_batch(&s->c, in, kernel, err));
    TRY(request_named(&s->mode, r, "mode", "mode", modes, err));
    TRY(read_steps(&s->c, r, err));
    TRY(find_sizes(&s->c, s->mode, in, kernel, err));
    TRY(choose(s, r, err));
    TRY(fft_read_accurate(&s->c.accurate, r, err));
    s->c.accurate = s->c.accurate && (s->dtype == LUN_f32 || s->dtype == LUN_c64);
    return LUN_OK;
}

/* ---- steps -------------------------------------------------------------------------------------------------------------------- */

/* Correlating is convolving with the conjugate in reverse. */
static lun_status reverse(lun_array *b, composing *c, const convolution *along, lun_error *err)
{
    const lun_array *conjugated;
    composed x = {0};
    for (int i = 0; i < along->count; i++) {
        const int axis = along->axes[i];
        b->offset += (int64_t)(b->shape[axis] - 1) * b->stride[axis];
        b->stride[axis] = -b->stride[axis];
    }
    if (!lun_dtype_has(b->dtype, LUN_PAIRS))
        return LUN_OK;
    x.results[0] = of_op1(&x, LUN_MAP_conj, of_array(&x, b));
    TRY(compose_map(&conjugated, c, &x, err));
    *b = *conjugated;
    return LUN_OK;
}

/* By sums; accurate ones are those of the numbers in f64, rounded once. */
static lun_status sum(composing *c, const lun_array *out, const lun_array *arrays, const convolution *along,
                      lun_error *err)
{
    const char *name = c->r->operation->name;
    lun_array *sums;
    if (!along->accurate)
        return CALLED(c, true, convolve_directly(out, &arrays[0], &arrays[1], along, name, &call, err));
    TRY(compose_array(&sums, c, arrays[0].dtype, along->ndim, along->shape, err));
    TRY(CALLED(c, false, convolve_directly(sums, &arrays[0], &arrays[1], along, name, &call, err)));
    return compose_copy(c, out, sums, true, err);
}

static lun_status convolve(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *kernel = c->r->arguments[1].array, *out, *brought;
    lun_array arrays[2];
    convolving s;
    TRY(read_convolving(&s, c->r, in, kernel, err));
    TRY(compose_result(&out, c, 0, s.dtype, s.c.ndim, s.c.shape, err));
    TRY(compose_check_out(c, out, in, err));
    TRY(compose_check_out(c, out, kernel, err));
    const lun_dtype summed = s.c.accurate ? fft_between(s.dtype, lun_dtype_has(s.dtype, LUN_PAIRS), true) : s.dtype;
    lay_arrays(&arrays[0], &arrays[1], &s.c, in, kernel);
    for (int i = 0; i < 2; i++) {
        const bool real = !lun_dtype_has(arrays[i].dtype, LUN_PAIRS);
        TRY(compose_cast(&brought, c, s.direct ? summed : real ? lun_dtype_part(s.dtype) : s.dtype, &arrays[i], err));
        arrays[i] = *brought;
    }
    if (request_is(c->r, ROW_TURNED))
        TRY(reverse(&arrays[1], c, &s.c, err));
    return s.direct ? sum(c, out, arrays, &s.c, err) : convolve_transformed(c, out, &arrays[0], &arrays[1], &s.c, err);
}

COMPOSED(convolve)
