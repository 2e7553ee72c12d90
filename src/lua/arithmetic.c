/* Elementwise functions: operators, and methods while a fused function is traced. */
#include "api/functions.h"
#include "call.h"
#include "check.h"
#include "request.h"

/* Raises as the array at `index` was released: it is an operand of an operator with that many. */
_Noreturn static void refuse_released(lua_State *L, int index, unsigned arity)
{
    misuse(L, "%sthe array was released", arity == 1 ? "" : index == 1 ? "left operand: " : "right operand: ");
}

_Noreturn static void refuse_operand(lua_State *L, int index)
{
    const char *hint = object_hint(L, index);
    misuse(L, "arrays and numbers are needed on both sides, got %s%s%s", object_kind(L, index),
           hint != NULL ? "; " : "", hint != NULL ? hint : "");
}

/* The operand of an operator with that many at `index`, which is not a number. */
static const lun_array *check_operand(lua_State *L, int index, unsigned arity)
{
    const lun_array *array = object_test(L, index, CLASS_ARRAY);
    if (array == NULL)
        refuse_operand(L, index);
    if (!lun_array_is_live(array))
        refuse_released(L, index, arity);
    return array;
}

/* Is one of the operands an array, or a number of a traced function? Are there arrays at all? */
static bool is_traced(lua_State *L, int arity, bool *arrays)
{
    lun_number number;
    bool numbers = false;
    *arrays = false;
    for (int i = 1; i <= arity; i++) {
        *arrays = *arrays || object_test(L, i, CLASS_ARRAY) != NULL;
        numbers = numbers || traced_number(L, i, &number);
    }
    return *arrays || numbers;
}

/* For numbers alone: computed by Lua at each call of the traced function. */
static int compute_number(lua_State *L, lun_map_op which, int arity)
{
    lua_settop(L, arity);
    for (int i = 1; i <= arity; i++)
        if (lua_type(L, i) == LUA_TTABLE && luaL_getmetafield(L, i, FUSED) != LUA_TNIL)
            break;
    lua_insert(L, 1);
    lua_pushstring(L, lun_map_name(which));
    lua_insert(L, 2);
    lua_call(L, arity + 1, 1);
    return 1;
}

/* ---- functions of the module whose first argument is a number ------------------------------------------------------------------------- */

/* lun.erf(0.5): a number, which the default device computes in its widest dtypes, also while a function is traced. */
static int give_number(lua_State *L, lun_map_op which, const lun_number *numbers)
{
    lun_elementwise e;
    lun_number result;
    lun_attempt tried;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_device *device = device_push_default(L);
    lun_array *in = array_push_private(L), *out = array_push_private(L);
    const lun_dtype floats = lun_device_info_get(device)->fp64 ? LUN_f64 : LUN_f32;
    lun_dtype dtype = numbers[0].is_integer ? LUN_i64 : lun_dtype_joined(floats, numbers[0], floats);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(in, device, dtype, 0, NULL, &tried.err);
    for (lun_attempt_enqueue(&tried, device, NULL); call_goes_on(L, &tried);)
        tried.status = lun_array_fill(in, numbers[0], NULL, &tried.err);
    lun_elementwise_begin(&e, which);
    lun_elementwise_array(&e, 0, in);
    for (unsigned i = 1; i < lun_map_arity(which); i++)
        lun_elementwise_number(&e, i, numbers[i]);
    e.nodes[e.result].dtype = floats;
    if (lun_map_result(&dtype, &ndim, shape, &e.expression, &tried.err) != LUN_OK)
        call_raise(L, device, &tried.err);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(out, device, dtype, 0, NULL, &tried.err);
    for (lun_attempt_enqueue(&tried, device, NULL); call_goes_on(L, &tried);)
        tried.status = lun_map((const lun_array *const *)&out, &e.expression, NULL, &tried.err);
    call_await(L, out, LUN_READ, NULL);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_element_get(&result, out, NULL, &tried.err);
    lun_array_clear(in);
    lun_array_clear(out);
    number_push(L, result);
    return 1;
}

bool arithmetic_of_numbers(lua_State *L, lun_map_op which)
{
    lun_number numbers[3];
    const int arity = (int)lun_map_arity(which);
    for (int i = 0; i < arity; i++)
        if (lua_type(L, i + 1) == LUA_TBOOLEAN || !scalar_test(L, i + 1, &numbers[i]))
            return i > 0 && lua_gettop(L) == arity && object_test(L, i + 1, CLASS_ARRAY) != NULL &&
                   arithmetic_apply(L, which) == 1; /* lun.atan2(1, a) */
    return lua_gettop(L) == arity && give_number(L, which, numbers) == 1;
}

/* ---- operators ------------------------------------------------------------------------------------------ */

/* Operators: no options; the operands are checked after the only allocation, during which a finalizer may release
 * them. */
int arithmetic_apply(lua_State *L, lun_map_op which)
{
    lun_elementwise e;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_attempt tried;
    const int arity = (int)lun_map_arity(which);
    const bool truths = lun_map_takes_truths(which);
    bool arrays = true;
    lun_graph *graph = binding_of(L)->traced ? trace_current(L) : NULL;
    const bool traced = graph != NULL && is_traced(L, arity, &arrays);
    if (traced && !arrays)
        return compute_number(L, which, arity);
    lun_number number;
    lun_array *out = traced ? view_push(L) : array_push(L);
    lun_elementwise_begin(&e, which);
    for (int i = 0; i < arity; i++)
        if ((lua_type(L, i + 1) != LUA_TBOOLEAN || truths) &&
            (scalar_test(L, i + 1, &number) || traced_number(L, i + 1, &number)))
            lun_elementwise_number(&e, (unsigned)i, number);
        else
            lun_elementwise_array(&e, (unsigned)i, check_operand(L, i + 1, (unsigned)arity));
    lun_device *device = e.arrays[0]->device;
    e.nodes[e.result].dtype = defaults_dtype(L, device);
    if (lun_map_result(&dtype, &ndim, shape, &e.expression, &tried.err) != LUN_OK)
        call_raise(L, device, &tried.err);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = traced ? lun_graph_array(out, graph, device, dtype, ndim, shape, &tried.err)
                              : lun_array_create(out, device, dtype, ndim, shape, &tried.err);
    for (lun_attempt_enqueue(&tried, device, NULL); call_goes_on(L, &tried);)
        tried.status = lun_map((const lun_array *const *)&out, &e.expression, NULL, &tried.err);
    return 1;
}

/* Metamethod and function. */
#define OPERATORS(ROW)                                                                                                 \
    ROW(__add, add)                                                                                                    \
    ROW(__sub, sub)                                                                                                    \
    ROW(__mul, mul)                                                                                                    \
    ROW(__div, div)                                                                                                    \
    ROW(__idiv, floordiv)                                                                                              \
    ROW(__mod, mod)                                                                                                    \
    ROW(__pow, pow)                                                                                                    \
    ROW(__unm, neg)                                                                                                    \
    ROW(__band, band)                                                                                                  \
    ROW(__bor, bor)                                                                                                    \
    ROW(__bxor, bxor)                                                                                                  \
    ROW(__bnot, bnot)                                                                                                  \
    ROW(__shl, shl)                                                                                                    \
    ROW(__shr, shr)

#define FUNCTION(metamethod, function)                                                                                 \
    static int array##metamethod(lua_State *L) { return arithmetic_apply(L, LUN_MAP_##function); }
OPERATORS(FUNCTION)
#undef FUNCTION

const luaL_Reg arithmetic_metamethods[] = {
#define FUNCTION(metamethod, function) {#metamethod, array##metamethod},
    OPERATORS(FUNCTION)
#undef FUNCTION
        {NULL, NULL},
};
