/* A matrix, or a batch of them, as the kernels of matmul take it. */

#include "abi/matmul.h"

inline long matmul_offset(const matmul_view *at, long batch, long i, long j)
{
    return at->offset + layout_offset(&at->batch, batch) + i * at->row + j * at->column;
}
