/* The steps of sums of products: one pass over several terms, or a matrix product of two. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "op/product/product.h"

#include <string.h>

/* ---- views --------------------------------------------------------------------------------------------------------- */

lun_status product_view(const lun_array **out, product *p, const product_term *term, const unsigned char *label,
                        int count, lun_error *err)
{
    lun_array *made, view = *term->array;
    view.ndim = count;
    for (int i = 0; i < count; i++) {
        view.shape[i] = 1;
        view.stride[i] = 0;
        for (int own = 0; own < term->count; own++)
            if (term->label[own] == label[i]) {
                view.shape[i] = term->array->shape[own];
                view.stride[i] = term->array->stride[own];
            }
    }
    COMPOSE_VIEW(made, p->c, lun_array_view(made, &view, err));
    *out = made;
    return LUN_OK;
}

/* The low bits of integers: what integers of that dtype, which wrap, would have been. */
static lun_status view_low_bits(const lun_array **out, product *p, const lun_array *wide, lun_error *err)
{
    const int64_t parts = (int64_t)(lun_dtype_bytes(wide->dtype) / lun_dtype_bytes(p->dtype));
    lun_array *made, view = *wide;
    view.dtype = p->dtype;
    view.offset *= parts;
    for (int i = 0; i < view.ndim; i++)
        view.stride[i] *= parts;
    COMPOSE_VIEW(made, p->c, lun_array_view(made, &view, err));
    *out = made;
    return LUN_OK;
}

/* Does one stride go through these axes? */
static bool is_one_axis(const lun_array *array, int from, int count)
{
    for (int i = from; i + 1 < from + count; i++)
        if (array->stride[i] != array->stride[i + 1] * (int64_t)array->shape[i + 1])
            return false;
    return true;
}

/* ---- new terms ------------------------------------------------------------------------------------------------------ */

/* Labels of a set, those of the terms in the terms' order. */
static int list_labels(unsigned char *out, const product_term *terms, size_t count, product_labels set)
{
    int found = 0;
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < terms[k].count; i++)
            if (set & LABEL(terms[k].label[i])) {
                out[found++] = terms[k].label[i];
                set &= ~LABEL(terms[k].label[i]);
            }
    return found;
}

static lun_status make_term(product_term *out, product *p, const unsigned char *label, int count,
                            const product_term *to, lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    lun_array *made;
    if (to) {
        *out = *to;
        return LUN_OK;
    }
    for (int i = 0; i < count; i++)
        shape[i] = p->size[label[i]];
    memcpy(out->label, label, (size_t)count);
    out->count = count;
    TRY(compose_array(&made, p->c, p->dtype, count, shape, err));
    out->array = made;
    return LUN_OK;
}

/* ---- one pass ------------------------------------------------------------------------------------------------------- */

/* The product of views, in the one dtype. */
static lun_status write_product(composed *x, product *p, const product_term *terms, size_t count,
                                const unsigned char *label, int axes, lun_error *err)
{
    const lun_array *view;
    for (size_t k = 0; k < count; k++) {
        TRY(product_view(&view, p, &terms[k], label, axes, err));
        unsigned value = of_array(x, view);
        if (view->dtype != p->dtype)
            value = of_cast(x, p->dtype, value);
        x->results[0] = k ? of_op(x, LUN_MAP_mul, x->results[0], value) : value;
    }
    return LUN_OK;
}

/* Sums have a wider dtype. */
static lun_status give_sum(product_term *out, product *p, const lun_array *sum, const unsigned char *label, int count,
                           const product_term *to, lun_error *err)
{
    const lun_array *view;
    if (dtype_is_whole(sum->dtype))
        TRY(view_low_bits(&sum, p, sum, err));
    TRY(make_term(out, p, label, count, to, err));
    TRY(product_view(&view, p, out, label, count, err));
    return compose_copy(p->c, view, sum, to != NULL, err);
}

lun_status product_fold(product_term *out, product *p, const product_term *terms, size_t count, product_labels keep,
                        const product_term *to, lun_error *err)
{
    composed x = {0};
    composed_axes over = {.keepdims = false};
    const lun_reduce_op add = LUN_REDUCE_sum;
    unsigned char label[PRODUCT_LABELS];
    const lun_array *view, *sum;
    product_labels all = 0;
    for (size_t k = 0; k < count; k++)
        all |= product_labels_of(&terms[k]);
    keep &= all;
    int kept = list_labels(label, terms, count, keep);
    if (to)
        memcpy(label, to->label, (size_t)(kept = to->count));
    const int axes = kept + list_labels(label + kept, terms, count, all & ~keep);
    if (axes > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "a step would have %d axes; at most %d are possible", axes, LUN_MAX_AXES);
    TRY(write_product(&x, p, terms, count, label, axes, err));
    for (int i = kept; i < axes; i++)
        over.axis[i] = true;
    if (axes == kept) {
        TRY(make_term(out, p, label, kept, to, err));
        TRY(product_view(&view, p, out, label, kept, err));
        TRY(count > 1 ? compose_into(p->c, &view, &x, to != NULL, err)
                      : compose_copy(p->c, view, x.arrays[0], to != NULL, err));
        return LUN_OK;
    }
    if (dtype_summed(p->dtype) == p->dtype) {
        TRY(make_term(out, p, label, kept, to, err));
        TRY(product_view(&view, p, out, label, kept, err));
        TRY(compose_fold_into(p->c, view, &x, add, &over, to != NULL, err));
        return LUN_OK;
    }
    TRY(compose_fold(&sum, p->c, &x, &add, &over, err));
    return give_sum(out, p, sum, label, kept, to, err);
}

/* ---- matrices ------------------------------------------------------------------------------------------------------- */

/* A product of matrices: labels of batches, rows, columns, and what is summed over. */
typedef struct matrices {
    unsigned char batch[PRODUCT_LABELS], rows[PRODUCT_LABELS], columns[PRODUCT_LABELS], inner[PRODUCT_LABELS];
    int batches, row_count, column_count, inner_count;
} matrices;

/* A term as a batch of matrices whose axes are two lists of labels; *copies: it would have to be copied. */
static lun_status view_matrices(const lun_array **out, bool *copies, product *p, const product_term *term,
                                const matrices *m, const unsigned char *first, int first_count,
                                const unsigned char *second, int second_count, lun_error *err)
{
    unsigned char label[3 * PRODUCT_LABELS];
    memcpy(label, m->batch, (size_t)m->batches);
    memcpy(label + m->batches, first, (size_t)first_count);
    memcpy(label + m->batches + first_count, second, (size_t)second_count);
    TRY(product_view(out, p, term, label, m->batches + first_count + second_count, err));
    *copies = !is_one_axis(*out, m->batches, first_count) || !is_one_axis(*out, m->batches + first_count, second_count);
    return LUN_OK;
}

/* Merges both lists into an axis each; copies where that has to be, and casts where the other side is not of the dtype either. */
static lun_status merge(const lun_array **view, product *p, const matrices *m, int first_count, bool copies,
                        lun_error *err)
{
    const lun_array *from = *view;
    lun_array *copy;
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, from->shape, sizeof shape);
    size_t *sides = shape + m->batches;
    sides[0] = sides[1] = 1;
    for (int i = m->batches; i < from->ndim; i++)
        sides[i - m->batches >= first_count] *= from->shape[i];
    if (copies) {
        TRY(compose_array(&copy, p->c, p->dtype, from->ndim, from->shape, err));
        TRY(compose_copy(p->c, copy, from, false, err));
        *view = copy;
    }
    return compose_reshape(view, p->c, *view, m->batches + 2, shape, err);
}

/* Where the product goes: what is needed, where its axes merge, or a new array, which is copied afterwards. */
static lun_status find_target(product_term *made, const lun_array **matrix, bool *direct, product *p, const matrices *m,
                              const product_term *to, lun_error *err)
{
    unsigned char label[3 * PRODUCT_LABELS];
    bool copies = true;
    const int count = m->batches + m->row_count + m->column_count;
    memcpy(label, m->batch, (size_t)m->batches);
    memcpy(label + m->batches, m->rows, (size_t)m->row_count);
    memcpy(label + m->batches + m->row_count, m->columns, (size_t)m->column_count);
    if (count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "a step would have %d axes; at most %d are possible", count, LUN_MAX_AXES);
    if (to)
        TRY(view_matrices(matrix, &copies, p, to, m, m->rows, m->row_count, m->columns, m->column_count, err));
    *direct = to && !copies;
    if (*direct)
        *made = *to;
    else
        TRY(make_term(made, p, label, count, NULL, err));
    if (!*direct)
        TRY(product_view(matrix, p, made, label, count, err));
    return merge(matrix, p, m, m->row_count, false, err);
}

static lun_status multiply(product_term *out, product *p, const product_term *a, const product_term *b, matrices *m,
                           const product_term *to, lun_error *err)
{
    const lun_array *left, *right, *matrix, *view;
    bool copies_left, copies_right, direct = false;
    product_term made;
    TRY(view_matrices(&left, &copies_left, p, a, m, m->rows, m->row_count, m->inner, m->inner_count, err));
    TRY(view_matrices(&right, &copies_right, p, b, m, m->inner, m->inner_count, m->columns, m->column_count, err));
    if (copies_left && to) /* as the result has them */
        m->row_count = list_labels(m->rows, to, 1, product_labels_of(a) & ~product_labels_of(b));
    if (copies_right && to)
        m->column_count = list_labels(m->columns, to, 1, product_labels_of(b) & ~product_labels_of(a));
    TRY(view_matrices(&left, &copies_left, p, a, m, m->rows, m->row_count, m->inner, m->inner_count, err));
    TRY(view_matrices(&right, &copies_right, p, b, m, m->inner, m->inner_count, m->columns, m->column_count, err));
    copies_left = copies_left || lun_matmul_dtype(left->dtype, right->dtype) != p->dtype;
    TRY(merge(&left, p, m, m->row_count, copies_left, err));
    TRY(merge(&right, p, m, m->inner_count, copies_right, err));
    TRY(find_target(&made, &matrix, &direct, p, m, to, err));
    TRY(compose_matmul(p->c, matrix, left, right, direct, err));
    *out = made;
    if (!to || direct)
        return LUN_OK;
    TRY(product_view(&view, p, &made, to->label, to->count, err));
    TRY(compose_copy(p->c, to->array, view, true, err));
    *out = *to;
    return LUN_OK;
}

/* Does one stride go through the labels in this term? */
static lun_status is_merged(bool *out, product *p, const product_term *term, const unsigned char *label, int count,
                            lun_error *err)
{
    const lun_array *view;
    const lun_status status = product_view(&view, p, term, label, count, err);
    *out = status == LUN_OK && is_one_axis(view, 0, count);
    return status;
}

lun_status product_pair(product_term *out, product *p, const product_term *a, const product_term *b,
                        product_labels keep, const product_term *to, lun_error *err)
{
    const product_labels in_a = product_labels_of(a), in_b = product_labels_of(b);
    const product_term both[] = {*a, *b};
    matrices m;
    bool merged;
    m.batches = list_labels(m.batch, to ? to : a, 1, in_a & in_b & keep);
    m.inner_count = list_labels(m.inner, a, 1, in_a & in_b & ~keep);
    m.row_count = list_labels(m.rows, a, 1, in_a & ~in_b);
    m.column_count = list_labels(m.columns, b, 1, in_b & ~in_a);
    const bool vector = !m.row_count || !m.column_count;
    bool matrix = m.inner_count && (m.row_count || m.column_count) && m.batches + 2 <= LUN_MAX_AXES;
    if (matrix && vector) {
        const product_term *wide = m.row_count ? a : b, *thin = m.row_count ? b : a;
        TRY(is_merged(&merged, p, wide, m.inner, m.inner_count, err));
        matrix = merged && m.batches == 0;
        TRY(is_merged(&merged, p, thin, m.inner, m.inner_count, err));
        matrix = matrix && merged;
        TRY(is_merged(&merged, p, wide, m.row_count ? m.rows : m.columns, m.row_count + m.column_count, err));
        matrix = matrix && merged;
    }
    if (!matrix) {
        TRY(product_fold(out, p, both, 2, keep, to, err));
        return LUN_OK;
    }
    TRY(is_merged(&merged, p, a, m.inner, m.inner_count, err));
    if (!merged) /* if one has to be copied, let it be one alone */
        list_labels(m.inner, b, 1, in_a & in_b & ~keep);
    return multiply(out, p, a, b, &m, to, err);
}
