/* Random streams: what a seed gives, and how far it is used. */
#include "rng.h"
#include "call.h"
#include "check.h"

rng_object *check_rng(lua_State *L)
{
    rng_object *object = object_test(L, 1, CLASS_RNG);
    if (object == NULL)
        check_refuse(L, 1, "a random stream");
    if (object->device == NULL)
        misuse(L, "the Lua state is closing");
    return object;
}

rng_object *rng_push(lua_State *L, lun_device *device)
{
    rng_object *object = object_push(L, CLASS_RNG, sizeof *object, 0);
    object->device = lun_device_retain(device);
    return object;
}

/* ---- seeds ---------------------------------------------------------------------------------------------- */

uint64_t random_seed(lua_State *L)
{
    if (lua_getiuservalue(L, UP_BINDING, SLOT_RANDOM) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return (uint64_t)(call_clock() * 1e9);
    }
    lua_pushinteger(L, 0);
    lua_call(L, 1, 1);
    uint64_t seed = (uint64_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return seed;
}

/* ---- asking ----------------------------------------------------------------------------------------------- */

/* rng:state(): a list of whole numbers, which dev:rng takes. */
static int rng_state(lua_State *L)
{
    int64_t numbers[LUN_RNG_NUMBERS];
    const rng_object *object = check_rng(L);
    check_end(L, 1);
    lun_rng_save(numbers, &object->rng);
    lua_createtable(L, LUN_RNG_NUMBERS, 0);
    for (int i = 0; i < LUN_RNG_NUMBERS; i++) {
        lua_pushinteger(L, numbers[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int rng_device(lua_State *L)
{
    check_end(L, 1);
    device_push(L, check_rng(L)->device);
    return 1;
}

static int rng_tostring(lua_State *L)
{
    const rng_object *object = object_test(L, 1, CLASS_RNG);
    if (object == NULL || object->device == NULL)
        lua_pushliteral(L, "lunarray.rng (closed)");
    else
        lua_pushfstring(L, "lunarray.rng: seed %I, stream %I, %I words used (%s)", (LUAI_UACINT)object->rng.seed,
                        (LUAI_UACINT)object->rng.stream, (LUAI_UACINT)object->rng.words,
                        lun_device_info_get(object->device)->name);
    return 1;
}

/* __gc only: a stream holds no device memory. */
static int rng_gc(lua_State *L)
{
    rng_object *object = object_test(L, 1, CLASS_RNG);
    if (object != NULL && object->device != NULL) {
        lun_device_release(object->device);
        object->device = NULL;
    }
    return 0;
}

const luaL_Reg rng_methods[] = {
    {"state", rng_state},
    {"device", rng_device},
    {NULL, NULL},
};

const luaL_Reg rng_metamethods[] = {
    {"__gc", rng_gc},
    {"__tostring", rng_tostring},
    {NULL, NULL},
};
