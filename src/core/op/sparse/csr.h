/* Sparse matrices in rows (CSR): declarations shared by their operations. */
#pragma once

#include "abi/csr.h"
#include "base/dtype.h"
#include "call/interface.h"
#include "call/steps.h"

/* A matrix as it was given. */
typedef struct csr_matrix {
    const lun_array *starts, *columns;
    size_t rows, entries, width; /* width: how many columns it has */
    int first;                   /* the number of the first column and entry */
} csr_matrix;

/* LUN_MISUSE unless starts and columns are arrays of the right kind; only the device can check their elements. */
lun_status csr_read(csr_matrix *out, const lun_array *starts, const lun_array *columns, size_t width, int first,
                    lun_error *err);

/* Waits, a slice at each call, until the elements are checked: LUN_FAILED, with the error and its position, if they are
 * not a matrix. The result of the check is kept until the arrays are written. */
typedef struct csr_checking {
    lun_array *told; /* i32: CSR_UNORDERED and the like */
    bool enqueued, done;
    int64_t found;
} csr_checking;
bool csr_is_known(const csr_matrix *m);
bool csr_knows_lengths(const csr_matrix *m); /* are the lengths of rows known? They are not for matrices made here */
bool csr_is_within(const csr_matrix *m, int length); /* is it known that no row is CSR_LONG or CSR_HUGE? */
void csr_note(const csr_matrix *m);                  /* after an operation that has made it */
size_t csr_known_width(const csr_matrix *m);         /* the known bound of the columns, or the width */
lun_status csr_check(bool *more, csr_checking *state, lun_request *r, const csr_matrix *m, lun_error *err);

/* A dense array of that dtype with the same elements: the array itself, or scratch memory that the plan fills. */
lun_status csr_dense(const lun_array **out, lun_array *made, plan *p, const lun_array *array, lun_dtype dtype,
                     lun_error *err);

/* The operations for plus and times: `+ *` for numbers; others for numbers with an order, or for truth values. */
typedef struct csr_ring {
    const char *plus, *times;
    const char *defines; /* of kernels */
    bool truths;         /* elements are converted to truth values */
} csr_ring;

/* y = alpha A x + beta y. */
typedef struct csr_product {
    const csr_matrix *matrix;
    const csr_ring *ring;
    const lun_array *out, *values, *x;
    lun_number alpha, beta;
} csr_product;
lun_status csr_multiply(const csr_product *p, const lun_call *call, lun_error *err);

/* out = a b, in three operations: the room for each row; the merged rows; and the result without gaps between rows. */
typedef struct csr_merging {
    csr_matrix a, b;
    const lun_array *a_values, *b_values;
    lun_dtype dtype;
    lun_array *room, *bounds;                    /* i64, rows + 1: the running numbers of products of the rows */
    lun_array *columns, *values, *counts, *ends; /* merged rows, where bounds says; the same of their entries */
    size_t products, entries;
} csr_merging;
lun_status csr_count_products(const csr_merging *m, const lun_call *call, lun_error *err);
lun_status csr_merge(const csr_merging *m, const lun_call *call, lun_error *err);
lun_status csr_compact(const csr_merging *m, lun_array *const *out, const lun_call *call, lun_error *err);

/* The sums of the numbers before each one, the last of which is the total; compose_waits must follow. */
lun_status csr_sum_up(size_t *total, lun_array **sums, composing *c, const lun_array *numbers, lun_error *err);
/* The operation's results: the merged rows without gaps, with the given bound of columns. */
lun_status csr_give(composing *c, const csr_merging *m, size_t width, lun_error *err);

/* Measured constants for sparse matrices, with their devices.
 *
 * On an H100 local memory competes with reads in progress, each of which needs a line of the same L1 cache: 65 bytes
 * for each item instead of 101 made f64 products of random rows 1.7 times as fast. Larger groups, more steps for each
 * item and cache hints did not help. */
#define CSR_TUNING(TUNED)                                                                                              \
    TUNED(size_t, cpu_steps, IN_TESTS(64, 32768)) /* of a piece */                                                     \
    TUNED(size_t, plain_steps, IN_TESTS(16, 128)) /* of a piece for an item among many */                              \
    TUNED(size_t, check, 4096)                    /* steps that a core looks at, or whose rows it takes, at least */   \
    TUNED(size_t, merge, 1024)                    /* products that a core merges, at least */                          \
    TUNED(size_t, build, IN_TESTS(64, 16384))     /* triplets that a core counts, at least */                          \
    TUNED(size_t, wide, 2048)             /* rows of a level that gets its own sweep, shared by several groups; */     \
    TUNED(size_t, cpu_wide, 8192)         /* of CPUs */                                                                \
    TUNED(size_t, cut, IN_TESTS(4, 1024)) /* the number of pieces from which a separate kernel finds their corners */

DEFINE_TUNING(csr, CSR_TUNING, "CPUs: 2 cores of a Xeon, AVX-512, under PoCL 3.1; of GPUs: guessed")
