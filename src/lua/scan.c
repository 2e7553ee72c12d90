/* Scans: a:scan(op, options), and a method for each op. */
#include "call.h"
#include "check.h"
#include "expression.h"
#include "task.h"

/* `name`, a string literal, is the method's. Options stand at `index`, or beside a list at `list` (0: none), which is then an operator of the user's. */
static int scan(lua_State *L, const char *name, lun_reduce_op op, int index, int list)
{
    options o;
    task t;
    lun_attempt tried;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    lun_scan_options scanning = {.op = op, .axis = LUN_FLATTENED};
    options_read(L, &o, lua_tostring(L, UP_NAME), index, list);
    scanning.exclusive = option_boolean(L, &o, "exclusive");
    scanning.reverse = option_boolean(L, &o, "reverse");
    const int axis = option_push(L, &o, "axis");
    if (axis)
        scanning.axis = check_axis(L, axis, array);
    if (!list)
        fold_refuse_own(L, &o);
    if (list || option_push(L, &o, "segments") != 0)
        return fold_scan(L, name, array, &scanning, &o);
    task_begin(L, &t, &o, array->device, 1);
    lun_array *out = task_out(L, &t, &o);
    if (lun_scan_result(&dtype, &ndim, shape, array, &scanning, &tried.err) != LUN_OK)
        call_raise(L, t.device, &tried.err);
    task_make(L, &t, dtype, ndim, shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_scan(out, array, &scanning, &t.call, &tried.err);
    return task_give(L, &t);
}

/* a:scan(op [, options]), a:scan{combine =, identity =, ...} */
int array_scan(lua_State *L)
{
    lun_reduce_op op;
    lun_error err;
    if (lua_type(L, 2) == LUA_TTABLE && lua_rawlen(L, 2) == 0)
        return scan(L, "scan", LUN_REDUCE_OPS, 3, 2);
    if (lua_type(L, 2) != LUA_TSTRING)
        check_refuse(L, 2, "the name of an op");
    const char *name = check_string(L, 2, "the name of an op");
    if (lun_scan_find(&op, name, &err) != LUN_OK)
        expression_refuse_op(L, name, "{combine = \"a + b\"}", &err);
    return scan(L, "scan", op, 3, 0);
}

#define SCAN(op, method)                                                                                               \
    static int array_##method(lua_State *L) { return scan(L, #method, LUN_REDUCE_##op, 2, 0); }
#include "../core/op/scan/scan.def"
#undef SCAN

const luaL_Reg scan_methods[] = {
#define SCAN(op, method) {#method, array_##method},
#include "../core/op/scan/scan.def"
#undef SCAN
    {NULL, NULL},
};
