/* Positions in lists, and what a mask chooses, for all that takes either. */
#ifndef LUNARRAY_INDEX_H
#define LUNARRAY_INDEX_H

#include "task.h"

/* Puts an i64 array on that device in the place of the list of whole numbers at `index`, which messages call `what`, or as
 * arguments are called where that is NULL. [-0, +0] */
lun_array *index_from_list(lua_State *L, int index, const char *what, lun_device *device);
/* Counts what is true: waits. Pushes the counts, for the core, to be cleared when that has them. [-0, +1] */
size_t index_count_mask(lua_State *L, lun_array **counts, const lun_array *mask, const task *t);

#endif
