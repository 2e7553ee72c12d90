/* Parameters of random draws: what each may be, and copies of arrays of them, which kernels check. */
#include "op/make/random_room.h"
#include "op/planning.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *words;
    bool open, whole; /* without `least`; without fractions */
    double least, most;
} mays[] = {
    [ANY] = {"a finite number", false, false, -DBL_MAX, DBL_MAX},
    [FROM_0] = {"a finite number from 0", false, false, 0, DBL_MAX},
    [ABOVE_0] = {"a finite number above 0", true, false, 0, DBL_MAX},
    [SHARE] = {"a number from 0 to 1", false, false, 0, 1},
    [CHANCE] = {"a number above 0, at most 1", true, false, 0, 1},
    [TRIALS] = {"a whole number from 0", false, true, 0, DBL_MAX},
    [WHOLE] = {"a whole number that the dtype holds", false, true, -DBL_MAX, DBL_MAX},
    [SUM_OF_1] = {"1", false, false, 1 - 1e-6, 1 + 1e-6},
};

lun_status parameter_check(const draw_parameter *row, lun_number number, lun_error *err)
{
    char text[LUN_NUMBER_TEXT];
    const double x = number.real, least = mays[row->may].least;
    if (x >= least && x <= mays[row->may].most && !(mays[row->may].open && x == least) &&
        !(mays[row->may].whole && x != floor(x)))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s is %s; %s is needed", row->name, lun_number_digits(text, x), mays[row->may].words);
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

static void say(char *text, size_t room, const lun_verdict *found, const draw_parameter *row, double x, double most)
{
    char shown[LUN_NUMBER_TEXT], limit[64] = "";
    if (x > most && most < mays[row->may].most)
        snprintf(limit, sizeof limit, ", at most %.0f,", most);
    snprintf(text, room, "%s at position %lld is %s; %s%s is needed", row->name, (long long)found->position + 1,
             lun_number_digits(shown, x), mays[row->may].words, limit);
}

static void say_f64(char *text, size_t room, const lun_verdict *found, int64_t row)
{
    double x, most;
    memcpy(&x, &found->value, sizeof x);
    memcpy(&most, &found->beside, sizeof most);
    say(text, room, found, (const draw_parameter *)(intptr_t)row, x, most);
}

static void say_f32(char *text, size_t room, const lun_verdict *found, int64_t row)
{
    float x, most;
    memcpy(&x, (const int32_t[]){(int32_t)found->value}, sizeof x);
    memcpy(&most, (const int32_t[]){(int32_t)found->beside}, sizeof most);
    say(text, room, found, (const draw_parameter *)(intptr_t)row, x, most < FLT_MAX ? most : INFINITY);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* The least and the largest number of an integer dtype, as 64 bits. */
static void find_ends(launch_arg *args, lun_dtype dtype)
{
    const unsigned digits = dtype_digits(dtype);
    const uint64_t most = digits < 64 ? ((uint64_t)1 << digits) - 1 : UINT64_MAX;
    args[0] = (launch_arg)ARG_LONG(lun_dtype_has(dtype, LUN_SIGNED) ? (int64_t)~most : 0);
    args[1] = (launch_arg)ARG_LONG(most);
}

static lun_status plan_copy_of(plan *p, const lun_array *out, const lun_array *in, const parameter_rule *rule,
                               lun_error *err)
{
    const draw_parameter *row = rule->row;
    cl_kernel kernel;
    const bool whole = out->dtype == LUN_i64;
    const layout from = array_layout(in);
    const double limit = out->dtype == LUN_f32 ? FLT_MAX : DBL_MAX;
    const cl_int open_whole[] = {mays[row->may].open, mays[row->may].whole};
    const program_key key = {.file = "random_parameter", .dtype = in->dtype};
    TRY(program_kernel(&kernel, p->op->device, &key, whole ? "random_whole" : "random_parameter", err));
    TRY(plan_verdict(p, lun_device_info_get(p->op->device)->fp64 ? say_f64 : say_f32, (int64_t)(intptr_t)row, err));
    const launch groups = launch_spread(p->op->device, kernel, in->size, spread_tuned(p->op->device)->plain);
    const launch_arg judged[] = {ARG_VERDICT(p->op)};
    launch_arg args[11] = {ARG_BLOCK(out->block), ARG_BLOCK(in->block), ARG_LONG(in->offset), ARG_VALUE(&from),
                           ARG_LONG(in->size)};
    size_t count = 7;
    if (whole)
        find_ends(args + 5, rule->integers);
    else {
        args[5] = launch_real(out->dtype, fmax(mays[row->may].least, -limit));
        args[6] = launch_real(out->dtype, fmin(fmin(mays[row->may].most, rule->most), limit));
        for (int i = 0; i < 2; i++)
            args[count++] = (launch_arg)ARG_VALUE(&open_whole[i]);
    }
    memcpy(args + count, judged, sizeof judged);
    return plan_launch(p, &groups, args, count + COUNT(judged), err);
}

lun_status parameter_copy(const lun_array *out, const lun_array *in, const parameter_rule *rule, const lun_call *call,
                          lun_error *err)
{
    PLANNED(op, p, out->device, rule->method, call);
    TRY(operation_touches(&op, ARRAYS(in), ARRAYS(out), err));
    if (in->size)
        TRY(plan_copy_of(&p, out, in, rule, err));
    return operation_run(&op, &p, err);
}
