/* Scans: a:scan(op, options), and a method for each op. */
#include "call.h"
#include "check.h"
#include "task.h"

/* Options stand at `index`. */
static int scan(lua_State *L, lun_reduce_op op, int index)
{
    options o;
    task t;
    lun_attempt tried;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    lun_scan_options scanning = {.op = op, .axis = LUN_FLATTENED};
    options_read(L, &o, lua_tostring(L, UP_NAME), index, 0);
    task_begin(L, &t, &o, array->device, 1);
    scanning.exclusive = option_boolean(L, &o, "exclusive");
    scanning.reverse = option_boolean(L, &o, "reverse");
    const int axis = option_push(L, &o, "axis");
    if (axis)
        scanning.axis = check_axis(L, axis, array);
    lun_array *out = task_out(L, &t, &o);
    if (lun_scan_result(&dtype, &ndim, shape, array, &scanning, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_scan(out, array, &scanning, &t.call, &tried.err);
    return task_give(L, &t);
}

/* a:scan(op [, options]) */
int array_scan(lua_State *L)
{
    lun_reduce_op op;
    lun_error err;
    if (lua_type(L, 2) != LUA_TSTRING)
        check_refuse(L, 2, "the name of an op");
    if (lun_scan_find(&op, check_string(L, 2, "the name of an op"), &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return scan(L, op, 3);
}

#define SCAN(op, method)                                                                                               \
    static int array_##method(lua_State *L) { return scan(L, LUN_REDUCE_##op, 2); }
#include "../core/op/scan/scan.def"
#undef SCAN

const luaL_Reg scan_methods[] = {
#define SCAN(op, method) {#method, array_##method},
#include "../core/op/scan/scan.def"
#undef SCAN
    {NULL, NULL},
};
