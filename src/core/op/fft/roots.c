/* Tables of roots of unity, of Bluestein's chirp and of its transform: made in long double, and rounded once. */
#include "op/fft/fft.h"

#include <math.h>
#include <stdlib.h>

typedef struct pair {
    long double re, im;
} pair;

static const long double quarter = 1.57079632679489661923132169163975144L;

/* exp(-2 pi i k / n), from an angle of at most an eighth of a turn. */
static pair root(size_t k, size_t n)
{
    const size_t turns = 4 * (k % n), quarters = turns / n, rest = turns - quarters * n;
    const bool beyond = rest > n - rest;
    const long double angle = quarter * (long double)(beyond ? n - rest : rest) / (long double)n;
    const long double c = beyond ? sinl(angle) : cosl(angle), s = beyond ? cosl(angle) : sinl(angle);
    switch (quarters) {
    case 0:
        return (pair){c, -s};
    case 1:
        return (pair){-s, -c};
    case 2:
        return (pair){-c, s};
    default:
        return (pair){s, c};
    }
}

static pair times(pair a, pair b) { return (pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

static void put_part(void *data, const table_key *key, size_t i, long double x)
{
    if (lun_dtype_part(key->dtype) == LUN_f32)
        ((float *)data)[i] = (float)x;
    else
        ((double *)data)[i] = (double)x;
}

static void put(void *data, const table_key *key, size_t i, pair z)
{
    put_part(data, key, 2 * i, z.re);
    put_part(data, key, 2 * i + 1, z.im);
}

/* ---- roots ------------------------------------------------------------------------------------------------------------ */

/* Bluestein's chirp: exp(-pi i k^2 / n). */
static pair chirp(size_t k, size_t n) { return root(k * k % (2 * n), 2 * n); }

/* The roots of 1, or the chirp. */
static lun_status make_turns(void *data, const table_key *key, lun_error *err)
{
    (void)err;
    for (size_t k = 0; k < key->of[0]; k++)
        put(data, key, k, (key->of[1] ? chirp : root)(k, key->of[0]));
    return LUN_OK;
}

lun_status fft_turns(cl_mem *out, lun_device *device, lun_dtype dtype, size_t n, lun_error *err)
{
    return table_find(out, device, &(table_key){make_turns, dtype, n * lun_dtype_bytes(dtype), {n}}, err);
}

/* Those of short lines are all fine ones, with 1 behind them. */
#define ALL_FINE 10

static lun_status make_roots(void *data, const table_key *key, lun_error *err)
{
    (void)err;
    const size_t n = key->of[0], shift = key->of[1], fine = (size_t)1 << shift;
    for (size_t k = 0; k < fine; k++)
        put(data, key, k, root(k, n));
    for (size_t k = 0; k <= n >> shift; k++)
        put(data, key, fine + k, root(k << shift, n));
    return LUN_OK;
}

lun_status fft_roots(cl_mem *out, abi_long *shift, lun_device *device, lun_dtype dtype, size_t n, lun_error *err)
{
    size_t bits = ALL_FINE;
    while (n >> bits > (size_t)1 << bits)
        bits++;
    *shift = (abi_long)bits;
    return table_find(
        out, device,
        &(table_key){make_roots, dtype, (((size_t)1 << bits) + (n >> bits) + 1) * lun_dtype_bytes(dtype), {n, bits}},
        err);
}

static lun_status make_lane_roots(void *data, const table_key *key, lun_error *err)
{
    (void)err;
    for (size_t k = 0; k < key->of[1]; k++)
        for (size_t l = 0; l < FFT_LANES; l++) {
            const pair z = root(k * l, key->of[0]);
            put_part(data, key, 2 * FFT_LANES * k + l, z.re);
            put_part(data, key, 2 * FFT_LANES * k + FFT_LANES + l, z.im);
        }
    return LUN_OK;
}

lun_status fft_lane_roots(cl_mem *out, lun_device *device, lun_dtype dtype, size_t n, size_t count, lun_error *err)
{
    const size_t bytes = count * FFT_LANES * lun_dtype_bytes(dtype);
    return table_find(out, device, &(table_key){make_lane_roots, dtype, bytes, {n, count}}, err);
}

/* ---- Bluestein's filter ------------------------------------------------------------------------------------------------ */

lun_status fft_chirp(cl_mem *out, lun_device *device, lun_dtype dtype, size_t n, lun_error *err)
{
    return table_find(out, device, &(table_key){make_turns, dtype, n * lun_dtype_bytes(dtype), {n, true}}, err);
}

/* One of Stockham's passes, as kernels have them, by the formula of its radix. */
static void pass(pair *y, const pair *x, const pair *roots, size_t n, size_t r, size_t s)
{
    const size_t m = n / r / s;
    for (size_t p = 0; p < m; p++)
        for (size_t q = 0; q < s; q++)
            for (size_t j = 0; j < r; j++) {
                pair sum = {0, 0};
                for (size_t k = 0; k < r; k++) {
                    const pair term = times(x[q + s * (p + m * k)], roots[n / r * (j * k % r)]);
                    sum.re += term.re;
                    sum.im += term.im;
                }
                y[q + s * (r * p + j)] = times(sum, roots[s * j * p]);
            }
}

static lun_status make_filter(void *data, const table_key *key, lun_error *err)
{
    const size_t n = key->of[0], padded = key->of[1];
    unsigned radices[64];
    FREED pair *x = calloc(padded, sizeof *x), *y = calloc(padded, sizeof *y), *roots = calloc(padded, sizeof *roots);
    if (!x || !y || !roots)
        FAIL(LUN_NO_MEMORY, "out of host memory for a table of constants");
    for (size_t k = 0; k < padded; k++)
        roots[k] = root(k, padded);
    for (size_t k = 0; k < n; k++) {
        const pair z = chirp(k, n);
        x[k] = x[k ? padded - k : 0] = (pair){z.re / (long double)padded, -z.im / (long double)padded};
    }
    const size_t passes = fft_radices(radices, padded, 4);
    for (size_t i = 0, s = 1; i < passes; s *= radices[i++]) {
        pass(y, x, roots, padded, radices[i], s);
        pair *const before = x;
        x = y;
        y = before;
    }
    for (size_t k = 0; k < padded; k++)
        put(data, key, k, x[k]);
    return LUN_OK;
}

lun_status fft_filter(cl_mem *out, lun_device *device, lun_dtype dtype, size_t n, size_t padded, lun_error *err)
{
    return table_find(out, device, &(table_key){make_filter, dtype, padded * lun_dtype_bytes(dtype), {n, padded}}, err);
}
