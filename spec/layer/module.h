/* The parts of the Lua module "layer", each a list of functions. */
#ifndef MODULE_H
#define MODULE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

extern const luaL_Reg memory_functions[]; /* memory.c */
extern const luaL_Reg stop_functions[];   /* stop.c */
extern const luaL_Reg state_functions[];  /* states.c */

#endif
