/* Nested tables to bytes and back, row-major; messages have the position of an element that does not fit. */
#include "convert.h"
#include "call.h"
#include "check.h"

#include <limits.h>

/* ---- tables to bytes ------------------------------------------------------------------------------ */

int convert_shape(lua_State *L, int index, size_t *shape, lun_number *first)
{
    int ndim = 0, top = lua_gettop(L);
    luaL_checkstack(L, LUN_MAX_AXES + 4, NULL);
    lua_pushvalue(L, index);
    while (object_is_table(L, -1)) {
        if (ndim == LUN_MAX_AXES)
            misuse(L, "the table is nested deeper than %d lists", LUN_MAX_AXES);
        shape[ndim] = (size_t)luaL_len(L, -1);
        if (shape[ndim++] == 0)
            break;
        lua_geti(L, -1, 1);
    }
    if (!scalar_test(L, lua_gettop(L), first))
        *first = lun_real(0);
    lua_settop(L, top);
    return ndim;
}

/* A walk through a nested table: its place in the table, and the memory that it writes or reads. */
typedef struct walk {
    lun_dtype dtype;
    size_t bytes; /* of an element */
    int ndim;
    const size_t *shape;
    char *at;
    size_t place[LUN_MAX_AXES]; /* counts from 1 */
} walk;

/* "element (2, 3)" or, for a list that is an element of others, "row 2", "list (2, 3)". [-0, +1] */
static const char *push_place(lua_State *L, const walk *w, int depth)
{
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    luaL_addstring(&text, depth == w->ndim ? "element " : depth == 1 ? "row " : "list ");
    for (int i = 0; i < depth; i++) {
        luaL_addstring(&text, i > 0 ? ", " : depth > 1 ? "(" : "");
        lua_pushinteger(L, (lua_Integer)w->place[i]);
        luaL_addvalue(&text);
    }
    luaL_addstring(&text, depth > 1 ? ")" : "");
    luaL_pushresult(&text);
    return lua_tostring(L, -1);
}

/* Is the number a float, or an integer of that many bits, which a float with such a significand holds? */
static bool is_below(lun_number number, int bits)
{
    const uint64_t most = (uint64_t)1 << bits;
    return !number.is_integer || (uint64_t)number.integer + most <= 2 * most;
}

/* Writes the number on the top as one element. [-0, +0] */
static void put_element(lua_State *L, walk *w)
{
    lun_number number;
    if (!scalar_test(L, lua_gettop(L), &number)) {
        const char *came = object_kind(L, -1);
        if (w->ndim == 0)
            misuse(L, "a number is needed, got %s", came);
        misuse(L, "%s is %s where a number is needed", push_place(L, w, w->ndim), came);
    }
    const bool plain = !number.is_complex && !number.is_truth;
    if (w->dtype == LUN_f32 && plain && is_below(number, 24)) {
        *(float *)(void *)w->at = (float)number.real;
    } else if (w->dtype == LUN_f64 && plain && is_below(number, 53)) {
        *(double *)(void *)w->at = number.real;
    } else {
        lun_error err;
        if (lun_number_store(w->at, w->dtype, number, &err) != LUN_OK) {
            if (w->ndim == 0)
                misuse(L, "%s", err.message);
            misuse(L, "%s: %s", push_place(L, w, w->ndim), err.message);
        }
    }
    w->at += w->bytes;
}

/* Writes a short list of numbers in the order of lua_next, which is cheaper than a check for other keys first. False if
 * lua_next finds anything but the elements in order: then nothing counts as written. [-0, +0] */
static bool put_in_order(lua_State *L, walk *w, size_t length)
{
    char *start = w->at;
    size_t *place = &w->place[w->ndim - 1];
    lua_pushnil(L);
    for (*place = 1; lua_next(L, -2) != 0; lua_pop(L, 1), ++*place) {
        if (*place > length || !lua_isinteger(L, -2) || lua_tointeger(L, -2) != (lua_Integer)*place) {
            w->at = start;
            lua_pop(L, 2);
            return false;
        }
        put_element(L, w);
    }
    if (*place > length)
        return true;
    w->at = start;
    return false;
}

/* Writes the list (or number) on the top, which is `depth` lists deep. [-0, +0] */
static void put_list(lua_State *L, walk *w, int depth)
{
    if (depth == w->ndim) {
        put_element(L, w);
        return;
    }
    if (!object_is_table(L, -1)) {
        const char *came = object_kind(L, -1);
        misuse(L, "%s is %s where a list of %I is needed", push_place(L, w, depth), came, (LUAI_UACINT)w->shape[depth]);
    }
    size_t length = (size_t)luaL_len(L, -1);
    if (length != w->shape[depth]) {
        if (depth == 0)
            misuse(L, "the list has %I %s where %I %s needed", (LUAI_UACINT)length,
                   length == 1 ? "element" : "elements", (LUAI_UACINT)w->shape[0], w->shape[0] == 1 ? "is" : "are");
        misuse(L, "%s has %I %s where %I %s needed", push_place(L, w, depth), (LUAI_UACINT)length,
               length == 1 ? "element" : "elements", (LUAI_UACINT)w->shape[depth], w->shape[depth] == 1 ? "is" : "are");
    }
    if (depth > 0 && depth == w->ndim - 1 && length <= LIST_SHORT && put_in_order(L, w, length))
        return;
    const char *odd = depth > 0 ? list_push_odd(L, -1, false) : NULL; /* callers have checked the outermost list */
    if (odd != NULL)
        misuse(L, "%s has %s", push_place(L, w, depth), odd);
    for (size_t i = 1; i <= length; i++) {
        w->place[depth] = i;
        lua_geti(L, -1, (lua_Integer)i);
        put_list(L, w, depth + 1);
        lua_pop(L, 1);
    }
}

static walk begin_walk(const lun_elements *data)
{
    return (walk){.dtype = data->dtype,
                  .bytes = lun_dtype_bytes(data->dtype),
                  .ndim = data->ndim,
                  .shape = data->shape,
                  .at = data->memory};
}

void convert_from_table(lua_State *L, int index, const lun_elements *data)
{
    walk w = begin_walk(data);
    luaL_checkstack(L, LUN_MAX_AXES + 12, NULL);
    lua_pushvalue(L, index);
    put_list(L, &w, 0);
    lua_pop(L, 1);
}

/* ---- bytes to tables ------------------------------------------------------------------------------ */

/* Pushes the list (or number) that starts at w->at. [-0, +1] */
static void push_list(lua_State *L, walk *w, int depth)
{
    if (depth == w->ndim) {
        number_push(L, lun_number_load(w->at, w->dtype));
        w->at += w->bytes;
        return;
    }
    size_t length = w->shape[depth];
    if (length > INT_MAX)
        misuse(L, "%I elements are too many for a Lua table", (LUAI_UACINT)length);
    lua_createtable(L, (int)length, 0);
    for (size_t i = 1; i <= length; i++) {
        push_list(L, w, depth + 1);
        lua_rawseti(L, -2, (lua_Integer)i);
    }
}

void convert_to_table(lua_State *L, const lun_elements *data)
{
    walk w = begin_walk(data);
    luaL_checkstack(L, LUN_MAX_AXES + 4, NULL);
    push_list(L, &w, 0);
}
