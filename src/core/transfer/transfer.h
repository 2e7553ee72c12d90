/* Transfers: declarations shared by the room. */
#pragma once

#include "lunarray.h"

/* Writes from `data`, which is no longer read when the function returns; waits only for the transfer. *written is
 * false, and nothing is done, if the array is in use, or staging memory is not slower. */
lun_status array_write_from(bool *written, const lun_array *array, const void *data, const lun_call *call,
                            lun_error *err);
