/* Options in tables, beside the elements of a list too. */
#include "options.h"

#define WALKED 256 /* elements of a list among which unknown names are looked for one by one */

bool options_push_start(lua_State *L, int index, bool list)
{
    const size_t length = list ? lua_rawlen(L, index) : 0;
    if (length <= WALKED)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)length);
    return length <= WALKED;
}

bool options_known(lua_State *L, const lun_option *known, int index)
{
    bool any = false;
    for (const lun_option *row = known; row->name != NULL && !any && lua_rawlen(L, index) > WALKED; row++) {
        lua_pushstring(L, row->name);
        any = lua_rawget(L, index) != LUA_TNIL;
        lua_pop(L, 1);
    }
    return any;
}

bool options_named(lua_State *L, int index)
{
    for (options_push_start(L, index, true); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            lua_pop(L, 2);
            return true;
        }
    }
    return false;
}
