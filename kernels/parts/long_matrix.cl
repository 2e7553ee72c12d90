/* A matrix that a work-item of a CPU takes whole: its columns are long vectors, one behind the other. */
#define SPACE global
#define STRIDE 1
#include "parts/small_vectors.cl"
#include "parts/long_vectors.cl"

/* Loads columns first..end of m x n numbers, `pitch` apart, times a power of 2 that makes the largest of them less than
 * 1; returns its exponent. Of a `lower` triangle both. A `turned` matrix is conjugated. Numbers that are not finite are
 * reported, and all become zeros. */
inline int load(global T *s, int pitch, global const T *a, const matmul_view *at, long batch, int m, int n, int first,
                int end, bool lower, bool turned, volatile global lun_verdict *verdict)
{
    global const T *here = a + matmul_offset(at, batch, 0, 0);
    REAL largest = 0;
    bool finite = true;
    for (int j = first; j < end; j++)
        for (int i = 0; i < pitch; i++) {
            const bool other = lower && i < j;
            const T x =
                i >= m ? (T)(0) : other ? here[j * at->row + i * at->column] : here[i * at->row + j * at->column];
            finite = finite && is_finite(x);
            largest = fmax(largest, most_of(x));
#ifdef PART
            const T y = other != turned ? conjugate(x) : x;
            s[j * pitch + i] = lower && i == j ? of_real(x.x) : y;
#else
            s[j * pitch + i] = x;
#endif
        }
    if (!finite)
        say_unfinite(here, at->row, at->column, batch, m, n, lower, turned, verdict);
    const int e = finite ? exponent_of(largest) : 0;
    const REAL scale = finite ? ldexp((REAL)1, -e) : (REAL)0;
    for (int i = first * pitch; i < end * pitch; i++)
        s[i] = finite ? s[i] * scale : (T)(0);
    return e;
}
