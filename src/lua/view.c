/* Views: other shapes of the same memory. None of them copies or waits. */
#include "view.h"
#include "call.h"
#include "check.h"
#include "task.h"

/* ---- positions -------------------------------------------------------------------------------------- */

/* A position on an axis of that size, counted from 0; negative ones count from the last. It may lie one
 * beside the axis at either end. */
static int64_t place(lua_Integer position, size_t size)
{
    return position < 0 ? position + (int64_t)size : position - 1;
}

_Noreturn static void out_of_range(lua_State *L, lua_Integer position, int axis, size_t size)
{
    misuse(L, "position %I is out of range on axis %d, which has %I", (LUAI_UACINT)position, axis + 1,
           (LUAI_UACINT)size);
}

/* Pushes a text for messages on the value that came where a whole number is wanted. [-0, +1] */
static const char *what_came(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TNUMBER ? number_text(L, index) : lua_pushstring(L, object_kind(L, index));
}

lun_slice view_position(lua_State *L, int index, const lun_array *array, int axis)
{
    lua_Integer position;
    size_t size = array->shape[axis];
    if (!number_integral(L, index, &position))
        misuse(L, "%s: a position (a whole number) is wanted, got %s", check_place(L, index), what_came(L, index));
    int64_t from = place(position, size);
    if (position == 0 || from < 0 || from >= (int64_t)size)
        out_of_range(L, position, axis, size);
    return (lun_slice){.from = from, .step = 1, .count = 1, .drop = true};
}

/* Field `field` of the range at `index`; false if it is missing. */
static bool range_part(lua_State *L, int index, int field, lua_Integer *out)
{
    bool given = lua_geti(L, index, field) != LUA_TNIL;
    if (given && !number_integral(L, -1, out))
        misuse(L, "%s: a range is {from, to, step} of whole numbers, got %s in place %d", check_place(L, index),
               what_came(L, -1), field);
    lua_pop(L, 1);
    return given;
}

/* Refuses parts that a range does not have: those with names, and a fourth. */
static void check_parts(lua_State *L, int index)
{
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        lua_Integer part = 0;
        if (!number_integral(L, -2, &part) || part < 1 || part > 3)
            misuse(L, "%s: a range is {from, to, step}, and has no part [%s]%s", check_place(L, index),
                   value_text(L, -2), part > 3 ? "; a:take picks positions that stand in an array or a list" : "");
    }
}

/* Refuses {1, 5, 9}: whoever writes three positions in order means these, and not position 1 alone. So on an axis of fewer
 * than 9, too: whether three numbers are a list does not depend on the size. Programs whose steps may be longer than the
 * range write {1, -1, step}, whose numbers are in no order. */
static void check_no_list(lua_State *L, int index, lua_Integer from, lua_Integer to, lua_Integer step)
{
    const bool up = from > 0 && from < to && to < step;
    const bool down = from < 0 && from > to && to > step;
    if (!up && !down)
        return;
    const LUAI_UACINT a = (LUAI_UACINT)from, b = (LUAI_UACINT)to, c = (LUAI_UACINT)step;
    misuse(L,
           "%s: {%I, %I, %I} goes from %I to %I in steps of %I, which is position %I alone: write {%I, %I} for it, or "
           "{%I, %d, %I} for all steps to the end of the axis; a:take picks positions that stand in an array or a list",
           check_place(L, index), a, b, c, a, b, c, a, a, a, a, up ? -1 : 1, c);
}

/* {from, to, step}, both ends included; a range that `for` would not enter is empty. */
static lun_slice check_range(lua_State *L, int index, size_t size, int axis)
{
    lua_Integer from, to, step = 1;
    check_parts(L, index);
    const bool stepped = range_part(L, index, 3, &step);
    if (step == 0)
        misuse(L, "%s: the step is 0", check_place(L, index));
    const bool begins = range_part(L, index, 1, &from), ends = range_part(L, index, 2, &to);
    if (stepped && begins && ends)
        check_no_list(L, index, from, to, step);
    if (!begins)
        from = step > 0 ? 1 : (lua_Integer)size;
    if (!ends)
        to = step > 0 ? (lua_Integer)size : 1;
    lun_slice slice = {.from = place(from, size), .step = step};
    int64_t last = place(to, size), limit = (int64_t)size;
    if (slice.from < -1 || slice.from > limit)
        out_of_range(L, from, axis, size);
    if (last < -1 || last > limit)
        out_of_range(L, to, axis, size);
    if (step > 0 ? slice.from > last : slice.from < last) {
        slice.from = 0; /* the range is empty: only its ends had to lie near the axis */
        return slice;
    }
    if (slice.from == -1 || slice.from == limit)
        out_of_range(L, from, axis, size);
    if (last == -1 || last == limit)
        out_of_range(L, to, axis, size);
    uint64_t distance = (uint64_t)(step > 0 ? last - slice.from : slice.from - last);
    uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    slice.count = (size_t)(distance / stride + 1);
    return slice;
}

static lun_slice check_slice(lua_State *L, int index, const lun_array *array, int axis)
{
    size_t size = array->shape[axis];
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
        return (lun_slice){.from = 0, .step = 1, .count = size};
    case LUA_TTABLE:
        return check_range(L, index, size, axis);
    case LUA_TNUMBER:
        return view_position(L, index, array, axis);
    default:
        misuse(L, "%s: a range {from, to, step}, a position or nil is wanted, got %s%s", check_place(L, index),
               object_kind(L, index),
               object_test(L, index, CLASS_ARRAY) != NULL
                   ? "; a:take(index, axis) takes positions, a:mask(m) what is true"
                   : "");
    }
}

lun_status view_read(void *data, const lun_array *array, const lun_slice *slices, lun_error *err)
{
    lun_array part = {0};
    lun_status status = lun_array_slice(&part, array, slices, err);
    if (status == LUN_OK)
        status = lun_array_read(data, &part, NULL, err);
    lun_array_clear(&part);
    return status;
}

/* ---- permutations ----------------------------------------------------------------------------------- */

void view_permutation(lua_State *L, int index, int count, const lun_array *array, int *axes)
{
    bool list = lua_type(L, index) == LUA_TTABLE, named[LUN_MAX_AXES] = {false};
    if (list)
        count = (int)lua_rawlen(L, index);
    else if (count == 0 && !lua_isnoneornil(L, index))
        check_refuse(L, index, "a permutation (numbers or a list of them) or a table of options");
    if (count == 0) {
        for (int i = 0; i < array->ndim; i++)
            axes[i] = array->ndim - 1 - i;
        return;
    }
    if (count != array->ndim)
        misuse(L, "the permutation has %d %s, and the array %d", count, count == 1 ? "axis" : "axes", array->ndim);
    for (int i = 0; i < count; i++) {
        if (list)
            lua_rawgeti(L, index, i + 1);
        else
            lua_pushvalue(L, index + i);
        axes[i] = check_axis(L, -1, array);
        lua_pop(L, 1);
        if (named[axes[i]])
            misuse(L, "the permutation names axis %d twice", axes[i] + 1);
        named[axes[i]] = true;
    }
}

/* ---- methods ---------------------------------------------------------------------------------------- */

/* a:slice(s1, s2, ...); row and col are slices too. */
static int give_slice(lua_State *L, const lun_array *array, const lun_slice *slices)
{
    lun_error err;
    lun_array *view = view_push(L);
    if (lun_array_slice(view, array, slices, &err) != LUN_OK)
        call_raise(L, array->device, &err);
    return 1;
}

static int array_slice(lua_State *L)
{
    lun_slice slices[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    int given = lua_gettop(L) - 1;
    if (given > array->ndim)
        misuse(L, "%d slices for an array with %d %s; a range is a list: slice{from, to}", given, array->ndim,
               array->ndim == 1 ? "axis" : "axes");
    lua_settop(L, 1 + array->ndim);
    for (int axis = 0; axis < array->ndim; axis++)
        slices[axis] = check_slice(L, 2 + axis, array, axis);
    return give_slice(L, array, slices);
}

/* Picks one position on an axis and leaves the others whole. */
static int pick(lua_State *L, const lun_array *array, int axis)
{
    lun_slice slices[LUN_MAX_AXES];
    for (int i = 0; i < array->ndim; i++)
        slices[i] = (lun_slice){.from = 0, .step = 1, .count = array->shape[i]};
    slices[axis] = view_position(L, 2, array, axis);
    check_end(L, 2);
    return give_slice(L, array, slices);
}

static int array_row(lua_State *L)
{
    const lun_array *array = check_array(L, 1);
    if (array->ndim == 0)
        misuse(L, "the array has no axes, so it has no rows");
    return pick(L, array, 0);
}

static int array_col(lua_State *L)
{
    const lun_array *array = check_array(L, 1);
    if (array->ndim != 2)
        misuse(L, "only an array with 2 axes has columns; this one has %d", array->ndim);
    return pick(L, array, 1);
}

/* a:t(): all axes in reverse. */
static int array_t(lua_State *L)
{
    int axes[LUN_MAX_AXES];
    lun_error err;
    const lun_array *array = check_array(L, 1);
    check_end(L, 1);
    view_permutation(L, 2, 0, array, axes);
    lun_array *view = view_push(L);
    if (lun_array_permute(view, array, axes, &err) != LUN_OK)
        call_raise(L, array->device, &err);
    return 1;
}

/* Raises as the sizes beside -1, which stands at `open`, leave no size for the elements; `known`: of these the product. */
_Noreturn static void refuse_open(lua_State *L, const lun_array *array, int count, const size_t *shape, int open,
                                  size_t known)
{
    const lua_Integer elements = (lua_Integer)array->size;
    lua_pushliteral(L, "");
    for (int i = 0; i < count; i++) {
        const lua_Integer size = i == open ? -1 : (lua_Integer)shape[i];
        lua_pushfstring(L, "%s%s%I", lua_tostring(L, -1), i > 0 ? "x" : "", (LUAI_UACINT)size);
        lua_remove(L, -2);
    }
    const char *text = lua_tostring(L, -1), *plural = elements == 1 ? "element does" : "elements do";
    if (known == 0 && elements == 0)
        misuse(L, "0 elements fit shape %s with any size in the place of -1: write the size that is meant", text);
    if (known == 0)
        misuse(L, "%I %s not fit shape %s, which has none", (LUAI_UACINT)elements, plural, text);
    misuse(L, "%I %s not fit shape %s: %I is no multiple of %I", (LUAI_UACINT)elements, plural, text,
           (LUAI_UACINT)elements, (LUAI_UACINT)known);
}

/* The sizes, as arguments or as one list; one of them may be -1, for the size that is left. */
static int check_new_shape(lua_State *L, const lun_array *array, size_t *shape)
{
    bool list = lua_type(L, 2) == LUA_TTABLE;
    int count = list ? (int)lua_rawlen(L, 2) : lua_gettop(L) - 1, open = -1;
    size_t known = 1;
    if (list)
        check_end(L, 2);
    check_list(L, 2, NULL, false);
    if (count > LUN_MAX_AXES)
        misuse(L, "the shape has %d sizes; an array has at most %d axes", count, LUN_MAX_AXES);
    for (int i = 0; i < count; i++) {
        lua_Integer size;
        if (list)
            lua_rawgeti(L, 2, i + 1);
        else
            lua_pushvalue(L, 2 + i);
        if (number_integral(L, -1, &size) && size == -1) {
            if (open >= 0)
                misuse(L, "sizes %d and %d are both -1; one can be left open", open + 1, i + 1);
            open = i;
            shape[i] = 0;
        } else {
            shape[i] = check_size(L, -1, "size", i + 1);
            if (shape[i] != 0 && known > SIZE_MAX / shape[i])
                misuse(L, "the product of the sizes overflows");
            known *= shape[i];
        }
        lua_pop(L, 1);
    }
    if (open >= 0) {
        if (known == 0 || array->size % known != 0)
            refuse_open(L, array, count, shape, open, known);
        shape[open] = array->size / known;
    }
    return count;
}

static int array_reshape(lua_State *L)
{
    size_t shape[LUN_MAX_AXES];
    lun_error err;
    const lun_array *array = check_array(L, 1);
    int ndim = check_new_shape(L, array, shape);
    lun_array *view = view_push(L);
    if (lun_array_reshape(view, array, ndim, shape, &err) != LUN_OK)
        call_raise(L, array->device, &err);
    return 1;
}

const luaL_Reg view_methods[] = {
    {"slice", array_slice}, {"row", array_row},         {"col", array_col},
    {"t", array_t},         {"reshape", array_reshape}, {NULL, NULL},
};
