/* What a mask chooses, for all that chooses by masks. */
#ifndef LUNARRAY_INDEX_H
#define LUNARRAY_INDEX_H

#include "task.h"

/* Counts what is true: waits. Pushes the counts, for the core, to be cleared when that has them. [-0, +1] */
size_t index_count_mask(lua_State *L, lun_array **counts, const lun_array *mask, const task *t);

#endif
