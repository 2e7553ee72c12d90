/* Sorting short rows on GPUs: a group sorts one row or several in local memory, by a bitonic network. Elements are
 * compared by their ranks and then by their positions, so the sort is stable. */
#include "abi/sort.h"
#include "parts/rank.cl"

#define ITEMS 256

/* s.tile: the smallest power of two that holds a row, at most SORT_ROOM; places after the row's end sort last. */
KERNEL(ITEMS) sort_bitonic(global KEY *values, global long *positions, global const KEY *in, const sort_pass s)
{
    local KEY ranks[SORT_ROOM];
    local ushort places[SORT_ROOM];
    const uint me = (uint)get_local_id(0), block = (uint)s.tile, each = SORT_ROOM / block;
    const long rows = (long)get_group_id(0) * each;
    for (uint e = me; e < SORT_ROOM; e += ITEMS) {
        const long row = rows + e / block;
        const uint place = e & (block - 1);
        ranks[e] = row < s.rows && place < s.count ? rank_of(in[s.from + row * s.count + place], (KEY)s.flip) : KEY_ALL;
        places[e] = (ushort)place;
    }
    for (uint size = 2; size <= block; size *= 2)
        for (uint step = size / 2; step > 0; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = me; i < SORT_ROOM / 2; i += ITEMS) {
                const uint low = 2 * i - (i & (step - 1)), high = low + step;
                const bool rises = size == block || (low & size) == 0;
                const KEY a = ranks[low], b = ranks[high];
                const ushort p = places[low], q = places[high];
                if ((a > b || (a == b && p > q)) == rises) {
                    ranks[low] = b;
                    ranks[high] = a;
                    places[low] = q;
                    places[high] = p;
                }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = me; e < SORT_ROOM; e += ITEMS) {
        const long row = rows + e / block;
        const uint place = e & (block - 1);
        if (row >= s.rows || place >= s.count)
            continue;
        if (values)
            values[s.to + row * s.count + place] = in[s.from + row * s.count + places[e]];
        if (positions)
            positions[s.end + row * s.count + place] = (long)places[e] + 1;
    }
}
