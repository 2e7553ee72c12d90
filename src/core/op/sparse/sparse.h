/* Sparse matrices in compositions. Positions in their arrays count from 1, whatever the host counts from. */
#pragma once

#include "call/matrix.h"
#include "call/steps.h"
#include "op/sparse/csr.h"

/* The dtype of starts and columns: i32, or i64 for that many rows, columns or entries. */
lun_dtype sparse_index(size_t rows, size_t width, size_t entries);

/* A matrix from triplets in any order, with positions in range. Duplicates are added in their order. */
lun_status sparse_of_triplets(lun_sparse *out, composing *s, size_t rows, size_t width, lun_array *at_rows,
                              lun_array *at_columns, lun_array *values, lun_error *err);
/* The place, from 1, of the first position that is not in 1..most; 0: none. */
lun_status sparse_find_outside(int64_t *at, int64_t *value, composing *s, lun_array *positions, size_t most,
                               lun_error *err);
/* Does csr_build count rows and place entries? Then it checks the positions itself. */
bool sparse_is_counted(const lun_array *values);
/* The row of each entry. */
lun_status sparse_rows(lun_array **out, composing *s, const lun_sparse *a, lun_error *err);
lun_status sparse_transpose(lun_sparse *out, composing *s, const lun_sparse *a, lun_error *err);
lun_status sparse_multiply(lun_sparse *out, composing *s, const lun_sparse *a, const lun_sparse *b, lun_error *err);
/* The same pattern with other values. */
lun_sparse sparse_with(const lun_sparse *a, lun_array *values);

/* From that many rows on a level gets its own sweep. */
size_t sparse_wide(const lun_device *device);

/* Sets the operation's result, a sparse matrix. */
lun_status sparse_bind(lun_request *r, lun_error *err);
lun_status sparse_result(composing *s, const lun_sparse *a, lun_error *err);
