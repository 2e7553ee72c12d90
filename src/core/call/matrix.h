/* Sparse matrices as values of requests: the data that core keeps between calls. */
#pragma once

#include "base/error.h"

/* The rows level by level, and the bounds of levels for each sweep. */
typedef struct lun_levels {
    size_t owners, sweeps;
    lun_array order, bounds[];
} lun_levels;

void matrix_drop_levels(lun_levels *levels);
/* Shares the levels of another matrix with the same sparsity pattern. */
void matrix_share_levels(lun_sparse *matrix, const lun_sparse *like);
