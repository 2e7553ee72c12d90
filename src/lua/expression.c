/* Expressions in OpenCL C with their arguments, as dev:map and dev:reduce take them. */
#include "expression.h"
#include "call.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

void expression_check_room(lua_State *L, const char *what, size_t arrays, size_t numbers)
{
    if (arrays > LUN_MAP_ARRAYS)
        misuse(L, "%s has more than %d arrays and results", what, LUN_MAP_ARRAYS);
    if (numbers > LUN_MAP_NUMBERS)
        misuse(L, "%s has more than %d numbers", what, LUN_MAP_NUMBERS);
    luaL_checkstack(L, 8 * LUN_MAP_ARRAYS, NULL);
}

bool expression_push_outs(lua_State *L, const options *o, size_t count, const lun_array **outs)
{
    const int given = option_push(L, o, "out");
    const bool list = given != 0 && lua_type(L, given) == LUA_TTABLE;
    if (list && lua_rawlen(L, given) != count)
        misuse(L, "out has %I arrays, and there are %I results", (LUAI_UACINT)lua_rawlen(L, given), (LUAI_UACINT)count);
    if (given != 0 && !list && count != 1)
        misuse(L, "out is one array, and there are %I results: a list of arrays is wanted", (LUAI_UACINT)count);
    for (size_t i = 0; i < count; i++) {
        if (list)
            lua_rawgeti(L, given, (lua_Integer)i + 1);
        else if (given != 0)
            lua_pushvalue(L, given);
        outs[i] = given == 0 ? array_push(L) : object_test(L, -1, CLASS_ARRAY);
        if (outs[i] == NULL)
            misuse(L, "option 'out': an array or a list of arrays is wanted, got %s", object_kind(L, -1));
    }
    return given != 0;
}

void expression_refuse_op(lua_State *L, const char *name, const char *own, const lun_error *err)
{
    if (err->status != LUN_MISUSE || lun_expression_is_name(name) || name[0] == '\0')
        call_raise(L, NULL, err);
    misuse(L, "%s; an operator of your own stands in a table, %s", err->message, own);
}
