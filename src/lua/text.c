/* Numbers as text, with a point whatever the locale is: lua_pushfstring's %f and luaL_tolstring have the locale's mark. */
#include "check.h"

#include <math.h>
#include <string.h>

const char *number_text(lua_State *L, int index)
{
    char text[LUN_NUMBER_TEXT];
    if (lua_isinteger(L, index))
        return lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, index));
    lun_number_digits(text, lua_tonumber(L, index));
    const bool whole = text[strspn(text, "-0123456789")] == '\0';
    return lua_pushfstring(L, "%s%s", text, whole ? ".0" : "");
}

const char *value_text(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TNUMBER ? number_text(L, index) : luaL_tolstring(L, index, NULL);
}

/* _plain(f, ...): what f gives, called while Lua reads and writes numbers with a point. f does not yield. */
static int text_plain(lua_State *L)
{
    void *before = lun_locale_enter();
    const int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    lun_locale_leave(before);
    return status == LUA_OK ? lua_gettop(L) : lua_error(L);
}

const luaL_Reg text_functions[] = {{"_plain", text_plain}, {NULL, NULL}};
