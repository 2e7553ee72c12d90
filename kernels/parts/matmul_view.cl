/* A matrix, or a batch of them, as the kernels of matmul take it. */

/* Element (i, j) is at offset + i*row + j*column + the batch's offset. */
typedef struct {
    long offset, row, column;
    lun_layout batch;
} matmul_view;

inline long matmul_offset(const matmul_view *at, long batch, long i, long j)
{
    return at->offset + layout_offset(&at->batch, batch) + i * at->row + j * at->column;
}
