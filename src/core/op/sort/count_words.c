/* Counting integers: the number of bins. */
#include "op/sort/count_words.h"
#include "api/reductions.h"

lun_status count_ends(ends **out, composing *c, const lun_array *in, lun_error *err)
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

/* The number of bins for the largest value. */
static lun_status count_bins(size_t *out, const ends *found, lun_dtype dtype, int64_t from, lun_error *err)
{
    const bool natural = dtype == LUN_u64;
    const int64_t least = found->low.integer, largest = found->high.integer;
    if (natural ? from > 0 && (uint64_t)least < (uint64_t)from : least < from)
        FAIL(LUN_MISUSE, "the smallest value is %lld; %s", (long long)least,
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
        TRY(count_ends(&found, c, in, err));
    if (compose_waits(c))
        return LUN_OK;
    if (open)
        TRY(count_bins(&bins, found, in->dtype, from, err));
    TRY(compose_late_result(&out, c, 0, 1, &bins, err));
    return CALLED(c, true, lun_bincount(out, in, weights, from, &call, err));
}

COMPOSED(bincount)
