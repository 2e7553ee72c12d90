/* Sums of products: arrays whose axes have labels. */
#pragma once

#include "call/compose.h"

#define PRODUCT_LETTERS 52
#define PRODUCT_LABELS (PRODUCT_LETTERS + LUN_MAX_AXES) /* and those of the axes that "..." stands for */

typedef uint64_t product_labels; /* a set of them */
#define LABEL(i) ((product_labels)1 << (i))

/* An array with a label for each axis. */
typedef struct product_term {
    const lun_array *array;
    int count;
    unsigned char label[LUN_MAX_AXES];
} product_term;

typedef struct product {
    composing *c;
    lun_dtype dtype; /* that everything is computed in */
    size_t size[PRODUCT_LABELS];
    product_term *terms;
    size_t count;
    product_term out;
} product;

product_labels product_labels_of(const product_term *term);
/* How many positions they have together. */
double product_extent(const product *p, product_labels labels);

/* The result: the product of all terms, summed over the labels that it lacks. Only sizes, terms and out's labels are set before. */
lun_status product_give(product *p, lun_error *err);

/* ---- the order (product_order.c) ----------------------------------------------------------------------------------- */

#define PRODUCT_BEST 10 /* terms up to which the best order is found; of more, each step is the cheapest one */

/* What is made of a set of terms: of two sets, or of all at once in one pass. */
typedef struct product_step {
    unsigned left; /* one of the sets, the other is the rest; 0: all at once */
    double cost;
} product_step;

/* steps[set] for each set of at most PRODUCT_BEST terms. */
void product_order(product_step *steps, const product *p);
/* The two terms that are the cheapest to multiply. */
void product_next(size_t *left, size_t *right, const product *p);

/* ---- what makes terms of terms (product_steps.c) --------------------------------------------------------------------- */

/* An array with the term's axes in that order; of size 1 where it has none. */
lun_status product_view(const lun_array **out, product *p, const product_term *term, const unsigned char *label,
                        int count, lun_error *err);
/* The product of several terms, summed over what is not in `keep`, in one pass. `to`: NULL, or the result to write. */
lun_status product_fold(product_term *out, product *p, const product_term *terms, size_t count, product_labels keep,
                        const product_term *to, lun_error *err);
/* The product of two. */
lun_status product_pair(product_term *out, product *p, const product_term *a, const product_term *b,
                        product_labels keep, const product_term *to, lun_error *err);
