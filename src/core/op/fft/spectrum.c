/* Spectral densities by Welch's method: means of the squared transforms of frames, and of the products of two signals'. */
#include "api/functions.h"
#include "api/reductions.h"
#include "op/fft/frames.h"

enum { DENSITY, SPECTRUM };
enum { CONSTANT, LINEAR, NONE };

typedef struct spectrum {
    framing f;
    bool real; /* signals, of which half of the frequencies are kept */
    int axis, scaling, trend;
    size_t bins;
    double rate;
    lun_dtype dtype; /* of transforms */
} spectrum;

static lun_status read_options(spectrum *s, const composing *c, const lun_array *in, lun_error *err)
{
    static const char *const scalings[] = {"density", "spectrum", NULL}, *const trends[] = {"constant", "linear",
                                                                                            "none", NULL};
    const lun_request *r = c->r;
    const bool whole = !lun_operation_option(r->operation, "hop"); /* one frame: the signal */
    TRY(compose_axis(&s->axis, c, in, -1, err));
    const size_t n = in->shape[s->axis];
    if (n == 0)
        FAIL(LUN_MISUSE, "axis %d has no elements; at least one is needed", array_axis_shown(in, s->axis));
    TRY(frames_read(&s->f, r, whole ? n : smaller(n, 256), err));
    if (whole && !request_option(r, "window")) {
        s->f.plain = true;
        TRY(window_find(&s->f.named, "boxcar", err));
    }
    if (s->f.n > n || (whole && s->f.n != n))
        FAIL(LUN_MISUSE, "the signal has %zu numbers, but a frame has %zu", n, s->f.n);
    if (!request_option(r, "hop"))
        s->f.hop = s->f.n - s->f.n / 2;
    s->f.count = (n - s->f.n) / s->f.hop + 1;
    s->bins = s->real ? s->f.n / 2 + 1 : s->f.n;
    s->rate = request_number(r, "rate", lun_real(1)).real;
    if (!(s->rate > 0))
        FAIL(LUN_MISUSE, "the rate is %.14g; a number above 0 is needed", s->rate);
    TRY(request_named(&s->scaling, r, "scaling", "scaling", scalings, err));
    return request_named(&s->trend, r, "detrend", "trend", trends, err);
}

/* A view whose axis is the last one. */
static lun_status turn(const lun_array **out, composing *c, const lun_array *in, int axis, lun_error *err)
{
    int axes[LUN_MAX_AXES];
    lun_array *view;
    const int last = in->ndim - 1;
    for (int i = 0; i <= last; i++)
        axes[i] = i == last ? axis : i + (i >= axis);
    COMPOSE_VIEW(view, c, lun_array_permute(view, in, axes, err));
    *out = view;
    return LUN_OK;
}

/* The transforms of a signal's frames, without their trend, times the window. */
static lun_status transform(const lun_array **out, composing *c, const spectrum *s, const lun_array *in, lun_error *err)
{
    static const lun_reduce_op mean = LUN_REDUCE_mean;
    const lun_array *line, *cut, *level;
    composed x = {0};
    TRY(turn(&line, c, in, s->axis, err));
    const lun_array frames = frames_view(line, &s->f);
    composed_axes over = {.keepdims = true};
    over.axis[frames.ndim - 1] = true;
    cut = &frames;
    if (s->trend == LINEAR)
        TRY(compose_call(&cut, c, "detrend", (const lun_array *const[]){cut}, 1, NULL, err));
    if (s->trend == CONSTANT) {
        x.results[0] = of_array(&x, &frames);
        TRY(compose_fold(&level, c, &x, &mean, &over, err));
        x = (composed){0};
    }
    if (s->trend == CONSTANT || !s->f.plain) {
        x.results[0] = of_array(&x, cut);
        if (s->trend == CONSTANT)
            x.results[0] = of_op(&x, LUN_MAP_sub, x.results[0], of_array(&x, level));
        if (!s->f.plain)
            x.results[0] = of_op(&x, LUN_MAP_mul, x.results[0], of_array(&x, s->f.window));
        TRY(compose_map(&cut, c, &x, err));
    }
    return compose_call(out, c, s->real ? "rfft" : "fft", (const lun_array *const[]){cut}, 1, NULL, err);
}

/* Sums over frames of both parts' squares, or the squares of numbers alone. */
static lun_status squares(const lun_array **out, composing *c, const lun_array *in, bool frames, lun_error *err)
{
    const lun_array parts = array_parts(in);
    composed_axes over = {.axis = {false}};
    over.axis[in->ndim] = true;
    over.axis[in->ndim - 2] = frames;
    return compose_reduce(out, c, &parts, LUN_REDUCE_sumsq, &over, err);
}

static lun_status products(const lun_array **out, composing *c, const lun_array *a, const lun_array *b, lun_error *err)
{
    static const lun_reduce_op sum = LUN_REDUCE_sum;
    composed x = {0};
    composed_axes over = {.axis = {false}};
    x.results[0] = of_op(&x, LUN_MAP_mul, of_op1(&x, LUN_MAP_conj, of_array(&x, a)), of_array(&x, b));
    over.axis[a->ndim - 2] = true;
    return compose_fold(out, c, &x, &sum, &over, err);
}

/* The sum of the window's squares, or the square of its sum. */
static unsigned power_of_window(composed *x, const spectrum *s, const lun_array *sum)
{
    if (!sum)
        return of_real(x, s->scaling == DENSITY ? (double)s->f.n : (double)s->f.n * (double)s->f.n);
    return s->scaling == DENSITY ? of_array(x, sum) : of_op1(x, LUN_MAP_square, of_array(x, sum));
}

/* Sums over frames as a density. Frequencies whose negative ones are left out count twice. */
static lun_status scale(composing *c, const lun_array *to, const spectrum *s, const lun_array *sums,
                        const lun_array *places, lun_error *err)
{
    static const lun_reduce_op total = LUN_REDUCE_sum;
    const composed_axes over = {.axis = {true}, .keepdims = true};
    const lun_array *window = NULL;
    composed x = {0};
    if (!s->f.plain) {
        const unsigned w = of_array(&x, s->f.window);
        x.results[0] = s->scaling == DENSITY ? of_op1(&x, LUN_MAP_square, w) : w;
        TRY(compose_fold(&window, c, &x, &total, &over, err));
        x = (composed){0};
    }
    const double factor = 1 / ((double)s->f.count * (s->scaling == DENSITY ? s->rate : 1));
    unsigned value = of_op(&x, LUN_MAP_div, of_array(&x, sums), power_of_window(&x, s, window));
    value = of_op(&x, LUN_MAP_mul, value, of_real(&x, factor));
    if (s->real) {
        const unsigned place = of_array(&x, places), none = of_number(&x, lun_integer(0)),
                       half = of_number(&x, lun_integer((int64_t)(s->f.n % 2 ? 0 : s->f.n / 2)));
        const unsigned once =
            of_op(&x, LUN_MAP_lor, of_op(&x, LUN_MAP_eq, place, none), of_op(&x, LUN_MAP_eq, place, half));
        value = of_op3(&x, LUN_MAP_where, once, value, of_op(&x, LUN_MAP_add, value, value));
    }
    x.results[0] = value;
    return compose_into(c, &to, &x, true, err);
}

static lun_status frequencies(composing *c, const lun_array *to, const spectrum *s, const lun_array *places,
                              lun_error *err)
{
    composed x = {0};
    unsigned k = of_array(&x, places);
    if (!s->real)
        k = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_ge, k, of_number(&x, lun_integer((int64_t)(s->f.n + 1) / 2))),
                   of_op(&x, LUN_MAP_sub, k, of_number(&x, lun_integer((int64_t)s->f.n))), k);
    x.results[0] = of_op(&x, LUN_MAP_mul, of_cast(&x, to->dtype, k), of_real(&x, s->rate / (double)s->f.n));
    return compose_into(c, &to, &x, false, err);
}

/* The result's sizes; those of other axes broadcast. */
static lun_status find_shape(size_t *shape, const spectrum *s, const lun_array *a, const lun_array *b, lun_error *err)
{
    char shapes[2][200];
    int ndim;
    if (!shape_broadcast(&ndim, shape, (const lun_array *const[]){a, b}, 2) || b->ndim != a->ndim ||
        b->shape[s->axis] != a->shape[s->axis])
        FAIL(LUN_MISUSE, "the array is %s and b %s: the numbers of axes and the lengths of the signals must be equal",
             array_shape_text(shapes[0], sizeof shapes[0], a), array_shape_text(shapes[1], sizeof shapes[1], b));
    shape[s->axis] = s->bins;
    return LUN_OK;
}

/* Of both signals' transforms what is given: sums over frames, or their quotient. */
static lun_status combine(const lun_array **out, composing *c, const lun_array *const *both, bool coherent,
                          lun_error *err)
{
    const lun_array *powers[3];
    composed x = {0};
    if (!both[1])
        return squares(out, c, both[0], true, err);
    TRY(products(out, c, both[0], both[1], err));
    if (!coherent)
        return LUN_OK;
    for (int i = 0; i < 2; i++)
        TRY(squares(&powers[i], c, both[i], true, err));
    TRY(squares(&powers[2], c, *out, false, err));
    x.results[0] = of_op(&x, LUN_MAP_div, of_op(&x, LUN_MAP_div, of_array(&x, powers[2]), of_array(&x, powers[0])),
                         of_array(&x, powers[1]));
    return compose_map(out, c, &x, err);
}

static lun_status welch(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *both[2] = {NULL}, *sums, *out, *at, *to;
    const bool cross = c->r->operation->arguments[0].name, coherent = request_is(c->r, ROW_SQUARED);
    const lun_array *const ins[] = {in, cross ? c->r->arguments[1].array : in};
    spectrum s = {.real = true};
    lun_array *places;
    const lun_dtype dtype = lun_dtype_promoted(in->dtype, ins[1]->dtype);
    size_t shape[LUN_MAX_AXES];
    TRY(array_check_same_device(in, ins[1], "b", err));
    if (in->ndim == 0 || in->ndim > LUN_MAX_AXES - 2)
        FAIL(LUN_MISUSE, "the array has %d axes; 1 to %d are needed", in->ndim, LUN_MAX_AXES - 2);
    s.real = !lun_dtype_has(dtype, LUN_PAIRS);
    s.dtype = fft_between(dtype, true, false);
    TRY(read_options(&s, c, in, err));
    TRY(find_shape(shape, &s, in, ins[1], err));
    c->results = 2;
    TRY(compose_result(&out, c, 0, cross && !coherent ? s.dtype : lun_dtype_part(s.dtype), in->ndim, shape, err));
    TRY(compose_result(&at, c, 1, lun_dtype_part(s.dtype), 1, &s.bins, err));
    for (int i = 0; i < 2; i++)
        TRY(compose_check_out(c, out, ins[i], err));
    if (compose_waits(c))
        return LUN_OK;
    TRY(frames_window(&s.f, c, lun_dtype_part(s.dtype), err));
    for (int i = 0; i < 1 + cross; i++)
        TRY(transform(&both[i], c, &s, ins[i], err));
    TRY(combine(&sums, c, both, coherent, err));
    TRY(compose_sequence(&places, c, s.bins, 0, 1, err));
    TRY(frequencies(c, at, &s, places, err));
    TRY(turn(&to, c, out, s.axis, err));
    return coherent ? compose_copy(c, to, sums, true, err) : scale(c, to, &s, sums, places, err);
}

COMPOSED(welch)
