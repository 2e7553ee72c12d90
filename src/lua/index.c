/* Choosing elements: by arrays of indices and by masks. */
#include "index.h"
#include "call.h"
#include "check.h"
#include "convert.h"
#include "transfer.h"

#define POSITIONS "an i32 or i64 array of positions, or a list of them,"
#define GET "a:get(i, j) reads one element, and a:slice(...) views a part"
#define SET "a:set(v, i, j) writes one element, and a:slice(...) views a part"

lun_array *index_from_list(lua_State *L, int index, const char *what, lun_device *device)
{
    size_t shape[LUN_MAX_AXES];
    const lun_call call = {0};
    lun_attempt tried;
    check_list(L, index, what, false);
    const int ndim = convert_shape(L, index, shape);
    lun_array *made = array_push(L);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(made, device, LUN_i64, ndim, shape, &tried.err);
    transfer_write_table(L, made, index, ndim, shape, &call);
    lua_replace(L, index);
    return made;
}

/* The array at index 2 of positions, or a list of them, which becomes an array in its place. `single` says what does
 * the same with one element. */
static const lun_array *check_index(lua_State *L, const char *single)
{
    const int index = 2;
    if (lua_type(L, index) == LUA_TNUMBER)
        misuse(L, "argument 1: " POSITIONS " is wanted, got %s; %s", number_text(L, index), single);
    if (object_test(L, index, CLASS_ARRAY) != NULL)
        return check_array(L, index);
    if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) == 0)
        check_refuse(L, index, POSITIONS);
    return index_from_list(L, index, NULL, check_array(L, 1)->device);
}

/* Takes the options out of the list at index 2, which holds them: it becomes a list without them. */
static void part_list(lua_State *L, options *o)
{
    const lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    lua_pushvalue(L, 2);
    lua_newtable(L);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 2, i);
        lua_rawseti(L, -2, i);
    }
    lua_replace(L, 2);
    o->table = lua_gettop(L);
}

/* a:take(index [, axis] [, options]) */
int array_take(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    const int named = options_read_axis(L, &o, "take", 3, lua_type(L, 2) == LUA_TTABLE ? 2 : 0);
    if (o.table == 2)
        part_list(L, &o);
    const lun_array *index = check_index(L, GET);
    const int axis = named == 0 ? LUN_FLATTENED : check_axis(L, named, array);
    task_begin(L, &t, &o, array->device, 1);
    lun_array *out = task_out(L, &t, &o);
    if (lun_take_result(&ndim, shape, array, index, axis, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, array->dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_take(out, array, index, axis, &t.call, &tried.err);
    return task_give(L, &t);
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

/* A number or an array. */
static lun_values read_values(lua_State *L, int index)
{
    lun_values values = {0};
    if (lua_type(L, index) == LUA_TNUMBER)
        values.number = check_number(L, index);
    else if (object_test(L, index, CLASS_ARRAY) != NULL)
        values.array = check_array(L, index);
    else
        check_refuse(L, index, "an array or a number");
    return values;
}

typedef lun_status writer(const lun_array *array, const lun_array *where, const lun_values *values,
                          const lun_call *call, lun_error *err);

/* a:put(index, values [, options]) and its like: change the array, and return it. */
static int write_where(lua_State *L, writer *f, bool by_mask)
{
    options o;
    task t;
    lun_attempt tried;
    const lun_array *array = check_array(L, 1), *where = by_mask ? check_array(L, 2) : check_index(L, SET);
    const lun_values values = read_values(L, 3);
    options_read(L, &o, lua_tostring(L, UP_NAME), 4, 0);
    task_begin(L, &t, &o, array->device, 1);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = f(array, where, &values, &t.call, &tried.err);
    return task_return(L, &t, 1, 1);
}

int array_put(lua_State *L) { return write_where(L, lun_put, false); }
int array_add_at(lua_State *L) { return write_where(L, lun_add_at, false); }
int array_mask_put(lua_State *L) { return write_where(L, lun_mask_put, true); }

/* ---- what a mask chooses ---------------------------------------------------------------------------------- */

size_t index_count_mask(lua_State *L, lun_array **counts, const lun_array *mask, const task *t)
{
    lun_attempt tried;
    const lun_call reading = {.queue = t->call.queue};
    const size_t size = lun_mask_counts(mask), last = size - 1;
    int64_t total = 0;
    lun_array *made = array_push_private(L), *end = array_push_private(L);
    for (lun_attempt_start(&tried, t->device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(made, t->device, LUN_i64, 1, &size, &tried.err);
    for (lun_attempt_enqueue(&tried, t->device, &t->call); call_goes_on(L, &tried);)
        tried.status = lun_mask_count(made, mask, &t->call, &tried.err);
    const lun_slice slice = {.from = (int64_t)last, .step = 1, .count = 1};
    if (lun_array_slice(end, made, &slice, &tried.err) != LUN_OK)
        call_raise(L, t->device, &tried.err);
    task_read(L, &total, end, &reading);
    lun_array_clear(end);
    lua_pop(L, 1);
    *counts = made;
    return (size_t)total;
}

/* a:mask(m [, options]) */
int array_mask(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    lun_array *counts;
    const lun_array *array = check_array(L, 1), *mask = check_array(L, 2);
    options_read(L, &o, "mask", 3, 0);
    task_begin(L, &t, &o, array->device, 1);
    lun_array *out = task_out(L, &t, &o);
    if (lun_mask_check(array, mask, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    const size_t count = index_count_mask(L, &counts, mask, &t);
    if (t.given && (out->ndim != 1 || out->shape[0] != count)) {
        char text[200];
        misuse(L, "out has shape %s; the result has %I", lun_shape_text(text, sizeof text, out->ndim, out->shape),
               (LUAI_UACINT)count);
    }
    task_make(L, &t, array->dtype, 1, &count);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_mask(out, array, mask, counts, &t.call, &tried.err);
    lun_array_clear(counts);
    return task_give(L, &t);
}

/* m:nonzero([options]): an array of positions for each axis, rows of one array. */
int array_nonzero(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    lun_array *counts;
    const lun_array *mask = check_array(L, 1);
    options_read(L, &o, "nonzero", 2, 0);
    if (mask->ndim == 0)
        misuse(L, "the array has no axes, along which positions could be told");
    const int axes = mask->ndim;
    task_begin(L, &t, &o, mask->device, axes);
    luaL_checkstack(L, 2 * axes + LUA_MINSTACK, NULL);
    const int first = lua_gettop(L) + 1;
    lun_array *rows[LUN_MAX_AXES];
    for (int i = 0; i < axes; i++)
        rows[i] = array_push(L);
    lun_array *all = task_private(L, &t);
    const size_t count = index_count_mask(L, &counts, mask, &t);
    task_make(L, &t, LUN_i64, 2, (size_t[]){(size_t)axes, count});
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_nonzero(all, mask, counts, &t.call, &tried.err);
    lun_array_clear(counts);
    for (int i = 0; i < axes; i++) {
        const lun_slice row[2] = {{.from = i, .step = 1, .count = 1, .drop = true},
                                  {.from = 0, .step = 1, .count = count}};
        if (lun_array_slice(rows[i], all, row, &tried.err) != LUN_OK)
            call_raise(L, t.device, &tried.err);
    }
    lun_array_clear(all);
    return task_return(L, &t, first, axes);
}
