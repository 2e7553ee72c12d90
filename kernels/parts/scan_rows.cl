/* Rows that GPUs scan: the elements of a part, which a group holds in registers, and how its items join what they
 * have. ITEMS, VECTOR. */
#define SCAN_ITEMS ITEMS
#include "parts/scan.cl"
#include "parts/group_scan.cl"

#define ROUNDS SCAN_ROUNDS
#define OWN (ROUNDS * VECTOR) /* elements of a work-item, */
#define TILE (ITEMS * OWN)    /* and of a part of a row */
#define ACCV JOIN(ACC, VECTOR)
#ifdef NVIDIA
#include "parts/warp.cl"
#define WARPS (ITEMS / WARP)
#endif

#ifdef NVIDIA
/* As DEFINE_GROUP_SCAN_BY's, with one barrier. */
inline ACC group_scan_of_warps(ACC before, ACC all, ACC *total, local ACC *room, int item)
{
    ACC start = IDENTITY, sum = IDENTITY;
    if (item % WARP == 0)
        room[item / WARP] = all;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int warp = 0; warp < WARPS; warp++) {
        start = warp == item / WARP ? sum : start;
        sum = warp ? scan_both(sum, room[warp]) : room[0];
    }
    *total = sum;
    return scan_both(start, before);
}

/* The sum of the items before this one in its warp, and in *all that of the warp. */
inline ACC warp_scan(ACC x, ACC *all, int item)
{
    const int lane = item % WARP;
    for (int step = 1; step < WARP; step *= 2) {
        const ACC above = value_above(x, step);
        x = lane >= step ? scan_both(above, x) : x;
    }
    *all = value_of_last(x);
    const ACC above = value_above(x, 1);
    return lane ? above : NOTHING_YET;
}

inline ACC group_scan(ACC x, ACC *total, local ACC *room)
{
    const int item = (int)get_local_id(0);
    ACC all;
    const ACC before = warp_scan(x, &all, item);
    return group_scan_of_warps(before, all, total, room, item);
}
#else
DEFINE_GROUP_SCAN_BY(group_scan, ACC, IDENTITY, scan_both)
#endif

/* Where the vector that a work-item holds of a round begins: those of a round follow one another in a group; or in a
 * warp, and its rounds after them. */
#ifdef NVIDIA
#define VECTOR_AT(from, round, item) ((from) + (((item) / WARP * ROUNDS + (round)) * WARP + (item) % WARP) * VECTOR)
#else
#define VECTOR_AT(from, round, item) ((from) + ((round) * ITEMS + (item)) * VECTOR)
#endif

/* A work-item's elements of a part; behind the end of the line come those that change nothing. */
inline void load_own(ACC *x, global const T *in, const scan_shape *s, long from, int item)
{
    for (int k = 0; k < ROUNDS; k++) {
        const long at = VECTOR_AT(from, k, item);
        if (s->wide && at + VECTOR <= s->elements) {
            const JOIN(STORED, VECTOR) packed = *(global const JOIN(STORED, VECTOR) *)(in + at);
            JOIN(vstore, VECTOR)(JOIN(convert_, ACCV)(JOIN(unpack, VECTOR)(packed)), k, x);
        } else {
            for (int j = 0; j < VECTOR; j++)
                x[k * VECTOR + j] = at + j < s->elements ? MAPPED(in, (at + j) * s->step) : NOTHING_YET;
        }
    }
}

inline void store_own(global OUT *out, const ACC *x, const scan_shape *s, long from, int item)
{
    for (int k = 0; k < ROUNDS; k++) {
        const long at = VECTOR_AT(from, k, item);
        if (s->wide && at + VECTOR <= s->elements) {
            const ACCV v = JOIN(vload, VECTOR)(k, x);
#ifdef OUT_PACKED
            *(global JOIN(STORED, VECTOR) *)(out + at) = JOIN(pack, VECTOR)(v);
#else
            *(global ACCV *)(out + at) = v;
#endif
        } else {
            for (int j = 0; j < VECTOR; j++) /* of a known length, so that x is registers */
                if (at + j < s->elements)
                    STORE_OUT(out, (at + j) * s->out_step, x[k * VECTOR + j]);
        }
    }
}

/* For item 0 the sum of the elements that all items hold, added up in a tree. */
inline ACC sum_of_part(ACC *x, local ACC *room, int item)
{
    for (int step = 1; step < OWN; step *= 2)
        for (int j = 0; j < OWN; j += 2 * step)
            x[j] = scan_both(x[j], x[j + step]);
#ifdef NVIDIA
    ACC sum = x[0];
    for (int step = WARP / 2; step > 0; step /= 2)
        sum = scan_both(sum, value_below(sum, step));
    if (item % WARP == 0)
        room[item / WARP] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int warp = 1; warp < WARPS; warp++)
        sum = scan_both(sum, room[warp]);
    return sum;
#else
    room[item] = x[0];
    for (int step = ITEMS / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < step)
            room[item] = scan_both(room[item], room[item + step]);
    }
    return room[0];
#endif
}

#ifdef NVIDIA
inline ACC scan_vectors(ACC *before, const ACC *x, local ACC *totals, local ACC *room, int item)
{
    ACC all, total, run = IDENTITY;
    for (int k = 0; k < ROUNDS; k++) {
        before[k] = scan_both(run, warp_scan(x[k * VECTOR + VECTOR - 1], &all, item));
        run = scan_both(run, all);
    }
    const ACC start = group_scan_of_warps(NOTHING_YET, run, &total, totals, item);
    for (int k = 0; k < ROUNDS; k++)
        before[k] = scan_both(start, before[k]);
    return total;
}
#else
/* In before[k], what is before the vector of round k in this part; gives the part's sum. `x` is scanned within
 * its vectors. */
inline ACC scan_vectors(ACC *before, const ACC *x, local ACC *totals, local ACC *room, int item)
{
    ACC all, own[ROUNDS], sum = IDENTITY;
    for (int k = 0; k < ROUNDS; k++)
        totals[k * ITEMS + item] = x[k * VECTOR + VECTOR - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ROUNDS; k++) { /* vectors that follow one another */
        own[k] = totals[item * ROUNDS + k];
        sum = scan_both(sum, own[k]);
    }
    sum = group_scan(sum, &all, room);
    for (int k = 0; k < ROUNDS; k++) {
        totals[item * ROUNDS + k] = sum;
        sum = scan_both(sum, own[k]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ROUNDS; k++)
        before[k] = totals[k * ITEMS + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}
#endif

inline void scan_within_vectors(ACC *x)
{
    for (int k = 0; k < ROUNDS; k++)
        for (int j = 1; j < VECTOR; j++)
            x[k * VECTOR + j] = scan_both(x[k * VECTOR + j - 1], x[k * VECTOR + j]);
}

/* The results of a part that begins with `start`, in x. */
inline void finish_vectors(ACC *x, const ACC *before, ACC start, const scan_shape *s)
{
    for (int k = 0; k < ROUNDS; k++) {
        const ACC from = scan_both(start, before[k]);
        for (int j = VECTOR - 1; j >= 0; j--) {
            const ACC own = x[k * VECTOR + j], above = j ? x[k * VECTOR + j - (j > 0)] : NOTHING_YET;
            x[k * VECTOR + j] = scan_both(from, s->exclusive ? above : own);
        }
    }
}
