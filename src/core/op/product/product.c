/* Sums of products of any number of terms: each is made small first, then they are multiplied in the cheapest order. */
#include "op/product/product.h"

#include <string.h>

/* The labels that the terms but one, and the result, have. */
static product_labels others(const product *p, size_t but)
{
    product_labels labels = product_labels_of(&p->out);
    for (size_t k = 0; k < p->count; k++)
        labels |= k == but ? 0 : product_labels_of(&p->terms[k]);
    return labels;
}

/* Axes of size 1 say nothing: neither where the result has one too, nor where another term has more. */
static lun_status drop_single(product *p, product_term *term, lun_error *err)
{
    product_term thin = {.count = 0};
    for (int i = 0; i < term->count; i++)
        if (term->array->shape[i] != 1)
            thin.label[thin.count++] = term->label[i];
    if (thin.count < term->count)
        TRY(product_view(&thin.array, p, term, thin.label, thin.count, err));
    if (thin.count < term->count)
        *term = thin;
    return LUN_OK;
}

/* Sums over what a term alone has. */
static lun_status sum_alone(product *p, lun_error *err)
{
    for (size_t k = 0; k < p->count && p->count > 1; k++) {
        const product_labels keep = others(p, k);
        if (product_labels_of(&p->terms[k]) & ~keep)
            TRY(product_fold(&p->terms[k], p, &p->terms[k], 1, keep, NULL, err));
    }
    return LUN_OK;
}

/* The product of a set of terms, by its step. */
static lun_status evaluate(product_term *out, product *p, const product_step *steps, unsigned set,
                           const product_term *to, lun_error *err)
{
    product_term some[PRODUCT_BEST];
    product_labels keep = product_labels_of(&p->out);
    size_t count = 0;
    for (size_t k = 0; k < p->count; k++) {
        if (set >> k & 1)
            some[count++] = p->terms[k];
        else
            keep |= product_labels_of(&p->terms[k]);
    }
    const unsigned left = steps[set].left;
    if (count == 1 && !to) {
        *out = some[0];
    } else if (!left) {
        TRY(product_fold(out, p, some, count, keep, to, err));
    } else {
        TRY(evaluate(&some[0], p, steps, left, NULL, err));
        TRY(evaluate(&some[1], p, steps, set & ~left, NULL, err));
        TRY(product_pair(out, p, &some[0], &some[1], keep, to, err));
    }
    return LUN_OK;
}

/* Multiplies pairs until so few terms are left that the best order can be found. */
static lun_status multiply_some(product *p, lun_error *err)
{
    size_t left, right;
    while (p->count > PRODUCT_BEST) {
        product_next(&left, &right, p);
        const product_term a = p->terms[left], b = p->terms[right];
        p->terms[right] = p->terms[--p->count];
        TRY(product_pair(&p->terms[left], p, &a, &b, others(p, left), NULL, err));
    }
    return LUN_OK;
}

lun_status product_give(product *p, lun_error *err)
{
    product_step steps[1u << PRODUCT_BEST];
    product_term made;
    size_t shape[LUN_MAX_AXES];
    for (int i = 0; i < p->out.count; i++)
        shape[i] = p->size[p->out.label[i]];
    TRY(compose_result(&p->out.array, p->c, 0, p->dtype, p->out.count, shape, err));
    for (size_t k = 0; p->c->out && k < p->count; k++)
        if (lun_array_overlap(p->out.array, p->terms[k].array))
            FAIL(LUN_MISUSE, "out overlaps an input; give it memory of its own");
    for (size_t k = 0; k < p->count; k++)
        TRY(drop_single(p, &p->terms[k], err));
    TRY(drop_single(p, &p->out, err));
    TRY(sum_alone(p, err));
    TRY(multiply_some(p, err));
    product_order(steps, p);
    return evaluate(&made, p, steps, (1u << p->count) - 1, &p->out, err);
}
