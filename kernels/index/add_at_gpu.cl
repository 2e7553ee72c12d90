/* Adding to flattened positions of an array on GPUs, with the same bits every time: the places that the indices name are
 * sorted, stably, together with the indices' positions, and each run of equal places is summed in that order. */
#include "abi/index.h"
#include "parts/group_scan.cl"
#include "parts/verdict.cl"

#ifndef INDEX
#define INDEX int
#define KEY uint /* holds all places, and one more, which stands for none */
#endif

#define EACH 8 /* neighbouring keys to a work-item */
#define TILE (SCAN_ITEMS * EACH)
#define DIGIT_BITS 4
#define DIGIT_COUNT (1 << DIGIT_BITS)
#define DIGIT(key) ((uint)((key) >> shift) & (DIGIT_COUNT - 1))

DEFINE_GROUP_SCAN(uint)

kernel __attribute__((reqd_work_group_size(SCAN_ITEMS, 1, 1)))
void add_at_gpu_keys(global KEY *keys, global uint *positions, global const INDEX *index, const put_shape s,
                     VERDICT_PARAMETERS)
{
    const long i = get_global_id(0);
    if (i >= s.count)
        return;
    const long at = (long)index[s.index + s.from + i] - 1;
    const bool good = at >= 0 && at < s.extent;
    keys[i] = (KEY)(good ? at : s.extent);
    positions[i] = (uint)i;
    if (!good)
        verdict_say(VERDICT, s.from + i, index[s.index + s.from + i]);
}

/* ---- one pass of the sort: by a digit ------------------------------------------------------------------------------- */

/* counts[digit * groups + group]: keys of the group's tile with that digit. */
kernel __attribute__((reqd_work_group_size(SCAN_ITEMS, 1, 1)))
void add_at_gpu_count(global long *counts, global const KEY *keys, long n, uint shift)
{
    local uint own[DIGIT_COUNT];
    const uint me = (uint)get_local_id(0);
    const long from = (long)get_group_id(0) * TILE;
    if (me < DIGIT_COUNT)
        own[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < EACH; k++) {
        const long i = from + k * SCAN_ITEMS + me;
        if (i < n)
            atomic_inc(own + DIGIT(keys[i]));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < DIGIT_COUNT)
        counts[(long)me * get_num_groups(0) + get_group_id(0)] = own[me];
}

/* Moves the keys of a tile to where their digits begin. A work-item has EACH neighbouring keys; of each digit it has as many
 * before its own as the items before it have. */
kernel __attribute__((reqd_work_group_size(SCAN_ITEMS, 1, 1)))
void add_at_gpu_move(global KEY *to_keys, global uint *to_positions, global const KEY *keys, global const uint *positions,
                     global const long *counts, long n, uint shift)
{
    local ushort before[DIGIT_COUNT * SCAN_ITEMS];
    local uint room[2 * SCAN_ITEMS];
    local uint begin[DIGIT_COUNT];
    const uint me = (uint)get_local_id(0);
    const long from = (long)get_group_id(0) * TILE + me * EACH;
    const uint mine = from < n ? (uint)min(n - from, (long)EACH) : 0;
    KEY key[EACH];
    uint total;
    for (uint d = 0; d < DIGIT_COUNT; d++)
        before[d * SCAN_ITEMS + me] = 0;
    for (uint k = 0; k < EACH; k++)
        if (k < mine) {
            key[k] = keys[from + k];
            before[DIGIT(key[k]) * SCAN_ITEMS + me]++;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    /* All counts of the tile in one row, digit by digit, DIGIT_COUNT neighbours of which are this item's to sum. */
    uint sum = 0;
    for (uint d = 0; d < DIGIT_COUNT; d++)
        sum += before[me * DIGIT_COUNT + d];
    uint running = group_scan_uint(sum, &total, room);
    for (uint d = 0; d < DIGIT_COUNT; d++) {
        const uint own = before[me * DIGIT_COUNT + d];
        before[me * DIGIT_COUNT + d] = (ushort)running;
        running += own;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < DIGIT_COUNT)
        begin[me] = before[me * SCAN_ITEMS];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < EACH; k++)
        if (k < mine) {
            const uint d = DIGIT(key[k]), rank = before[d * SCAN_ITEMS + me]++;
            const long at = counts[(long)d * get_num_groups(0) + get_group_id(0)] + rank - begin[d];
            to_keys[at] = key[k];
            to_positions[at] = positions[from + k];
        }
}

/* ---- summing runs of equal keys ---------------------------------------------------------------------------------------
 * A work-item sums RUN neighbours. A run of equal keys that begins and ends there is added to the array. What goes on before
 * or behind becomes two entries of the next, shorter list, which is summed likewise: the sum of the run that comes from
 * before (or is all there is), and that of the run that goes on. An entry that is nothing has the key `none`. */

#define RUN 32
#ifdef IS_FLOAT
#define NOTHING ((COMPUTE)(-0.0f)) /* x + -0.0 is x, also for x = -0.0 */
#else
#define NOTHING ((COMPUTE)0)
#endif

#define SUM_RUNS(VALUE)                                                                              \
    const long me = get_global_id(0), from = me * RUN, to = min(from + RUN, n);                      \
    const KEY none = (KEY)s.extent;                                                                  \
    if (from >= n)                                                                                   \
        return;                                                                                      \
    KEY key = keys[from], head = none, tail = none;                                                  \
    bool whole = from == 0 || keys[from - 1] != key; /* does the run begin here? */                  \
    COMPUTE sum = NOTHING, head_sum = NOTHING, tail_sum = NOTHING;                                   \
    for (long i = from; i < to; i++) {                                                               \
        sum += (VALUE);                                                                              \
        const KEY next = i + 1 < n ? keys[i + 1] : none;                                             \
        const bool ends = next != key || i + 1 == n;                                                 \
        if (!ends && i + 1 < to)                                                                     \
            continue;                                                                                \
        if (ends && whole) {                                                                         \
            if (key != none) {                                                                       \
                const long place = s.dst + layout_offset(&s.to, (long)key);                          \
                STORE(dst, place, LOAD(dst, place) + sum);                                           \
            }                                                                                        \
        } else if (!whole) {                                                                         \
            head = key;                                                                              \
            head_sum = sum;                                                                          \
            tail = ends ? none : key; /* the next entry's neighbour has the same key */              \
        } else {                                                                                     \
            tail = key;                                                                              \
            tail_sum = sum;                                                                          \
        }                                                                                            \
        sum = NOTHING;                                                                               \
        whole = true;                                                                                \
        key = next;                                                                                  \
    }                                                                                                \
    if (next_keys) {                                                                                 \
        next_keys[2 * me] = head;                                                                    \
        next_keys[2 * me + 1] = tail;                                                                \
        next_sums[2 * me] = head_sum;                                                                \
        next_sums[2 * me + 1] = tail_sum;                                                            \
    }

kernel __attribute__((reqd_work_group_size(SCAN_ITEMS, 1, 1)))
void add_at_gpu_first(global T *dst, global KEY *next_keys, global COMPUTE *next_sums, global const KEY *keys,
                      global const uint *positions, global const T *values, STORED single, long n, const put_shape s)
{
    const COMPUTE one = values ? LOAD(values, s.values) : unpack1(single);
    SUM_RUNS(s.step ? LOAD(values, s.values + s.from + positions[i]) : one)
}

kernel __attribute__((reqd_work_group_size(SCAN_ITEMS, 1, 1)))
void add_at_gpu_next(global T *dst, global KEY *next_keys, global COMPUTE *next_sums, global const KEY *keys,
                     global const COMPUTE *sums, long n, const put_shape s)
{
    SUM_RUNS(sums[i])
}
