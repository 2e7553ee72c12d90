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

static lun_status transform(lun_array **out, composing *c, const lun_array *in, const fft_axes *along, lun_dtype dtype,
                            bool real, lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, in->shape, sizeof shape);
    for (int i = 0; i < along->count; i++)
        shape[along->axes[i]] = real && i + 1 == along->count ? along->n[i] / 2 + 1 : along->n[i];
    TRY(compose_array(out, c, dtype, in->ndim, shape, err));
    return CALLED(c, false, fft_along(*out, in, along, c->r->operation->name, &call, err));
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
static lun_status pick(composing *c, const lun_array *out, const lun_array *all, const convolution *along,
                       lun_error *err)
{
    lun_array view = *all;
    for (int i = 0; i < along->count; i++)
        view.stride[along->axes[i]] *= (int64_t)along->step[i];
    memcpy(view.shape, out->shape, sizeof view.shape);
    view.size = out->size;
    return compose_copy(c, out, &view, true, err);
}

lun_status convolve_transformed(composing *c, const lun_array *out, const lun_array *a, const lun_array *b,
                                const convolution *along, lun_error *err)
{
    const bool real = !lun_dtype_has(out->dtype, LUN_PAIRS);
    lun_array factors[2], *spectra[2], *whole = NULL;
    const lun_dtype dtype = fft_between(out->dtype, true, along->accurate);
    fft_axes axes;
    size_t shape[LUN_MAX_AXES];
    bool all = true;
    find_lengths(&axes, a, b, along, real);
    TRY(transform(&spectra[0], c, a, &axes, dtype, real, err));
    TRY(transform(&spectra[1], c, b, &axes, dtype, real, err));
    lay_factors(factors, spectra);
    axes.inverse = true;
    axes.factor = &factors[1];
    memcpy(axes.first, along->first, sizeof axes.first);
    memcpy(shape, along->shape, sizeof shape);
    for (int i = 0; i < along->count; i++) {
        axes.scale /= (double)axes.n[i];
        shape[along->axes[i]] = along->size[i];
        all = all && along->step[i] == 1;
    }
    if (!all)
        TRY(compose_array(&whole, c, out->dtype, along->ndim, shape, err));
    TRY(CALLED(c, all, fft_along(all ? out : whole, &factors[0], &axes, c->r->operation->name, &call, err)));
    return all ? LUN_OK : pick(c, out, whole, along, err);
}
