/* Products of two arrays that are not matrix products: outer, kron, cross, tensordot. */
#include "api/functions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"
#include "op/product/product.h"

#include <string.h>

static lun_status read_both(const lun_array **a, const lun_array **b, const composing *c, lun_error *err)
{
    *a = c->r->arguments[0].array;
    *b = c->r->arguments[1].array;
    return array_check_same_device(*a, *b, "the second array", err);
}

/* ---- outer ------------------------------------------------------------------------------------------------------------- */

/* The elements of each in a row: a column of those of a, beside those of b. */
static lun_status outer(composing *c, lun_error *err)
{
    const lun_array *a, *b, *left, *right;
    composed x = {0};
    TRY(read_both(&a, &b, c, err));
    TRY(compose_reshape(&left, c, a, 2, (size_t[]){a->size, 1}, err));
    TRY(compose_reshape(&right, c, b, 1, (size_t[]){b->size}, err));
    const unsigned first = of_array(&x, left);
    x.results[0] = of_op(&x, LUN_MAP_mul, first, of_array(&x, right));
    return compose_give_map(c, &x, err);
}

COMPOSED(outer)

/* ---- kron -------------------------------------------------------------------------------------------------------------- */

/* Each axis of the result is two: that of a, and within it that of b. Axes are matched from the last on. */
static void split_axes(lun_array *a, lun_array *b, size_t *shape, const lun_array *of_a, const lun_array *of_b,
                       int ndim)
{
    a->ndim = b->ndim = 2 * ndim;
    for (int i = 0; i < ndim; i++) {
        const int in_a = i - (ndim - of_a->ndim), in_b = i - (ndim - of_b->ndim);
        const bool has_a = in_a >= 0, has_b = in_b >= 0;
        a->shape[2 * i] = has_a ? of_a->shape[in_a] : 1;
        a->stride[2 * i] = has_a ? of_a->stride[in_a] : 0;
        b->shape[2 * i + 1] = has_b ? of_b->shape[in_b] : 1;
        b->stride[2 * i + 1] = has_b ? of_b->stride[in_b] : 0;
        a->shape[2 * i + 1] = b->shape[2 * i] = 1;
        a->stride[2 * i + 1] = b->stride[2 * i] = 0;
        shape[2 * i] = a->shape[2 * i];
        shape[2 * i + 1] = b->shape[2 * i + 1];
    }
}

static lun_status kron(composing *c, lun_error *err)
{
    const lun_array *a, *b, *out, *parted;
    size_t parts[2 * LUN_MAX_AXES], shape[LUN_MAX_AXES];
    composed x = {0};
    lun_dtype dtype;
    TRY(read_both(&a, &b, c, err));
    const int ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
    if (2 * ndim > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the arrays have %d and %d axes; at most %d are possible", a->ndim, b->ndim, LUN_MAX_AXES / 2);
    lun_array left = *a, right = *b; /* views that nobody keeps */
    split_axes(&left, &right, parts, a, b, ndim);
    for (int i = 0; i < ndim; i++)
        if (__builtin_mul_overflow(parts[2 * i], parts[2 * i + 1], &shape[i]))
            FAIL(LUN_MISUSE, "the result would have more than 2^64 - 1 elements along an axis");
    const unsigned first = of_array(&x, &left);
    x.results[0] = of_op(&x, LUN_MAP_mul, first, of_array(&x, &right));
    TRY(compose_dtype(&dtype, c, &x, err));
    TRY(compose_result(&out, c, 0, dtype, ndim, shape, err));
    for (int i = 0; c->out && i < 2; i++)
        TRY(array_check_apart(out, i ? b : a, err));
    TRY(compose_reshape(&parted, c, out, 2 * ndim, parts, err));
    return compose_into(c, &parted, &x, true, err);
}

COMPOSED(kron)

/* ---- cross ------------------------------------------------------------------------------------------------------------- */

/* The three parts of vectors along an axis. */
static lun_status part(const lun_array **out, composing *c, const lun_array *array, int axis, lun_error *err)
{
    for (int i = 0; i < 3; i++)
        TRY(compose_slice(&out[i], c, array, axis, i, 1, 1, err));
    return LUN_OK;
}

static lun_status check_vectors(int *axis, const composing *c, const lun_array *array, const char *which,
                                lun_error *err)
{
    char shape[200];
    TRY(compose_axis(axis, c, array, -1, err));
    if (array->shape[*axis] != 3)
        FAIL(LUN_MISUSE, "vectors of 3 numbers are needed along axis %d; %s has shape %s",
             array_axis_shown(array, *axis), which, array_shape_text(shape, sizeof shape, array));
    return LUN_OK;
}

static lun_status cross(composing *c, lun_error *err)
{
    const lun_array *a, *b, *out, *from_a[3], *from_b[3], *to[3];
    composed x = {.result_count = 3};
    int in_a, in_b, ndim;
    size_t shape[LUN_MAX_AXES];
    lun_dtype dtype;
    TRY(read_both(&a, &b, c, err));
    TRY(check_vectors(&in_a, c, a, "the array", err));
    TRY(check_vectors(&in_b, c, b, "the second array", err));
    if (!shape_broadcast(&ndim, shape, (const lun_array *const[]){a, b}, 2) || a->ndim - in_a != b->ndim - in_b)
        FAIL(LUN_MISUSE, "the vectors' axes differ, counted from the last: axis %d of %d, and axis %d of %d",
             array_axis_shown(a, in_a), a->ndim, array_axis_shown(b, in_b), b->ndim);
    TRY(part(from_a, c, a, in_a, err));
    TRY(part(from_b, c, b, in_b, err));
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const unsigned left = of_op(&x, LUN_MAP_mul, of_array(&x, from_a[j]), of_array(&x, from_b[k]));
        const unsigned right = of_op(&x, LUN_MAP_mul, of_array(&x, from_a[k]), of_array(&x, from_b[j]));
        x.results[i] = of_op(&x, LUN_MAP_sub, left, right);
    }
    TRY(compose_dtype(&dtype, c, &x, err));
    TRY(compose_result(&out, c, 0, dtype, ndim, shape, err));
    for (int i = 0; c->out && i < 2; i++)
        TRY(array_check_apart(out, i ? b : a, err));
    TRY(part(to, c, out, ndim - (a->ndim - in_a), err));
    return compose_into(c, to, &x, true, err);
}

COMPOSED(cross)

/* ---- tensordot --------------------------------------------------------------------------------------------------------- */

/* Which axes of an array are summed over, in order. */
typedef struct summed {
    int count, axis[LUN_MAX_AXES];
} summed;

static lun_status read_axes(summed *a, summed *b, const composing *c, const lun_array *const *both, lun_error *err)
{
    const lun_value *axes = &c->r->arguments[2];
    int64_t count = 2;
    if (axes->kind == LUN_VALUE_LIST) {
        if (axes->list.count != 2)
            FAIL(LUN_MISUSE, "axes: two lists are needed, the axes of each array; the list has %zu elements",
                 axes->list.count);
        TRY(value_axes(&a->count, a->axis, c->r, &axes->list.items[0], both[0]->ndim, both[0]->shape, false, err));
        TRY(value_axes(&b->count, b->axis, c->r, &axes->list.items[1], both[1]->ndim, both[1]->shape, false, err));
        if (a->count != b->count)
            FAIL(LUN_MISUSE, "axes: %d of the array and %d of the second one are named; equal numbers are needed",
                 a->count, b->count);
        return LUN_OK;
    }
    if (axes->kind != LUN_VALUE_NOTHING)
        TRY(request_integer_from(&count, c->r, 2, 0, err));
    if (count > both[0]->ndim || count > both[1]->ndim)
        FAIL(LUN_MISUSE, "axes: %lld of each array are to be summed over; the arrays have %d and %d", (long long)count,
             both[0]->ndim, both[1]->ndim);
    a->count = b->count = (int)count;
    for (int i = 0; i < (int)count; i++) {
        a->axis[i] = both[0]->ndim - (int)count + i;
        b->axis[i] = i;
    }
    return LUN_OK;
}

/* Labels an array's axes: those that are summed over from 0 on, the others from `free` on, which the result has too. */
static lun_status label_term(product *p, size_t k, const summed *s, int *free, lun_error *err)
{
    product_term *term = &p->terms[k];
    term->count = term->array->ndim;
    for (int i = 0; i < term->count; i++) {
        int label = 0;
        while (label < s->count && s->axis[label] != i)
            label++;
        if (label == s->count) {
            label = (*free)++;
            if (p->out.count == LUN_MAX_AXES)
                return fail(err, LUN_MISUSE, "the result would have more than %d axes", LUN_MAX_AXES);
            p->out.label[p->out.count++] = (unsigned char)label;
        }
        const size_t size = term->array->shape[i];
        if (k == 1 && label < s->count && p->size[label] != size)
            return fail(err, LUN_MISUSE, "axis %d of the array has size %zu, and axis %d of the second one %zu",
                        array_axis_shown(p->terms[0].array, s[-1].axis[label]), p->size[label],
                        array_axis_shown(term->array, i), size);
        p->size[label] = size;
        term->label[i] = (unsigned char)label;
    }
    return LUN_OK;
}

static lun_status tensordot(composing *c, lun_error *err)
{
    const lun_array *both[2];
    summed sums[2] = {{.count = 0}, {.count = 0}};
    int free = LUN_MAX_AXES;
    product p = {.c = c, .count = 2};
    p.terms = REQUEST_MEMORY(c->r, 2 * sizeof *p.terms);
    TRY(read_both(&both[0], &both[1], c, err));
    TRY(read_axes(&sums[0], &sums[1], c, both, err));
    p.dtype = lun_matmul_dtype(both[0]->dtype, both[1]->dtype);
    for (size_t k = 0; k < 2; k++) {
        p.terms[k].array = both[k];
        TRY(label_term(&p, k, &sums[k], &free, err));
    }
    c->numbers = p.out.count == 0 && !request_array_option(c->r, "out");
    return product_give(&p, err);
}

COMPOSED(tensordot)
