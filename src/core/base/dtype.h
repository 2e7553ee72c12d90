/* What core knows of a dtype besides what hosts do. */
#ifndef LUN_BASE_DTYPE_H
#define LUN_BASE_DTYPE_H

#include "lunarray.h"

const char *dtype_cl(lun_dtype dtype);      /* OpenCL C's storage type */
const char *dtype_compute(lun_dtype dtype); /* OpenCL C's arithmetic type */
char dtype_npy_letter(lun_dtype dtype);
/* The unsigned dtype of that many bytes, for programs that only move data. */
lun_dtype dtype_of_bytes(size_t bytes);
/* LUN_MISUSE where the device lacks that dtype. */
lun_status dtype_check_device(lun_dtype dtype, const lun_device *device, lun_error *err);

#endif
