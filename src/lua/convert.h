/* Between Lua's tables, strings and numbers and an array's bytes in host memory. */
#pragma once

#include "binding.h"

/* The shape of a nested table, from the first element of each depth, and its first number; a number has no axes. */
int convert_shape(lua_State *L, int index, size_t *shape, lun_number *first);
/* Writes a nested table of exactly that shape. Raises an error with the position of an element that does not fit; the
 * caller checks other keys of the outermost list. */
void convert_from_table(lua_State *L, int index, const lun_elements *data);
/* A nested table, or a number if there are no axes. [-0, +1] */
void convert_to_table(lua_State *L, const lun_elements *data);
