/* Histograms, of one array or of two: the edges, and the bin of each element between them. */
#include "abi/sort.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/program.h"
#include "op/sort/count_room.h"

#include <math.h>

/* One axis of the counts: the elements, the edges between which they are counted, and how many bins there are. */
typedef struct count_axis {
    const lun_array *in, *edges;
    double low, high;
    size_t bins;
} count_axis;

lun_dtype lun_histogram_dtype(const lun_array *in) { return sort_real(in->device, in->dtype); }

static lun_status check_axis(const count_axis *axis, const lun_array *counts, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *in = axis->in, *edges = axis->edges;
    const double low = axis->low, high = axis->high;
    const size_t wanted = axis->bins + 1;
    if (axis->bins == 0)
        FAIL(LUN_MISUSE, "there are no bins; 1 or more are wanted");
    const bool narrow = lun_histogram_dtype(in) == LUN_f32;
    const double from = narrow ? (float)low : low, to = narrow ? (float)high : high;
    if (!isfinite(from) || !isfinite(to))
        FAIL(LUN_MISUSE, "the range is from %g to %g; low and high must be finite numbers of %s", lun_number_shown(low),
             lun_number_shown(high), lun_dtype_name(lun_histogram_dtype(in)));
    if (!(from < to) || !isfinite(narrow ? (float)(to - from) : to - from))
        FAIL(LUN_MISUSE, "low is %.9g and high %.9g; high must be above low, and their difference a number of %s", low,
             high, lun_dtype_name(lun_histogram_dtype(in)));
    TRY(sort_check_out(edges, in, lun_histogram_dtype(in), 1, &wanted, err));
    TRY(array_check_apart(edges, counts, err));
done:
    return status;
}

/* Plans the edges, and the bins of the elements between them: those of the second axis within the bins of the first. */
static lun_status plan_axis(counting *c, const count_axis *axis, const lun_array *in, bool second, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *edges = axis->edges;
    const float low_f32 = (float)axis->low, high_f32 = (float)axis->high;
    const size_t bytes = lun_dtype_bytes(edges->dtype);
    const bool wide = edges->dtype == LUN_f64;
    launch edging, binning;
    lun_array made;
    TRY(count_find_bins(&edging, &c->plan, in->dtype, edges->dtype, "bins_edges", edges->size, err));
    TRY(count_find_bins(&binning, &c->plan, in->dtype, edges->dtype, second ? "bins_within" : "bins_of_numbers",
                        in->size, err));
    TRY(sort_result(&made, &c->plan, edges, err));
    const bins_shape s = {
        .from = in->offset, .size = (cl_long)in->size, .bins = (cl_long)axis->bins, .edges = made.offset};
    c->plan.scratch_only = made.block != edges->block;
    TRY(plan_launch(&c->plan, &edging,
                    ARGS(ARG_BLOCK(made.block), ARG_VALUE(&s),
                         ARG_BYTES(wide ? (const void *)&axis->low : &low_f32, bytes),
                         ARG_BYTES(wide ? (const void *)&axis->high : &high_f32, bytes)),
                    err));
    c->plan.scratch_only = true;
    if (in->size)
        TRY(plan_launch(&c->plan, &binning,
                        ARGS(ARG_BLOCK(c->bins), ARG_BLOCK(in->block), ARG_BLOCK(made.block), ARG_VALUE(&s)), err));
    c->plan.scratch_only = false;
    TRY(sort_give(&c->plan, edges, &made, err));
done:
    return status;
}

/* ---- of one array ----------------------------------------------------------------------------------------------- */

lun_status lun_histogram(const lun_array *counts, const lun_array *edges, const lun_array *in, const lun_array *weights,
                         double low, double high, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    counting c = {0};
    const count_axis axis = {in, edges, low, high, counts->size};
    TRY(count_check(counts, in, weights, err));
    TRY(check_axis(&axis, counts, err));
    TRY(count_begin(&c, "histogram", counts, in, weights, call, err));
    TRY(operation_writes(&c.op, edges, err));
    TRY(plan_axis(&c, &axis, &c.in, false, err));
    TRY(count_finish(&c, counts, weights != NULL, call, err));
done:
    plan_clear(&c.plan);
    operation_clear(&c.op);
    return status;
}

/* ---- of two arrays ---------------------------------------------------------------------------------------------- */

static lun_status check_pair(const lun_array *counts, const lun_array *x, const lun_array *y, lun_error *err)
{
    lun_status status = LUN_OK;
    char has[200], wanted[200];
    TRY(array_check_live(x, "x", err));
    TRY(array_check_live(y, "y", err));
    TRY(array_check_same_device(y, x, "y", err));
    if (!shape_equal(y, x))
        FAIL(LUN_MISUSE, "y has shape %s; x has %s", lun_shape_text(has, sizeof has, y->ndim, y->shape),
             lun_shape_text(wanted, sizeof wanted, x->ndim, x->shape));
    TRY(array_check_live(counts, "the counts", err));
    if (counts->ndim != 2)
        FAIL(LUN_MISUSE, "the counts have %d axes; 2 are wanted", counts->ndim);
    TRY(array_check_apart(counts, y, err));
done:
    return status;
}

lun_status lun_histogram2d(const lun_array *counts, const lun_array *const edges[2], const lun_array *const in[2],
                           const lun_array *weights, const double low[2], const double high[2], const lun_call *call,
                           lun_error *err)
{
    lun_status status = LUN_OK;
    counting c = {0};
    lun_array second, flat = *counts;
    TRY(check_pair(counts, in[0], in[1], err));
    flat.ndim = 1;
    flat.shape[0] = flat.size;
    if (!lun_array_is_contiguous(counts))
        FAIL(LUN_MISUSE, "the counts must be contiguous");
    flat.stride[0] = 1;
    TRY(count_check(&flat, in[0], weights, err));
    for (int i = 0; i < 2; i++) {
        const count_axis axis = {in[i], edges[i], low[i], high[i], counts->shape[i]};
        TRY(check_axis(&axis, counts, err));
    }
    TRY(array_check_apart(edges[0], edges[1], err));
    TRY(count_begin(&c, "histogram2d", &flat, in[0], weights, call, err));
    TRY(operation_reads(&c.op, in[1], err));
    TRY(sort_dense(&second, &c.plan, in[1], in[1]->dtype, err));
    for (int i = 0; i < 2; i++) {
        const count_axis axis = {in[i], edges[i], low[i], high[i], counts->shape[i]};
        TRY(operation_writes(&c.op, edges[i], err));
        TRY(plan_axis(&c, &axis, i == 0 ? &c.in : &second, i == 1, err));
    }
    TRY(count_finish(&c, &flat, weights != NULL, call, err));
done:
    plan_clear(&c.plan);
    operation_clear(&c.op);
    return status;
}
