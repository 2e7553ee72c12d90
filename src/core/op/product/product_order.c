/* The order in which terms are multiplied: the cheapest of all, two sets at a time or a set in one pass. */
#include "op/product/product.h"

#include <math.h>

/* What an element costs that is read or written, and a product that no matrix product makes, beside one that such a product makes. */
#define MOVED 8
#define FOLDED 4

product_labels product_labels_of(const product_term *term)
{
    product_labels labels = 0;
    for (int i = 0; i < term->count; i++)
        labels |= LABEL(term->label[i]);
    return labels;
}

double product_extent(const product *p, product_labels labels)
{
    double extent = 1;
    for (int i = 0; i < PRODUCT_LABELS; i++)
        extent *= labels & LABEL(i) ? (double)p->size[i] : 1;
    return extent;
}

static int count_of(product_labels labels) { return __builtin_popcountll(labels); }

/* Of two terms whose product keeps these labels. */
static double pair_cost(const product *p, product_labels a, product_labels b, product_labels keep)
{
    const product_labels result = (a | b) & keep, summed = a & b & ~keep;
    const bool matrices = summed && (a & ~b) && (b & ~a);
    if (count_of(result) > LUN_MAX_AXES || (!matrices && count_of(a | b) > LUN_MAX_AXES))
        return INFINITY;
    return (matrices ? 1 : FOLDED) * product_extent(p, a | b) +
           MOVED * (product_extent(p, a) + product_extent(p, b) + product_extent(p, result));
}

/* The labels of each set of terms. */
static product_labels labels_of_set(const product *p, unsigned set)
{
    product_labels labels = 0;
    for (size_t i = 0; i < p->count; i++)
        if (set >> i & 1)
            labels |= product_labels_of(&p->terms[i]);
    return labels;
}

/* Of all terms of a set at once. */
static double fold_cost(const product *p, unsigned set, product_labels labels, product_labels keep)
{
    const int terms = __builtin_popcount(set);
    double moved = product_extent(p, labels & keep);
    if (count_of(labels) > LUN_MAX_AXES || terms >= LUN_FOLD_ARRAYS || count_of(labels & keep) > LUN_MAX_AXES)
        return INFINITY;
    for (size_t i = 0; i < p->count; i++)
        if (set >> i & 1)
            moved += product_extent(p, product_labels_of(&p->terms[i]));
    return FOLDED * (terms - 1) * product_extent(p, labels) + MOVED * moved;
}

void product_order(product_step *steps, const product *p)
{
    const unsigned all = (1u << p->count) - 1;
    const product_labels wanted = product_labels_of(&p->out);
    for (unsigned set = 1; set <= all; set++) {
        const product_labels labels = labels_of_set(p, set), keep = wanted | labels_of_set(p, all & ~set);
        steps[set] = (product_step){.cost = set & (set - 1) ? fold_cost(p, set, labels, keep) : 0};
        for (unsigned left = (set - 1) & set; left > (set & ~left); left = (left - 1) & set) {
            const unsigned right = set & ~left;
            const product_labels a = labels_of_set(p, left) & (wanted | labels_of_set(p, all & ~left));
            const product_labels b = labels_of_set(p, right) & (wanted | labels_of_set(p, all & ~right));
            const double cost = steps[left].cost + steps[right].cost + pair_cost(p, a, b, keep);
            if (cost < steps[set].cost)
                steps[set] = (product_step){left, cost};
        }
    }
}

void product_next(size_t *left, size_t *right, const product *p)
{
    double least = INFINITY;
    *left = 0;
    *right = 1;
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = i + 1; j < p->count; j++) {
            product_labels keep = product_labels_of(&p->out);
            for (size_t k = 0; k < p->count; k++)
                keep |= k == i || k == j ? 0 : product_labels_of(&p->terms[k]);
            const double cost = pair_cost(p, product_labels_of(&p->terms[i]), product_labels_of(&p->terms[j]), keep);
            if (cost < least) {
                least = cost;
                *left = i;
                *right = j;
            }
        }
}
