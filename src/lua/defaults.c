/* The default dtype and device of calls: lun.default_dtype, dev:default_dtype, LUNARRAY_DTYPE and lun.with.
 *
 * lun.with leaves a mark while its function runs: a to-be-closed userdata below the call, so that an error passes on
 * uncaught, and a coroutine that is closed gives the defaults back. SLOT_DEFAULTS has the innermost mark of each
 * coroutine, by weak keys. A coroutine without a mark of its own uses that of the coroutines around it: the last one
 * entered among those that have not yielded. Each mark has both defaults, because an inner one inherits the default
 * that it does not set.
 */
#include "call.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* User values of a mark: the one before in its coroutine, and its device. */
enum { MARK_OUTER = 1, MARK_DEVICE, MARK_VALUES = MARK_DEVICE };

#define NO_DTYPE LUN_bool /* which is not a default */
_Static_assert(NO_DTYPE == 0, "objects are zeroed at first");

typedef struct mark_object {
    uint64_t entered; /* a number that rises from mark to mark; 0: it is closed */
    lun_dtype dtype;  /* or NO_DTYPE */
    bool reproducible;
} mark_object;

/* ---- dtypes -------------------------------------------------------------------------------------------------------- */

static lun_status find_float(lun_dtype *out, const char *name, lun_error *err)
{
    const lun_status status = lun_dtype_find(out, name, err);
    if (status != LUN_OK || !(lun_dtype_has(*out, LUN_WHOLE) || lun_dtype_has(*out, LUN_PAIRS)))
        return status;
    err->status = LUN_MISUSE;
    snprintf(err->message, sizeof err->message, "a float dtype is expected (f16, bf16, f32 or f64), got %s",
             lun_dtype_name(*out));
    return LUN_MISUSE;
}

static lun_dtype check_float(lua_State *L, const char *name, const char *place)
{
    lun_error err = {0};
    lun_dtype dtype;
    if (find_float(&dtype, name, &err) != LUN_OK)
        misuse(L, "%s: %s", place, err.message);
    return dtype;
}

/* The environment applies until the program sets the default. */
static binding *defaults_read(lua_State *L)
{
    binding *b = binding_of(L);
    if (b->dtype != NO_DTYPE)
        return b;
    const char *name = getenv("LUNARRAY_DTYPE");
    b->dtype = name != NULL && *name != '\0' ? check_float(L, name, "LUNARRAY_DTYPE") : LUN_f32;
    return b;
}

/* ---- marks --------------------------------------------------------------------------------------------------------- */

/* The mark that holds in this coroutine, or nil. [-0, +1] */
static mark_object *push_mark(lua_State *L)
{
    luaL_checkstack(L, 8, NULL);
    lua_getiuservalue(L, UP_BINDING, SLOT_DEFAULTS);
    const int marks = lua_gettop(L);
    lua_pushthread(L);
    if (lua_rawget(L, marks) == LUA_TNIL) {
        const mark_object *last = NULL;
        for (lua_pushnil(L);
             lua_next(L, marks) != 0;) { /* a mark stays in its coroutine's entry, and on that one's stack */
            const mark_object *mark = lua_touserdata(L, -1);
            const bool runs = lua_status(lua_tothread(L, -2)) == LUA_OK;
            if (!runs || (last != NULL && mark->entered < last->entered)) {
                lua_pop(L, 1);
                continue;
            }
            last = mark;
            lua_replace(L, marks + 1);
        }
    }
    lua_replace(L, marks);
    return lua_touserdata(L, marks);
}

/* __close of a mark: the one before it holds again. */
static int defaults_close(lua_State *L)
{
    mark_object *mark = object_test(L, 1, CLASS_DEFAULTS);
    if (mark == NULL || mark->entered == 0)
        return 0;
    mark->entered = 0;
    binding_of(L)->marks--;
    lua_settop(L, 1);
    lua_getiuservalue(L, UP_BINDING, SLOT_DEFAULTS);
    lua_pushthread(L);
    lua_getiuservalue(L, 1, MARK_OUTER);
    lua_rawset(L, 2);
    return 0;
}

const object_class defaults_class = {
    .kind = "defaults",
    .metamethods = (const luaL_Reg[]){{"__close", defaults_close}, {NULL, NULL}},
};

/* ---- what others ask ----------------------------------------------------------------------------------------------- */

lun_dtype defaults_dtype(lua_State *L, const lun_device *device)
{
    const binding *b = defaults_read(L);
    lun_dtype dtype = NO_DTYPE;
    const int top = lua_gettop(L);
    if (b->marks > 0) {
        const mark_object *mark = push_mark(L);
        dtype = mark != NULL ? mark->dtype : NO_DTYPE;
    }
    if (dtype == NO_DTYPE && b->device_dtypes && device != NULL) {
        device_push(L, device);
        dtype = ((const device_object *)lua_touserdata(L, -1))->dtype;
    }
    lua_settop(L, top);
    return dtype != NO_DTYPE ? dtype : b->dtype;
}

bool defaults_reproducible(lua_State *L)
{
    if (binding_of(L)->marks == 0)
        return false;
    const mark_object *mark = push_mark(L);
    lua_pop(L, 1);
    return mark != NULL && mark->reproducible;
}

bool defaults_push_device(lua_State *L)
{
    if (binding_of(L)->marks == 0)
        return false;
    const int top = lua_gettop(L);
    const bool any = push_mark(L) != NULL && lua_getiuservalue(L, -1, MARK_DEVICE) != LUA_TNIL;
    if (any)
        lua_replace(L, top + 1);
    lua_settop(L, top + any);
    return any;
}

/* ---- lun.default_dtype, dev:default_dtype ---------------------------------------------------------------------------- */

/* The current default, or a new one: within a function of lun.with until that ends. */
static int module_default_dtype(lua_State *L)
{
    check_function(L, 1);
    check_given(L, 2, "a dtype (a string, as \"f64\")");
    binding *b = defaults_read(L);
    if (lua_isnone(L, 2)) {
        lua_pushstring(L, lun_dtype_name(defaults_dtype(L, NULL)));
        return 1;
    }
    const lun_dtype dtype = check_float(L, check_string(L, 2, "a dtype (a string, as \"f64\")"), "argument 1");
    mark_object *mark = b->marks > 0 ? push_mark(L) : NULL;
    if (mark != NULL)
        mark->dtype = dtype;
    else
        b->dtype = dtype;
    lua_pushstring(L, lun_dtype_name(dtype));
    return 1;
}

int device_default_dtype(lua_State *L)
{
    device_object *self = check_self(L, CLASS_DEVICE, 1);
    check_given(L, 2, "a dtype (a string, as \"f64\")");
    if (!lua_isnone(L, 2)) {
        self->dtype = check_float(L, check_string(L, 2, "a dtype (a string, as \"f64\")"), "argument 1");
        binding_of(L)->device_dtypes = true;
    }
    lua_pushstring(L, lun_dtype_name(defaults_dtype(L, self->device)));
    return 1;
}

/* ---- lun.with -------------------------------------------------------------------------------------------------------- */

static int give_results(lua_State *L, int status, lua_KContext mark)
{
    (void)status;
    return lua_gettop(L) - (int)mark;
}

/* What lun.with gives: f(...) with these defaults. UP_NUMBER is the dtype, upvalue 4 the device or nil, 5 a boolean or nil. */
static int with_run(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TFUNCTION)
        misuse(L, "a function is expected after the table, lun.with{dtype = \"f64\"}(f, ...); got %s",
               object_kind(L, 1));
    binding *b = binding_of(L);
    const int arguments = lua_gettop(L) - 1;
    luaL_checkstack(L, arguments + 16, NULL);
    mark_object *mark = object_push(L, CLASS_DEFAULTS, sizeof *mark, MARK_VALUES);
    lua_insert(L, 1);
    const mark_object *outer = b->marks > 0 ? push_mark(L) : NULL;
    mark->dtype = (lun_dtype)lua_tointeger(L, UP_NUMBER);
    if (mark->dtype == NO_DTYPE && outer != NULL)
        mark->dtype = outer->dtype;
    mark->reproducible = lua_isnil(L, lua_upvalueindex(5)) ? outer != NULL && outer->reproducible
                                                           : lua_toboolean(L, lua_upvalueindex(5)) != 0;
    lua_pushvalue(L, lua_upvalueindex(4));
    if (lua_isnil(L, -1) && outer != NULL)
        lua_getiuservalue(L, -2, MARK_DEVICE);
    lua_setiuservalue(L, 1, MARK_DEVICE);
    lua_settop(L, arguments + 2);

    lua_getiuservalue(L, UP_BINDING, SLOT_DEFAULTS);
    lua_pushthread(L);
    lua_rawget(L, -2);
    lua_setiuservalue(L, 1, MARK_OUTER);
    lua_pushthread(L);
    lua_pushvalue(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    mark->entered = ++b->entered;
    b->marks++;
    lua_toclose(L, 1);
    lua_callk(L, arguments, LUA_MULTRET, 1, give_results);
    return give_results(L, LUA_OK, 1);
}

/* Options of the table at index 2; the device goes to index 3, and `reproducible` to index 4. */
static void read_with(lua_State *L, lua_Integer *dtype)
{
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_settop(L, 5)) {
        const char *name = value_text(L, 5);
        if (strcmp(name, "dtype") == 0) {
            *dtype = check_float(L, check_text(L, 6, "option 'dtype'"), "option 'dtype'");
        } else if (strcmp(name, "device") == 0) {
            device_push_chosen(L, 6, "option 'device'");
            lua_replace(L, 3);
        } else if (strcmp(name, "reproducible") == 0) {
            if (lua_type(L, 6) != LUA_TBOOLEAN)
                misuse(L, "option 'reproducible' must be true or false, got %s", object_kind(L, 6));
            lua_pushvalue(L, 6);
            lua_replace(L, 4);
        } else {
            misuse(L, "unknown option '%s'; known are dtype, device, reproducible", name);
        }
    }
}

/* lun.with{dtype = "f64", device = d, reproducible = true}(f, ...), or lun.with("f64")(f, ...) */
static int module_with(lua_State *L)
{
    lua_Integer dtype = NO_DTYPE;
    check_function(L, 1);
    const bool text = lua_type(L, 2) == LUA_TSTRING;
    if (!text && !object_is_table(L, 2))
        check_refuse(L, 2, "a dtype (a string, as \"f64\") or a table of options");
    lua_settop(L, 4);
    if (text)
        dtype = check_float(L, check_text(L, 2, "argument 1"), "argument 1");
    else
        read_with(L, &dtype);
    if (dtype == NO_DTYPE && lua_isnil(L, 3) && lua_isnil(L, 4))
        misuse(L, "a dtype, a device or reproducible is expected: lun.with{dtype = \"f64\"}(f, ...)");
    lua_pushvalue(L, UP_BINDING);
    lua_pushliteral(L, "with");
    lua_pushinteger(L, dtype);
    lua_pushvalue(L, 3);
    lua_pushvalue(L, 4);
    lua_pushcclosure(L, with_run, 5);
    return 1;
}

const luaL_Reg defaults_functions[] = {{"default_dtype", module_default_dtype}, {"with", module_with}, {NULL, NULL}};
