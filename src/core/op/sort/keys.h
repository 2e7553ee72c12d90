/* Values that a sorted array is asked for: an array, a number, or a list of numbers, which becomes an array. */
#ifndef LUN_OP_SORT_KEYS_H
#define LUN_OP_SORT_KEYS_H

#include "op/request.h"

typedef struct keys {
    const lun_array *values;
    lun_array *made; /* of a number, or of a list of them, in a dtype that has them all as the array has: */
    uint32_t dtypes; /* those that do, and the one of them */
    lun_dtype dtype;
    size_t shape[LUN_MAX_AXES], size, sent;
    int ndim;
    char *numbers;
    bool written;
} keys;

/* Argument 1. The array is argument 0. */
lun_status keys_read(keys *k, lun_request *r, lun_error *err);
/* Makes `values`, a slice of the work at each call. */
lun_status keys_send(bool *more, keys *k, lun_request *r, lun_error *err);

#endif
