/* dtypes: what the rows of dtype.def say, and how a host's number becomes an element and back. */
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *cl, *compute;
    size_t bytes;
    lun_kind kind;
    char letter;
} rows[] = {
#define DTYPE(name, host, cl, compute, bytes, kind, letter) {#name, #cl, #compute, bytes, LUN_##kind, letter},
#include "base/dtype.def"
#undef DTYPE
};

const char *lun_dtype_name(lun_dtype dtype) { return rows[dtype].name; }
size_t lun_dtype_bytes(lun_dtype dtype) { return rows[dtype].bytes; }
lun_kind lun_dtype_kind(lun_dtype dtype) { return rows[dtype].kind; }
const char *dtype_cl(lun_dtype dtype) { return rows[dtype].cl; }
const char *dtype_compute(lun_dtype dtype) { return rows[dtype].compute; }
char dtype_npy_letter(lun_dtype dtype) { return rows[dtype].letter; }

lun_dtype dtype_of_bytes(size_t bytes)
{
    return bytes == 1 ? LUN_u8 : bytes == 2 ? LUN_u16 : bytes == 4 ? LUN_u32 : LUN_u64;
}

lun_status lun_dtype_find(lun_dtype *out, const char *name, lun_error *err)
{
    for (int i = 0; i < LUN_DTYPES; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *out = (lun_dtype)i;
            return LUN_OK;
        }
    char known[128] = "";
    for (int i = 0; i < LUN_DTYPES; i++) {
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? " " : "", rows[i].name);
    }
    return fail(err, LUN_MISUSE, "unknown dtype '%.40s'; known are %s", name, known);
}

lun_status dtype_check_device(lun_dtype dtype, const lun_device *device, lun_error *err)
{
    if (dtype == LUN_f64 && !device->info.fp64)
        return fail(err, LUN_MISUSE, "f64 is not possible on this device (%.60s has no double precision); use f32",
                    device->info.name);
    return LUN_OK;
}

/* The bounds of an integer dtype: below 2^64, so that the comparison with a double is exact at both ends. */
static void integer_bounds(lun_dtype dtype, int64_t *low, uint64_t *high)
{
    unsigned bits = (unsigned)(8 * rows[dtype].bytes);
    bool is_signed = rows[dtype].kind == LUN_SIGNED;
    *high = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    *low = is_signed ? -(int64_t)*high - 1 : 0;
}

static void store_bits(void *element, size_t bytes, uint64_t bits)
{
    uint8_t u8 = (uint8_t)bits;
    uint16_t u16 = (uint16_t)bits;
    uint32_t u32 = (uint32_t)bits;
    const void *from = bytes == 1 ? (void *)&u8 : bytes == 2 ? (void *)&u16 : bytes == 4 ? (void *)&u32 : (void *)&bits;
    memcpy(element, from, bytes);
}

static lun_status store_integer(void *element, lun_dtype dtype, int64_t value, lun_error *err)
{
    int64_t low;
    uint64_t high;
    integer_bounds(dtype, &low, &high);
    bool fits = dtype == LUN_u64 || dtype == LUN_i64 || (value >= low && (value < 0 || (uint64_t)value <= high));
    if (!fits)
        return fail(err, LUN_MISUSE, "%lld is out of range for %s (%lld to %llu)", (long long)value, rows[dtype].name,
                    (long long)low, (unsigned long long)high);
    store_bits(element, rows[dtype].bytes, (uint64_t)value);
    return LUN_OK;
}

static lun_status store_integral(void *element, lun_dtype dtype, double value, lun_error *err)
{
    int64_t low;
    uint64_t high;
    integer_bounds(dtype, &low, &high);
    if (isnan(value) || value != floor(value) || isinf(value))
        return fail(err, LUN_MISUSE, "%.17g has no representation in %s: an integer is wanted", lun_number_shown(value),
                    rows[dtype].name);
    if (value < (double)low || value >= (double)(high >> 1) * 2 + 2)
        return fail(err, LUN_MISUSE, "%.17g is out of range for %s (%lld to %llu)", value, rows[dtype].name,
                    (long long)low, (unsigned long long)high);
    if (value < 0)
        return store_integer(element, dtype, (int64_t)value, err);
    uint64_t bits = (uint64_t)value;
    if (bits > high)
        return fail(err, LUN_MISUSE, "%.17g is out of range for %s (%lld to %llu)", value, rows[dtype].name,
                    (long long)low, (unsigned long long)high);
    store_bits(element, rows[dtype].bytes, bits);
    return LUN_OK;
}

/* Rounds once. By way of a double an integer may be rounded twice in f32; no half is so long that it could be. */
static void store_float(void *element, lun_dtype dtype, lun_number number)
{
    double value = number.is_integer ? (double)number.integer : number.real;
    float single = number.is_integer ? (float)number.integer : (float)number.real;
    uint16_t half = dtype == LUN_f16 ? lun_half_from_double(value) : 0;
    const void *from = dtype == LUN_f64 ? (void *)&value : dtype == LUN_f32 ? (void *)&single : (void *)&half;
    memcpy(element, from, rows[dtype].bytes);
}

lun_status lun_number_store(void *element, lun_dtype dtype, lun_number number, lun_error *err)
{
    if (rows[dtype].kind == LUN_FLOAT) {
        store_float(element, dtype, number);
        return LUN_OK;
    }
    return number.is_integer ? store_integer(element, dtype, number.integer, err)
                             : store_integral(element, dtype, number.real, err);
}

double lun_number_shown(double number) { return isnan(number) ? fabs(number) : number; }

lun_number lun_number_load(const void *element, lun_dtype dtype)
{
    lun_number number = {.is_integer = rows[dtype].kind != LUN_FLOAT};
    switch (dtype) {
    case LUN_f16: {
        uint16_t half;
        memcpy(&half, element, sizeof half);
        number.real = lun_half_to_double(half);
        break;
    }
#define LOAD(name, host, field)                                                                                        \
    case LUN_##name: {                                                                                                 \
        host value;                                                                                                    \
        memcpy(&value, element, sizeof value);                                                                         \
        number.field = (__typeof__(number.field))value;                                                                \
        break;                                                                                                         \
    }
        LOAD(i8, int8_t, integer)
        LOAD(u8, uint8_t, integer)
        LOAD(i16, int16_t, integer)
        LOAD(u16, uint16_t, integer)
        LOAD(i32, int32_t, integer)
        LOAD(u32, uint32_t, integer)
        LOAD(i64, int64_t, integer)
        LOAD(u64, uint64_t, integer)
        LOAD(f32, float, real)
        LOAD(f64, double, real)
#undef LOAD
    case LUN_DTYPES:
        break;
    }
    return number;
}

/* IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits. Scaling by powers of two is exact, and
 * nearbyint rounds half to even, so no double rounding takes place. */
uint16_t lun_half_from_double(double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double magnitude = fabs(x);
    if (isnan(x))
        return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 65520.0) /* halfway from the largest half to the next power of two: rounds to infinity */
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x1p-14) /* subnormal: units of 2^-24; 1024 units are the smallest normal number */
        return (uint16_t)(sign | (uint16_t)nearbyint(magnitude * 0x1p24));
    int exponent;
    double fraction = frexp(magnitude, &exponent);          /* 0.5 <= fraction < 1 */
    unsigned bits = (unsigned)nearbyint(fraction * 2048.0); /* 1024 .. 2048; a carry runs into the exponent */
    return (uint16_t)(sign | (((unsigned)(exponent + 14) << 10) + (bits - 1024)));
}

double lun_half_to_double(uint16_t half)
{
    unsigned exponent = (half >> 10) & 31, fraction = half & 1023;
    double magnitude = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                       : exponent == 0 ? ldexp(fraction, -24)
                                       : ldexp(1024 + fraction, (int)exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}
