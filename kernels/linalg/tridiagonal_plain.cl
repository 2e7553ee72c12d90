/* Hermitian matrices become tridiagonal by reflections (Householder), in panels: reflections of a panel's columns are
 * noted as rows v and w, and the matrix behind the panel gets all of them at once, by products. Rows have `pitch`
 * numbers, a multiple of PITCH, zeros behind the n-th, and both triangles. What complex matrices have beside the
 * diagonal is complex at first: its directions become those of the vectors' numbers, and eigenvalues are those of a
 * real matrix. A group of ITEMS takes a matrix, or rows of it; ACROSS items share a row; ROOT: the square root of
 * ITEMS. Where a group is one item, it computes in vectors. */
#ifndef ITEMS
#define ITEMS 1
#define ACROSS 1
#define ROOT 1
#endif
#include "parts/verdict.cl"
#include "parts/matmul_view.cl"
#include "parts/field.cl"
#include "parts/reflection.cl"
#include "parts/tell.cl"
#include "parts/wide_numbers.cl"

#if REAL_BYTES == 8
#define MOST_EXPONENT 1022
#else
#define MOST_EXPONENT 126
#endif
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
/* Chunks of numbers from that one, or one before, to the row's end; an item's share. */
#define EACH(i, from, pitch)                                                                                           \
    for (long i = ((from) / WIDTH + get_local_id(0)) * WIDTH; i < (pitch); i += ITEMS * WIDTH)

/* The sum of all items' numbers, for all; `parts` has ITEMS + ROOT. */
inline REAL across(REAL x, local REAL *parts)
{
    const int item = get_local_id(0);
    REAL sum = 0;
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

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* The largest number of each row, of a Hermitian matrix of the lower triangle's; infinity, and a verdict, where it is
 * not finite. `turned`: the matrix is the transpose of the user's. */
kernel void largest_of_rows(global REAL *largest, global const T *a, matmul_view at, long batches, long rows,
                            long columns, long symmetric, long turned, VERDICT_PARAMETERS)
{
    for (long r = get_global_id(0); r < batches * rows; r += get_global_size(0)) {
        global const T *row = a + matmul_offset(&at, r / rows, r % rows, 0);
        REAL most = 0;
        for (long j = 0; j < (symmetric ? r % rows + 1 : columns); j++) {
            const T x = row[j * at.column];
            if (!is_finite(x)) {
                verdict_say_both(VERDICT, r, j, turned ? -rows : rows);
                most = INFINITY;
                break;
            }
            most = fmax(most, most_of(x));
        }
        largest[r] = most;
    }
}

/* The matrix, of a Hermitian one both triangles from the lower one, times a power of 2 such that the largest number is
 * below 1; its exponent. Zeros where it is not finite. A `turned` one is conjugated. */
kernel void load_rows(global T *to, global int *exponents, global const REAL *largest, global const T *a,
                      matmul_view at, long batches, long rows, long columns, long pitch, long symmetric, long turned)
{
    for (long r = get_global_id(0); r < batches * rows; r += get_global_size(0)) {
        const long batch = r / rows, i = r % rows;
        global const T *here = a + matmul_offset(&at, batch, 0, 0);
        REAL most = 0;
        int exponent = 0;
        for (long k = 0; k < rows; k++)
            most = fmax(most, largest[batch * rows + k]);
        const bool finite = isfinite(most);
        if (finite && most > 0)
            (void)frexp(most, &exponent);
        exponent = clamp(exponent, -MOST_EXPONENT, MOST_EXPONENT);
        const REAL scale = ldexp((REAL)1, -exponent);
        if (i == 0)
            exponents[batch] = exponent;
        for (long j = 0; j < pitch; j++) {
            const bool other = symmetric && j > i;
            const long offset = other ? j * at.row + i * at.column : i * at.row + j * at.column;
            const T x = finite && j < columns ? here[offset] * scale : (T)(0);
            to[r * pitch + j] = symmetric && i == j ? of_real(real_of(x)) : other != (bool)turned ? conjugate(x) : x;
        }
    }
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Chunks that an item of a team takes: warps of all groups in turn. */
#define WARP 32
#if ITEMS >= WARP /* loads of several rows at once */
#define UNROLLED _Pragma("unroll 8")
#else
#define UNROLLED
#endif
#define EACH_OF_TEAM(i, from, pitch)                                                                                   \
    for (long i = ((from) / WIDTH + (item / WARP * groups + member) * WARP + item % WARP) * WIDTH; i < (pitch);        \
         i += groups * ITEMS * WIDTH)

/* What a column's items find: a sum of theirs, and a number of the row that the first of them have. */
typedef struct finding {
    REAL sum;
    T number;
} finding;

/* A group's finding as all groups of its team have it, which add up theirs in order; but the first one's number. */
#define TOLD (2 * WORDS)
inline finding join_findings(finding own, global int *info, linalg_team team, uint step, local T *told)
{
    const int item = get_local_id(0), groups = team.groups, member = get_group_id(0) % groups;
    volatile global ulong *all = told_of(info, team, step, TOLD);
    if (item == 0) {
        told[0] = of_real(own.sum);
        told[1] = own.number;
    }
    WAIT;
    if (groups > 1)
        for (int e = item; e < TOLD; e += ITEMS)
            tell(all + member * TOLD + e, ((const local uint *)told)[e], step);
    WAIT;
    if (groups > 1)
        for (int e = item; e < groups * TOLD; e += ITEMS)
            ((local uint *)told)[e] = hear(all + e, step);
    WAIT;
    finding joined = {0, told[1]};
    for (int g = 0; g < groups; g++)
        joined.sum += real_of(told[2 * g]);
    WAIT;
    return joined;
}

/* One column after another: finishes w of the column before j, if `finish`, and reflects column j, if `next`. Of the
 * panel that begins with column `first` and has `columns`, `panel` has v, w, and v again, a row each for each of them;
 * `all` has all v. Of sums, which multiply_columns makes: w v for each of the panel's columns, then v v. d and e: the
 * tridiagonal matrix; taus: 2 / v v, 0 where nothing is reflected, and v is 0. Up to ITEMS groups share a column. */
KERNEL(ITEMS) reflect_column(global T *a, global T *all, global T *panel, global const T *sums, global REAL *d,
                             global T *e, global REAL *taus, long batches, long n, long pitch, long first, long columns,
                             long j, long finish, long next, global int *info, const linalg_team team)
{
    local REAL parts[ITEMS + ROOT];
    local T told[2 * ITEMS], number;
    const int item = get_local_id(0), groups = team.groups, member = get_group_id(0) % groups;
    uint step = team.step;
    for (long batch = get_group_id(0) / groups; batch < batches; batch += get_num_groups(0) / groups) {
        global T *vs = panel + batch * 3 * columns * pitch, *ws = vs + columns * pitch, *again = ws + columns * pitch;
        global const T *wv = sums + batch * 2 * columns, *vv = wv + columns;
        const long k = j - first, before = finish ? k - 1 : 0;
        global T *v = vs + before * pitch, *w = ws + before * pitch;
        const REAL tau = finish ? taus[batch * n + j - 1] : 0;
        wide sum = 0;
        EACH_OF_TEAM(i, j, finish ? pitch : 0)
        {
            wide x = LOAD_WIDE(w + i);
            UNROLLED
            for (long q = 0; q < before; q++)
                x -= TIMES(LOAD_WIDE(vs + q * pitch + i), wv[q]) + TIMES(LOAD_WIDE(ws + q * pitch + i), vv[q]);
            x = behind(tau == 0 ? (wide)(0) : x * tau, i, j);
            STORE_WIDE(x, w + i);
            sum += x * LOAD_WIDE(v + i);
            if (i <= j && j < i + WIDTH)
                number = LANE(x, j - i);
        }
        const REAL whole = across(total(sum), parts);
        finding found = {whole, member == 0 && finish ? number : (T)(0)};
        found = join_findings(found, info, team, ++step, told);
        const REAL share = found.sum * tau / 2;
        const T last = found.number - share * (finish ? v[j] : (T)(0)); /* of w, in row j */
        EACH_OF_TEAM(i, j, finish ? pitch : 0)
            STORE_WIDE(LOAD_WIDE(w + i) - share * LOAD_WIDE(v + i), w + i);
        global T *x = a + (batch * n + j) * pitch;
        sum = 0;
        EACH_OF_TEAM(i, j, next ? pitch : 0)
        {
            wide y = conjugated(LOAD_WIDE(x + i));
            UNROLLED
            for (long q = 0; q < k; q++) {
                const T wq = finish && q == before ? last : ws[q * pitch + j];
                y -= TIMES(LOAD_WIDE(ws + q * pitch + i), conjugate(vs[q * pitch + j])) +
                     TIMES(LOAD_WIDE(vs + q * pitch + i), conjugate(wq));
            }
            STORE_WIDE(y, x + i);
            if (i <= j + 1 && j + 1 < i + WIDTH)
                number = LANE(y, j + 1 - i);
            y = behind(y, i, j + 2);
            sum += y * y;
        }
        found.sum = across(total(sum), parts);
        found.number = member == 0 && next && j + 1 < n ? number : (T)(0);
        found = join_findings(found, info, team, ++step, told);
        const reflection reflects = find_reflection(found.number, found.sum);
        global T *rows[] = {all + (batch * n + j) * pitch, vs + k * pitch, again + k * pitch, ws + k * pitch};
        for (long i = (member * ITEMS + item) * WIDTH; i < (next ? j / WIDTH * WIDTH : 0); i += groups * ITEMS * WIDTH)
            for (int r = 0; r < 4; r++)
                STORE_WIDE((wide)(0), rows[r] + i);
        EACH_OF_TEAM(i, j, next ? pitch : 0)
        {
            wide y = behind(TIMES(LOAD_WIDE(x + i), reflects.scale), i, j + 2);
            for (int q = 0; q < WIDTH; q++)
                if (i + q == j + 1)
                    LANE(y, q) = of_real(found.sum > 0);
            for (int r = 0; r < 4; r++)
                STORE_WIDE(r < 3 ? y : (wide)(0), rows[r] + i);
        }
        if (next && member == 0 && item == 0) {
            d[batch * n + j] = real_of(x[j]);
            e[batch * n + j] = reflects.beta;
            taus[batch * n + j] = reflects.factor;
        }
        WAIT;
    }
}

/* Products with v of column j: of the rows behind it, into w, and of the panel's, w and v, conjugated, into sums. */
KERNEL(ITEMS) multiply_columns(global const T *a, global T *panel, global T *sums, long batches, long n, long pitch,
                               long first, long columns, long j)
{
#if ITEMS == 1
    const long k = j - first, rows = n - j - 1, tasks = (rows + 3) / 4 + 2 * k;
    for (long task = get_group_id(0); task < batches * tasks; task += get_num_groups(0)) {
        const long batch = task / tasks, which = task % tasks, extra = which - (rows + 3) / 4;
        global T *vs = panel + batch * 3 * columns * pitch, *ws = vs + columns * pitch;
        global const T *v = vs + k * pitch;
        if (extra >= 0) {
            global const T *row = extra < k ? ws + extra * pitch : vs + (extra - k) * pitch;
            products sum = {0};
            EACH(i, j + 1, pitch)
                ADD_PRODUCT(sum, LOAD_WIDE(row + i), LOAD_WIDE(v + i));
            sums[batch * 2 * columns + (extra < k ? extra : columns + extra - k)] = sum_products(sum, true);
            continue;
        }
        const long r = j + 1 + which * 4, last = n - 1;
        global const T *whole = a + batch * n * pitch, *x0 = whole + r * pitch, *x1 = whole + min(r + 1, last) * pitch;
        global const T *x2 = whole + min(r + 2, last) * pitch, *x3 = whole + min(r + 3, last) * pitch;
        products s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        EACH(i, j + 1, pitch)
        {
            const wide y = LOAD_WIDE(v + i);
            ADD_PRODUCT(s0, LOAD_WIDE(x0 + i), y);
            ADD_PRODUCT(s1, LOAD_WIDE(x1 + i), y);
            ADD_PRODUCT(s2, LOAD_WIDE(x2 + i), y);
            ADD_PRODUCT(s3, LOAD_WIDE(x3 + i), y);
        }
        global T *w = ws + k * pitch;
        w[r] = sum_products(s0, false);
        if (r + 1 < n)
            w[r + 1] = sum_products(s1, false);
        if (r + 2 < n)
            w[r + 2] = sum_products(s2, false);
        if (r + 3 < n)
            w[r + 3] = sum_products(s3, false);
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
            sum += times(extra < 0 ? row[i] : conjugate(row[i]), v[i]);
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

/* ---- back -------------------------------------------------------------------------------------------------------- */

/* The triangles of blocks of reflections, of their products `gram`, m x m: half the diagonal; 1: none is reflected. */
kernel void halve_diagonals(global T *gram, long blocks, long m)
{
    for (long i = get_global_id(0); i < blocks * m; i += get_global_size(0)) {
        global T *x = gram + i / m * m * m + i % m * (m + 1);
        const REAL square = real_of(*x);
        *x = of_real(square > 0 ? square / 2 : 1);
    }
}

/* The place of a vector's largest number: the first of those that are nearly as large, lest rounding choose. */
inline long place_of_largest(global const T *x, long stride, long count)
{
    REAL largest = 0;
    for (long i = 0; i < count; i++)
        largest = fmax(largest, absolute(x[i * stride]));
    for (long i = 0; i < count; i++)
        if (absolute(x[i * stride]) >= (REAL)0.999 * largest)
            return i;
    return 0;
}

#ifdef PART
/* The sizes of what is beside the diagonal, and the directions that rows of vectors get in their place. */
kernel void take_directions(global REAL *sizes, global T *ways, global const T *e, long batches, long n)
{
    for (long batch = get_global_id(0); batch < batches; batch += get_global_size(0)) {
        T way = of_real(1);
        for (long i = batch * n; i < (batch + 1) * n; i++) {
            ways[i] = way;
            sizes[i] = absolute(e[i]);
            way = direction(times(way, direction(e[i])));
        }
    }
}

/* Real vectors, rows of which get their directions: n of each of `columns`, contiguous. */
kernel void give_directions(global T *to, global const REAL *from, matmul_view from_at, global const T *ways,
                            long batches, long n, long columns)
{
    for (long r = get_global_id(0); r < batches * n; r += get_global_size(0)) {
        global const REAL *x = from + matmul_offset(&from_at, r / n, r % n, 0);
        for (long j = 0; j < columns; j++)
            to[r * columns + j] = ways[r] * x[j * from_at.column];
    }
}
#endif

/* Columns of `from` as those of `to`, turned so that their largest numbers are real and not below 0; and as they are
 * those of `other`, unless it is NULL. An item takes a column. */
kernel void take_vectors(global T *to, matmul_view to_at, global const T *from, matmul_view from_at, global T *other,
                         matmul_view other_at, global const T *beside, matmul_view beside_at, long batches, long rows,
                         long other_rows, long columns)
{
    for (long c = get_global_id(0); c < batches * columns; c += get_global_size(0)) {
        const long batch = c / columns, j = c % columns;
        global const T *x = from + matmul_offset(&from_at, batch, 0, j);
        global T *y = to + matmul_offset(&to_at, batch, 0, j);
        const long top = place_of_largest(x, from_at.row, rows);
        const T largest = x[top * from_at.row];
        for (long i = 0; i < rows; i++)
            y[i * to_at.row] = turned_with(x[i * from_at.row], largest, i == top);
        for (long i = 0; i < other_rows; i++)
            other[matmul_offset(&other_at, batch, i, j)] =
                turned_with(beside[matmul_offset(&beside_at, batch, i, j)], largest, false);
    }
}

/* Values of scaled matrices; what is a little below `least` is that. exponents: of a scaling and, or NULL, one more. */
kernel void take_values(global REAL *to, matmul_view to_at, global const REAL *from, matmul_view from_at,
                        global const int *exponents, global const int *more, long batches, long count, long positive)
{
    for (long i = get_global_id(0); i < batches * count; i += get_global_size(0)) {
        const long batch = i / count;
        const REAL x = from[matmul_offset(&from_at, batch, i % count, 0)];
        to[matmul_offset(&to_at, batch, i % count, 0)] =
            ldexp(positive ? fmax(x, (REAL)0) : x, exponents[batch] + (more ? more[batch] : 0));
    }
}

/* Matrices, contiguous, divided by their norms, the roots of the sums of all squares; zeros as they are. */
kernel void squares_of_rows(global REAL *sums, global const T *x, long rows, long columns)
{
    for (long r = get_global_id(0); r < rows; r += get_global_size(0)) {
        REAL sum = 0;
        for (long j = 0; j < columns; j++)
            sum += square_of(x[r * columns + j]);
        sums[r] = sum;
    }
}

kernel void divide_by_norms(global T *to, global const T *x, global const REAL *sums, long batches, long rows,
                            long columns)
{
    for (long r = get_global_id(0); r < batches * rows; r += get_global_size(0)) {
        REAL sum = 0;
        for (long i = 0; i < rows; i++)
            sum += sums[r / rows * rows + i];
        const REAL scale = sum > 0 ? 1 / sqrt(sum) : (REAL)1;
        for (long j = 0; j < columns; j++)
            to[r * columns + j] = x[r * columns + j] * scale;
    }
}
