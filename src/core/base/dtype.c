/* dtypes: the properties in the rows of dtype.def. */
#include "base/dtype.h"
#include "base/ascii.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *cl;
    lun_dtype part, computed, summed;
    size_t bytes;
    unsigned traits;
    const char *encoding;
    bool packed;
    unsigned digits;
    char letter;
} rows[] = {
#define ORDERED LUN_ORDERED
#define WHOLE LUN_WHOLE
#define SIGNED LUN_SIGNED
#define NANS LUN_NANS
#define TRUTHS LUN_TRUTHS
#define PAIRS LUN_PAIRS
#define IS_PLAIN(encoding) (__builtin_strcmp(#encoding, "PLAIN") == 0)
#define DTYPE(name, cl, part, computed, summed, bytes, traits, encoding, digits, letter)                               \
    {#name,  #cl,       LUN_##part,          LUN_##computed, LUN_##summed, bytes,                                      \
     traits, #encoding, !IS_PLAIN(encoding), digits,         letter},
#include "base/dtype.def"
#undef DTYPE
};

/* Conditions between the columns of a row. */
#define DTYPE(name, cl, part, computed, summed, bytes, traits, encoding, digits, letter)                               \
    _Static_assert((bytes) <= LUN_MOST_BYTES && (digits) <= 8 * (bytes), #name ": digits that its bytes hold");        \
    _Static_assert((((traits)&PAIRS) == 0) == (LUN_##part == LUN_##name), #name ": pairs, and only they, have parts"); \
    _Static_assert(IS_PLAIN(encoding) || (((traits) & (NANS | PAIRS)) == NANS && LUN_##computed == LUN_f32),           \
                   #name ": what is packed are floats, which are computed as f32");
#include "base/dtype.def"
#undef DTYPE
_Static_assert(LUN_DTYPES <= 32, "a set of dtypes is 32 bits, and a dtype 5 of a signature's letters");
#undef ORDERED
#undef WHOLE
#undef SIGNED
#undef NANS
#undef TRUTHS
#undef PAIRS

const char *lun_dtype_name(lun_dtype dtype) { return rows[dtype].name; }
size_t lun_dtype_bytes(lun_dtype dtype) { return rows[dtype].bytes; }
unsigned lun_dtype_traits(lun_dtype dtype) { return rows[dtype].traits; }
lun_dtype lun_dtype_part(lun_dtype dtype) { return rows[dtype].part; }
const char *dtype_cl(lun_dtype dtype) { return rows[dtype].cl; }
lun_dtype dtype_computed(lun_dtype dtype) { return rows[dtype].computed; }
lun_dtype dtype_summed(lun_dtype dtype) { return rows[dtype].summed; }
bool dtype_is_packed(lun_dtype dtype) { return rows[dtype].packed; }
unsigned dtype_digits(lun_dtype dtype) { return rows[dtype].digits; }

/* A float consists of a sign, an exponent, and its digits without the first. */
unsigned dtype_exponent_bits(lun_dtype real) { return (unsigned)(8 * rows[real].bytes) - rows[real].digits; }

char dtype_npy_letter(lun_dtype dtype) { return rows[dtype].letter; }

const char *dtype_encoding(lun_dtype dtype) { return rows[dtype].encoding; }
const char *dtype_packing(lun_dtype dtype) { return dtype_is_packed(dtype) ? rows[dtype].encoding : ""; }

const char *dtype_stored(lun_dtype dtype)
{
    return rows[dtype_is_packed(dtype) ? dtype_of_bytes(rows[dtype].bytes) : dtype].cl;
}

lun_dtype dtype_of_bytes(size_t bytes)
{
    return bytes == 1 ? LUN_u8 : bytes == 2 ? LUN_u16 : bytes == 4 ? LUN_u32 : bytes == 8 ? LUN_u64 : LUN_c128;
}

lun_dtype dtype_wrapping(lun_dtype dtype) { return dtype_is_whole(dtype) ? dtype_of_bytes(rows[dtype].bytes) : dtype; }

/* The signed dtype that holds an unsigned one, i64 for u64; the complex dtype with parts of a dtype. */
static lun_dtype signed_beyond(lun_dtype whole)
{
    int i = 0;
    while (i < LUN_DTYPES &&
           (!lun_dtype_has((lun_dtype)i, LUN_WHOLE | LUN_SIGNED) || rows[i].digits < rows[whole].digits))
        i++;
    return i < LUN_DTYPES ? (lun_dtype)i : LUN_i64;
}

static lun_dtype pair_of(lun_dtype part)
{
    int i = LUN_c64;
    while (rows[i].part != part || !lun_dtype_has((lun_dtype)i, LUN_PAIRS))
        i++;
    return (lun_dtype)i;
}

/* Does a hold all numbers of b, a dtype of the same kind? */
static bool is_within(lun_dtype b, lun_dtype a)
{
    const bool sign = !lun_dtype_has(b, LUN_SIGNED) || lun_dtype_has(a, LUN_SIGNED);
    return sign && rows[a].digits >= rows[b].digits &&
           (dtype_is_whole(a) || dtype_exponent_bits(a) >= dtype_exponent_bits(b));
}

lun_dtype lun_dtype_promoted(lun_dtype a, lun_dtype b)
{
    if (a >= b)
        return a == b ? a : lun_dtype_promoted(b, a);
    if (lun_dtype_has(a, LUN_PAIRS) || lun_dtype_has(b, LUN_PAIRS))
        return pair_of(lun_dtype_promoted(rows[a].part, rows[b].part));
    if (dtype_is_whole(a) != dtype_is_whole(b))
        return dtype_is_whole(a) ? b : a;
    if (is_within(b, a) || is_within(a, b))
        return is_within(b, a) ? a : b;
    return !dtype_is_whole(a) ? rows[a].computed : signed_beyond(lun_dtype_has(a, LUN_SIGNED) ? b : a);
}

lun_dtype lun_dtype_promoted_by(lun_dtype dtype, lun_number number)
{
    if (number.is_complex)
        return lun_dtype_promoted(dtype, LUN_c64);
    return number.is_integer ? dtype_arithmetic(dtype) : dtype_is_whole(dtype) ? LUN_f32 : dtype;
}

lun_dtype lun_dtype_joined(lun_dtype dtype, lun_number number, lun_dtype floats)
{
    const bool becomes = !number.is_integer && dtype_is_whole(dtype);
    return becomes && !number.is_complex ? floats : lun_dtype_promoted_by(becomes ? floats : dtype, number);
}

lun_dtype dtype_floating(lun_dtype dtype, lun_dtype floats)
{
    return dtype_computed(dtype_is_whole(dtype) ? floats : dtype);
}

lun_status dtype_check_real(lun_dtype dtype, const char *what, lun_error *err)
{
    if (!lun_dtype_has(dtype, LUN_PAIRS))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s takes real numbers, not %s", what, rows[dtype].name);
}

lun_status dtype_check_pairs(lun_dtype dtype, lun_error *err)
{
    if (lun_dtype_has(dtype, LUN_PAIRS))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s numbers are real; c64 or c128 is needed", rows[dtype].name);
}

lun_status dtype_check_ordered(lun_dtype dtype, lun_error *err)
{
    if (lun_dtype_has(dtype, LUN_ORDERED))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s numbers have no order; use their abs() or real()", rows[dtype].name);
}

lun_status dtype_check_cast(lun_dtype to, lun_dtype from, lun_error *err)
{
    if (lun_dtype_has(from, LUN_PAIRS) && (lun_dtype_traits(to) & (LUN_PAIRS | LUN_TRUTHS)) == 0)
        return fail(err, LUN_MISUSE,
                    "%s numbers have an imaginary part, which %s does not hold; take real(), imag() or abs()",
                    rows[from].name, rows[to].name);
    return LUN_OK;
}

/* Names of element types in other libraries and languages, in lower case, besides those that follow from the rows. */
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
    const lun_dtype computed = dtype_computed(dtype_arithmetic(dtype));
    lun_dtype_facts facts = {rows[dtype].name, rows[dtype].cl, dtype_encoding(dtype), "",
                             rows[dtype].part, computed,       rows[dtype].summed,    rows[dtype].digits};
    if (rows[dtype].letter)
        snprintf(facts.file, sizeof facts.file, lun_dtype_has(dtype, LUN_TRUTHS) ? "%s" : "%s%zu", numpy_word(dtype),
                 8 * rows[dtype].bytes);
    return facts;
}

/* Is that lower-case name the dtype's in NumPy, Torch, MATLAB, C or OpenCL C? */
static bool is_called(lun_dtype dtype, const char *name)
{
    char numpy[24], c[32], code[16];
    const bool brain = dtype == LUN_bf16;
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
        small[length] = ascii_lower(name[length]);
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
