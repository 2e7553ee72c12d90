/* Elements of arrays in memory that the host sees. */
#pragma once

#include "lunarray.h"

/* Copies all elements to `data` or from it, contiguously. The host sees the array's block (block_host), and no
 * operation uses it. */
void gather_read(void *data, const lun_array *array);
void gather_write(const lun_array *array, const void *data);
