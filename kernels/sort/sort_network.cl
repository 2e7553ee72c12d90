/* Sorting short rows on CPUs: a work-item sorts LANES rows in parallel, one in each lane of its vectors, by a network
 * of comparisons. It compares ranks with the positions in the lower bits, so the sort is stable. */
#include "abi/sort.h"
#include "parts/rank.cl"

#if ITEM_BYTES <= 2
#define WORD uint
#define LANES 16
#else
#define WORD ulong /* signed comparisons are faster; ranks of 8 bytes and a position do not fit */
#define LANES 8
#endif
#define WORDS JOIN(WORD, LANES)
#define PLACE_BITS 16
#define PLACE(word) ((uint)((word) & 0xffffu))

#if ITEM_BYTES <= 2
#define ORDER(low, high)                           \
    {                                              \
        const WORDS a = (low), b = (high);         \
        (low) = min(a, b);                         \
        (high) = max(a, b);                        \
    }
#else
#define ORDER(low, high)                               \
    {                                                  \
        const long8 a = as_long8(low), b = as_long8(high); \
        (low) = as_ulong8(min(a, b));                  \
        (high) = as_ulong8(max(a, b));                 \
    }
#endif

/* Bitonic merges whose first step reverses the upper half, so that each comparison moves the larger word back. Words
 * after the end would be larger than all others and stay there, so they are left out. */
inline void sort_words(WORDS *words, int count)
{
    for (int size = 2; size / 2 < count; size *= 2) {
        for (int base = 0; base < count; base += size)
            for (int k = max(base + size - count, 0); k < size / 2; k++)
                ORDER(words[base + k], words[base + size - 1 - k])
        for (int step = size / 4; step > 2; step /= 2)
            for (int base = 0; base + step < count; base += 2 * step)
                for (int k = base, to = min(base + step, count - step); k < to; k++)
                    ORDER(words[k], words[k + step])
        if (size >= 8)
            for (int k = 0; k + 2 < count; k += 4) {
                ORDER(words[k], words[k + 2])
                if (k + 3 < count)
                    ORDER(words[k + 1], words[k + 3])
            }
        if (size >= 4)
            for (int k = 0; k + 1 < count; k += 2)
                ORDER(words[k], words[k + 1])
    }
}

KERNEL(GROUP) sort_network(global KEY *restrict values, global long *restrict positions, global const KEY *restrict in,
                           const sort_pass s)
{
    WORDS words[SORT_NETWORK];
    private WORD *const lanes = (private WORD *)words;
    const int count = (int)s.count;
    FOR_SPREAD(task, (s.rows + LANES - 1) / LANES)
    {
        const long row = task * LANES;
        const int rows = (int)min(s.rows - row, (long)LANES);
        for (int lane = 0; lane < LANES; lane++) {
            global const KEY *const from = in + s.from + (row + min(lane, rows - 1)) * s.count;
            for (int k = 0; k < count; k++)
                lanes[k * LANES + lane] = (WORD)rank_of(from[k], (KEY)s.flip) << PLACE_BITS | (WORD)k;
        }
        sort_words(words, count);
        for (int lane = 0; lane < rows; lane++) {
            const long first = (row + lane) * s.count;
            for (int k = 0; k < count && values; k++)
                values[s.to + first + k] = in[s.from + first + PLACE(lanes[k * LANES + lane])];
            for (int k = 0; k < count && positions; k++)
                positions[s.end + first + k] = PLACE(lanes[k * LANES + lane]) + 1;
        }
    }
}
