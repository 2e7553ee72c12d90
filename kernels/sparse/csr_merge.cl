/* The product of two sparse matrices in rows: for each entry of a row of a, the row of b that its column names is a run of products. Runs
 * are merged two by two, as a counter in binary carries, and what stands at one column is added up. */
#include "abi/csr.h"

#ifndef INDEX
#define INDEX int
#endif
#define LEVELS 48 /* of runs that wait for one of their size */
#define SHORT 16  /* a row of b with fewer entries is no run of its own: they are put in their places one by one */

/* A loop over rows: those of a chunk of products, where a work-item has a core to itself, so that chunks take the same time. */
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
#define FOR_ROWS(row, bounds, s)                                                                                               \
    const long steps = s->total + s->rows;                                                                                     \
    for (long row = csr_first_row(bounds, s->rows, SPREAD_FROM(steps)), row##_end = csr_first_row(bounds, s->rows, SPREAD_TO(steps)); \
         row < row##_end; row++)
#else
#define FOR_ROWS(row, bounds, s) FOR_SPREAD(row, s->rows)
#endif

/* How many products each row has; behind the last row 0. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void csr_bounds(global long *room, const csr_merge_shape shape, global const INDEX *starts, global const INDEX *columns,
                global const INDEX *others)
{
    const csr_merge_shape *s = &shape;
    starts += s->a_starts;
    columns += s->a_columns - s->first;
    others += s->b_starts - s->first;
    FOR_SPREAD(row, s->rows + 1) {
        long count = 0;
        for (long e = row < s->rows ? (long)starts[row] : 0, end = row < s->rows ? (long)starts[row + 1] : 0; e < end; e++)
            count += (long)others[(long)columns[e] + 1] - (long)others[columns[e]];
        room[row] = count;
    }
}

/* Merges the run of `left` entries at `at` with the one of `right` entries behind it, and gives how many are left. */
inline long csr_join(global INDEX *columns, global COMPUTE *values, global INDEX *spare_columns, global COMPUTE *spare_values, long at,
                     long left, long right)
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
        if (a == b)
            value = value + values[j];
        columns[to] = a <= b ? a : b;
        values[to++] = value;
        i += a <= b;
        j += b <= a;
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
    r->length[last - 1] = csr_join(r->columns, r->values, r->spare_columns, r->spare_values, r->at[last - 1], r->length[last - 1], r->length[last]);
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

/* Puts an entry in its place in the `count` entries at the top, which are in order, and gives how many there are. */
inline int csr_insert(csr_row *r, int count, INDEX column, COMPUTE value)
{
    global INDEX *columns = r->columns + r->top;
    global COMPUTE *values = r->values + r->top;
    int place = count;
    while (place > 0 && columns[place - 1] > column)
        place--;
    if (place > 0 && columns[place - 1] == column) {
        values[place - 1] = values[place - 1] + value;
        return count;
    }
    for (int i = count; i > place; i--) {
        columns[i] = columns[i - 1];
        values[i] = values[i - 1];
    }
    columns[place] = column;
    values[place] = value;
    return count + 1;
}

/* A number times 1 is the number, infinite parts and all. */
inline COMPUTE csr_times(COMPUTE factor, COMPUTE x)
{
#ifdef PART
    if (factor.x == 1 && factor.y == 0)
        return x;
#endif
    return PRODUCT(factor, x);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void csr_merge(global long *counts, const csr_merge_shape shape, global const INDEX *starts, global const INDEX *columns,
               global const T *values, global const INDEX *b_starts, global const INDEX *b_columns, global const T *b_values,
               global const long *bounds, global INDEX *to_columns, global COMPUTE *to_values, global INDEX *spare_columns,
               global COMPUTE *spare_values)
{
    const csr_merge_shape *s = &shape;
    starts += s->a_starts;
    columns += s->a_columns - s->first;
    values += s->a_values - s->first;
    b_starts += s->b_starts - s->first;
    b_columns += s->b_columns - s->first;
    b_values += s->b_values - s->first;
    csr_row r = {.columns = to_columns, .values = to_values, .spare_columns = spare_columns, .spare_values = spare_values};
    FOR_ROWS(row, bounds, s) {
        int open = 0; /* entries at the top that are no run yet */
        r.top = bounds[row];
        r.pushed = r.depth = 0;
        for (long e = starts[row]; e < (long)starts[row + 1]; e++) {
            const COMPUTE factor = LOAD(values, e);
            const long from = b_starts[columns[e]], to = b_starts[(long)columns[e] + 1];
            if (to - from < SHORT) {
                for (long i = from; i < to; i++)
                    open = csr_insert(&r, open, b_columns[i], csr_times(factor, LOAD(b_values, i)));
                if (open >= 2 * SHORT) {
                    csr_push(&r, open);
                    open = 0;
                }
                continue;
            }
            if (open > 0)
                csr_push(&r, open);
            open = 0;
            for (long i = from; i < to; i++) {
                to_columns[r.top + i - from] = b_columns[i];
                to_values[r.top + i - from] = csr_times(factor, LOAD(b_values, i));
            }
            csr_push(&r, to - from);
        }
        csr_push(&r, open);
        while (r.depth > 1)
            csr_join_last(&r);
        counts[row] = r.length[0];
    }
    if (get_global_id(0) == 0)
        counts[s->rows] = 0;
}

/* The rows, one behind the other. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void csr_compact(global INDEX *starts, global INDEX *columns, global T *values, const csr_merge_shape shape, global const long *bounds,
                 global const long *ends, global const INDEX *from_columns, global const COMPUTE *from_values)
{
    const csr_merge_shape *s = &shape;
    starts += s->out_starts;
    columns += s->out_columns;
    values += s->out_values;
    FOR_ROWS(row, ends, s) {
        const long to = ends[row], away = bounds[row] - to;
        starts[row] = (INDEX)(to + s->first);
        for (long i = to; i < ends[row + 1]; i++) {
            columns[i] = from_columns[i + away];
            STORE(values, i, from_values[i + away]);
        }
    }
    if (get_global_id(0) == 0)
        starts[s->rows] = (INDEX)(s->total + s->first);
}
