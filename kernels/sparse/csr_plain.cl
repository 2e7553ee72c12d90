/* Products of sparse matrices in rows: a work-item takes pieces, each for one column of x, or for a few side by side
 * where LANES is more than 1. */
#include "parts/csr.cl"

#ifndef LANES
#define LANES 1
#endif
#define NUMBERS1 COMPUTE
#define NUMBERS2 JOIN(COMPUTE, 2)
#define NUMBERS4 JOIN(COMPUTE, 4)
#define NUMBERS8 JOIN(COMPUTE, 8)
#define LOAD_ROW1(p, i) LOAD(p, i)
#define LOAD_ROW2(p, i) unpack2(vload2(0, (global const STORED *)(p) + (i)))
#define LOAD_ROW4(p, i) unpack4(vload4(0, (global const STORED *)(p) + (i)))
#define LOAD_ROW8(p, i) unpack8(vload8(0, (global const STORED *)(p) + (i)))
#define KEEP1(v, p) (*(p) = (v))
#define KEEP2(v, p) vstore2(v, 0, p)
#define KEEP4(v, p) vstore4(v, 0, p)
#define KEEP8(v, p) vstore8(v, 0, p)

#ifdef DEEP
/* The entries from..to-1 of one row: pairs of a short one, eights of a long one, each with sums of its own, so that
 * none waits for another. */
inline COMPUTE csr_entries(global const INDEX *columns, global const T *values, global const T *x, long from, long to)
{
    COMPUTE sum;
    if (to - from >= 16) {
        NUMBERS8 sums = (NUMBERS8)(0);
        for (; from + 8 <= to; from += 8)
            sums += LOAD_ROW8(values, from) * (NUMBERS8)(LOAD(x, columns[from]), LOAD(x, columns[from + 1]),
                                                         LOAD(x, columns[from + 2]), LOAD(x, columns[from + 3]),
                                                         LOAD(x, columns[from + 4]), LOAD(x, columns[from + 5]),
                                                         LOAD(x, columns[from + 6]), LOAD(x, columns[from + 7]));
        sum = ((sums.s0 + sums.s4) + (sums.s1 + sums.s5)) + ((sums.s2 + sums.s6) + (sums.s3 + sums.s7));
        for (; from < to; from++)
            sum += LOAD(values, from) * LOAD(x, columns[from]);
        return sum;
    }
    COMPUTE other = NOTHING;
    sum = NOTHING;
    for (; from + 2 <= to; from += 2) {
        sum += LOAD(values, from) * LOAD(x, columns[from]);
        other += LOAD(values, from + 1) * LOAD(x, columns[from + 1]);
    }
    if (from < to)
        sum += LOAD(values, from) * LOAD(x, columns[from]);
    return sum + other;
}
#define ENTRIES1(from, to) sum = PLUS(sum, csr_entries(columns, values, x + column, from, to));
#else
#define ENTRIES1(from, to) ENTRIES(1, from, to)
#endif
#define ENTRIES(N, from, to)                                                                                                   \
    for (long e = from; e < to; e++) {                                                                                         \
        const NUMBERS##N number = LOAD_ROW##N(x, columns[e] * s->width + column);                                              \
        const NUMBERS##N product = TIMES((NUMBERS##N)(LOAD(values, e)), number); /* an int, of small integers */               \
        sum = PLUS(sum, product);                                                                                              \
    }
#define ENTRIES2(from, to) ENTRIES(2, from, to)
#define ENTRIES4(from, to) ENTRIES(4, from, to)
#define ENTRIES8(from, to) ENTRIES(8, from, to)

/* N columns of one piece: what it has of the row that ends first in it, whole rows, and what it has of the row behind
 * them. */
#define DEFINE_PIECE(N)                                                                                                        \
    inline void csr_piece##N(CSR_PARAMETERS, long piece, long column)                                                          \
    {                                                                                                                          \
        const csr_shape *s = &shape;                                                                                           \
        const long begin = piece * s->step, end = min(begin + s->step, s->rows + s->entries);                                  \
        const long head = csr_row(starts, s, begin), last = csr_row(starts, s, end);                                           \
        long at = begin - head;                                                                                                \
        for (long row = head; row <= last; row++) {                                                                            \
            const long stop = row < last ? (long)starts[row + 1] - s->first : end - last;                                      \
            NUMBERS##N sum = (NUMBERS##N)(NOTHING);                                                                            \
            ENTRIES##N(at, stop)                                                                                               \
            at = stop;                                                                                                         \
            if (row == last) {                                                                                                 \
                KEEP##N(sum, states + TAIL_AT(piece, column));                                                                 \
            } else if (row == head) {                                                                                          \
                KEEP##N(sum, states + HEAD_AT(piece, column));                                                                 \
            } else {                                                                                                           \
                COMPUTE shown[N];                                                                                              \
                KEEP##N(sum, shown);                                                                                           \
                for (int i = 0; i < N; i++)                                                                                    \
                    csr_give(y, s, row, column + i, shown[i], alpha, beta);                                                    \
            }                                                                                                                  \
        }                                                                                                                      \
        if (column == 0)                                                                                                       \
            ends[piece] = last;                                                                                                \
    }
#define ALL_OF_PIECE y, shape, starts, columns, values, x, ends, states, alpha, beta, piece

DEFINE_PIECE(1)
#if LANES > 1
DEFINE_PIECE(2)
DEFINE_PIECE(4)
DEFINE_PIECE(8)
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void csr_plain(CSR_PARAMETERS)
{
    CSR_BEGIN_ENTRIES
    const long strips = (s->width + LANES - 1) / LANES;
    FOR_SPREAD(job, s->pieces * strips) {
        const long piece = job / strips;
        long column = (job - piece * strips) * LANES;
#if LANES > 1
        const long left = s->width - column;
        if (left >= 8) {
            csr_piece8(ALL_OF_PIECE, column);
            continue;
        }
        if (left & 4) {
            csr_piece4(ALL_OF_PIECE, column);
            column += 4;
        }
        if (left & 2) {
            csr_piece2(ALL_OF_PIECE, column);
            column += 2;
        }
        if (left & 1)
#endif
            csr_piece1(ALL_OF_PIECE, column);
    }
}

/* One column of x, and whole rows: those that end in a work-item's share of the path. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void csr_rows(CSR_PARAMETERS)
{
    CSR_BEGIN_ENTRIES
    const long steps = s->rows + s->entries, column = 0;
    const long end = csr_row(starts, s, SPREAD_TO(steps));
    long row = csr_row(starts, s, SPREAD_FROM(steps)), at = row < end ? (long)starts[row] - s->first : 0;
    for (; row < end; row++) {
        const long stop = (long)starts[row + 1] - s->first;
        COMPUTE sum = NOTHING;
        ENTRIES1(at, stop)
        at = stop;
        csr_give(y, s, row, column, sum, alpha, beta);
    }
}

/* The rows that pieces have cut, or whose end is the first in a piece. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void csr_ends(CSR_PARAMETERS)
{
    CSR_BEGIN
    FOR_SPREAD(job, s->pieces * s->width) {
        const long piece = job / s->width, column = job - piece * s->width, row = piece > 0 ? ends[piece - 1] : 0;
        if (row == ends[piece])
            continue;
        COMPUTE sum = NOTHING;
        for (long before = csr_first_tail(ends, 0, piece, row); before < piece; before++)
            sum = PLUS(sum, states[TAIL_AT(before, column)]);
        csr_give(y, s, row, column, PLUS(sum, states[HEAD_AT(piece, column)]), alpha, beta);
    }
}
