/* Rows of sparse matrices whose entries are made out of order: runs of a row's entries, ordered by column, are merged
 * two by two, as a counter in binary carries, and what is at one column is added up; with EQUAL_STAY it stays, in
 * its order. */
#include "abi/csr.h"

#define LEVELS 48 /* of runs that wait for one of their size */

/* A loop over rows: those of a chunk of products, where a work-item has a core to itself, so that chunks take the same
 * time. */
#if GROUP == 1
inline long csr_first_row(global const long *bounds, long rows, long step)
{
    long from = 0, to = rows;
    while (from < to) {
        const long middle = from + (to - from) / 2;
        if (bounds[middle] + middle < step)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
#define FOR_ROWS(row, bounds, s)                                                                                       \
    const long steps = s->total + s->rows;                                                                             \
    for (long row = csr_first_row(bounds, s->rows, SPREAD_FROM(steps)),                                                \
              row##_end = csr_first_row(bounds, s->rows, SPREAD_TO(steps));                                            \
         row < row##_end; row++)
#else
#define FOR_ROWS(row, bounds, s) FOR_SPREAD(row, s->rows)
#endif

/* Merges the run of `left` entries at `at` with the one of `right` entries behind it, and gives how many are left. */
inline long csr_join(global INDEX *columns, global COMPUTE *values, global INDEX *spare_columns,
                     global COMPUTE *spare_values, long at, long left, long right)
{
    if (left == 0 || right == 0 || columns[at + left - 1] < columns[at + left])
        return left + right;
    for (long i = at; i < at + left; i++) {
        spare_columns[i] = columns[i];
        spare_values[i] = values[i];
    }
    long i = at, j = at + left, to = at;
    const long i_end = j, j_end = j + right;
    while (i < i_end && j < j_end) {
        const INDEX a = spare_columns[i], b = columns[j];
        COMPUTE value = a <= b ? spare_values[i] : values[j];
        columns[to] = a <= b ? a : b;
#ifdef EQUAL_STAY
        j += b < a;
#else
        if (a == b)
            value = value + values[j];
        j += b <= a;
#endif
        values[to++] = value;
        i += a <= b;
    }
    for (; i < i_end; i++) {
        columns[to] = spare_columns[i];
        values[to++] = spare_values[i];
    }
    for (; j < j_end; j++) {
        columns[to] = columns[j];
        values[to++] = values[j];
    }
    return to - at;
}

/* Where a row's entries are made, and the runs that wait there for one of their size. */
typedef struct csr_row {
    global INDEX *columns, *spare_columns;
    global COMPUTE *values, *spare_values;
    long at[LEVELS], length[LEVELS], pushed, top;
    int depth;
} csr_row;

inline void csr_join_last(csr_row *r)
{
    const int last = --r->depth;
    r->length[last - 1] = csr_join(r->columns, r->values, r->spare_columns, r->spare_values, r->at[last - 1],
                                   r->length[last - 1], r->length[last]);
    r->top = r->at[last - 1] + r->length[last - 1];
}

/* What is at the top is a run of `count` entries. */
inline void csr_push(csr_row *r, long count)
{
    r->at[r->depth] = r->top;
    r->length[r->depth++] = count;
    r->top += count;
    for (long carry = ++r->pushed; (carry & 1) == 0; carry >>= 1)
        csr_join_last(r);
}
