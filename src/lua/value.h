/* Lua's values on their way to core. */
#pragma once

#include "binding.h"

_Noreturn void value_no_memory(lua_State *L);
/* The value at `index`, which stays on the stack or where the caller keeps it. What core gets of a list lives with the request,
 * but for objects in it, which are pushed. names: a list may have names beside its elements. [-0, +n] */
void value_read(lua_State *L, lun_value *out, lun_request *r, int index, bool names);
/* All arguments from one index to another, for each axis a position, a range {from, to, step} with parts missing, or nil. [-0, +0] */
void value_read_ranges(lua_State *L, lun_value *out, lun_request *r, int from, int last);
/* The same for the option `what`, of that kind: a list of positions becomes an array in its place. [-0, +n] */
void value_read_for(lua_State *L, lun_value *out, lun_request *r, lun_option_kind kind, int index, const char *what);
/* The table at `index` where the row has names rather than a list: true, or false where it is no such. [-0, +n] */
bool value_read_named(lua_State *L, lun_value *out, lun_request *r, const lun_operand *row, int index);
/* The value of LUN_OPTION_DATA: of a table its shape, as its elements are asked for later. [-0, +0] */
void value_read_data(lua_State *L, lun_value *out, lun_request *r, int index, bool names);
