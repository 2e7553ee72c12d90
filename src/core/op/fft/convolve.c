/* Convolutions by transforms, whose product is the transform of the convolution. */
#include "op/fft/convolve.h"

#include <string.h>

/* The result begins where it does once b's first `first` numbers go around the end; what goes around the end of the sums must
 * not meet it. Real lines of an even length are transformed as half as many pairs. */
static void find_lengths(fft_axes *along, const lun_array *a, const lun_array *b, const convolution *c, bool real)
{
    *along = (fft_axes){.count = c->count, .scale = 1};
    memcpy(along->axes, c->axes, sizeof along->axes);
    for (int i = 0; i < c->count; i++) {
        const size_t n = a->shape[c->axes[i]], m = b->shape[c->axes[i]], first = c->first[i];
        const size_t least = larger(larger(n, m), larger(n + m - 1 - first, c->size[i] + first));
        const bool halved = real && i + 1 == c->count;
        along->n[i] = halved ? 2 * lun_fft_length(ceil_div(least, 2)) : lun_fft_length(least);
    }
}

/* b as long as the transforms are, and as many of its first numbers at the end. */
static lun_status turn(lun_array *b, const convolution *c, const fft_axes *along, convolve_memory *m, lun_request *r,
                       lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_call quiet = request_quiet(r);
    lun_padding padding = {.mode = LUN_PAD_CONSTANT};
    int64_t shift[LUN_MAX_AXES] = {0};
    size_t shape[LUN_MAX_AXES], first = 0;
    memcpy(shape, b->shape, sizeof shape);
    for (int i = 0; i < c->count; i++) {
        const int axis = c->axes[i];
        first += c->first[i];
        shift[axis] = -(int64_t)c->first[i];
        padding.after[axis] = along->n[i] - shape[axis];
        shape[axis] = along->n[i];
    }
    if (!first)
        goto done;
    TRY(request_array(&m->padded, r, b->dtype, b->ndim, shape, err));
    TRY(request_array(&m->turned, r, b->dtype, b->ndim, shape, err));
    TRY(lun_pad(m->padded, b, &padding, &quiet, err));
    TRY(lun_roll(m->turned, m->padded, shift, &quiet, err));
    *b = *m->turned;
done:
    return status;
}

static lun_status transform(lun_array **out, const lun_array *in, const fft_axes *along, lun_dtype dtype, bool real,
                            lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_call quiet = request_quiet(r);
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, in->shape, sizeof shape);
    for (int i = 0; i < along->count; i++)
        shape[along->axes[i]] = real && i + 1 == along->count ? along->n[i] / 2 + 1 : along->n[i];
    TRY(request_array(out, r, dtype, in->ndim, shape, err));
    TRY(fft_along(*out, in, along, r->operation->name, &quiet, err));
done:
    return status;
}

/* Into the first factor where the other one broadcasts to it. */
static lun_status multiply(const lun_array **out, convolve_memory *m, lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_call quiet = request_quiet(r);
    const lun_array *const factors[] = {m->spectra[0], m->spectra[1]};
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_elementwise e;
    shape_broadcast(&ndim, shape, factors, 2);
    *out = factors[0];
    if (memcmp(shape, factors[0]->shape, (size_t)ndim * sizeof *shape) != 0) {
        TRY(request_array(&m->product, r, factors[0]->dtype, ndim, shape, err));
        *out = m->product;
    }
    lun_elementwise_begin(&e, LUN_MAP_mul);
    lun_elementwise_array(&e, 0, factors[0]);
    lun_elementwise_array(&e, 1, factors[1]);
    TRY(lun_map((const lun_array *const[]){*out}, &e.expression, &quiet, err));
done:
    return status;
}

/* Every step-th result. */
static lun_status pick(const lun_array *out, const lun_array *all, const convolution *c, lun_request *r, lun_error *err)
{
    lun_array view = *all;
    for (int i = 0; i < c->count; i++)
        view.stride[c->axes[i]] *= (int64_t)c->step[i];
    memcpy(view.shape, out->shape, sizeof view.shape);
    view.size = out->size;
    return lun_array_copy(out, &view, &r->call, err);
}

lun_status convolve_transformed(const lun_array *out, lun_array *a, lun_array *b, const convolution *c,
                                convolve_memory *m, lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const bool real = !lun_dtype_has(out->dtype, LUN_PAIRS);
    const lun_call quiet = request_quiet(r);
    const lun_array *product;
    const lun_dtype dtype = lun_dtype_part(out->dtype) == LUN_f64 ? LUN_c128 : LUN_c64;
    fft_axes along;
    size_t shape[LUN_MAX_AXES];
    bool all = true;
    find_lengths(&along, a, b, c, real);
    TRY(turn(b, c, &along, m, r, err));
    TRY(transform(&m->spectra[0], a, &along, dtype, real, r, err));
    TRY(transform(&m->spectra[1], b, &along, dtype, real, r, err));
    TRY(multiply(&product, m, r, err));
    along.inverse = true;
    memcpy(shape, c->shape, sizeof shape);
    for (int i = 0; i < c->count; i++) {
        along.scale /= (double)along.n[i];
        shape[c->axes[i]] = c->size[i];
        all = all && c->step[i] == 1;
    }
    if (!all)
        TRY(request_array(&m->all, r, out->dtype, c->ndim, shape, err));
    TRY(fft_along(all ? out : m->all, product, &along, r->operation->name, all ? &r->call : &quiet, err));
    if (!all)
        TRY(pick(out, m->all, c, r, err));
done:
    return status;
}
