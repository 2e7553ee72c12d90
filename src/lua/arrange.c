/* Arranging: methods that give views in another arrangement, and the reading of arguments for all methods that arrange. */
#include "arrange.h"
#include "call.h"
#include "check.h"
#include "options.h"

#include <string.h>

/* ---- arguments -------------------------------------------------------------------------------------- */

/* The value on the top as a whole number from 0; raises for any other value. [-0, +0] */
static size_t check_count(lua_State *L, const char *what, int position)
{
    lua_Integer count = 0;
    if (lua_type(L, -1) != LUA_TNUMBER)
        misuse(L, "%s %d is %s; a whole number from 0 is wanted", what, position, object_kind(L, -1));
    if (!number_integral(L, -1, &count) || count < 0)
        misuse(L, "%s %d is %s; a whole number from 0 is wanted", what, position, number_text(L, -1));
    return (size_t)count;
}

int arrange_sizes(lua_State *L, int index, const char *what, size_t *sizes, int *behind)
{
    const bool list = lua_type(L, index) == LUA_TTABLE;
    int count = list ? (int)lua_rawlen(L, index) : 0;
    while (!list && lua_type(L, index + count) == LUA_TNUMBER)
        count++;
    if (!list && count == 0 && !lua_isnone(L, index))
        check_refuse(L, index, "a whole number or a list of them");
    if (count > LUN_MAX_AXES)
        misuse(L, "%d sizes are named; an array has at most %d axes", count, LUN_MAX_AXES);
    for (int i = 0; i < count; i++) {
        if (list)
            lua_rawgeti(L, index, i + 1);
        else
            lua_pushvalue(L, index + i);
        sizes[i] = check_count(L, what, i + 1);
        lua_pop(L, 1);
    }
    *behind = index + (list ? 1 : count);
    return count;
}

/* The axis on the top, from 0. [-0, +0] */
static int check_named(lua_State *L, int ndim, bool more)
{
    lua_Integer axis = 0;
    if (!number_integral(L, -1, &axis))
        misuse(L, "axis: a whole number or a list of them is wanted, got %s",
               lua_type(L, -1) == LUA_TNUMBER ? number_text(L, -1) : object_kind(L, -1));
    const lua_Integer from_zero = axis < 0 ? axis + ndim : axis - 1;
    if (axis == 0 || from_zero < 0 || from_zero >= ndim)
        misuse(L, "axis %I is out of range: the %s has %d %s", (LUAI_UACINT)axis, more ? "result" : "array", ndim,
               ndim == 1 ? "axis" : "axes");
    return (int)from_zero;
}

int arrange_axes(lua_State *L, int index, int ndim, bool more, int *axes)
{
    const bool list = lua_type(L, index) == LUA_TTABLE;
    const int count = list ? (int)lua_rawlen(L, index) : 1;
    bool named[2 * LUN_MAX_AXES] = {false};
    check_list(L, index, "axis", false);
    if (count > LUN_MAX_AXES)
        misuse(L, "%d axes are named; an array has at most %d", count, LUN_MAX_AXES);
    for (int i = 0; i < count; i++) {
        if (list)
            lua_rawgeti(L, index, i + 1);
        else
            lua_pushvalue(L, index);
        axes[i] = check_named(L, more ? ndim + count : ndim, more);
        lua_pop(L, 1);
        if (named[axes[i]])
            misuse(L, "axis %d is named twice", axes[i] + 1);
        named[axes[i]] = true;
    }
    return count;
}

int arrange_options(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TTABLE && lua_rawlen(L, index) == 0 ? index : index + 1;
}

/* ---- views ------------------------------------------------------------------------------------------ */

static int array_broadcast(lua_State *L)
{
    lun_error err;
    size_t shape[LUN_MAX_AXES];
    int behind;
    const lun_array *array = check_array(L, 1);
    const int ndim = arrange_sizes(L, 2, "size", shape, &behind);
    check_end(L, behind - 1);
    check_list(L, 2, NULL, false);
    lun_array *view = view_push(L);
    if (lun_array_broadcast(view, array, ndim, shape, &err) != LUN_OK)
        call_raise(L, array->device, &err);
    return 1;
}

/* The axes of that array that a method without other options names, an argument or an option. Are any named? */
static bool read_axes(lua_State *L, const char *method, const lun_array *array, bool *named)
{
    options o;
    const int axis = options_read_axis(L, &o, method, 2, 0);
    if (axis != 0)
        check_axes(L, axis, array, named);
    return axis != 0;
}

/* a:squeeze([axis] [, options]) */
static int array_squeeze(lua_State *L)
{
    lun_error err;
    bool named[LUN_MAX_AXES] = {false};
    const lun_array *array = check_array(L, 1);
    const bool all = !read_axes(L, "squeeze", array, named);
    lun_array *view = view_push(L);
    if (lun_array_squeeze(view, array, all ? NULL : named, &err) != LUN_OK)
        call_raise(L, array->device, &err);
    return 1;
}

/* a:expand(axis [, options]): axes of the view. */
static int array_expand(lua_State *L)
{
    lun_error err;
    options o;
    int axes[LUN_MAX_AXES];
    bool named[2 * LUN_MAX_AXES] = {false};
    const lun_array *array = check_array(L, 1);
    const int axis = options_read_axis(L, &o, "expand", 2, 0);
    if (axis == 0)
        check_refuse(L, 2, "an axis or a list of axes");
    const int count = arrange_axes(L, axis, array->ndim, true, axes);
    for (int i = 0; i < count; i++)
        named[axes[i]] = true;
    lun_array *view = view_push(L);
    if (lun_array_expand(view, array, named, count, &err) != LUN_OK)
        call_raise(L, array->device, &err);
    return 1;
}

/* a:flip([axis] [, options]) */
static int array_flip(lua_State *L)
{
    lun_error err;
    bool named[LUN_MAX_AXES] = {false};
    const lun_array *array = check_array(L, 1);
    const bool all = !read_axes(L, "flip", array, named);
    for (int i = 0; i < array->ndim; i++)
        named[i] = named[i] || all;
    lun_array *view = view_push(L);
    if (lun_array_flip(view, array, named, &err) != LUN_OK)
        call_raise(L, array->device, &err);
    return 1;
}

/* ---- parts ------------------------------------------------------------------------------------------ */

/* The size of the part at `position`: from the list at index `list`, or `each` where all have one size. [-0, +0] */
static size_t part_size(lua_State *L, int list, int position, size_t each)
{
    if (list == 0)
        return each;
    lua_rawgeti(L, list, position);
    const size_t size = check_count(L, "size", position);
    lua_pop(L, 1);
    return size;
}

/* How many parts are asked for; *each is their size where all have one size. */
static int check_parts(lua_State *L, size_t size, int axis, size_t *each)
{
    if (lua_type(L, 2) != LUA_TTABLE) {
        if (lua_type(L, 2) != LUA_TNUMBER)
            check_refuse(L, 2, "a whole number or a list of sizes");
        const lua_Integer parts = check_integer(L, 2);
        if (parts < 1)
            misuse(L, "%I parts are asked for; a whole number from 1 is wanted", (LUAI_UACINT)parts);
        if (size % (size_t)parts != 0)
            misuse(
                L,
                "axis %d has %I positions, which cannot be shared out evenly to %I parts; a list gives each its size",
                axis + 1, (LUAI_UACINT)size, (LUAI_UACINT)parts);
        *each = size / (size_t)parts;
        return parts < INT32_MAX ? (int)parts : INT32_MAX;
    }
    const int count = (int)lua_rawlen(L, 2);
    size_t sum = 0;
    for (int i = 1; i <= count; i++)
        if (__builtin_add_overflow(sum, part_size(L, 2, i, 0), &sum))
            sum = SIZE_MAX; /* which no axis has */
    if (sum != size)
        misuse(L, "the sizes of the parts add up to %I, and axis %d has %I positions", (LUAI_UACINT)sum, axis + 1,
               (LUAI_UACINT)size);
    return count;
}

/* a:split(parts [, axis] [, options]): the parts, one value each. */
static int array_split(lua_State *L)
{
    options o;
    lun_error err;
    lun_slice slices[LUN_MAX_AXES];
    size_t each = 0;
    const lun_array *array = check_array(L, 1);
    const int named = options_read_axis(L, &o, "split", 3, lua_type(L, 2) == LUA_TTABLE ? 2 : 0);
    if (array->ndim == 0)
        misuse(L, "the array has no axes, so it cannot be split");
    const int axis = named == 0 ? 0 : check_axis(L, named, array);
    const int count = check_parts(L, array->shape[axis], axis, &each);
    if (!lua_checkstack(L, count < INT32_MAX - LUA_MINSTACK ? count + LUA_MINSTACK : count))
        misuse(L, "%d parts are more values than a Lua function can return", count);
    for (int i = 0; i < array->ndim; i++)
        slices[i] = (lun_slice){.from = 0, .step = 1, .count = array->shape[i]};
    for (int i = 1; i <= count; i++) {
        slices[axis].count = part_size(L, lua_type(L, 2) == LUA_TTABLE ? 2 : 0, i, each);
        lun_array *part = view_push(L);
        if (lun_array_slice(part, array, slices, &err) != LUN_OK)
            call_raise(L, array->device, &err);
        slices[axis].from += (int64_t)slices[axis].count;
    }
    return count;
}

/* ---- grids ------------------------------------------------------------------------------------------ */

/* A view of the vector along that axis of a grid. */
static lun_status view_along(lun_array *out, const lun_array *vector, int axis, int ndim, const size_t *shape,
                             lun_error *err)
{
    lun_array thin = {0};
    bool others[LUN_MAX_AXES] = {false};
    for (int i = 0; i < ndim; i++)
        others[i] = i != axis;
    lun_status status = lun_array_expand(&thin, vector, others, ndim - 1, err);
    if (status == LUN_OK)
        status = lun_array_broadcast(out, &thin, ndim, shape, err);
    lun_array_clear(&thin);
    return status;
}

/* Does the grid have its first two axes in matrix order, not as x and y? The option stands behind `count` vectors. */
static bool read_indexing(lua_State *L, int count)
{
    options o;
    options_read(L, &o, "meshgrid", 2 + count, 0);
    const char *indexing = option_text(L, &o, "indexing");
    if (indexing != NULL && strcmp(indexing, "xy") != 0 && strcmp(indexing, "ij") != 0)
        misuse(L, "option 'indexing': \"xy\" or \"ij\" is wanted, got \"%s\"", indexing);
    return indexing != NULL && strcmp(indexing, "ij") == 0;
}

/* lun.meshgrid(x, y, ... [, options]): a view of each vector. */
static int module_meshgrid(lua_State *L)
{
    lun_error err;
    const lun_array *vectors[LUN_MAX_AXES];
    size_t shape[LUN_MAX_AXES];
    int count = 0;
    check_function(L, LUN_MAX_AXES + 1);
    while (count < LUN_MAX_AXES && object_test(L, 2 + count, CLASS_ARRAY) != NULL) {
        vectors[count] = check_array(L, 2 + count);
        if (vectors[count]->ndim != 1)
            misuse(L, "argument %d: a vector is wanted; this array has %d axes", count + 1, vectors[count]->ndim);
        count++;
    }
    if (object_test(L, 2 + count, CLASS_ARRAY) != NULL)
        misuse(L, "there are more than %d vectors; an array has at most %d axes", LUN_MAX_AXES, LUN_MAX_AXES);
    if (count == 0 || (!lua_isnoneornil(L, 2 + count) && lua_type(L, 2 + count) != LUA_TTABLE))
        check_refuse(L, 2 + count, "a vector");
    const bool matrix_order = read_indexing(L, count) || count < 2;
    for (int i = 0; i < count; i++) {
        const int axis = matrix_order || i > 1 ? i : 1 - i;
        shape[axis] = vectors[i]->size;
    }
    for (int i = 0; i < count; i++) {
        const int axis = matrix_order || i > 1 ? i : 1 - i;
        lun_array *view = view_push(L);
        if (view_along(view, vectors[i], axis, count, shape, &err) != LUN_OK)
            call_raise(L, vectors[i]->device, &err);
    }
    return count;
}

const luaL_Reg arrange_methods[] = {
    {"broadcast", array_broadcast}, {"squeeze", array_squeeze}, {"expand", array_expand},
    {"flip", array_flip},           {"split", array_split},     {NULL, NULL},
};

const luaL_Reg arrange_functions[] = {
    {"meshgrid", module_meshgrid},
    {NULL, NULL},
};
