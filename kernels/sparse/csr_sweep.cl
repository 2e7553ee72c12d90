/* Sweeps over a square sparse matrix in rows that depend on earlier rows: triangular solves and incomplete factors.
 * `order` lists the rows level by level: one group takes all levels in turn, or several groups share one level; an item
 * takes whole rows, so that the sums of a row have a fixed order. `order` and `bounds` are not checked: wrong ones only
 * give a wrong result. */
#include "abi/csr.h"

#ifndef ITEMS
#define ITEMS 1
#endif

#ifdef PART
#define OVER(a, b) pair_divide(a, b)
#define CONJUGATE(a) ((COMPUTE)((a).x, -(a).y))
#define ROOT(a) ((COMPUTE)(sqrt((a).x), 0))
#else
#define OVER(a, b) ((a) / (b))
#define CONJUGATE(a) (a)
#define ROOT(a) sqrt(a)
#endif

typedef struct sweep {
    global T *y;
    global const INDEX *starts, *columns;
    global const T *values, *x;
    long first, rows, entries, width, y_row, y_column, levels;
} sweep;

inline long begin_of(const sweep *s, long row) { return (long)s->starts[row] - s->first; }
inline long column_at(const sweep *s, long entry) { return (long)s->columns[entry] - s->first; }

/* The first entry of a row, from..to-1, in that column or a later one. */
inline long entry_of(const sweep *s, long from, long to, long column)
{
    while (from < to) {
        const long middle = from + (to - from) / 2;
        if (column_at(s, middle) < column)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

#ifdef SOLVES
/* The remaining right side for the row's unknown, and the diagonal entry. */
typedef struct unknown {
    long row, column;
    COMPUTE sum, diagonal;
} unknown;

inline unknown begin_unknown(const sweep *s, long row, long column)
{
    const unknown u = {row, column, LOAD(s->x, row * s->width + column), (COMPUTE)(0)};
    return u;
}

/* Takes an entry of the row. */
inline void take_entry(unknown *u, const sweep *s, long other, COMPUTE value)
{
    if (other == u->row)
        u->diagonal = value;
    else if (SOLVES(other, u->row))
        u->sum -= PRODUCT(value, LOAD(s->y, other * s->y_row + u->column * s->y_column));
}

inline void end_unknown(const unknown *u, const sweep *s)
{
    STORE(s->y, u->row * s->y_row + u->column * s->y_column, UNIT ? u->sum : OVER(u->sum, u->diagonal));
}

inline void take_row(const sweep *s, long row, long column)
{
    unknown u = begin_unknown(s, row, column);
    const long to = begin_of(s, row + 1);
    for (long e = begin_of(s, row); e < to; e++)
        take_entry(&u, s, column_at(s, e), LOAD(s->values, e));
    end_unknown(&u, s);
}
#elif defined(DIAGONAL)
/* The diagonal entry, or 0. Starts and columns are not checked for this. */
inline void take_row(const sweep *s, long row, long column)
{
    const long end = clamp(begin_of(s, row + 1), 0L, s->entries),
               at = entry_of(s, clamp(begin_of(s, row), 0L, s->entries), end, row);
    STORE(s->y, row, at < end && column_at(s, at) == row ? LOAD(s->values, at) : (COMPUTE)(0));
}
#elif defined(CHOLESKY)
/* The row of L, where L L^H equals the matrix in the pattern of the lower triangle; after the diagonal it is 0. */
inline void take_row(const sweep *s, long row, long column)
{
    const long from = begin_of(s, row), to = begin_of(s, row + 1);
    for (long e = from; e < to; e++) {
        const long other = column_at(s, e);
        COMPUTE sum = LOAD(s->values, e);
        long a = from, b = begin_of(s, min(other, row));
        const long end = entry_of(s, b, begin_of(s, min(other, row) + 1), other);
        while (a < e && b < end) {
            const long ca = column_at(s, a), cb = column_at(s, b);
            if (ca == cb)
                sum -= PRODUCT(LOAD(s->y, a), CONJUGATE(LOAD(s->y, b)));
            a += ca <= cb;
            b += cb <= ca;
        }
        if (other < row)
            sum = column_at(s, end) == other ? OVER(sum, LOAD(s->y, end)) : OVER(sum, (COMPUTE)(0));
        STORE(s->y, e, other > row ? (COMPUTE)(0) : other == row ? ROOT(sum) : sum);
    }
}
#else
/* The row of L and U, with L's diagonal 1, where L U equals the matrix in its pattern. */
inline void take_row(const sweep *s, long row, long column)
{
    const long from = begin_of(s, row), to = begin_of(s, row + 1);
    for (long e = from; e < to; e++)
        STORE(s->y, e, LOAD(s->values, e));
    for (long e = from; e < to && column_at(s, e) < row; e++) {
        const long other = column_at(s, e), end = begin_of(s, other + 1);
        long b = entry_of(s, begin_of(s, other), end, other), a = e + 1;
        const bool has = b < end && column_at(s, b) == other;
        const COMPUTE factor = OVER(LOAD(s->y, e), has ? LOAD(s->y, b) : (COMPUTE)(0));
        STORE(s->y, e, factor);
        while (a < to && b < end) {
            const long ca = column_at(s, a), cb = column_at(s, b);
            if (ca == cb)
                STORE(s->y, a, LOAD(s->y, a) - PRODUCT(factor, LOAD(s->y, b)));
            a += ca <= cb;
            b += cb <= ca;
        }
    }
}
#endif

/* Takes jobs of a level, from..to-1, each a row and a column. */
inline void take_jobs(const sweep *s, global const INDEX *order, long from, long to)
{
    for (long job = from + get_local_id(0); job < to; job += ITEMS) {
        const long row = (long)order[job / s->width] - s->first;
        if (row >= 0 && row < s->rows)
            take_row(s, row, job % s->width);
    }
}

/* The first place of a level in the order. */
inline long edge_of(const sweep *s, global const INDEX *bounds, long level)
{
    return clamp((long)bounds[min(level, s->levels)] - s->first, 0L, s->rows);
}

#ifdef DIAGONAL
inline void take_levels(const sweep *s, global const INDEX *order, global const INDEX *bounds, long levels)
{
    for (long row = get_global_id(0); row < s->rows; row += get_global_size(0))
        take_row(s, row, 0);
}
#elif ITEMS > 1 && defined(SOLVES)
/* A solve is limited by memory latency: each row needs a position in the order, two starts, and columns. None of these
 * depends on an unknown, so an item reads the data of its first row of a level while earlier levels are solved: bounds
 * five levels ahead, the order three, starts two, and entries one. */
#define AHEAD 8 /* entries of a row that are read ahead */

typedef struct row_ahead {
    bool has; /* is there a row? */
    long row, begin, end;
    INDEX columns[AHEAD];
    T values[AHEAD];
} row_ahead;

/* The row's place in the order is known, and its starts are read. */
inline void read_starts(row_ahead *a, const sweep *s, bool has, INDEX place)
{
    a->row = (long)place - s->first;
    a->has = has && a->row >= 0 && a->row < s->rows;
    a->begin = a->has ? begin_of(s, a->row) : 0;
    a->end = a->has ? begin_of(s, a->row + 1) : 0;
}

inline void read_entries(row_ahead *a, const sweep *s)
{
    for (int k = 0; k < AHEAD; k++)
        if (a->begin + k < a->end) {
            a->columns[k] = s->columns[a->begin + k];
            a->values[k] = s->values[a->begin + k];
        }
}

inline void take_ahead(const row_ahead *a, const sweep *s, long column)
{
    unknown u = begin_unknown(s, a->row, column);
    for (int k = 0; k < AHEAD; k++)
        if (a->begin + k < a->end)
            take_entry(&u, s, (long)a->columns[k] - s->first, LOAD(a->values, k));
    for (long e = a->begin + AHEAD; e < a->end; e++)
        take_entry(&u, s, column_at(s, e), LOAD(s->values, e));
    end_unknown(&u, s);
}

inline void take_levels(const sweep *s, global const INDEX *order, global const INDEX *bounds, long levels)
{
    const long own = get_local_id(0) / s->width, column = get_local_id(0) % s->width;
    long edges[5]; /* of the level and of those behind it */
    bool has;
    INDEX place = 0; /* in the order, two levels ahead */
    row_ahead now, next;
    for (int k = 0; k < 5; k++)
        edges[k] = edge_of(s, bounds, k);
    has = edges[0] + own < edges[1];
    read_starts(&now, s, has, has ? order[edges[0] + own] : 0);
    read_entries(&now, s);
    has = edges[1] + own < edges[2];
    read_starts(&next, s, has, has ? order[edges[1] + own] : 0);
    has = edges[2] + own < edges[3];
    if (has)
        place = order[edges[2] + own];
    for (long level = 0; level < levels; level++) {
        if (now.has)
            take_ahead(&now, s, column);
        take_jobs(s, order, edges[0] * s->width + ITEMS, edges[1] * s->width);
        now.has = next.has;
        now.row = next.row;
        now.begin = next.begin;
        now.end = next.end;
        read_entries(&now, s);
        read_starts(&next, s, has, place);
        has = edges[3] + own < edges[4];
        if (has)
            place = order[edges[3] + own];
        for (int k = 0; k < 4; k++)
            edges[k] = edges[k + 1];
        edges[4] = edge_of(s, bounds, level + 5);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
#else
inline void take_levels(const sweep *s, global const INDEX *order, global const INDEX *bounds, long levels)
{
    for (long level = 0; level < levels; level++) {
        take_jobs(s, order, edge_of(s, bounds, level) * s->width, edge_of(s, bounds, level + 1) * s->width);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
#endif

/* Several groups: there is one level, whose jobs they share. */
KERNEL(ITEMS) csr_sweep(global T *y, const csr_shape shape, global const INDEX *starts, global const INDEX *columns,
                        global const T *values, global const T *x, global const INDEX *order, long order_first,
                        global const INDEX *bounds, long bounds_first, long levels)
{
    const sweep s = {y + shape.y, starts + shape.starts, columns + shape.columns, values + shape.values, x + shape.x,
                     shape.first, shape.rows,            shape.entries,           shape.width,           shape.y_row,
                     shape.y_column, levels};
#ifndef DIAGONAL
    if (get_num_groups(0) > 1) {
        const long from = edge_of(&s, bounds + bounds_first, 0) * s.width,
                   to = edge_of(&s, bounds + bounds_first, 1) * s.width;
        const long each = ((to - from) / (long)get_num_groups(0) / ITEMS + 1) * ITEMS,
                   begin = from + (long)get_group_id(0) * each;
        take_jobs(&s, order + order_first, begin, min(to, begin + each));
        levels = 0;
    }
#endif
    take_levels(&s, order + order_first, bounds + bounds_first, levels);
}
