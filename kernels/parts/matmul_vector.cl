/* Products where one side is a vector, or little more, part of matmul_cpu.cl: the matrix is read once. */

INLINE number sum_lanes(vec x)
{
    number lanes[LANES];
    VSTORE(private, x, lanes);
#pragma unroll
    for (int half_ = LANES / 2; half_ > 0; half_ /= 2)
#pragma unroll
        for (int i = 0; i < half_; i++)
            lanes[i] += lanes[i + half_];
    return lanes[0];
}

#define AT_ONCE 4
#define FAR_AHEAD 1024 /* bytes of a column that come from memory */

/* A and C have one row. A number of C is a sum down a column of B, by vectors where A and the columns of B are
 * contiguous. */
WORKER void matmul_cpu_dot(global element *c, matmul_view c_at, global const element *a, matmul_view a_at,
                           global const element *b, matmul_view b_at, global number *partial, matmul_cpu_size size,
                           scalar alpha, scalar beta, local number *strip)
{
    (void)strip; /* matmul_cpu_axpy needs it, and takes the same arguments */
    const long across = parts(size.n, size.tile_n);
    FOR_SPREAD(task, size.splits * size.batches * across)
    {
        const long made = task / across, batch = made % size.batches;
        const long j0 = task % across * size.tile_n, j1 = min(j0 + size.tile_n, size.n);
        const long k0 = made / size.batches * size.run, k1 = min(k0 + size.run, size.k);
        global const element *a_here = a + a_at.offset + layout_offset(&a_at.batch, batch);
        global const element *b_here = b + b_at.offset + layout_offset(&b_at.batch, batch);
        global element *c_here = c + c_at.offset + layout_offset(&c_at.batch, batch);
        for (long j = j0; j < j1; j += AT_ONCE) {
            global const element *at[AT_ONCE];
            number sum[AT_ONCE];
            long p = k0;
#pragma unroll
            for (int q = 0; q < AT_ONCE; q++) {
                at[q] = b_here + min(j + q, size.n - 1) * b_at.column;
                sum[q] = 0;
            }
            if (a_at.column == 1 && b_at.row == 1) {
                vec sums[AT_ONCE][2];
#pragma unroll
                for (int q = 0; q < AT_ONCE; q++)
                    sums[q][0] = sums[q][1] = (vec)(0);
                for (; p + COLS <= k1; p += COLS) {
                    const vec left = VREAD(a_here + p), right = VREAD(a_here + p + LANES);
#pragma unroll
                    for (int q = 0; q < AT_ONCE; q++) {
                        sums[q][0] = left * VREAD(at[q] + p) + sums[q][0];
                        sums[q][1] = right * VREAD(at[q] + p + LANES) + sums[q][1];
                        for (int i = 0; i < COLS; i += 64 / sizeof(element))
                            PREFETCH(at[q] + p + FAR_AHEAD / sizeof(element) + i, 0);
                    }
                }
                if (p + LANES <= k1) {
                    const vec left = VREAD(a_here + p);
#pragma unroll
                    for (int q = 0; q < AT_ONCE; q++)
                        sums[q][0] = left * VREAD(at[q] + p) + sums[q][0];
                    p += LANES;
                }
#pragma unroll
                for (int q = 0; q < AT_ONCE; q++)
                    sum[q] = sum_lanes(sums[q][0] + sums[q][1]);
            }
            for (; p < k1; p++)
#pragma unroll
                for (int q = 0; q < AT_ONCE; q++)
                    sum[q] += TIMES(READ(a_here + p * a_at.column), READ(at[q] + p * b_at.row));
            for (int q = 0; q < AT_ONCE && j + q < j1; q++)
                if (size.splits > 1)
                    partial[made * size.n + j + q] = TIMES((number)alpha, sum[q]);
                else
                    store_number(c_here + (j + q) * c_at.column, sum[q], (number)alpha, (number)beta);
        }
    }
}

#define DEEP 8 /* rows of B at once */
#define FEW 4  /* rows of A at most */

/* strip += A B for `rows` rows of A and `deep` rows of B. A strip has `width` numbers for each row of A, `pitch`
 * apart. */
INLINE void add_rows(local number *strip, long pitch, global const element *a, long a_row, long a_column,
                     global const element *b, long b_row, long width, const int rows, const int deep)
{
    number x[FEW][DEEP];
    long j = 0;
#pragma unroll
    for (int i = 0; i < rows; i++)
#pragma unroll
        for (int r = 0; r < deep; r++)
            x[i][r] = READ(a + i * a_row + r * a_column);
    for (; j + LANES <= width; j += LANES) {
        vec sum[FEW];
#pragma unroll
        for (int i = 0; i < rows; i++)
            sum[i] = VLOAD(local, strip + i * pitch + j);
#pragma unroll
        for (int r = 0; r < deep; r++) {
            const vec y = VREAD(b + r * b_row + j);
#pragma unroll
            for (int i = 0; i < rows; i++)
                sum[i] = (vec)(x[i][r]) * y + sum[i];
        }
#pragma unroll
        for (int i = 0; i < rows; i++)
            VSTORE(local, sum[i], strip + i * pitch + j);
    }
    for (; j < width; j++)
        for (int i = 0; i < rows; i++) {
            number sum = strip[i * pitch + j];
            for (int r = 0; r < deep; r++)
                sum += TIMES(x[i][r], READ(b + r * b_row + j));
            strip[i * pitch + j] = sum;
        }
}

/* A has few rows, and rows of B are contiguous: a strip of C stays in the cache while rows of B are added to it. */
WORKER void matmul_cpu_axpy(global element *c, matmul_view c_at, global const element *a, matmul_view a_at,
                            global const element *b, matmul_view b_at, global number *partial, matmul_cpu_size size,
                            scalar alpha, scalar beta, local number *strip)
{
    const long across = parts(size.n, size.tile_n), pitch = size.tile_n;
    FOR_SPREAD(task, size.splits * size.batches * across)
    {
        const long made = task / across, batch = made % size.batches;
        const long j0 = task % across * size.tile_n, width = min(size.tile_n, size.n - j0);
        const long k0 = made / size.batches * size.run, k1 = min(k0 + size.run, size.k);
        global const element *a_here = a + a_at.offset + layout_offset(&a_at.batch, batch);
        global const element *b_here = b + b_at.offset + layout_offset(&b_at.batch, batch) + j0;
        global element *c_here = c + c_at.offset + layout_offset(&c_at.batch, batch) + j0 * c_at.column;
        for (long i = 0; i < size.m; i++)
            for (long j = 0; j < width; j++)
                strip[i * pitch + j] = 0;
        for (long p = k0; p < k1;) {
            global const element *x = a_here + p * a_at.column, *y = b_here + p * b_at.row;
            const int deep = k1 - p >= DEEP ? DEEP : 1;
            long i = 0;
            for (; deep == DEEP && i + FEW <= size.m; i += FEW)
                add_rows(strip + i * pitch, pitch, x + i * a_at.row, a_at.row, a_at.column, y, b_at.row, width, FEW,
                         DEEP);
            for (; deep == DEEP && i < size.m; i++)
                add_rows(strip + i * pitch, pitch, x + i * a_at.row, a_at.row, a_at.column, y, b_at.row, width, 1,
                         DEEP);
            for (; i < size.m; i++)
                add_rows(strip + i * pitch, pitch, x + i * a_at.row, a_at.row, a_at.column, y, b_at.row, width, 1, 1);
            p += deep;
        }
        for (long i = 0; i < size.m; i++)
            for (long j = 0; j < width; j++)
                if (size.splits > 1)
                    partial[(made * size.m + i) * size.n + j0 + j] = TIMES((number)alpha, strip[i * pitch + j]);
                else
                    store_number(c_here + i * c_at.row + j * c_at.column, strip[i * pitch + j], (number)alpha,
                                 (number)beta);
    }
}
