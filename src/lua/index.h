/* Positions and parameters in lists, for all that takes them. */
#pragma once

#include "binding.h"

/* Puts an array on that device in the place of the number at `index`, or the nested list of them, which messages call `what`, or as
 * arguments are called where that is NULL. Negative ones count from the last of `size`, of i64, or do not: 0. [-0, +0] */
lun_array *index_from_list(lua_State *L, int index, const char *what, lun_device *device, lun_dtype dtype, size_t size);
