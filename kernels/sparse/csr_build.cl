/* A sparse matrix in rows from triplets in any order. Each work-item counts the entries of the rows in a chunk of the
 * triplets. The sums of the counts give the position of each row's entries of each chunk, where they are stored, so
 * that those of a row keep their order. Then each row is sorted by column, and duplicates are added in their order. */
#define EQUAL_STAY 1
#include "parts/csr_runs.cl"
#include "parts/verdict.cl"

#ifndef PLACE
#define PLACE long
#endif

/* The triplets of a chunk, for its work-item. */
#define FOR_OWN_TRIPLETS(e, s)                                                         \
    for (long e = s->entries / s->chunks * chunk + min(chunk, s->entries % s->chunks), \
              e##_end = e + s->entries / s->chunks + (chunk < s->entries % s->chunks); \
         e < e##_end; e++)

/* The number of entries of each row in each chunk: counts[chunk * rows + row]. */
KERNEL(GROUP) csr_count(global INDEX *counts, const csr_build_shape shape, global const PLACE *rows,
                        global const PLACE *columns, VERDICT_PARAMETERS)
{
    const csr_build_shape *s = &shape;
    const long chunk = get_global_id(0);
    rows += s->places_rows;
    columns += s->places_columns;
    if (chunk >= s->chunks)
        return;
    counts += chunk * s->rows;
    for (long row = 0; row < s->rows; row++)
        counts[row] = 0;
    FOR_OWN_TRIPLETS(e, s) {
        const long row = (long)rows[e] - s->first, column = (long)columns[e] - s->first;
        if ((ulong)row >= (ulong)s->rows)
            verdict_say_both(VERDICT, CSR_AXES * e, row + s->first, s->rows);
        else if ((ulong)column >= (ulong)s->width)
            verdict_say_both(VERDICT, CSR_AXES * e + 1, column + s->first, s->width);
        else
            counts[row]++;
    }
}

/* The number of entries in a work-item's share of the rows. */
KERNEL(GROUP) csr_shares(global long *shares, const csr_build_shape shape, global const INDEX *counts)
{
    const csr_build_shape *s = &shape;
    long sum = 0;
    for (long chunk = 0; chunk < s->chunks; chunk++)
        for (long row = SPREAD_FROM(s->rows), end = SPREAD_TO(s->rows); row < end; row++)
            sum += counts[chunk * s->rows + row];
    shares[get_global_id(0)] = sum;
}

/* Replaces counts by the positions of entries, and sets starts to the numbers of entries before each row, counted from
 * 0 and, for the result, from `first`. */
KERNEL(GROUP) csr_begin(global long *starts, global INDEX *out, const csr_build_shape shape, global INDEX *counts,
                        global const long *shares)
{
    const csr_build_shape *s = &shape;
    long at = 0;
    out += s->out;
    for (long share = 0; share < (long)get_global_id(0); share++)
        at += shares[share];
    for (long row = SPREAD_FROM(s->rows), end = SPREAD_TO(s->rows); row < end; row++) {
        starts[row] = at;
        out[row] = (INDEX)(at + s->first);
        for (long chunk = 0; chunk < s->chunks; chunk++) {
            const INDEX count = counts[chunk * s->rows + row];
            counts[chunk * s->rows + row] = (INDEX)at;
            at += count;
        }
    }
    if (get_global_id(0) == get_global_size(0) - 1) {
        starts[s->rows] = at;
        out[s->rows] = (INDEX)(at + s->first);
    }
}

KERNEL(GROUP) csr_place(global INDEX *placed_columns, global COMPUTE *placed_values, const csr_build_shape shape,
                        global const PLACE *rows, global const PLACE *columns, global const T *values,
                        global INDEX *counts)
{
    const csr_build_shape *s = &shape;
    const long chunk = get_global_id(0);
    rows += s->places_rows;
    columns += s->places_columns;
    values += s->values;
    if (chunk >= s->chunks)
        return;
    counts += chunk * s->rows;
    FOR_OWN_TRIPLETS(e, s) {
        const long row = (long)rows[e] - s->first;
        if ((ulong)row < (ulong)s->rows) {
            const long at = counts[row]++;
            placed_columns[at] = (INDEX)columns[e];
            placed_values[at] = LOAD(values, e);
        }
    }
}

#define BLOCK 64 /* entries that are sorted by counting the entries before each */
#define LANES 16
#define INDEX16 JOIN(INDEX, 16)

/* Sorts at most `count` and BLOCK entries from `at` on. */
inline void csr_take(const csr_row *r, long at, int count)
{
    global const INDEX *columns = r->spare_columns + at;
    global const COMPUTE *values = r->spare_values + at;
    global INDEX *to_columns = r->columns + at;
    global COMPUTE *to_values = r->values + at;
    INDEX own[BLOCK], before[BLOCK];
    bool ascends = true;
    for (int i = 0; i < count; i++) {
        own[i] = columns[i];
        ascends &= i == 0 || columns[i - (i > 0)] <= columns[i];
    }
    if (ascends) {
        for (int i = 0; i < count; i++) {
            to_columns[i] = own[i];
            to_values[i] = values[i];
        }
        return;
    }
    for (int i = count; i % LANES > 0; i++)
        own[i] = 0;
    for (int from = 0; from < count; from += LANES) {
        const INDEX16 lane = (INDEX16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + (INDEX)from;
        const INDEX16 some = vload16(0, own + from);
        INDEX16 rank = (INDEX16)(0);
        for (int i = 0; i < count; i++) /* a lane behind i goes behind what is equal, too; true is -1 */
            rank -= (INDEX16)(own[i]) < some - (lane > (INDEX16)(i));
        vstore16(rank, 0, before + from);
    }
    for (int i = 0; i < count; i++) {
        to_columns[before[i]] = own[i];
        to_values[before[i]] = values[i];
    }
}

/* Adds the entries of each column, and returns the number of remaining entries. */
inline long csr_add_up(const csr_row *r, long from, long count)
{
    global INDEX *columns = r->columns + from;
    global COMPUTE *values = r->values + from;
    bool twice = false;
    for (long i = 1; i < count; i++)
        twice |= columns[i - 1] == columns[i];
    if (!twice)
        return count;
    long last = 0;
    for (long i = 1; i < count; i++) {
        if (columns[i] == columns[last]) {
            values[last] = values[last] + values[i];
        } else {
            columns[++last] = columns[i];
            values[last] = values[i];
        }
    }
    return last + 1;
}

/* What was placed is where runs are copied, too, when they are joined: those have been taken. */
KERNEL(GROUP) csr_order(global long *counts, const csr_build_shape shape, global const long *starts,
                        global INDEX *placed_columns, global COMPUTE *placed_values, global INDEX *columns,
                        global COMPUTE *values)
{
    const struct {
        long rows, total;
    } ends = {shape.rows, shape.entries};
    csr_row r = {.columns = columns, .values = values, .spare_columns = placed_columns, .spare_values = placed_values};
    FOR_ROWS(row, starts, (&ends)) {
        r.top = starts[row];
        r.pushed = r.depth = 0;
        for (long from = starts[row], end = starts[row + 1]; from < end; from += BLOCK) {
            const int count = (int)min((long)BLOCK, end - from);
            csr_take(&r, from, count);
            csr_push(&r, count);
        }
        while (r.depth > 1)
            csr_join_last(&r);
        counts[row] = csr_add_up(&r, starts[row], starts[row + 1] - starts[row]);
    }
    if (get_global_id(0) == 0)
        counts[shape.rows] = 0;
}
