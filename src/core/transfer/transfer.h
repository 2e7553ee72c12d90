/* Transfers: what the room shares. */
#pragma once

#include "lunarray.h"

/* Writes from `data`, which is not read any more when the function returns; waits for the transfer, but for nothing
 * else. *written: false, and nothing is done, where the array is in use, or staging memory is no slower. */
lun_status array_write_from(bool *written, const lun_array *array, const void *data, const lun_call *call,
                            lun_error *err);
