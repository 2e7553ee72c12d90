/* Large strings that are filled in place, without a copy of their bytes. */
#ifndef LUNARRAY_BYTES_H
#define LUNARRAY_BYTES_H

#include "binding.h"

/* Memory for a string's bytes; whatever owns it is pushed. [-0, +1] */
char *bytes_begin(lua_State *L, size_t bytes);
/* Makes it the string, in place of its owner, which is on the top. [-1, +1] */
void bytes_end(lua_State *L);

#endif
