/* Choosing elements: by arrays of indices and by masks. */
#include "call.h"
#include "check.h"
#include "task.h"

/* An axis, or nil: the flattened array. Options may stand in its place. */
static int read_axis(lua_State *L, options *o, const char *method, const lun_array *array)
{
    if (lua_type(L, 3) == LUA_TTABLE) {
        options_read(L, o, method, 3, 0);
        return LUN_FLATTENED;
    }
    const int axis = lua_isnoneornil(L, 3) ? LUN_FLATTENED : check_axis(L, 3, array);
    options_read(L, o, method, 4, 0);
    return axis;
}

/* a:take(index [, axis [, options]]) */
int array_take(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1), *index = check_array(L, 2);
    const int axis = read_axis(L, &o, "take", array);
    task_begin(L, &t, &o, array->device, 1);
    lun_array *out = task_out(L, &t, &o);
    if (lun_take_result(&ndim, shape, array, index, axis, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, array->dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_take(out, array, index, axis, &t.call, &tried.err);
    return task_give(L, &t);
}
