/* A panel of QR, which a group factors. No barrier is inside a condition. */
#include "parts/panel.cl"
#include "parts/reflection.cl"
#include "parts/tell.cl"

/* Sums of squares below this have lost digits to the end of the range. */
#if REAL_BYTES == 8
#define LEAST_SQUARE 1e-270
#define LEAST_POWER -1020
#else
#define LEAST_SQUARE 1e-24f
#define LEAST_POWER -124
#endif
#define PARTS (ITEMS > PANEL ? ITEMS / PANEL : 1)
#define JOINED (ITEMS / PARTS)
#define SUMS (ITEMS + 1) /* items' sums of a column, so that columns' begin in different banks of memory */

/* What all items' sums, PANEL each, add up to, or the largest of them; `few` has room for PARTS + 1 of them. */
inline local T *add_all(const local T *sums, local T *few, bool largest)
{
    const int item = get_local_id(0);
    local T *all = few + PARTS * PANEL;
    for (int e = item; e < PARTS * PANEL; e += ITEMS) {
        T sum = 0;
#pragma unroll
        for (int i = 0; i < JOINED; i++) {
            const T x = sums[e % PANEL * SUMS + e / PANEL * JOINED + i];
            sum = largest ? fmax(sum, x) : sum + x;
        }
        few[e] = sum;
    }
    WAIT;
    for (int q = item; q < PANEL; q += ITEMS) {
        T sum[4] = {0};
        for (int i = 0; i < PARTS; i++)
            sum[i % 4] = largest ? fmax(sum[i % 4], few[i * PANEL + q]) : sum[i % 4] + few[i * PANEL + q];
        all[q] = largest ? fmax(fmax(sum[0], sum[1]), fmax(sum[2], sum[3])) : sum[0] + sum[1] + (sum[2] + sum[3]);
    }
    WAIT;
    return all;
}

/* A group's `all`, and of a team's first group `top`, for the other groups; then `all` becomes what those of all groups
 * add up to, in the order of these, or the largest of them. `heard` has room for all of them. */
#define TOLD (2 * PANEL * WORDS)
inline void add_groups(local T *all, local T *top, local T *heard, volatile global ulong *told, const linalg_team team,
                       uint step, bool shared, bool largest)
{
    const int item = get_local_id(0), groups = team.groups, member = get_group_id(0) % groups;
    if (shared) {
        for (int e = item; e < PANEL * WORDS; e += ITEMS) {
            tell(told + member * TOLD + e, ((const local uint *)all)[e], step);
            if (member == 0)
                tell(told + PANEL * WORDS + e, ((const local uint *)top)[e], step);
        }
        for (int e = item; e < groups * PANEL * WORDS; e += ITEMS)
            ((local uint *)heard)[e] = hear(told + e / (PANEL * WORDS) * TOLD + e % (PANEL * WORDS), step);
        if (member > 0)
            for (int e = item; e < PANEL * WORDS; e += ITEMS)
                ((local uint *)top)[e] = hear(told + PANEL * WORDS + e, step);
    }
    WAIT;
    if (shared)
        for (int q = item; q < PANEL; q += ITEMS) {
            T sum = heard[q];
            for (int g = 1; g < groups; g++)
                sum = largest ? fmax(sum, heard[g * PANEL + q]) : sum + heard[g * PANEL + q];
            all[q] = sum;
        }
    WAIT;
}

/* A power of 2 that makes numbers of that size about 1. */
inline REAL up_from(REAL size)
{
    int e = 0;
    frexp(size, &e);
    return size > 0 ? 1 / ldexp((REAL)1, max(e, LEAST_POWER)) : (REAL)1;
}

/* Column k of T, of products of the reflections: of column k, in `along` as apply has them, with those before it. T's
 * columns are one after the other. */
inline void add_to_t(local T tau[PANEL][PANEL], const local T *along, int k, REAL factor)
{
    for (int i = get_local_id(0); i <= k; i += ITEMS) {
        T product = 0;
#pragma unroll
        for (int j = 0; j < PANEL; j++) {
            const T x = times(tau[j][i], conjugate(along[(PANEL - k + j) % PANEL]));
            product += j >= i && j < k ? x : (T)(0);
        }
        tau[k][i] = i == k ? of_real(factor) : -factor * product;
    }
}

/* An item's rows. In step k column k is first, those behind it follow, and those before it come last: in registers
 * all move up by one place with each step, as in LU. */
#define COLUMN(q) ((k + (q)) % PANEL)
#if ROWS
#define EACH_PLACE(q, from) _Pragma("unroll") for (int q = from; q < PANEL; q++)
#define EACH_ROW(i)                                                                                                    \
    _Pragma("unroll") for (int r = 0; r < ROWS; r++) for (long i = first + r * ITEMS, once = 1; once && i < m; once = 0)
#define NUMBER(i, q) x[r][q]
#define NEXT(i, q) x[r][(q) - 1]
#define LAST(i) x[r][PANEL - 1]
#define ROWS_WAIT WAIT
#else
#define EACH_PLACE(q, from) for (int q = from; q < PANEL; q++) if (COLUMN(q) < n)
#define EACH_ROW(i) for (long i = first; i < m; i += ITEMS)
#define NUMBER(i, q) NUMBER_AT(i, COLUMN(q))
#define NEXT(i, q) NUMBER(i, q)
#define LAST(i) NUMBER(i, 0)
#define ROWS_WAIT barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* A, m x n with n at most PANEL and m, becomes R in its upper triangle: I - V T V^H is the product of the reflections,
 * with V of A's shape, a lower triangle with ones, and T an upper one. What is below A's upper triangle afterwards
 * means nothing. A matrix's rows are shared by a team of at most ITEMS groups, which pass to each other their sums. */
KERNEL(ITEMS) qr_leaf(global T *a, matmul_view at, global T *v, matmul_view v_at, global T *t, matmul_view t_at,
                      long batches, long m, long n, global T *copies, global int *info, const linalg_team team)
{
    local T sums[SUMS * PANEL], few[(PARTS + 1) * PANEL], top[PANEL], along[PANEL], tau[PANEL][PANEL];
    const int item = get_local_id(0), groups = team.groups, member = get_group_id(0) % groups;
    const long first = (long)member * ROWS * ITEMS + item; /* of the item's rows */
    uint step = team.step;
    for (long batch = get_group_id(0) / groups; batch < batches; batch += get_num_groups(0) / groups) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global T *v_here = v + matmul_offset(&v_at, batch, 0, 0), *t_here = t + matmul_offset(&t_at, batch, 0, 0);
#if ROWS
        const bool lines = in_lines(here, at, n), v_lines = in_lines(v_here, v_at, n);
        T x[ROWS][PANEL];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            load_row(x[r], here, at, first + r * ITEMS, m, n, lines);
#endif
        for (int k = 0; k < PANEL; k++) {
            const bool live = k < n, shared = live && groups > 1;
            local T *all = sums;
            REAL up = 1;
            T alpha = 0;
            /* Where squares are too small, the second time finds the largest number, and the third goes again,
             * scaled. */
            for (int time = 0, rounds = 1; time < rounds; time++) {
                T sum[PANEL] = {0};
                if (live)
                    EACH_ROW(i)
                    {
                        const T y = NUMBER(i, 0) * up;
                        if (time == 1)
                            sum[0] = fmax(sum[0], i >= k ? (T)(size_of(y)) : (T)(0));
                        else if (i > k)
                            EACH_PLACE(q, 0) sum[q] += times(conjugate(y), q == 0 ? y : NUMBER(i, q));
                        if (i == k)
                            EACH_PLACE(q, 0) top[q] = NUMBER(i, q);
                    }
#pragma unroll
                for (int q = 0; q < PANEL; q++)
                    sums[q * SUMS + item] = sum[q];
                WAIT;
                all = add_all(sums, few, time == 1);
                step += shared;
                add_groups(all, top, sums, told_of(info, team, step, TOLD), team, step, shared, time == 1);
                alpha = live ? top[0] * up : (T)(0);
                if (time == 0 && live && !(square_of(alpha) + real_of(all[0]) > LEAST_SQUARE))
                    rounds = 3;
                if (time == 1)
                    up = up_from(real_of(all[0]));
                ROWS_WAIT;
            }
            const reflection found = find_reflection(alpha, live ? real_of(all[0]) : 0);
            for (int q = item; q < PANEL; q += ITEMS) /* v^H times the column */
                along[q] = live ? top[q] + times(conjugate(found.scale), all[q]) : (T)(0);
            WAIT;
            EACH_ROW(i)
            {
                const bool reflects = live && i >= k;
                const T y = i == k ? of_real(1) : times(NUMBER(i, 0) * up, found.scale);
                const T last = !reflects ? NUMBER(i, 0) : i == k ? found.beta / up : y, by = found.factor * y;
                EACH_PLACE(q, 1)
                NEXT(i, q) = reflects && q < PANEL - k ? NUMBER(i, q) - times(by, along[q]) : NUMBER(i, q);
                if (live || ROWS)
                    LAST(i) = last;
            }
            if (live)
                add_to_t(tau, along, k, found.factor);
            ROWS_WAIT;
        }
#if ROWS
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const long i = first + r * ITEMS;
            if (i < PANEL)
                store_row(here, at, i, m, n, lines, x[r]);
#pragma unroll
            for (int j = 0; j < PANEL; j++)
                x[r][j] = i < j ? (T)(0) : i == j ? of_real(1) : x[r][j];
            store_row(v_here, v_at, i, m, n, v_lines, x[r]);
        }
#else
        EACH_ROW(i)
        EACH_COLUMN(j) v_here[i * v_at.row + j * v_at.column] = i < j ? (T)(0) : i == j ? of_real(1) : NUMBER_AT(i, j);
#endif
        for (int e = item; member == 0 && e < n * PANEL; e += ITEMS)
            if (e % PANEL >= e / PANEL && e % PANEL < n)
                t_here[e / PANEL * t_at.row + e % PANEL * t_at.column] = tau[e % PANEL][e / PANEL];
        WAIT;
    }
}
