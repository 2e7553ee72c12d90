/* Random numbers: checks, and the launch of the counter-based generator. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"
#include "op/variant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_A_CHUNK 1024 /* elements that a work-item of a CPU makes at least */
#define CPU_LEAST 4096     /* the same, in vectors */
#define CPU_CHUNK 32       /* elements of a chunk in random_cpu.cl at most */

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

/* ---- variants ----------------------------------------------------------------------------------------------------- */

typedef struct random_problem {
    const lun_array *out;
    const draw *what;
    uint64_t seed;
} random_problem;

static lun_status find_kernel(cl_kernel *out, const variant *row, const random_problem *p, lun_error *err)
{
    return program_kernel(out, p->out->device, &(program_key){.file = row->file, .dtype = p->out->dtype},
                          p->what->kernel, err);
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const random_problem *p = data;
    cl_kernel kernel;
    const layout to = array_layout(p->out);
    launch_arg args[8] = {ARG_BLOCK(p->out->block), ARG_LONG(p->out->offset), ARG_VALUE(&to), ARG_LONG(p->out->size),
                          ARG_LONG(p->seed)};
    TRY(find_kernel(&kernel, row, p, err));
    memcpy(args + 5, p->what->args, p->what->arg_count * sizeof args[0]);
    const launch spread = launch_spread(out->op->device, kernel, p->out->size, LEAST_A_CHUNK);
    TRY(plan_launch(out, &spread, args, 5 + p->what->arg_count, err));
done:
    return status;
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    const random_problem *p = data;
    return variant_on_cpu(device, data) && (!p || lun_array_is_contiguous(p->out));
}

/* Stores past the cache want aligned addresses. */
static cl_int streams(const lun_array *out)
{
    const size_t item = lun_dtype_bytes(out->dtype);
    return (size_t)out->offset * item % CPU_VECTOR == 0 && CPU_CHUNK * item % CPU_VECTOR == 0 &&
           passes_cache(out->device, lun_array_bytes(out));
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const random_problem *p = data;
    cl_kernel kernel;
    const cl_int past_cache = streams(p->out);
    launch_arg args[8] = {ARG_BLOCK(p->out->block), ARG_LONG(p->out->offset), ARG_LONG(p->out->size),
                          ARG_VALUE(&past_cache), ARG_LONG(p->seed)};
    TRY(find_kernel(&kernel, row, p, err));
    memcpy(args + 5, p->what->args, p->what->arg_count * sizeof args[0]);
    const launch spread = launch_spread(out->op->device, kernel, p->out->size, CPU_LEAST);
    TRY(plan_launch(out, &spread, args, 5 + p->what->arg_count, err));
done:
    return status;
}

/* cpu    eight blocks of the generator at a time, in vectors: contiguous arrays on CPUs.
 * plain  one element or block at a time: every device and view. */
static const variant rows[] = {
    {"cpu", "random_cpu", CL_DEVICE_TYPE_CPU, 0, false, cpu_applies, plan_on_cpu},
    {"plain", "random_plain", 0, 0, false, variant_anywhere, plan_plain},
};
const variants random_variants = {rows, COUNT(rows)};

/* ---- the call ------------------------------------------------------------------------------------------------------ */

/* Checks and builds everything that does not depend on the seed. */
static lun_status prepare(draw *made, const lun_array *out, lun_distribution distribution, lun_number a, lun_number b,
                          const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_kernel kernel;
    const variant *row;
    const random_problem problem = {.out = out, .what = made};
    TRY(array_check_live(out, "the array", err));
    TRY(distribution == LUN_UNIFORM  ? draw_uniform(made, out, a, b, err)
        : distribution == LUN_NORMAL ? draw_normal(made, out, a.real, b.real, err)
                                     : draw_randint(made, out, a, b, err));
    if (out->block)
        TRY(block_check_usable(out->block, err));
    TRY(variant_choose(&row, &random_variants, out->device, &problem, variant_named(call), err));
    TRY(find_kernel(&kernel, row, &problem, err));
done:
    return status;
}

lun_status lun_random_check(const lun_array *out, lun_distribution distribution, lun_number a, lun_number b,
                            const lun_call *call, lun_error *err)
{
    draw what;
    return prepare(&what, out, distribution, a, b, call, err);
}

lun_status lun_array_random(const lun_array *out, lun_distribution distribution, uint64_t seed, lun_number a,
                            lun_number b, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    draw what;
    TRY(prepare(&what, out, distribution, a, b, call, err));
    operation_init(&op, out->device, "random", call);
    plan_init(&p, &op);
    TRY(operation_writes(&op, out, err));
    if (out->size)
        TRY(plan_variant(&p, &random_variants, &(random_problem){out, &what, seed}, variant_named(call), err));
    TRY(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    return status;
}
