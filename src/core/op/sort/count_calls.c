/* Counting, as rows of operation.def are called: how many bins there are, and where they begin and end. */
#include "op/request.h"

#include "api/reductions.h"

#include <math.h>

#define MOST_BINS INT32_MAX

/* The least and the largest element; waits, a slice at each call. */
static lun_status find_ends(bool *more, lun_request *r, lun_number *ends, const lun_array *array, lun_error *err)
{
    static const lun_reduce_op ops[2] = {LUN_REDUCE_min, LUN_REDUCE_max};
    const lun_status status = request_reduce(more, r, ends, array, ops, 2, err);
    for (int i = 0; i < 2 && status == LUN_OK && array->dtype == LUN_u64; i++)
        ends[i].real = (double)(uint64_t)ends[i].integer;
    return status;
}

/* ---- bincount ------------------------------------------------------------------------------------------------------------ */

typedef struct occurrences {
    int64_t from;
    const lun_array *weights;
    size_t size; /* how many bins there are */
} occurrences;

enum { FIND_SIZE, COUNT_THEM };

static lun_status bind_bincount(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array, *out = request_array_option(r, "out");
    const lun_value *size = request_option(r, "size");
    occurrences *c = REQUEST_STATE(r, occurrences);
    c->from = request_whole(r, "from", 1);
    c->weights = request_array_option(r, "weights");
    const int64_t given = request_whole(r, "size", out ? (int64_t)out->size : 0);
    if (size && (given < 1 || given > MOST_BINS))
        FAIL(LUN_MISUSE, "size is %lld; a whole number from 1 to %d is wanted", (long long)given, MOST_BINS);
    c->size = (size_t)given;
    TRY(request_result(r, lun_count_dtype(c->weights), 1, &c->size, err));
    request_tell_late(r, 0, r->results[0].dtype);
    r->stage = size || out || !array->size || !lun_dtype_has(array->dtype, LUN_WHOLE) ? COUNT_THEM : FIND_SIZE;
    return LUN_OK;
}

/* As many bins as the largest value wants. */
static lun_status find_size(bool *more, lun_request *r, occurrences *c, lun_error *err)
{
    lun_number ends[2];
    const lun_array *array = r->arguments[0].array;
    const bool natural = array->dtype == LUN_u64;
    TRY(find_ends(more, r, ends, array, err));
    if (*more)
        return LUN_OK;
    const int64_t least = ends[0].integer, largest = ends[1].integer;
    if (natural ? c->from > 0 && (uint64_t)least < (uint64_t)c->from : least < c->from)
        FAIL(LUN_MISUSE, "the least value is %lld; %s", (long long)least,
             c->from == 0 ? "values from 0 are counted" : "position 1 counts the value 1, or 0 with from = 0");
    if (ends[1].real - (double)c->from >= MOST_BINS)
        FAIL(LUN_MISUSE,
             natural ? "the largest value is %llu; %d values can be counted"
                     : "the largest value is %lld; %d values can be counted",
             (long long)largest, MOST_BINS);
    c->size = (size_t)(largest - c->from + 1);
    return LUN_OK;
}

static lun_status run_bincount(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    occurrences *c = r->state;
    if (r->stage == FIND_SIZE)
        TRY(find_size(more, r, c, err));
    if (*more)
        return LUN_OK;
    r->stage = COUNT_THEM;
    TRY(request_make_late(r, 0, out[0], 1, &c->size, err));
    return lun_bincount(out[0], r->arguments[0].array, c->weights, c->from, &r->call, err);
}

const request_functions bincount_functions = {bind_bincount, run_bincount};

/* ---- histograms: of one array, or of pairs x, y ----------------------------------------------------------------------------- */

typedef struct binning {
    int count; /* of arrays */
    const lun_array *in[2], *weights;
    double low[2], high[2]; /* where the bins begin and end; NaN: nobody has said so */
} binning;

/* An option of one number for all arrays, or a list of one for each. */
static lun_status read_each(double *out, const lun_request *r, const char *name, double missing, int count,
                            lun_error *err)
{
    const lun_value *value = request_option(r, name);
    out[0] = out[1] = missing;
    if (!value)
        return LUN_OK;
    if (value->kind == LUN_VALUE_LIST && value->list.count != (size_t)count)
        FAIL(LUN_MISUSE, "option '%s': the list has %zu numbers; one for x and one for y are wanted", name,
             value->list.count);
    for (int i = 0; i < count; i++) {
        const lun_value *item = value_item(value, (size_t)i);
        if (item->kind != LUN_VALUE_NUMBER)
            FAIL(LUN_MISUSE, "option '%s': number %d of the list is %s", name, i + 1, kind_shown(r, item));
        if (isnan(item->number.real))
            FAIL(LUN_MISUSE, "%s is nan; a number is wanted", name);
        out[i] = item->number.real;
    }
    return LUN_OK;
}

static lun_status bind_histogram(lun_request *r, lun_error *err)
{
    binning *b = REQUEST_STATE(r, binning);
    char text[LUN_NUMBER_TEXT];
    double bins[2];
    size_t shape[2];
    const int n = b->count = r->operation->owner == LUN_OF_ARRAY ? 1 : 2;
    TRY(read_each(bins, r, "bins", 10, n, err));
    TRY(read_each(b->low, r, "low", NAN, n, err));
    TRY(read_each(b->high, r, "high", NAN, n, err));
    b->weights = request_array_option(r, "weights");
    TRY(request_results(r, 1 + (size_t)n, err));
    for (int i = 0; i < n; i++) {
        b->in[i] = r->arguments[n == 1 ? 0 : 1 + i].array;
        if (!(bins[i] >= 1 && bins[i] < MOST_BINS && floor(bins[i]) == bins[i]))
            FAIL(LUN_MISUSE, "bins is %s; a whole number from 1 to %d is wanted", lun_number_digits(text, bins[i]),
                 MOST_BINS - 1);
        shape[i] = (size_t)bins[i];
        request_tell(r, 1 + (size_t)i, lun_histogram_dtype(b->in[i]), 1, &(size_t){shape[i] + 1});
    }
    if (n == 2 && bins[0] * bins[1] > MOST_BINS)
        FAIL(LUN_MISUSE, "%.0f bins are too many; %d are possible", bins[0] * bins[1], MOST_BINS);
    request_tell(r, 0, lun_count_dtype(b->weights), n, shape);
    return LUN_OK;
}

/* Takes the least and the largest element of array i where its range is not given. */
static lun_status find_range(bool *more, lun_request *r, binning *b, int i, lun_error *err)
{
    lun_number ends[2] = {lun_real(0), lun_real(1)};
    const lun_array *array = b->in[i];
    const char *what = b->count == 1 ? "the array" : i == 0 ? "x" : "y";
    const lun_dtype edges = r->results[1 + i].dtype;
    double *low = &b->low[i], *high = &b->high[i];
    const bool no_low = isnan(*low), no_high = isnan(*high);
    if ((no_low || no_high) && array->size)
        TRY(find_ends(more, r, ends, array, err));
    if (*more)
        return LUN_OK;
    if ((no_low && !isfinite(ends[0].real)) || (no_high && !isfinite(ends[1].real)))
        FAIL(LUN_MISUSE, "%s has %s; the options low and high give a range, outside of which nothing is counted", what,
             isnan(ends[0].real) ? "NaN among its elements" : "infinite elements");
    *low = no_low ? lun_number_outward(ends[0], array->dtype, edges, false) : *low;
    *high = no_high ? lun_number_outward(ends[1], array->dtype, edges, true) : *high;
    if (no_low && no_high && *low == *high) {
        *low -= 0.5;
        *high += 0.5;
    }
    return LUN_OK;
}

/* A stage for each array's range. */
static lun_status run_histogram(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    binning *b = r->state;
    for (; r->stage < b->count; r->stage++) {
        TRY(find_range(more, r, b, r->stage, err));
        if (*more)
            return LUN_OK;
    }
    const lun_array *const edges[2] = {out[1], b->count == 2 ? out[2] : NULL};
    return b->count == 1 ? lun_histogram(out[0], out[1], b->in[0], b->weights, b->low[0], b->high[0], &r->call, err)
                         : lun_histogram2d(out[0], edges, b->in, b->weights, b->low, b->high, &r->call, err);
}

const request_functions histogram_functions = {bind_histogram, run_histogram};
