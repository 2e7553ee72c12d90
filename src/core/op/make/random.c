/* Random numbers: checks, and the launch of the counter-based generator. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/program.h"
#include "memory/block.h"
#include "op/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_A_CHUNK 1024

static lun_status check_floats(const lun_array *out, const char *maker, double a, double b, lun_error *err)
{
    if (!dtype_is_float(out->dtype))
        return fail(err, LUN_MISUSE, "%s gives floats, not %s; randint gives integers", maker,
                    lun_dtype_name(out->dtype));
    if (!isfinite(a) || !isfinite(b))
        return fail(err, LUN_MISUSE, "finite numbers are wanted, %g and %g came", lun_number_shown(a),
                    lun_number_shown(b));
    return LUN_OK;
}

typedef struct draw {
    const char *kernel;
    launch_arg args[3];
    size_t arg_count;
} draw;

/* The nearest number of the dtype that kernels compute in. */
static double in_arithmetic(lun_dtype dtype, double x) { return dtype_nearest(dtype_computed(dtype), x); }

#define SHOWN 32

/* The number as the caller gave it. */
static const char *show(char text[SHOWN], lun_number x)
{
    if (x.is_integer)
        snprintf(text, SHOWN, "%lld", (long long)x.integer);
    else
        snprintf(text, SHOWN, "%.17g", x.real);
    return text;
}

static bool is_less(lun_number x, lun_number y)
{
    return x.is_integer && y.is_integer ? x.integer < y.integer : x.real < y.real;
}

static lun_status draw_uniform(draw *made, const lun_array *out, lun_number from, lun_number to, lun_error *err)
{
    lun_status status = LUN_OK;
    char a[SHOWN], b[SHOWN];
    TRY(check_floats(out, "random", from.real, to.real, err));
    if (!is_less(from, to))
        FAIL(LUN_MISUSE, "low (%s) must be less than high (%s)", show(a, from), show(b, to));
    double low = dtype_nearest(out->dtype, from.real), high = dtype_nearest(out->dtype, to.real);
    if (!isfinite(low) || !isfinite(high) || !isfinite(in_arithmetic(out->dtype, high - low)))
        FAIL(LUN_MISUSE, "the range from low to high is too wide for %s", lun_dtype_name(out->dtype));
    if (!(low < high))
        FAIL(LUN_MISUSE, "low (%s) and high (%s) are the same number in %s", show(a, from), show(b, to),
             lun_dtype_name(out->dtype));
    double top = dtype_below(out->dtype, high);
    *made = (draw){"random_uniform",
                   {launch_real(out->dtype, low), launch_real(out->dtype, high - low), launch_real(out->dtype, top)},
                   3};
done:
    return status;
}

static lun_status draw_normal(draw *made, const lun_array *out, double mean, double deviation, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(check_floats(out, "normal", mean, deviation, err));
    if (deviation < 0)
        FAIL(LUN_MISUSE, "std is %.17g; it cannot be negative", deviation);
    *made = (draw){"random_normal", {launch_real(out->dtype, mean), launch_real(out->dtype, deviation)}, 2};
done:
    return status;
}

static lun_status draw_randint(draw *made, const lun_array *out, lun_number low, lun_number high, lun_error *err)
{
    lun_status status = LUN_OK;
    uint64_t ignored;
    if (dtype_is_float(out->dtype))
        FAIL(LUN_MISUSE, "randint gives integers, not %s; random and normal give floats", lun_dtype_name(out->dtype));
    if (!low.is_integer || !high.is_integer)
        FAIL(LUN_MISUSE, "low and high must be integers, %.17g came",
             lun_number_shown(low.is_integer ? high.real : low.real));
    TRY(lun_number_store(&ignored, out->dtype, low, err));
    TRY(lun_number_store(&ignored, out->dtype, high, err));
    if (out->dtype == LUN_u64 && low.integer < 0 && high.integer >= 0)
        FAIL(LUN_MISUSE, "%lld is out of range for u64 (0 to %llu)", (long long)low.integer,
             (unsigned long long)UINT64_MAX);
    bool ordered =
        out->dtype == LUN_u64 ? (uint64_t)low.integer <= (uint64_t)high.integer : low.integer <= high.integer;
    if (!ordered)
        FAIL(LUN_MISUSE, "low (%lld) must not be greater than high (%lld)", (long long)low.integer,
             (long long)high.integer);
    uint64_t range = (uint64_t)high.integer - (uint64_t)low.integer + 1;
    *made = (draw){
        "random_randint", {ARG_LONG(low.integer), ARG_LONG(range), ARG_LONG(range ? (0 - range) % range : 0)}, 3};
done:
    return status;
}

/* Checks and builds everything that does not depend on the seed. */
static lun_status prepare(draw *made, cl_kernel *kernel, const lun_array *out, lun_distribution distribution,
                          lun_number a, lun_number b, lun_error *err)
{
    lun_status status = LUN_OK;
    TRY(array_check_live(out, "the array", err));
    TRY(distribution == LUN_UNIFORM  ? draw_uniform(made, out, a, b, err)
        : distribution == LUN_NORMAL ? draw_normal(made, out, a.real, b.real, err)
                                     : draw_randint(made, out, a, b, err));
    if (out->block)
        TRY(block_check_usable(out->block, err));
    TRY(program_kernel(kernel, out->device, &(program_key){.file = "random_plain", .dtype = out->dtype}, made->kernel,
                       err));
done:
    return status;
}

lun_status lun_random_check(const lun_array *out, lun_distribution distribution, lun_number a, lun_number b,
                            lun_error *err)
{
    draw what;
    cl_kernel kernel;
    return prepare(&what, &kernel, out, distribution, a, b, err);
}

lun_status lun_array_random(const lun_array *out, lun_distribution distribution, uint64_t seed, lun_number a,
                            lun_number b, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    draw what;
    cl_kernel kernel;
    TRY(prepare(&what, &kernel, out, distribution, a, b, err));
    operation_init(&op, out->device, "random", call);
    plan_init(&p, &op);
    TRY(operation_writes(&op, out, err));
    if (out->size) {
        layout to = array_layout(out);
        launch_arg args[8] = {ARG_BLOCK(out->block), ARG_LONG(out->offset), ARG_VALUE(&to), ARG_LONG(out->size),
                              ARG_LONG(seed)};
        memcpy(args + 5, what.args, what.arg_count * sizeof args[0]);
        const launch spread = launch_spread(out->device, kernel, out->size, LEAST_A_CHUNK);
        TRY(plan_launch(&p, &spread, args, 5 + what.arg_count, err));
    }
    TRY(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}
