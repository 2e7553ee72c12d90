/* Panels of a matrix that a group shares: an item holds ROWS rows of PANEL columns in its registers; ROWS 0: they stay
 * in memory. */
#include "parts/matmul_view.cl"
#include "parts/field.cl"

#ifndef PANEL
#define PANEL 8
#define ROWS 0
#endif
#ifndef ITEMS
#define ITEMS GROUP
#endif
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#if REAL_BYTES == 8 /* real numbers in 16 bytes, and numbers */
#define LINE_REALS 2
#else
#define LINE_REALS 4
#endif
#define LINE (LINE_REALS / PARTS_OF_NUMBER)

/* In memory: number j of row i. */
#define NUMBER_AT(i, j) here[(i) * at.row + (j) * at.column]
#define EACH_COLUMN(j) _Pragma("unroll") for (int j = 0; j < PANEL; j++) if (j < n)

#if ROWS
/* Lines of 16 bytes, by which rows are loaded and stored where all of these begin at such a line and are contiguous. */
typedef JOIN(REAL, LINE_REALS) line;
inline bool in_lines(global const T *here, matmul_view at, long n)
{
    return PANEL % LINE == 0 && n == PANEL && at.column == 1 && at.row % LINE == 0 && (size_t)here % 16 == 0;
}

/* Row i of m, and n columns; zeros elsewhere. */
inline void load_row(T x[PANEL], global const T *here, matmul_view at, long i, long m, long n, bool lines)
{
    line whole[PANEL / LINE];
    if (lines) {
#pragma unroll
        for (int j = 0; j < PANEL / LINE; j++)
            whole[j] = i < m ? *(global const line *)(here + i * at.row + j * LINE) : (line)(0);
#pragma unroll
        for (int j = 0; j < PANEL; j++)
            x[j] = ((T *)whole)[j];
    } else {
#pragma unroll
        for (int j = 0; j < PANEL; j++)
            x[j] = i < m && j < n ? here[i * at.row + j * at.column] : (T)(0);
    }
}

inline void store_row(global T *here, matmul_view at, long i, long m, long n, bool lines, const T x[PANEL])
{
    line whole[PANEL / LINE];
#pragma unroll
    for (int j = 0; j < PANEL; j++)
        ((T *)whole)[j] = x[j];
    if (lines && i < m) {
#pragma unroll
        for (int j = 0; j < PANEL / LINE; j++)
            *(global line *)(here + i * at.row + j * LINE) = whole[j];
    } else {
#pragma unroll
        for (int j = 0; j < PANEL; j++)
            if (i < m && j < n)
                here[i * at.row + j * at.column] = x[j];
    }
}
#endif
