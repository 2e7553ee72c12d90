/* Convolutions by transforms, whose product is the transform of the convolution. */
#include "op/fft/convolve.h"

#include <string.h>

/* What goes around the end of the sums must not meet the result. Real lines of an even length are transformed as half as many pairs. */
static void find_lengths(fft_axes *along, const lun_array *a, const lun_array *b, const convolution *c, bool real)
{
    *along = (fft_axes){.count = c->count, .scale = 1, .accurate = c->accurate};
    memcpy(along->axes, c->axes, sizeof along->axes);
    for (int i = 0; i < c->count; i++) {
        const size_t n = a->shape[c->axes[i]], m = b->shape[c->axes[i]], first = c->first[i];
        const size_t least = larger(larger(n, m), larger(n + m - 1 - first, c->size[i] + first));
        const bool halved = real && i + 1 == c->count;
        along->n[i] = halved ? 2 * lun_fft_length(ceil_div(least, 2)) : lun_fft_length(least);
    }
}

static lun_status transform(lun_array **out, const lun_array *in, const fft_axes *along, lun_dtype dtype, bool real,
                            lun_request *r, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, in->shape, sizeof shape);
    for (int i = 0; i < along->count; i++)
        shape[along->axes[i]] = real && i + 1 == along->count ? along->n[i] / 2 + 1 : along->n[i];
    TRY(request_array(out, r, dtype, in->ndim, shape, err));
    return fft_along(*out, in, along, r->operation->name, &quiet, err);
}

/* Both spectra with their product's shape, the one with more numbers first. */
static void lay_factors(lun_array *factors, lun_array *const *spectra)
{
    const int most = spectra[1]->size > spectra[0]->size;
    const lun_array *const both[] = {spectra[most], spectra[!most]};
    for (int i = 0; i < 2; i++) {
        lun_array *f = &factors[i];
        *f = *both[i];
        shape_broadcast(&f->ndim, f->shape, both, 2);
        f->size = 1;
        for (int j = 0; j < f->ndim; j++) {
            f->size *= f->shape[j];
            if (both[i]->shape[j] != f->shape[j])
                f->stride[j] = 0;
        }
    }
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

lun_status convolve_transformed(const lun_array *out, const lun_array *a, const lun_array *b, const convolution *c,
                                convolve_memory *m, lun_request *r, lun_error *err)
{
    const bool real = !lun_dtype_has(out->dtype, LUN_PAIRS);
    const lun_call quiet = request_quiet(r);
    lun_array factors[2];
    const lun_dtype dtype = fft_between(out->dtype, true, c->accurate);
    fft_axes along;
    size_t shape[LUN_MAX_AXES];
    bool all = true;
    find_lengths(&along, a, b, c, real);
    TRY(transform(&m->spectra[0], a, &along, dtype, real, r, err));
    TRY(transform(&m->spectra[1], b, &along, dtype, real, r, err));
    lay_factors(factors, m->spectra);
    along.inverse = true;
    along.factor = &factors[1];
    memcpy(along.first, c->first, sizeof along.first);
    memcpy(shape, c->shape, sizeof shape);
    for (int i = 0; i < c->count; i++) {
        along.scale /= (double)along.n[i];
        shape[c->axes[i]] = c->size[i];
        all = all && c->step[i] == 1;
    }
    if (!all)
        TRY(request_array(&m->all, r, out->dtype, c->ndim, shape, err));
    TRY(fft_along(all ? out : m->all, &factors[0], &along, r->operation->name, all ? &r->call : &quiet, err));
    if (!all)
        TRY(pick(out, m->all, c, r, err));
    return LUN_OK;
}
