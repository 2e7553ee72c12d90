/* Functions of the user's that a request calls while it runs, and the views of core's arrays that it lends them. */
#include "call.h"
#include "request.h"
#include "value.h"

enum {
    GIVEN = 1
}; /* in the table of what it has lent, where each view is at core's array, what a function gave last */

/* Pushes the table of what the request has lent. [-0, +1] */
static void push_lent(lua_State *L, request_object *object)
{
    if (!object->has_views) {
        lua_newtable(L);
        lua_setiuservalue(L, object->at, 1);
        object->has_views = true;
    }
    lua_getiuservalue(L, object->at, 1);
}

/* Pushes the view of core's array that functions get. [-0, +1] */
static lun_array *push_lent_view(lua_State *L, request_object *object, const lun_array *array)
{
    lun_error err;
    push_lent(L, object);
    if (lua_rawgetp(L, -1, array) == LUA_TNIL) {
        lua_pop(L, 1);
        (void)array_push_private(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, -3, array);
    }
    lua_remove(L, -2);
    lun_array *view = lua_touserdata(L, -1);
    if (view->block != array->block || view->offset != array->offset) {
        lun_array_clear(view);
        if (lun_array_view(view, array, &err) != LUN_OK)
            call_raise(L, array->device, &err);
    }
    return view;
}

void lent_ask(lua_State *L, request_object *object)
{
    const lun_ask *ask = &object->request.ask;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_pushvalue(L, (int)ask->function->function);
    if (ask->to == NULL) {
        lua_pushinteger(L, (lua_Integer)ask->step);
        lua_pushnumber(L, ask->residual);
        return;
    }
    (void)push_lent_view(L, object, ask->from);
    (void)push_lent_view(L, object, ask->to);
}

void lent_take(lua_State *L, request_object *object)
{
    lun_request *r = &object->request;
    const int top = lua_gettop(L);
    r->wish = LUN_WISH_NOTHING;
    if (r->ask.to != NULL) {
        push_lent(L, object);
        lua_rawgetp(L, top + 1, r->ask.from);
        lua_rawgetp(L, top + 1, r->ask.to);
        const lun_array *from = lua_touserdata(L, top + 2), *to = lua_touserdata(L, top + 3);
        value_read(L, &r->ask.given, r, top, false);
        if (lua_isnil(L, top))
            r->ask.given.kind = LUN_VALUE_NOTHING;
        r->ask.lost = !lun_array_is_live(from) || !lun_array_is_live(to);
        if (r->ask.given.kind == LUN_VALUE_ARRAY && r->ask.given.array == to && lun_array_is_live(to))
            r->ask.given.array = (lun_array *)r->ask.to;
        lua_pushvalue(L, top);
        lua_rawseti(L, top + 1, GIVEN);
    }
    lua_settop(L, top - 1);
}

int lent_close(lua_State *L)
{
    request_object *object = object_test(L, 1, CLASS_REQUEST);
    lua_settop(L, 1);
    if (object->has_views && lua_getiuservalue(L, 1, 1) == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1))
            if (lua_type(L, 3) == LUA_TLIGHTUSERDATA)
                lun_array_clear(lua_touserdata(L, 4));
    lua_pushnil(L);
    lua_setiuservalue(L, 1, 1);
    object->has_views = false;
    lun_request_clear(&object->request);
    return 0;
}
