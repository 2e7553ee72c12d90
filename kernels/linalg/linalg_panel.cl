/* A panel of LU that a group shares: an item holds ROWS rows of PANEL columns in its registers; ROWS 0: they stay in memory. No barrier
 * stands under a condition. */
#include "parts/matmul_view.cl"

#ifndef PANEL
#define PANEL 8
#define ROWS 0
#endif
#ifndef ITEMS
#define ITEMS GROUP
#endif
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)

/* The larger of two numbers, the first of equals, and NaN before all. */
inline bool is_larger(T size, T best) { return size > best || (isnan(size) && !isnan(best)); }

/* Of all items' candidates the largest, for all: its position. `sizes` and `places` are local, of ITEMS. */
inline long find_largest(T best, long place, local T *sizes, local long *places)
{
    const int item = get_local_id(0);
    sizes[item] = best;
    places[item] = place;
    WAIT;
    for (int step = ITEMS / 2; step > 0; step /= 2) {
        if (item < step) {
            const T size = sizes[item + step];
            const long where = places[item + step];
            const bool same = size == sizes[item] || (isnan(size) && isnan(sizes[item]));
            if (is_larger(size, sizes[item]) || (same && where < places[item])) {
                sizes[item] = size;
                places[item] = where;
            }
        }
        WAIT;
    }
    return places[0];
}

/* An item's rows, and their numbers. */
#if ROWS
#define EACH_ROW(i)                                                                                                    \
    _Pragma("unroll") for (int r = 0; r < ROWS; r++) for (long i = item + r * ITEMS, once = 1; once && i < m; once = 0)
#define NUMBER_AT(i, j) x[r][j]
#else
#define EACH_ROW(i) for (long i = item; i < m; i += ITEMS)
#define NUMBER_AT(i, j) here[(i) * at.row + (j) * at.column]
#endif
#define EACH_COLUMN(j) _Pragma("unroll") for (int j = 0; j < PANEL; j++) if (j < n)

/* A, m x n with n at most PANEL, becomes L and U of P A = L U by partial pivoting. `pivots` gets the rows that were exchanged, counted
 * from the matrix's first, `row` above A; `info` the first pivot that is 0, counted from 1. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void lu_leaf(global T *a, matmul_view at, long batches, long m, long n, long row, global int *pivots, long pivots_each,
             global int *info, global T *copies)
{
    local T sizes[ITEMS], up[PANEL], down[PANEL];
    local long places[ITEMS];
    const int item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global int *pivot = pivots + batch * pivots_each + row;
#if ROWS
        T x[ROWS][PANEL];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int j = 0; j < PANEL; j++) {
                const long i = item + r * ITEMS;
                x[r][j] = i < m && j < n ? here[i * at.row + j * at.column] : 0;
            }
#endif
#if ROWS
#pragma unroll
#endif
        for (int k = 0; k < PANEL; k++) {
            const bool live = k < n && k < m;
            T best = -1;
            long place = LONG_MAX;
            if (live)
                EACH_ROW(i)
                {
                    if (i < k)
                        continue;
                    const T size = fabs(NUMBER_AT(i, k));
                    if (is_larger(size, best)) {
                        best = size;
                        place = i;
                    }
                }
            const long p = find_largest(best, place, sizes, places);
            if (live && item == 0)
                pivot[k] = (int)(row + p);
            if (live)
                EACH_ROW(i)
                {
                    if (i == p)
                        EACH_COLUMN(j) up[j] = NUMBER_AT(i, j);
                    if (i == k)
                        EACH_COLUMN(j) down[j] = NUMBER_AT(i, j);
                }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (live) {
                const T divisor = up[k] == 0 ? 1 : up[k];
                if (up[k] == 0 && item == 0 && info[batch] == 0)
                    info[batch] = (int)(row + k + 1);
                EACH_ROW(i)
                {
                    if (i == p)
                        EACH_COLUMN(j) NUMBER_AT(i, j) = down[j];
                    if (i == k)
                        EACH_COLUMN(j) NUMBER_AT(i, j) = up[j];
                    if (i > k) {
                        const T l = NUMBER_AT(i, k) / divisor;
                        NUMBER_AT(i, k) = l;
                        EACH_COLUMN(j) NUMBER_AT(i, j) -= j > k ? l * up[j] : 0;
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
#if ROWS
        EACH_ROW(i)
        EACH_COLUMN(j) here[i * at.row + j * at.column] = x[r][j];
#endif
    }
}
