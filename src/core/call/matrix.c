/* Sparse matrices as values of requests. */
#include "call/matrix.h"

#include <stdlib.h>

#define MOST_ROWS (((size_t)1 << 60) - 2) /* the starts of more would have more than 2^63 - 1 bytes */

lun_status lun_sparse_check(size_t rows, size_t width, lun_error *err)
{
    if (width && rows > (size_t)INT64_MAX / width)
        FAIL(LUN_MISUSE, "%zux%zu: a matrix has at most 2^63 - 1 positions", rows, width);
    if (rows > MOST_ROWS || width > MOST_ROWS)
        FAIL(LUN_MISUSE, "%zux%zu: a matrix has at most 2^60 - 2 rows and columns", rows, width);
    return LUN_OK;
}

const char *lun_sparse_lost(const lun_sparse *matrix)
{
    if (!matrix->starts)
        return "the matrix was released";
    return !lun_array_is_live(matrix->starts)    ? "the matrix's starts were released"
           : !lun_array_is_live(matrix->columns) ? "the matrix's cols were released"
           : !lun_array_is_live(matrix->values)  ? "the matrix's values were released"
                                                 : NULL;
}

void matrix_drop_levels(lun_levels *levels)
{
    if (!levels || --levels->owners)
        return;
    lun_array_clear(&levels->order);
    for (size_t i = 0; i < levels->sweeps; i++)
        lun_array_clear(&levels->bounds[i]);
    free(levels);
}

void lun_sparse_forget(lun_sparse *matrix)
{
    for (size_t i = 0; i < COUNT(matrix->levels); i++) {
        matrix_drop_levels(matrix->levels[i]);
        matrix->levels[i] = NULL;
    }
}

void matrix_share_levels(lun_sparse *matrix, const lun_sparse *like)
{
    for (size_t i = 0; i < COUNT(matrix->levels); i++) {
        matrix->levels[i] = like->levels[i];
        if (matrix->levels[i])
            matrix->levels[i]->owners++;
    }
}
