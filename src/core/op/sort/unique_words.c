/* Distinct values, rows and sets. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "op/sort/member.h"

#include <string.h>

/* Intermediate arrays. The number of values is known only from the counts of the marks, so the results' shapes are set
 * late. */
typedef struct distinct {
    bool counts, inverse, first;
    bool rows; /* for slices along an axis instead of elements: */
    int axis;
    size_t elements;
    const lun_array *in, *sorted, *marks, *positions; /* NULL: neither inverse nor first positions, nor rows */
    const lun_array *mask_counts;
    size_t found;
} distinct;

/* ---- marks --------------------------------------------------------------------------------------------------------------- */

/* Sorts the elements, and marks the first of each value. */
static lun_status sort_elements(composing *c, distinct *d, const lun_array *in, lun_error *err)
{
    lun_array *sorted, *marks, *positions = NULL;
    const lun_call call = request_unnoticed(c->r);
    TRY(compose_array(&sorted, c, in->dtype, 1, &in->size, err));
    TRY(compose_array(&marks, c, LUN_u8, 1, &in->size, err));
    if (d->inverse || d->first)
        TRY(compose_array(&positions, c, LUN_i64, 1, &in->size, err));
    if (compose_enters(c))
        TRY(lun_unique_sort(sorted, positions, marks, in, &call, err));
    d->sorted = sorted;
    d->marks = marks;
    d->positions = positions;
    return LUN_OK;
}

/* The keys of a column, the least significant first: for complex numbers the imaginary part, the real part, and whether
 * one of them is NaN. */
static lun_status find_keys(const lun_array *keys[3], size_t *count, composing *c, const lun_array *column,
                            lun_error *err)
{
    composed x = {0};
    *count = 1;
    keys[0] = column;
    if (!lun_dtype_has(column->dtype, LUN_PAIRS))
        return LUN_OK;
    for (size_t i = 0; i < 2; i++) {
        lun_array *part;
        COMPOSE_VIEW(part, c, lun_array_part(part, column, i == 0, err));
        keys[i] = part;
    }
    x.results[0] = of_op1(&x, LUN_MAP_isnan, of_array(&x, column));
    TRY(compose_map(&keys[2], c, &x, err));
    *count = 3;
    return LUN_OK;
}

/* The order by a key, and for equal keys the previous order, which may be NULL: sorting is stable. */
static lun_status order_by(const lun_array **order, composing *c, const lun_array *key, lun_error *err)
{
    lun_array *places;
    const lun_call call = request_unnoticed(c->r);
    if (*order)
        TRY(compose_take(&key, c, key, *order, 0, err));
    TRY(compose_array(&places, c, LUN_i64, 1, key->shape, err));
    if (compose_enters(c))
        TRY(lun_sort(NULL, places, key, &(lun_sorting){.axis = 0}, &call, err));
    if (*order)
        TRY(compose_take(order, c, *order, places, 0, err));
    else
        *order = places;
    return LUN_OK;
}

/* The rows' order: by the last column first. */
static lun_status order_rows(const lun_array **out, composing *c, const lun_array *rows, lun_error *err)
{
    const lun_array *order = NULL, *column, *keys[3];
    lun_array *start;
    for (size_t j = rows->shape[1]; j-- > 0;) {
        size_t count;
        TRY(compose_slice(&column, c, rows, 1, (int64_t)j, 1, 1, err));
        TRY(compose_reshape(&column, c, column, 1, rows->shape, err));
        TRY(find_keys(keys, &count, c, column, err));
        for (size_t i = 0; i < count; i++)
            TRY(order_by(&order, c, keys[i], err));
    }
    if (!order) { /* rows of nothing */
        TRY(compose_sequence(&start, c, rows->shape[0], 1, 1, err));
        order = start;
    }
    *out = order;
    return LUN_OK;
}

/* Marks the first of the sorted rows, and each row that differs from the one before; NaN are equal. */
static lun_status mark_rows(composing *c, lun_array *marks, const lun_array *sorted, lun_error *err)
{
    composed x = {0};
    const composed_axes over = {.axis = {false, true}};
    const size_t count = sorted->shape[0];
    const lun_array *one, *others, *before, *behind;
    TRY(compose_slice(&one, c, marks, 0, 0, 1, 1, err));
    TRY(compose_slice(&others, c, marks, 0, 1, 1, count - 1, err));
    TRY(compose_slice(&before, c, sorted, 0, 0, 1, count - 1, err));
    TRY(compose_slice(&behind, c, sorted, 0, 1, 1, count - 1, err));
    TRY(CALLED(c, false, lun_array_fill(one, lun_truth(true), &call, err)));
    if (count == 1)
        return LUN_OK;
    const unsigned a = of_array(&x, before), b = of_array(&x, behind);
    const unsigned numbers = of_op(&x, LUN_MAP_lor, of_op(&x, LUN_MAP_eq, a, a), of_op(&x, LUN_MAP_eq, b, b));
    x.results[0] = of_op(&x, LUN_MAP_land, of_op(&x, LUN_MAP_ne, a, b), numbers);
    return compose_fold_into(c, others, &x, LUN_REDUCE_any, &over, false, err);
}

/* The positions along the axis as rows of a matrix. */
static lun_status as_rows(const lun_array **out, composing *c, const lun_array *in, int axis, lun_error *err)
{
    int axes[LUN_MAX_AXES] = {axis};
    lun_array *turned;
    for (int i = 1; i < in->ndim; i++)
        axes[i] = i - (i <= axis);
    COMPOSE_VIEW(turned, c, lun_array_permute(turned, in, axes, err));
    const size_t count = in->shape[axis];
    size_t width = 1;
    for (int i = 0; i < in->ndim; i++)
        width *= i == axis ? 1 : in->shape[i];
    return compose_reshape(out, c, turned, 2, (size_t[]){count, width}, err);
}

static lun_status sort_rows(composing *c, distinct *d, const lun_array *rows, lun_error *err)
{
    lun_array *marks;
    TRY(order_rows(&d->positions, c, rows, err));
    TRY(compose_array(&marks, c, LUN_bool, 1, rows->shape, err));
    d->marks = marks;
    d->sorted = rows;
    if (rows->shape[0]) {
        TRY(compose_take(&d->sorted, c, rows, d->positions, 0, err));
        TRY(mark_rows(c, marks, d->sorted, err));
    }
    return LUN_OK;
}

/* Complex numbers are rows of one element: sorted by real parts, then by imaginary ones; NaN are last, and equal. */
static lun_status sort_pairs(composing *c, distinct *d, const lun_array *in, lun_error *err)
{
    const lun_array *rows;
    TRY(compose_reshape(&rows, c, in, 2, (size_t[]){in->size, 1}, err));
    TRY(sort_rows(c, d, rows, err));
    return compose_reshape(&d->sorted, c, d->sorted, 1, &in->size, err);
}

/* ---- sets ---------------------------------------------------------------------------------------------------------------- */

/* Both arrays, concatenated. */
static lun_status join(const lun_array **out, composing *c, lun_error *err)
{
    const lun_array *flat[2];
    lun_array *both;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    for (int i = 0; i < 2; i++)
        TRY(compose_reshape(&flat[i], c, c->r->arguments[i].array, 1, &c->r->arguments[i].array->size, err));
    TRY(lun_concat_result(&dtype, &ndim, shape, flat, 2, 0, err));
    TRY(compose_array(&both, c, dtype, ndim, shape, err));
    TRY(CALLED(c, false, lun_concat(both, flat, 2, 0, &call, err)));
    *out = both;
    return LUN_OK;
}

/* A node: whether each sorted value is, or is not, in an array. */
static lun_status member_of(unsigned *out, composed *x, composing *c, const distinct *d, unsigned argument, bool is,
                            lun_error *err)
{
    lun_array *there;
    TRY(compose_array(&there, c, LUN_bool, 1, d->sorted->shape, err));
    TRY(member_tell(there, c, d->sorted, c->r->arguments[argument].array, is, false, err));
    *out = of_array(x, there);
    return LUN_OK;
}

/* Keeps the marks of values that the other array has, or does not have; or of values that are in only one of both
 * arrays. */
static lun_status keep_marks(composing *c, distinct *d, lun_error *err)
{
    composed x = {0};
    unsigned kept, others;
    TRY(member_of(&kept, &x, c, d, 1, request_is(c->r, ROW_COMMON), err));
    if (request_is(c->r, ROW_JOINED)) {
        TRY(member_of(&others, &x, c, d, 0, false, err));
        kept = of_op(&x, LUN_MAP_lor, kept, others);
    }
    x.results[0] = of_op(&x, LUN_MAP_land, of_array(&x, d->marks), kept);
    return compose_map(&d->marks, c, &x, err);
}

/* ---- all of them --------------------------------------------------------------------------------------------------------- */

/* The steps before counting. */
static lun_status prepare(composing *c, distinct *d, lun_error *err)
{
    const lun_array *in = d->in, *rows;
    if (d->rows) {
        TRY(as_rows(&rows, c, in, d->axis, err));
        return sort_rows(c, d, rows, err);
    }
    d->elements = in->size;
    if (lun_dtype_has(in->dtype, LUN_PAIRS))
        return sort_pairs(c, d, in, err);
    if (request_is(c->r, ROW_JOINED))
        TRY(join(&in, c, err));
    d->elements = in->size;
    TRY(sort_elements(c, d, in, err));
    if (request_is(c->r, ROW_COMMON) || request_is(c->r, ROW_APART))
        TRY(keep_marks(c, d, err));
    return LUN_OK;
}

/* The values, or the rows, that are marked. */
static lun_status give_values(composing *c, const distinct *d, const lun_call *last, lun_error *err)
{
    const lun_call quiet = request_quiet(c->r);
    lun_array *chosen, *out;
    size_t shape[LUN_MAX_AXES];
    if (!d->rows) {
        TRY(compose_late_result(&out, c, 0, 1, &d->found, err));
        return compose_enters(c) ? lun_mask(out, d->sorted, d->marks, d->mask_counts, last, err) : LUN_OK;
    }
    TRY(compose_array(&chosen, c, LUN_i64, 1, &d->found, err));
    if (compose_enters(c))
        TRY(lun_mask(chosen, d->positions, d->marks, d->mask_counts, &quiet, err));
    memcpy(shape, d->in->shape, sizeof shape);
    shape[d->axis] = d->found;
    TRY(compose_late_result(&out, c, 0, d->in->ndim, shape, err));
    return compose_enters(c) ? lun_take(out, d->in, chosen, d->axis, last, err) : LUN_OK;
}

/* The results: the values, the count of each, the position of each element's value, and the first position of each
 * value. */
static lun_status give(composing *c, const distinct *d, lun_error *err)
{
    const lun_call quiet = request_quiet(c->r), last = {.queue = c->r->call.queue, .event = c->r->call.event};
    const bool telling = d->counts || d->inverse;
    const size_t i = 1u + d->counts + d->inverse;
    lun_array *counts = NULL, *first, *starts;
    if (d->counts)
        TRY(compose_late_result(&counts, c, 1, 1, &d->found, err));
    if (d->first) {
        TRY(compose_late_result(&first, c, i, 1, &d->found, err));
        if (compose_enters(c))
            TRY(lun_mask(first, d->positions, d->marks, d->mask_counts, &quiet, err));
    }
    TRY(give_values(c, d, telling ? &quiet : &last, err));
    if (!telling)
        return LUN_OK;
    TRY(compose_array(&starts, c, LUN_i64, 2, (size_t[]){1, d->found}, err));
    if (compose_enters(c))
        TRY(lun_nonzero(starts, d->marks, d->mask_counts, &quiet, err));
    if (compose_enters(c))
        TRY(lun_unique_tell(counts, d->inverse ? c->out[i - 1] : NULL, starts, d->positions, d->elements, &last, err));
    return LUN_OK;
}

static lun_status give_distinct(composing *c, distinct *d, lun_error *err)
{
    const lun_call quiet = request_quiet(c->r);
    if (!c->out)
        return LUN_OK;
    TRY(prepare(c, d, err));
    TRY(compose_count(&d->mask_counts, &d->found, c, d->marks, &quiet, err));
    return compose_waits(c) ? LUN_OK : give(c, d, err);
}

static lun_status unique(composing *c, lun_error *err)
{
    const lun_value *axis = request_option(c->r, "axis");
    const lun_array *in = c->r->arguments[0].array, *inverse;
    distinct d = {.in = in,
                  .counts = request_truth(c->r, "counts"),
                  .inverse = request_truth(c->r, "inverse"),
                  .first = request_truth(c->r, "first"),
                  .rows = axis};
    size_t i = 0;
    if (axis)
        TRY(value_axis(&d.axis, c->r, axis, in->ndim, in->shape, err));
    d.elements = axis ? in->shape[d.axis] : in->size;
    c->results = 1u + d.counts + d.inverse + d.first;
    TRY(compose_late(c, i++, in->dtype, err));
    if (d.counts)
        TRY(compose_late(c, i++, LUN_i64, err));
    if (d.inverse)
        TRY(compose_result(&inverse, c, i++, LUN_i64, axis ? 1 : in->ndim, axis ? &d.elements : in->shape, err));
    if (d.first)
        TRY(compose_late(c, i, LUN_i64, err));
    return give_distinct(c, &d, err);
}

static lun_status set(composing *c, lun_error *err)
{
    const lun_array *a = c->r->arguments[0].array, *b = c->r->arguments[1].array;
    const bool both = request_is(c->r, ROW_JOINED);
    distinct d = {.in = a};
    TRY(dtype_check_ordered(a->dtype, err));
    TRY(dtype_check_ordered(b->dtype, err));
    TRY(array_check_same_device(b, a, "the other array", err));
    TRY(compose_late(c, 0, both ? lun_dtype_promoted(a->dtype, b->dtype) : a->dtype, err));
    return give_distinct(c, &d, err);
}

COMPOSED(unique)
COMPOSED(set)
