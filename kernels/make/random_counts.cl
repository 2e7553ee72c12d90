/* Random counts: Poisson's and binomial ones, each from blocks of its own. Small means by inversion: the uniform is
 * compared with the sums of the probabilities, one after the other. Larger ones by Hormann's transformed rejection with
 * squeeze (PTRS: "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics and
 * Economics 12, 1993; BTRS: "The generation of binomial random variates", Journal of Statistical Computation and
 * Simulation 46, 1993). Their tests use probabilities after Loader ("Fast and accurate computation of binomial
 * probabilities", 2000), which do not cancel where means are large. */
#include "parts/philox.cl"

#ifdef HAS_F64
#define REAL double
#define LITERAL(x) x
#define UNIFORM(low, high) ((REAL)(wide(low, high) >> 11) * 0x1p-53)
#else
#define REAL float
#define LITERAL(x) x##f
#define UNIFORM(low, high) ((REAL)((high) >> 8) * 0x1p-24f)
#endif
#define HALF_LOG_2PI LITERAL(0.91893853320467274178)
#define SMALL_MEAN 10 /* below it by inversion; PTRS and BTRS are meant from there on */

/* log(k!) less Stirling's formula. */
constant REAL stirling_errors[16] = {
    LITERAL(0.0), LITERAL(0.081061466795327258), LITERAL(0.041340695955409294), LITERAL(0.027677925684998339),
    LITERAL(0.020790672103765093), LITERAL(0.016644691189821192), LITERAL(0.013876128823070748),
    LITERAL(0.011896709945891770), LITERAL(0.010411265261972096), LITERAL(0.0092554621827127330),
    LITERAL(0.0083305634333631330), LITERAL(0.0075736754879518406), LITERAL(0.0069428401072095300),
    LITERAL(0.0064089941880042071), LITERAL(0.0059513701127588476), LITERAL(0.0055547335519628014)};

inline REAL stirling_error(REAL k)
{
    const REAL r = 1 / (k * k);
    return k < 16 ? stirling_errors[(int)k]
                  : (LITERAL(1.0) / 12 - (LITERAL(1.0) / 360 - (LITERAL(1.0) / 1260 - r / 1680) * r) * r) / k;
}

/* x log(x / mean) + mean - x, without cancelling where both are near. */
inline REAL deviance(REAL x, REAL mean)
{
    if (fabs(x - mean) >= (x + mean) / 10)
        return x * log(x / mean) + mean - x;
    const REAL v = (x - mean) / (x + mean);
    REAL sum = (x - mean) * v, term = 2 * x * v;
    for (int j = 1; j < 100; j++) {
        const REAL before = sum;
        term *= v * v;
        sum += term / (2 * j + 1);
        if (sum == before)
            break;
    }
    return sum;
}

/* The logarithm of the probability of k. */
inline REAL poisson_log(REAL k, REAL mean)
{
    return k == 0 ? -mean : -stirling_error(k) - deviance(k, mean) - HALF_LOG_2PI - log(k) / 2;
}

inline REAL binomial_log(REAL k, REAL n, REAL p)
{
    if (k == 0)
        return n * log1p(-p);
    if (k == n)
        return n * log(p);
    return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) -
           deviance(n - k, n * (1 - p)) - HALF_LOG_2PI + log(n / (k * (n - k))) / 2;
}

/* What a method tries again and again: a count from a pair of uniforms that is not negative, and whether the squeeze
 * has taken it. */
typedef struct hat {
    REAL a, b, center, sure; /* Hormann's a, b, c and v_r */
} hat;

inline REAL hat_count(const hat *h, REAL u, REAL v, bool *taken)
{
    const REAL x = u - LITERAL(0.5), us = LITERAL(0.5) - fabs(x);
    *taken = us >= LITERAL(0.07) && v <= h->sure;
    return floor((2 * h->a / us + h->b) * x + h->center);
}

/* The hat's height there. */
inline REAL hat_height(const hat *h, REAL u)
{
    const REAL us = LITERAL(0.5) - fabs(u - LITERAL(0.5));
    return h->a / (us * us) + h->b;
}

/* What depends on the parameters alone: `none` is the probability of 0, for inversion. */
typedef struct poisson_law {
    REAL mean, none, inverse_alpha;
    hat h;
} poisson_law;

inline poisson_law poisson_of(REAL mean)
{
    const REAL b = LITERAL(0.931) + LITERAL(2.53) * sqrt(mean);
    const poisson_law law = {mean, exp(-mean), LITERAL(1.1239) + LITERAL(1.1328) / (b - LITERAL(3.4)),
                             {LITERAL(-0.059) + LITERAL(0.02483) * b, b, mean + LITERAL(0.43),
                              LITERAL(0.9277) - LITERAL(3.6224) / (b - 2)}};
    return law;
}

inline REAL poisson(const random_source *from, ulong block, const poisson_law *law)
{
    uint4 w = philox(from, block, 0);
    if (law->mean < SMALL_MEAN) {
        REAL rest = UNIFORM(w.x, w.y), p = law->none, k = 0;
        while (rest >= p && k < 1000) {
            rest -= p;
            k++;
            p *= law->mean / k;
        }
        return k;
    }
    for (uint attempt = 1;; attempt++) {
        const REAL u = UNIFORM(w.x, w.y), v = UNIFORM(w.z, w.w);
        bool taken;
        const REAL k = hat_count(&law->h, u, v, &taken);
        if (k >= 0 && isfinite(k) &&
            (taken || log(v * law->inverse_alpha / hat_height(&law->h, u)) <= poisson_log(k, law->mean)))
            return k;
        w = philox(from, block, attempt);
    }
}

/* p is at most 1/2. at_mode: the logarithm of the probability of the most probable count. */
typedef struct binomial_law {
    REAL n, p, none, odds, alpha, at_mode;
    hat h;
} binomial_law;

inline binomial_law binomial_of(REAL n, REAL p)
{
    const REAL spread = sqrt(n * p * (1 - p)), b = LITERAL(1.15) + LITERAL(2.53) * spread;
    const binomial_law law = {n, p, exp(n * log1p(-p)), p / (1 - p), (LITERAL(2.83) + LITERAL(5.1) / b) * spread,
                              binomial_log(min(floor((n + 1) * p), n), n, p),
                              {LITERAL(-0.0873) + LITERAL(0.0248) * b + LITERAL(0.01) * p, b, n * p + LITERAL(0.5),
                               LITERAL(0.92) - LITERAL(4.2) / b}};
    return law;
}

inline REAL binomial(const random_source *from, ulong block, const binomial_law *law)
{
    uint4 w = philox(from, block, 0);
    if (law->n * law->p < SMALL_MEAN) {
        REAL rest = UNIFORM(w.x, w.y), q = law->none, k = 0;
        while (rest >= q && k < law->n && k < 1000) {
            rest -= q;
            q *= (law->n - k) / (k + 1) * law->odds;
            k++;
        }
        return k;
    }
    for (uint attempt = 1;; attempt++) {
        const REAL u = UNIFORM(w.x, w.y), v = UNIFORM(w.z, w.w);
        bool taken;
        const REAL k = hat_count(&law->h, u, v, &taken);
        if (k >= 0 && k <= law->n &&
            (taken || log(v * law->alpha / hat_height(&law->h, u)) <= binomial_log(k, law->n, law->p) - law->at_mode))
            return k;
        w = philox(from, block, attempt);
    }
}

/* `most` is the largest number of the dtype; the host has seen to it that larger ones do not come. `means`, of each
 * element, stand in for `mean` where there are any; so do all that the kernels below take by arrays. */
KERNEL(GROUP) random_poisson(global T *dst, long offset, lun_layout to, long n, random_source from, REAL mean,
                             REAL most, global const REAL *means, lun_layout of_mean)
{
    poisson_law law = poisson_of(mean);
    dst += offset;
    FOR_SPREAD(i, n)
    {
        if (means)
            law = poisson_of(means[layout_offset(&of_mean, i)]);
        dst[layout_offset(&to, i)] = (T)min(poisson(&from, (ulong)i, &law), most);
    }
}

/* `flip`: p is that of what is not counted. */
KERNEL(GROUP) random_binomial(global T *dst, long offset, lun_layout to, long n, random_source from, REAL trials,
                              REAL p, long flip, global const REAL *each_trials, lun_layout of_trials,
                              global const REAL *each_p, lun_layout of_p)
{
    binomial_law law = binomial_of(trials, p);
    dst += offset;
    FOR_SPREAD(i, n)
    {
        if (each_p) {
            const REAL chance = each_p[layout_offset(&of_p, i)];
            flip = chance > LITERAL(0.5);
            law = binomial_of(each_trials[layout_offset(&of_trials, i)], flip ? 1 - chance : chance);
        }
        const REAL k = binomial(&from, (ulong)i, &law);
        dst[layout_offset(&to, i)] = (T)(flip ? law.n - k : k);
    }
}

/* Rows of `outcomes` counts whose sum is the number of trials, one after the other by what the outcomes before it have
 * left. `rests`: the sum of an outcome's probability and of those behind it. */
KERNEL(GROUP) random_multinomial(global T *dst, long offset, lun_layout to, long n, random_source from, long outcomes,
                                 global const REAL *trials, lun_layout of_trials, global const REAL *p, lun_layout of_p,
                                 global const REAL *rests, lun_layout of_rests)
{
    dst += offset;
    FOR_SPREAD(i, n / outcomes)
    {
        REAL left = trials[layout_offset(&of_trials, i * outcomes)];
        for (long k = i * outcomes; k < (i + 1) * outcomes; k++) {
            const REAL rest = rests[layout_offset(&of_rests, k)];
            const REAL chance = rest > 0 ? min(p[layout_offset(&of_p, k)] / rest, LITERAL(1.0)) : 0;
            const bool flip = chance > LITERAL(0.5);
            const binomial_law law = binomial_of(left, flip ? 1 - chance : chance);
            const REAL drawn = binomial(&from, (ulong)k, &law), count = flip ? left - drawn : drawn;
            dst[layout_offset(&to, k)] = (T)count;
            left -= count;
        }
    }
}
