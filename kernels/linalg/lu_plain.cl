/* A panel of LU, which a group factors. No barrier is inside a condition. */
#include "parts/panel.cl"
#include "parts/size_key.cl"
#include "parts/tell.cl"

/* A group's numbers are joined in two steps: FEW items join EACH of them side by side, and then all items join what
 * came of that. */
#define FEW (ITEMS >= 64 ? 16 : 1)
#define EACH (ITEMS / FEW)

/* The largest of all items' keys, for all; `keys` has ITEMS + FEW. */
inline size_key find_largest(size_key key, local size_key *keys)
{
    const int item = get_local_id(0);
    keys[item] = key;
    WAIT;
    if (item < FEW) {
#pragma unroll
        for (int i = 0; i < EACH; i++)
            key = max(key, keys[i * FEW + item]);
        keys[ITEMS + item] = key;
    }
    WAIT;
    key = keys[ITEMS];
#pragma unroll
    for (int i = 1; i < FEW; i++)
        key = max(key, keys[ITEMS + i]);
    return key;
}

/* A, m x n with n at most PANEL, becomes L and U of P A = L U by partial pivoting. `pivots` gets the rows that were
 * exchanged, counted from the matrix's first, `row` above A; `info` the first pivot that is 0, counted from 1. */
#if ROWS
/* What a group of a team passes to the others in a step: its pivot's place and size, and then the numbers of its
 * pivot's row. */
#define HEAD (1 + (int)(sizeof(size_key) / 4))
#define TOLD (HEAD + PANEL * WORDS)

inline size_key size_of_head(const local uint *head)
{
    size_key size = head[1];
#if REAL_BYTES == 8
    size |= (ulong)head[2] << 32;
#endif
    return size;
}

/* The member of the team that has the largest pivot, the first one of several. */
inline int find_teller(const local uint *heads, int groups)
{
    int teller = 0;
    size_key largest = size_of_head(heads);
    for (int g = 1; g < groups; g++) {
        const size_key size = size_of_head(heads + g * HEAD);
        const bool before = size > largest || (size == largest && heads[g * HEAD] < heads[teller * HEAD]);
        teller = before ? g : teller;
        largest = before ? size : largest;
    }
    return teller;
}

/* Rows stay with their items, which know where these are by now. A step takes the first column, and all others move
 * up by one place, the first one behind the last: so registers need no number that only a run knows, and the step's
 * text is there once. A matrix's rows are shared by a team of at most ITEMS groups, which pass to each other their
 * pivots. */
KERNEL(ITEMS) lu_leaf(global T *a, matmul_view at, long batches, long m, long n, long row, global int *pivots,
                      long pivots_each, global int *info, global T *copies, const linalg_team team)
{
    local size_key keys[ITEMS + FEW];
    local T up[PANEL];
    local uint heads[ITEMS * HEAD];
    local int firsts[2];
    const int item = get_local_id(0), groups = team.groups, member = get_group_id(0) % groups;
    uint step = team.step;
    for (long batch = get_group_id(0) / groups; batch < batches; batch += get_num_groups(0) / groups) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global int *pivot = pivots + batch * pivots_each + row;
        const bool lines = in_lines(here, at, n);
        T x[ROWS][PANEL];
        int place[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            place[r] = (member * ROWS + r) * ITEMS + item;
            load_row(x[r], here, at, place[r], m, n, lines);
        }
        for (int k = 0; k < PANEL; k++) {
            const bool live = k < n && k < m, shared = live && groups > 1;
            step += shared;
            volatile global ulong *all_told = told_of(info, team, step, TOLD), *own = all_told + member * TOLD;
            size_key key = 0;
            int first = INT_MAX;
            if (item == 0)
                firsts[k & 1] = INT_MAX;
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const size_key size = SIZE_KEY(x[r][0]);
                const bool before = size > key || (size == key && place[r] < first);
                const bool taken = before && place[r] >= k && place[r] < m;
                key = taken ? size : key;
                first = taken ? place[r] : first;
            }
            const size_key largest = find_largest(key, keys);
            if (largest == key && first != INT_MAX)
                atomic_min(&firsts[k & 1], first);
            WAIT;
            int p = firsts[k & 1];
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                if (place[r] == p)
#pragma unroll
                    for (int j = 0; j < PANEL; j++)
                        up[j] = j < PANEL - k ? x[r][j] : (T)(0);
            if (shared && item < HEAD)
                tell(own + item, item == 0 ? (uint)p : (uint)(largest >> 32 * (item - 1)), step);
            WAIT;
            if (shared) {
                for (int e = item; e < PANEL * WORDS; e += ITEMS)
                    tell(own + HEAD + e, ((const local uint *)up)[e], step);
                for (int e = item; e < groups * HEAD; e += ITEMS)
                    heads[e] = hear(all_told + e / HEAD * TOLD + e % HEAD, step);
            }
            WAIT;
            if (shared) {
                const int teller = find_teller(heads, groups);
                p = (int)heads[teller * HEAD];
                for (int e = item; e < PANEL * WORDS; e += ITEMS)
                    ((local uint *)up)[e] = hear(all_told + teller * TOLD + HEAD + e, step);
            }
            WAIT;
            const T divisor = live && !is_zero(up[0]) ? up[0] : of_real(1), factor = over(of_real(1), divisor);
            const bool exact = !(size_of(divisor) > LEAST_DIVISOR);
            if (live && member == 0 && item == 0) {
                pivot[k] = (int)(row + p);
                if (is_zero(up[0]) && info[batch] == 0)
                    info[batch] = (int)(row + k + 1);
            }
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                place[r] = !live ? place[r] : place[r] == p ? k : place[r] == k ? p : place[r];
                const bool below = live && place[r] > k;
                const T l = below ? (exact ? over(x[r][0], divisor) : times(x[r][0], factor)) : x[r][0];
#pragma unroll
                for (int j = 1; j < PANEL; j++)
                    x[r][j - 1] = below ? x[r][j] - times(l, up[j]) : x[r][j];
                x[r][PANEL - 1] = l;
            }
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            store_row(here, at, place[r], m, n, lines, x[r]);
        WAIT;
    }
}
#else
KERNEL(ITEMS) lu_leaf(global T *a, matmul_view at, long batches, long m, long n, long row, global int *pivots,
                      long pivots_each, global int *info, global T *copies, const linalg_team team)
{
    local size_key keys[ITEMS + FEW];
    local T up[PANEL], down[PANEL];
    local int firsts[2];
    const int item = get_local_id(0);
    for (long batch = get_group_id(0); batch < batches; batch += get_num_groups(0)) {
        global T *here = a + matmul_offset(&at, batch, 0, 0);
        global int *pivot = pivots + batch * pivots_each + row;
        for (int k = 0; k < PANEL; k++) {
            const bool live = k < n && k < m;
            size_key key = 0;
            int first = INT_MAX;
            if (item == 0)
                firsts[k & 1] = INT_MAX;
            for (long i = item; live && i < m; i += ITEMS)
                key = max(key, i >= k ? SIZE_KEY(NUMBER_AT(i, k)) : 0);
            key = find_largest(key, keys);
            for (long i = item; live && i < m && first == INT_MAX; i += ITEMS)
                if (i >= k && SIZE_KEY(NUMBER_AT(i, k)) == key)
                    first = (int)i;
            if (first != INT_MAX)
                atomic_min(&firsts[k & 1], first);
            WAIT;
            const int p = firsts[k & 1];
            for (int j = item; live && j < n; j += ITEMS) {
                up[j] = NUMBER_AT(p, j);
                down[j] = NUMBER_AT(k, j);
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            const T divisor = live && !is_zero(up[k]) ? up[k] : of_real(1);
            if (live && item == 0) {
                pivot[k] = (int)(row + p);
                if (is_zero(up[k]) && info[batch] == 0)
                    info[batch] = (int)(row + k + 1);
            }
            for (long i = item; live && i < m; i += ITEMS) {
                if (i == k || i == p)
                    EACH_COLUMN(j) NUMBER_AT(i, j) = i == k ? up[j] : down[j];
                if (i > k) {
                    const T l = over(NUMBER_AT(i, k), divisor);
                    NUMBER_AT(i, k) = l;
                    EACH_COLUMN(j) NUMBER_AT(i, j) -= j > k ? times(l, up[j]) : (T)(0);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
    }
}
#endif
