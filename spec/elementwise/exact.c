/* How far the results of elementwise functions are from exact ones: the worst error in units of the last place, beside C's
 * functions of long double, which has 64 digits or more.
 *
 * Each line of the input names a function, a dtype, and files with the raw elements of the results and of the one to three
 * operands. A line comes back for each: the worst error, and the operands, the result and the exact value at it. An error is
 * infinite where one of the two is a NaN, or an infinity that the other is far from. Results whose exact values are below the
 * dtype's normal numbers are passed over, but for f16: devices may set them to 0. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if LDBL_MANT_DIG < 64
#error "long double is no wider than double here"
#endif

typedef long double real;

static const real pi = 3.14159265358979323846264338327950288L;

/* ---- the functions ----------------------------------------------------------------------------------------------- */

/* sin or cos of pi r, |r| <= 1/4 after the turns by quarters. */
static real of_half_turns(real x, int quarters_ahead)
{
    if (isinf(x))
        return NAN;
    const real around = fmodl(x, 2), near = rintl(2 * around), rest = around - near / 2;
    const int quarter = (int)near + quarters_ahead & 3;
    const real size = quarter & 1 ? cosl(pi * rest) : sinl(pi * rest);
    return quarter & 2 ? -size : size;
}

static real sinpi_of(real x) { return of_half_turns(x, 0); }
static real cospi_of(real x) { return of_half_turns(x, 1); }
static real recip(real x) { return 1 / x; }
static real rsqrt_of(real x) { return 1 / sqrtl(x); }
static real square(real x) { return x * x; }
static real sigmoid(real x) { return 1 / (1 + expl(-x)); }
static real exp10_of(real x) { return powl(10, x); }
static real sign(real x) { return isnan(x) ? x : (real)((x > 0) - (x < 0)); }
static real negative(real x) { return -x; }

static real sinc(real x) { return x == 0 ? 1 : sinpi_of(x) / (pi * x); }
static real deg(real x) { return x * (180 / pi); }
static real rad(real x) { return x * (pi / 180); }
static real softplus(real x) { return fmaxl(x, 0) + log1pl(expl(-fabsl(x))) + (isnan(x) ? x : 0); }

/* By its series, whose terms are positive; beyond 800 it is past f64. */
static real bessel_i0(real x)
{
    real sum = 1, term = 1;
    if (isnan(x) || fabsl(x) > 800)
        return isnan(x) ? x : INFINITY;
    for (int k = 1; term > sum * 1e-22L; k++) {
        term *= x / 2 / k * (x / 2 / k);
        sum += term;
    }
    return sum;
}

/* Newton's steps from Winitzki's formula, on the side of erfc where erf comes near 1. */
static real erfinv(real x)
{
    const real size = fabsl(x), a = 0.147L, l = log1pl(-size * size), t = 2 / (pi * a) + l / 2;
    real y = sqrtl(sqrtl(t * t - l / a) - t);
    if (!(size < 1) || x == 0)
        return size == 1 ? x * (real)INFINITY : x == 0 ? x : NAN;
    if (size < 1e-6L) /* y is pi^(1/2)/2 x (1 + pi/12 x^2) */
        return x * sqrtl(pi) / 2 * (1 + pi / 12 * x * x);
    for (int i = 0; i < 8; i++) {
        const real off = size < 0.5L ? erfl(y) - size : 1 - size - erfcl(y);
        const real u = off * sqrtl(pi) / 2 * expl(y * y);
        y -= u / (1 + y * u);
    }
    return copysignl(y, x);
}

/* As bessel_i0. */
static real bessel_i1(real x)
{
    real sum = x / 2, term = x / 2;
    if (isnan(x) || fabsl(x) > 800)
        return isnan(x) ? x : copysignl(INFINITY, x);
    for (int k = 1; fabsl(term) > fabsl(sum) * 1e-22L; k++) {
        term *= x / 2 / k * (x / 2 / (k + 1));
        sum += term;
    }
    return sum;
}

/* By erfc, and by its continued fraction from 8 on. */
static real erfcx(real x)
{
    const real square = x * x, rest = isinf(square) ? 0 : fmal(x, x, -square), grown = expl(square) * (square < 1e4L ? 1 + rest : 1);
    real tail = 0;
    if (x < 0)
        return isinf(grown) ? grown : 2 * grown - erfcx(-x);
    if (!(x > 8))
        return grown * erfcl(x);
    for (int k = 200; k > 0; k--)
        tail = k / 2.0L / (x + tail);
    return 1 / (sqrtl(pi) * (x + tail));
}

/* By erfinv, and where it is small by Newton's steps of its logarithm. */
static real erfcinv(real x)
{
    if (!(x > 0) || x >= 2)
        return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
    if (x > 0.25L)
        return x > 1.75L ? -erfcinv(2 - x) : erfinv(1 - x);
    real y = sqrtl(-logl(x));
    for (int i = 0; i < 30; i++)
        y += (logl(erfcl(y)) - logl(x)) * erfcl(y) * expl(y * y) * sqrtl(pi) / 2;
    return y;
}

/* By its series up to 2, and its continued fraction beyond. */
static real expint(real x)
{
    real sum = 0, term = 1;
    if (isnan(x) || x < 0)
        return NAN;
    if (isinf(x))
        return 0;
    for (int k = 1; x <= 2 && k < 60; k++) {
        term *= -x / k;
        sum -= term / k;
    }
    if (x <= 2)
        return sum - logl(x) - 0.57721566490153286060651209008240243L;
    for (int k = 300; k > 0; k--)
        sum = (real)k * k / (x + 2 * k + 1 - sum);
    return expl(-x) / (x + 1 - sum);
}

/* By its recurrence up to 20 and Stirling's series; below 0 by its reflection. */
static real digamma(real x)
{
    real sum = 0;
    if (isnan(x) || (x < 0 && truncl(x) == x))
        return NAN;
    if (x == 0)
        return -1 / x;
    if (x < 0)
        return digamma(1 - x) - pi * cospi_of(x) / sinpi_of(x);
    for (; x < 20; x++)
        sum += 1 / x;
    const real y = 1 / (x * x);
    return logl(x) - 0.5L / x - sum -
           y * (1 / 12.0L - y * (1 / 120.0L - y * (1 / 252.0L - y * (1 / 240.0L - y * (1 / 132.0L - y * (691 / 32760.0L - y / 12))))));
}

static real add(real a, real b) { return a + b; }
static real sub(real a, real b) { return a - b; }
static real mul(real a, real b) { return a * b; }
static real divide(real a, real b) { return a / b; }

static real logaddexp(real a, real b)
{
    return a == b ? a + logl(2) : isnan(a) || isnan(b) ? (real)NAN : fmaxl(a, b) + log1pl(expl(-fabsl(a - b)));
}
static real xlogy(real a, real b) { return a == 0 && !isnan(b) ? 0 : a * logl(b); }
static real scaled(real a, real b) { return isnan(b) ? b : ldexpl(a, b > 1e5L ? 100000 : b < -1e5L ? -100000 : (int)b); }
static real heaviside(real a, real b) { return a > 0 ? 1 : a < 0 ? 0 : a == 0 ? b : a; }

/* As Lua's: of the sign of b. */
static real mod(real a, real b)
{
    const real rest = fmodl(a, b);
    return (rest > 0 && b < 0) || (rest < 0 && b > 0) ? rest + b : rest;
}

static const struct {
    const char *name;
    real (*of)(real);
} functions[] = {
    {"neg", negative},  {"abs", fabsl},     {"sign", sign},       {"floor", floorl}, {"ceil", ceill},
    {"round", rintl},   {"trunc", truncl},  {"square", square},   {"recip", recip},  {"sqrt", sqrtl},
    {"rsqrt", rsqrt_of}, {"cbrt", cbrtl},   {"exp", expl},        {"exp2", exp2l},   {"exp10", exp10_of},
    {"expm1", expm1l},  {"log", logl},      {"log2", log2l},      {"log10", log10l}, {"log1p", log1pl},
    {"sigmoid", sigmoid}, {"sin", sinl},    {"cos", cosl},        {"tan", tanl},     {"asin", asinl},
    {"acos", acosl},    {"atan", atanl},    {"sinpi", sinpi_of},  {"cospi", cospi_of}, {"sinh", sinhl},
    {"cosh", coshl},    {"tanh", tanhl},    {"asinh", asinhl},    {"acosh", acoshl}, {"atanh", atanhl},
    {"erf", erfl},      {"erfc", erfcl},    {"tgamma", tgammal},  {"lgamma", lgammal},
    {"sinc", sinc},     {"deg", deg},       {"rad", rad},         {"softplus", softplus}, {"logb", logbl},
    {"i0", bessel_i0},  {"erfinv", erfinv}, {"digamma", digamma},
    {"i1", bessel_i1},  {"erfcx", erfcx},   {"erfcinv", erfcinv}, {"expint", expint},
    {"j0", j0l},        {"j1", j1l},        {"y0", y0l},          {"y1", y1l},
};

static const struct {
    const char *name;
    real (*of)(real, real);
} functions2[] = {
    {"add", add},           {"sub", sub},       {"mul", mul},     {"div", divide}, {"pow", powl},
    {"copysign", copysignl}, {"atan2", atan2l}, {"hypot", hypotl}, {"fmod", fmodl},
    {"mod", mod},           {"powi", powl},     {"ldexp", scaled}, {"logaddexp", logaddexp}, {"xlogy", xlogy},
    {"heaviside", heaviside},
};

static real exact(const char *name, const real *x)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(name, functions[i].name) == 0)
            return functions[i].of(x[0]);
    for (size_t i = 0; i < sizeof functions2 / sizeof *functions2; i++)
        if (strcmp(name, functions2[i].name) == 0)
            return functions2[i].of(x[0], x[1]);
    if (strcmp(name, "fma") == 0)
        return fmal(x[0], x[1], x[2]);
    fprintf(stderr, "exact: unknown function '%s'\n", name);
    exit(2);
}

/* ---- the elements ------------------------------------------------------------------------------------------------ */

static const struct dtype {
    const char *name;
    size_t bytes;
    int digits, least; /* the exponent of the least normal number */
    int greatest;      /* and of the first that is too large */
} dtypes[] = {{"f16", 2, 11, -14, 16}, {"bf16", 2, 8, -126, 128}, {"f32", 4, 24, -126, 128}, {"f64", 8, 53, -1022, 1024}};

static real half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const real size = exponent == 31 ? (fraction ? (real)NAN : (real)INFINITY)
                      : exponent     ? ldexpl(1024 + fraction, exponent - 25)
                                     : ldexpl(fraction, -24);
    return bits >> 15 ? -size : size;
}

static real element(const struct dtype *t, const unsigned char *bytes)
{
    uint16_t word;
    uint32_t bits;
    float single;
    double wide;
    if (t->bytes == 8) {
        memcpy(&wide, bytes, sizeof wide);
        return wide;
    }
    if (t->bytes == 4) {
        memcpy(&single, bytes, sizeof single);
        return single;
    }
    memcpy(&word, bytes, sizeof word);
    if (strcmp(t->name, "f16") == 0)
        return half(word);
    bits = (uint32_t)word << 16;
    memcpy(&single, &bits, sizeof single);
    return single;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* The exponent of the amplitude that Bessel's functions cross 0 with; from 1/2 on. */
static int swing(const char *name, real x)
{
    const int bessel = (name[0] == 'j' || name[0] == 'y') && (name[1] == '0' || name[1] == '1') && !name[2];
    return bessel && fabsl(x) >= 0.5L && !isinf(x) ? ilogbl(sqrtl(2 / (pi * fabsl(x)))) : INT_MIN;
}

/* The distance in units of the last place of the exact value, as OpenCL defines them. An infinity that stands for a number
 * counts as the first number that is too large. */
static double error_of(const struct dtype *t, real got, real wanted, const char *name, real x)
{
    int exponent;
    const real top = ldexpl(1, t->greatest);
    if (isnan(wanted) || isnan(got))
        return isnan(wanted) && isnan(got) ? 0 : INFINITY;
    if (isinf(wanted) || fabsl(wanted) >= top)
        wanted = copysignl(top, wanted);
    if (isinf(got))
        got = copysignl(top, got);
    if (wanted == got)
        return 0;
    frexpl(wanted, &exponent);
    exponent--;
    if (exponent < swing(name, x))
        exponent = swing(name, x);
    if (wanted == 0 || (exponent < t->least && strcmp(t->name, "f16") != 0)) /* 0 for a denormal number and the other way */
        return fabsl(got) <= ldexpl(1, t->least) ? 0 : INFINITY;
    if ((strcmp(name, "lgamma") == 0 || strcmp(name, "digamma") == 0 || strcmp(name, "logaddexp") == 0) && exponent < 0) /* it has zeros that no function of one number comes near */
        exponent = 0;
    if (exponent < t->least)
        exponent = t->least;
    if (exponent >= t->greatest)
        exponent = t->greatest - 1;
    return (double)(fabsl(got - wanted) / ldexpl(1, exponent - t->digits + 1));
}

static unsigned char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*bytes + 1);
    if (!data || fread(data, 1, *bytes, file) != *bytes)
        exit(2);
    fclose(file);
    return data;
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        char *words[7] = {0};
        int count = 0;
        for (char *word = strtok(line, " \n"); word && count < 7; word = strtok(NULL, " \n"))
            words[count++] = word;
        if (count < 4)
            return 2;
        const struct dtype *t = dtypes;
        while (strcmp(t->name, words[1]) != 0)
            if (++t == dtypes + 4)
                return 2;
        size_t bytes, own;
        unsigned char *got = read_file(words[2], &bytes), *operands[3] = {0};
        for (int k = 3; k < count; k++) {
            operands[k - 3] = read_file(words[k], &own);
            if (own != bytes)
                return 2;
        }
        double worst = -1;
        real at[3] = {0}, is = 0, wanted = 0;
        for (size_t i = 0; i < bytes; i += t->bytes) {
            real x[3] = {0};
            for (int k = 3; k < count; k++)
                x[k - 3] = element(t, operands[k - 3] + i);
            const real result = element(t, got + i), right = exact(words[0], x);
            const double error = error_of(t, result, right, words[0], x[0]);
            if (error > worst) {
                worst = error;
                memcpy(at, x, sizeof at);
                is = result;
                wanted = right;
            }
        }
        printf("%.4f %.17Lg %.17Lg %.17Lg %.17Lg %.21Lg\n", worst, at[0], at[1], at[2], is, wanted);
        free(got);
        for (int k = 0; k < 3; k++)
            free(operands[k]);
    }
    return 0;
}
