/* Medians and other quantiles: interpolated between two elements of rows that are sorted, or in which these two are
 * selected. */
#include "abi/sort.h"
#include "api/reductions.h"
#include "op/planning.h"
#include "op/ranked.h"
#include "op/sort/sort.h"

#include <math.h>
#include <string.h>

/* The arguments. */
typedef struct quantiles {
    const bool *axis; /* which axes go */
    size_t extent;    /* and how many elements that makes */
    size_t count;
    const double *q;
    bool list;
    bool present; /* of what is no NaN */
    unsigned method;
} quantiles;

/* The methods, of which the first is the default: whether the position is q count - 1 instead of q (count - 1), a
 * constant added to it, a factor of q that is subtracted, and the rule of abi/sort.h. The nine of Hyndman and Fan,
 * "Sample Quantiles in Statistical Packages" (1996), are at their numbers, but for 7, which is the first. */
static const struct {
    const char *name;
    bool whole;
    double shift, slope;
    int rule;
} methods[] = {{"linear", false, 0, 0, QUANTILE_LINEAR},
               {"inverted_cdf", true, 0, 0, QUANTILE_HIGHER},
               {"averaged_inverted_cdf", true, 0, 0, QUANTILE_AVERAGED},
               {"closest_observation", true, 0, 0, QUANTILE_ODD},
               {"interpolated_inverted_cdf", true, 0, 0, QUANTILE_LINEAR},
               {"hazen", true, 0.5, 0, QUANTILE_LINEAR},
               {"weibull", true, 0, 1, QUANTILE_LINEAR},
               {"lower", false, 0, 0, QUANTILE_LOWER},
               {"median_unbiased", true, 1 / 3.0, 1 / 3.0, QUANTILE_LINEAR},
               {"normal_unbiased", true, 0.375, 0.25, QUANTILE_LINEAR},
               {"higher", false, 0, 0, QUANTILE_HIGHER},
               {"nearest", false, 0, 0, QUANTILE_EVEN},
               {"midpoint", false, 0, 0, QUANTILE_MIDPOINT}};

const char *ranked_method_at(unsigned method) { return method < COUNT(methods) ? methods[method].name : NULL; }

static lun_status find_quantiles(quantiles *out, const lun_array *in, const lun_reduction *reduction, lun_error *err)
{
    static const double half = 0.5;
    char number[LUN_NUMBER_TEXT];
    const lun_reduce_op op = reduction->op;
    *out = op == LUN_REDUCE_median || op == LUN_REDUCE_nanmedian ? (quantiles){.count = 1, .q = &half}
                                                                 : (quantiles){.count = reduction->q_count,
                                                                               .q = reduction->q,
                                                                               .list = reduction->q_list,
                                                                               .method = reduction->q_method};
    out->present = (op == LUN_REDUCE_nanmedian || op == LUN_REDUCE_nanquantile) && lun_dtype_has(in->dtype, LUN_NANS);
    if (reduction->segments)
        FAIL(LUN_MISUSE,
             "%s takes no segments: sort by the values and then by the segments with sort_by, and take the middle "
             "elements",
             lun_reduce_name(reduction->op));
    out->axis = reduction->axis;
    out->extent = 1;
    for (int i = 0; i < in->ndim; i++)
        out->extent *= reduction->axis[i] ? in->shape[i] : 1;
    if (out->count == 0)
        FAIL(LUN_MISUSE, "%s needs q, a number from 0 to 1 or a list of them", lun_reduce_name(op));
    for (size_t i = 0; i < out->count; i++)
        if (!(out->q[i] >= 0 && out->q[i] <= 1))
            FAIL(LUN_MISUSE, "q is %s; numbers from 0 to 1 are needed", lun_number_digits(number, out->q[i]));
    return LUN_OK;
}

static lun_status find_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in, const quantiles *wanted,
                              bool keepdims, lun_error *err)
{
    *dtype = sort_real(in->device, in->dtype);
    *ndim = 0;
    if (wanted->list && in->ndim == LUN_MAX_AXES && keepdims)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", LUN_MAX_AXES + 1, LUN_MAX_AXES);
    if (wanted->list)
        shape[(*ndim)++] = wanted->count;
    for (int i = 0; i < in->ndim; i++)
        if (!wanted->axis[i])
            shape[(*ndim)++] = in->shape[i];
        else if (keepdims)
            shape[(*ndim)++] = 1;
    return LUN_OK;
}

lun_status ranked_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                         const lun_reduction *reduction, bool keepdims, lun_error *err)
{
    char text[200];
    quantiles wanted;
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(find_quantiles(&wanted, in, reduction, err));
    TRY(find_result(dtype, ndim, shape, in, &wanted, keepdims, err));
    if (wanted.extent == 0)
        FAIL(LUN_MISUSE, "%s of no elements: the reduced extent of shape %s is 0", lun_reduce_name(reduction->op),
             array_shape_text(text, sizeof text, in));
    return LUN_OK;
}

/* Dense rows, and the selection or sort in them. */
static lun_status plan_rows(select_problem *problem, plan *p, const lun_array *in, const quantiles *wanted,
                            const char *name, lun_error *err)
{
    lun_array view = *in;
    int at = 0;
    for (int last = 0; last < 2; last++) /* the axes that go behind the others */
        for (int i = 0; i < in->ndim; i++)
            if (wanted->axis[i] == last) {
                view.shape[at] = in->shape[i];
                view.stride[at++] = in->stride[i];
            }
    problem->count = wanted->extent;
    problem->rows = in->size / problem->count;
    TRY(plan_array_dense(&problem->in, p, &view, in->dtype, err));
    problem->in.ndim = 2;
    problem->in.shape[0] = problem->rows;
    problem->in.shape[1] = problem->count;
    shape_strides(problem->in.stride, 2, problem->in.shape);
    return plan_variant(p, &select_variants, problem, name, err);
}

/* A quantile's two positions in the sorted order, and its fraction of the way between them. */
typedef struct place {
    size_t low, high;
    double part;
} place;

static double shift_of(const quantiles *wanted, size_t i)
{
    return methods[wanted->method].shift + methods[wanted->method].slope * wanted->q[i];
}

/* As quantile_place of kernels/sort/sorted_plain.cl finds it. */
static place place_of(const quantiles *wanted, size_t i, size_t count)
{
    const bool whole = methods[wanted->method].whole;
    const int rule = methods[wanted->method].rule;
    const double near = wanted->q[i] * (double)(count - !whole), at = near + shift_of(wanted, i) - whole,
                 below = floor(at), between = at - below;
    if (at < 0 || at >= (double)(count - 1))
        return at < 0 ? (place){0, 0, 0} : (place){count - 1, count - 1, 0};
    const bool tie_up = fmod(below, 2) == (rule == QUANTILE_EVEN),
               nearest = rule == QUANTILE_EVEN || rule == QUANTILE_ODD;
    const bool up = nearest ? between > 0.5 || (between == 0.5 && tie_up)
                            : between > 0 && (rule == QUANTILE_HIGHER || rule == QUANTILE_AVERAGED);
    const bool half = rule == (between > 0 ? QUANTILE_MIDPOINT : QUANTILE_AVERAGED);
    const size_t low = (size_t)below + up;
    return (place){low, smaller(low + 1, count - 1), rule == QUANTILE_LINEAR ? between : half ? 0.5 : 0};
}

static lun_status plan_quantiles(plan *p, const lun_array *out, const lun_array *in, const quantiles *wanted,
                                 const char *name, lun_error *err)
{
    lun_array made;
    select_found found;
    size_t at[SELECT_TARGETS] = {0};
    /* without NaN, the positions are known only when the rows are sorted */
    select_problem problem = {
        .found = &found, .at = at, .targets = wanted->present ? SELECT_TARGETS + 1 : 2 * wanted->count};
    launch groups;
    cl_kernel kernel;
    const bool wide = out->dtype == LUN_f64;
    const size_t count = wanted->extent;
    const program_key key = {
        .file = "sorted_plain", .dtype = in->dtype, .defines = wide ? "#define REAL double\n" : "#define REAL float\n"};
    TRY(program_kernel(&kernel, p->op->device, &key, "sorted_quantile", err));
    groups = launch_spread(p->op->device, kernel, out->size, spread_tuned(p->op->device)->drawn);
    for (size_t i = 0; i < wanted->count && problem.targets <= SELECT_TARGETS; i++) {
        at[2 * i] = place_of(wanted, i, count).low;
        at[2 * i + 1] = place_of(wanted, i, count).high;
    }
    TRY(plan_rows(&problem, p, in, wanted, name, err));
    TRY(plan_array_result(&made, p, out, err));
    for (size_t i = 0; i < wanted->count; i++) {
        const place here = place_of(wanted, i, count);
        const float t_f32 = (float)here.part;
        const quantile_shape s = {.rows = (cl_long)problem.rows,
                                  .count = (cl_long)found.count,
                                  .from = found.offset,
                                  .to = made.offset + (cl_long)(i * problem.rows),
                                  .low = (cl_long)(found.picked ? 2 * i : here.low),
                                  .high = (cl_long)(found.picked ? 2 * i + 1 : here.high),
                                  .present = wanted->present,
                                  .q = (cl_ulong)(wanted->q[i] * 0x1p63),
                                  .shift = (cl_ulong)(shift_of(wanted, i) * 0x1p63),
                                  .whole = methods[wanted->method].whole,
                                  .rule = methods[wanted->method].rule};
        TRY(plan_launch(p, &groups,
                        ARGS(ARG_BLOCK(made.block), ARG_BLOCK(found.rows), ARG_VALUE(&s),
                             ARG_BYTES(wide ? (const void *)&here.part : &t_f32, lun_dtype_bytes(out->dtype))),
                        err));
    }
    return plan_array_give(p, out, &made, err);
}

/* LUN_MISUSE unless `out` can hold the result, with or without the reduced axes. */
static lun_status check_out(const lun_array *out, const lun_array *in, const lun_reduction *reduction, lun_error *err)
{
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const bool list = ranked_wants_q(reduction->op) && reduction->q_list;
    TRY(ranked_result(&dtype, &ndim, shape, in, reduction, out->ndim == in->ndim + list, err));
    if (ndim != out->ndim || memcmp(shape, out->shape, (size_t)ndim * sizeof *shape) != 0)
        TRY(ranked_result(&dtype, &ndim, shape, in, reduction, false, err));
    return sort_check_out(out, in, dtype, ndim, shape, err);
}

lun_status ranked_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction,
                         const lun_call *call, lun_error *err)
{
    const variant *row;
    quantiles wanted;
    TRY(array_check_live(in, "the array", err));
    TRY(find_quantiles(&wanted, in, reduction, err));
    TRY(check_out(out, in, reduction, err));
    PLANNED(op, p, in->device, lun_reduce_name(reduction->op), call);
    TRY(operation_touches(&op, ARRAYS(in), ARRAYS(out), err));
    operation_weigh(&op, sort_weight(in->size, in->size));
    TRY(variant_choose(&row, &select_variants, op.device, NULL, variant_named(call), err));
    if (out->size)
        TRY(plan_quantiles(&p, out, in, &wanted, variant_named(call), err));
    sort_quick(&op, in->size);
    return operation_run(&op, &p, err);
}
