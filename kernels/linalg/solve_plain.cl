/* Few equations, A X = B: a group takes matrices side by side, an item a row of one, in its registers, and shows the
 * others of it by local memory. MOST: the number of rows that a matrix takes, a power of 2; what is not there is 1.
 * SIDES: right sides, at most. No barrier is inside a condition. */
#ifndef MOST
#define MOST 8
#define SIDES 1
#define ITEMS 32
#endif
#include "parts/panel.cl"
#include "parts/size_key.cl"

#define MATRICES (ITEMS / MOST)

/* In step k column k is first, and all others move up by one place; so they are in their places again in the end.
 * `info` gets the first pivot that is 0, counted from 1. Of `positive` matrices the lower triangle counts, rows stay,
 * and pivots have to be above 0. */
KERNEL(ITEMS) solve_small(global const T *a, matmul_view a_at, global const T *b, matmul_view b_at, global T *x,
                          matmul_view x_at, global int *info, long batches, long size, long sides, long positive)
{
    local size_key keys[ITEMS];
    local T up[MATRICES][MOST + SIDES], found[MATRICES][SIDES];
    local int firsts[2][MATRICES];
    const int n = (int)size, m = (int)sides, item = get_local_id(0), row = item % MOST, which = item / MOST;
    const long rounds = (batches + MATRICES - 1) / MATRICES;
    for (long round = get_group_id(0); round < rounds; round += get_num_groups(0)) {
        const long batch = min(round * MATRICES + which, batches - 1);
        const bool live = round * MATRICES + which < batches;
        global const T *from = a + matmul_offset(&a_at, batch, 0, 0), *right = b + matmul_offset(&b_at, batch, 0, 0);
        T l[MOST], y[SIDES];
        int step = -1, bad = 0;
#pragma unroll
        for (int j = 0; j < MOST; j++)
            l[j] = row >= n || j >= n         ? (T)(row == j)
                   : positive && j > row ? from[j * a_at.row + row * a_at.column]
                                         : from[row * a_at.row + j * a_at.column];
#pragma unroll
        for (int j = 0; j < SIDES; j++)
            y[j] = row < n && j < m ? right[row * b_at.row + j * b_at.column] : 0;
        for (int k = 0; k < MOST; k++) {
            size_key key = 0;
            keys[item] = step < 0 ? (positive ? (size_key)(row == k) : SIZE_KEY(l[0])) : 0;
            if (row == 0)
                firsts[k & 1][which] = MOST;
            WAIT;
#pragma unroll
            for (int i = 0; i < MOST; i++)
                key = max(key, keys[which * MOST + i]);
            if (keys[item] == key && step < 0)
                atomic_min(&firsts[k & 1][which], row);
            WAIT;
            if (row == firsts[k & 1][which]) {
                step = k;
#pragma unroll
                for (int j = 0; j < MOST; j++)
                    up[which][j] = l[j];
#pragma unroll
                for (int j = 0; j < SIDES; j++)
                    up[which][MOST + j] = y[j];
            }
            WAIT;
            const T pivot = up[which][0], divisor = pivot == 0 ? 1 : pivot, factor = 1 / divisor;
            const bool below = step < 0;
            const T times = !below                              ? l[0]
                            : fabs(divisor) > LEAST_DIVISOR ? l[0] * factor
                                                            : l[0] / divisor;
            bad = (positive ? !(pivot > 0 && pivot < INFINITY) : pivot == 0) && bad == 0 ? k + 1 : bad;
#pragma unroll
            for (int j = 1; j < MOST; j++)
                l[j - 1] = below && j < MOST - k ? l[j] - times * up[which][j] : l[j];
            l[MOST - 1] = times;
#pragma unroll
            for (int j = 0; j < SIDES; j++)
                y[j] -= below ? times * up[which][MOST + j] : 0;
        }
        for (int k = MOST - 1; k >= 0; k--) {
            const T last = l[MOST - 1];
            if (step == k)
#pragma unroll
                for (int j = 0; j < SIDES; j++)
                    found[which][j] = y[j] /= last;
            WAIT;
#pragma unroll
            for (int j = 0; j < SIDES; j++)
                y[j] -= step < k ? last * found[which][j] : 0;
#pragma unroll
            for (int j = MOST - 1; j > 0; j--)
                l[j] = l[j - 1];
            l[0] = last;
            WAIT;
        }
        for (int j = 0; j < SIDES; j++)
            if (live && step < n && j < m)
                x[matmul_offset(&x_at, batch, step, j)] = y[j];
        if (live && row == 0)
            info[batch] = bad;
        WAIT;
    }
}
