/* Products of sparse matrices in rows: their numbers, the path that is cut in pieces, and what pieces leave.
 *
 * A piece has a head, what it has of the first row that ends in it, and a tail, of the row that has not ended behind
 * it: the next kernel joins tails and a head, in their order, to the rows that pieces have cut. All other rows it
 * writes itself. `ends` has the row of each piece's tail; states[2 * piece * width + column] has the tails, and width
 * behind them are the heads. */
#include "abi/csr.h"
#include "parts/plus.cl"

#if defined(TIMES_ADD) && defined(IS_FLOAT)
#define TIMES(a, b) ((a) + (b))
#elif defined(TIMES_ADD)
#define TIMES(a, b) ((b) == NOTHING ? NOTHING : add_sat((COMPUTE)(a), (COMPUTE)(b)))
#elif defined(TIMES_AND)
#define TIMES(a, b) ((a) & (b))
#else
#define TIMES(a, b) PRODUCT(a, b)
#endif

#define CSR_PARAMETERS                                                                                                 \
    global T *y, const csr_shape shape, global const INDEX *starts, global const INDEX *columns,                       \
        global const T *values, global const T *x, global long *ends, global COMPUTE *states, COMPUTE alpha,           \
        COMPUTE beta
/* Moves to first elements: columns, as they are, are then rows of x. */
#define CSR_BEGIN                \
    const csr_shape *s = &shape; \
    y += s->y;
#define CSR_BEGIN_ENTRIES  \
    CSR_BEGIN              \
    starts += s->starts;   \
    columns += s->columns; \
    values += s->values;   \
    x += s->x - s->first * s->width;
#define TAIL_AT(piece, column) (2 * (piece) * s->width + (column))
#define HEAD_AT(piece, column) (TAIL_AT(piece, column) + s->width)

/* How many rows have ended when `done` steps of the path are done: the end of a row comes behind its entries. */
inline long csr_row(global const INDEX *starts, const csr_shape *s, long done)
{
    long from = max(0L, done - s->entries), to = min(done, s->rows);
    while (from < to) {
        const long middle = from + (to - from) / 2;
        if ((long)starts[middle + 1] - s->first + middle < done)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The first of the pieces from..to - 1 whose tail is of that row, or of a later one; `to` if none is. Near `to` it is
 * found at once. */
inline long csr_first_tail(global const long *ends, long from, long to, long row)
{
    for (long apart = 1; from < to && apart < to - from; apart *= 2)
        if (ends[to - apart] < row)
            from = to - apart + 1;
        else
            to -= apart;
    while (from < to) {
        const long middle = from + (to - from) / 2;
        if (ends[middle] < row)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

inline void csr_give(global T *y, const csr_shape *s, long row, long column, COMPUTE sum, COMPUTE alpha, COMPUTE beta)
{
    const long at = row * s->y_row + column * s->y_column;
    if (s->scaled)
        sum = SCALED(alpha, sum);
    if (s->adds)
        sum = sum + SCALED(beta, LOAD(y, at));
    STORE(y, at, sum);
}
