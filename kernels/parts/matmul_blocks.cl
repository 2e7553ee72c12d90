/* For kernels of matmul in which a group of work-items makes a block of C: DOWN x ACROSS numbers, from a part of k. */
#include "parts/matmul_view.cl"

#define INLINE inline __attribute__((always_inline))
#define BAND 8 /* rows of blocks that are walked together, so that their tiles are met again in the cache */

/* Where part `split` of k leaves the sums of the block at (m0, n0): each part has m x n sums for each batch. */
#define OFFSET_OF_PART(size, batch, split, m0, n0) \
    ((((long)split * size.batches + batch) * size.m + m0) * size.n + n0)

/* Writes one number of C. The file that includes this one defines number and MULTIPLY_ADD. */
INLINE void write_number(global T *to, number sum, number alpha, number beta)
{
    number value = alpha * sum;
    if (beta != 0)
        value = MULTIPLY_ADD(beta, (number)LOAD(to, 0), value);
    STORE(to, 0, value);
}
