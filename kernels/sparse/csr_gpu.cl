/* Products of sparse matrices in rows with a vector: a group takes a piece. Its items make all products, side by side; then each adds up
 * CSR_EACH steps of the path, and what rows have in several items is joined. */
#include "parts/csr.cl"

#define STEPS (CSR_ITEMS * CSR_EACH)

kernel __attribute__((reqd_work_group_size(CSR_ITEMS, 1, 1)))
void csr_gpu(CSR_PARAMETERS)
{
    local COMPUTE products[STEPS], tails[CSR_ITEMS];
    local int stops[STEPS + 1], rows[CSR_ITEMS];
    local long corners[2];
    CSR_BEGIN_ENTRIES
    const long piece = get_group_id(0), begin = piece * STEPS, end = min(begin + STEPS, s->rows + s->entries);
    const int item = get_local_id(0);
    if (item < 2)
        corners[item] = csr_row(starts, s, item == 0 ? begin : end);
    barrier(CLK_LOCAL_MEM_FENCE);
    const long row = corners[0], at = begin - row;
    const int ended = (int)(corners[1] - row), steps = (int)(end - begin), entries = steps - ended;
    for (int i = item; i < entries; i += CSR_ITEMS)
        products[i] = TIMES(LOAD(values, at + i), LOAD(x, columns[at + i]));
    for (int i = item; i < ended; i += CSR_ITEMS)
        stops[i] = (int)((long)starts[row + i + 1] - s->first - at);
    barrier(CLK_LOCAL_MEM_FENCE);

    int done = min(item * CSR_EACH, steps), from = max(0, done - entries), to = min(done, ended);
    const int last = min(done + CSR_EACH, steps);
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
            sum = PLUS(sum, products[e]);
            e++;
        }
    }
    tails[item] = sum;
    rows[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int apart = 1; apart < CSR_ITEMS; apart *= 2) {
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
    if (item == CSR_ITEMS - 1) {
        states[TAIL_AT(piece, 0)] = tails[item];
        ends[piece] = row + own;
    }
}

/* The rows that pieces have cut, or whose end is the first in a piece. Few tails are joined by the item of the piece where the row ends.
 * A row with many has the tail of a group's first piece: of the first such group, whose items share it. */
kernel __attribute__((reqd_work_group_size(CSR_END_ITEMS, 1, 1)))
void csr_gpu_ends(CSR_PARAMETERS)
{
    local COMPUTE sums[CSR_END_ITEMS];
    CSR_BEGIN
    const int item = get_local_id(0);
    const long begin = (long)get_group_id(0) * CSR_END_ITEMS, piece = begin + item;
    if (piece < s->pieces) {
        const long row = piece > 0 ? ends[piece - 1] : 0, from = csr_first_tail(ends, piece, row);
        if (row < ends[piece] && piece - from <= CSR_END_ITEMS) {
            COMPUTE sum = NOTHING;
            for (long before = from; before < piece; before++)
                sum = PLUS(sum, states[TAIL_AT(before, 0)]);
            csr_give(y, s, row, 0, PLUS(sum, states[HEAD_AT(piece, 0)]), alpha, beta);
        }
    }
    const long row = ends[begin], from = csr_first_tail(ends, s->pieces, row);
    const long to = csr_first_tail(ends, s->pieces, row + 1);
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
