/* Writing an array from Lua's values: used by a:write and by dev:array. */
#ifndef LUNARRAY_TRANSFER_H
#define LUNARRAY_TRANSFER_H

#include "binding.h"

/* Raises unless a string of that length holds an array of that shape. */
void transfer_check_string(lua_State *L, size_t length, lun_dtype dtype, int ndim, const size_t *shape);
/* Each enqueues a write of the whole array, which stays anchored. [-0, +0] */
void transfer_write_string(lua_State *L, const lun_array *array, int index, const lun_call *call);
/* Writes a table of exactly that shape, which has as many elements as the array. */
void transfer_write_table(lua_State *L, const lun_array *array, int index, int ndim, const size_t *shape,
                          const lun_call *call);
/* Copies an array of any device; waits for one of another device. */
void transfer_copy(lua_State *L, const lun_array *out, const lun_array *in, const lun_call *call);

#endif
