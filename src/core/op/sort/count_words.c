/* Counting: how many bins there are, and where they begin and end. */
#include "call/compose.h"

#include "api/reductions.h"

#include <math.h>

#define MOST_BINS INT32_MAX

/* The least and the largest element. */
typedef struct ends {
    lun_number low, high;
} ends;

/* Those of an array, which the word waits for. */
static lun_status find_ends(ends **out, composing *c, const lun_array *in, lun_error *err)
{
    static const lun_reduce_op ops[2] = {LUN_REDUCE_min, LUN_REDUCE_max};
    lun_number found[2] = {lun_integer(0), lun_integer(0)};
    COMPOSE_KEPT(*out, c);
    if (!compose_enters(c))
        return LUN_OK;
    TRY(request_reduce(c->more, c->r, found, in, ops, 2, err));
    for (int i = 0; i < 2 && in->dtype == LUN_u64; i++)
        found[i].real = (double)(uint64_t)found[i].integer;
    **out = (ends){found[0], found[1]};
    return LUN_OK;
}

/* ---- bincount ------------------------------------------------------------------------------------------------------------ */

/* As many bins as the largest value wants. */
static lun_status count_bins(size_t *out, const ends *found, lun_dtype dtype, int64_t from, lun_error *err)
{
    const bool natural = dtype == LUN_u64;
    const int64_t least = found->low.integer, largest = found->high.integer;
    if (natural ? from > 0 && (uint64_t)least < (uint64_t)from : least < from)
        FAIL(LUN_MISUSE, "the least value is %lld; %s", (long long)least,
             from == 0 ? "values from 0 are counted" : "position 1 counts the value 1, or 0 with from = 0");
    if (found->high.real - (double)from >= MOST_BINS)
        FAIL(LUN_MISUSE,
             natural ? "the largest value is %llu; %d values can be counted"
                     : "the largest value is %lld; %d values can be counted",
             (long long)largest, MOST_BINS);
    *out = (size_t)(largest - from + 1);
    return LUN_OK;
}

static lun_status bincount(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *weights = request_array_option(c->r, "weights"),
                    *given = request_array_option(c->r, "out");
    const bool named = request_option(c->r, "size");
    const bool open = !named && !given && in->size && lun_dtype_has(in->dtype, LUN_WHOLE);
    const int64_t from = request_whole(c->r, "from", 1),
                  size = request_whole(c->r, "size", given ? (int64_t)given->size : 0);
    size_t bins = (size_t)size;
    ends *found;
    lun_array *out;
    if (named && (size < 1 || size > MOST_BINS))
        FAIL(LUN_MISUSE, "size is %lld; a whole number from 1 to %d is needed", (long long)size, MOST_BINS);
    TRY(compose_late(c, 0, lun_count_dtype(weights), err));
    if (open)
        TRY(find_ends(&found, c, in, err));
    if (compose_waits(c))
        return LUN_OK;
    if (open)
        TRY(count_bins(&bins, found, in->dtype, from, err));
    TRY(compose_late_result(&out, c, 0, 1, &bins, err));
    return CALLED(c, true, lun_bincount(out, in, weights, from, &call, err));
}

COMPOSED(bincount)

/* ---- histograms: of one array, or of pairs x, y ----------------------------------------------------------------------------- */

typedef struct binning {
    int count; /* of arrays */
    const lun_array *in[2], *out[3], *weights;
    double bins[2], low[2], high[2]; /* where the bins begin and end; NaN: nobody has said so */
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
        FAIL(LUN_MISUSE, "option '%s': the list has %zu numbers; one for x and one for y are needed", name,
             value->list.count);
    for (int i = 0; i < count; i++) {
        const lun_value *item = value_item(value, (size_t)i);
        if (item->kind != LUN_VALUE_NUMBER)
            FAIL(LUN_MISUSE, "option '%s': number %d of the list is %s", name, i + 1, kind_shown(r, item));
        if (isnan(item->number.real))
            FAIL(LUN_MISUSE, "%s is nan; a number is needed", name);
        out[i] = item->number.real;
    }
    return LUN_OK;
}

static lun_status read_options(binning *b, const composing *c, lun_error *err)
{
    b->count = c->r->operation->owner == LUN_OF_ARRAY ? 1 : 2;
    for (int i = 0; i < b->count; i++)
        b->in[i] = c->r->arguments[b->count == 1 ? 0 : 1 + i].array;
    b->weights = request_array_option(c->r, "weights");
    TRY(read_each(b->bins, c->r, "bins", 10, b->count, err));
    TRY(read_each(b->low, c->r, "low", NAN, b->count, err));
    return read_each(b->high, c->r, "high", NAN, b->count, err);
}

/* The counts, and the edges along each axis. */
static lun_status say_results(binning *b, composing *c, lun_error *err)
{
    char text[LUN_NUMBER_TEXT];
    size_t shape[2];
    c->results = 1 + (size_t)b->count;
    for (int i = 0; i < b->count; i++) {
        if (!(b->bins[i] >= 1 && b->bins[i] < MOST_BINS && floor(b->bins[i]) == b->bins[i]))
            FAIL(LUN_MISUSE, "bins is %s; a whole number from 1 to %d is needed", lun_number_digits(text, b->bins[i]),
                 MOST_BINS - 1);
        shape[i] = (size_t)b->bins[i];
        TRY(compose_result(&b->out[1 + i], c, 1 + (size_t)i, lun_histogram_dtype(b->in[i]), 1, &(size_t){shape[i] + 1},
                           err));
    }
    if (b->count == 2 && b->bins[0] * b->bins[1] > MOST_BINS)
        FAIL(LUN_MISUSE, "%.0f bins are too many; %d are possible", b->bins[0] * b->bins[1], MOST_BINS);
    return compose_result(&b->out[0], c, 0, lun_count_dtype(b->weights), b->count, shape, err);
}

/* From the least to the largest element of array i where its range is not given. */
static lun_status find_range(binning *b, composing *c, int i, lun_error *err)
{
    ends none = {lun_real(0), lun_real(1)}, *found = &none;
    const char *what = b->count == 1 ? "the array" : i == 0 ? "x" : "y";
    const lun_dtype dtype = b->in[i]->dtype, edges = b->out[1 + i]->dtype;
    double *low = &b->low[i], *high = &b->high[i];
    const bool no_low = isnan(*low), no_high = isnan(*high);
    if ((no_low || no_high) && b->in[i]->size)
        TRY(find_ends(&found, c, b->in[i], err));
    if (compose_waits(c))
        return LUN_OK;
    if ((no_low && !isfinite(found->low.real)) || (no_high && !isfinite(found->high.real)))
        FAIL(LUN_MISUSE, "%s has %s; the options low and high give a range; elements outside are not counted", what,
             isnan(found->low.real) ? "NaN among its elements" : "infinite elements");
    *low = no_low ? lun_number_outward(found->low, dtype, edges, false) : *low;
    *high = no_high ? lun_number_outward(found->high, dtype, edges, true) : *high;
    if (no_low && no_high && *low == *high) {
        *low -= 0.5;
        *high += 0.5;
    }
    return LUN_OK;
}

static lun_status histogram(composing *c, lun_error *err)
{
    binning b = {.count = 1};
    TRY(read_options(&b, c, err));
    TRY(say_results(&b, c, err));
    for (int i = 0; i < b.count; i++) {
        TRY(find_range(&b, c, i, err));
        if (compose_waits(c))
            return LUN_OK;
    }
    return CALLED(c, true,
                  b.count == 1 ? lun_histogram(b.out[0], b.out[1], b.in[0], b.weights, b.low[0], b.high[0], &call, err)
                               : lun_histogram2d(b.out[0], b.out + 1, b.in, b.weights, b.low, b.high, &call, err));
}

COMPOSED(histogram)
