/* Sorting, and what is built on it. */
#include "call.h"
#include "check.h"
#include "index.h"

#include <string.h>

/* ---- sort, argsort, topk ---------------------------------------------------------------------------------- */

/* The option `axis`, or the last. */
static int option_axis(lua_State *L, const options *o, const lun_array *array)
{
    if (array->ndim == 0)
        misuse(L, "the array has no axes, along which it could be sorted");
    if (option_push(L, o, "axis") == 0)
        return array->ndim - 1;
    const int axis = check_axis(L, lua_gettop(L), array);
    lua_pop(L, 1);
    return axis;
}

static int sort_along(lua_State *L, const char *method, bool values)
{
    options o;
    task t;
    lun_attempt tried;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, method, 2, 0);
    const lun_sorting sorting = {.axis = option_axis(L, &o, array), .descending = option_boolean(L, &o, "descending")};
    task_begin(L, &t, &o, array->device, 1);
    lun_array *out = task_out(L, &t, &o);
    task_make(L, &t, values ? array->dtype : LUN_i64, array->ndim, array->shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_sort(values ? out : NULL, values ? NULL : out, array, &sorting, &t.call, &tried.err);
    return task_give(L, &t);
}

/* a:sort([options]), a:argsort([options]) */
int array_sort(lua_State *L) { return sort_along(L, "sort", true); }
int array_argsort(lua_State *L) { return sort_along(L, "argsort", false); }

/* a:topk(k [, options]): the k largest along the axis, and their positions. */
int array_topk(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    const lua_Integer k = check_integer(L, 2);
    if (k < 0)
        misuse(L, "argument 1: a whole number from 0 is wanted, got %I", (LUAI_UACINT)k);
    options_read(L, &o, "topk", 3, 0);
    const lun_sorting sorting = {.axis = option_axis(L, &o, array),
                                 .descending = !option_boolean(L, &o, "smallest"),
                                 .some = true,
                                 .first = (size_t)k};
    task_begin(L, &t, &o, array->device, 2);
    lun_array *values = array_push(L), *positions = array_push(L);
    const int first = lua_gettop(L) - 1;
    if (lun_sort_result(shape, array, &sorting, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    t.out = values;
    task_make(L, &t, array->dtype, array->ndim, shape);
    t.out = positions;
    task_make(L, &t, LUN_i64, array->ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_sort(values, positions, array, &sorting, &t.call, &tried.err);
    return task_return(L, &t, first, 2);
}

/* ---- sort_by ---------------------------------------------------------------------------------------------- */

#define MOST_SORTED 32

/* Reads the arrays behind the keys, which have as many rows as there are keys. Gives how many. */
static int read_sorted(lua_State *L, const lun_array *keys, const lun_array **arrays)
{
    char text[200];
    int count = 0;
    if (keys->ndim != 1)
        misuse(L, "the keys have shape %s; an array of one axis is wanted",
               lun_shape_text(text, sizeof text, keys->ndim, keys->shape));
    for (int i = 3; i <= lua_gettop(L) && lua_type(L, i) != LUA_TTABLE; i++) {
        if (count == MOST_SORTED)
            misuse(L, "more than %d arrays are to be sorted by the keys", MOST_SORTED);
        const lun_array *array = check_array(L, i);
        if (array->ndim == 0 || array->shape[0] != keys->size)
            misuse(L, "argument %d has shape %s; %I positions along its first axis are wanted, one for each key", i - 1,
                   lun_shape_text(text, sizeof text, array->ndim, array->shape), (LUAI_UACINT)keys->size);
        arrays[count++] = array;
    }
    return count;
}

/* lun.sort_by(keys, a, b ... [, options]): the arrays, in the order that sorts the keys. */
static int sort_by(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    const lun_array *arrays[MOST_SORTED];
    lua_pushnil(L);
    lua_insert(L, 1);
    const lun_array *keys = check_array(L, 2);
    const int count = read_sorted(L, keys, arrays);
    if (count == 0)
        check_refuse(L, 3, "an array");
    options_read(L, &o, "sort_by", 3 + count, 0);
    const lun_sorting sorting = {.descending = option_boolean(L, &o, "descending")};
    luaL_checkstack(L, 3 * count + LUA_MINSTACK, NULL);
    task_begin(L, &t, &o, keys->device, count);
    const lun_call quiet = {.queue = t.call.queue};
    lun_array *order = task_private(L, &t);
    task_make(L, &t, LUN_i64, 1, keys->shape);
    for (lun_attempt_enqueue(&tried, t.device, &quiet); call_goes_on(L, &tried);)
        tried.status = lun_sort(NULL, order, keys, &sorting, &quiet, &tried.err);
    const int first = lua_gettop(L) + 1;
    for (int i = 0; i < count; i++) {
        t.out = array_push(L);
        task_make(L, &t, arrays[i]->dtype, arrays[i]->ndim, arrays[i]->shape);
        const lun_call *call = i + 1 == count ? &t.call : &quiet;
        for (lun_attempt_enqueue(&tried, t.device, call); call_goes_on(L, &tried);)
            tried.status = lun_take(t.out, arrays[i], order, 0, call, &tried.err);
    }
    lun_array_clear(order);
    return task_return(L, &t, first, count);
}

/* ---- searchsorted ----------------------------------------------------------------------------------------- */

/* Is it the right side? */
static bool option_side(lua_State *L, const options *o)
{
    const char *side = option_text(L, o, "side");
    if (side == NULL || strcmp(side, "left") == 0)
        return false;
    if (strcmp(side, "right") != 0)
        misuse(L, "unknown side '%s'; known are left, right", side);
    return true;
}

/* A private array of one number, in the array's dtype, or f32 where that is of integers and the number is none. [-0, +1] */
static const lun_array *push_number(lua_State *L, const task *t, const lun_array *array, lun_number number)
{
    lun_attempt tried;
    const lun_call quiet = {.queue = t->call.queue};
    const bool narrow = !number.is_integer && lun_dtype_has(array->dtype, LUN_WHOLE);
    lun_array *one = array_push_private(L);
    for (lun_attempt_start(&tried, t->device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(one, t->device, narrow ? LUN_f32 : array->dtype, 0, NULL, &tried.err);
    for (lun_attempt_enqueue(&tried, t->device, &quiet); call_goes_on(L, &tried);)
        tried.status = lun_array_fill(one, number, &quiet, &tried.err);
    return one;
}

/* a:searchsorted(values [, options]): where each value belongs; of a number a number. */
static int array_searchsorted(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    const lun_array *array = check_array(L, 1), *values = NULL;
    const bool number = lua_type(L, 2) == LUA_TNUMBER;
    if (!number && object_test(L, 2, CLASS_ARRAY) == NULL)
        check_refuse(L, 2, "an array or a number");
    options_read(L, &o, "searchsorted", 3, 0);
    const bool right = option_side(L, &o), given = option_push(L, &o, "out") != 0;
    task_begin(L, &t, &o, array->device, 1);
    values = number ? push_number(L, &t, array, check_number(L, 2)) : check_array(L, 2);
    lun_array *out = number && !given ? task_private(L, &t) : task_out(L, &t, &o);
    task_make(L, &t, LUN_i64, values->ndim, values->shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_searchsorted(out, array, values, right, &t.call, &tried.err);
    return number && !given ? task_return_numbers(L, &t, t.result, 1) : task_give(L, &t);
}

/* ---- unique ----------------------------------------------------------------------------------------------- */

/* What a:unique() makes on its way; all of it is private. */
typedef struct distinct {
    lun_array *sorted, *marks, *positions; /* NULL: no inverse */
    lun_array *found, *starts;             /* how many there are of them, as lun_mask wants it; where they start */
    size_t count;
} distinct;

static lun_array *push_private(lua_State *L, task *t, lun_dtype dtype, int ndim, const size_t *shape)
{
    lun_array *made = task_private(L, t);
    task_make(L, t, dtype, ndim, shape);
    return made;
}

/* Sorts and counts: waits. [-0, +(4|5)] */
static void find_distinct(lua_State *L, distinct *d, task *t, const lun_array *array, bool inverse)
{
    lun_attempt tried;
    const lun_call quiet = {.queue = t->call.queue, .variant = t->call.variant};
    d->sorted = push_private(L, t, array->dtype, 1, &array->size);
    d->marks = push_private(L, t, LUN_u8, 1, &array->size);
    d->positions = inverse ? push_private(L, t, LUN_i64, 1, &array->size) : NULL;
    for (lun_attempt_enqueue(&tried, t->device, &quiet); call_goes_on(L, &tried);)
        tried.status = lun_unique_sort(d->sorted, d->positions, d->marks, array, &quiet, &tried.err);
    task plain = *t;
    plain.call = (lun_call){.queue = t->call.queue};
    d->count = index_count_mask(L, &d->found, d->marks, &plain);
    d->starts = push_private(L, t, LUN_i64, 2, (size_t[]){1, d->count});
}

static void drop_distinct(distinct *d)
{
    lun_array_clear(d->sorted);
    lun_array_clear(d->marks);
    if (d->positions != NULL)
        lun_array_clear(d->positions);
    lun_array_clear(d->found);
    lun_array_clear(d->starts);
}

/* An empty array that the method gives, made. [-0, +1] */
static lun_array *push_result(lua_State *L, task *t, lun_dtype dtype, int ndim, const size_t *shape)
{
    t->out = array_push(L);
    task_make(L, t, dtype, ndim, shape);
    return t->out;
}

/* a:unique([options]): the values, sorted; how many there are of each; which one each element has. */
int array_unique(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    distinct d;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "unique", 2, 0);
    const bool counts = option_boolean(L, &o, "counts"), inverse = option_boolean(L, &o, "inverse");
    const bool more = counts || inverse;
    task_begin(L, &t, &o, array->device, 1 + counts + inverse);
    find_distinct(L, &d, &t, array, inverse);
    const lun_call quiet = {.queue = t.call.queue}, last = {.queue = t.call.queue, .event = t.call.event};
    const lun_call *choosing = more ? &quiet : &last;
    const int first = lua_gettop(L) + 1;
    lun_array *values = push_result(L, &t, array->dtype, 1, &d.count);
    lun_array *counted = counts ? push_result(L, &t, LUN_i64, 1, &d.count) : NULL;
    lun_array *which = inverse ? push_result(L, &t, LUN_i64, array->ndim, array->shape) : NULL;
    for (lun_attempt_enqueue(&tried, t.device, choosing); call_goes_on(L, &tried);)
        tried.status = lun_mask(values, d.sorted, d.marks, d.found, choosing, &tried.err);
    for (lun_attempt_enqueue(&tried, t.device, &quiet); more && call_goes_on(L, &tried);)
        tried.status = lun_nonzero(d.starts, d.marks, d.found, &quiet, &tried.err);
    for (lun_attempt_enqueue(&tried, t.device, &last); more && call_goes_on(L, &tried);)
        tried.status = lun_unique_tell(counted, which, d.starts, d.positions, array->size, &last, &tried.err);
    drop_distinct(&d);
    return task_return(L, &t, first, 1 + counts + inverse);
}

const luaL_Reg sort_methods[] = {
    {"searchsorted", array_searchsorted},
    {NULL, NULL},
};

const luaL_Reg sort_functions[] = {
    {"sort_by", sort_by},
    {NULL, NULL},
};
