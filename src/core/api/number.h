/* A part of lunarray.h: errors, dtypes and numbers. */
#pragma once

/* ---- errors ---------------------------------------------------------------------------------- */

typedef enum lun_status {
    LUN_OK = 0,
    LUN_MISUSE,    /* the caller's mistake: shapes, dtypes, options, a released array */
    LUN_NO_MEMORY, /* device or host memory is short: collect, trim, and call once more */
    LUN_NO_DEVICE, /* no platform, no device, or none that fits */
    LUN_FAILED,    /* OpenCL refused a call, or a command failed on the device */
    LUN_BUILD,     /* a kernel did not compile: lun_device_build_log has the log */
    LUN_IO,        /* a file could not be read or written, or holds something else */
    LUN_NOT_NOTED /* the caller's mistake: an array stands for what a traced function will compute, and has no elements */
} lun_status;

/* What the caller may do about a mistake; hosts put it in their own words behind the message. */
typedef enum lun_hint {
    LUN_HINT_NONE,
    LUN_HINT_BRING_OVER,     /* copy the array to the other's device */
    LUN_HINT_MAKE_CONTIGUOUS /* copy the strided view into an array of its own */
} lun_hint;

typedef struct lun_error {
    lun_status status;
    int code;          /* OpenCL's error code, 0 if it is none of OpenCL's */
    char op[32];       /* the operation that failed on the device, or the OpenCL call that was refused */
    char message[512]; /* what was wrong, what came, what is needed; no trailing full stop */
    lun_hint hint;
} lun_error;

/* The name of an OpenCL error code, "CL_OUT_OF_RESOURCES"; "CL_UNKNOWN_ERROR" for one it does not know. */
const char *lun_error_name(int code);

/* ---- dtypes and numbers ------------------------------------------------------------------------ */

typedef enum lun_dtype {
#define DTYPE(name, ...) LUN_##name,
#include "../base/dtype.def"
#undef DTYPE
    LUN_DTYPES
} lun_dtype;

/* What elements are. */
enum {
    LUN_ORDERED = 1, /* of two elements one is less, or they are equal, or one is a NaN */
    LUN_WHOLE = 2,   /* integers; others are floats, or pairs of them */
    LUN_SIGNED = 4,
    LUN_NANS = 8,    /* there are NaN and infinities */
    LUN_TRUTHS = 16, /* 0 or 1, for hosts false and true; where they are computed with, they count as i64 */
    LUN_PAIRS = 32   /* complex numbers: a real and an imaginary part */
};

const char *lun_dtype_name(lun_dtype dtype);
size_t lun_dtype_bytes(lun_dtype dtype);
unsigned lun_dtype_traits(lun_dtype dtype);
static inline bool lun_dtype_has(lun_dtype dtype, unsigned traits)
{
    return (lun_dtype_traits(dtype) & traits) == traits;
}
/* The dtype of the parts that an element consists of: the dtype itself, or of a complex dtype the one of its two parts. */
lun_dtype lun_dtype_part(lun_dtype dtype);
/* The row of dtype.def. */
typedef struct lun_dtype_facts {
    const char *name, *stored, *encoding; /* stored: the OpenCL C type of an element */
    char file[16];                        /* NumPy's name, as .npy files have it; "": NumPy has no such type */
    lun_dtype part, computed, summed;
    unsigned digits; /* bits of the significand, or of the value */
} lun_dtype_facts;
lun_dtype_facts lun_dtype_facts_of(lun_dtype dtype);
/* The dtype of what is made of both: of two integers the smallest that holds both, i64 beside u64 for a signed one; of an integer
 * and a float the float; of two floats the wider, f32 where neither holds the other; with a complex one the complex dtype that
 * holds both. Two bools are held by one. */
lun_dtype lun_dtype_promoted(lun_dtype a, lun_dtype b);
/* The dtype of that name; unknown names are LUN_MISUSE with the list of known ones, and the one that is meant. */
lun_status lun_dtype_find(lun_dtype *out, const char *name, lun_error *err);
/* The name of the dtype that is meant by a name of NumPy, Torch, MATLAB, C or OpenCL C, in any case of letters; ours mean
 * themselves. NULL: none. */
const char *lun_dtype_meant(const char *name);

/* A host's number: an integer (u64 as the same 64 bits), a float, a complex number, or a truth value, which is an integer, 0 or 1.
 * `real` is set in all, `integer` in integers, `imaginary` in complex ones. `argument`: while a function is traced, which of its
 * numbers it is, from 1; 0: a number as any other. */
typedef struct lun_number {
    bool is_integer, is_complex, is_truth;
    uint16_t argument;
    int64_t integer;
    double real, imaginary;
} lun_number;

static inline lun_number lun_integer(int64_t value)
{
    lun_number number;
    number.argument = 0;
    number.is_integer = true;
    number.is_complex = number.is_truth = false;
    number.integer = value;
    number.real = (double)value;
    number.imaginary = 0;
    return number;
}

static inline lun_number lun_real(double value)
{
    lun_number number;
    number.argument = 0;
    number.is_integer = number.is_complex = number.is_truth = false;
    number.integer = 0;
    number.real = value;
    number.imaginary = 0;
    return number;
}

static inline lun_number lun_complex(double real, double imaginary)
{
    lun_number number;
    number.argument = 0;
    number.is_integer = number.is_truth = false;
    number.is_complex = true;
    number.integer = 0;
    number.real = real;
    number.imaginary = imaginary;
    return number;
}

static inline lun_number lun_truth(bool value)
{
    lun_number number;
    number.argument = 0;
    number.is_integer = number.is_truth = true;
    number.is_complex = false;
    number.integer = value;
    number.real = value;
    number.imaginary = 0;
    return number;
}

/* The dtype of what is made of an array of that dtype and a host's number, which never widens it: a float makes f32 of integers
 * alone, a complex number the complex dtype of what is there. bool counts as i64. */
lun_dtype lun_dtype_promoted_by(lun_dtype dtype, lun_number number);
/* The same where a float makes `floats` of integers. */
lun_dtype lun_dtype_joined(lun_dtype dtype, lun_number number, lun_dtype floats);
/* A number that is compared with an array of that dtype: a bit for each dtype that has its value, 1 << dtype. A float array's dtype
 * has all, rounded; u64 has negative integers as the same 64 bits, but beside another dtype. */
uint32_t lun_number_dtypes(lun_dtype array, lun_number number);
/* The dtype, of those that all of some numbers have, in which they are compared with the array: its own, i64, u64 or the widest float.
 * LUN_DTYPES: there is none. */
lun_dtype lun_compared_dtype(lun_dtype array, bool fp64, uint32_t dtypes);
/* The number of the float dtype `real`, f32 or f64, that is nearest to an element of `dtype` and not below it (up), or not above it. */
double lun_number_outward(lun_number number, lun_dtype dtype, lun_dtype real, bool up);
#define LUN_MOST_BYTES 16 /* of an element of any dtype */
/* Writes a number as one element; one that the dtype cannot hold is LUN_MISUSE. Floats are rounded to a float dtype, integers are not. */
lun_status lun_number_store(void *element, lun_dtype dtype, lun_number number, lun_error *err);
/* The same of a number that is computed with, or is in a file: integers are rounded, too. */
lun_status lun_number_round(void *element, lun_dtype dtype, lun_number number, lun_error *err);
/* Reads one element: integer dtypes give integers, float dtypes floats, complex ones complex numbers, bool truth values. */
lun_number lun_number_load(const void *element, lun_dtype dtype);
/* The number as a text, shortest to read it again: "7", "0.1", "2+3i", "true". Returns `text`. */
#define LUN_SCALAR_TEXT 72
char *lun_scalar_text(char text[LUN_SCALAR_TEXT], lun_number number);
/* The same, but a NaN without a sign, which printf would show. */
double lun_number_shown(double number);
/* The number as printf's %.<digits>g writes it, or for 0 its %a, with a point whatever the locale: kernels and files know no other.
 * Returns `text`. */
char *lun_number_text(char *text, size_t room, int digits, double number);
#define LUN_NUMBER_TEXT 32
/* For messages: with 14 digits, as Lua shows numbers, or as many as it takes to give the number again. Returns `text`. */
char *lun_number_digits(char text[LUN_NUMBER_TEXT], double number);
/* From here on printf and strtod have a point in numbers in this thread, until lun_locale_leave gets back what this gave. */
void *lun_locale_enter(void);
void lun_locale_leave(void *before);
uint16_t lun_half_from_double(double x); /* round to nearest even, overflow to infinity */
double lun_half_to_double(uint16_t half);
