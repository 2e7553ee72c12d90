/* Reductions of expressions: the states of moments and norms, parts of parts/fold.cl. */

/* ---- moments: mean and variance ---------------------------------------------------------------------------------------- */

#define FOLD_OR_ZERO(REAL, x) ((x) == (x) ? (x) : (REAL)(0)) /* for a NaN */

/* Count, mean (as mean + low: the sum of two numbers, so that what is left of x - mean is exact to the last place), and the sum of
 * squares of what is left. A leaf is summed in two passes over its values; two states are joined as Chan, Golub and LeVeque do. */
#define FOLD_MOMENTS(K, V, VALUE, REAL, INDEX)                                                                             \
    typedef struct {                                                                                                       \
        REAL n, mean, low, m2;                                                                                             \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(REAL n, REAL mean, REAL low, REAL m2)                                                \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.n = n;                                                                                                           \
        s.mean = mean + low;                                                                                               \
        s.low = FOLD_OR_ZERO(REAL, low - (s.mean - mean));                                                                 \
        s.m2 = m2;                                                                                                         \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_init(void)                                                                              \
    {                                                                                                                      \
        return fold##K##V##_of((REAL)(0), (REAL)(0), (REAL)(0), (REAL)(0));                                                \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        const REAL y = convert_##REAL(x); /* y - y: NaN where it is no finite number */                                    \
        return fold##K##V##_of((REAL)(1), y, (REAL)(0), y - y);                                                            \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL n = a.n + b.n, share = b.n / fmax(n, (REAL)(1));                                                        \
        const REAL apart = (b.mean - a.mean) + (b.low - a.low), nothing = apart - apart; /* NaN where a mean is infinite */ \
        const REAL mean = nothing == (REAL)(0) ? a.mean : a.mean + b.mean;                                                 \
        const REAL low = nothing == (REAL)(0) ? a.low + apart * share : (REAL)(0);                                         \
        const REAL between = apart * apart * (a.n * share) + nothing;                                                      \
        return fold##K##V##_of(n, a.n == (REAL)(0) ? b.mean : mean, a.n == (REAL)(0) ? b.low : low,                        \
                               a.m2 + b.m2 + (a.n == (REAL)(0) ? (REAL)(0) : between));                                    \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                          \
    {                                                                                                                      \
        REAL y[FOLD_LEAF];                                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = convert_##REAL(x[i]);                                     \
        REAL mean = (REAL)(0), left = (REAL)(0), m2 = (REAL)(0);                                                           \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) mean += y[i];                                                    \
        mean *= (REAL)(1.0f / FOLD_LEAF);                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL d = y[i] - mean;                                                                                    \
            left += d;                                                                                                     \
            m2 += d * d;                                                                                                   \
        }                                                                                                                  \
        left *= (REAL)(1.0f / FOLD_LEAF);                                                                                  \
        return fold##K##V##_of((REAL)(FOLD_LEAF), mean, FOLD_OR_ZERO(REAL, left), m2 - (REAL)(FOLD_LEAF) * left * left);   \
    }
#define FOLD_LANE_MOMENTS(K, REAL)                                                                                         \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const REAL *)&s->n)[l], ((const REAL *)&s->mean)[l], ((const REAL *)&s->low)[l],           \
                              ((const REAL *)&s->m2)[l]);                                                                  \
    }

/* The same where REAL holds all sums of VALUE's differences: count, a value of its own (the pivot), and the sums of what is left
 * without the pivot and of its squares. As the pivot is one of the values, (pivot - mean)^2 is at most the sum of squares about the
 * mean, and so squares lose at most as many bits as the count has. No division. */
#define FOLD_PIVOTED(K, V, VALUE, REAL, INDEX)                                                                             \
    typedef struct {                                                                                                       \
        REAL n, pivot, sum, squares;                                                                                       \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(REAL n, REAL pivot, REAL s, REAL q)                                                  \
    {                                                                                                                      \
        fold##K##V r;                                                                                                      \
        r.n = n;                                                                                                           \
        r.pivot = pivot;                                                                                                   \
        r.sum = s;                                                                                                         \
        r.squares = q;                                                                                                     \
        return r;                                                                                                          \
    }                                                                                                                      \
    inline REAL fold##K##V##_pivot(REAL x) { return x - x == (REAL)(0) ? x : (REAL)(0); }                                  \
    inline fold##K##V fold##K##V##_init(void)                                                                              \
    {                                                                                                                      \
        return fold##K##V##_of((REAL)(0), (REAL)(0), (REAL)(0), (REAL)(0));                                                \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        const REAL y = convert_##REAL(x), pivot = fold##K##V##_pivot(y), d = y - pivot;                                    \
        return fold##K##V##_of((REAL)(1), pivot, d, d * d);                                                                \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL pivot = a.n == (REAL)(0) ? b.pivot : a.pivot, d = b.n == (REAL)(0) ? (REAL)(0) : b.pivot - pivot;       \
        return fold##K##V##_of(a.n + b.n, pivot, a.sum + (b.sum + b.n * d), a.squares + (b.squares + d * (b.sum + b.sum + b.n * d))); \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        const REAL pivot = fold##K##V##_pivot(convert_##REAL(x[0]));                                                       \
        REAL s = (REAL)(0), q = (REAL)(0);                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL d = convert_##REAL(x[i]) - pivot;                                                                   \
            s += d;                                                                                                        \
            q = fma(d, d, q);                                                                                              \
        }                                                                                                                  \
        return fold##K##V##_of((REAL)(FOLD_LEAF), pivot, s, q);                                                            \
    }
#define FOLD_LANE_PIVOTED(K, REAL)                                                                                         \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const REAL *)&s->n)[l], ((const REAL *)&s->pivot)[l], ((const REAL *)&s->sum)[l],          \
                              ((const REAL *)&s->squares)[l]);                                                             \
    }

/* ---- norms ------------------------------------------------------------------------------------------------------------- */

/* The sum of squares as (scale * scale) * a, where the scale is the largest magnitude: no square overflows or vanishes. */
#define FOLD_NORM(K, V, VALUE, REAL, INDEX)                                                                                \
    typedef struct {                                                                                                       \
        REAL scale, a;                                                                                                     \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(REAL scale, REAL a)                                                                  \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.scale = scale;                                                                                                   \
        s.a = a;                                                                                                           \
        return s;                                                                                                          \
    }                                                                                                                      \
    /* What x / scale is; where both are infinite or 0, x itself tells as much. */                                         \
    inline REAL fold##K##V##_over(REAL x, REAL scale) { return x == scale ? (REAL)(1) : x / scale; }                       \
    inline REAL fold##K##V##_larger(REAL a, REAL b) { return ((a < b) | (b != b)) ? b : a; }                               \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_of((REAL)(0), (REAL)(0)); }                            \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        return fold##K##V##_of(fabs(convert_##REAL(x)), (REAL)(1));                                                        \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL scale = fold##K##V##_larger(a.scale, b.scale);                                                          \
        const REAL of_a = fold##K##V##_over(a.scale, scale), of_b = fold##K##V##_over(b.scale, scale);                     \
        return fold##K##V##_of(scale, a.a * of_a * of_a + b.a * of_b * of_b);                                              \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                          \
    {                                                                                                                      \
        REAL y[FOLD_LEAF], scale = (REAL)(0), a = (REAL)(0);                                                               \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            y[i] = fabs(convert_##REAL(x[i]));                                                                             \
            scale = fold##K##V##_larger(scale, y[i]);                                                                      \
        }                                                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL part = fold##K##V##_over(y[i], scale);                                                              \
            a += part * part;                                                                                              \
        }                                                                                                                  \
        return fold##K##V##_of(scale, a);                                                                                  \
    }
#define FOLD_LANE_NORM(K, REAL)                                                                                            \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const REAL *)&s->scale)[l], ((const REAL *)&s->a)[l]);                                     \
    }
