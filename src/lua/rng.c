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

/* A stream of that device at its beginning. [-0, +1] */
static rng_object *push_rng(lua_State *L, lun_device *device)
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

/* ---- making ----------------------------------------------------------------------------------------------- */

#define STATE "a seed (a whole number) or a state (a list of 4 whole numbers, or an i64 array of them)"

/* Reads a state that is a list of numbers. */
static void read_list(lua_State *L, int index, int64_t *numbers)
{
    check_list(L, index, NULL);
    const lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    if (count != LUN_RNG_NUMBERS)
        misuse(L, "the list has %I elements; " STATE " is wanted", (LUAI_UACINT)count);
    for (int i = 0; i < LUN_RNG_NUMBERS; i++) {
        lua_Integer number;
        lua_rawgeti(L, index, i + 1);
        if (!number_integral(L, -1, &number))
            misuse(L, "number %d of the state is %s; whole numbers are wanted", i + 1,
                   lua_type(L, -1) == LUA_TNUMBER ? number_text(L, -1) : object_kind(L, -1));
        numbers[i] = number;
        lua_pop(L, 1);
    }
}

/* The same of an array; waits. */
static void read_array(lua_State *L, int index, int64_t *numbers)
{
    char text[200];
    const lun_array *array = check_array(L, index);
    if (array->dtype != LUN_i64 || array->size != LUN_RNG_NUMBERS)
        misuse(L, "the array is %s %s; " STATE " is wanted",
               lun_shape_text(text, sizeof text, array->ndim, array->shape), lun_dtype_name(array->dtype));
    call_read(L, numbers, array, NULL);
}

/* dev:rng([seed or state]), lun.rng(...) */
static int make_rng(lua_State *L)
{
    lun_error err;
    lua_Integer seed;
    int64_t numbers[LUN_RNG_NUMBERS] = {0};
    lun_device *device = check_device_or_default(L);
    check_end(L, 2);
    check_given(L, 2, STATE);
    rng_object *made = push_rng(L, device);
    if (lua_isnoneornil(L, 2) || lua_rawequal(L, 2, -1)) {
        made->rng.seed = random_seed(L);
        return 1;
    }
    if (number_integral(L, 2, &seed)) {
        made->rng.seed = (uint64_t)seed;
        return 1;
    }
    if (lua_type(L, 2) == LUA_TTABLE)
        read_list(L, 2, numbers);
    else if (object_test(L, 2, CLASS_ARRAY) != NULL)
        read_array(L, 2, numbers);
    else if (lua_type(L, 2) == LUA_TNUMBER)
        misuse(L, "the seed is %s; " STATE " is wanted", number_text(L, 2));
    else
        check_refuse(L, 2, STATE);
    if (lun_rng_restore(&made->rng, numbers, &err) != LUN_OK)
        call_raise(L, device, &err);
    return 1;
}

/* rng:stream(i): stream i of the same seed, at its beginning. */
static int rng_stream(lua_State *L)
{
    const rng_object *object = check_rng(L);
    check_end(L, 2);
    const lua_Integer i = check_integer(L, 2);
    if (i < 0 || i > (lua_Integer)UINT32_MAX)
        misuse(L, "the stream is %I; a number from 0 to %I is wanted", (LUAI_UACINT)i, (LUAI_UACINT)UINT32_MAX);
    rng_object *made = push_rng(L, object->device);
    made->rng.seed = object->rng.seed;
    made->rng.stream = (uint32_t)i;
    return 1;
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

const luaL_Reg rng_makers[] = {{"rng", make_rng}, {NULL, NULL}};

const luaL_Reg rng_methods[] = {
    {"stream", rng_stream},
    {"state", rng_state},
    {"device", rng_device},
    {NULL, NULL},
};

const luaL_Reg rng_metamethods[] = {
    {"__gc", rng_gc},
    {"__tostring", rng_tostring},
    {NULL, NULL},
};
