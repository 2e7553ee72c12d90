/* Positions on an axis, as views and element access take them. */
#ifndef LUNARRAY_VIEW_H
#define LUNARRAY_VIEW_H

#include "binding.h"

/* The position at `index`, counted from 1, or from the last where negative; raises out of range. The slice picks the
 * position and drops the axis. */
lun_slice view_position(lua_State *L, int index, const lun_array *array, int axis);

/* Reads axes in the order wanted, counted from 1: `count` arguments from `index` on, or one list. `axes` gets them counted
 * from 0; without any, all axes in reverse. */
void view_permutation(lua_State *L, int index, int count, const lun_array *array, int *axes);

/* Reads the part of the array that the slices pick; waits. No view of it outlives the call. */
lun_status view_read(void *data, const lun_array *array, const lun_slice *slices, lun_error *err);

#endif
