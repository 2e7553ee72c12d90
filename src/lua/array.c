/* Arrays: their properties, single elements, and their end. */
#include "call.h"
#include "check.h"
#include "request.h"

#include <stdlib.h>

/* ---- asking ----------------------------------------------------------------------------------------- */

/* Self, for methods without arguments. */
static const lun_array *check_asked(lua_State *L) { return check_self(L, CLASS_ARRAY, 0); }

/* The array, whose shape is asked for. */
static const lun_array *with_shape(const lun_array *array)
{
    lun_graph_note_shape(array);
    return array;
}

/* a:shape() gives all sizes, a:shape(i) that of one axis. */
static int array_shape(lua_State *L)
{
    const lun_array *array = with_shape(check_self(L, CLASS_ARRAY, 1));
    check_given(L, 2, "an axis");
    if (!lua_isnone(L, 2)) {
        int axis;
        lun_error err;
        if (lun_axis(&axis, check_integer(L, 2), array->ndim, array->shape, &lua_manner, &err) != LUN_OK)
            call_raise(L, array->device, &err);
        lua_pushinteger(L, (lua_Integer)array->shape[axis]);
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
    lua_pushinteger(L, (lua_Integer)with_shape(check_asked(L))->size);
    return 1;
}

static int array_nbytes(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)lun_array_bytes(with_shape(check_asked(L))));
    return 1;
}

static int array_device(lua_State *L)
{
    device_push(L, check_asked(L)->device);
    return 1;
}

static int array_len(lua_State *L)
{
    const lun_array *array = with_shape(check_array(L, 1));
    if (array->ndim == 0)
        misuse(L, "the array has no axes, so it has no length");
    lua_pushinteger(L, (lua_Integer)array->shape[0]);
    return 1;
}

/* ---- single elements -------------------------------------------------------------------------------- */

/* Positions on every axis, from `index` on, as slices that select one element. */
static void check_element(lua_State *L, int index, const lun_array *array, lun_slice *slices)
{
    int given = lua_gettop(L) - index + 1;
    lun_error err;
    int64_t positions[LUN_MAX_AXES];
    for (int i = index; i < index + given; i++)
        if (object_is_table(L, i))
            misuse(L, "%s: a position is needed, got a table; each position is an argument, and there are no options",
                   check_place(L, i));
    for (int i = 0; i < given && given == array->ndim; i++) {
        lua_Integer position;
        if (!number_integral(L, index + i, &position))
            misuse(L, "%s: a position (a whole number) is needed, got %s", check_place(L, index + i),
                   lua_type(L, index + i) == LUA_TNUMBER ? number_text(L, index + i) : object_kind(L, index + i));
        positions[i] = position;
    }
    if (lun_element_slices(slices, array, positions, given < 0 ? 0 : given, &lua_manner, &err) != LUN_OK)
        call_raise(L, array->device, &err);
}

static int array_get(lua_State *L)
{
    lun_slice slices[LUN_MAX_AXES];
    lun_number number;
    lun_array *array = check_array(L, 1);
    lun_device *device = array->device;
    check_element(L, 2, array, slices);
    call_await(L, array, LUN_READ, NULL);
    lun_attempt tried;
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_element_get(&number, array, slices, &tried.err);
    number_push(L, number);
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
        tried.status = lun_element_set(array, slices, value, &tried.err);
    lua_settop(L, 1);
    return 1;
}

/* ---- text -------------------------------------------------------------------------------------------- */

static void drop_text(void *text) { free(text); }

/* tostring(array). Of the header alone where there are no elements, which waits for nothing. */
static int array_tostring(lua_State *L)
{
    lun_attempt tried;
    char *text;
    const lun_array *array = object_test(L, 1, CLASS_ARRAY);
    if (array == NULL || !lun_array_is_live(array)) {
        lua_pushliteral(L, "lunarray.array (released)");
        return 1;
    }
    holder_object *holder = holder_push(L, drop_text);
    for (lun_attempt_start(&tried, check_array(L, 1)->device); call_goes_on(L, &tried);)
        tried.status = lun_array_summary(&tried.more, &text, array, &tried.err);
    holder->pointer = text;
    lua_pushstring(L, text);
    holder_drop(holder);
    return 1;
}

/* ---- the end ---------------------------------------------------------------------------------------- */

static bool is_live(const void *object) { return lun_array_is_live(object); }

static void drop(void *object) { lun_array_clear(object); }

static int array_newindex(lua_State *L)
{
    misuse(L, "an array cannot be assigned to: a:set(v, i, j) writes one element, a:row(i):write(t) a row, "
              "a:host(\"w\") maps all of them");
}

const object_class array_class = {
    .kind = "an array",
    .type = "array",
    .lost = "%s: the array was released",
    .gone = "released",
    .closes = true,
    .lives = is_live,
    .drop = drop,
    .owner = LUN_OF_ARRAY,
    .methods = (const luaL_Reg[]){{"shape", array_shape},
                                  {"dtype", array_dtype},
                                  {"ndim", array_ndim},
                                  {"size", array_size},
                                  {"nbytes", array_nbytes},
                                  {"device", array_device},
                                  {"get", array_get},
                                  {"set", array_set},
                                  {"host", array_host},
                                  {NULL, NULL}},
    .metamethods =
        (const luaL_Reg[]){
            {"__len", array_len}, {"__newindex", array_newindex}, {"__tostring", array_tostring}, {NULL, NULL}},
    .operators = arithmetic_metamethods,
    .refusals = array_refusals,
};
