/* Symmetric matrices become tridiagonal by reflections (Householder), in panels: reflections of a panel's columns are noted as rows v
 * and w, and the matrix behind the panel gets all of them at once, by products. Rows have `pitch` numbers, a multiple of PITCH, zeros
 * behind the n-th, and both triangles stand there. A group of ITEMS takes a matrix, or rows of it; ACROSS items share a row; ROOT: the
 * square root of ITEMS. Where a group is one item, it computes in vectors. */
#ifndef ITEMS
#define ITEMS 1
#define ACROSS 1
#define ROOT 1
#endif
#include "parts/verdict.cl"
#include "parts/matmul_view.cl"

#if ITEMS == 1
#if ITEM_BYTES == 8
#define WIDTH 8
#else
#define WIDTH 16
#endif
typedef JOIN(T, WIDTH) wide;
#define LOAD_WIDE(p) JOIN(vload, WIDTH)(0, p)
#define STORE_WIDE(x, p) JOIN(vstore, WIDTH)(x, 0, p)
#define LANE(x, q) (((T *)&(x))[q])
#else
#define WIDTH 1
typedef T wide;
#define LOAD_WIDE(p) (*(p))
#define STORE_WIDE(x, p) (*(p) = (x))
#define LANE(x, q) (x)
#endif
#if ITEM_BYTES == 8
#define MOST_EXPONENT 1000
#else
#define MOST_EXPONENT 120
#endif
#define WAIT barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
/* Chunks of numbers from that one, or one before, to the row's end; an item's share. */
#define EACH(i, from, pitch)                                                                                           \
    for (long i = ((from) / WIDTH + get_local_id(0)) * WIDTH; i < (pitch); i += ITEMS * WIDTH)

/* x with zeros before number `from`, where it begins with number `at`. */
inline wide behind(wide x, long at, long from)
{
    for (int q = 0; q < WIDTH; q++)
        if (at + q < from)
            LANE(x, q) = 0;
    return x;
}

inline T total(wide x)
{
    T sum = 0;
    for (int q = 0; q < WIDTH; q++)
        sum += LANE(x, q);
    return sum;
}

/* The sum of all items' numbers, for all; `parts` has ITEMS + ROOT. */
inline T across(T x, local T *parts)
{
    const int item = get_local_id(0);
    T sum = 0;
    parts[item] = x;
    WAIT;
    if (item < ROOT) {
        for (int i = 0; i < ROOT; i++)
            sum += parts[item * ROOT + i];
        parts[ITEMS + item] = sum;
    }
    WAIT;
    sum = 0;
    for (int i = 0; i < ROOT; i++)
        sum += parts[ITEMS + i];
    WAIT;
    return sum;
}

/* ---- loading -------------------------------------------------------------------------------------------------------- */

/* The largest number of each row, of a symmetric matrix of the lower triangle's, or infinity; says where a row is not finite. `turned`:
 * the matrix is the transpose of the user's. */
kernel void largest_of_rows(global T *largest, global const T *a, matmul_view at, long batches, long rows, long columns,
                            long symmetric, long turned, VERDICT_PARAMETERS)
{
    for (long r = get_global_id(0); r < batches * rows; r += get_global_size(0)) {
        global const T *row = a + matmul_offset(&at, r / rows, r % rows, 0);
        T most = 0;
        for (long j = 0; j < (symmetric ? r % rows + 1 : columns); j++) {
            const T x = row[j * at.column];
            if (!isfinite(x)) {
                verdict_say_both(VERDICT, r, j, turned ? -rows : rows);
                most = INFINITY;
                break;
            }
            most = fmax(most, fabs(x));
        }
        largest[r] = most;
    }
}

/* The matrix, of a symmetric one both triangles from the lower one, times a power of 2 such that the largest number is below 1; its
 * exponent. Zeros where it is not finite. */
kernel void load_rows(global T *to, global int *exponents, global const T *largest, global const T *a, matmul_view at,
                      long batches, long rows, long columns, long pitch, long symmetric)
{
    for (long r = get_global_id(0); r < batches * rows; r += get_global_size(0)) {
        const long batch = r / rows, i = r % rows;
        global const T *here = a + matmul_offset(&at, batch, 0, 0);
        T most = 0;
        int exponent = 0;
        for (long k = 0; k < rows; k++)
            most = fmax(most, largest[batch * rows + k]);
        const bool finite = isfinite(most);
        if (finite && most > 0)
            (void)frexp(most, &exponent);
        exponent = clamp(exponent, -MOST_EXPONENT, MOST_EXPONENT);
        const T scale = ldexp((T)1, -exponent);
        if (i == 0)
            exponents[batch] = exponent;
        for (long j = 0; j < pitch; j++) {
            const bool other = symmetric && j > i;
            const long offset = other ? j * at.row + i * at.column : i * at.row + j * at.column;
            to[r * pitch + j] = finite && j < columns ? here[offset] * scale : 0;
        }
    }
}

/* ---- columns --------------------------------------------------------------------------------------------------------- */

/* One column after another: finishes w of the column before j, if `finish`, and reflects column j, if `next`. Of the panel that begins
 * with column `first` and has `columns`, `panel` has v, w, and v again, a row each for each of them; `all` has all v. Of sums, which
 * multiply_columns makes: w v for each of the panel's columns, then v v. d and e: the tridiagonal matrix; taus: 2 / v v, 0 where
 * nothing is reflected, and v is 0. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void reflect_column(global T *a, global T *all, global T *panel, global const T *sums, global T *d, global T *e,
                    global T *taus, long batches, long n, long pitch, long first, long columns, long j, long finish,
                    long next)
{
    local T parts[ITEMS + ROOT];
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *vs = panel + batch * 3 * columns * pitch, *ws = vs + columns * pitch, *again = ws + columns * pitch;
        global const T *wv = sums + batch * 2 * columns, *vv = wv + columns;
        const long k = j - first, before = finish ? k - 1 : 0;
        global T *v = vs + before * pitch, *w = ws + before * pitch;
        const T tau = finish ? taus[batch * n + j - 1] : 0;
        wide sum = 0;
        EACH(i, j, finish ? pitch : 0)
        {
            wide x = LOAD_WIDE(w + i);
            for (long q = 0; q < before; q++)
                x -= LOAD_WIDE(vs + q * pitch + i) * wv[q] + LOAD_WIDE(ws + q * pitch + i) * vv[q];
            x = behind(tau == 0 ? (wide)(0) : x * tau, i, j);
            STORE_WIDE(x, w + i);
            sum += x * LOAD_WIDE(v + i);
        }
        const T share = across(total(sum), parts) * tau / 2;
        EACH(i, j, finish ? pitch : 0)
            STORE_WIDE(LOAD_WIDE(w + i) - share * LOAD_WIDE(v + i), w + i);
        WAIT;
        global T *x = a + (batch * n + j) * pitch;
        sum = 0;
        EACH(i, j, next ? pitch : 0)
        {
            wide y = LOAD_WIDE(x + i);
            for (long q = 0; q < k; q++)
                y -= vs[q * pitch + j] * LOAD_WIDE(ws + q * pitch + i) + ws[q * pitch + j] * LOAD_WIDE(vs + q * pitch + i);
            STORE_WIDE(y, x + i);
            y = behind(y, i, j + 2);
            sum += y * y;
        }
        const T rest = across(total(sum), parts), head = next && j + 1 < n ? x[j + 1] : 0;
        const T norm = sqrt(fma(head, head, rest)), beta = rest > 0 ? (head > 0 ? -norm : norm) : head;
        const T scale = rest > 0 ? 1 / (head - beta) : 0;
        EACH(i, 0, next ? pitch : 0)
        {
            wide y = behind(LOAD_WIDE(x + i) * scale, i, j + 2);
            for (int q = 0; q < WIDTH; q++)
                if (i + q == j + 1)
                    LANE(y, q) = rest > 0;
            STORE_WIDE(y, all + (batch * n + j) * pitch + i);
            STORE_WIDE(y, vs + k * pitch + i);
            STORE_WIDE(y, again + k * pitch + i);
            STORE_WIDE((wide)(0), ws + k * pitch + i);
        }
        if (next && get_local_id(0) == 0) {
            d[batch * n + j] = x[j];
            e[batch * n + j] = beta;
            taus[batch * n + j] = rest > 0 ? (beta - head) / beta : 0;
        }
        WAIT;
    }
}

/* Products with v of column j: of the matrix's rows behind the column, into w, and of the panel's rows w and v, into sums. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void multiply_columns(global const T *a, global T *panel, global T *sums, long batches, long n, long pitch, long first,
                      long columns, long j)
{
#if ITEMS == 1
    const long k = j - first, rows = n - j - 1, tasks = (rows + 3) / 4 + 2 * k;
    for (long task = get_group_id(0); task < batches * tasks; task += get_num_groups(0)) {
        const long batch = task / tasks, which = task % tasks, extra = which - (rows + 3) / 4;
        global T *vs = panel + batch * 3 * columns * pitch, *ws = vs + columns * pitch;
        global const T *v = vs + k * pitch;
        if (extra >= 0) {
            global const T *row = extra < k ? ws + extra * pitch : vs + (extra - k) * pitch;
            wide sum = 0;
            EACH(i, j + 1, pitch)
                sum += LOAD_WIDE(row + i) * LOAD_WIDE(v + i);
            sums[batch * 2 * columns + (extra < k ? extra : columns + extra - k)] = total(sum);
            continue;
        }
        const long r = j + 1 + which * 4, last = n - 1;
        global const T *x0 = a + (batch * n + r) * pitch, *x1 = a + (batch * n + min(r + 1, last)) * pitch;
        global const T *x2 = a + (batch * n + min(r + 2, last)) * pitch, *x3 = a + (batch * n + min(r + 3, last)) * pitch;
        wide s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        EACH(i, j + 1, pitch)
        {
            const wide y = LOAD_WIDE(v + i);
            s0 += LOAD_WIDE(x0 + i) * y;
            s1 += LOAD_WIDE(x1 + i) * y;
            s2 += LOAD_WIDE(x2 + i) * y;
            s3 += LOAD_WIDE(x3 + i) * y;
        }
        global T *w = ws + k * pitch;
        w[r] = total(s0);
        if (r + 1 < n)
            w[r + 1] = total(s1);
        if (r + 2 < n)
            w[r + 2] = total(s2);
        if (r + 3 < n)
            w[r + 3] = total(s3);
    }
#else
    local T parts[ITEMS];
    const long k = j - first, rows = n - j - 1, tasks = batches * (rows + 2 * k), each = ITEMS / ACROSS;
    const int item = get_local_id(0), lane = item % ACROSS;
    for (long from = get_group_id(0) * each; from < tasks; from += get_num_groups(0) * each) {
        const long task = min(from + item / ACROSS, tasks - 1), batch = task / (rows + 2 * k);
        const long which = task % (rows + 2 * k), extra = which - rows;
        global T *vs = panel + batch * 3 * columns * pitch, *ws = vs + columns * pitch;
        global const T *v = vs + k * pitch, *row = extra < 0 ? a + (batch * n + j + 1 + which) * pitch
                                                   : extra < k ? ws + extra * pitch
                                                               : vs + (extra - k) * pitch;
        T sum = 0;
        for (long i = j + 1 + lane; i < n; i += ACROSS)
            sum = fma(row[i], v[i], sum);
        parts[item] = sum;
        WAIT;
        if (lane == 0 && from + item / ACROSS < tasks) {
            for (int i = 1; i < ACROSS; i++)
                sum += parts[item + i];
            if (extra < 0)
                ws[k * pitch + j + 1 + which] = sum;
            else
                sums[batch * 2 * columns + (extra < k ? extra : columns + extra - k)] = sum;
        }
        WAIT;
    }
#endif
}

/* ---- back --------------------------------------------------------------------------------------------------------------- */

/* The triangles of blocks of reflections, of their products `gram`, m x m each: half the diagonal, or 1 where nothing is reflected. */
kernel void halve_diagonals(global T *gram, long blocks, long m)
{
    for (long i = get_global_id(0); i < blocks * m; i += get_global_size(0)) {
        global T *x = gram + i / m * m * m + i % m * (m + 1);
        *x = *x > 0 ? *x / 2 : 1;
    }
}

/* The sign that makes a vector's largest number positive, of those that are nearly as large the first, so that rounding does not
 * choose. */
inline T sign_of(global const T *x, long stride, long count)
{
    T largest = 0;
    for (long i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[i * stride]));
    for (long i = 0; i < count; i++)
        if (fabs(x[i * stride]) >= (T)0.999 * largest)
            return x[i * stride] < 0 ? -1 : 1;
    return 1;
}

/* Vectors, columns of `from`, as columns of `to`, with the signs of their largest numbers; and with them those of `other`, unless it is
 * NULL. An item takes a column. */
kernel void take_vectors(global T *to, matmul_view to_at, global const T *from, matmul_view from_at, global T *other,
                         matmul_view other_at, global const T *beside, matmul_view beside_at, long batches, long rows,
                         long other_rows, long columns)
{
    for (long c = get_global_id(0); c < batches * columns; c += get_global_size(0)) {
        const long batch = c / columns, j = c % columns;
        global const T *x = from + matmul_offset(&from_at, batch, 0, j);
        global T *y = to + matmul_offset(&to_at, batch, 0, j);
        const T sign = sign_of(x, from_at.row, rows);
        for (long i = 0; i < rows; i++)
            y[i * to_at.row] = sign * x[i * from_at.row];
        for (long i = 0; i < other_rows; i++)
            other[matmul_offset(&other_at, batch, i, j)] = sign * beside[matmul_offset(&beside_at, batch, i, j)];
    }
}

/* Values that were computed of scaled matrices; what is a little below `least` is that. exponents: of a first scaling, and of one more,
 * unless that is NULL. */
kernel void take_values(global T *to, matmul_view to_at, global const T *from, matmul_view from_at,
                        global const int *exponents, global const int *more, long batches, long count, long positive)
{
    for (long i = get_global_id(0); i < batches * count; i += get_global_size(0)) {
        const long batch = i / count;
        const T x = from[matmul_offset(&from_at, batch, i % count, 0)];
        to[matmul_offset(&to_at, batch, i % count, 0)] =
            ldexp(positive ? fmax(x, (T)0) : x, exponents[batch] + (more ? more[batch] : 0));
    }
}

/* Matrices, contiguous, divided by their norms, the roots of the sums of all squares; zeros as they are. */
kernel void squares_of_rows(global T *sums, global const T *x, long rows, long columns)
{
    for (long r = get_global_id(0); r < rows; r += get_global_size(0)) {
        T sum = 0;
        for (long j = 0; j < columns; j++)
            sum = fma(x[r * columns + j], x[r * columns + j], sum);
        sums[r] = sum;
    }
}

kernel void divide_by_norms(global T *to, global const T *x, global const T *sums, long batches, long rows, long columns)
{
    for (long r = get_global_id(0); r < batches * rows; r += get_global_size(0)) {
        T sum = 0;
        for (long i = 0; i < rows; i++)
            sum += sums[r / rows * rows + i];
        const T scale = sum > 0 ? 1 / sqrt(sum) : 1;
        for (long j = 0; j < columns; j++)
            to[r * columns + j] = x[r * columns + j] * scale;
    }
}
