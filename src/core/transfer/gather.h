/* Elements of arrays in memory that the host sees. */
#pragma once

#include "lunarray.h"

/* All elements one behind the other, to `data` or from there. The array's block is seen (block_host), and nobody is using it. */
void gather_read(void *data, const lun_array *array);
void gather_write(const lun_array *array, const void *data);
