/* N columns of pieces, as NUMBERS, for csr_plain.cl. */

#if N > 1 || !defined(DEEP)
/* What the entries from..to-1 of one row give. */
inline NUMBERS JOIN(csr_entries, N)(global const INDEX *columns, global const T *values, global const T *x,
                                    long width, long from, long to)
{
    NUMBERS sum = (NUMBERS)(NOTHING);
    for (long e = from; e < to; e++) {
        const NUMBERS number = JOIN(LOAD_ROW, N)(x, columns[e] * width);
        const NUMBERS product = TIMES((NUMBERS)(LOAD(values, e)), number); /* an int, of small integers */
        sum = PLUS(sum, product);
    }
    return sum;
}
#endif

/* Of one piece what it has of the row that ends first in it, whole rows, and what it has of the row behind them. */
inline void JOIN(csr_piece, N)(CSR_PARAMETERS, long piece, long column)
{
    const csr_shape *s = &shape;
    const long begin = piece * s->step, end = min(begin + s->step, s->rows + s->entries);
    const long head = csr_row(starts, s, begin), last = csr_row(starts, s, end);
    long at = begin - head;
    for (long row = head; row <= last; row++) {
        const long stop = row < last ? (long)starts[row + 1] - s->first : end - last;
        const NUMBERS sum = JOIN(csr_entries, N)(columns, values, x + column, s->width, at, stop);
        at = stop;
        if (row == last) {
            JOIN(KEEP, N)(sum, states + TAIL_AT(piece, column));
        } else if (row == head) {
            JOIN(KEEP, N)(sum, states + HEAD_AT(piece, column));
        } else {
            COMPUTE shown[N];
            JOIN(KEEP, N)(sum, shown);
            for (int i = 0; i < N; i++)
                csr_give(y, s, row, column + i, shown[i], alpha, beta);
        }
    }
    if (column == 0)
        ends[piece] = last;
}

#undef NUMBERS
#undef N
