/* Reductions on a GPU: items of a group read neighbouring vectors, keep a few straight chains each in registers, and
 * join them as a tree. A chain is at most RUN long, chains are joined at most RUN at a time, and so on: so a sum's
 * error grows as log n. Where there are fewer outputs than the device has room for groups, several groups make parts
 * of one output; the parts are joined in their order, so the result is the same every time.
 *
 * NVIDIA adds what OpenCL C lacks: items of a warp exchange values without local memory, an order between groups
 * lets the last of the groups that make an output join its parts (`tickets`), where other GPUs launch
 * reduce_gpu_combine, and with STREAM the input is read past the caches. SHARE: the program is for rows that whole
 * groups walk through, and no others. */
#ifdef __has_warning
#if __has_warning("-Wpsabi")
#pragma clang diagnostic ignored "-Wpsabi" /* wide vectors are never passed between programs */
#endif
#endif

#include "parts/reduce_items.cl"

#ifndef VECTOR_ITEMS
#define VECTOR_ITEMS 1 /* elements that an item loads at once; more than one only from aligned memory */
#endif

#ifndef LOADS
#define LOADS 4 /* vectors that an item has under way at once: a multiple of CHAINS */
#endif

#ifndef ITEMS
#define ITEMS REDUCE_GPU_ITEMS
#endif
#define LANE_BYTES REDUCE_LANE_BYTES
#include "parts/reduce_chains.cl"

/* ---- between the items of a group ------------------------------------------------------------------------------- */

/* Joins `count` items of a group that are `step` apart; `place` is an item's number among them. The one at place 0 gets
 * the result. */
inline item tree(local item *shared, item mine, int place, int count, int step)
{
    const int id = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier use has been read */
    shared[id] = mine;
    for (int left = count; left > 1;) {
        const int half_ = (left + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place < left - half_) {
            mine = join(mine, shared[id + half_ * step]);
            shared[id] = mine;
        }
        left = half_;
    }
    return mine;
}

/* Joins `rows` rows of `width` neighbours each into the first row, which may be read without a further barrier. */
inline void tree_of_rows(local item *shared, int rows, int width)
{
    for (int left = rows; left > 1;) {
        const int half_ = (left + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int at = get_local_id(0); at < (left - half_) * width; at += ITEMS)
            shared[at] = join(shared[at], shared[at + half_ * width]);
        left = half_;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#ifdef NVIDIA
#include "parts/warp.cl"

inline item below(item mine, int distance)
{
    mine.value = value_below(mine.value, distance);
    return mine;
}

/* As tree(), of `count` neighbouring items, a power of 2. */
inline item neighbours(local item *shared, item mine, int place, int count)
{
    for (int half_ = min(count, 32) / 2; half_ > 0; half_ /= 2)
        mine = join(mine, below(mine, half_));
    if (count <= 32)
        return mine;
    const int id = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id % 32 == 0)
        shared[id / 32] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int warps = count / 32;
    mine = place < warps ? shared[id / count * warps + place] : item_of((ACC)(IDENTITY));
    for (int half_ = warps / 2; half_ > 0; half_ /= 2)
        mine = join(mine, below(mine, half_));
    return mine;
}
#else
#define neighbours(shared, mine, place, count) tree(shared, mine, place, count, 1)
#endif

/* ---- between groups ---------------------------------------------------------------------------------------------- */

inline void store_partial(global ACC *partial, const reduce_gpu_shape *plan, long outer, long part, long column, item x)
{
    const long at = (outer * plan->parts + part) * plan->columns + column;
    partial[at] = x.value;
}

/* A whole group joins the parts of `side` columns from `first` on; columns from `end` on are left out. */
inline void join_parts(global OUT *out, global const ACC *partial, const lun_layout *kept_out,
                       const reduce_gpu_shape *plan, long outer, long first, long end, int side, local item *shared)
{
    const int id = get_local_id(0), rows = ITEMS / side, x = id % side, y = id / side;
    const int parts = (int)plan->parts;
    const long column = first + x;
    const bool inside = y < rows && column < end;
    global const ACC *p = partial + outer * parts * plan->columns + column;
    item mine = item_of((ACC)(IDENTITY));
#pragma unroll 4
    for (int part = inside ? y : parts; part < parts; part += rows) {
        item other = item_of(p[part * plan->columns]);
        mine = join(mine, other);
    }
#ifdef NVIDIA
    mine = side == 1 ? neighbours(shared, mine, y, ITEMS) : tree(shared, mine, y, rows, side);
#else
    mine = tree(shared, mine, y, rows, side);
#endif
    if (y == 0 && inside)
        STORE_OUT(out, plan->out + layout_offset(kept_out, outer) + column * plan->out_step, FINISH(mine));
}

/* Called when a group has stored its parts: the last of the groups that share the ticket joins the parts of all of
 * them. */
#ifdef NVIDIA
inline void hand_in(global OUT *out, global const ACC *partial, const lun_layout *kept_out,
                    volatile global uint *ticket, const reduce_gpu_shape *plan, long outer, long first,
                    local item *shared, local uint *turn)
{
    if (!is_last_of(ticket, (uint)plan->parts, turn))
        return;
    const int width = (int)min(plan->width, plan->columns - first), side = min(width, ITEMS);
    for (int at = 0; at < width; at += side)
        join_parts(out, partial, kept_out, plan, outer, first + at, first + width, side, shared);
}
#else
#define hand_in(out, partial, kept_out, ticket, plan, outer, first, shared, turn) (void)(turn)
#endif

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* Adds up the vectors at AT(from, i), for i from `i` on: LOADS of them in a round, `stride` apart, and rounds `step`
 * apart. A vector reaches to i + `reach`, which is at most n. KEEP(into, runs, chain) takes each run, of which
 * `runs` came before. `origin` is the first element of the whole input, for stream_policy. */
#define FULL(i, n, reach, stride) ((i) + (LOADS - 1) * (stride) + (reach) <= (n))
#define WALK(i, n, reach, stride, step, origin, from, AT, KEEP, into)                                                  \
    do {                                                                                                               \
        raw x_[LOADS];                                                                                                 \
        chain c_[CHAINS];                                                                                              \
        int runs_ = 0;                                                                                                 \
        for (; FULL(i, n, reach, stride); runs_++) {                                                                   \
            no_chains(c_);                                                                                             \
            for (int r_ = 0; r_ < RUN * CHAINS / LOADS && FULL(i, n, reach, stride); r_++) {                           \
                const ulong policy_ = stream_policy(AT(from, i), origin);                                              \
                _Pragma("unroll") for (int k_ = 0; k_ < LOADS; k_++)                                                   \
                    x_[k_] = LOAD_RAW(AT(from, (i) + k_ * (stride)), policy_);                                         \
                _Pragma("unroll") for (int k_ = 0; k_ < LOADS; k_++) ADD(c_[k_ % CHAINS], LEAF(x_[k_]));               \
                i += (step);                                                                                           \
            }                                                                                                          \
            KEEP(into, runs_, gather(c_));                                                                             \
        }                                                                                                              \
        if (i + (reach) <= (n)) { /* a round that is not full reads the first again for those that are missing */      \
            const long last_ = (n) - (reach);                                                                          \
            const ulong policy_ = stream_policy(AT(from, i), origin);                                                  \
            no_chains(c_);                                                                                             \
            _Pragma("unroll") for (int k_ = 0; k_ < LOADS; k_++)                                                       \
                x_[k_] = LOAD_RAW(AT(from, i + k_ * (stride) <= last_ ? i + k_ * (stride) : i), policy_);              \
            _Pragma("unroll") for (int k_ = 0; k_ < LOADS; k_++)                                                       \
                if (i + k_ * (stride) <= last_)                                                                        \
                    ADD(c_[k_ % CHAINS], LEAF(x_[k_]));                                                                \
            KEEP(into, runs_, gather(c_));                                                                             \
        }                                                                                                              \
    } while (0)

#define KEEP_FOLDED(sum, runs, c) sum = push(sum, runs, fold(c))
#define KEEP_LANES(sums, runs, c)                                                                                      \
    do {                                                                                                               \
        item lane_[VECTOR_ITEMS];                                                                                      \
        lanes(lane_, c);                                                                                               \
        _Pragma("unroll") for (int v_ = 0; v_ < VECTOR_ITEMS; v_++) sums[v_] = push(sums[v_], runs, lane_[v_]);        \
    } while (0)

#define AT_ELEMENT(p, i) (p + (i))

/* The elements of an output are neighbours; `share` items take a part of it. */
KERNEL(ITEMS) reduce_gpu_rows(global OUT *out, global ACC *partial, global const T *restrict in, lun_layout kept,
                              lun_layout kept_out, volatile global uint *tickets, reduce_gpu_shape plan,
                              lun_layout reduced)
{
    local item shared[ITEMS];
    local uint turn;
#ifdef SHARE
    const int share = SHARE;
#else
    const int share = (int)plan.share;
#endif
    const int place = (int)get_local_id(0) % share;
    const long job = (long)get_group_id(0) * (ITEMS / share) + (int)get_local_id(0) / share;
    const bool whole = plan.parts == 1;
    const long output = whole ? job : job / plan.parts, part = whole ? 0 : job - output * plan.parts;
    const bool inside = output < plan.outer;
    const long n = inside ? plan.elements : 0, stride = (long)share * VECTOR_ITEMS;
    global const T *origin = in + plan.in, *p = origin + layout_offset(&kept, inside ? output : 0);
    total sum = no_total();
    long i = part * plan.part + (long)place * VECTOR_ITEMS;
    WALK(i, n, VECTOR_ITEMS, stride, plan.step, origin, p, AT_ELEMENT, KEEP_FOLDED, sum);
    item mine = join(sum.all, sum.some);
    if (VECTOR_ITEMS > 1 && part == plan.parts - 1)
        for (i = n / VECTOR_ITEMS * VECTOR_ITEMS + place; i < n; i += share)
            mine = join(mine, item_of(MAPPED(p, i)));
    mine = neighbours(shared, mine, place, share);
    if (whole) {
        if (place == 0 && inside)
            STORE_OUT(out, plan.out + layout_offset(&kept_out, output), FINISH(mine));
        return;
    }
    if (place == 0)
        store_partial(partial, &plan, output, part, 0, mine);
    hand_in(out, partial, &kept_out, tickets + output, &plan, output, 0, shared, &turn);
}

#if !defined(SHARE) && VECTOR_ITEMS * ACC_BYTES <= LANE_BYTES /* others are only for rows */
inline void store_totals(local item *shared, const total *sums)
{
#pragma unroll
    for (int v = 0; v < VECTOR_ITEMS; v++)
        shared[get_local_id(0) * VECTOR_ITEMS + v] = join(sums[v].all, sums[v].some);
}

/* Stores the columns of a group from `first` on: as results, or as parts of results. */
inline void store_columns(global OUT *out, global ACC *partial, const lun_layout *kept_out,
                          volatile global uint *ticket, const reduce_gpu_shape *plan, long outer, long part,
                          long first, local item *shared, local uint *turn)
{
    const int width = (int)min(plan->width, plan->columns - first);
    for (int x = get_local_id(0); x < width; x += ITEMS) {
        if (plan->parts > 1)
            store_partial(partial, plan, outer, part, first + x, shared[x]);
        else
            STORE_OUT(out, plan->out + layout_offset(kept_out, outer) + (first + x) * plan->out_step,
                      FINISH(shared[x]));
    }
    if (plan->parts > 1)
        hand_in(out, partial, kept_out, ticket, plan, outer, first, shared, turn);
}

/* Few columns, rows behind one another: the elements are one stream, of which an item always meets the same columns,
 * since `share` is a multiple of their number. */
KERNEL(ITEMS) reduce_gpu_narrow(global OUT *out, global ACC *partial, global const T *restrict in, lun_layout kept,
                                lun_layout kept_out, volatile global uint *tickets, reduce_gpu_shape plan,
                                lun_layout reduced)
{
    local item shared[ITEMS * VECTOR_ITEMS];
    local uint turn;
    const int id = get_local_id(0), share = (int)plan.share, columns = (int)plan.columns;
    const long outer = get_group_id(0) / plan.parts, part = get_group_id(0) - outer * plan.parts;
    const long n = plan.elements * columns, stride = (long)share * VECTOR_ITEMS;
    global const T *origin = in + plan.in, *p = origin + layout_offset(&kept, outer);
    total sums[VECTOR_ITEMS];
    no_totals(sums);
    long i = id < share ? part * plan.part + (long)id * VECTOR_ITEMS : n;
    WALK(i, n, VECTOR_ITEMS, stride, plan.step, origin, p, AT_ELEMENT, KEEP_LANES, sums);
    store_totals(shared, sums);
    tree_of_rows(shared, share * VECTOR_ITEMS / columns, columns);
    if (id < columns && part == plan.parts - 1)
        for (i = n / VECTOR_ITEMS * VECTOR_ITEMS; i < n; i++)
            if (i % columns == id)
                shared[id] = join(shared[id], item_of(MAPPED(p, i)));
    store_columns(out, partial, &kept_out, tickets + outer, &plan, outer, part, 0, shared, &turn);
}

/* For `columns` alone: merged, row and reduced are its own. */
#define AT_ROW(p, i) (p + (merged ? (i) * row : layout_offset(reduced, i)))

/* Neighbours go to different outputs: `share` items side by side, the others on rows below one another. */
inline void columns(global OUT *out, global ACC *partial, global const T *restrict in, const lun_layout *kept,
                    const lun_layout *kept_out, volatile global uint *tickets, const reduce_gpu_shape *plan,
                    const lun_layout *reduced, local item *shared, local uint *turn, const bool merged)
{
    const int share = (int)plan->share, rows = ITEMS / share;
    const int x = (int)get_local_id(0) % share, y = (int)get_local_id(0) / share;
    const uint strips = (uint)((plan->columns + plan->width - 1) / plan->width), parts = (uint)plan->parts;
    const uint group = get_group_id(0), strip = group % strips, part = group / strips % parts;
    const long outer = group / strips / parts, first = strip * plan->width, column = first + x * VECTOR_ITEMS;
    const bool inside = y < rows && column < plan->columns;
    const long n = inside ? plan->elements : 0, row = reduced->ndim > 0 ? reduced->stride[0] : 0;
    global const T *origin = in + plan->in, *p = origin + layout_offset(kept, outer) + (inside ? column : 0);
    total sums[VECTOR_ITEMS];
    no_totals(sums);
    long i = part * plan->part + y;
    WALK(i, n, 1, rows, plan->step, origin, p, AT_ROW, KEEP_LANES, sums);
    store_totals(shared, sums);
    tree_of_rows(shared, rows, (int)plan->width);
    store_columns(out, partial, kept_out, tickets + outer * strips + strip, plan, outer, part, first, shared, turn);
}

KERNEL(ITEMS) reduce_gpu_columns(global OUT *out, global ACC *partial, global const T *restrict in, lun_layout kept,
                                 lun_layout kept_out, volatile global uint *tickets, reduce_gpu_shape plan,
                                 lun_layout reduced)
{
    local item shared[ITEMS * VECTOR_ITEMS];
    local uint turn;
    columns(out, partial, in, &kept, &kept_out, tickets, &plan, &reduced, shared, &turn, true);
}

/* As reduce_gpu_columns, where several reduced axes do not merge. */
KERNEL(ITEMS) reduce_gpu_columns_of_axes(global OUT *out, global ACC *partial, global const T *restrict in,
                                         lun_layout kept, lun_layout kept_out, volatile global uint *tickets,
                                         reduce_gpu_shape plan, lun_layout reduced)
{
    local item shared[ITEMS * VECTOR_ITEMS];
    local uint turn;
    columns(out, partial, in, &kept, &kept_out, tickets, &plan, &reduced, shared, &turn, false);
}

#endif

#ifndef NVIDIA
/* Joins the parts of each output: a group takes a strip of at most ITEMS columns. PoCL 5.0 builds tree() wrongly,
 * most times, inside a loop over strips, or with a count that depends on `group % strips`: items then read places
 * that no item has written. */
KERNEL(ITEMS) reduce_gpu_combine(global OUT *out, global const ACC *restrict partial, lun_layout kept_out,
                                 reduce_gpu_shape plan)
{
    local item shared[ITEMS];
    const uint strips = (uint)((plan.columns + plan.width - 1) / plan.width), group = get_group_id(0);
    join_parts(out, partial, &kept_out, &plan, group / strips, group % strips * plan.width, plan.columns,
               (int)plan.width, shared);
}
#endif
