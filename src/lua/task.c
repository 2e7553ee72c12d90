/* The frame of every operation: where its event goes, and how its results come back. */
#include "task.h"
#include "call.h"
#include "check.h"
#include "index.h"

static void check_arguments(lua_State *L, const task *t)
{
    for (int index = 1; index <= t->arguments; index++) {
        const lun_array *array = lua_type(L, index) == LUA_TUSERDATA ? object_test(L, index, CLASS_ARRAY) : NULL;
        if (array != NULL && !lun_array_is_live(array))
            check_array(L, index); /* raises */
    }
}

void task_begin(lua_State *L, task *t, const options *o, lun_device *device, int results)
{
    *t = (task){.device = device, .arguments = o->arguments};
    check_arguments(L, t); /* before the device is used: a released array has none */
    if (o->table == 0)
        return;
    t->call.variant = option_text(L, o, "variant");
    t->call.queue = option_queue(L, o, device);
    if (option_boolean(L, o, "async")) {
        t->event = event_push(L, results);
        t->event_index = lua_gettop(L);
        t->call.event = &t->event->event;
    }
    if (t->event != NULL || t->call.variant != NULL || t->call.queue != NULL) /* else nothing was allocated */
        check_arguments(L, t);
}

/* Ties the results to the event, which is live from now on. Allocates nothing. [-0, +1] */
static int give_event(lua_State *L, const task *t, event_gives gives, int first, int count)
{
    for (int i = 0; i < count; i++) {
        lua_pushvalue(L, first + i);
        lua_setiuservalue(L, t->event_index, i + 1);
    }
    t->event->gives = gives;
    t->event->truths = t->truths;
    t->event->arrays = t->arrays;
    t->event->live = true;
    lua_pushvalue(L, t->event_index);
    return 1;
}

int task_return(lua_State *L, const task *t, int first, int count)
{
    if (t->event != NULL)
        return give_event(L, t, GIVES_VALUES, first, count);
    luaL_checkstack(L, count, NULL);
    for (int i = 0; i < count; i++)
        lua_pushvalue(L, first + i);
    return count;
}

void task_read(lua_State *L, void *data, const lun_array *array, const lun_call *call)
{
    size_t received = 0;
    lun_attempt tried;
    for (lun_attempt_start(&tried, array->device); call_goes_on(L, &tried);)
        tried.status = lun_array_receive(&tried.more, &received, data, array, call, &tried.err);
}

void task_push_numbers(lua_State *L, const lun_array *array, lun_queue *queue, bool truth)
{
    char data[2 * LUN_MOST_BYTES];
    const lun_call call = {.queue = queue};
    size_t count = array->size <= 2 ? array->size : 2, bytes = lun_dtype_bytes(array->dtype);
    task_read(L, data, array, &call);
    for (size_t i = 0; i < count; i++) {
        const lun_number number = lun_number_load(data + i * bytes, array->dtype);
        if (truth)
            lua_pushboolean(L, number.integer != 0);
        else
            number_push(L, number);
    }
}

int task_return_numbers(lua_State *L, const task *t, int first, int count)
{
    if (t->event != NULL)
        return give_event(L, t, GIVES_NUMBERS, first, count);
    int top = lua_gettop(L);
    luaL_checkstack(L, 2 * count + 2, NULL);
    for (int i = 0; i < count; i++) {
        lun_array *array = lua_touserdata(L, first + i);
        if (t->arrays >> i & 1) {
            lua_pushvalue(L, first + i);
            continue;
        }
        task_push_numbers(L, array, t->call.queue, t->truths >> i & 1);
        lun_array_clear(array);
    }
    return lua_gettop(L) - top;
}

/* ---- the array that a method gives --------------------------------------------------------------------- */

lun_array *task_out(lua_State *L, task *t, const options *o)
{
    t->out = option_array(L, o, "out");
    t->given = t->out != NULL;
    if (!t->given)
        t->out = array_push(L);
    t->result = lua_gettop(L);
    check_arguments(L, t);
    return t->out;
}

void task_in_place(task *t, lun_array *array, int index)
{
    t->out = array;
    t->given = true;
    t->result = index;
}

lun_array *task_private(lua_State *L, task *t)
{
    t->given = false;
    t->out = array_push_private(L);
    t->result = lua_gettop(L);
    check_arguments(L, t);
    return t->out;
}

void task_make(lua_State *L, const task *t, lun_dtype dtype, int ndim, const size_t *shape)
{
    lun_attempt tried;
    if (t->given)
        return;
    for (lun_attempt_start(&tried, t->device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(t->out, t->device, dtype, ndim, shape, &tried.err);
}

int task_give(lua_State *L, const task *t) { return task_return(L, t, t->result, 1); }

/* ---- reductions ---------------------------------------------------------------------------------------- */

lun_array *task_segments(lua_State *L, const options *o, lun_device *device)
{
    const int index = option_push(L, o, "segments");
    if (index == 0)
        return NULL;
    if (lua_type(L, index) == LUA_TTABLE)
        return index_from_list(L, index, "segments", device, 0);
    lua_pop(L, 1);
    return option_array(L, o, "segments");
}

lun_array *task_read_segments(lua_State *L, const options *o, const lun_array *array, bool *reduced)
{
    lun_array *segments = task_segments(L, o, array->device);
    const bool named = option_push(L, o, "axis") != 0;
    lua_pop(L, named);
    for (int i = 0; i < array->ndim - 1 && segments != NULL && !named; i++)
        reduced[i] = false;
    return segments;
}

bool task_read_axes(lua_State *L, const options *o, const lun_array *array, bool *reduced)
{
    bool whole = true, named = option_push(L, o, "axis") != 0;
    if (named) {
        check_axes(L, -1, array, reduced);
        lua_pop(L, 1);
    }
    for (int i = 0; i < array->ndim; i++) {
        reduced[i] = reduced[i] || !named;
        whole = whole && reduced[i];
    }
    return whole;
}
