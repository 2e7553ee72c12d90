/* Cosine and sine transforms of types 1 to 4: each by a Fourier transform, in front of which numbers are put in another order, and behind which some are turned. Types 2 and 3: J. Makhoul, "A fast cosine transform in one and
 * two dimensions" (1980); type 4 of odd lengths: S. C. Chan and K. L. Ho, "Direct methods for computing discrete sinusoidal
 * transforms" (1990). Types 1 are those of the line and its mirror image, which loses no accuracy. */
#include "abi/dct.h"
#include "op/fft/signal.h"

#include <stdio.h>
#include <string.h>

typedef struct kind {
    bool sine;
    int64_t type;
    int form, odd_form; /* that of odd lengths */
    int flags, ends;    /* and those of orthogonal transforms */
} kind;

static const kind kinds[] = {
    {false, 1, DCT_EVEN, DCT_EVEN, 0, DCT_ENDS_IN | DCT_ENDS_OUT},
    {false, 2, DCT_ORDERED, DCT_ORDERED, 0, DCT_ENDS_OUT},
    {false, 3, DCT_SPECTRUM, DCT_SPECTRUM, 0, DCT_ENDS_IN},
    {false, 4, DCT_PAIRS, DCT_FOLDED, 0, 0},
    {true, 1, DCT_ODD, DCT_ODD, 0, 0},
    {true, 2, DCT_ORDERED, DCT_ORDERED, DCT_ALTERNATE_IN | DCT_REVERSE_OUT, DCT_ENDS_OUT},
    {true, 3, DCT_SPECTRUM, DCT_SPECTRUM, DCT_REVERSE_IN | DCT_ALTERNATE_OUT, DCT_ENDS_IN},
    {true, 4, DCT_PAIRS, DCT_FOLDED, DCT_REVERSE_IN | DCT_ALTERNATE_OUT, 0},
};

typedef struct turned {
    int axis, form, flags;
    size_t n, core, shape[LUN_MAX_AXES];
    double scale;
    bool accurate;
} turned;

/* ---- arguments ------------------------------------------------------------------------------------------------------------ */

/* Types 2 and 3 are one another's inverse; 1 and 4 their own. */
static lun_status find_kind(const kind **out, const lun_request *r, bool sine, bool inverse, lun_error *err)
{
    const int64_t named = request_whole(r, "type", 2);
    const int64_t type = inverse && (named == 2 || named == 3) ? 5 - named : named;
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (kinds[i].sine == sine && kinds[i].type == type) {
            *out = &kinds[i];
            return LUN_OK;
        }
    return fail(err, LUN_MISUSE, "unknown type %lld; known are 1, 2, 3, 4", (long long)named);
}

static lun_status read_turned(turned *s, const lun_request *r, lun_error *err)
{
    const lun_array *in = r->arguments[0].array;
    const char *norm = request_text(r, "norm");
    const bool inverse = request_is(r, ROW_INVERSE);
    const kind *k = NULL;
    TRY(find_kind(&k, r, request_is(r, ROW_SINE), inverse, err));
    TRY(fft_read_line(&s->axis, &s->n, r, err));
    TRY(fft_read_accurate(&s->accurate, r, err));
    s->form = s->n % 2 ? k->odd_form : k->form;
    if (s->form == DCT_EVEN && s->n < 2)
        FAIL(LUN_MISUSE, "cosine transforms of type 1 need at least 2 numbers, and n is 1");
    s->core = s->form == DCT_EVEN ? 2 * (s->n - 1) : s->form == DCT_ODD ? 2 * (s->n + 1) : s->n;
    TRY(fft_read_norm(&s->scale, r, (double)s->core * (k->type == 1 ? 1 : 2), inverse, err));
    s->flags = k->flags | (norm && strcmp(norm, "ortho") == 0 ? k->ends : 0);
    memcpy(s->shape, in->shape, sizeof s->shape);
    s->shape[s->axis] = s->n;
    return LUN_OK;
}

/* ---- running -------------------------------------------------------------------------------------------------------------- */

/* Lines of `array`, and of `own` memory. */
static lun_status find_shape(dct_shape *out, cl_mem *roots, const turned *s, const lun_array *array,
                             const lun_array *own, lun_error *err)
{
    lun_array around = *array;
    const size_t has = array->shape[s->axis];
    const lun_dtype pairs = fft_between(own->dtype, true, false);
    around.shape[s->axis] = 1;
    *out = (dct_shape){.n = (abi_long)s->n,
                       .core = (abi_long)own->shape[s->axis],
                       .outer = 1,
                       .inner = 1,
                       .has = (abi_long)smaller(has, s->n),
                       .strip = device_group(array->device) == 1 ? 64 : 1,
                       .at = array->offset,
                       .step = array->stride[s->axis],
                       .form = s->form,
                       .flags = s->flags,
                       .around = array_layout(&around)};
    for (int i = 0; i < array->ndim; i++)
        if (i != s->axis)
            *(i < s->axis ? &out->outer : &out->inner) *= (abi_long)array->shape[i];
    *roots = NULL;
    if (s->form == DCT_ORDERED || s->form == DCT_SPECTRUM || s->form == DCT_PAIRS)
        TRY(fft_roots(roots, &out->shift, array->device, pairs, (s->form == DCT_PAIRS ? 8 : 4) * s->n, err));
    return LUN_OK;
}

/* Enqueues dct_before, or dct_after. */
static lun_status turn(const lun_array *to, const lun_array *from, const turned *s, bool before, const char *name,
                       const lun_call *call, lun_error *err)
{
    cl_kernel kernel;
    cl_mem roots;
    dct_shape shape;
    lun_device *device = to->device;
    const lun_array *array = before ? from : to, *own = before ? to : from;
    const lun_dtype pairs = fft_between(own->dtype, true, false);
    char defines[96];
    tables_settle(device);
    PLANNED(op, p, device, name, call);
    TRY(operation_touches(&op, ARRAYS(from), ARRAYS(to), err));
    TRY(find_shape(&shape, &roots, s, array, own, err));
    snprintf(defines, sizeof defines, "%s%s", own->size < (size_t)1 << 31 ? "#define DCT_INDEX uint\n" : "",
             lun_dtype_part(own->dtype) == array->dtype ? ""
             : before                                   ? "#define SRC_PART float\n#define DST_PART double\n"
                                                        : "#define SRC_PART double\n#define DST_PART float\n");
    TRY(program_kernel(&kernel, device, &(program_key){.file = "dct_plain", .dtype = pairs, .defines = defines},
                       before ? "dct_before" : "dct_after", err));
    const launch groups = launch_spread(device, kernel, ceil_div(to->size, (size_t)shape.strip),
                                        larger(1, spread_tuned(device)->indexed / (size_t)shape.strip));
    if (before)
        TRY(plan_launch(&p, &groups,
                        ARGS(ARG_BLOCK(to->block), ARG_BLOCK(from->block), ARG_VALUE(&shape), ARG_MEM(roots)), err));
    else
        TRY(plan_launch(&p, &groups,
                        ARGS(ARG_BLOCK(to->block), ARG_BLOCK(from->block), ARG_VALUE(&shape), fft_part(pairs, s->scale),
                             ARG_MEM(roots)),
                        err));
    return operation_run(&op, &p, err);
}

/* What the Fourier transform reads and writes; that of PAIRS writes what it reads. */
static lun_status make_memory(lun_array **before, lun_array **after, composing *c, const turned *s, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    const lun_dtype real = fft_between(in->dtype, false, s->accurate),
                    pairs = fft_between(in->dtype, true, s->accurate);
    const bool spectrum = s->form == DCT_SPECTRUM;
    const size_t half = s->core / 2 + 1;
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, s->shape, sizeof shape);
    if (s->form == DCT_PAIRS) {
        shape[s->axis] = s->n / 2;
        TRY(compose_array(before, c, pairs, in->ndim, shape, err));
        *after = *before;
        return LUN_OK;
    }
    shape[s->axis] = spectrum ? half : s->core;
    TRY(compose_array(before, c, spectrum ? pairs : real, in->ndim, shape, err));
    shape[s->axis] = spectrum ? s->core : half;
    return compose_array(after, c, spectrum ? real : pairs, in->ndim, shape, err);
}

/* An array as it is, or one of the parts of complex numbers. */
static lun_array part_of(const lun_array *array, int which)
{
    lun_array view = *array;
    if (!lun_dtype_has(array->dtype, LUN_PAIRS))
        return view;
    view.dtype = lun_dtype_part(array->dtype);
    view.offset = 2 * array->offset + which;
    for (int i = 0; i < view.ndim; i++)
        view.stride[i] *= 2;
    return view;
}

/* The steps of one part. */
static lun_status give_part(composing *c, const lun_array *to, const lun_array *from, lun_array *before,
                            lun_array *after, const turned *s, bool last, lun_error *err)
{
    const char *name = c->r->operation->name;
    const fft_axes along = {.count = 1,
                            .axes = {s->axis},
                            .n = {s->form == DCT_PAIRS ? s->n / 2 : s->core},
                            .inverse = s->form == DCT_SPECTRUM,
                            .scale = 1};
    TRY(CALLED(c, false, turn(before, from, s, true, name, &call, err)));
    TRY(CALLED(c, false, fft_along(after, before, &along, name, &call, err)));
    return CALLED(c, last, turn(to, after, s, false, name, &call, err));
}

static lun_status dct(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    const int parts = lun_dtype_has(in->dtype, LUN_PAIRS) ? 2 : 1;
    lun_array *before, *after;
    turned s;
    TRY(read_turned(&s, c->r, err));
    TRY(compose_result(&out, c, 0, in->dtype, in->ndim, s.shape, err));
    TRY(compose_check_out(c, out, in, err));
    if (out->size == 0)
        return CALLED(c, true, lun_array_fill(out, lun_real(0), &call, err));
    TRY(make_memory(&before, &after, c, &s, err));
    for (int part = 0; part < parts; part++) {
        const lun_array from = part_of(in, part), to = part_of(out, part);
        TRY(give_part(c, &to, &from, before, after, &s, part + 1 == parts, err));
    }
    return LUN_OK;
}

COMPOSED(dct)
