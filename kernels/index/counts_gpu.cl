/* Sums of all counts before each, by one group: for masks and for sorting. */
#include "parts/group_scan.cl"

#define EACH 16

DEFINE_GROUP_SCAN(long)

/* counts[i] becomes the sum of those before it; counts[n], behind them, that of all. */
KERNEL(SCAN_ITEMS) counts_gpu(global long *counts, long n)
{
    local long room[2 * SCAN_ITEMS];
    long before = 0;
    for (long from = 0; from < n; from += SCAN_ITEMS * EACH) {
        const long first = from + (long)get_local_id(0) * EACH;
        long own[EACH], sum = 0, total;
        for (int k = 0; k < EACH; k++) {
            own[k] = first + k < n ? counts[first + k] : 0;
            sum += own[k];
        }
        long at = before + group_scan_long(sum, &total, room);
        for (int k = 0; k < EACH; k++) {
            if (first + k < n)
                counts[first + k] = at;
            at += own[k];
        }
        before += total;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_id(0) == 0)
        counts[n] = before;
}
