/* Options in tables, beside the elements of a list too. */
#pragma once

#include "binding.h"

/* Pushes the key from which lua_next finds the names in a table, or beside a list; of a long list the elements are not walked
 * through. False where known names are to be looked up as well, as Lua may keep them between the last elements. [-0, +1] */
bool options_push_start(lua_State *L, int index, bool list);
/* Does such a long list have any of the known names? [-0, +0] */
bool options_known(lua_State *L, const lun_option *known, int index);
/* Does the table at `index` have named fields? [-0, +0] */
bool options_named(lua_State *L, int index);
