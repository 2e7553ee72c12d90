/* .npy files and members of archives: what the room shares. */
#pragma once

#include "lunarray.h"
#include "packages/files/input.h"

#define NPY_MAGIC "\x93NUMPY"
#define NPY_HEADER 512 /* bytes that the longest header we write fits in */

/* Reads a new array, from the header on. A member is read to its end, for its check sum. */
lun_status npy_load(lun_array *out, lun_device *device, input *in, lun_error *err);
/* Reads no more than the header, and says how many bytes the array has. */
lun_status npy_announced(uint64_t *bytes, const lun_device *device, input *in, lun_error *err);
/* LUN_NO_MEMORY unless the device and the machine have room for that many bytes, and for the largest array in one piece. */
lun_status npy_check_room(const lun_device *device, uint64_t all, uint64_t largest, const char *name, lun_error *err);
/* Writes a header of version 1 to `text` of NPY_HEADER bytes; gives its length, a multiple of 64. */
size_t npy_write_header(char *text, lun_dtype dtype, int ndim, const size_t *shape);
/* The dtype that the file names: the array's own, or, where NumPy lacks that, the unsigned integers of its width if `as` says
 * so. */
lun_status npy_find_saved(lun_dtype *out, const lun_array *array, const char *as, lun_error *err);
