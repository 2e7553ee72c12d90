/* What a request gives beside its arrays and numbers: a solver's report, the names of a text's columns, and columns of texts. */
#include "check.h"
#include "request.h"

#include <string.h>

/* What a solver says beside its x. [-0, +1] */
static void push_report(lua_State *L, const lun_report *report)
{
    lua_createtable(L, 0, 4);
    set_flag(L, "converged", report->converged);
    set_count(L, "steps", (uint64_t)report->steps);
    set_number(L, "residual", report->residual);
    lua_createtable(L, (int)report->count, 0);
    for (size_t i = 0; i < report->count; i++) {
        lua_pushnumber(L, report->history[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "history");
}

/* Names in a list that also has the position of each name, of the first where several are the same. [-0, +1] */
static void push_names(lua_State *L, const lun_request *r)
{
    lua_createtable(L, (int)r->name_count, (int)r->name_count);
    for (size_t i = r->name_count; i > 0; i--) {
        lua_pushinteger(L, (lua_Integer)i);
        lua_setfield(L, -2, r->names[i - 1]);
        lua_pushstring(L, r->names[i - 1]);
        lua_rawseti(L, -2, (lua_Integer)i);
    }
}

/* Lists of texts, in order and by the names of their columns. [-0, +1] */
static void push_texts(lua_State *L, const lun_texts *texts)
{
    const char *text = texts->bytes;
    lua_createtable(L, (int)texts->count, (int)texts->count);
    for (size_t i = texts->count; i > 0; i--) {
        lua_createtable(L, (int)texts->rows, 0);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, (lua_Integer)i);
        if (*texts->names[i - 1])
            lua_setfield(L, -2, texts->names[i - 1]);
        else
            lua_pop(L, 1);
    }
    for (size_t at = 0; at < texts->rows * texts->count; at++) {
        lua_rawgeti(L, -1, (lua_Integer)(at % texts->count) + 1);
        lua_pushstring(L, text);
        lua_rawseti(L, -2, (lua_Integer)(at / texts->count) + 1);
        lua_pop(L, 1);
        text += strlen(text) + 1;
    }
}

int request_push_beside(lua_State *L, const lun_request *r)
{
    if (r->report != NULL)
        push_report(L, r->report);
    if (r->names != NULL)
        push_names(L, r);
    else if (r->has_texts)
        lua_pushnil(L);
    if (r->has_texts)
        push_texts(L, &r->texts);
    return (r->report != NULL) + (r->names != NULL || r->has_texts) + r->has_texts;
}
