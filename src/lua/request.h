/* The methods of operations that core runs. */
#ifndef LUNARRAY_REQUEST_H
#define LUNARRAY_REQUEST_H

#include "binding.h"

#define REQUEST_DEFAULT_DEVICE 0x100000 /* beside the row's position in UP_NUMBER: a function of the module */

extern const lun_manner lua_manner; /* how messages speak of Lua's values */

/* Any of them: UP_NUMBER is the row's position in core's table. */
int request_call(lua_State *L);
/* Adds those of that owner to the table on the top. [-0, +0] */
void request_methods(lua_State *L, lun_owner owner, bool default_device);

#endif
