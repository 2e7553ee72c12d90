/* Ordering by value: the dtype in which numbers of two dtypes are compared, and the dtype of a host's number that is
 * compared with an array. */
#include "base/order.h"
#include "base/dtype.h"
#include "base/error.h"

#include <math.h>

bool dtype_is_parted(lun_dtype integer, lun_dtype real)
{
    return dtype_is_whole(integer) && dtype_digits(integer) > dtype_digits(dtype_computed(real));
}

lun_dtype dtype_parted(lun_dtype dtype)
{
    return !dtype_is_whole(dtype) ? dtype_computed(dtype) : lun_dtype_has(dtype, LUN_SIGNED) ? LUN_i64 : LUN_u64;
}

ordering dtype_ordering(lun_dtype a, lun_dtype b, bool fp64)
{
    const lun_dtype both = lun_dtype_promoted(a, b);
    if (dtype_is_whole(a) == dtype_is_whole(b)) {
        const bool mixed =
            lun_dtype_has(a, LUN_SIGNED) != lun_dtype_has(b, LUN_SIGNED) && (a == LUN_u64 || b == LUN_u64);
        return (ordering){both, mixed};
    }
    const lun_dtype integer = dtype_is_whole(a) ? a : b, real = dtype_computed(both);
    if (!dtype_is_parted(integer, real))
        return (ordering){real, false};
    if (fp64 && !dtype_is_parted(integer, LUN_f64))
        return (ordering){LUN_f64, false};
    return (ordering){real, true};
}

/* Does the dtype hold the number? For u64 a negative integer is the number from 2^63 with the same 64 bits. */
static bool holds(lun_dtype dtype, lun_number number, lun_dtype array)
{
    uint64_t element[LUN_MOST_BYTES / 8];
    lun_error ignored;
    if (number.is_integer && number.integer < 0 && (dtype == LUN_u64) != (array == LUN_u64))
        return false;
    return (!number.is_integer && !dtype_is_whole(dtype)) ||
           lun_number_store(element, dtype, number, &ignored) == LUN_OK;
}

uint32_t lun_number_dtypes(lun_dtype array, lun_number number)
{
    uint32_t found = 0;
    for (int dtype = 0; dtype < LUN_DTYPES; dtype++) /* a float array has every number, rounded */
        if (!dtype_is_whole(array) ? dtype == (int)array : holds((lun_dtype)dtype, number, array))
            found |= (uint32_t)1 << dtype;
    return found;
}

lun_dtype lun_compared_dtype(lun_dtype array, bool fp64, uint32_t dtypes)
{
    const lun_dtype rows[] = {array, LUN_i64, LUN_u64, fp64 ? LUN_f64 : LUN_f32};
    for (size_t i = 0; i < COUNT(rows); i++)
        if (dtypes >> rows[i] & 1)
            return rows[i];
    return LUN_DTYPES;
}

double lun_number_outward(lun_number number, lun_dtype dtype, lun_dtype real, bool up)
{
    if (!number.is_integer)
        return number.real;
    const bool unsign = dtype == LUN_u64;
    const double whole = unsign ? (double)(uint64_t)number.integer : (double)number.integer;
    const double near = real == LUN_f32 ? (double)(float)whole : whole, to = up ? (double)INFINITY : -(double)INFINITY;
    const bool beyond = near >= (unsign ? 0x1p64 : 0x1p63);
    const bool above = beyond || (unsign ? (uint64_t)near > (uint64_t)number.integer : (int64_t)near > number.integer);
    const bool below = !beyond && (unsign ? (uint64_t)near < (uint64_t)number.integer : (int64_t)near < number.integer);
    if (up ? !below : !above)
        return near;
    return real == LUN_f32 ? (double)nextafterf((float)near, (float)to) : nextafter(near, to);
}
