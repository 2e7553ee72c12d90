/* Random streams: what a seed gives, and how far it is used. */
#include "rng.h"
#include "call.h"
#include "check.h"

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
    const rng_object *object = check_self(L, CLASS_RNG, 0);
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
    device_push(L, ((rng_object *)check_self(L, CLASS_RNG, 0))->device);
    return 1;
}

static void drop(void *device) { lun_device_release(device); } /* a stream holds no device memory */

static void describe(lua_State *L, const void *object)
{
    const rng_object *self = object;
    lua_pushfstring(L, "seed %I, stream %I, %I words used (%s)", (LUAI_UACINT)self->rng.seed,
                    (LUAI_UACINT)self->rng.stream, (LUAI_UACINT)self->rng.words,
                    lun_device_info_get(self->device)->name);
}

const object_class rng_class = {
    .kind = "a random stream",
    .type = "rng",
    .lost = "the Lua state is closing",
    .gone = "closed",
    .drop_pointer = drop,
    .describe = describe,
    .owner = LUN_OF_STREAM,
    .methods = (const luaL_Reg[]){{"state", rng_state}, {"device", rng_device}, {NULL, NULL}},
};
