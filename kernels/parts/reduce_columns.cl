/* Reductions of columns on CPU devices, part of reduce_cpu.cl: neighbours in memory go to different outputs. */

#define ROW(i) LOAD_LANES(row[i] + at, LEAFV)

/* Joins one vector of each row, the one at `at`. */
inline chain combine_rows(global const T *const *row, int count, long at)
{
    chain sum = ROW(0);
    if (count == ABREAST)
        return chain_join(chain_join(chain_join(sum, ROW(1)), chain_join(ROW(2), ROW(3))),
                          chain_join(chain_join(ROW(4), ROW(5)), chain_join(ROW(6), ROW(7))));
    for (int i = 1; i < count; i++)
        sum = chain_join(sum, ROW(i));
    return sum;
}

/* As combine_rows, for the last vector, of fewer than LANES columns. */
inline chain combine_ends(global const T *const *row, int count, long at, long columns)
{
    chain sum = load_part(row[0] + at, columns - at);
    for (int i = 1; i < count; i++)
        sum = chain_join(sum, load_part(row[i] + at, columns - at));
    return sum;
}

inline void add_rows(chain *acc, global const T *const *row, int count, long columns, int fresh)
{
    for (long at = 0; at < columns; at += LANES, acc++) {
        const chain sum = at + LANES <= columns ? combine_rows(row, count, at) : combine_ends(row, count, at, columns);
        *acc = fresh ? sum : chain_join(*acc, sum);
    }
}

/* Joins the rows from..to-1 of a strip, at most BLOCK of them. */
inline void add_block(chain *acc, global const T *in, const lun_layout *rows, long from, long to, long columns)
{
    for (long r = from; r < to; r += ABREAST) {
        global const T *row[ABREAST];
        const int count = min(to - r, (long)ABREAST);
        for (int i = 0; i < count; i++)
            row[i] = in + layout_offset(rows, r + i);
        add_rows(acc, row, count, columns, r == from);
    }
}

/* Joins the columns that belong together where each row of the strip was for `fold` rows of the array. */
inline lanes fold_columns(const lanes *strip, long at, long columns, long fold)
{
    lanes level[MOST_LEVELS];
    const long narrow = columns / fold;
    for (long g = 0; g < fold; g++) {
        lanes x;
        for (int i = 0; i < LANES; i++) {
            const long from = g * narrow + min(at + i, narrow - 1);
            ((ACC *)&x)[i] = ((const ACC *)&strip[from / LANES])[from % LANES];
        }
        push(level, 1, g, x);
    }
    return total(level, 1, fold);
}

inline void put_columns(global OUT *out, global ACC *partial, const reduce_columns_shape *plan, long outer, long part,
                        long at, lanes result, long n)
{
    const reduce_parts *whole = &plan->whole;
    if (whole->parts == 1)
        store(out + whole->out + layout_offset(&plan->kept_out, outer) + at * whole->out_step, whole->out_step, result,
              0, n, whole->past_cache);
    else
        store_partial(partial + (outer * whole->parts + part) * whole->columns + at, result, n);
}

/* Joins the parts of columns from..to-1, which lie as rows. */
inline void join_strip(lanes *level, global OUT *out, global const ACC *partial, const reduce_columns_shape *plan,
                       long outer, long from, long to)
{
    const reduce_parts *whole = &plan->whole;
    global const ACC *p = partial + outer * whole->parts * whole->columns;
    for (long part = 0; part < whole->parts; part++, p += whole->columns)
        for (long at = from, v = 0; at < to; at += LANES, v++)
            push(level + v, STRIP, part, load_partial(p + at, to - at));
    global OUT *place = out + whole->out + layout_offset(&plan->kept_out, outer);
    for (long at = from, v = 0; at < to; at += LANES, v++)
        store(place + at * whole->out_step, whole->out_step, total(level + v, STRIP, whole->parts), 0, to - at,
              whole->past_cache);
}

/* Reduces one part of a strip of `columns` columns, of which the last row has only `width`; `level` gets the
 * results. */
inline void reduce_strip(chain *acc, lanes *level, global const T *in, const reduce_columns_shape *plan, long part,
                         long columns, long width)
{
    const long end = min(plan->rows, (part + 1) * plan->part);
    const long whole = end == plan->rows && plan->last < plan->columns ? end - 1 : end;
    long blocks = 0;
    for (long r = part * plan->part; r < whole; r += BLOCK, blocks++) {
        add_block(acc, in, &plan->reduced, r, min(whole, r + BLOCK), columns);
        for (int v = 0; v * LANES < columns; v++)
            push(level + v, STRIP, blocks, WIDEN(acc[v]));
    }
    if (whole < end) {
        global const T *row = in + layout_offset(&plan->reduced, whole);
        for (int v = 0; v * LANES < columns; v++)
            push(level + v, STRIP, blocks, WIDEN(load_part(row + v * LANES, width - v * LANES)));
        blocks++;
    }
    for (int v = 0; v * LANES < columns; v++)
        level[v] = total(level + v, STRIP, blocks);
}

/* Reduces columns of no more than ABREAST elements: the results come straight from registers. */
inline void reduce_few_rows(global OUT *out, global const T *in, const reduce_columns_shape *plan, long outer,
                            long column, long columns)
{
    global const T *row[ABREAST];
    const int count = (int)plan->rows;
    for (int i = 0; i < count; i++)
        row[i] = in + layout_offset(&plan->reduced, i);
    for (long at = 0; at < columns; at += LANES) {
        const chain sum = at + LANES <= columns ? combine_rows(row, count, at) : combine_ends(row, count, at, columns);
        put_columns(out, 0, plan, outer, 0, column + at, WIDEN(sum), columns - at);
    }
}

KERNEL(1) reduce_cpu_columns(global OUT *out, global ACC *partial, global const T *in, volatile global uint *tickets,
                             reduce_columns_shape plan)
{
    chain acc[STRIP];
    lanes level[LEVELS * STRIP];
    const long parts = plan.whole.parts, narrow = plan.whole.columns;
    const long jobs = plan.whole.outer * parts * plan.strips, first = get_group_id(0) * plan.per_item;
    for (long job = first; job < min(jobs, first + plan.per_item); job++) {
        const long strip = job % plan.strips, part = job / plan.strips % parts, outer = job / plan.strips / parts;
        const long column = strip * plan.strip, columns = min(plan.strip, plan.columns - column);
        global const T *from = in + plan.in + layout_offset(&plan.kept, outer) + column;
        if (plan.rows <= ABREAST && plan.fold == 1 && parts == 1) {
            reduce_few_rows(out, from, &plan, outer, column, columns);
            continue;
        }
        reduce_strip(acc, level, from, &plan, part, columns, plan.last - column);
        if (plan.fold == 1)
            for (int v = 0; v * LANES < columns; v++)
                put_columns(out, partial, &plan, outer, part, column + v * LANES, level[v], columns - v * LANES);
        else
            for (long at = 0; at < narrow; at += LANES)
                put_columns(out, partial, &plan, outer, part, at, fold_columns(level, at, plan.columns, plan.fold),
                            narrow - at);
        if (parts > 1 && was_last(tickets + outer * plan.strips + strip, plan.whole.parts))
            join_strip(level, out, partial, &plan, outer, column, min(narrow, column + columns));
    }
}
