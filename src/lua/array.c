/* Arrays: what they say about themselves, single elements, and their end. */
#include "call.h"
#include "check.h"
#include "request.h"

/* ---- asking ----------------------------------------------------------------------------------------- */

/* Self, for methods without arguments. */
static const lun_array *check_asked(lua_State *L)
{
    const lun_array *array = check_array(L, 1);
    check_end(L, 1);
    return array;
}

/* a:shape() gives all sizes, a:shape(i) that of one axis. */
static int array_shape(lua_State *L)
{
    const lun_array *array = check_array(L, 1);
    check_end(L, 2);
    check_given(L, 2, "an axis");
    if (!lua_isnone(L, 2)) {
        check_integer(L, 2);
        lua_pushinteger(L, (lua_Integer)array->shape[check_axis(L, 2, array)]);
        return 1;
    }
    for (int i = 0; i < array->ndim; i++)
        lua_pushinteger(L, (lua_Integer)array->shape[i]);
    return array->ndim;
}

static int array_dtype(lua_State *L)
{
    lua_pushstring(L, lun_dtype_name(check_asked(L)->dtype));
    return 1;
}

static int array_ndim(lua_State *L)
{
    lua_pushinteger(L, check_asked(L)->ndim);
    return 1;
}

static int array_size(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_asked(L)->size);
    return 1;
}

static int array_nbytes(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)lun_array_bytes(check_asked(L)));
    return 1;
}

static int array_device(lua_State *L)
{
    device_push(L, check_asked(L)->device);
    return 1;
}

static int array_len(lua_State *L)
{
    const lun_array *array = check_array(L, 1);
    if (array->ndim == 0)
        misuse(L, "the array has no axes, so it has no length");
    lua_pushinteger(L, (lua_Integer)array->shape[0]);
    return 1;
}

/* ---- single elements -------------------------------------------------------------------------------- */

/* Positions on every axis, from `index` on, as slices that pick one element. */
static void check_element(lua_State *L, int index, const lun_array *array, lun_slice *slices)
{
    int given = lua_gettop(L) - index + 1;
    lun_error err;
    int64_t positions[LUN_MAX_AXES];
    for (int i = index; i < index + given; i++)
        if (lua_type(L, i) == LUA_TTABLE)
            misuse(L, "%s: a position is wanted, got a table; each is an argument, and there are no options",
                   check_place(L, i));
    for (int i = 0; i < given && given == array->ndim; i++) {
        lua_Integer position;
        if (!number_integral(L, index + i, &position))
            misuse(L, "%s: a position (a whole number) is wanted, got %s", check_place(L, index + i),
                   lua_type(L, index + i) == LUA_TNUMBER ? number_text(L, index + i) : object_kind(L, index + i));
        positions[i] = position;
    }
    if (lun_element_slices(slices, array, positions, given < 0 ? 0 : given, &lua_manner, &err) != LUN_OK)
        call_raise(L, array->device, &err);
}

/* Writes the element that the slices pick; no view of it outlives the call. */
static lun_status write_element(const lun_array *array, const lun_slice *slices, lun_number value, lun_error *err)
{
    lun_array element = {0};
    lun_status status = lun_array_slice(&element, array, slices, err);
    if (status == LUN_OK)
        status = lun_array_fill(&element, value, NULL, err);
    lun_array_clear(&element);
    return status;
}

lun_status array_read_part(void *data, const lun_array *array, const lun_slice *slices, lun_error *err)
{
    lun_array part = {0};
    lun_status status = lun_array_slice(&part, array, slices, err);
    if (status == LUN_OK)
        status = lun_array_read(data, &part, NULL, err);
    lun_array_clear(&part);
    return status;
}

static int array_get(lua_State *L)
{
    lun_slice slices[LUN_MAX_AXES];
    char data[LUN_MOST_BYTES];
    lun_array *array = check_array(L, 1);
    lun_device *device = array->device;
    lun_dtype dtype = array->dtype;
    check_element(L, 2, array, slices);
    call_await(L, array, LUN_READ, NULL);
    lun_attempt tried;
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = array_read_part(data, array, slices, &tried.err);
    number_push(L, lun_number_load(data, dtype));
    return 1;
}

static int array_set(lua_State *L)
{
    lun_slice slices[LUN_MAX_AXES];
    lun_array *array = check_array(L, 1);
    const lun_number value = check_scalar(L, 2);
    check_element(L, 3, array, slices);
    lun_attempt tried;
    for (lun_attempt_enqueue(&tried, array->device, NULL); call_goes_on(L, &tried);)
        tried.status = write_element(array, slices, value, &tried.err);
    lua_settop(L, 1);
    return 1;
}

/* ---- the end ---------------------------------------------------------------------------------------- */

/* :release(), __gc and __close. Never raises but for surplus arguments, never waits. */
static int array_release(lua_State *L)
{
    check_release(L);
    lun_array *array = object_test(L, 1, CLASS_ARRAY);
    if (array != NULL)
        lun_array_clear(array);
    return 0;
}

static int array_newindex(lua_State *L)
{
    misuse(L, "an array is not assigned to: a:set(v, i, j) writes one element, a:row(i):write(t) a "
              "row, a:host(\"w\") maps all of them");
}

const luaL_Reg array_methods[] = {
    {"shape", array_shape},     {"dtype", array_dtype},   {"ndim", array_ndim}, {"size", array_size},
    {"nbytes", array_nbytes},   {"device", array_device}, {"get", array_get},   {"set", array_set},
    {"release", array_release}, {"host", array_host},     {NULL, NULL},
};

const luaL_Reg array_metamethods[] = {
    {"__len", array_len},       {"__newindex", array_newindex}, {"__gc", array_release},
    {"__close", array_release}, {"__tostring", array_tostring}, {NULL, NULL},
};
