/* Weighted choices: positions drawn by the sums of weights, and arrival times for samples without replacement. */
#include "op/make/random_room.h"
#include "op/planning.h"

#define CHOICE 50 /* nanoseconds for one on one core */

/* An operation that reads such arrays, and writes `out` by a kernel of random_choice.cl. */
typedef struct choice {
    const char *kernel;
    unsigned kind; /* KIND_ ... */
    const lun_array *out, *sums, *weights;
} choice;

static lun_status plan_choice(plan *p, const choice *c, const random_source *source, lun_error *err)
{
    const layout to = array_layout(c->out);
    const program_key key = {.file = "random_choice", .dtype = c->weights->dtype};
    launch_arg args[8] = {ARG_BLOCK(c->out->block), ARG_LONG(c->out->offset), ARG_VALUE(&to), ARG_LONG(c->out->size),
                          ARG_VALUE(source)};
    size_t count = 5;
    if (c->sums)
        args[count++] = (launch_arg)ARG_BLOCK(c->sums->block);
    args[count++] = (launch_arg)ARG_BLOCK(c->weights->block);
    if (c->sums)
        args[count++] = (launch_arg)ARG_LONG(c->weights->size);
    return plan_spread(p, &key, c->kernel, c->out->size, spread_tuned(p->op->device)->chosen, args, count, err);
}

/* The arrays of weights start at their memory's first element, as new arrays do. */
static lun_status check_like(const lun_array *array, const lun_array *weights, const char *what, lun_error *err)
{
    TRY(array_check_live(array, what, err));
    TRY(array_check_same_device(array, weights, what, err));
    if (array->dtype != weights->dtype || !shape_equal(array, weights) || !lun_array_is_contiguous(array) ||
        array->offset)
        FAIL(LUN_MISUSE, "%s must be a new array like that of weights", what);
    return LUN_OK;
}

static lun_status run_choice(const choice *c, lun_rng *rng, const lun_call *call, lun_error *err)
{
    lun_rng after;
    random_source source;
    const unsigned words = c->weights->dtype == LUN_f64 ? 2 : 1;
    TRY(source_take(&source, &after, rng, RANDOM_KIND(c->kind, words), words, c->out->size, err));
    PLANNED(op, p, c->out->device, "choice", call);
    TRY(operation_touches(&op, ARRAYS(c->weights, c->sums), ARRAYS(c->out), err));
    operation_weigh(&op, CHOICE * (double)c->out->size);
    if (c->out->size)
        TRY(plan_choice(&p, c, &source, err));
    TRY(operation_run(&op, &p, err));
    *rng = after;
    return LUN_OK;
}

lun_status lun_random_positions(const lun_array *positions, const lun_array *sums, const lun_array *weights,
                                lun_rng *rng, const lun_call *call, lun_error *err)
{
    const choice c = {"random_positions", KIND_POSITIONS, positions, sums, weights};
    TRY(check_like(weights, weights, "the array of weights", err));
    TRY(check_like(sums, weights, "the array of sums", err));
    TRY(array_check_live(positions, "out", err));
    TRY(array_check_same_device(positions, weights, "out", err));
    if (positions->dtype != LUN_i64)
        FAIL(LUN_MISUSE, "out is %s; positions are i64", lun_dtype_name(positions->dtype));
    if (weights->size == 0 && positions->size != 0)
        FAIL(LUN_MISUSE, "there is nothing to choose from");
    return run_choice(&c, rng, call, err);
}

lun_status lun_random_arrivals(const lun_array *times, const lun_array *weights, lun_rng *rng, const lun_call *call,
                               lun_error *err)
{
    const choice c = {"random_arrivals", KIND_ARRIVALS, times, NULL, weights};
    TRY(check_like(weights, weights, "the array of weights", err));
    TRY(check_like(times, weights, "the array of times", err));
    return run_choice(&c, rng, call, err);
}
