/* dtypes: what the rows of dtype.def say, and how a host's number becomes an element and back. */
#include "base/dtype.h"
#include "base/error.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum encoding { PLAIN, HALF, BFLOAT } encoding;

static const struct {
    const char *name, *cl;
    lun_dtype part, computed, summed;
    size_t bytes;
    unsigned traits;
    encoding encoding;
    unsigned digits;
    char letter;
} rows[] = {
#define ORDERED LUN_ORDERED
#define WHOLE LUN_WHOLE
#define SIGNED LUN_SIGNED
#define NANS LUN_NANS
#define TRUTHS LUN_TRUTHS
#define PAIRS LUN_PAIRS
#define DTYPE(name, cl, part, computed, summed, bytes, traits, encoding, digits, letter)                               \
    {#name, #cl, LUN_##part, LUN_##computed, LUN_##summed, bytes, traits, encoding, digits, letter},
#include "base/dtype.def"
#undef DTYPE
#undef ORDERED
#undef WHOLE
#undef SIGNED
#undef NANS
#undef TRUTHS
#undef PAIRS
};

/* Behind the dtypes, what a host's numbers make of a dtype. */
enum { WITH_INTEGER = LUN_DTYPES, WITH_FLOAT, WITH_COMPLEX, PROMOTIONS };

static const uint8_t promotions[LUN_DTYPES][PROMOTIONS] = {
#define WITH(name, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, integer, real, complex)                                \
    [LUN_##name] = {LUN_##a, LUN_##b, LUN_##c, LUN_##d, LUN_##e, LUN_##f, LUN_##g,       LUN_##h,    LUN_##i,          \
                    LUN_##j, LUN_##k, LUN_##l, LUN_##m, LUN_##n, LUN_##o, LUN_##integer, LUN_##real, LUN_##complex},
#include "base/promotion.def"
#undef WITH
};

lun_dtype lun_dtype_promoted(lun_dtype a, lun_dtype b) { return (lun_dtype)promotions[a][b]; }

lun_dtype lun_dtype_promoted_by(lun_dtype dtype, lun_number number)
{
    return (lun_dtype)promotions[dtype][number.is_complex   ? WITH_COMPLEX
                                        : number.is_integer ? WITH_INTEGER
                                                            : WITH_FLOAT];
}

const char *lun_dtype_name(lun_dtype dtype) { return rows[dtype].name; }
size_t lun_dtype_bytes(lun_dtype dtype) { return rows[dtype].bytes; }
unsigned lun_dtype_traits(lun_dtype dtype) { return rows[dtype].traits; }
lun_dtype lun_dtype_part(lun_dtype dtype) { return rows[dtype].part; }
const char *dtype_cl(lun_dtype dtype) { return rows[dtype].cl; }
lun_dtype dtype_computed(lun_dtype dtype) { return rows[dtype].computed; }
lun_dtype dtype_summed(lun_dtype dtype) { return rows[dtype].summed; }
bool dtype_is_packed(lun_dtype dtype) { return rows[dtype].encoding != PLAIN; }
unsigned dtype_digits(lun_dtype dtype) { return rows[dtype].digits; }
char dtype_npy_letter(lun_dtype dtype) { return rows[dtype].letter; }

const char *dtype_encoding(lun_dtype dtype)
{
    static const char *const names[] = {"PLAIN", "HALF", "BFLOAT"};
    return names[rows[dtype].encoding];
}

const char *dtype_packing(lun_dtype dtype)
{
    static const char *const names[] = {"", "half", "bfloat"};
    return names[rows[dtype].encoding];
}

const char *dtype_stored(lun_dtype dtype) { return dtype_is_packed(dtype) ? "ushort" : rows[dtype].cl; }

lun_dtype dtype_of_bytes(size_t bytes)
{
    return bytes == 1 ? LUN_u8 : bytes == 2 ? LUN_u16 : bytes == 4 ? LUN_u32 : bytes == 8 ? LUN_u64 : LUN_c128;
}

lun_dtype dtype_wrapping(lun_dtype dtype) { return dtype_is_whole(dtype) ? dtype_of_bytes(rows[dtype].bytes) : dtype; }

lun_status dtype_check_real(lun_dtype dtype, const char *what, lun_error *err)
{
    if (!lun_dtype_has(dtype, LUN_PAIRS))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s takes real numbers, not %s", what, rows[dtype].name);
}

lun_status dtype_check_ordered(lun_dtype dtype, lun_error *err)
{
    if (lun_dtype_has(dtype, LUN_ORDERED))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s numbers have no order", rows[dtype].name);
}

lun_status dtype_check_cast(lun_dtype to, lun_dtype from, lun_error *err)
{
    if (lun_dtype_has(from, LUN_PAIRS) && (lun_dtype_traits(to) & (LUN_PAIRS | LUN_TRUTHS)) == 0)
        return fail(err, LUN_MISUSE, "%s numbers have an imaginary part, which %s does not hold", rows[from].name,
                    rows[to].name);
    return LUN_OK;
}

/* What other libraries and languages call element types, in small letters, beside the names that follow from the rows. */
static const struct {
    const char *name;
    lun_dtype meant;
} foreign[] = {
    {"boolean", LUN_bool}, {"logical", LUN_bool}, {"byte", LUN_u8},      {"integer", LUN_i64}, {"single", LUN_f32},
    {"bfloat", LUN_bf16},  {"complex", LUN_c128}, {"cdouble", LUN_c128}, {"cfloat", LUN_c64},
};

/* NumPy's word before the number of bits. */
static const char *numpy_word(lun_dtype dtype)
{
    return lun_dtype_has(dtype, LUN_TRUTHS)   ? "bool"
           : lun_dtype_has(dtype, LUN_PAIRS)  ? "complex"
           : !dtype_is_whole(dtype)           ? "float"
           : lun_dtype_has(dtype, LUN_SIGNED) ? "int"
                                              : "uint";
}

lun_dtype_facts lun_dtype_facts_of(lun_dtype dtype)
{
    lun_dtype_facts facts = {rows[dtype].name, rows[dtype].cl,       dtype_encoding(dtype), "",
                             rows[dtype].part, rows[dtype].computed, rows[dtype].summed,    rows[dtype].digits};
    if (rows[dtype].letter)
        snprintf(facts.file, sizeof facts.file, lun_dtype_has(dtype, LUN_TRUTHS) ? "%s" : "%s%zu", numpy_word(dtype),
                 8 * rows[dtype].bytes);
    return facts;
}

/* Is that, in small letters, what NumPy, Torch, MATLAB, C or OpenCL C call the dtype? */
static bool is_called(lun_dtype dtype, const char *name)
{
    char numpy[16], c[24], code[8];
    const bool brain = rows[dtype].encoding == BFLOAT;
    const unsigned bytes = (unsigned)rows[dtype].bytes;
    snprintf(numpy, sizeof numpy, "%s%s%u", brain ? "b" : "", numpy_word(dtype), 8 * bytes);
    snprintf(c, sizeof c, "%s_t", numpy);
    snprintf(code, sizeof code, "%c%u", rows[dtype].letter, bytes);
    return strcmp(name, rows[dtype].name) == 0 || strcmp(name, numpy) == 0 || strcmp(name, c) == 0 ||
           (strcmp(name, rows[dtype].cl) == 0 && !lun_dtype_has(dtype, LUN_TRUTHS)) ||
           (rows[dtype].letter && strcmp(name, code) == 0);
}

const char *lun_dtype_meant(const char *name)
{
    char small[16];
    size_t length = 0;
    for (; name[length] && length < sizeof small - 1; length++)
        small[length] = (char)tolower((unsigned char)name[length]);
    small[length] = '\0';
    if (name[length])
        return NULL;
    for (int i = 0; i < LUN_DTYPES; i++)
        if (is_called((lun_dtype)i, small))
            return rows[i].name;
    for (size_t i = 0; i < COUNT(foreign); i++)
        if (strcmp(foreign[i].name, small) == 0)
            return rows[foreign[i].meant].name;
    return NULL;
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
    const char *meant = lun_dtype_meant(name);
    return fail(err, LUN_MISUSE, "unknown dtype '%.40s'%s%s%s; known are %s", name, meant ? ", which is " : "",
                meant ? meant : "", meant ? " here" : "", known);
}

/* The lowest and the highest number of an integer dtype. */
static void integer_bounds(lun_dtype dtype, int64_t *low, uint64_t *high)
{
    unsigned bits = (unsigned)(8 * rows[dtype].bytes);
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

/* ---- bf16: the upper half of an f32 --------------------------------------------------------------------------- */

/* Rounds to nearest even. The double is first cut to a float whose last bit is set if anything was lost. */
static uint16_t bfloat_from_double(double x)
{
    if (isnan(x))
        return signbit(x) ? 0xffc0 : 0x7fc0;
    float cut = (float)x;
    if (fabs((double)cut) > fabs(x))
        cut = nextafterf(cut, 0);
    uint32_t bits;
    memcpy(&bits, &cut, sizeof bits);
    if ((double)cut != x && isfinite(cut))
        bits |= 1;
    return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

static double bfloat_to_double(uint16_t element)
{
    const uint32_t bits = (uint32_t)element << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

/* ---- elements --------------------------------------------------------------------------------------------------- */

/* The double nearest to an integer toward zero, with its last bit set if anything was lost (rounding to odd). Rounding
 * that to a packed dtype gives what one rounding of the integer gives: packed dtypes are too short to keep the last bit. A
 * plain conversion to double first would round twice. */
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
    const double packed = number.is_integer ? odd_double(number.integer) : number.real;
    const uint16_t bits = rows[dtype].encoding == HALF     ? lun_half_from_double(packed)
                          : rows[dtype].encoding == BFLOAT ? bfloat_from_double(packed)
                                                           : 0;
    const void *from = dtype_is_packed(dtype)   ? (const void *)&bits
                       : rows[dtype].bytes == 8 ? (const void *)&value
                                                : (const void *)&single;
    memcpy(element, from, rows[dtype].bytes);
}

/* LUN_MISUSE where the number is of a kind that the dtype does not hold. */
static lun_status check_kind(lun_dtype dtype, lun_number number, lun_error *err)
{
    char text[LUN_NUMBER_TEXT];
    const bool truths = lun_dtype_has(dtype, LUN_TRUTHS);
    if (number.is_truth && !truths)
        return fail(err, LUN_MISUSE, "%s has no representation in %s: a number is wanted",
                    lun_number_text(text, number), rows[dtype].name);
    if (number.is_complex && !lun_dtype_has(dtype, LUN_PAIRS))
        return fail(err, LUN_MISUSE, "%s has no representation in %s: a real number is wanted",
                    lun_number_text(text, number), rows[dtype].name);
    if (truths && number.real != 0 && number.real != 1)
        return fail(err, LUN_MISUSE, "%s has no representation in bool: true or false, or 1 or 0, is wanted",
                    lun_number_text(text, number));
    return LUN_OK;
}

lun_status lun_number_store(void *element, lun_dtype dtype, lun_number number, lun_error *err)
{
    const lun_dtype part = rows[dtype].part;
    lun_status status = check_kind(dtype, number, err);
    if (status != LUN_OK)
        return status;
    if (!dtype_is_whole(dtype)) {
        store_float(element, part, number);
        if (part != dtype)
            store_float((char *)element + rows[part].bytes, part, lun_real(number.imaginary));
        return LUN_OK;
    }
    return number.is_integer ? store_integer(element, dtype, number.integer, err)
                             : store_integral(element, dtype, number.real, err);
}

double lun_number_shown(double number) { return isnan(number) ? fabs(number) : number; }

char *dtype_number_text(char text[LUN_NUMBER_TEXT], double number)
{
    bool is_same = false;
    for (int digits = 14; digits <= 17 && !is_same; digits++) {
        snprintf(text, LUN_NUMBER_TEXT, "%.*g", digits, lun_number_shown(number));
        is_same = strtod(text, NULL) == number;
    }
    return text;
}

char *lun_number_text(char text[LUN_NUMBER_TEXT], lun_number number)
{
    char real[LUN_NUMBER_TEXT], imaginary[LUN_NUMBER_TEXT];
    if (number.is_truth)
        snprintf(text, LUN_NUMBER_TEXT, number.integer ? "true" : "false");
    else if (number.is_integer)
        snprintf(text, LUN_NUMBER_TEXT, "%lld", (long long)number.integer);
    else if (!number.is_complex)
        dtype_number_text(text, number.real);
    if (!number.is_complex)
        return text;
    dtype_number_text(real, number.real);
    dtype_number_text(imaginary, number.imaginary);
    snprintf(text, LUN_NUMBER_TEXT, "%.30s%s%.30si", real, *imaginary == '-' ? "" : "+", imaginary);
    return text;
}

char *lun_decimal_point(char *text)
{
    const char *mark = localeconv()->decimal_point;
    const size_t length = strlen(mark); /* of several bytes in some languages */
    char *at = length ? strstr(text, mark) : NULL;
    if (at) {
        *at = '.';
        memmove(at + 1, at + length, strlen(at + length) + 1);
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

static double load_float(const void *element, size_t bytes, encoding how)
{
    uint16_t as_uint16_t;
    float as_float;
    double as_double;
    if (how != PLAIN)
        return how == HALF ? lun_half_to_double(LOAD(uint16_t)) : bfloat_to_double(LOAD(uint16_t));
    return bytes == 8 ? LOAD(double) : (double)LOAD(float);
}

lun_number lun_number_load(const void *element, lun_dtype dtype)
{
    const lun_dtype part = rows[dtype].part;
    if (lun_dtype_has(dtype, LUN_TRUTHS))
        return lun_truth(*(const uint8_t *)element != 0);
    if (part != dtype)
        return lun_complex(load_float(element, rows[part].bytes, PLAIN),
                           load_float((const char *)element + rows[part].bytes, rows[part].bytes, PLAIN));
    if (!dtype_is_whole(dtype))
        return lun_real(load_float(element, rows[dtype].bytes, rows[dtype].encoding));
    return lun_integer(load_integer(element, rows[dtype].bytes, lun_dtype_has(dtype, LUN_SIGNED)));
}

double dtype_nearest(lun_dtype dtype, double x)
{
    uint64_t element = 0;
    store_float(&element, dtype, lun_real(x));
    return load_float(&element, rows[dtype].bytes, rows[dtype].encoding);
}

/* The bits of a float are a sign and a magnitude, in every float dtype, and the next smaller magnitude has the next
 * smaller bits. */
double dtype_below(lun_dtype dtype, double x)
{
    uint64_t element = 0;
    const unsigned bits = 8 * (unsigned)rows[dtype].bytes;
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    store_float(&element, dtype, lun_real(x));
    if ((element & ~sign) == 0)
        element = sign | 1;
    else
        element += element & sign ? (uint64_t)1 : UINT64_MAX;
    return load_float(&element, rows[dtype].bytes, rows[dtype].encoding);
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
