/* Histograms of one array or two: the edges, and the bin of each element. */
#include "abi/sort.h"
#include "op/planning.h"
#include "op/sort/count_room.h"

#include <math.h>

/* One axis of the counts: the elements, the edges, and the number of bins. */
typedef struct count_axis {
    const lun_array *in, *edges;
    double low, high;
    size_t bins;
} count_axis;

lun_dtype lun_histogram_dtype(const lun_array *in) { return sort_real(in->device, in->dtype); }

/* LUN_MISUSE if neighbouring edges would be rounded to the same number. */
static lun_status check_ascends(const count_axis *axis, bool narrow, lun_error *err)
{
    const double from = narrow ? (float)axis->low : axis->low, to = narrow ? (float)axis->high : axis->high;
    const double largest = fmax(fabs(from), fabs(to)), width = (to - from) / (double)axis->bins;
    const double apart = largest - (narrow ? nextafterf((float)largest, 0) : nextafter(largest, 0));
    if (width >= apart)
        return LUN_OK;
    char low[LUN_NUMBER_TEXT], high[LUN_NUMBER_TEXT];
    return fail(err, LUN_MISUSE, "%zu bins from %s to %s are too narrow: numbers of %s lie %g apart there", axis->bins,
                lun_number_digits(low, from), lun_number_digits(high, to),
                lun_dtype_name(lun_histogram_dtype(axis->in)), apart);
}

static lun_status check_axis(const count_axis *axis, lun_error *err)
{
    const lun_array *in = axis->in, *edges = axis->edges;
    const double low = axis->low, high = axis->high;
    char texts[2][LUN_NUMBER_TEXT];
    const size_t wanted = axis->bins + 1;
    if (axis->bins == 0)
        FAIL(LUN_MISUSE, "there are no bins; 1 or more are needed");
    const bool narrow = lun_histogram_dtype(in) == LUN_f32;
    const double from = narrow ? (float)low : low, to = narrow ? (float)high : high;
    if (!isfinite(from) || !isfinite(to))
        FAIL(LUN_MISUSE, "the range is from %g to %g; low and high must be finite numbers of %s", lun_number_shown(low),
             lun_number_shown(high), lun_dtype_name(lun_histogram_dtype(in)));
    if (!(from < to) || !isfinite(narrow ? (float)(to - from) : to - from))
        FAIL(LUN_MISUSE, "low is %s and high %s; high must be above low, and their difference a number of %s",
             lun_number_digits(texts[0], low), lun_number_digits(texts[1], high),
             lun_dtype_name(lun_histogram_dtype(in)));
    TRY(check_ascends(axis, narrow, err));
    return sort_check_out(edges, in, lun_histogram_dtype(in), 1, &wanted, err);
}

/* Plans the edges, and adds a source of bins between them. */
static lun_status plan_axis(counting *c, const count_axis *axis, const lun_array *in, lun_error *err)
{
    const lun_array *edges = axis->edges;
    const float low_f32 = (float)axis->low, high_f32 = (float)axis->high;
    const size_t bytes = lun_dtype_bytes(edges->dtype);
    const bool wide = edges->dtype == LUN_f64;
    bins_source *source = &c->sources[c->source_count++];
    cl_kernel edging;
    TRY(count_find_kernel(&edging, &c->plan, "bins_plain", in->dtype, edges->dtype, "bins_edges", err));
    source->in = *in;
    TRY(plan_array_result(&source->edges, &c->plan, edges, err));
    source->shape = (bins_shape){
        .from = in->offset, .size = (cl_long)in->size, .bins = (cl_long)axis->bins, .edges = source->edges.offset};
    const launch edge = launch_spread(c->op.device, edging, edges->size, spread_tuned(c->op.device)->indexed);
    TRY(plan_launch(&c->plan, &edge,
                    ARGS(ARG_BLOCK(source->edges.block), ARG_VALUE(&source->shape),
                         ARG_BYTES(wide ? (const void *)&axis->low : &low_f32, bytes),
                         ARG_BYTES(wide ? (const void *)&axis->high : &high_f32, bytes)),
                    err));
    return plan_array_give(&c->plan, edges, &source->edges, err);
}

/* ---- of one array ----------------------------------------------------------------------------------------------- */

lun_status lun_histogram(const lun_array *counts, const lun_array *edges, const lun_array *in, const lun_array *weights,
                         double low, double high, const lun_call *call, lun_error *err)
{
    ENDED_BY(count_clear) counting c = {0};
    const count_axis axis = {in, edges, low, high, counts->size};
    TRY(count_check(counts, in, weights, err));
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(check_axis(&axis, err));
    TRY(array_check_outputs((const lun_array *const[]){counts, edges}, 2, err));
    TRY(count_begin(&c, "histogram", counts, in, weights, call, err));
    TRY(operation_writes(&c.op, edges, err));
    TRY(count_dense(&c, counts, in, weights, err));
    TRY(plan_axis(&c, &axis, &c.in, err));
    return count_finish(&c, counts, weights != NULL, call, err);
}

/* ---- of two arrays ---------------------------------------------------------------------------------------------- */

static lun_status check_pair(const lun_array *counts, const lun_array *x, const lun_array *y, lun_error *err)
{
    char has[200], wanted[200];
    TRY(array_check_live(x, "x", err));
    TRY(array_check_live(y, "y", err));
    TRY(array_check_same_device(y, x, "y", err));
    if (!shape_equal(y, x))
        FAIL(LUN_MISUSE, "y has shape %s; x has %s", array_shape_text(has, sizeof has, y),
             array_shape_text(wanted, sizeof wanted, x));
    TRY(array_check_live(counts, "the counts", err));
    if (counts->ndim != 2)
        FAIL(LUN_MISUSE, "the counts have %d axes; 2 are needed", counts->ndim);
    return array_check_apart(counts, y, err);
}

lun_status lun_histogram2d(const lun_array *counts, const lun_array *const edges[2], const lun_array *const in[2],
                           const lun_array *weights, const double low[2], const double high[2], const lun_call *call,
                           lun_error *err)
{
    ENDED_BY(count_clear) counting c = {0};
    lun_array second, flat = *counts;
    TRY(check_pair(counts, in[0], in[1], err));
    flat.ndim = 1;
    flat.shape[0] = flat.size;
    if (!lun_array_is_contiguous(counts))
        FAIL(LUN_MISUSE, "the counts must be contiguous");
    for (int i = 0; i < 2; i++)
        TRY(dtype_check_ordered(in[i]->dtype, err));
    flat.stride[0] = 1;
    TRY(count_check(&flat, in[0], weights, err));
    for (int i = 0; i < 2; i++) {
        const count_axis axis = {in[i], edges[i], low[i], high[i], counts->shape[i]};
        TRY(check_axis(&axis, err));
    }
    TRY(array_check_outputs((const lun_array *const[]){counts, edges[0], edges[1]}, 3, err));
    TRY(count_begin(&c, "histogram2d", &flat, in[0], weights, call, err));
    TRY(operation_reads(&c.op, in[1], err));
    for (int i = 0; i < 2; i++)
        TRY(operation_writes(&c.op, edges[i], err));
    TRY(count_dense(&c, &flat, in[0], weights, err));
    TRY(plan_array_dense(&second, &c.plan, in[1], in[1]->dtype, err));
    for (int i = 0; i < 2; i++) {
        const count_axis axis = {in[i], edges[i], low[i], high[i], counts->shape[i]};
        TRY(plan_axis(&c, &axis, i == 0 ? &c.in : &second, err));
    }
    return count_finish(&c, &flat, weights != NULL, call, err);
}
