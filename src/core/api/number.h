/* A part of lunarray.h: errors, dtypes and numbers. */
#pragma once

/* ---- errors ---------------------------------------------------------------------------------- */

typedef enum lun_status {
    LUN_OK = 0,
    LUN_MISUSE,    /* the caller's mistake: shapes, dtypes, options, a released array */
    LUN_NO_MEMORY, /* device or host memory is short: collect garbage, trim, and call again */
    LUN_NO_DEVICE, /* no platform, no device, or none that fits */
    LUN_FAILED,    /* OpenCL refused a call, or a command failed on the device */
    LUN_BUILD,     /* a kernel did not compile: lun_device_build_log has the log */
    LUN_IO,        /* a file could not be read or written, or has other contents */
    LUN_NOT_NOTED  /* the caller's mistake: a traced array, which has no elements */
} lun_status;

/* A hint for the caller; hosts append it to the message in their own words. */
typedef enum lun_hint {
    LUN_HINT_NONE,
    LUN_HINT_BRING_OVER,     /* copy the array to the other's device */
    LUN_HINT_MAKE_CONTIGUOUS /* copy the strided view into an array of its own */
} lun_hint;

typedef struct lun_error {
    lun_status status;
    int code;          /* OpenCL's error code; 0: not an error of OpenCL */
    char op[32];       /* the operation that failed on the device, or the OpenCL call that was refused */
    char message[512]; /* what was wrong, what came, what is needed; no trailing full stop */
    lun_hint hint;
} lun_error;

/* The name of an OpenCL error code, "CL_OUT_OF_RESOURCES"; "CL_UNKNOWN_ERROR" for an unknown code. */
const char *lun_error_name(int code);

/* ---- dtypes and numbers ------------------------------------------------------------------------ */

typedef enum lun_dtype {
#define DTYPE(name, ...) LUN_##name,
#include "../base/dtype.def"
#undef DTYPE
    LUN_DTYPES
} lun_dtype;

/* Properties of elements. */
enum {
    LUN_ORDERED = 1, /* any two elements that are not NaN can be ordered */
    LUN_WHOLE = 2,   /* integers; the others are floats, or pairs of floats */
    LUN_SIGNED = 4,
    LUN_NANS = 8,    /* there are NaN and infinities */
    LUN_TRUTHS = 16, /* 0 or 1, for hosts false and true; in arithmetic they count as i64 */
    LUN_PAIRS = 32   /* complex numbers: a real and an imaginary part */
};

const char *lun_dtype_name(lun_dtype dtype);
size_t lun_dtype_bytes(lun_dtype dtype);
unsigned lun_dtype_traits(lun_dtype dtype);
static inline bool lun_dtype_has(lun_dtype dtype, unsigned traits)
{
    return (lun_dtype_traits(dtype) & traits) == traits;
}
/* The dtype of an element's parts: the dtype itself, or for a complex dtype that of its two parts. */
lun_dtype lun_dtype_part(lun_dtype dtype);
/* The row of dtype.def. */
typedef struct lun_dtype_facts {
    const char *name, *stored, *encoding; /* stored: the OpenCL C type of an element */
    char file[16];                        /* NumPy's name, as in .npy files; "": NumPy has no such type */
    lun_dtype part, computed, summed;
    unsigned digits; /* bits of the significand, or of the value */
} lun_dtype_facts;
lun_dtype_facts lun_dtype_facts_of(lun_dtype dtype);
/* The dtype that both promote to: for two integers the smallest that holds both, i64 for u64 and a signed one; for an
 * integer and a float the float; for two floats the wider one, f32 if neither holds the other; with a complex dtype the
 * complex dtype that holds both. Two bools give bool. */
lun_dtype lun_dtype_promoted(lun_dtype a, lun_dtype b);
/* The dtype of that name; an unknown name is LUN_MISUSE, with the known names and the one that is probably meant. */
lun_status lun_dtype_find(lun_dtype *out, const char *name, lun_error *err);
/* The name of the dtype for a name of NumPy, Torch, MATLAB, C or OpenCL C, in any case of letters, or for our own name.
 * NULL: none. */
const char *lun_dtype_meant(const char *name);

/* A host's number: an integer (u64 as the same 64 bits), a float, a complex number, or a truth value, which is an
 * integer, 0 or 1. `real` is always set, `integer` in integers, `imaginary` in complex numbers. `argument`: while a
 * function is traced, the position of the number among its arguments, from 1; 0: an ordinary number. */
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

/* The dtype that an array of that dtype and a host's number promote to. A number never widens a dtype: a float changes
 * only integers, to f32, and a complex number gives the complex counterpart. bool counts as i64. */
lun_dtype lun_dtype_promoted_by(lun_dtype dtype, lun_number number);
/* The same, but a float changes integers to `floats`. */
lun_dtype lun_dtype_joined(lun_dtype dtype, lun_number number, lun_dtype floats);
/* For comparing a number with an array of that dtype: a bit, 1 << dtype, for each dtype that holds the number's value.
 * A float array's dtype holds all numbers, rounded; u64 holds negative integers as the same 64 bits, except next to
 * another dtype. */
uint32_t lun_number_dtypes(lun_dtype array, lun_number number);
/* The dtype, among those whose bits are set, in which numbers are compared with the array: its own, i64, u64 or the
 * widest float. LUN_DTYPES: there is none. */
lun_dtype lun_compared_dtype(lun_dtype array, bool fp64, uint32_t dtypes);
/* The number of the float dtype `real`, f32 or f64, that is nearest to an element of `dtype` and not below it (up), or not above it. */
double lun_number_outward(lun_number number, lun_dtype dtype, lun_dtype real, bool up);
#define LUN_MOST_BYTES 16 /* of an element of any dtype */
/* Writes a number as one element; a number that the dtype cannot hold is LUN_MISUSE. Floats are rounded to a float
 * dtype; integers must be exact. */
lun_status lun_number_store(void *element, lun_dtype dtype, lun_number number, lun_error *err);
/* The same for an operand, or a number in a file: integers are rounded too. */
lun_status lun_number_round(void *element, lun_dtype dtype, lun_number number, lun_error *err);
/* Reads one element: an integer, a float, a complex number or a truth value, according to the dtype. */
lun_number lun_number_load(const void *element, lun_dtype dtype);
/* The shortest text that reads back as the number: "7", "0.1", "2+3i", "true". Returns `text`. */
#define LUN_SCALAR_TEXT 72
char *lun_scalar_text(char text[LUN_SCALAR_TEXT], lun_number number);
/* The same, but without the sign of a NaN, which printf would show. */
double lun_number_shown(double number);
/* The number as written by printf's %.<digits>g, or for 0 digits by %a, with a point in any locale, as kernels and
 * files need it. Returns `text`. */
char *lun_number_text(char *text, size_t room, int digits, double number);
#define LUN_NUMBER_TEXT 32
/* For messages: with 14 digits, as Lua shows numbers, or with as many as are needed to read back the number. Returns
 * `text`. */
char *lun_number_digits(char text[LUN_NUMBER_TEXT], double number);
/* From here on printf and strtod use a point in numbers, in this thread, until lun_locale_leave is called with the
 * result. */
void *lun_locale_enter(void);
void lun_locale_leave(void *before);
uint16_t lun_half_from_double(double x); /* round to nearest even, overflow to infinity */
double lun_half_to_double(uint16_t half);
