/* The frame of every operation: where its event goes, and how its results come back. */
#include "task.h"
#include "call.h"

void task_begin(lua_State *L, task *t, const options *o, const lun_device *device, int results)
{
    *t = (task){0};
    if (o->table == 0)
        return;
    t->call.variant = option_text(L, o, "variant");
    t->call.queue = option_queue(L, o, device);
    if (option_boolean(L, o, "async")) {
        t->event = event_push(L, results);
        t->event_index = lua_gettop(L);
        t->call.event = &t->event->event;
    }
}

/* Ties the results to the event, which is live from now on. Allocates nothing. [-0, +1] */
static int give_event(lua_State *L, const task *t, event_gives gives, int first, int count)
{
    for (int i = 0; i < count; i++) {
        lua_pushvalue(L, first + i);
        lua_setiuservalue(L, t->event_index, i + 1);
    }
    t->event->gives = gives;
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

void task_push_numbers(lua_State *L, const lun_array *array, lun_queue *queue)
{
    char data[2 * sizeof(double)];
    attempt tried = {0};
    lun_call call = {.queue = queue};
    call_await(L, array, LUN_READ, &call);
    size_t count = array->size <= 2 ? array->size : 2, bytes = lun_dtype_bytes(array->dtype);
    while (lun_array_read(data, array, &call, &tried.err) != LUN_OK)
        call_failed(L, array->device, &tried);
    for (size_t i = 0; i < count; i++) {
        lun_number number = lun_number_load(data + i * bytes, array->dtype);
        if (number.is_integer)
            lua_pushinteger(L, number.integer);
        else
            lua_pushnumber(L, number.real);
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
        task_push_numbers(L, array, t->call.queue);
        lun_array_clear(array);
    }
    return lua_gettop(L) - top;
}

void task_create(lua_State *L, lun_array *array, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape)
{
    attempt tried = {0};
    while (lun_array_create(array, device, dtype, ndim, shape, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
}
