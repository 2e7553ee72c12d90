/* Transposing a matrix of floats, from the slowest way to the quickest: `in` has `rows` x `columns` numbers, `out`
 * has `columns` x `rows`, both row-major. Axis 0 of the NDRange runs along a row of `in`, so that neighbouring
 * items read neighbouring memory; the kernels differ in how they write.
 *
 * Each kernel takes any size: global sizes are rounded up to whole groups, and items outside do no memory access.
 * They do not return early, since every item of a group has to reach the barrier. */
#ifndef TILE
#define TILE 16 /* the side of a tile; the group is TILE x TILE items, or TILE x TILE / EACH */
#endif
#ifndef EACH
#define EACH 4 /* rows of a tile that an item of transpose_rows moves */
#endif

/* No transposing at all: the highest rate that any of these kernels can reach. */
kernel void transpose_copy(global const float *in, global float *out, int rows, int columns)
{
    const int column = get_global_id(0), row = get_global_id(1);
    if (row < rows && column < columns)
        out[(long)row * columns + column] = in[(long)row * columns + column];
}

/* Neighbouring items write `rows` numbers apart: each write moves a whole line of the cache, or of DRAM, for one
 * number. */
kernel void transpose_naive(global const float *in, global float *out, int rows, int columns)
{
    const int column = get_global_id(0), row = get_global_id(1);
    if (row < rows && column < columns)
        out[(long)column * rows + row] = in[(long)row * columns + column];
}

/* The group turns a tile around in local memory: reads and writes run along rows of both matrices. But a column of
 * the tile lies TILE floats apart, in few of the 32 banks that local memory has on most GPUs: its reads queue up. */
kernel void transpose_tile(global const float *in, global float *out, int rows, int columns)
{
    local float tile[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    if (top + y < rows && left + x < columns)
        tile[y][x] = in[(long)(top + y) * columns + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left + y < columns && top + x < rows)
        out[(long)(left + y) * rows + top + x] = tile[x][y];
}

/* With one unused float at the end of each row the numbers of a column lie in all banks. */
kernel void transpose_padded(global const float *in, global float *out, int rows, int columns)
{
    local float tile[TILE][TILE + 1];
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    if (top + y < rows && left + x < columns)
        tile[y][x] = in[(long)(top + y) * columns + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left + y < columns && top + x < rows)
        out[(long)(left + y) * rows + top + x] = tile[x][y];
}

/* An item moves EACH numbers, TILE / EACH rows apart: independent loads in flight at once, and fewer items that
 * compute the same indices. */
kernel void transpose_rows(global const float *in, global float *out, int rows, int columns)
{
    local float tile[TILE][TILE + 1];
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    for (int r = y; r < TILE; r += TILE / EACH)
        if (top + r < rows && left + x < columns)
            tile[r][x] = in[(long)(top + r) * columns + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = y; r < TILE; r += TILE / EACH)
        if (left + r < columns && top + x < rows)
            out[(long)(left + r) * rows + top + x] = tile[x][r];
}
