/* In matmul_thin_rows: adds to `sum` what COUNT steps from p on give: vectors of each of the item's rows times those of
 * each column. All loads of A are under way before the first number is needed. */
    {
        number x[COUNT][EACH][VEC];
#pragma unroll
        for (int ahead = 0; ahead < COUNT; ahead++)
#pragma unroll
            for (int r = 0; r < EACH; r++)
                if (WIDE)
                    STORE_VECTOR(LOAD_A(row[r] + p + ahead * STEP + OF(lane, 0)), 0, x[ahead][r]);
                else
#pragma unroll
                    for (int e = 0; e < VEC; e++)
                        x[ahead][r][e] = LOAD(row[r] + p + ahead * STEP, OF(lane, e));
#pragma unroll
        for (int ahead = 0; ahead < COUNT; ahead++)
#pragma unroll
            for (int j = 0; j < FEW; j++) {
                number y[VEC];
                global const T *from = b + min((long)j, size.n - 1) * b_at.column + (p + ahead * STEP) * b_at.row;
                if (WIDE && B_WIDE)
                    STORE_VECTOR(LOAD_B(from + OF(lane, 0)), 0, y);
                else
#pragma unroll
                    for (int e = 0; e < VEC; e++)
                        y[e] = LOAD(from, OF(lane, e) * b_at.row);
#pragma unroll
                for (int e = 0; e < VEC; e++)
#pragma unroll
                    for (int r = 0; r < EACH; r++)
                        sum[r][j] = MULTIPLY_ADD(x[ahead][r][e], y[e], sum[r][j]);
            }
    }

#undef COUNT
