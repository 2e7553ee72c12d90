/* Between Lua's tables, strings and numbers and an array's bytes in host memory. */
#ifndef LUNARRAY_CONVERT_H
#define LUNARRAY_CONVERT_H

#include "binding.h"

/* The shape of a nested table, from the first element of each depth; a number has no axes. */
int convert_shape(lua_State *L, int index, size_t *shape);
/* Writes a nested table of exactly that shape; anything else raises with the position, but for odd keys
 * beside the outermost list. */
void convert_from_table(lua_State *L, int index, void *data, lun_dtype dtype, int ndim, const size_t *shape);
/* A nested table, or a number if there are no axes. [-0, +1] */
void convert_to_table(lua_State *L, const void *data, lun_dtype dtype, int ndim, const size_t *shape);

#endif
