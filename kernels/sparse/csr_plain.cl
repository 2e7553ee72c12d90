/* Products of sparse matrices in rows: a work-item takes pieces, each for one column of x, or for a few side by side where LANES is more
 * than 1. */
#include "parts/csr.cl"

#ifndef LANES
#define LANES 1
#endif
#ifndef DEEP
#define DEEP 1 /* entries of a row of one column that are taken side by side */
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

#if DEEP > 1
#define INDEX8 JOIN(INDEX, 8)
#define GATHERED(c)                                                                                                            \
    (NUMBERS8)(LOAD(x, (c).s0), LOAD(x, (c).s1), LOAD(x, (c).s2), LOAD(x, (c).s3), LOAD(x, (c).s4), LOAD(x, (c).s5),   \
                       LOAD(x, (c).s6), LOAD(x, (c).s7))
/* The entries from..to-1 of one row. */
inline COMPUTE csr_entries(global const INDEX *columns, global const T *values, global const T *x, long from, long to)
{
    COMPUTE sum = NOTHING;
    if (to - from >= 2 * DEEP) {
        NUMBERS8 a = (NUMBERS8)(0), b = a;
        for (; from + 16 <= to; from += 16) {
            const INDEX8 c = vload8(0, columns + from), d = vload8(0, columns + from + 8);
            a += LOAD_ROW8(values, from) * GATHERED(c);
            b += LOAD_ROW8(values, from + 8) * GATHERED(d);
        }
        a += b;
        sum = ((a.s0 + a.s4) + (a.s1 + a.s5)) + ((a.s2 + a.s6) + (a.s3 + a.s7));
    }
    for (; from < to; from++)
        sum += LOAD(values, from) * LOAD(x, columns[from]);
    return sum;
}
#define ENTRIES1(from, to) sum = PLUS(sum, csr_entries(columns, values, x + column, from, to));
#else
#define ENTRIES1(from, to) ENTRIES(1, from, to)
#endif
#define ENTRIES(N, from, to)                                                                                                   \
    for (long e = from; e < to; e++) {                                                                                         \
        const NUMBERS##N number = LOAD_ROW##N(x, columns[e] * s->width + column);                                              \
        sum = PLUS(sum, TIMES((NUMBERS##N)(LOAD(values, e)), number));                                                         \
    }
#define ENTRIES2(from, to) ENTRIES(2, from, to)
#define ENTRIES4(from, to) ENTRIES(4, from, to)
#define ENTRIES8(from, to) ENTRIES(8, from, to)

/* N columns of one piece. */
#define DEFINE_PIECE(N)                                                                                                        \
    inline void csr_piece##N(CSR_PARAMETERS, long piece, long column)                                                          \
    {                                                                                                                          \
        const csr_shape *s = &shape;                                                                                           \
        const long begin = piece * s->step, end = min(begin + s->step, s->rows + s->entries);                                  \
        long row = csr_row(starts, s, begin), at = begin - row;                                                                \
        long left = end - begin;                                                                                               \
        bool first = true;                                                                                                     \
        NUMBERS##N sum = (NUMBERS##N)(NOTHING);                                                                    \
        while (left > 0) {                                                                                                     \
            const long stop = min((row < s->rows ? (long)starts[row + 1] - s->first : s->entries), at + left);                 \
            left -= stop - at;                                                                                                 \
            ENTRIES##N(at, stop)                                                                                               \
            at = stop;                                                                                                         \
            if (left == 0)                                                                                                     \
                break;                                                                                                         \
            if (first) {                                                                                                       \
                KEEP##N(sum, states + HEAD_AT(piece, column));                                                                 \
            } else {                                                                                                           \
                COMPUTE shown[N];                                                                                              \
                KEEP##N(sum, shown);                                                                                           \
                for (int i = 0; i < N; i++)                                                                                    \
                    csr_give(y, s, row, column + i, shown[i], alpha, beta);                                                    \
            }                                                                                                                  \
            first = false;                                                                                                     \
            sum = (NUMBERS##N)(NOTHING);                                                                                 \
            row++;                                                                                                             \
            left--;                                                                                                            \
        }                                                                                                                      \
        KEEP##N(sum, states + TAIL_AT(piece, column));                                                                         \
        if (column == 0)                                                                                                       \
            ends[piece] = row;                                                                                                 \
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
