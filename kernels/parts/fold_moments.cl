/* Reductions of expressions: the states of moments and norms, parts of parts/fold.cl. */

/* ---- moments: mean and variance ---------------------------------------------------------------------------------------- */

#define FOLD_OR_ZERO(REAL, x) ((x) == (x) ? (x) : (REAL)(0)) /* for a NaN */

/* A single state has units: mean, low and m2 are those of its values times `by`, which is 1, or FOLD_SMALL where that overflows. Nothing
 * of values times FOLD_SMALL does. Vectors, for CPUs, have units of 1. */
#ifdef HAS_F64
#define FOLD_SMALL 0x1p-600
#define FOLD_LARGE 0x1p600
#else
#define FOLD_SMALL 0x1p-80f
#define FOLD_LARGE 0x1p80f
#endif
#define FOLD_UNIT(s) ((s).by < 1 ? FOLD_LARGE : 1)
#define FOLD_MEAN(s) (((s).mean + (s).low) * FOLD_UNIT(s))
#define FOLD_VARIANCE(s, count) ((s).m2 / (count) * FOLD_UNIT(s) * FOLD_UNIT(s))
#define FOLD_DEVIATION(s, count) (sqrt((s).m2 / (count)) * FOLD_UNIT(s))
#define FOLD_BY_1(s) (s).by
#define FOLD_BY_v(s) 1

/* What a value of a leaf is of its mean. */
#define FOLD_SHARE(REAL) ((REAL)(1) / (REAL)(FOLD_LEAF))

/* Count, mean (as mean + low: the sum of two numbers, so that what is left of x - mean is exact to the last place), and the sum of
 * squares of what is left. A leaf is summed in two passes over its values; two states are joined as Chan, Golub and LeVeque do.
 *
 * What overflows leaves an m2 that is infinite or NaN, and a mean that is wrong, but finite if the values are. No loop looks for it: a job
 * looks at its end (fold<K>_repeat, fold<K>_again). */
#define FOLD_MOMENTS(K, V, VALUE, REAL, INDEX)                                                                             \
    typedef struct {                                                                                                       \
        REAL n, mean, low, m2;                                                                                             \
        FOLD_UNITS##V(REAL)                                                                                                \
    } fold##K##V;                                                                                                          \
    inline fold##K##V fold##K##V##_of(REAL n, REAL mean, REAL low, REAL m2, REAL by)                                       \
    {                                                                                                                      \
        fold##K##V s;                                                                                                      \
        s.n = n;                                                                                                           \
        s.mean = mean + low;                                                                                               \
        s.low = FOLD_OR_ZERO(REAL, low - (s.mean - mean));                                                                 \
        s.m2 = m2;                                                                                                         \
        FOLD_SET_UNITS##V(s, by)                                                                                           \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_empty(REAL by)                                                                          \
    {                                                                                                                      \
        return fold##K##V##_of((REAL)(0), (REAL)(0), (REAL)(0), (REAL)(0), by);                                            \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_empty((REAL)(1)); }                                    \
    inline fold##K##V fold##K##V##_single(VALUE x, REAL by)                                                                \
    {                                                                                                                      \
        const REAL y = fold##K##_map(x, VALUE, REAL) * by; /* y - y: NaN where it is no finite number */                   \
        return fold##K##V##_of((REAL)(1), y, (REAL)(0), y - y, by);                                                        \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at) { return fold##K##V##_single(x, (REAL)(1)); }                    \
    /* Of states in the same units. */                                                                                     \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL n = a.n + b.n, share = b.n / fmax(n, (REAL)(1));                                                        \
        const REAL apart = (b.mean - a.mean) + (b.low - a.low), nothing = apart - apart; /* NaN where it is not finite */  \
        const REAL mean = nothing == (REAL)(0) ? a.mean : a.mean + b.mean; /* of opposite signs, or infinite */            \
        const REAL low = nothing == (REAL)(0) ? a.low + apart * share : (REAL)(0);                                         \
        const REAL between = apart * apart * (a.n * share) + nothing;                                                      \
        return fold##K##V##_of(n, a.n == (REAL)(0) ? b.mean : mean, a.n == (REAL)(0) ? b.low : low,                        \
                               a.m2 + b.m2 + (a.n == (REAL)(0) ? (REAL)(0) : between), (REAL)(FOLD_BY##V(a)));             \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, REAL by)                                                           \
    {                                                                                                                      \
        REAL y[FOLD_LEAF];                                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = fold##K##_map(x[i], VALUE, REAL);                         \
        const REAL part = by * FOLD_SHARE(REAL);                                                                           \
        REAL mean = (REAL)(0), other = (REAL)(0), left = (REAL)(0), m2 = (REAL)(0);                                        \
        if (fold##K##_real) { /* two chains, as a product and a sum take longer than a sum */                              \
            FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) *(i % 2 ? &other : &mean) += y[i] * part;                    \
            mean += other;                                                                                                 \
        } else { /* no sum of integers overflows */                                                                        \
            FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) mean += y[i];                                                \
            mean *= part;                                                                                                  \
        }                                                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL d = y[i] * by - mean; /* contracted, as the product above: `by` costs nothing */                    \
            left += d;                                                                                                     \
            m2 += d * d;                                                                                                   \
        }                                                                                                                  \
        left *= FOLD_SHARE(REAL);                                                                                          \
        return fold##K##V##_of((REAL)(FOLD_LEAF), mean, FOLD_OR_ZERO(REAL, left), m2 - (REAL)(FOLD_LEAF) * left * left, by);\
    }                                                                                                                      \
    inline void fold##K##V##_take(fold##K##V *s, const VALUE *x, INDEX at, int step)                                       \
    {                                                                                                                      \
        *s = fold##K##V##_join(*s, fold##K##V##_leaf(x, (REAL)(FOLD_BY##V(*s))));                                          \
    }                                                                                                                      \
    inline void fold##K##V##_more(fold##K##V *s, VALUE x, INDEX at)                                                        \
    {                                                                                                                      \
        *s = fold##K##V##_join(*s, fold##K##V##_single(x, (REAL)(FOLD_BY##V(*s))));                                        \
    }                                                                                                                      \
    inline void fold##K##V##_next(fold##K##V *second, fold##K##V *first)                                                   \
    {                                                                                                                      \
        *second = fold##K##V##_join(*second, *first);                                                                      \
        *first = fold##K##V##_empty((REAL)(FOLD_BY##V(*first)));                                                           \
    }                                                                                                                      \
    FOLD_UNITED##V(K, REAL)
#define FOLD_UNITS_1(REAL) REAL by;
#define FOLD_UNITS_v(REAL)
#define FOLD_SET_UNITS_1(s, unit) s.by = unit;
#define FOLD_SET_UNITS_v(s, unit)
/* Has s overflowed, of a job that began with `start`? Then that gets smaller units. And states of other jobs:
 * what is added may overflow, what is united does not. */
#define FOLD_UNITED_1(K, REAL)                                                                                             \
    inline int fold##K##_1_repeats(fold##K##_1 *start, fold##K##_1 s)                                                      \
    {                                                                                                                      \
        if ((s.m2 < (REAL)(INFINITY)) | (s.mean != s.mean) | (start->by < (REAL)(1)))                                      \
            return 0;                                                                                                      \
        start->by = (REAL)(FOLD_SMALL);                                                                                    \
        return 1;                                                                                                          \
    }                                                                                                                      \
    /* In larger units than it has a state cannot be: it overflows. */                                                     \
    inline fold##K##_1 fold##K##_1_scaled(fold##K##_1 s, REAL by)                                                          \
    {                                                                                                                      \
        const REAL f = by < s.by ? (REAL)(FOLD_SMALL) : (REAL)(1), over = by > s.by ? (REAL)(INFINITY) : f;                \
        s.mean *= f;                                                                                                       \
        s.low *= f;                                                                                                        \
        s.m2 = s.m2 * f * over;                                                                                            \
        s.by = by;                                                                                                         \
        return s;                                                                                                          \
    }                                                                                                                      \
    inline fold##K##_1 fold##K##_1_added(fold##K##_1 a, fold##K##_1 b)                                                     \
    {                                                                                                                      \
        return fold##K##_1_join(a, fold##K##_1_scaled(b, a.by));                                                           \
    }                                                                                                                      \
    inline fold##K##_1 fold##K##_1_united(fold##K##_1 a, fold##K##_1 b)                                                    \
    {                                                                                                                      \
        const fold##K##_1 s = fold##K##_1_added(a, b);                                                                     \
        if ((s.m2 < (REAL)(INFINITY)) | (a.by < (REAL)(1)))                                                                \
            return s;                                                                                                      \
        return fold##K##_1_added(fold##K##_1_scaled(a, (REAL)(FOLD_SMALL)), b);                                            \
    }
#define FOLD_UNITED_v(K, REAL)
#define FOLD_LANE_MOMENTS(K, REAL)                                                                                         \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const REAL *)&s->n)[l], ((const REAL *)&s->mean)[l], ((const REAL *)&s->low)[l],           \
                              ((const REAL *)&s->m2)[l], (REAL)(1));                                                       \
    }

/* Makes a state again that has overflowed, of the values that FOR_EACH(K, DO) goes through. Where one of them is infinite it stays. */
#define FOLD_AGAIN(K, state, FOR_EACH)                                                                                     \
    {                                                                                                                      \
        fold##K##_1 small = fold##K##_1_init();                                                                            \
        if (fold##K##_1_repeats(&small, state)) {                                                                          \
            fold##K##_1 first = small;                                                                                     \
            int count = 0;                                                                                                 \
            FOR_EACH(K, FOLD_AGAIN_MORE)                                                                                   \
            small = fold##K##_1_join(small, first);                                                                        \
            if (small.mean - small.mean == 0)                                                                              \
                state = small;                                                                                             \
        }                                                                                                                  \
    }
#define FOLD_AGAIN_MORE(K, x)                                                                                              \
    fold##K##_1_more(&first, x, 0);                                                                                        \
    if (++count == FOLD_CHAIN) {                                                                                           \
        fold##K##_1_next(&small, &first);                                                                                  \
        count = 0;                                                                                                         \
        if (small.mean - small.mean != 0)                                                                                  \
            break;                                                                                                         \
    }
/* The same where REAL holds all sums of VALUE's differences: count, a value of its own (the pivot), and the sums of what is left
 * without the pivot and of its squares. As the pivot is one of the values, (pivot - mean)^2 is at most the sum of squares about the
 * mean, and so squares lose at most as many bits as the count has. No division. */
#define FOLD_PIVOTED_STATE(K, V, REAL)                                                                                     \
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
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL pivot = a.n == (REAL)(0) ? b.pivot : a.pivot, d = b.n == (REAL)(0) ? (REAL)(0) : b.pivot - pivot;       \
        return fold##K##V##_of(a.n + b.n, pivot, a.sum + (b.sum + b.n * d), a.squares + (b.squares + d * (b.sum + b.sum + b.n * d))); \
    }
#define FOLD_PIVOTED(K, V, VALUE, REAL, INDEX)                                                                             \
    FOLD_PIVOTED_STATE(K, V, REAL)                                                                                         \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        const REAL y = fold##K##_map(x, VALUE, REAL), pivot = fold##K##V##_pivot(y), d = y - pivot;                        \
        return fold##K##V##_of((REAL)(1), pivot, d, d * d);                                                                \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        const REAL pivot = fold##K##V##_pivot(fold##K##_map(x[0], VALUE, REAL));                                           \
        REAL s = (REAL)(0), q = (REAL)(0);                                                                                 \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL d = fold##K##_map(x[i], VALUE, REAL) - pivot;                                                       \
            s += d;                                                                                                        \
            q = fma(d, d, q);                                                                                              \
        }                                                                                                                  \
        return fold##K##V##_of((REAL)(FOLD_LEAF), pivot, s, q);                                                            \
    }
/* The variance of complex numbers, whose states have the parts side by side. */
#define FOLD_SPREAD(s, part) ((s).squares.part - (s).sum.part * ((s).sum.part / (s).n.part))
#define FOLD_POSITIVE(x) ((x) < 0 ? 0 : (x))
#define FOLD_PAIR_VARIANCE(s, count) ((FOLD_POSITIVE(FOLD_SPREAD(s, s0)) + FOLD_POSITIVE(FOLD_SPREAD(s, s1))) / (count))
#define FOLD_LANE_PIVOTED(K, REAL)                                                                                         \
    inline fold##K##_1 fold##K##_lane(const fold##K##_v *s, int l)                                                         \
    {                                                                                                                      \
        return fold##K##_1_of(((const REAL *)&s->n)[l], ((const REAL *)&s->pivot)[l], ((const REAL *)&s->sum)[l],          \
                              ((const REAL *)&s->squares)[l]);                                                             \
    }

/* The same without NaN, which count for nothing: a value x that is one has a count of 0, whatever becomes of it. */
#define FOLD_PRESENT(K, V, VALUE, REAL, INDEX)                                                                             \
    FOLD_PIVOTED_STATE(K, V, REAL)                                                                                         \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        const REAL own = convert_##REAL(x), y = own == own ? fold##K##_map(x, VALUE, REAL) : (REAL)(0);                    \
        const REAL pivot = fold##K##V##_pivot(y), d = y - pivot;                                                           \
        return fold##K##V##_of(own == own ? (REAL)(1) : (REAL)(0), pivot, d, d * d);                                       \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        REAL own[FOLD_LEAF], y[FOLD_LEAF], n = (REAL)(0), pivot = (REAL)(0), s = (REAL)(0), q = (REAL)(0);                 \
        FOLD_UNROLLED for (int i = FOLD_LEAF - 1; i >= 0; i--)                                                             \
        {                                                                                                                  \
            own[i] = convert_##REAL(x[i]);                                                                                 \
            y[i] = fold##K##_map(x[i], VALUE, REAL);                                                                       \
            pivot = y[i] - y[i] == (REAL)(0) ? y[i] : pivot;                                                               \
        }                                                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            const REAL d = own[i] == own[i] ? y[i] - pivot : (REAL)(0);                                                    \
            n += own[i] == own[i] ? (REAL)(1) : (REAL)(0);                                                                 \
            s += d;                                                                                                        \
            q = fma(d, d, q);                                                                                              \
        }                                                                                                                  \
        return fold##K##V##_of(n, pivot, s, q);                                                                            \
    }
#define FOLD_LANE_PRESENT(K, REAL) FOLD_LANE_PIVOTED(K, REAL)
#define FOLD_LEFT_VARIANCE(s, ddof) ((s).n > (ddof) ? FOLD_POSITIVE((s).squares - (s).sum * ((s).sum / (s).n)) / ((s).n - (ddof)) : NAN)

/* ---- norms ------------------------------------------------------------------------------------------------------------- */

/* The sum of squares as (scale * scale) * a, where the scale is the largest magnitude: no square overflows or vanishes. */
#define FOLD_SCALED_STATE(K, V, REAL)                                                                                      \
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
    inline REAL fold##K##V##_larger(REAL a, REAL b) { return ((a < b) | (b != b)) ? b : a; }
#define FOLD_NORM(K, V, VALUE, REAL, INDEX)                                                                                \
    FOLD_SCALED_STATE(K, V, REAL)                                                                                          \
    /* What x / scale is; where both are infinite or 0, x itself tells as much. */                                         \
    inline REAL fold##K##V##_over(REAL x, REAL scale) { return x == scale ? (REAL)(1) : x / scale; }                       \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_of((REAL)(0), (REAL)(0)); }                            \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at)                                                                  \
    {                                                                                                                      \
        return fold##K##V##_of(fabs(fold##K##_map(x, VALUE, REAL)), (REAL)(1));                                            \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL scale = fold##K##V##_larger(a.scale, b.scale);                                                          \
        const REAL of_a = fold##K##V##_over(a.scale, scale), of_b = fold##K##V##_over(b.scale, scale);                     \
        return fold##K##V##_of(scale, a.a * of_a * of_a + b.a * of_b * of_b);                                              \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        REAL y[FOLD_LEAF], scale = (REAL)(0), a = (REAL)(0);                                                               \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            y[i] = fabs(fold##K##_map(x[i], VALUE, REAL));                                                                 \
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

/* ---- sums of exponentials ----------------------------------------------------------------------------------------------- */

/* Their sum as e^scale times a, where the scale is the largest: none overflows. */
#define FOLD_LOGSUM(K, V, VALUE, REAL, INDEX)                                                                              \
    FOLD_SCALED_STATE(K, V, REAL)                                                                                          \
    /* e^(x - scale); where both are infinite, x itself tells as much. */                                                  \
    inline REAL fold##K##V##_over(REAL x, REAL scale) { return x == scale ? (REAL)(1) : exp(x - scale); }                  \
    inline fold##K##V fold##K##V##_init(void) { return fold##K##V##_of((REAL)(-INFINITY), (REAL)(0)); }                    \
    inline fold##K##V fold##K##V##_one(VALUE x, INDEX at) { return fold##K##V##_of(convert_##REAL(x), (REAL)(1)); }        \
    inline fold##K##V fold##K##V##_join(fold##K##V a, fold##K##V b)                                                        \
    {                                                                                                                      \
        const REAL scale = fold##K##V##_larger(a.scale, b.scale);                                                          \
        return fold##K##V##_of(scale, a.a * fold##K##V##_over(a.scale, scale) + b.a * fold##K##V##_over(b.scale, scale));  \
    }                                                                                                                      \
    inline fold##K##V fold##K##V##_leaf(const VALUE *x, INDEX at, int step)                                                \
    {                                                                                                                      \
        REAL y[FOLD_LEAF], scale = (REAL)(-INFINITY), a = (REAL)(0);                                                       \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)                                                                  \
        {                                                                                                                  \
            y[i] = convert_##REAL(x[i]);                                                                                   \
            scale = fold##K##V##_larger(scale, y[i]);                                                                      \
        }                                                                                                                  \
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) a += fold##K##V##_over(y[i], scale);                             \
        return fold##K##V##_of(scale, a);                                                                                  \
    }
#define FOLD_LANE_LOGSUM(K, REAL) FOLD_LANE_NORM(K, REAL)
