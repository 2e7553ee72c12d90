/* Products of sparse matrices in rows with a vector. Local memory is scarce: it reduces the cache for pending reads of
 * x. csr_gpu: a group takes a piece. Its items compute all products in parallel; then each item adds short rows, or, if
 * a row is long, CSR_EACH steps of the path, and the parts of rows in several items are joined. */
#include "parts/csr.cl"

#define STEPS (CSR_ITEMS * CSR_EACH)
#define HALF (CSR_ITEMS / 2)
#define SHORT 64 /* entries of a row: if no row of a piece has more, an item adds a whole row */
#define PLACE(i) ((i) + (i) / 16) /* of a product: rows of 8 or 16 entries, side by side, read other banks */

/* The beginning and end of a piece: corners[] as from csr_row. Half of the group searches for each, at HALF positions
 * at once, because a step of a search costs as much as hundreds of sums. */
inline void find_corners(local long *corners, local int *behind, global const INDEX *starts, const csr_shape *s,
                         long begin, long end)
{
    const int item = get_local_id(0), side = item / HALF, place = item % HALF;
    const long done = side == 0 ? begin : end;
    long from = max(0L, done - s->entries), to = min(done, s->rows);
    for (long most = s->rows; most > 0; most /= HALF) {
        const long apart = (to - from) / HALF + 1, at = from + (place + 1) * apart - 1;
        behind[item] = at < to && (long)starts[at + 1] - s->first + at < done;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place == 0 && !behind[item])
            corners[side] = from;
        if (behind[item] && (place == HALF - 1 || !behind[item + 1]))
            corners[side] = at + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        from = corners[side];
        to = min(to, from + apart - 1);
    }
    if (place == 0)
        corners[side] = from;
    barrier(CLK_LOCAL_MEM_FENCE);
}

inline void take_corners(local long *corners, local int *behind, global const INDEX *starts, const csr_shape *s,
                         long piece, global const long *ends)
{
    const long begin = piece * STEPS, item = get_local_id(0);
    if (s->cut) {
        if (item < 2)
            corners[item] = piece + item > 0 ? ends[piece + item - 1] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        find_corners(corners, behind, starts, s, begin, min(begin + STEPS, s->rows + s->entries));
    }
}

/* One item for each row of the piece that begins in `row`: no item waits for others. */
inline void add_up_rows(global T *y, const csr_shape *s, const local COMPUTE *products, const local ushort *stops,
                        long piece, long row, int ended, int entries, global long *ends, global COMPUTE *states,
                        COMPUTE alpha, COMPUTE beta)
{
    for (int i = get_local_id(0); i <= ended; i += CSR_ITEMS) {
        const int behind = i < ended ? stops[i] : entries;
        COMPUTE sum = NOTHING;
        for (int e = i > 0 ? stops[i - 1] : 0; e < behind; e++)
            sum = PLUS(sum, products[PLACE(e)]);
        if (i == ended)
            states[TAIL_AT(piece, 0)] = sum;
        else if (i == 0)
            states[HEAD_AT(piece, 0)] = sum;
        else
            csr_give(y, s, row + i, 0, sum, alpha, beta);
    }
    if (get_local_id(0) == 0)
        ends[piece] = row + ended;
}

/* If there are many pieces, items first find the corners of all of them in parallel, so that no group waits. */
KERNEL(CSR_END_ITEMS) csr_gpu_corners(CSR_PARAMETERS)
{
    CSR_BEGIN_ENTRIES
    const long piece = get_global_id(0);
    (void)y, (void)columns, (void)values, (void)x; /* of the products alone */
    if (piece < s->pieces)
        ends[piece] = csr_row(starts, s, min((piece + 1) * STEPS, s->rows + s->entries));
}

KERNEL(CSR_ITEMS) csr_gpu(CSR_PARAMETERS)
{
    local COMPUTE products[PLACE(STEPS)];
    local COMPUTE *const tails = products; /* when all items have read these */
    local ushort stops[STEPS + 1];
    local int rows[CSR_ITEMS];
    local long corners[2];
    local int longs; /* has a row that ends here more than SHORT entries? */
    CSR_BEGIN_ENTRIES
    const long piece = get_group_id(0), begin = piece * STEPS, end = min(begin + STEPS, s->rows + s->entries);
    const int item = get_local_id(0);
    if (item == 0)
        longs = 0;
    take_corners(corners, rows, starts, s, piece, ends);
    const long row = corners[0], at = begin - row;
    const int ended = (int)(corners[1] - row), steps = (int)(end - begin), entries = steps - ended;
    if (entries > 0) {
        INDEX of[CSR_EACH]; /* all are read before the first is used */
#pragma unroll
        for (int i = 0; i < CSR_EACH; i++)
            of[i] = columns[at + min(item + i * CSR_ITEMS, entries - 1)];
#pragma unroll
        for (int i = 0; i < CSR_EACH; i++)
            if (item + i * CSR_ITEMS < entries)
                products[PLACE(item + i * CSR_ITEMS)] = TIMES(LOAD(values, at + item + i * CSR_ITEMS), LOAD(x, of[i]));
    }
    for (int i = item; i < ended; i += CSR_ITEMS) {
        stops[i] = (ushort)((long)starts[row + i + 1] - s->first - at);
        if (starts[row + i + 1] - starts[row + i] > SHORT)
            longs = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool whole = !longs && entries - (ended > 0 ? stops[ended - 1] : 0) <= SHORT; /* then no steps are left */
    if (whole)
        add_up_rows(y, s, products, stops, piece, row, ended, entries, ends, states, alpha, beta);

    int done = whole ? 0 : min(item * CSR_EACH, steps), from = max(0, done - entries), to = min(done, ended);
    const int last = whole ? 0 : min(done + CSR_EACH, steps);
    while (from < to) {
        const int middle = (from + to) / 2;
        if (stops[middle] + middle < done)
            from = middle + 1;
        else
            to = middle;
    }
    const int first = from;
    int own = from, e = done - from;
    COMPUTE sum = NOTHING, head = NOTHING;
    for (; done < last; done++) {
        if (own < ended && stops[own] <= e) {
            if (own == first)
                head = sum;
            else
                csr_give(y, s, row + own, 0, sum, alpha, beta);
            sum = NOTHING;
            own++;
        } else {
            sum = PLUS(sum, products[PLACE(e)]);
            e++;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    tails[item] = sum;
    rows[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int apart = 1; apart < (whole ? 1 : CSR_ITEMS); apart *= 2) {
        const bool joins = item >= apart && rows[item - (item >= apart ? apart : 0)] == own;
        const COMPUTE before = joins ? tails[item - apart] : NOTHING;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (joins)
            tails[item] = PLUS(before, tails[item]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own > first) {
        if (item > 0 && rows[item - 1] == first)
            head = PLUS(tails[item - 1], head);
        if (first == 0)
            states[HEAD_AT(piece, 0)] = head;
        else
            csr_give(y, s, row + first, 0, head, alpha, beta);
    }
    if (item == CSR_ITEMS - 1 && !whole) {
        states[TAIL_AT(piece, 0)] = tails[item];
        ends[piece] = row + own;
    }
}

#define SHORT_EACH 9 /* products of an item at a time: those of a band of 9 need one turn */
#define SHORT_STEPS (CSR_ITEMS * SHORT_EACH)

/* A group takes as many rows as it has items: all items compute products, SHORT_STEPS at a time, and each adds its own
 * row. */
KERNEL(CSR_ITEMS) csr_gpu_short(CSR_PARAMETERS)
{
    local COMPUTE products[SHORT_STEPS];
    CSR_BEGIN_ENTRIES
    const int item = get_local_id(0);
    const long first = (long)get_group_id(0) * CSR_ITEMS, row = first + item;
    const long begin = (long)starts[first] - s->first, end = (long)starts[min(first + CSR_ITEMS, s->rows)] - s->first;
    const long from = (long)starts[min(row, s->rows)] - s->first, to = (long)starts[min(row + 1, s->rows)] - s->first;
    COMPUTE sum = NOTHING;
    for (long at = begin; at < end; at += SHORT_STEPS) {
        const int left = (int)min((long)SHORT_STEPS, end - at);
        INDEX of[SHORT_EACH]; /* all are read before the first is used */
#pragma unroll
        for (int i = 0; i < SHORT_EACH; i++)
            of[i] = columns[at + min(item + i * CSR_ITEMS, left - 1)];
#pragma unroll
        for (int i = 0; i < SHORT_EACH; i++)
            if (item + i * CSR_ITEMS < left)
                products[item + i * CSR_ITEMS] = TIMES(LOAD(values, at + item + i * CSR_ITEMS), LOAD(x, of[i]));
        barrier(CLK_LOCAL_MEM_FENCE);
        const int stop = (int)(min(to, at + left) - at);
        for (int e = (int)(max(from, at) - at); e < stop; e++)
            sum = PLUS(sum, products[e]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < s->rows)
        csr_give(y, s, row, 0, sum, alpha, beta);
}

/* Joins the rows that are divided between pieces, or whose end is the first in a piece. A few tails are added by the
 * item of the piece in which the row ends. The many tails of a longer row are shared by the items of the first group
 * whose first piece has a tail of this row. */
KERNEL(CSR_END_ITEMS) csr_gpu_ends(CSR_PARAMETERS)
{
    local COMPUTE sums[CSR_END_ITEMS];
    CSR_BEGIN
    const int item = get_local_id(0);
    const long begin = (long)get_group_id(0) * CSR_END_ITEMS, piece = begin + item;
    if (piece < s->pieces) {
        const long row = piece > 0 ? ends[piece - 1] : 0, from = csr_first_tail(ends, 0, piece, row);
        if (row < ends[piece] && piece - from <= CSR_END_ITEMS) {
            COMPUTE sum = NOTHING;
            for (long before = from; before < piece; before++)
                sum = PLUS(sum, states[TAIL_AT(before, 0)]);
            csr_give(y, s, row, 0, PLUS(sum, states[HEAD_AT(piece, 0)]), alpha, beta);
        }
    }
    const long row = ends[begin], behind = min(begin + 1, s->pieces - 1);
    const bool lasts = behind > begin && ends[behind] == row; /* else there are few tails */
    const long from = lasts ? csr_first_tail(ends, 0, begin, row) : begin;
    const long to = lasts ? csr_first_tail(ends, begin, s->pieces, row + 1) : begin;
    COMPUTE sum = NOTHING;
    for (long before = from + item; before < to; before += CSR_END_ITEMS)
        sum = PLUS(sum, states[TAIL_AT(before, 0)]);
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int apart = CSR_END_ITEMS / 2; apart > 0; apart /= 2) {
        if (item < apart)
            sums[item] = PLUS(sums[item], sums[item + apart]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const bool first = begin - from < CSR_END_ITEMS; /* of the groups whose first pieces have such tails */
    if (item == 0 && first && row < s->rows && to - from > CSR_END_ITEMS)
        csr_give(y, s, row, 0, PLUS(sums[0], states[HEAD_AT(to, 0)]), alpha, beta);
}
