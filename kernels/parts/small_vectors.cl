/* What the kernels of small matrices' vectors share, for vectors in SPACE, the numbers of one STRIDE apart. */
#include "parts/verdict.cl"
#include "parts/matmul_view.cl"

/* Products of numbers of this size have lost digits, or are 0. */
#if ITEM_BYTES == 8
#define EPSILON 2.220446049250313e-16
#define LEAST_SQUARE 1e-270
#define MOST_EXPONENT 1000
#else
#define EPSILON 1.1920929e-7f
#define LEAST_SQUARE 1e-30f
#define MOST_EXPONENT 120
#endif

/* Says where a matrix is not finite: the first place by rows. Of a symmetric one the lower triangle is looked at. `turned`: the user's
 * matrix is the transpose. */
inline void say_unfinite(global const T *here, long row, long column, long batch, long rows, long columns, bool lower,
                         bool turned, volatile global lun_verdict *verdict)
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < (lower ? i + 1 : columns); j++)
            if (!isfinite(here[i * row + j * column])) {
                verdict_say_both(verdict, batch * rows + i, j, turned ? -rows : rows);
                return;
            }
}

/* The power of 2 below a number, within what can be multiplied with. */
inline int exponent_of(T largest)
{
    int e = 0;
    if (largest > 0 && isfinite(largest))
        (void)frexp(largest, &e);
    return clamp(e, -MOST_EXPONENT, MOST_EXPONENT);
}

/* The sign of a vector's largest number: of those that are nearly as large the first, so that rounding does not choose. */
inline T sign_of(const SPACE T *x, int n)
{
    T largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i * STRIDE]));
    for (int i = 0; i < n; i++)
        if (fabs(x[i * STRIDE]) >= (T)0.999 * largest)
            return x[i * STRIDE] < 0 ? -1 : 1;
    return 1;
}

/* Makes vector `have` of m numbers, orthogonal to those before it: of the axis that these have least of, what they leave. `u` holds
 * vectors `next` apart. */
inline void complete(SPACE T *u, int next, int have, int m)
{
    SPACE T *x = u + have * next;
    T least = 2;
    int axis = 0;
    for (int i = 0; i < m; i++) {
        T sum = 0;
        for (int j = 0; j < have; j++)
            sum = fma(u[j * next + i * STRIDE], u[j * next + i * STRIDE], sum);
        if (sum < least) {
            least = sum;
            axis = i;
        }
    }
    for (int i = 0; i < m; i++)
        x[i * STRIDE] = i == axis;
    for (int pass = 0; pass < 3; pass++) {
        T square = 0;
        for (int j = 0; j < have; j++) {
            T product = 0;
            for (int i = 0; i < m; i++)
                product = fma(u[j * next + i * STRIDE], x[i * STRIDE], product);
            for (int i = 0; i < m; i++)
                x[i * STRIDE] = fma(-product, u[j * next + i * STRIDE], x[i * STRIDE]);
        }
        for (int i = 0; i < m; i++)
            square = fma(x[i * STRIDE], x[i * STRIDE], square);
        const T scale = 1 / sqrt(square);
        for (int i = 0; i < m; i++)
            x[i * STRIDE] *= scale;
    }
}
