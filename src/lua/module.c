/* luaopen_lunarray_core: the binding of this Lua state, its classes, and the module's own functions. */
#include "call.h"
#include "check.h"
#include "request.h"

#include <stdio.h>
#include <string.h>

static const char registry_key = 0; /* its address: where a state's registry keeps the binding */

/* ---- the module's own functions ---------------------------------------------------------------------- */

/* lun.type(x): what x is of lunarray's, or nil. */
static int module_type(lua_State *L)
{
    check_function(L, 1);
    if (lua_isnone(L, 2))
        check_refuse(L, 2, "a value");
    int class = 0;
    while (class < CLASSES && object_test(L, 2, (class_id) class) == NULL)
        class ++;
    lua_pushstring(L, class < CLASSES ? class_of((class_id) class)->type : NULL);
    return 1;
}

/* lun.clock(): seconds from some moment on; no change of the machine's time moves it. */
static int module_clock(lua_State *L)
{
    check_function(L, 0);
    lua_pushnumber(L, call_clock());
    return 1;
}

/* _own([source]): called from one of lunarray's own Lua files, or with the name of a text that it loads: errors are then raised at
 * the caller's caller. */
static int module_own(lua_State *L)
{
    lua_Debug frame;
    const char *named = lua_tostring(L, 1);
    lua_getiuservalue(L, UP_BINDING, SLOT_SOURCES);
    if (lua_getstack(L, 1, &frame) && lua_getinfo(L, "S", &frame)) {
        lua_pushstring(L, named != NULL ? named : frame.source);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
    }
    return 0;
}

/* _method(name, f [, "device"|"sparse"|"rng"]): a method of arrays, or of that class, that is a Lua function. Gives what had the name before. */
static int module_method(lua_State *L)
{
    static const char *const of[] = {"array", "device", "sparse", "rng", NULL};
    static const class_id classes[] = {CLASS_ARRAY, CLASS_DEVICE, CLASS_SPARSE, CLASS_RNG};
    const class_id class = classes[luaL_checkoption(L, 3, "array", of)];
    if (class == CLASS_ARRAY) { /* a function of the module would count the arguments in its messages otherwise */
        lua_getiuservalue(L, UP_BINDING, SLOT_MODULE);
        lua_pushvalue(L, 1);
        lua_pushnil(L);
        lua_rawset(L, -3);
        lua_pop(L, 1);
    }
    lua_getiuservalue(L, UP_BINDING, (int)class + 1);
    lua_getfield(L, -1, "__index");
    lua_pushvalue(L, 1);
    lua_rawget(L, -2);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_rawset(L, -4);
    return 1;
}

/* ---- preparing kernels: prepare.lua ------------------------------------------------------------------------------------ */

/* _kernels_key(dev): what names the folder of kernels that were built beforehand for the device. */
static int module_kernels_key(lua_State *L)
{
    char text[24];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)lun_device_kernels_key(check_device(L, 1)));
    lua_pushstring(L, text);
    return 1;
}

/* The strings of the list at that position, in memory that Lua collects. */
static const char *const *list_of_strings(lua_State *L, int position, size_t *count)
{
    *count = lua_rawlen(L, position);
    const char **list = lua_newuserdatauv(L, (*count + 1) * sizeof *list, 0);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, position, (lua_Integer)i + 1);
        list[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    return list;
}

/* Calls the function behind the arguments; an error in it ends nothing. */
static void show_progress(void *host, size_t done, size_t total, const char *job)
{
    lua_State *L = host;
    lua_pushvalue(L, 8);
    lua_pushinteger(L, (lua_Integer)done);
    lua_pushinteger(L, (lua_Integer)total);
    lua_pushstring(L, job);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK)
        lua_pop(L, 1);
}

/* _prepare(dev, operations, dtypes, folder or nil, processes, fresh, command, function or nil): folder, programs, kernels, bytes, and
 * what failed, or nil; or nil and a message. */
static int module_prepare(lua_State *L)
{
    lun_device *device = check_device(L, 1);
    lun_preparing asked = {.folder = lua_tostring(L, 4),
                           .processes = (unsigned)lua_tointeger(L, 5),
                           .fresh = lua_toboolean(L, 6),
                           .command = lua_tostring(L, 7),
                           .progress = lua_isfunction(L, 8) ? show_progress : NULL,
                           .host = L};
    lun_prepared made;
    lun_error err;
    lua_settop(L, 8);
    asked.operations = list_of_strings(L, 2, &asked.operation_count);
    asked.dtypes = list_of_strings(L, 3, &asked.dtype_count);
    if (lun_prepare(&made, device, &asked, &err) != LUN_OK) {
        lua_pushnil(L);
        lua_pushstring(L, err.message);
        return 2;
    }
    lua_pushstring(L, made.folder);
    lua_pushinteger(L, (lua_Integer)made.programs);
    lua_pushinteger(L, (lua_Integer)made.kernels);
    lua_pushinteger(L, (lua_Integer)made.bytes);
    lua_pushstring(L, made.failed);
    lun_prepared_clear(&made);
    return 5;
}

/* _prepare_work(dev): in a process of its own. */
static int module_prepare_work(lua_State *L)
{
    lun_error err;
    lun_device *device = check_device(L, 1);
    if (lun_prepare_work(device, &lua_manner, &err) != LUN_OK)
        call_raise(L, device, &err);
    return 0;
}

/* _prepared_index(folder): of tests; writes the index anew. */
static int module_prepared_index(lua_State *L)
{
    lun_prepared made = {0};
    lun_error err;
    lua_pushboolean(L, lun_prepared_index(&made, luaL_checkstring(L, 1), &err) == LUN_OK);
    return 1;
}

#ifdef LUN_FAULTS
/* Test builds only: fault_after(n, code, times) fails that many (1) OpenCL calls, from the n-th from now; how many were
 * made since the last. */
static int module_fault_after(lua_State *L)
{
    lua_Integer calls = luaL_checkinteger(L, 1), code = luaL_optinteger(L, 2, 0), times = luaL_optinteger(L, 3, 1);
    lua_pushinteger(L, (lua_Integer)lun_fault_after((uint64_t)calls, (uint64_t)times, (int)code));
    return 1;
}

/* fault_close(n): the next n operations wait on the device; fault_open(code) lets them start (0) or fail. */
static int module_fault_close(lua_State *L)
{
    lun_fault_close((uint64_t)luaL_checkinteger(L, 1));
    return 0;
}

static int module_fault_open(lua_State *L)
{
    lun_fault_open((int)luaL_optinteger(L, 1, 0));
    return 0;
}

/* fault_blind(true): operations do not look whether what they are to wait for has failed already. */
static int module_fault_blind(lua_State *L)
{
    lun_fault_blind(lua_toboolean(L, 1));
    return 0;
}
#endif

static const luaL_Reg module_functions[] = {
#ifdef LUN_FAULTS
    {"fault_after", module_fault_after},
    {"fault_close", module_fault_close},
    {"fault_open", module_fault_open},
    {"fault_blind", module_fault_blind},
#endif
    {"type", module_type},
    {"clock", module_clock},
    {"_own", module_own},
    {"_method", module_method},
    {"_kernels_key", module_kernels_key},
    {"_prepare", module_prepare},
    {"_prepare_work", module_prepare_work},
    {"_prepared_index", module_prepared_index},
    {NULL, NULL},
};

void binding_push(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_key); }

/* ---- opening ----------------------------------------------------------------------------------------- */

/* __gc: the last finalizer of lunarray's to run when a state closes, as the binding was made first. */
static int binding_gc(lua_State *L)
{
    binding *b = lua_touserdata(L, 1);
    b->closed = true;
    if (b->system != NULL && b->interrupted)
        leave_devices(b);
    if (b->system != NULL)
        lun_system_close(b->system);
    b->system = NULL;
    return 0;
}

/* Pushes a new binding, without its classes yet. [-0, +1] */
static void push_new_binding(lua_State *L)
{
    binding *b = lua_newuserdatauv(L, sizeof *b, SLOTS);
    memset(b, 0, sizeof *b);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, binding_gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_newtable(L);
    lua_setiuservalue(L, -2, SLOT_SOURCES);
    call_push_error_class(L);
    lua_setiuservalue(L, -2, SLOT_ERROR);
    call_push_steps(L);
    lua_setiuservalue(L, -2, SLOT_STEPS);
    lua_newtable(L);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_newtable(L);
    lua_pushvalue(L, -2);
    lua_setmetatable(L, -2);
    lua_setiuservalue(L, -3, SLOT_DEFAULTS);
    lua_setiuservalue(L, -2, SLOT_WEAK);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, "math") == LUA_TTABLE) {
        lua_getfield(L, -1, "random");
        lua_setiuservalue(L, -4, SLOT_RANDOM);
    }
    lua_pop(L, 2);
}

/* Fills a new binding's classes. It runs as a closure like all others, so that helpers find the binding. */
static int open_classes(lua_State *L)
{
    classes_open(L);
    return 0;
}

/* Called in place of each function of the module: upvalue 4 is the module's table, upvalue 5 the function itself; upvalues
 * 1 to 3 are the function's. */
static int module_call(lua_State *L)
{
    lua_CFunction function = lua_tocfunction(L, lua_upvalueindex(5));
    bool any_value = function == module_type && lua_gettop(L) == 1; /* lun.type(lun) */
    if (lua_rawequal(L, 1, lua_upvalueindex(4)) && !any_value)
        misuse(L, "argument 1 is the module: it is called with a dot, lun.%s(...)", lua_tostring(L, UP_NAME));
    return function(L);
}

/* Puts module_call before all functions of the module's table, which is on the top. [-0, +0] */
static void guard_functions(lua_State *L)
{
    int module = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, module) != 0; lua_pop(L, 1)) {
        lua_CFunction function = lua_tocfunction(L, module + 2);
        if (function == NULL)
            continue;
        lua_pushvalue(L, module + 1);
        for (int i = 1; i <= 3; i++)
            lua_getupvalue(L, module + 2, i);
        lua_pushvalue(L, module);
        lua_pushcfunction(L, function);
        lua_pushcclosure(L, module_call, 5);
        lua_rawset(L, module);
    }
}

/* The module table, from a binding with its classes. */
static int open_module(lua_State *L)
{
    lua_newtable(L);
    request_methods(L, LUN_OF_ARRAY, NUMBER_FUNCTION); /* first: what has such a name and is not a method stays */
    const luaL_Reg *const lists[] = {module_functions,     device_functions,   event_functions,     kernel_functions,
                                     scope_functions,      fuse_functions,     recording_functions, number_functions,
                                     unknown_functions,    text_functions,     complex_functions,   file_functions,
                                     simulation_functions, defaults_functions, hdf5_functions};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        class_functions(L, lists[i], 0);
    class_functions(L, sparse_functions, 0);
    class_functions(L, device_shared, 1);
    request_methods(L, LUN_OF_MODULE, 0);
    complex_push(L, 0, 1);
    lua_setfield(L, -2, "i");
    lua_newtable(L);
    request_methods(L, LUN_OF_TRACE, 0);
    lua_setfield(L, -2, "_fused");
    lua_newtable(L);
    class_functions(L, arithmetic_metamethods, 0);
    lua_setfield(L, -2, "_operators");
    request_methods(L, LUN_OF_DEVICE, REQUEST_DEFAULT_DEVICE);
    guard_functions(L);
    lua_pushliteral(L, LUNARRAY_VERSION);
    lua_setfield(L, -2, "_VERSION");
    lua_newtable(L);
    class_functions(L, module_metamethods, 0);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, UP_BINDING, SLOT_MODULE);
    return 1;
}

/* Calls open_classes or open_module as a closure over the binding on the top. [-0, +results] */
static void call_with_binding(lua_State *L, lua_CFunction f, int results)
{
    lua_pushvalue(L, -1);
    lua_pushliteral(L, "require");
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, f, 3);
    lua_call(L, 0, results);
}

__attribute__((visibility("default"))) int luaopen_lunarray_core(lua_State *L)
{
    luaL_checkversion(L);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_key) == LUA_TNIL) {
        lua_pop(L, 1);
        push_new_binding(L);
        call_with_binding(L, open_classes, 0);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key);
        modules_open(L);
    }
    if (lua_getiuservalue(L, -1, SLOT_MODULE) == LUA_TTABLE) /* it has all that files in Lua have added */
        return 1;
    lua_pop(L, 1);
    call_with_binding(L, open_module, 1);
    return 1;
}
