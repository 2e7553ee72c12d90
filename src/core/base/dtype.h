/* dtypes inside the core: properties that lunarray.h does not show to hosts. */
#pragma once

#include "lunarray.h"

const char *dtype_cl(lun_dtype dtype); /* OpenCL C's storage type */
/* The dtype in which elements are computed, and the dtype of sums and products of many elements. */
lun_dtype dtype_computed(lun_dtype dtype);
lun_dtype dtype_summed(lun_dtype dtype);
/* The dtype of arithmetic among elements of that dtype: truth values count as i64. */
static inline lun_dtype dtype_arithmetic(lun_dtype dtype)
{
    return lun_dtype_has(dtype, LUN_TRUTHS) ? dtype_summed(dtype) : dtype;
}
/* The dtype that programs are built for: truth values are stored, moved and compared as bytes. */
static inline lun_dtype dtype_built(lun_dtype dtype)
{
    return lun_dtype_has(dtype, LUN_TRUTHS) ? dtype_computed(dtype) : dtype;
}
/* The dtype of computations that need f32, f64 or complex numbers: `floats` is that of integers and truth values. */
lun_dtype dtype_floating(lun_dtype dtype, lun_dtype floats);
const char *dtype_encoding(lun_dtype dtype); /* "PLAIN", or how elements are packed, as dtype.def says */
bool dtype_is_packed(lun_dtype dtype);       /* elements are unpacked before use, and computed in f32 */
/* For packed dtypes the suffix <how> of the functions pack_<how> and unpack_<how> in kernels; for others "". */
const char *dtype_packing(lun_dtype dtype);
/* The OpenCL C type for moving an element unchanged: for packed dtypes, its bits. */
const char *dtype_stored(lun_dtype dtype);
static inline bool dtype_is_whole(lun_dtype dtype) { return lun_dtype_has(dtype, LUN_WHOLE); }
unsigned dtype_digits(lun_dtype dtype); /* bits of the significand, or of the value */
unsigned dtype_exponent_bits(lun_dtype real);
char dtype_npy_letter(lun_dtype dtype); /* 0: NumPy has no such type */
/* For float dtypes: the number nearest to x, and the largest number below x, where x is a number of the dtype. */
double dtype_nearest(lun_dtype dtype, double x);
double dtype_below(lun_dtype dtype, double x);
bool dtype_holds(lun_dtype dtype, int64_t integer); /* can the float dtype represent the integer exactly? */
/* LUN_MISUSE if converting `from` to `to` loses imaginary parts. */
lun_status dtype_check_cast(lun_dtype to, lun_dtype from, lun_error *err);
/* LUN_MISUSE if elements are complex, which `what` does not take. */
lun_status dtype_check_real(lun_dtype dtype, const char *what, lun_error *err);
lun_status dtype_check_pairs(lun_dtype dtype, lun_error *err); /* LUN_MISUSE unless elements are complex */
/* LUN_MISUSE unless elements have an order. */
lun_status dtype_check_ordered(lun_dtype dtype, lun_error *err);
/* The unsigned dtype of that many bytes, for programs that only move data. */
lun_dtype dtype_of_bytes(size_t bytes);
/* The dtype whose programs add and multiply: integers become unsigned, for which wrapping is defined; floats stay. */
lun_dtype dtype_wrapping(lun_dtype dtype);
