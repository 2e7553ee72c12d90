/* Filling an array with an arithmetic sequence. */
#include "op/sequence.h"
#include "op/planning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Both ends must fit an integer dtype; the numbers between them then fit too. */
static lun_status check_ends(const lun_array *out, lun_number from, lun_number step, lun_error *err)
{
    uint64_t ignored;
    if (!dtype_is_whole(out->dtype) || out->size == 0)
        return LUN_OK;
    if (!from.is_integer || !step.is_integer)
        FAIL(LUN_MISUSE, "a sequence in %s needs integers for its start and step, got %.17g",
             lun_dtype_name(out->dtype), lun_number_shown(from.is_integer ? step.real : from.real));
    __int128 end = (__int128)(out->size - 1) * step.integer + from.integer;
    int64_t last = (int64_t)end;
    if (last != end)
        FAIL(LUN_MISUSE, "the sequence's end does not fit in 64 bits");
    TRY(lun_number_store(&ignored, out->dtype, from, err));
    return lun_number_store(&ignored, out->dtype, lun_integer(last), err);
}

/* ---- terms -------------------------------------------------------------------------------------------------------- */

static void sum_of(double out[2], double a, double b)
{
    const double sum = a + b, second = sum - a;
    out[0] = sum;
    out[1] = a - (sum - second) + (b - second);
}

static void product_of(double out[2], double a, double b)
{
    out[0] = a * b;
    out[1] = fma(a, b, -out[0]);
}

/* The power of 2 that brings x, its products with numbers up to `count` and their rounding errors into the range of the
 * device's widest float. */
static int shift_into_range(const lun_device *device, double x, double count)
{
    const int most = device->info.fp64 ? DBL_MAX_EXP : FLT_MAX_EXP;
    const int least = device->info.fp64 ? DBL_MIN_EXP + 2 * DBL_MANT_DIG : FLT_MIN_EXP + 2 * FLT_MANT_DIG;
    int exponent, more;
    frexp(x, &exponent);
    frexp(count, &more);
    return x == 0                       ? 0
           : exponent + more + 2 > most ? most - exponent - more - 2
           : exponent < least           ? least - exponent
                                        : 0;
}

sequence_terms sequence_between(const lun_device *device, double from, double to, double steps)
{
    sequence_terms t = {.over = {steps}};
    const int shift = shift_into_range(device, fmax(fabs(from), fabs(to)), steps);
    from = ldexp(from, shift);
    t.over[0] = ldexp(steps, shift);
    product_of(t.first, from, steps);
    sum_of(t.step, ldexp(to, shift), -from);
    return t;
}

sequence_terms sequence_of_quotients(const lun_device *device, double first, double n, double d)
{
    const int shift = shift_into_range(device, d, n);
    sequence_terms t = {.first = {ldexp(first, shift)}, .step = {ldexp(1, shift)}};
    product_of(t.over, n, ldexp(d, shift));
    return t;
}

/* An integer has up to 64 digits: the second number has the last ones. */
static void number_terms(double out[2], lun_number x)
{
    out[0] = x.real;
    if (x.is_integer && fabs(x.real) < 0x1p63)
        out[1] = (double)(x.integer - (int64_t)x.real);
}

/* ---- on the device ------------------------------------------------------------------------------------------------ */

/* The kernel's arguments in its own type of number: 64-bit integers, or the widest float of the device. */
typedef union kernel_terms {
    cl_long2 whole[3];
    cl_double2 wide[3];
    cl_float2 narrow[3];
} kernel_terms;

static size_t float_terms(kernel_terms *out, const lun_device *device, const sequence_terms *t)
{
    const double *const pairs[] = {t->first, t->step, t->over};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        const double *x = pairs[i];
        const float head = (float)x[0];
        if (device->info.fp64)
            out->wide[i] = (cl_double2){{x[0], x[1]}};
        else
            out->narrow[i] = (cl_float2){{head, (float)(x[0] - head + x[1])}};
    }
    return device->info.fp64 ? sizeof *out->wide : sizeof *out->narrow;
}

static lun_status write_terms(const lun_array *out, const kernel_terms *terms, size_t bytes, const char *name,
                              const lun_call *call, lun_error *err)
{
    PLANNED(op, p, out->device, "arange", call);
    TRY(operation_writes(&op, out, err));
    operation_weigh(&op, (strcmp(name, "sequence_steps") == 0 ? 4 : 24) * operation_bytes_weight(&op));
    if (out->size) {
        const layout to = array_layout(out);
        const char *each = (const char *)terms;
        TRY(plan_spread(&p, &(program_key){.file = "sequence_plain", .dtype = out->dtype}, name, out->size,
                        spread_tuned(out->device)->plain,
                        ARGS(ARG_BLOCK(out->block), ARG_LONG(out->offset), ARG_VALUE(&to), ARG_LONG(out->size),
                             ARG_BYTES(each, bytes), ARG_BYTES(each + bytes, bytes),
                             ARG_BYTES(each + 2 * bytes, bytes)),
                        err));
    }
    return operation_run(&op, &p, err);
}

/* Do a multiplication and an addition give each number correctly rounded, both in the kernel's type and in the
 * dtype? */
static bool is_simple(const lun_array *out, const sequence_terms *t)
{
    const bool wide = out->device->info.fp64;
    const double most = wide ? 0x1p53 : 0x1p24, last = fabs(t->first[0]) + fabs(t->step[0]) * (double)out->size;
    return t->first[1] == 0 && t->step[1] == 0 && t->over[0] == 1 && t->over[1] == 0 &&
           (out->dtype == (wide ? LUN_f64 : LUN_f32) ||
            (last < most && t->first[0] == trunc(t->first[0]) && t->step[0] == trunc(t->step[0])));
}

lun_status sequence_write(const lun_array *out, const sequence_terms *terms, const lun_call *call, lun_error *err)
{
    kernel_terms t;
    const size_t bytes = float_terms(&t, out->device, terms);
    return write_terms(out, &t, bytes, is_simple(out, terms) ? "sequence_steps" : "sequence_plain", call, err);
}

lun_status sequence_write_rest(const lun_array *out, const sequence_terms *terms, const lun_call *call, lun_error *err)
{
    kernel_terms t;
    const size_t bytes = float_terms(&t, out->device, terms);
    return write_terms(out, &t, bytes, "sequence_rest", call, err);
}

lun_status lun_array_sequence(const lun_array *out, lun_number from, lun_number step, const lun_call *call,
                              lun_error *err)
{
    sequence_terms terms = {.over = {1}};
    TRY(array_check_live(out, "the array", err));
    TRY(dtype_check_real(out->dtype, "a sequence", err));
    TRY(check_ends(out, from, step, err));
    if (dtype_is_whole(out->dtype)) {
        const kernel_terms t = {.whole = {{{from.integer}}, {{step.integer}}}};
        return write_terms(out, &t, sizeof *t.whole, "sequence_steps", call, err);
    }
    number_terms(terms.first, from);
    number_terms(terms.step, step);
    return sequence_write(out, &terms, call, err);
}
