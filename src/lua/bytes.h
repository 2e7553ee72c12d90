/* Large strings that are filled in place, without a copy of their bytes. */
#pragma once

#include "binding.h"

/* Memory for the bytes of a string, and pushes the owner of that memory. [-0, +1] */
char *bytes_begin(lua_State *L, size_t bytes);
/* Replaces the owner, which is on the top, by the string. [-1, +1] */
void bytes_end(lua_State *L);
