/* Positions in lists, for all that takes them. */
#pragma once

#include "binding.h"

/* Puts an i64 array on that device in the place of the whole number at `index`, or the list of them, which messages call
 * `what`, or as arguments are called where that is NULL. Negative ones count from the last of `size`. [-0, +0] */
lun_array *index_from_list(lua_State *L, int index, const char *what, lun_device *device, size_t size);
