/* What the kernels of small matrices' vectors share, for vectors in SPACE, the numbers of one STRIDE apart. */
#include "parts/verdict.cl"
#include "parts/matmul_view.cl"
#include "parts/field.cl"

/* Products of numbers of LEAST_SQUARE have lost digits, or are 0; the square of MOST_RATIO stays in the range, and 1 is
 * less than its rounding. */
#if REAL_BYTES == 8
#define EPSILON 2.220446049250313e-16
#define LEAST_SQUARE 1e-270
#define MOST_EXPONENT 1022
#define MOST_RATIO 1e100
#else
#define EPSILON 1.1920929e-7f
#define LEAST_SQUARE 1e-30f
#define MOST_EXPONENT 126
#define MOST_RATIO 1e15f
#endif

/* Says where a matrix is not finite: the first place by rows. Of a Hermitian one the lower triangle is looked at.
 * `turned`: the user's matrix is the transpose. */
inline void say_unfinite(global const T *here, long row, long column, long batch, long rows, long columns, bool lower,
                         bool turned, volatile global lun_verdict *verdict)
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < (lower ? i + 1 : columns); j++)
            if (!is_finite(here[i * row + j * column])) {
                verdict_say_both(verdict, batch * rows + i, j, turned ? -rows : rows);
                return;
            }
}

/* The power of 2 below a number, within what can be multiplied with. */
inline int exponent_of(REAL largest)
{
    int e = 0;
    if (largest > 0 && isfinite(largest))
        (void)frexp(largest, &e);
    return clamp(e, -MOST_EXPONENT, MOST_EXPONENT);
}

/* The place of a vector's largest number: of those that are nearly as large the first, so that rounding does not
 * choose. */
inline int place_of_largest(const SPACE T *x, int n)
{
    REAL largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, absolute(x[i * STRIDE]));
    for (int i = 0; i < n; i++)
        if (absolute(x[i * STRIDE]) >= (REAL)0.999 * largest)
            return i;
    return 0;
}

/* Makes vector `have` of m numbers, orthogonal to those before it: of the axis that these have least of, what they
 * leave. `u` holds vectors `next` apart. */
inline void complete(SPACE T *u, int next, int have, int m)
{
    SPACE T *x = u + have * next;
    REAL least = 2;
    int axis = 0;
    for (int i = 0; i < m; i++) {
        REAL sum = 0;
        for (int j = 0; j < have; j++)
            sum += square_of(u[j * next + i * STRIDE]);
        if (sum < least) {
            least = sum;
            axis = i;
        }
    }
    for (int i = 0; i < m; i++)
        x[i * STRIDE] = of_real(i == axis);
    for (int pass = 0; pass < 3; pass++) {
        REAL square = 0;
        for (int j = 0; j < have; j++) {
            T product = 0;
            for (int i = 0; i < m; i++)
                product += times(conjugate(u[j * next + i * STRIDE]), x[i * STRIDE]);
            for (int i = 0; i < m; i++)
                x[i * STRIDE] -= times(product, u[j * next + i * STRIDE]);
        }
        for (int i = 0; i < m; i++)
            square += square_of(x[i * STRIDE]);
        const REAL scale = 1 / sqrt(square);
        for (int i = 0; i < m; i++)
            x[i * STRIDE] *= scale;
    }
}
