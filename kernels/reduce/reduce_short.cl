/* Reductions of small blocks on a GPU: `elements` rows of `columns` each, summed over the rows, and one block behind
 * another. A group reads many of them as one stream into local memory, whatever their edges; there an item adds up each
 * output, in two straight chains: blocks have at most 64 rows. */
#include "parts/reduce_items.cl"

#ifndef VECTOR_ITEMS
#define VECTOR_ITEMS 1 /* elements that an item loads at once; more than one only from aligned memory */
#endif

#ifndef LOADS
#define LOADS REDUCE_SHORT_LOADS
#endif
#define ITEMS REDUCE_GPU_ITEMS

/* `bits` is an element as it is moved, `unit` what an item loads at once; STORE_UNIT writes a unit to local memory,
 * element by element or in words of 4 bytes. */
#if ITEM_BYTES == 8
typedef ulong bits;
#elif ITEM_BYTES == 4
typedef uint bits;
#elif ITEM_BYTES == 2
typedef ushort bits;
#else
typedef uchar bits;
#endif
#if VECTOR_ITEMS == 1
typedef bits unit;
#define STORE_UNIT(to, v) ((to)[0] = (v))
#elif ITEM_BYTES == 8
typedef ulong2 unit;
#define STORE_UNIT(to, v) ((to)[0] = (v).x, (to)[1] = (v).y)
#else
typedef uint4 unit;
#define STORE_UNIT(to, v)                                                                                              \
    do {                                                                                                               \
        local uint *words_ = (local uint *)(to);                                                                       \
        words_[0] = (v).x, words_[1] = (v).y, words_[2] = (v).z, words_[3] = (v).w;                                    \
    } while (0)
#endif

/* Behind each LINE elements, which fill all banks of local memory once, a place is left free: items that read a
 * power of 2 apart then no longer meet in few banks. */
#define LINE (128 / ITEM_BYTES)
#define PAD (ITEM_BYTES < 4 ? 4 / ITEM_BYTES : 1)
#define PLACE(i) ((i) + (i) / LINE * PAD)
#define TILE (ITEMS * LOADS * VECTOR_ITEMS)

/* Fetches `count` elements from p on. Items with no unit of their own left read the last whole one again; the elements
 * behind that come one by one. */
inline void fetch(local bits *tile, global const bits *p, int count)
{
    const int id = get_local_id(0), units = count / VECTOR_ITEMS, rest = units * VECTOR_ITEMS + id;
    unit x[LOADS];
    if (units > 0) {
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            x[k] = ((global const unit *)p)[min(k * ITEMS + id, units - 1)];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            STORE_UNIT(tile + PLACE((k * ITEMS + id) * VECTOR_ITEMS), x[k]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (units * VECTOR_ITEMS == count)
        return;
    if (rest < count)
        tile[PLACE(rest)] = p[rest];
    barrier(CLK_LOCAL_MEM_FENCE);
}

KERNEL(ITEMS) reduce_short(global OUT *out, global ACC *partial, global const T *restrict in, lun_layout kept,
                           lun_layout kept_out, volatile global uint *tickets, reduce_gpu_shape plan,
                           lun_layout reduced)
{
    local ulong room[PLACE(TILE) * ITEM_BYTES / 8 + 1];
    local bits *tile = (local bits *)room;
    const uint elements = (uint)plan.elements, columns = (uint)plan.columns, block = elements * columns;
    const long before = get_group_id(0) * plan.part;
    const uint blocks = (uint)min(plan.part, plan.outer - before), outputs = blocks * columns;
    fetch(tile, (global const bits *)in + plan.in + before * block, (int)(blocks * block));
    for (uint output = get_local_id(0); output < outputs; output += ITEMS) {
        const uint first = output / columns * block + output % columns;
        item even = item_of((ACC)(IDENTITY)), odd = even;
        uint e = 0;
        for (; e + 1 < elements; e += 2) {
            even = join(even, item_of(MAPPED((local const T *)tile, PLACE(first + e * columns))));
            odd = join(odd, item_of(MAPPED((local const T *)tile, PLACE(first + (e + 1) * columns))));
        }
        if (e < elements)
            even = join(even, item_of(MAPPED((local const T *)tile, PLACE(first + e * columns))));
        STORE_OUT(out, plan.out + layout_offset(&kept_out, before * columns + output), FINISH(join(even, odd)));
    }
}
