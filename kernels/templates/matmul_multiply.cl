/* NAME, for matmul_cpu.cl: block = A B over k; A of A_TYPE in A_SPACE, B in B_SPACE. Rows of A are `row` apart; behind
 * row `last` it is that one again. `next` is memory that the caller needs soon: each step of k fetches a line of it
 * from afar, `step` numbers on. With step 0 there is none. */
INLINE void NAME(vec block[ROWS][2], A_SPACE const A_TYPE *a, long row, long column, long last,
                 B_SPACE const number *b, long k, global const number *next, long step)
{
    A_SPACE const A_TYPE *at[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        block[r][0] = block[r][1] = (vec)(0);
        at[r] = a + min((long)r, last) * row;
    }
    for (long p = 0, x = 0; p < k; p++, x += column, b += COLS, next += step) {
        const vec left = VLOAD(B_SPACE, b), right = VLOAD(B_SPACE, b + LANES);
#pragma unroll
        for (int i = 0; i < COLS; i += LINE)
            PREFETCH(b + AHEAD * COLS + i, 0);
        if (step)
            PREFETCH_FAR(next);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const vec all = (vec)(at[r][x]);
            block[r][0] = all * left + block[r][0];
            block[r][1] = all * right + block[r][1];
        }
    }
}

#undef NAME
#undef A_SPACE
#undef A_TYPE
#undef B_SPACE
