/* Sparse matrices in rows (CSR): what their operations share. */
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

/* LUN_MISUSE unless starts and columns are arrays of the right kind; their elements only the device sees. */
lun_status csr_read(csr_matrix *out, const lun_array *starts, const lun_array *columns, size_t width, int first,
                    lun_error *err);

/* Waits, a slice at each call, until it is known that the elements are a matrix: else LUN_FAILED, with what is wrong, at
 * which position. What was found so is known while nobody writes to the arrays. */
typedef struct csr_checking {
    lun_array *told; /* i32: CSR_UNORDERED and the like */
    bool enqueued, done;
    int64_t found;
} csr_checking;
bool csr_is_known(const csr_matrix *m);
bool csr_knows_lengths(const csr_matrix *m); /* is it known how long rows are? It is not of what was made here */
bool csr_is_within(const csr_matrix *m, int length); /* is no row known to have what CSR_LONG or CSR_HUGE says? */
void csr_note(const csr_matrix *m);                  /* after an operation that has made it */
size_t csr_known_width(const csr_matrix *m);         /* what columns are known to be within, or the width */
lun_status csr_check(bool *more, csr_checking *state, lun_request *r, const csr_matrix *m, lun_error *err);

/* A dense array of that dtype with the same elements: itself, or scratch memory that the plan fills. */
lun_status csr_dense(const lun_array **out, lun_array *made, plan *p, const lun_array *array, lun_dtype dtype,
                     lun_error *err);

/* What stands for plus and times: of numbers `+ *`; others of numbers that have an order, or of truth values. */
typedef struct csr_ring {
    const char *plus, *times;
    const char *defines; /* of kernels */
    bool truths;         /* elements are taken as truth values */
} csr_ring;

/* y = alpha A x + beta y. */
typedef struct csr_product {
    const csr_matrix *matrix;
    const csr_ring *ring;
    const lun_array *out, *values, *x;
    lun_number alpha, beta;
} csr_product;
lun_status csr_multiply(const csr_product *p, const lun_call *call, lun_error *err);

/* out = a b, in three operations: what each row has room for; the merged rows; and the result, without room between rows. */
typedef struct csr_merging {
    csr_matrix a, b;
    const lun_array *a_values, *b_values;
    lun_dtype dtype;
    lun_array *room, *bounds;                    /* i64, rows + 1: how many products each row has, and all before it */
    lun_array *columns, *values, *counts, *ends; /* merged rows, where bounds says; the same of their entries */
    size_t products, entries;
} csr_merging;
lun_status csr_count_products(const csr_merging *m, const lun_call *call, lun_error *err);
lun_status csr_merge(const csr_merging *m, const lun_call *call, lun_error *err);
lun_status csr_compact(const csr_merging *m, lun_array *const *out, const lun_call *call, lun_error *err);

/* The sums before each of the numbers, of which the last is that of all; compose_waits comes behind it. */
lun_status csr_sum_up(size_t *total, lun_array **sums, composing *c, const lun_array *numbers, lun_error *err);
/* The operation's results: the merged rows, without room between them; that many columns are known to be enough. */
lun_status csr_give(composing *c, const csr_merging *m, size_t width, lun_error *err);

/* What was measured for sparse matrices, and where.
 *
 * On an H100 what an item keeps in local memory costs reads under way, as each of those holds a line of the same near
 * cache: 65 bytes an item in place of 101 made f64 products of random rows 1.7 times as fast. Larger groups, more
 * steps an item and cache hints brought nothing. */
#define CSR_TUNING(TUNED)                                                                                              \
    TUNED(size_t, cpu_steps, IN_TESTS(64, 32768)) /* of a piece */                                                     \
    TUNED(size_t, plain_steps, IN_TESTS(16, 128)) /* of a piece for an item among many */                              \
    TUNED(size_t, check, 4096)                    /* steps that a core looks at, or whose rows it takes, at least */   \
    TUNED(size_t, merge, 1024)                    /* products that a core merges, at least */                          \
    TUNED(size_t, build, IN_TESTS(64, 16384))     /* triplets that a core counts, at least */                          \
    TUNED(size_t, wide, 2048)     /* rows of a level that is a sweep of its own, which several groups share; */        \
    TUNED(size_t, cpu_wide, 8192) /* of CPUs */                                                                        \
    TUNED(size_t, cut, IN_TESTS(4, 1024)) /* pieces from which on a kernel of its own looks for their corners */

DEFINE_TUNING(csr, CSR_TUNING, "CPUs: 2 cores of a Xeon, AVX-512, under PoCL 3.1; of GPUs: guessed")
