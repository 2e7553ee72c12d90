/* NAME packs `count` <= COLS columns of k rows of B into SPACE, and fetches, from the same rows, those of the next
 * panel. */
INLINE void NAME(SPACE number *to, global const element *b, long row, long column, long count, long k)
{
    long p = 0;
    if (column == 1 && count >= COLS) {
        for (; p < k; p++) {
#pragma unroll
            for (int i = COLS; i < 2 * COLS; i += LINE)
                PREFETCH(b + p * row + i, 0);
            VSTORE(SPACE, VREAD(b + p * row), to + p * COLS);
            VSTORE(SPACE, VREAD(b + p * row + LANES), to + p * COLS + LANES);
        }
    } else if (row == 1 && count >= COLS) {
        for (; p + LANES <= k; p += LANES)
            for (long half_ = 0; half_ < COLS; half_ += LANES) {
                vec x[LANES];
#pragma unroll
                for (int i = 0; i < LANES; i++)
                    x[i] = VREAD(b + p + (half_ + i) * column);
                transpose_square(x);
#pragma unroll
                for (int i = 0; i < LANES; i++)
                    VSTORE(SPACE, x[i], to + (p + i) * COLS + half_);
            }
    }
    for (; p < k; p++)
        for (long j = 0; j < COLS; j++)
            to[p * COLS + j] = j < count ? READ(b + p * row + j * column) : (number)0;
}

#undef NAME
#undef SPACE
