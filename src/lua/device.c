/* Devices: finding and selecting them, and their methods. */
#include "call.h"
#include "check.h"
#include "request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the devices of this state ---------------------------------------------------------------------- */

static void drop_system(void *pointer) { lun_system_close(pointer); }

/* Opens the system at first use, with a userdata for each device in SLOT_DEVICES; NULL if it cannot. [-0, +0] */
static lun_system *open_system(lua_State *L, lun_error *err)
{
    binding *b = binding_of(L);
    if (b->system != NULL)
        return b->system;
    const int top = lua_gettop(L);
    holder_object *holder = holder_push(L, drop_system); /* until all userdata are made */
    lua_newtable(L);
    lun_system *system;
    if (lun_system_open(&system, err) == LUN_OK) {
        holder->pointer = system;
        lun_system_speak(system, &lua_manner);
        for (size_t i = 0; i < lun_system_count(system); i++) {
            device_object *object = object_push(L, CLASS_DEVICE, sizeof *object, 0);
            object->device = lun_device_retain(lun_system_device(system, i));
            lua_pushvalue(L, -1);
            lua_rawseti(L, -3, (lua_Integer)i + 1);
            lua_rawsetp(L, -2, object->device);
        }
        lua_setiuservalue(L, UP_BINDING, SLOT_DEVICES);
        holder->pointer = NULL;
        b->system = system;
    }
    lua_settop(L, top);
    return b->system;
}

lun_system *device_system(lua_State *L)
{
    lun_error err;
    if (binding_of(L)->closed)
        misuse(L, "the Lua state is closing");
    lun_system *system = open_system(L, &err);
    if (system == NULL)
        call_raise(L, NULL, &err);
    return system;
}

void device_push(lua_State *L, const lun_device *device)
{
    lua_getiuservalue(L, UP_BINDING, SLOT_DEVICES);
    lua_rawgetp(L, -1, device);
    lua_remove(L, -2);
}

static lun_device *push_selected(lua_State *L, const char *selector)
{
    lun_error err;
    lun_device *device;
    if (lun_system_select(&device, device_system(L), selector, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    device_push(L, device);
    return device;
}

lun_device *device_push_default(lua_State *L)
{
    (void)device_system(L);
    return defaults_push_device(L) ? ((device_object *)lua_touserdata(L, -1))->device : push_selected(L, NULL);
}

void device_push_chosen(lua_State *L, int index, const char *what)
{
    if (object_test(L, index, CLASS_DEVICE) != NULL)
        lua_pushvalue(L, index);
    else if (lua_type(L, index) == LUA_TSTRING)
        push_selected(L, check_text(L, index, what));
    else
        misuse(L, "%s: a device or a selector (a string) is expected, got %s", what, object_kind(L, index));
}

/* Pushes the device that the function at index 2 gives the highest number. */
static int select_by_function(lua_State *L)
{
    size_t count = lun_system_count(device_system(L)), best = 0;
    lua_Number highest = 0;
    lua_getiuservalue(L, UP_BINDING, SLOT_DEVICES);
    int devices = lua_gettop(L);
    for (size_t i = 1; i <= count; i++) {
        lua_pushvalue(L, 2);
        lua_rawgeti(L, devices, (lua_Integer)i);
        lua_call(L, 1, 1);
        if (lua_type(L, -1) == LUA_TNUMBER) {
            lua_Number score = lua_tonumber(L, -1);
            if (!isnan(score) && (best == 0 || score > highest)) {
                highest = score;
                best = i;
            }
        } else if (!lua_isnil(L, -1)) {
            misuse(L, "the selector gave %s; a number or nil is needed", object_kind(L, -1));
        }
        lua_pop(L, 1);
    }
    if (best == 0)
        misuse(L, "the selector rejected all %d devices", (int)count);
    lua_rawgeti(L, devices, (lua_Integer)best);
    return 1;
}

static int device_select(lua_State *L)
{
    check_function(L, 1);
    lua_settop(L, 2);
    switch (lua_type(L, 2)) {
    case LUA_TNIL:
        device_push_default(L);
        return 1;
    case LUA_TFUNCTION:
        return select_by_function(L);
    case LUA_TSTRING:
        push_selected(L, check_text(L, 2, "argument 1"));
        return 1;
    case LUA_TNUMBER: {
        lua_Integer position;
        if (!number_integral(L, 2, &position) || position < 0)
            misuse(L, "there is no device %s; positions are whole numbers from 1", number_text(L, 2));
        push_selected(L, lua_pushfstring(L, "%I", (LUAI_UACINT)position)); /* as digits in a string */
        return 1;
    }
    default:
        if (object_test(L, 2, CLASS_DEVICE) != NULL)
            return 1;
        misuse(L,
               "a selector is nil, a type, a part of a name, a position, or a function from a "
               "device to a number or nil; got %s",
               object_kind(L, 2));
    }
}

static int devices_tostring(lua_State *L);
static const luaL_Reg devices_metamethods[] = {{"__tostring", devices_tostring}, {NULL, NULL}};

/* lun.devices(), or lun.devices("gpu"): those that the selector fits. */
static int device_list(lua_State *L)
{
    check_function(L, 1);
    check_given(L, 2, "a type or a part of a name");
    const char *selector = lua_isnone(L, 2) ? NULL : check_text(L, 2, "argument 1");
    if (selector != NULL && *selector == '\0')
        misuse(L, "the selector is an empty string");
    lun_system *system = device_system(L);
    size_t count = lun_system_count(system), listed = 0;
    lua_createtable(L, (int)count, 0);
    lua_getiuservalue(L, UP_BINDING, SLOT_DEVICES);
    for (size_t i = 0; i < count; i++) {
        if (selector != NULL && !lun_system_fits(system, i, selector))
            continue;
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        lua_rawseti(L, -3, (lua_Integer)++listed);
    }
    lua_pop(L, 1);
    lua_newtable(L);
    class_functions(L, devices_metamethods, 0);
    lua_setmetatable(L, -2);
    return 1;
}

/* ---- what a device says --------------------------------------------------------------------------- */

/* Sets a list of the words of a text. */
static void set_words(lua_State *L, const char *field, const char *text)
{
    lua_newtable(L);
    lua_Integer count = 0;
    for (const char *word = text + strspn(text, " "); *word != '\0';) {
        size_t length = strcspn(word, " ");
        lua_pushlstring(L, word, length);
        lua_rawseti(L, -2, ++count);
        word += length;
        word += strspn(word, " ");
    }
    lua_setfield(L, -2, field);
}

/* Sets a table of counts: the programs that the device has compiled and keeps. */
static void set_programs(lua_State *L, const lun_device *device)
{
    const lun_programs programs = lun_device_programs(device);
    lua_createtable(L, 0, 5);
    set_count(L, "built", programs.built);
    set_count(L, "kept", programs.kept);
    set_count(L, "generated", programs.generated);
    set_count(L, "most_generated", programs.most_generated);
    set_count(L, "exchanged", programs.exchanged);
    lua_setfield(L, -2, "programs");
}

static int device_info(lua_State *L)
{
    check_end(L, 1);
    const lun_device *device = check_device(L, 1);
    const lun_device_info *info = lun_device_info_get(device);
    lua_createtable(L, 0, 20);
    set_text(L, "name", info->name);
    set_text(L, "vendor", info->vendor);
    set_text(L, "version", info->version);
    set_text(L, "driver", info->driver);
    set_text(L, "platform", info->platform);
    set_text(L, "type", info->type);
    set_count(L, "units", info->units);
    set_count(L, "clock", info->clock_mhz);
    set_count(L, "memory", info->memory);
    set_count(L, "max_allocation", info->max_allocation);
    set_count(L, "local_memory", info->local_memory);
    set_count(L, "cache", info->cache_bytes);
    set_count(L, "max_group", info->max_group);
    set_count(L, "vector_f32", info->vector_f32);
    set_count(L, "vector_f64", info->vector_f64);
    set_flag(L, "fp64", info->fp64);
    set_flag(L, "fp16", info->fp16);
    set_flag(L, "unified_memory", info->unified_memory);
    set_words(L, "extensions", info->extensions != NULL ? info->extensions : "");
    set_programs(L, device);
    return 1;
}

/* Pushes "name (type, 8 units, platform)". [-0, +1] */
static const char *push_described(lua_State *L, const lun_device *device)
{
    const lun_device_info *info = lun_device_info_get(device);
    return lua_pushfstring(L, "%s (%s, %d %s, %s)", info->name, info->type, (int)info->units,
                           info->units == 1 ? "unit" : "units", info->platform);
}

static void describe(lua_State *L, const void *object)
{
    (void)push_described(L, ((const device_object *)object)->device);
}

/* tostring(lun.devices()): a line for each device, with its position. */
static int devices_tostring(lua_State *L)
{
    luaL_Buffer lines;
    lua_settop(L, 1);
    const lua_Integer count = lua_type(L, 1) == LUA_TTABLE ? (lua_Integer)lua_rawlen(L, 1) : 0;
    luaL_buffinit(L, &lines);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_pushfstring(L, i > 1 ? "\n%I: " : "%I: ", (LUAI_UACINT)i);
        luaL_addvalue(&lines);
        lua_rawgeti(L, 1, i);
        const device_object *object = object_test(L, -1, CLASS_DEVICE);
        if (object != NULL && object->device != NULL)
            push_described(L, object->device);
        else
            luaL_tolstring(L, -1, NULL);
        lua_remove(L, -2);
        luaL_addvalue(&lines);
    }
    luaL_pushresult(&lines);
    return 1;
}

/* tostring(lun): the version, and the default device or why there is none. Devices are looked for; none is opened. */
static int module_tostring(lua_State *L)
{
    lun_error err;
    lun_device *device = NULL;
    lun_system *system = binding_of(L)->closed ? NULL : open_system(L, &err);
    if (binding_of(L)->closed)
        lua_pushliteral(L, LUNARRAY_VERSION);
    else if (system != NULL && lun_system_select(&device, system, NULL, &err) == LUN_OK)
        lua_pushfstring(L, LUNARRAY_VERSION "; the default device is %s", push_described(L, device));
    else
        lua_pushfstring(L, LUNARRAY_VERSION "; there is no default device: %s", err.message);
    return 1;
}

static int device_memory(lua_State *L)
{
    lun_memory memory = lun_device_memory(((device_object *)check_self(L, CLASS_DEVICE, 0))->device);
    lua_createtable(L, 0, 4);
    set_count(L, "live", memory.live);
    set_count(L, "pooled", memory.pooled);
    set_count(L, "peak", memory.peak);
    set_count(L, "limit", memory.limit);
    return 1;
}

/* ---- what a device does --------------------------------------------------------------------------- */

static int device_limit(lua_State *L)
{
    const device_object *self = check_self(L, CLASS_DEVICE, 1);
    check_given(L, 2, "a number of bytes");
    lua_Integer bytes = lua_isnone(L, 2) ? 0 : check_integer(L, 2);
    if (bytes < 0)
        misuse(L, "a number of bytes is needed, got %I", (LUAI_UACINT)bytes);
    lun_device_limit(self->device, (uint64_t)bytes);
    return 0;
}

static int device_trim(lua_State *L)
{
    lun_device_trim(((device_object *)check_self(L, CLASS_DEVICE, 0))->device);
    return 0;
}

/* dev:finish(), or lun.finish() for the default device. */
static int device_finish(lua_State *L)
{
    lun_device *device = check_device_or_default(L);
    check_end(L, 1);
    call_finish(L, device, NULL);
    return 0;
}

static void drop(void *device) { lun_device_release(device); } /* users share devices and cannot close them */

const object_class device_class = {
    .kind = "a device",
    .type = "device",
    .lost = "the Lua state is closing",
    .gone = "closed",
    .drop_pointer = drop,
    .describe = describe,
    .owner = LUN_OF_DEVICE,
    .methods = (const luaL_Reg[]){{"info", device_info},
                                  {"memory", device_memory},
                                  {"limit", device_limit},
                                  {"default_dtype", device_default_dtype},
                                  {"trim", device_trim},
                                  {"variants", device_variants},
                                  {"operations", device_operations},
                                  {NULL, NULL}},
    .more_methods = device_shared,
};

const luaL_Reg device_shared[] = {
    {"program", device_program},         {"queue", device_queue},
    {"finish", device_finish},           {"load", file_load},
    {"from_dlpack", device_from_dlpack}, {NULL, NULL},
};

const luaL_Reg module_metamethods[] = {{"__tostring", module_tostring}, {NULL, NULL}};

const luaL_Reg device_functions[] = {
    {"devices", device_list},
    {"device", device_select},
    {"operations", module_operations},
    {NULL, NULL},
};
