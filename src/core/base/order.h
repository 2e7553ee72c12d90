/* Exact comparison of numbers of different dtypes, by value, without promotion. */
#pragma once

#include "lunarray.h"

/* The dtype that holds the values of both and in which they are compared. `parted`: there is none, as of u64 and i64, or of i64 and f64;
 * then each is made of two numbers of this dtype, a head and a rest, which parts/order.cl compares. */
typedef struct ordering {
    lun_dtype dtype;
    bool parted;
} ordering;

ordering dtype_ordering(lun_dtype a, lun_dtype b, bool fp64);
/* Do elements of an integer dtype need parts beside floats of that dtype? */
bool dtype_is_parted(lun_dtype integer, lun_dtype real);
/* The dtype whose elements are parted in place of an integer dtype's: i64 or u64; floats stay, as they are computed. */
lun_dtype dtype_parted(lun_dtype dtype);
