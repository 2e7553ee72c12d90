/* Sparse matrices as values of requests: what core keeps of one between calls. */
#pragma once

#include "base/error.h"

/* The rows level by level, and the bounds of levels for each sweep. */
typedef struct lun_levels {
    size_t owners, sweeps;
    lun_array order, bounds[];
} lun_levels;

void matrix_drop_levels(lun_levels *levels);
/* The matrix has the levels of that one, which has the same places. */
void matrix_share_levels(lun_sparse *matrix, const lun_sparse *like);
