/* Reductions of small blocks on a GPU: `elements` rows of `columns` each, summed over the rows, and one block behind
 * another. A group reads many of them as one stream into local memory, whatever their edges; there `share` items add up
 * each output, straight, since a share has no more than RUN elements, and then as a tree. */
#ifndef COMBINE
#define COMBINE(a, b) (a + b)
#define IDENTITY 0
#define ACC float
#define OUT float
#endif
#ifndef VECTOR_ITEMS
#define VECTOR_ITEMS 1 /* elements that an item loads at once; more than one only from aligned memory */
#endif

#ifndef LOADS
#define LOADS 4 /* that an item has under way */
#endif
#define ITEMS 256

#ifdef IS_FLOAT
#define HIGHEST INFINITY
#define LOWEST -INFINITY
#else /* the type's range, by its own arithmetic */
#define LOWEST ((T)-1 > 0 ? (T)0 : (T)((ulong)-1 << (8 * ITEM_BYTES - 1)))
#define HIGHEST ((T)~LOWEST)
#endif

#ifdef OUT_IS_HALF
#define STORE_OUT(p, i, x) vstore_half_rte(x, i, p)
#else
#define STORE_OUT(p, i, x) ((p)[i] = (x))
#endif

/* What is moved: an element's bits, what an item loads, and what it stores of that at once. */
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
typedef bits unit, word;
#elif ITEM_BYTES == 8
typedef ulong2 unit;
typedef ulong word;
#else
typedef uint4 unit;
typedef uint word;
#endif
#define WORDS (int)(sizeof(unit) / sizeof(word))

/* Behind all that the banks hold at once one place is left free, so that items that read a power of 2 apart meet in few
 * banks no longer. */
#define LINE (128 / ITEM_BYTES)
#define PAD (ITEM_BYTES < 4 ? 4 / ITEM_BYTES : 1)
#define PLACE(i) ((i) + (i) / LINE * PAD)
#define TILE (ITEMS * LOADS * VECTOR_ITEMS)

typedef struct { /* as in reduce_gpu.cl */
    long in, out, outer, parts, columns, part, step, elements, out_step, share, width;
} gpu_plan;

/* A value; for accurate sums a pair of it and of what its roundings lost. */
typedef struct {
    ACC value;
#ifdef ACCURATE
    ACC rest;
#endif
} item;

inline item item_of(ACC value)
{
    item x;
    x.value = value;
#ifdef ACCURATE
    x.rest = 0;
#endif
    return x;
}

inline item join(item a, item b)
{
#ifdef ACCURATE
    const ACC sum = a.value + b.value, part = sum - a.value;
    a.rest = (a.rest + b.rest) + ((a.value - (sum - part)) + (b.value - part));
    a.value = sum;
#else
    a.value = COMBINE(a.value, b.value);
#endif
    return a;
}

inline ACC finish(item x)
{
#ifdef ACCURATE
    return isnan(x.rest) ? x.value : x.value + x.rest; /* infinities have no rest */
#else
    return x.value;
#endif
}

/* Joins `count` neighbours, a power of 2; the first has the result. */
inline item tree(local item *shared, item mine, int place, int count)
{
    const int id = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier use has been read */
    shared[id] = mine;
    for (int half_ = count / 2; half_ > 0; half_ /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place < half_) {
            mine = join(mine, shared[id + half_]);
            shared[id] = mine;
        }
    }
    return mine;
}

/* `part` blocks from p on, `count` elements in all. */
inline void fetch(local bits *tile, global const bits *p, int count)
{
    const int id = get_local_id(0), units = count / VECTOR_ITEMS, rest = units * VECTOR_ITEMS + id;
    unit x[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (k * ITEMS + id < units)
            x[k] = ((global const unit *)p)[k * ITEMS + id];
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        local word *to = (local word *)(tile + PLACE((k * ITEMS + id) * VECTOR_ITEMS));
        if (k * ITEMS + id < units)
#pragma unroll
            for (int w = 0; w < WORDS; w++)
                to[w] = ((const word *)&x[k])[w];
    }
    if (rest < count)
        tile[PLACE(rest)] = p[rest];
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void reduce_short(global OUT *out, global ACC *partial, global const T *restrict in, lun_layout kept,
                  lun_layout kept_out, volatile global uint *tickets, gpu_plan plan)
{
    local ulong room[PLACE(TILE) * ITEM_BYTES / 8 + 1];
    local item shared[ITEMS];
    local bits *tile = (local bits *)room;
    const int id = get_local_id(0), share = (int)plan.share, place = id % share;
    const int elements = (int)plan.elements, columns = (int)plan.columns, block = elements * columns;
    const long before = get_group_id(0) * plan.part;
    const int blocks = (int)min(plan.part, plan.outer - before), outputs = blocks * columns;
    fetch(tile, (global const bits *)in + plan.in + before * block, blocks * block);
    for (int first = 0; first < outputs; first += ITEMS / share) {
        const int output = first + id / share, of = output / columns * block + output % columns;
        item mine = item_of((ACC)(IDENTITY));
        if (output < outputs)
            for (int e = place; e < elements; e += share)
                mine = join(mine, item_of((ACC)LOAD((local const T *)tile, PLACE(of + e * columns))));
        if (share > 1)
            mine = tree(shared, mine, place, share);
        if (output < outputs && place == 0)
            STORE_OUT(out, plan.out + layout_offset(&kept_out, before * columns + output), finish(mine));
    }
}
