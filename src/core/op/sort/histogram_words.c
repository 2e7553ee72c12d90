/* Histograms of one array, of pairs x, y, or of the rows of a matrix: the range of bins, and counts between given
 * edges. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"
#include "op/sort/count_words.h"

#include <math.h>

typedef struct binning {
    int count;      /* of arrays */
    bool backwards; /* axis 0 is the last column's */
    const lun_array *in[LUN_MAX_AXES], *out[LUN_MAX_AXES + 1], *weights;
    const lun_value *edges[LUN_MAX_AXES]; /* that are given, or NULL */
    bool explicit, density;
    double bins[LUN_MAX_AXES], low[LUN_MAX_AXES],
        high[LUN_MAX_AXES]; /* the ends of the range of bins; NaN: not given */
} binning;

/* The array of axis i of the counts, in the host's order. */
static int place_of(const binning *b, int i) { return b->backwards ? b->count - 1 - i : i; }

/* An option with one value for all arrays, or a list with one for each; NULL: not given. */
static lun_status item_of(const lun_value **out, const lun_request *r, const char *name, int i, int count,
                          lun_error *err)
{
    const lun_value *value = *out = request_option(r, name);
    if (!value || value->kind != LUN_VALUE_LIST)
        return LUN_OK;
    if (value->list.count != (size_t)count)
        FAIL(LUN_MISUSE, "option '%s': the list has %zu %s; %s", name, value->list.count,
             value->list.count && value->list.items[0].kind != LUN_VALUE_NUMBER ? "elements" : "numbers",
             r->operation->owner == LUN_OF_MODULE ? "one for x and one for y are needed"
                                                  : "one for each column is needed");
    *out = &value->list.items[i];
    return LUN_OK;
}

static lun_status read_number(double *out, const lun_request *r, const char *name, int i, int count, lun_error *err)
{
    const lun_value *item;
    TRY(item_of(&item, r, name, i, count, err));
    if (item && item->kind != LUN_VALUE_NUMBER)
        FAIL(LUN_MISUSE, "option '%s': number %d of the list is %s", name, i + 1, kind_shown(r, item));
    if (item && isnan(item->number.real))
        FAIL(LUN_MISUSE, "%s is nan; a number is needed", name);
    *out = item ? item->number.real : *out;
    return LUN_OK;
}

/* The number of bins along axis i, or their edges as a list of numbers or an array. */
static lun_status read_bins(binning *b, const lun_request *r, int i, lun_error *err)
{
    char text[LUN_NUMBER_TEXT];
    const lun_value *bins = request_option(r, "bins");
    if (b->count > 1 || !bins || bins->kind != LUN_VALUE_LIST || request_is(r, ROW_SEVERAL))
        TRY(item_of(&bins, r, "bins", place_of(b, i), b->count, err));
    b->bins[i] = !bins ? 10 : bins->kind == LUN_VALUE_NUMBER ? bins->number.real : 0;
    if (bins && (bins->kind == LUN_VALUE_LIST || bins->kind == LUN_VALUE_ARRAY)) {
        const bool list = bins->kind == LUN_VALUE_LIST;
        if (!list)
            TRY(array_check_live(bins->array, "the array of edges", err));
        const size_t edges = list ? bins->list.count : bins->array->size;
        b->edges[i] = bins;
        b->explicit = true;
        b->bins[i] = (double)edges - 1;
        if (edges < 2)
            FAIL(LUN_MISUSE, "the number of edges is %zu; 2 or more are needed", edges);
        return LUN_OK;
    }
    if (bins && bins->kind != LUN_VALUE_NUMBER)
        FAIL(LUN_MISUSE, "option 'bins': a number of bins or their edges are needed, got %s", kind_shown(r, bins));
    if (!(b->bins[i] >= 1 && b->bins[i] < MOST_BINS && floor(b->bins[i]) == b->bins[i]))
        FAIL(LUN_MISUSE, "bins is %s; a whole number from 1 to %d is needed", lun_number_digits(text, b->bins[i]),
             MOST_BINS - 1);
    return LUN_OK;
}

/* The columns of a matrix (rows in the order of some hosts) as arrays of one axis. */
static lun_status find_columns(binning *b, composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *column;
    const int axis = !c->r->manner->reversed;
    TRY(array_check_live(in, "the array", err));
    if (in->ndim != 2 || in->shape[axis] == 0 || in->shape[axis] > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "a matrix of points by 1 to %d coordinates is needed", LUN_MAX_AXES);
    b->count = (int)in->shape[axis];
    b->backwards = c->r->manner->reversed;
    for (int i = 0; i < b->count; i++) {
        TRY(compose_slice(&column, c, in, axis, place_of(b, i), 1, 1, err));
        TRY(compose_reshape(&b->in[i], c, column, 1, &in->shape[1 - axis], err));
    }
    return LUN_OK;
}

static lun_status read_options(binning *b, composing *c, lun_error *err)
{
    const bool pair = c->r->operation->owner == LUN_OF_MODULE;
    b->count = pair ? 2 : 1;
    for (int i = 0; i < b->count; i++)
        b->in[i] = c->r->arguments[pair ? 1 + i : 0].array;
    if (request_is(c->r, ROW_SEVERAL))
        TRY(find_columns(b, c, err));
    b->weights = request_array_option(c->r, "weights");
    b->density = request_truth(c->r, "density");
    b->explicit = b->count > 2;
    for (int i = 0; i < b->count; i++) {
        b->low[i] = b->high[i] = NAN;
        TRY(read_bins(b, c->r, i, err));
        TRY(read_number(&b->low[i], c->r, "low", place_of(b, i), b->count, err));
        TRY(read_number(&b->high[i], c->r, "high", place_of(b, i), b->count, err));
        if (b->edges[i] && !(isnan(b->low[i]) && isnan(b->high[i])))
            FAIL(LUN_MISUSE, "low and high need a number of bins, but edges are given");
    }
    return LUN_OK;
}

static lun_dtype edges_dtype(const binning *b, int i)
{
    const bool given = b->edges[i] && b->edges[i]->kind == LUN_VALUE_ARRAY;
    return given ? b->edges[i]->array->dtype : lun_histogram_dtype(b->in[i]);
}

/* Of densities: that of the edges' rule, or of weights that are wider. */
static lun_dtype counts_dtype(const binning *b)
{
    const lun_dtype counts = lun_count_dtype(b->weights), real = lun_histogram_dtype(b->in[0]);
    return !b->density ? counts : lun_dtype_has(counts, LUN_WHOLE) ? real : lun_dtype_promoted(counts, real);
}

/* The counts, and the edges along each axis. */
static lun_status say_results(binning *b, composing *c, lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    double all = 1;
    c->results = 1 + (size_t)b->count;
    for (int i = 0; i < b->count; i++) {
        shape[i] = (size_t)b->bins[i];
        all *= b->bins[i];
        TRY(compose_result(&b->out[1 + i], c, 1 + (size_t)place_of(b, i), edges_dtype(b, i), 1, &(size_t){shape[i] + 1},
                           err));
    }
    if (all > MOST_BINS - b->explicit)
        FAIL(LUN_MISUSE, "%.0f bins are too many; at most %d are possible", all, MOST_BINS - b->explicit);
    return compose_result(&b->out[0], c, 0, counts_dtype(b), b->count, shape, err);
}

/* The default range: from the smallest to the largest element of array i. */
static lun_status find_range(binning *b, composing *c, int i, lun_error *err)
{
    ends none = {lun_real(0), lun_real(1)}, *found = &none;
    const bool pair = c->r->operation->owner == LUN_OF_MODULE;
    const char *what = pair ? i == 0 ? "x" : "y" : "the array";
    const lun_dtype dtype = b->in[i]->dtype, edges = b->out[1 + i]->dtype;
    double *low = &b->low[i], *high = &b->high[i];
    const bool no_low = isnan(*low), no_high = isnan(*high);
    if ((no_low || no_high) && b->in[i]->size)
        TRY(count_ends(&found, c, b->in[i], err));
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

/* ---- edges that are given ------------------------------------------------------------------------------------------------ */

typedef struct listed {
    size_t sent;
    bool read;
    double numbers[];
} listed;

/* Makes an array of that dtype from a list of numbers. */
static lun_status send_list(const lun_array **out, composing *c, const lun_list *list, lun_dtype dtype, lun_error *err)
{
    const lun_call quiet = request_quiet(c->r);
    const size_t bytes = lun_dtype_bytes(dtype);
    lun_array *made;
    listed *k;
    TRY(compose_kept((void **)&k, c, sizeof *k + list->count * sizeof *k->numbers, err));
    for (size_t i = 0; i < list->count && !k->read; i++) {
        if (list->items[i].kind != LUN_VALUE_NUMBER)
            FAIL(LUN_MISUSE, "option 'bins': edge %zu of the list is %s", i + 1, kind_shown(c->r, &list->items[i]));
        TRY(lun_number_round((char *)k->numbers + i * bytes, dtype, list->items[i].number, err));
    }
    k->read = true;
    TRY(compose_array(&made, c, dtype, 1, &list->count, err));
    *out = made;
    return compose_enters(c) ? lun_array_send(c->more, &k->sent, made, k->numbers, &quiet, err) : LUN_OK;
}

/* Writes given edges to the result of axis i, and waits to know whether they ascend. */
static lun_status bring_edges(binning *b, composing *c, int i, lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_nnz;
    const lun_value *given = b->edges[i];
    const lun_array *edges = given->array, *above, *below, *fits;
    const size_t bins = (size_t)b->bins[i];
    lun_number *found;
    composed x = {0};
    if (given->kind == LUN_VALUE_LIST)
        TRY(send_list(&edges, c, &given->list, edges_dtype(b, i), err));
    else
        TRY(dtype_check_ordered(edges->dtype, err));
    if (compose_waits(c))
        return LUN_OK;
    TRY(array_check_same_device(edges, b->in[i], "the array of edges", err));
    TRY(compose_reshape(&edges, c, edges, 1, &(size_t){bins + 1}, err));
    TRY(compose_copy(c, b->out[1 + i], edges, false, err));
    TRY(compose_slice(&below, c, edges, 0, 0, 1, bins, err));
    TRY(compose_slice(&above, c, edges, 0, 1, 1, bins, err));
    x.results[0] = of_array(&x, below);
    x.results[0] = of_op(&x, LUN_MAP_le, x.results[0], of_array(&x, above));
    TRY(compose_map(&fits, c, &x, err));
    COMPOSE_KEPT(found, c);
    if (compose_enters(c))
        TRY(request_reduce(c->more, c->r, found, fits, &op, 1, err));
    if (!compose_waits(c) && found->integer != (int64_t)bins)
        FAIL(LUN_MISUSE, "the edges%s do not ascend",
             b->count == 1 ? ""
             : i == 0      ? " of the first axis"
                           : " of a further axis");
    return LUN_OK;
}

/* Evenly spaced edges, as the counting kernels compute them. */
static lun_status space_edges(binning *b, composing *c, int i, lun_error *err)
{
    lun_array *counts;
    TRY(compose_array(&counts, c, LUN_i64, 1, &(size_t){(size_t)b->bins[i]}, err));
    return CALLED(c, false, lun_histogram(counts, b->out[1 + i], b->in[i], NULL, b->low[i], b->high[i], &call, err));
}

/* The bin of each element along axis i, from 0, combined with the bins of the axes before; -1: none. The last bin
 * includes its upper edge. */
static lun_status find_bins(const lun_array **bins, const binning *b, composing *c, const lun_array *in, int i,
                            lun_error *err)
{
    const lun_array *edges = b->out[1 + i], *last;
    const int64_t count = (int64_t)b->bins[i];
    lun_array *places;
    composed x = {0};
    TRY(compose_array(&places, c, LUN_i64, 1, in->shape, err));
    TRY(CALLED(c, false, lun_searchsorted(places, edges, in, true, &call, err)));
    TRY(compose_slice(&last, c, edges, 0, count, 1, 1, err));
    const unsigned first = of_number(&x, lun_integer(0)), top = of_number(&x, lun_integer(count - 1)),
                   none = of_number(&x, lun_integer(-1)), two = of_number(&x, lun_integer(2));
    const unsigned element = of_array(&x, in), is_last = of_op(&x, LUN_MAP_eq, element, of_array(&x, last));
    const unsigned place = of_op(&x, LUN_MAP_sub, of_array(&x, places), two);
    const unsigned bin = of_op3(&x, LUN_MAP_where, is_last, top, place);
    unsigned good = of_op(&x, LUN_MAP_land, of_op(&x, LUN_MAP_ge, bin, first), of_op(&x, LUN_MAP_le, bin, top)),
             all = bin;
    if (*bins) {
        const unsigned before = of_array(&x, *bins);
        good = of_op(&x, LUN_MAP_land, good, of_op(&x, LUN_MAP_ge, before, first));
        all = of_op(&x, LUN_MAP_add, of_op(&x, LUN_MAP_mul, before, of_number(&x, lun_integer(count))), bin);
    }
    x.results[0] = of_op3(&x, LUN_MAP_where, good, all, none);
    return compose_map(bins, c, &x, err);
}

/* Counts by searching the edges; counts[0] counts the elements outside of all bins. */
static lun_status count_between(const lun_array *to, binning *b, composing *c, bool last, lun_error *err)
{
    const lun_array *bins = NULL, *place, *inside, *weights = b->weights;
    lun_array *counts;
    for (int i = 0; i < b->count; i++) {
        const lun_array *in = b->in[i];
        TRY(compose_reshape(&in, c, in, 1, &in->size, err));
        if (!b->edges[i])
            TRY(space_edges(b, c, i, err));
        TRY(find_bins(&bins, b, c, in, i, err));
    }
    composed x = {0};
    x.results[0] = of_op(&x, LUN_MAP_add, of_array(&x, bins), of_number(&x, lun_integer(1)));
    TRY(compose_map(&place, c, &x, err));
    if (weights && weights->size == place->size)
        TRY(compose_reshape(&weights, c, weights, 1, &place->size, err));
    TRY(compose_array(&counts, c, lun_count_dtype(weights), 1, &(size_t){to->size + 1}, err));
    TRY(CALLED(c, false, lun_bincount(counts, place, weights, 0, &call, err)));
    TRY(compose_slice(&inside, c, counts, 0, 1, 1, to->size, err));
    TRY(compose_reshape(&inside, c, inside, to->ndim, to->shape, err));
    return compose_copy(c, to, inside, last, err);
}

/* ---- the operation ------------------------------------------------------------------------------------------------------------ */

/* The counts divided by their sum and by the sizes of the bins. */
static lun_status give_density(binning *b, composing *c, const lun_array *counts, lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_sum;
    const composed_axes over = {.axis = {true, true, true, true, true, true, true, true}};
    const lun_array *total;
    composed x = {0};
    x.results[0] = of_array(&x, counts);
    TRY(compose_fold(&total, c, &x, &op, &over, err));
    x = (composed){0};
    unsigned share = of_op(&x, LUN_MAP_div, of_wide(&x, counts), of_wide(&x, total));
    for (int i = 0; i < b->count; i++) {
        const size_t bins = counts->shape[i];
        size_t row[LUN_MAX_AXES];
        const lun_array *sides[2];
        for (int axis = 0; axis < b->count; axis++)
            row[axis] = axis == i ? bins : 1;
        for (int end = 0; end < 2; end++) {
            TRY(compose_slice(&sides[end], c, b->out[1 + i], 0, end, 1, bins, err));
            TRY(compose_reshape(&sides[end], c, sides[end], b->count, row, err));
        }
        const unsigned from = of_wide(&x, sides[0]), width = of_op(&x, LUN_MAP_sub, of_wide(&x, sides[1]), from);
        share = of_op(&x, LUN_MAP_div, share, width);
    }
    x.results[0] = of_cast(&x, b->out[0]->dtype, share);
    return compose_into(c, &b->out[0], &x, true, err);
}

static lun_status histogram(composing *c, lun_error *err)
{
    binning b = {.count = 1};
    lun_array *made;
    TRY(read_options(&b, c, err));
    TRY(say_results(&b, c, err));
    for (int i = 0; i < b.count; i++) {
        TRY(b.edges[i] ? bring_edges(&b, c, i, err) : find_range(&b, c, i, err));
        if (compose_waits(c))
            return LUN_OK;
    }
    const lun_array *counts = b.out[0];
    if (b.density) {
        TRY(compose_array(&made, c, lun_count_dtype(b.weights), counts->ndim, counts->shape, err));
        counts = made;
    }
    if (b.explicit)
        TRY(count_between(counts, &b, c, !b.density, err));
    else
        TRY(CALLED(c, !b.density,
                   b.count == 1 ? lun_histogram(counts, b.out[1], b.in[0], b.weights, b.low[0], b.high[0], &call, err)
                                : lun_histogram2d(counts, b.out + 1, b.in, b.weights, b.low, b.high, &call, err)));
    return b.density ? give_density(&b, c, counts, err) : LUN_OK;
}

COMPOSED(histogram)
