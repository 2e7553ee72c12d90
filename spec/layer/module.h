/* The parts of the Lua module "layer", each a list of functions. */
#pragma once

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

extern const luaL_Reg memory_functions[]; /* memory.c */
extern const luaL_Reg stop_functions[];   /* stop.c */
extern const luaL_Reg state_functions[];  /* states.c */
