/* Sorting, and what is built on it. */
#include "call.h"
#include "check.h"
#include "task.h"

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
