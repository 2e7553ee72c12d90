/* Numbers: converting a host's number to an element and back. */
#include "base/dtype.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The lowest and the highest number of an integer dtype. */
static void integer_bounds(lun_dtype dtype, int64_t *low, uint64_t *high)
{
    unsigned bits = (unsigned)(8 * lun_dtype_bytes(dtype));
    bool is_signed = lun_dtype_has(dtype, LUN_SIGNED);
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
        return fail(err, LUN_MISUSE, "%lld is out of range for %s (%lld to %llu)", (long long)value,
                    lun_dtype_name(dtype), (long long)low, (unsigned long long)high);
    store_bits(element, lun_dtype_bytes(dtype), (uint64_t)value);
    return LUN_OK;
}

static lun_status store_integral(void *element, lun_dtype dtype, double value, lun_error *err)
{
    int64_t low;
    uint64_t high;
    integer_bounds(dtype, &low, &high);
    if (isnan(value) || value != floor(value) || isinf(value))
        return fail(err, LUN_MISUSE, "%.17g has no representation in %s: an integer is needed", lun_number_shown(value),
                    lun_dtype_name(dtype));
    if (value < (double)low || value >= (double)(high >> 1) * 2 + 2)
        return fail(err, LUN_MISUSE, "%.17g is out of range for %s (%lld to %llu)", value, lun_dtype_name(dtype),
                    (long long)low, (unsigned long long)high);
    if (value < 0)
        return store_integer(element, dtype, (int64_t)value, err);
    uint64_t bits = (uint64_t)value;
    if (bits > high)
        return fail(err, LUN_MISUSE, "%.17g is out of range for %s (%lld to %llu)", value, lun_dtype_name(dtype),
                    (long long)low, (unsigned long long)high);
    store_bits(element, lun_dtype_bytes(dtype), bits);
    return LUN_OK;
}

/* ---- packed floats: a sign, an exponent, and the digits but the first, as IEEE 754 has them ---------------------------------- */

/* The exponent of the smallest normal number, and infinity's bits. */
static int least_exponent(lun_dtype dtype) { return 2 - (1 << (dtype_exponent_bits(dtype) - 1)); }

static unsigned infinity_bits(lun_dtype dtype)
{
    return ((1u << dtype_exponent_bits(dtype)) - 1) << (dtype_digits(dtype) - 1);
}

/* Rounds to nearest even, beyond the largest to infinity. Below the smallest normal number the exponent stays. */
static unsigned packed_bits(lun_dtype dtype, double x)
{
    const unsigned infinity = infinity_bits(dtype), sign = signbit(x) ? 1u << (8 * lun_dtype_bytes(dtype) - 1) : 0;
    const int places = (int)dtype_digits(dtype) - 1, least = least_exponent(dtype);
    const int exponent = ilogb(x) > least ? ilogb(x) : least;
    if (isnan(x))
        return sign | infinity | 1u << (places - 1);
    if (exponent > 1 - least)
        return sign | infinity;
    const unsigned units = (unsigned)nearbyint(ldexp(fabs(x), places - exponent)); /* a carry runs into the exponent */
    return sign | (((unsigned)(exponent - least) << places) + units);
}

static double packed_number(lun_dtype dtype, unsigned bits)
{
    const int places = (int)dtype_digits(dtype) - 1;
    const unsigned sign = 1u << (8 * lun_dtype_bytes(dtype) - 1), size = bits & ~sign, raised = size >> places;
    const unsigned fraction = size & ((1u << places) - 1);
    const double magnitude = size >= infinity_bits(dtype)
                                 ? (fraction ? (double)NAN : (double)INFINITY)
                                 : ldexp(raised ? fraction + (1u << places) : fraction,
                                         (raised ? (int)raised - 1 : 0) + least_exponent(dtype) - places);
    return bits & sign ? -magnitude : magnitude;
}

uint16_t lun_half_from_double(double x) { return (uint16_t)packed_bits(LUN_f16, x); }
double lun_half_to_double(uint16_t half) { return packed_number(LUN_f16, half); }

/* ---- elements --------------------------------------------------------------------------------------------------- */

/* An integer truncated to a double, whose last bit is set if digits were lost (rounding to odd). Rounding this to a
 * packed dtype gives the same as rounding the integer once, because packed dtypes are too short to keep the last bit. A
 * plain conversion to double would round twice. */
static double odd_double(int64_t integer)
{
    const double near = (double)integer;
    if (near == 0x1p63)
        return nextafter(near, 0);
    if ((int64_t)near == integer)
        return near;
    const bool away = integer > 0 ? (int64_t)near > integer : (int64_t)near < integer;
    const double cut = away ? nextafter(near, 0) : near;
    uint64_t bits;
    memcpy(&bits, &cut, sizeof bits);
    bits |= 1;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}

static void store_float(void *element, lun_dtype dtype, lun_number number)
{
    const double value = number.is_integer ? (double)number.integer : number.real;
    const float single = number.is_integer ? (float)number.integer : (float)number.real;
    if (dtype_is_packed(dtype)) {
        const double packed = number.is_integer ? odd_double(number.integer) : number.real;
        store_bits(element, lun_dtype_bytes(dtype), packed_bits(dtype, packed));
        return;
    }
    const void *from = lun_dtype_bytes(dtype) == 8 ? (const void *)&value : (const void *)&single;
    memcpy(element, from, lun_dtype_bytes(dtype));
}

/* LUN_MISUSE if the dtype does not hold numbers of that kind. */
static lun_status check_kind(lun_dtype dtype, lun_number number, lun_error *err)
{
    char text[LUN_SCALAR_TEXT];
    const bool truths = lun_dtype_has(dtype, LUN_TRUTHS);
    if (number.is_truth && !truths)
        return fail(err, LUN_MISUSE, "%s has no representation in %s: a number is needed",
                    lun_scalar_text(text, number), lun_dtype_name(dtype));
    if (number.is_complex && !lun_dtype_has(dtype, LUN_PAIRS))
        return fail(err, LUN_MISUSE, "%s has no representation in %s: a real number is needed",
                    lun_scalar_text(text, number), lun_dtype_name(dtype));
    if (truths && number.real != 0 && number.real != 1)
        return fail(err, LUN_MISUSE, "%s has no representation in bool: true or false, or 1 or 0, is needed",
                    lun_scalar_text(text, number));
    return LUN_OK;
}

static double load_float(const void *element, lun_dtype dtype);

bool dtype_holds(lun_dtype dtype, int64_t integer)
{
    double element; /* room for one */
    const lun_dtype part = lun_dtype_part(dtype);
    store_float(&element, part, lun_integer(integer));
    const double near = load_float(&element, part);
    return near >= -0x1p63 && near < 0x1p63 && (int64_t)near == integer;
}

/* LUN_MISUSE for an integer that a float dtype cannot hold exactly: a host that accepts rounding passes a float. */
static lun_status check_exact(lun_dtype dtype, lun_number number, lun_error *err)
{
    if (!number.is_integer || dtype_is_whole(dtype) || dtype_holds(dtype, number.integer))
        return LUN_OK;
    const lun_dtype wide = lun_dtype_promoted(dtype, LUN_f64);
    const bool wider = wide != dtype && dtype_holds(wide, number.integer);
    return fail(err, LUN_MISUSE, "%lld has no representation in %s: i64%s%s it, and %lld.0 is rounded",
                (long long)number.integer, lun_dtype_name(dtype), wider ? " and " : " holds",
                wider ? wide == LUN_f64 ? "f64 hold" : "c128 hold" : "", (long long)number.integer);
}

lun_status lun_number_store(void *element, lun_dtype dtype, lun_number number, lun_error *err)
{
    const lun_status status = check_exact(dtype, number, err);
    return status == LUN_OK ? lun_number_round(element, dtype, number, err) : status;
}

lun_status lun_number_round(void *element, lun_dtype dtype, lun_number number, lun_error *err)
{
    const lun_dtype part = lun_dtype_part(dtype);
    lun_status status = check_kind(dtype, number, err);
    if (status != LUN_OK)
        return status;
    if (!dtype_is_whole(dtype)) {
        store_float(element, part, number);
        if (part != dtype)
            store_float((char *)element + lun_dtype_bytes(part), part, lun_real(number.imaginary));
        return LUN_OK;
    }
    return number.is_integer ? store_integer(element, dtype, number.integer, err)
                             : store_integral(element, dtype, number.real, err);
}

double lun_number_shown(double number) { return isnan(number) ? fabs(number) : number; }

char *lun_scalar_text(char text[LUN_SCALAR_TEXT], lun_number number)
{
    char real[LUN_NUMBER_TEXT], imaginary[LUN_NUMBER_TEXT];
    if (number.is_truth)
        snprintf(text, LUN_SCALAR_TEXT, number.integer ? "true" : "false");
    else if (number.is_integer)
        snprintf(text, LUN_SCALAR_TEXT, "%lld", (long long)number.integer);
    else if (!number.is_complex)
        lun_number_digits(text, number.real);
    else {
        lun_number_digits(real, number.real);
        lun_number_digits(imaginary, number.imaginary);
        snprintf(text, LUN_SCALAR_TEXT, "%s%s%si", real, *imaginary == '-' ? "" : "+", imaginary);
    }
    return text;
}

/* The element's bits, as a host's type. */
#define LOAD(host) (memcpy(&as_##host, element, sizeof as_##host), as_##host)

static int64_t load_integer(const void *element, size_t bytes, bool is_signed)
{
    int8_t as_int8_t;
    uint8_t as_uint8_t;
    int16_t as_int16_t;
    uint16_t as_uint16_t;
    int32_t as_int32_t;
    uint32_t as_uint32_t;
    int64_t as_int64_t;
    switch (bytes) {
    case 1:
        return is_signed ? LOAD(int8_t) : LOAD(uint8_t);
    case 2:
        return is_signed ? LOAD(int16_t) : LOAD(uint16_t);
    case 4:
        return is_signed ? LOAD(int32_t) : (int64_t)LOAD(uint32_t);
    default:
        return LOAD(int64_t);
    }
}

static double load_float(const void *element, lun_dtype dtype)
{
    const size_t bytes = lun_dtype_bytes(dtype);
    float as_float;
    double as_double;
    if (dtype_is_packed(dtype))
        return packed_number(dtype, (unsigned)load_integer(element, bytes, false));
    return bytes == 8 ? LOAD(double) : (double)LOAD(float);
}

lun_number lun_number_load(const void *element, lun_dtype dtype)
{
    const lun_dtype part = lun_dtype_part(dtype);
    if (lun_dtype_has(dtype, LUN_TRUTHS))
        return lun_truth(*(const uint8_t *)element != 0);
    if (part != dtype)
        return lun_complex(load_float(element, part), load_float((const char *)element + lun_dtype_bytes(part), part));
    if (!dtype_is_whole(dtype))
        return lun_real(load_float(element, dtype));
    return lun_integer(load_integer(element, lun_dtype_bytes(dtype), lun_dtype_has(dtype, LUN_SIGNED)));
}

double dtype_nearest(lun_dtype dtype, double x)
{
    uint64_t element = 0;
    store_float(&element, dtype, lun_real(x));
    return load_float(&element, dtype);
}

/* In every float dtype the bits are a sign and a magnitude, and the next smaller magnitude has the next smaller
 * bits. */
double dtype_below(lun_dtype dtype, double x)
{
    uint64_t element = 0;
    const unsigned bits = 8 * (unsigned)lun_dtype_bytes(dtype);
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    store_float(&element, dtype, lun_real(x));
    if ((element & ~sign) == 0)
        element = sign | 1;
    else
        element += element & sign ? (uint64_t)1 : UINT64_MAX;
    return load_float(&element, dtype);
}
