/* The product of two sparse matrices in rows: for each entry of a row of a, the row of b given by its column is a run
 * of products. */
#include "parts/csr_runs.cl"

#define SHORT 16  /* a row of b with fewer entries is not a run: its entries are inserted one by one */

/* The number of products of each row; after the last row 0. */
KERNEL(GROUP) csr_bounds(global long *room, const csr_merge_shape shape, global const INDEX *starts,
                         global const INDEX *columns, global const INDEX *others)
{
    const csr_merge_shape *s = &shape;
    starts += s->a_starts;
    columns += s->a_columns - s->first;
    others += s->b_starts - s->first;
    FOR_SPREAD(row, s->rows + 1) {
        long count = 0;
        for (long e = row < s->rows ? (long)starts[row] : 0, end = row < s->rows ? (long)starts[row + 1] : 0; e < end;
             e++)
            count += (long)others[(long)columns[e] + 1] - (long)others[columns[e]];
        room[row] = count;
    }
}

/* Inserts an entry into the sorted `count` entries at the top, and returns their number. */
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

KERNEL(GROUP) csr_merge(global long *counts, const csr_merge_shape shape, global const INDEX *starts,
                        global const INDEX *columns, global const T *values, global const INDEX *b_starts,
                        global const INDEX *b_columns, global const T *b_values, global const long *bounds,
                        global INDEX *to_columns, global COMPUTE *to_values, global INDEX *spare_columns,
                        global COMPUTE *spare_values)
{
    const csr_merge_shape *s = &shape;
    starts += s->a_starts;
    columns += s->a_columns - s->first;
    values += s->a_values - s->first;
    b_starts += s->b_starts - s->first;
    b_columns += s->b_columns - s->first;
    b_values += s->b_values - s->first;
    csr_row r = {
        .columns = to_columns, .values = to_values, .spare_columns = spare_columns, .spare_values = spare_values};
    FOR_ROWS(row, bounds, s) {
        int open = 0; /* entries at the top that are not run yet */
        r.top = bounds[row];
        r.pushed = r.depth = 0;
        for (long e = starts[row]; e < (long)starts[row + 1]; e++) {
            const COMPUTE factor = LOAD(values, e);
            const long from = b_starts[columns[e]], to = b_starts[(long)columns[e] + 1];
            if (to - from < SHORT) {
                for (long i = from; i < to; i++)
                    open = csr_insert(&r, open, b_columns[i], SCALED(factor, LOAD(b_values, i)));
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
                to_values[r.top + i - from] = SCALED(factor, LOAD(b_values, i));
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

/* The rows, without gaps. */
KERNEL(GROUP) csr_compact(global INDEX *starts, global INDEX *columns, global T *values, const csr_merge_shape shape,
                          global const long *bounds, global const long *ends, global const INDEX *from_columns,
                          global const COMPUTE *from_values)
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
