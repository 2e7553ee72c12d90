/* C = A * B for row-major matrices of floats: A is m x k, B is k x n, C is m x n. Axis 0 of the NDRange runs along
 * a row of C, so that neighbouring items read neighbouring numbers of B and write neighbouring numbers of C. Any
 * size will do: global sizes are rounded up to whole groups. */
#ifndef TILE
#define TILE 16 /* the side of a tile of matmul_tiles: the group is TILE x TILE items */
#endif
#ifndef SIDE
#define SIDE 16 /* the group of matmul_registers is SIDE x SIDE items */
#endif
#ifndef EACH
#define EACH 4 /* an item of matmul_registers makes EACH x EACH numbers of C */
#endif
#ifndef DEPTH
#define DEPTH 16 /* columns of A and rows of B that matmul_registers has in local memory at a time */
#endif

/* One item makes one number of C, and reads all numbers for it from global memory: two loads to a multiply-add.
 *
 * (!) The course's listing writes C[row * k + column], with the width of A: right for square matrices only. */
kernel void matmul_naive(global const float *a, global const float *b, global float *c, int m, int n, int k)
{
    const int column = get_global_id(0), row = get_global_id(1);
    if (row >= m || column >= n) /* no barrier below */
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum = fma(a[(long)row * k + i], b[(long)i * n + column], sum);
    c[(long)row * n + column] = sum;
}

/* The group shares its loads: each number that it brings to local memory is used TILE times.
 *
 * (!) The course's listing counts k / TILE tiles and loads without asking, so it wants sizes that are multiples of
 * the tile. Here the last tile may be a partial one: what lies outside is loaded as zero, which adds nothing, and
 * no item leaves before the last barrier. */
kernel void matmul_tiles(global const float *a, global const float *b, global float *c, int m, int n, int k)
{
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int from = 0; from < k; from += TILE) {
        tile_a[y][x] = row < m && from + x < k ? a[(long)row * k + from + x] : 0;
        tile_b[y][x] = from + y < k && column < n ? b[(long)(from + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; i++)
            sum = fma(tile_a[y][i], tile_b[i][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with the tiles before the next ones come */
    }
    if (row < m && column < n)
        c[(long)row * n + column] = sum;
}

/* The group makes a WIDE x WIDE block of C. An item keeps EACH x EACH of its numbers in registers, so that 2 * EACH
 * loads from local memory feed EACH * EACH multiply-adds. Its numbers are SIDE apart: neighbours read neighbouring
 * banks and write neighbouring memory. */
#define WIDE (SIDE * EACH)

kernel void matmul_registers(global const float *a, global const float *b, global float *c, int m, int n, int k)
{
    local float tile_a[DEPTH][WIDE + 1]; /* transposed on the way in; the + 1 keeps its columns out of one bank */
    local float tile_b[DEPTH][WIDE];
    const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
    const int left = get_group_id(0) * WIDE, top = get_group_id(1) * WIDE;
    float sum[EACH][EACH];
    for (int r = 0; r < EACH; r++)
        for (int s = 0; s < EACH; s++)
            sum[r][s] = 0;
    for (int from = 0; from < k; from += DEPTH) {
        for (int e = item; e < WIDE * DEPTH; e += SIDE * SIDE) {
            const int row = top + e / DEPTH, i = from + e % DEPTH;
            tile_a[e % DEPTH][e / DEPTH] = row < m && i < k ? a[(long)row * k + i] : 0;
        }
        for (int e = item; e < WIDE * DEPTH; e += SIDE * SIDE) {
            const int i = from + e / WIDE, column = left + e % WIDE;
            tile_b[e / WIDE][e % WIDE] = i < k && column < n ? b[(long)i * n + column] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < DEPTH; i++) {
            float av[EACH], bv[EACH];
            for (int r = 0; r < EACH; r++) {
                av[r] = tile_a[i][y + r * SIDE];
                bv[r] = tile_b[i][x + r * SIDE];
            }
            for (int r = 0; r < EACH; r++)
                for (int s = 0; s < EACH; s++)
                    sum[r][s] = fma(av[r], bv[s], sum[r][s]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < EACH; r++)
        for (int s = 0; s < EACH; s++) {
            const int row = top + y + r * SIDE, column = left + x + s * SIDE;
            if (row < m && column < n)
                c[(long)row * n + column] = sum[r][s];
        }
}
