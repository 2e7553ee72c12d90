/* Exact comparison of numbers of different dtypes, by value, without promotion. */
#pragma once

#include "lunarray.h"

/* The dtype that holds the values of both, in which they are compared. `parted`: there is none, as for u64 and i64, or
 * for i64 and f64; each value is then split into two numbers of this dtype, a head and a rest, which parts/order.cl
 * compares. */
typedef struct ordering {
    lun_dtype dtype;
    bool parted;
} ordering;

ordering dtype_ordering(lun_dtype a, lun_dtype b, bool fp64);
/* Must integers of a dtype be split into parts to be compared with floats of that dtype? */
bool dtype_is_parted(lun_dtype integer, lun_dtype real);
/* The dtype to which integers are converted before they are split: i64 or u64; floats keep the dtype of their
 * arithmetic. */
lun_dtype dtype_parted(lun_dtype dtype);
