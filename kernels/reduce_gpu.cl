/* Reductions on a GPU: items of a group read neighbouring vectors, keep a few straight chains each in registers, and join
 * them as a tree in local memory. A chain is at most CHAIN long, and what a group cannot take so is cut into parts,
 * which a second kernel joins: so a sum's error grows as log n, and the order never changes. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpsabi" /* wide vectors are never passed between programs */
#endif

#ifndef COMBINE
#define COMBINE(a, b) (a + b)
#define IDENTITY 0
#define ACC float /* partial results */
#define OUT float /* results */
#define LEAF_TYPE float /* what a chain is added up in: room for CHAIN elements */
#endif
#ifndef VECTOR_ITEMS
#define VECTOR_ITEMS 1 /* elements that an item loads at once; more than one only from aligned memory */
#endif

#define ITEMS 256
#define CHAINS 4

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

#if VECTOR_ITEMS == 1
typedef LEAF_TYPE leaf;
#define LOAD_LEAF(p) ((LEAF_TYPE)LOAD((p), 0))
#else
typedef JOIN(LEAF_TYPE, VECTOR_ITEMS) leaf;
#ifdef DTYPE_f16
#define LOAD_LEAF(p) JOIN(vload_half, VECTOR_ITEMS)(0, (p))
#else
#define LOAD_LEAF(p) JOIN(JOIN(convert_, LEAF_TYPE), VECTOR_ITEMS)(*(global const JOIN(T, VECTOR_ITEMS) *)(p))
#endif
#endif

/* A value; for accurate sums a pair of it and of what its roundings lost. */
typedef struct {
    ACC value;
#ifdef ACCURATE
    ACC rest;
#endif
} item;
typedef struct {
    leaf value;
#ifdef ACCURATE
    leaf rest;
#endif
} chain;

#ifdef ACCURATE
#define JOIN_INTO(a, b_value, b_rest, type) \
    do { \
        const type sum_ = (a).value + (b_value), part_ = sum_ - (a).value; \
        (a).rest = ((a).rest + (b_rest)) + (((a).value - (sum_ - part_)) + ((b_value) - part_)); \
        (a).value = sum_; \
    } while (0)
#define ADD(a, x) JOIN_INTO(a, x, 0, leaf)
#define FINISH(x) (isnan((x).rest) ? (x).value : (x).value + (x).rest) /* infinities have no rest */
#else
#define ADD(a, x) (a).value = COMBINE((a).value, (x))
#define FINISH(x) ((x).value)
#endif

inline item join(item a, item b)
{
#ifdef ACCURATE
    JOIN_INTO(a, b.value, b.rest, ACC);
#else
    a.value = COMBINE(a.value, b.value);
#endif
    return a;
}

inline chain no_chain(void)
{
    chain c;
    c.value = (leaf)((LEAF_TYPE)(IDENTITY));
#ifdef ACCURATE
    c.rest = 0;
#endif
    return c;
}

inline item item_of(ACC value)
{
    item x;
    x.value = value;
#ifdef ACCURATE
    x.rest = 0;
#endif
    return x;
}

/* A chain's lanes as one item. */
inline item fold(chain c)
{
    item each[VECTOR_ITEMS];
#ifdef ACCURATE
    LEAF_TYPE rest[VECTOR_ITEMS];
    *(leaf *)rest = c.rest;
#endif
    LEAF_TYPE value[VECTOR_ITEMS];
    *(leaf *)value = c.value;
#pragma unroll
    for (int i = 0; i < VECTOR_ITEMS; i++) {
        each[i].value = (ACC)value[i];
#ifdef ACCURATE
        each[i].rest = (ACC)rest[i];
#endif
    }
#pragma unroll
    for (int width = VECTOR_ITEMS / 2; width > 0; width /= 2)
#pragma unroll
        for (int i = 0; i < VECTOR_ITEMS / 2; i++)
            if (i < width)
                each[i] = join(each[i], each[i + width]);
    return each[0];
}

/* Joins the items of a group that are `step` apart: `count` of them, a power of 2. The first of each has the result. */
inline item tree(local item *shared, item mine, int place, int count, int step)
{
    const int id = get_local_id(0);
    shared[id] = mine;
    for (int half_ = count / 2; half_ > 0; half_ /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place < half_) {
            mine = join(mine, shared[id + half_ * step]);
            shared[id] = mine;
        }
    }
    return mine;
}

inline void store_partial(global ACC *partial, long at, long count, item x)
{
    partial[at] = x.value;
#ifdef ACCURATE
    partial[count + at] = x.rest;
#endif
}

typedef struct {
    long in, out;                /* first elements */
    long outer, parts, columns;  /* outputs are outer x columns; each is made of so many parts */
    long part, elements;         /* elements of a part; of an output */
    long out_step;               /* between columns of the result */
    long share;                  /* items that work on one part, or columns side by side: a power of 2 */
} gpu_plan;

/* The elements of an output are neighbours; `share` items take a part of it. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void reduce_gpu_rows(global OUT *out, global ACC *partial, global const T *restrict in, lun_layout kept,
                     lun_layout kept_out, gpu_plan plan)
{
    local item shared[ITEMS];
    const int share = (int)plan.share, place = (int)get_local_id(0) % share;
    const long jobs = plan.outer * plan.parts;
    const long job = (long)get_group_id(0) * (ITEMS / share) + (int)get_local_id(0) / share;
    const long output = job / plan.parts, from = job % plan.parts * plan.part;
    const long n = job < jobs ? min(plan.part, plan.elements - from) : 0;
    global const T *p = in + plan.in + layout_offset(&kept, job < jobs ? output : 0) + from;
    chain c[CHAINS];
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
        c[k] = no_chain();
    const long stride = (long)share * VECTOR_ITEMS;
    long i = (long)place * VECTOR_ITEMS;
    for (; i + (CHAINS - 1) * stride + VECTOR_ITEMS <= n; i += CHAINS * stride) {
        leaf x[CHAINS];
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            x[k] = LOAD_LEAF(p + i + k * stride);
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            ADD(c[k], x[k]);
    }
    for (; i + VECTOR_ITEMS <= n; i += stride)
        ADD(c[0], LOAD_LEAF(p + i));
    item mine = join(join(fold(c[0]), fold(c[1])), join(fold(c[2]), fold(c[3])));
    for (i = n / VECTOR_ITEMS * VECTOR_ITEMS + place; i < n; i += share)
        mine = join(mine, item_of((ACC)LOAD(p, i)));
    mine = tree(shared, mine, place, share, 1);
    if (place > 0 || job >= jobs)
        return;
    if (plan.parts == 1)
        STORE_OUT(out, plan.out + layout_offset(&kept_out, output), FINISH(mine));
    else
        store_partial(partial, job, jobs, mine);
}

/* Neighbours go to different outputs: `share` columns side by side, the other items on rows below one another. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void reduce_gpu_columns(global OUT *out, global ACC *partial, global const T *restrict in, lun_layout kept,
                        lun_layout kept_out, lun_layout reduced, gpu_plan plan)
{
    local item shared[ITEMS];
    const int share = (int)plan.share, x = (int)get_local_id(0) % share, y = (int)get_local_id(0) / share;
    const int rows = ITEMS / share;
    const long strips = (plan.columns + share - 1) / share, group = get_group_id(0);
    const long column = group % strips * share + x, part = group / strips % plan.parts;
    const long outer = group / (strips * plan.parts);
    const long end = column < plan.columns ? min(plan.elements, (part + 1) * plan.part) : 0;
    global const T *p = in + plan.in + layout_offset(&kept, outer) + column;
    const long step = reduced.ndim > 0 ? reduced.stride[reduced.ndim - 1] : 0;
    const bool plain = reduced.ndim <= 1;
    item c[CHAINS];
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
        c[k] = item_of((ACC)(IDENTITY));
    long i = part * plan.part + y;
    for (; plain && i + (CHAINS - 1) * rows < end; i += CHAINS * rows) {
        ACC value[CHAINS];
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            value[k] = (ACC)LOAD(p, (i + k * rows) * step);
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            c[k] = join(c[k], item_of(value[k]));
    }
    for (int k = 0; i < end; i += rows, k++) {
        const item mine = item_of((ACC)LOAD(p, plain ? i * step : layout_offset(&reduced, i)));
        if (k % 2)
            c[1] = join(c[1], mine);
        else
            c[0] = join(c[0], mine);
    }
    const item mine = tree(shared, join(join(c[0], c[1]), join(c[2], c[3])), y, rows, share);
    if (y > 0 || column >= plan.columns)
        return;
    if (plan.parts == 1)
        STORE_OUT(out, plan.out + layout_offset(&kept_out, outer) + column * plan.out_step, FINISH(mine));
    else
        store_partial(partial, (outer * plan.parts + part) * plan.columns + column,
                      plan.outer * plan.parts * plan.columns, mine);
}

/* The parts of each output; `share` items to an output. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void reduce_gpu_combine(global OUT *out, global const ACC *restrict partial, lun_layout kept_out, gpu_plan plan)
{
    local item shared[ITEMS];
    const int share = (int)plan.share, place = (int)get_local_id(0) % share;
    const long outputs = plan.outer * plan.columns;
    const long output = (long)get_group_id(0) * (ITEMS / share) + (int)get_local_id(0) / share;
    const long outer = output / plan.columns, column = output % plan.columns;
    item mine = item_of((ACC)(IDENTITY));
    for (long part = place; part < plan.parts && output < outputs; part += share) {
        const long at = (outer * plan.parts + part) * plan.columns + column;
        item x = item_of(partial[at]);
#ifdef ACCURATE
        x.rest = partial[outputs * plan.parts + at];
#endif
        mine = join(mine, x);
    }
    mine = tree(shared, mine, place, share, 1);
    if (place == 0 && output < outputs)
        STORE_OUT(out, plan.out + layout_offset(&kept_out, outer) + column * plan.out_step, FINISH(mine));
}
