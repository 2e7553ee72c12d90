/* Sweeps over a square sparse matrix in rows, each of which needs others before it: triangular solves, and incomplete factors. Rows stand
 * in `order` level by level: one group takes a level after the other, and an item of it whole rows, so that the sums of a row have one
 * order. What `order` and `bounds` hold may be wrong, as nobody has looked at them: the result is then wrong, too, and no more. */
#include "abi/csr.h"

#ifndef INDEX
#define INDEX int
#endif
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
    long first, width, y_row, y_column;
} sweep;

inline long begin_of(const sweep *s, long row) { return (long)s->starts[row] - s->first; }
inline long column_at(const sweep *s, long entry) { return (long)s->columns[entry] - s->first; }

/* The first entry of a row, from..to-1, whose column is that one or behind it. */
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
/* The row's unknown: what the others leave, by what stands on the diagonal. */
inline void take_row(const sweep *s, long row, long column)
{
    COMPUTE sum = LOAD(s->x, row * s->width + column), diagonal = (COMPUTE)(0);
    const long to = begin_of(s, row + 1);
    for (long e = begin_of(s, row); e < to; e++) {
        const long other = column_at(s, e);
        if (other == row)
            diagonal = LOAD(s->values, e);
        else if (SOLVES(other, row))
            sum -= PRODUCT(LOAD(s->values, e), LOAD(s->y, other * s->y_row + column * s->y_column));
    }
    STORE(s->y, row * s->y_row + column * s->y_column, UNIT ? sum : OVER(sum, diagonal));
}
#elif defined(CHOLESKY)
/* The row of L, where L L^H has what stands at the places of the lower triangle; behind the diagonal it is 0. */
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
/* The row of L and U, L's diagonal being 1, where L U has what stands at the places of the matrix. */
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

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void csr_sweep(global T *y, const csr_shape shape, global const INDEX *starts, global const INDEX *columns, global const T *values,
               global const T *x, global const INDEX *order, long order_first, global const INDEX *bounds, long bounds_first,
               long levels)
{
    const sweep s = {y + shape.y,  starts + shape.starts, columns + shape.columns, values + shape.values, x + shape.x,
                     shape.first, shape.width,           shape.y_row,             shape.y_column};
    for (long level = 0; level < levels; level++) {
        const long from = clamp((long)bounds[bounds_first + level] - s.first, 0L, shape.rows),
                   to = clamp((long)bounds[bounds_first + level + 1] - s.first, 0L, shape.rows);
        for (long job = from * s.width + get_local_id(0); job < to * s.width; job += ITEMS) {
            const long row = (long)order[order_first + job / s.width] - s.first;
            if (row >= 0 && row < shape.rows)
                take_row(&s, row, job % s.width);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
