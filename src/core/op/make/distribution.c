/* Distributions: checking parameters, and the arguments of kernels. */
#include "op/make/random_room.h"
#include "op/planning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- parameters -------------------------------------------------------------------------------------------------- */

static const struct {
    draw_numbers numbers;
    draw_parameter parameters[LUN_DRAW_PARAMETERS];
} distributions[] = {
#define OPTIONAL(name, may, missing, means)                                                                            \
    {                                                                                                                  \
        name, may, false, missing                                                                                      \
    }
#define REQUIRED(name, may, means)                                                                                     \
    {                                                                                                                  \
        name, may, true, 0                                                                                             \
    }
#define DISTRIBUTION(name, numbers, says, example, ...) [LUN_DRAW_##name] = {numbers, {__VA_ARGS__}},
#define DERIVED DISTRIBUTION
#include "op/make/distribution.def"
#undef DISTRIBUTION
    [LUN_DRAW_multinomial] = {COUNTS, {REQUIRED("n", TRIALS, ), REQUIRED("p", SHARE, )}},
};

const draw_parameter *draw_parameters(lun_distribution distribution) { return distributions[distribution].parameters; }

bool draw_is_whole(lun_distribution distribution)
{
    return distributions[distribution].numbers == INTEGERS || distributions[distribution].numbers == COUNTS;
}

lun_dtype draw_wide(const lun_device *device) { return device->info.fp64 ? LUN_f64 : LUN_f32; }

/* ---- checks that several share ----------------------------------------------------------------------------------- */

#define SHOWN 32

/* The number as the caller gave it. */
static const char *show(char text[SHOWN], lun_number x)
{
    if (x.is_integer)
        snprintf(text, SHOWN, "%lld", (long long)x.integer);
    else
        lun_number_text(text, SHOWN, 17, x.real);
    return text;
}

static bool is_less(lun_number x, lun_number y)
{
    return x.is_integer && y.is_integer ? x.integer < y.integer : x.real < y.real;
}

lun_status draw_check_dtype(const lun_array *to, lun_distribution distribution, lun_error *err)
{
    const bool floats = !dtype_is_whole(to->dtype);
    if (floats != draw_is_whole(distribution))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "the numbers are %s, but %s is a dtype of %s", floats ? "integers" : "floats",
                lun_dtype_name(to->dtype), floats ? "floats" : "integers");
}

static lun_status check_finite(lun_number a, lun_number b, lun_error *err)
{
    if (isfinite(a.real) && isfinite(b.real))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "finite numbers are needed, got %g and %g", lun_number_shown(a.real),
                lun_number_shown(b.real));
}

/* ---- floats ------------------------------------------------------------------------------------------------------ */

static lun_status draw_uniform(draw_plan *made, const lun_array *to, lun_number from, lun_number end, lun_error *err)
{
    char a[SHOWN], b[SHOWN];
    TRY(check_finite(from, end, err));
    if (!is_less(from, end))
        FAIL(LUN_MISUSE, "low (%s) must be less than high (%s)", show(a, from), show(b, end));
    const lun_dtype computed = dtype_computed(to->dtype);
    const double low = dtype_nearest(to->dtype, from.real), high = dtype_nearest(to->dtype, end.real);
    if (!isfinite(low) || !isfinite(high) || !isfinite(dtype_nearest(computed, high - low)))
        FAIL(LUN_MISUSE, "the range from low to high is too wide for %s", lun_dtype_name(to->dtype));
    if (!(low < high))
        FAIL(LUN_MISUSE, "low (%s) and high (%s) are the same number in %s", show(a, from), show(b, end),
             lun_dtype_name(to->dtype));
    made->args[0] = launch_real(to->dtype, low);
    made->args[1] = launch_real(to->dtype, high - low);
    made->args[2] = launch_real(to->dtype, dtype_below(to->dtype, high));
    made->arg_count = 3;
    return LUN_OK;
}

static lun_status draw_normal(draw_plan *made, const lun_array *to, lun_number mean, lun_number deviation,
                              lun_error *err)
{
    TRY(check_finite(mean, deviation, err));
    if (deviation.real < 0)
        FAIL(LUN_MISUSE, "std is %.17g; it cannot be negative", deviation.real);
    made->args[0] = launch_real(to->dtype, mean.real);
    made->args[1] = launch_real(to->dtype, deviation.real);
    made->arg_count = 2;
    return LUN_OK;
}

static lun_status draw_exponential(draw_plan *made, const lun_array *to, lun_number scale, lun_number none,
                                   lun_error *err)
{
    (void)none;
    if (!isfinite(scale.real) || scale.real < 0)
        FAIL(LUN_MISUSE, "scale is %.17g; a finite number from 0 is needed", lun_number_shown(scale.real));
    made->args[0] = launch_real(to->dtype, scale.real);
    made->arg_count = 1;
    return LUN_OK;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

static lun_status draw_integers(draw_plan *made, const lun_array *to, lun_number low, lun_number high, lun_error *err)
{
    uint64_t ignored;
    if (!low.is_integer || !high.is_integer)
        FAIL(LUN_MISUSE, "low and high must be integers, got %.17g",
             lun_number_shown(low.is_integer ? high.real : low.real));
    TRY(lun_number_store(&ignored, to->dtype, low, err));
    TRY(lun_number_store(&ignored, to->dtype, high, err));
    const bool wide = to->dtype == LUN_u64;
    if (wide && low.integer < 0 && high.integer >= 0)
        FAIL(LUN_MISUSE, "%lld is out of range for u64 (0 to %llu)", (long long)low.integer,
             (unsigned long long)UINT64_MAX);
    if (wide ? (uint64_t)low.integer > (uint64_t)high.integer : low.integer > high.integer)
        FAIL(LUN_MISUSE, "low (%lld) must not be greater than high (%lld)", (long long)low.integer,
             (long long)high.integer);
    const uint64_t range = (uint64_t)high.integer - (uint64_t)low.integer + 1;
    made->args[0] = (launch_arg)ARG_LONG(low.integer);
    made->args[1] = (launch_arg)ARG_LONG(range);
    made->args[2] = (launch_arg)ARG_LONG(range ? (0 - range) % range : 0);
    made->arg_count = 3;
    return LUN_OK;
}

/* ---- counts: computed in f64 where the device has it -------------------------------------------------------------- */

/* The largest count that the dtype can hold and the device can compute. */
static double most_of(const lun_array *to)
{
    const int digits = (int)dtype_digits(to->dtype), exact = (int)dtype_digits(draw_wide(to->device));
    return ldexp(1, digits < exact ? digits : exact) - 1;
}

/* So far above the mean that less than one count in 10^80 is larger. */
static double nearly_most(double mean) { return mean + 20 * sqrt(mean) + 40; }

/* The largest whole mean for which that is at most `most`, a number from 40. */
static double largest_mean(double most)
{
    double mean = floor(pow(sqrt(most + 60) - 10, 2)) + 4; /* too large, whatever the rounding */
    while (nearly_most(mean) > most)
        mean--;
    return mean;
}

static lun_status draw_poisson(draw_plan *made, const lun_array *to, lun_number lambda, lun_number none, lun_error *err)
{
    char text[SHOWN];
    (void)none;
    if (!isfinite(lambda.real) || lambda.real < 0)
        FAIL(LUN_MISUSE, "lambda is %s; a finite number from 0 is needed", show(text, lambda));
    if (nearly_most(lambda.real) > most_of(to))
        FAIL(LUN_MISUSE,
             "lambda is %s; for %s it must be at most %.0f, because counts up to %.0f fit and can be far "
             "above it",
             show(text, lambda), lun_dtype_name(to->dtype), largest_mean(most_of(to)), most_of(to));
    made->args[0] = launch_real(draw_wide(to->device), lambda.real);
    made->args[1] = launch_real(draw_wide(to->device), most_of(to));
    made->arg_count = 2;
    return LUN_OK;
}

static lun_status draw_binomial(draw_plan *made, const lun_array *to, lun_number n, lun_number p, lun_error *err)
{
    char text[SHOWN];
    if (!(n.real >= 0) || floor(n.real) != n.real || !isfinite(n.real))
        FAIL(LUN_MISUSE, "n is %s; a whole number from 0 is needed", show(text, n));
    if (n.real > most_of(to))
        FAIL(LUN_MISUSE, "n is %s; counts of %s are at most %.0f", show(text, n), lun_dtype_name(to->dtype),
             most_of(to));
    if (!(p.real >= 0 && p.real <= 1))
        FAIL(LUN_MISUSE, "p is %s; a number from 0 to 1 is needed", show(text, p));
    const bool flip = p.real > 0.5;
    made->args[0] = launch_real(draw_wide(to->device), n.real);
    made->args[1] = launch_real(draw_wide(to->device), flip ? 1 - p.real : p.real);
    made->args[2] = (launch_arg)ARG_LONG(flip);
    made->arg_count = 3;
    return LUN_OK;
}

static lun_status draw_multinomial(draw_plan *made, const lun_array *to, lun_number none, lun_number neither,
                                   lun_error *err)
{
    (void)none, (void)neither;
    if (to->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axis of outcomes");
    made->args[0] = (launch_arg)ARG_LONG(to->shape[to->ndim - 1]);
    made->arg_count = 1;
    return LUN_OK;
}

/* ---- parameters of each element ---------------------------------------------------------------------------------- */

double draw_most(lun_distribution distribution, int i, const lun_array *to)
{
    if (distribution == LUN_DRAW_poisson)
        return most_of(to) < 40 ? 0 : largest_mean(most_of(to));
    if ((distribution == LUN_DRAW_binomial || distribution == LUN_DRAW_multinomial) && i == 0)
        return most_of(to);
    if (distribution == LUN_DRAW_uniform)
        return dtype_below(to->dtype, INFINITY);
    return INFINITY;
}

static lun_status take_arrays(draw_plan *made, const lun_array *to, const lun_draw *draw, lun_error *err)
{
    const lun_dtype dtype = draw->distribution == LUN_DRAW_integers ? LUN_i64 : draw_wide(to->device);
    memcpy(made->arrays, draw->arrays, sizeof made->arrays);
    for (size_t i = 0; i < made->array_count; i++) {
        TRY(array_check_live(made->arrays[i], "an array of parameters", err));
        TRY(array_check_same_device(made->arrays[i], to, "an array of parameters", err));
        if (made->arrays[i]->dtype != dtype || made->arrays[i]->offset)
            FAIL(LUN_MISUSE, "an array of parameters must be a new one of %s", lun_dtype_name(dtype));
    }
    return LUN_OK;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *kernel, *each; /* of numbers, and of arrays */
    lun_status (*prepare)(draw_plan *made, const lun_array *to, lun_number a, lun_number b, lun_error *err);
    size_t arrays; /* that it takes instead */
} rows[] = {
    [LUN_DRAW_uniform] = {"random_uniform", NULL, draw_uniform, 0},
    [LUN_DRAW_normal] = {"random_normal", NULL, draw_normal, 0},
    [LUN_DRAW_exponential] = {"random_exponential", NULL, draw_exponential, 0},
    [LUN_DRAW_integers] = {"random_integers", "random_integers_each", draw_integers, 2},
    [LUN_DRAW_poisson] = {"random_poisson", "random_poisson", draw_poisson, 1},
    [LUN_DRAW_binomial] = {"random_binomial", "random_binomial", draw_binomial, 2},
    [LUN_DRAW_gamma] = {NULL, "random_gamma", NULL, 1},
    [LUN_DRAW_beta] = {NULL, "random_beta", NULL, 2},
    [LUN_DRAW_multinomial] = {NULL, "random_multinomial", draw_multinomial, 3},
};

lun_status draw_prepare(draw_plan *out, const lun_array *to, const lun_draw *draw, lun_error *err)
{
    const lun_distribution which = draw->distribution;
    const bool each = draw->arrays[0] != NULL;
    if (which >= LUN_DISTRIBUTIONS || (each ? !rows[which].each : !rows[which].kernel))
        FAIL(LUN_MISUSE, "the distribution is not drawn by %s", each ? "arrays" : "numbers");
    *out = (draw_plan){.kernel = each ? rows[which].each : rows[which].kernel, .numbers = distributions[which].numbers};
    TRY(draw_check_dtype(to, which, err));
    if (out->numbers == WIDE && to->dtype != draw_wide(to->device))
        FAIL(LUN_MISUSE, "the numbers are %s, not %s", lun_dtype_name(draw_wide(to->device)),
             lun_dtype_name(to->dtype));
    if (rows[which].prepare) /* with arrays the kernel ignores the numbers */
        TRY(rows[which].prepare(out, to, each ? lun_integer(0) : draw->parameters[0],
                                each ? lun_integer(0) : draw->parameters[1], err));
    out->array_count = each || out->numbers == COUNTS ? rows[which].arrays : 0;
    out->judges = each && which == LUN_DRAW_integers;
    out->arg_count = out->judges ? 0 : out->arg_count;
    return each ? take_arrays(out, to, draw, err) : LUN_OK;
}
