/* In matmul_thin_columns: adds to `sum` what COUNT steps of k from p on give: numbers of the item's rows times one of
 * each column. */
    {
        number x[COUNT][VEC];
#pragma unroll
        for (int ahead = 0; ahead < COUNT; ahead++) {
            global const T *from = a + (p + ahead * DEEP) * a_at.column;
            if (WIDE)
                STORE_VECTOR(LOAD_A(from + rows[0]), 0, x[ahead]);
            else
#pragma unroll
                for (int e = 0; e < VEC; e++)
                    x[ahead][e] = LOAD(from, rows[e]);
        }
#pragma unroll
        for (int ahead = 0; ahead < COUNT; ahead++)
#pragma unroll
            for (int j = 0; j < FEW; j++) {
                const number y = LOAD(b, (p + ahead * DEEP) * b_at.row + min((long)j, size.n - 1) * b_at.column);
#pragma unroll
                for (int e = 0; e < VEC; e++)
                    sum[j][e] = MULTIPLY_ADD(x[ahead][e], y, sum[j][e]);
            }
    }

#undef COUNT
