/* Products of sparse matrices in rows: a work-item takes pieces, each for one column of x, or for LANES columns in
 * parallel. */
#include "parts/csr.cl"

#ifndef LANES
#define LANES 1
#endif
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
/* Sums the entries from..to-1 of a row: in pairs for a short row, in groups of eight for a long one, with separate sums
 * that do not wait for each other. */
inline COMPUTE csr_entries1(global const INDEX *columns, global const T *values, global const T *x, long width,
                            long from, long to)
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
#endif

#define ALL_OF_PIECE y, shape, starts, columns, values, x, ends, states, alpha, beta, piece

#define N 1
#define NUMBERS COMPUTE
#include "templates/csr_piece.cl"
#if LANES > 1
#define N 2
#define NUMBERS JOIN(COMPUTE, 2)
#include "templates/csr_piece.cl"
#define N 4
#define NUMBERS JOIN(COMPUTE, 4)
#include "templates/csr_piece.cl"
#define N 8
#define NUMBERS JOIN(COMPUTE, 8)
#include "templates/csr_piece.cl"
#endif

KERNEL(GROUP) csr_plain(CSR_PARAMETERS)
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
KERNEL(GROUP) csr_rows(CSR_PARAMETERS)
{
    CSR_BEGIN_ENTRIES
    const long steps = s->rows + s->entries;
    const long end = csr_row(starts, s, SPREAD_TO(steps));
    long row = csr_row(starts, s, SPREAD_FROM(steps)), at = row < end ? (long)starts[row] - s->first : 0;
    for (; row < end; row++) {
        const long stop = (long)starts[row + 1] - s->first;
        const COMPUTE sum = csr_entries1(columns, values, x, s->width, at, stop);
        at = stop;
        csr_give(y, s, row, 0, sum, alpha, beta);
    }
}

/* Joins the rows that are divided between pieces, or whose end is the first in a piece. */
KERNEL(GROUP) csr_ends(CSR_PARAMETERS)
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
