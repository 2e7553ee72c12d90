/* The last step of a product whose k was split among groups: C = alpha * the sum of the parts + beta * C.
 *
 * The parts lie one behind the other, each as long as C, row by row. SHARES items add up one number's parts, each a
 * share of them, so that more reads are under way; the order is the same every time. Integers wrap, so they are
 * computed as unsigned ones. */
#include "parts/matmul_numbers.cl"

#ifndef SHARES
#define SHARES 8
#endif
#define NUMBERS (256 / SHARES) /* of C that a group makes */

#include "parts/matmul_view.cl"

kernel __attribute__((reqd_work_group_size(NUMBERS * SHARES, 1, 1)))
void matmul_sum(global T *restrict c, matmul_view c_at, global const number *restrict partial, long made, long m,
                long n, long splits, scalar alpha, scalar beta)
{
    const int place = get_local_id(0) % NUMBERS, share = get_local_id(0) / NUMBERS;
    const long i = (long)get_group_id(0) * NUMBERS + place;
    number sum = 0;
    if (i < made) {
        long s = share;
        for (; s + 3 * SHARES < splits; s += 4 * SHARES) {
            global const number *from = partial + s * made + i;
            sum += (from[0] + from[SHARES * made]) + (from[2 * SHARES * made] + from[3 * SHARES * made]);
        }
        for (; s < splits; s += SHARES)
            sum += partial[s * made + i];
    }
#if SHARES > 1
    local number sums[SHARES][NUMBERS];
    sums[share][place] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (share > 0)
        return;
#pragma unroll
    for (int other = 1; other < SHARES; other++)
        sum += sums[other][place];
#endif
    if (i >= made)
        return;
    const uint row = (uint)i / (uint)n; /* a part has fewer than 2^32 numbers: the shorter division is enough */
    c += matmul_offset(&c_at, row / (uint)m, row % (uint)m, (uint)i % (uint)n);
    number value = (number)alpha * sum;
    if (beta != 0)
        value += (number)beta * (number)LOAD(c, 0);
    STORE(c, 0, value);
}
