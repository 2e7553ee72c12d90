/* Expressions: dev:map, and the traces of Lua functions that lua/lunarray/fuse.lua makes and runs. */
#include "call.h"
#include "check.h"
#include "expression.h"
#include "task.h"

#include <stdlib.h>
#include <string.h>

typedef struct expression_object {
    size_t node_count, result_count;
    unsigned results[LUN_MAP_ARRAYS];
    lun_node nodes[];
} expression_object;

/* The field at that position of the table on the top, as an unsigned number. [-0, +0] */
static unsigned field(lua_State *L, lua_Integer position)
{
    lua_rawgeti(L, -1, position);
    unsigned value = (unsigned)luaL_checkinteger(L, -1);
    lua_pop(L, 1);
    return value;
}

/* A node from the table on the top: {"array", k}, {"number", k}, {"constant", x}, {"cast", node, dtype}, or {function, node ...};
 * all count from 0. [-0, +0] */
static void read_node(lua_State *L, lun_node *out)
{
    lun_error err;
    *out = (lun_node){0};
    lua_rawgeti(L, -1, 1);
    const char *kind = luaL_checkstring(L, -1);
    lua_pop(L, 1); /* the table keeps it */
    if (strcmp(kind, "array") == 0 || strcmp(kind, "number") == 0) {
        out->kind = kind[0] == 'a' ? LUN_NODE_ARRAY : LUN_NODE_NUMBER;
        out->args[0] = field(L, 2);
    } else if (strcmp(kind, "constant") == 0) {
        out->kind = LUN_NODE_CONSTANT;
        lua_rawgeti(L, -1, 2);
        out->value = check_number(L, lua_gettop(L));
        lua_pop(L, 1);
    } else if (strcmp(kind, "cast") == 0) {
        out->kind = LUN_NODE_CAST;
        out->args[0] = field(L, 2);
        lua_rawgeti(L, -1, 3);
        out->dtype = check_dtype(L, luaL_checkstring(L, -1));
        lua_pop(L, 1);
    } else {
        out->kind = LUN_NODE_OP;
        if (lun_map_find(&out->op, kind, &err) != LUN_OK)
            call_raise(L, NULL, &err);
        for (unsigned i = 0; i < lun_map_arity(out->op); i++)
            out->args[i] = field(L, 2 + (lua_Integer)i);
    }
}

/* _expression(nodes, results): both lists; a result is the position of a node, from 0. */
static int expression_make(lua_State *L)
{
    const size_t count = lua_rawlen(L, 1), results = lua_rawlen(L, 2);
    luaL_argcheck(L, results <= LUN_MAP_ARRAYS, 2, "too many results");
    expression_object *made = object_push(L, CLASS_EXPRESSION, sizeof *made + count * sizeof made->nodes[0], 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        read_node(L, &made->nodes[i]);
        lua_pop(L, 1);
    }
    lua_pushvalue(L, 2);
    for (size_t i = 0; i < results; i++)
        made->results[i] = field(L, (lua_Integer)i + 1);
    lua_pop(L, 1);
    made->node_count = count;
    made->result_count = results;
    return 1;
}

/* Computes the results, or their event. */
static int give_results(lua_State *L, const lun_expression *e, const options *o)
{
    task t;
    lun_attempt tried;
    lun_dtype dtypes[LUN_MAP_ARRAYS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_array *outs[LUN_MAP_ARRAYS];
    lun_device *device = e->arrays[0]->device;
    const int count = (int)e->result_count;
    task_begin(L, &t, o, device, count);
    const bool given = expression_push_outs(L, o, e->result_count, outs);
    const int first = lua_gettop(L) + 1 - count;
    if (!given && lun_map_result(dtypes, &ndim, shape, e, &tried.err) != LUN_OK)
        call_raise(L, device, &tried.err);
    for (int i = 0; i < count && !given; i++) {
        t.out = lua_touserdata(L, first + i);
        task_make(L, &t, dtypes[i], ndim, shape);
    }
    for (lun_attempt_enqueue(&tried, device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_map(outs, e, &t.call, &tried.err);
    return task_return(L, &t, first, count);
}

/* Messages name fuse, whichever function of this file lua/lunarray/fuse.lua has called. */
static void name_fuse(lua_State *L)
{
    lua_pushliteral(L, "fuse");
    lua_replace(L, UP_NAME);
}

/* _kinds(arguments ...): a text of what the kernel of a fused function depends on, and true where a stand-in is among them. */
static int expression_kinds(lua_State *L)
{
    luaL_Buffer text;
    bool nested = false;
    name_fuse(L);
    lua_pushnil(L); /* so that the first one is argument 1 */
    lua_insert(L, 1);
    const int last = lua_gettop(L);
    luaL_buffinit(L, &text);
    for (int i = 2; i <= last; i++) {
        const lun_array *array = lua_type(L, i) == LUA_TUSERDATA ? object_test(L, i, CLASS_ARRAY) : NULL;
        if (array != NULL) {
            check_array(L, i);
            luaL_addstring(&text, lun_dtype_name(array->dtype));
            luaL_addchar(&text, (char)('0' + array->ndim));
        } else if (lua_type(L, i) == LUA_TNUMBER) {
            luaL_addstring(&text, lua_isinteger(L, i) ? "integer" : "real");
        } else {
            if (lua_type(L, i) != LUA_TTABLE || luaL_getmetafield(L, i, FUSED) == LUA_TNIL)
                check_refuse(L, i, "an array or a number");
            lua_pop(L, 1);
            nested = true;
        }
        luaL_addchar(&text, ' ');
    }
    luaL_pushresult(&text);
    lua_pushboolean(L, nested);
    return 2;
}

/* _dtype(name) raises as `cast` does where there is no such dtype. */
static int expression_dtype(lua_State *L)
{
    lua_pushliteral(L, "cast");
    lua_replace(L, UP_NAME);
    check_function(L, 1);
    check_dtype(L, check_string(L, 2, "a dtype"));
    return 0;
}

/* Reads a traced function, its arrays and its numbers, at that index and the two behind it; the tables keep them. */
static void traced_expression_read(lua_State *L, int index, expression_arguments *out)
{
    expression_object *made = object_test(L, index, CLASS_EXPRESSION);
    luaL_argcheck(L, made != NULL, index, "an expression is wanted");
    lun_expression *e = &out->e;
    *e = (lun_expression){.name = "fuse", .nodes = made->nodes, .node_count = made->node_count};
    e->results = made->results, e->result_count = made->result_count;
    e->arrays = out->arrays, e->array_count = lua_rawlen(L, index + 1);
    e->numbers = out->numbers, e->number_count = lua_rawlen(L, index + 2);
    expression_check_room(L, "the function, with its views,", e->array_count + e->result_count, e->number_count);
    for (size_t i = 0; i < e->array_count; i++) {
        lua_rawgeti(L, index + 1, (lua_Integer)i + 1);
        out->arrays[i] = object_test(L, -1, CLASS_ARRAY);
        if (out->arrays[i] == NULL || !lun_array_is_live(out->arrays[i]))
            misuse(L, "an array that the function uses was released");
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < e->number_count; i++) {
        lua_rawgeti(L, index + 2, (lua_Integer)i + 1);
        out->numbers[i] = check_number(L, lua_gettop(L));
        lua_pop(L, 1);
    }
    if (e->array_count == 0)
        misuse(L, "the function computes with no array; a result has the shape of arrays");
}

/* _refused(expression, arrays, numbers): the position of the node that refuses a dtype, from 1, and why; nothing where none
 * does. */
static int expression_refused(lua_State *L)
{
    expression_arguments x;
    lun_error err;
    size_t node;
    name_fuse(L);
    traced_expression_read(L, 1, &x);
    if (lun_map_check(&node, &x.e, &err) == LUN_OK || node == x.e.node_count)
        return 0;
    lua_pushinteger(L, (lua_Integer)node + 1);
    lua_pushstring(L, err.message);
    return 2;
}

/* _evaluate(expression, arrays, numbers, options): the results of a function that lun.fuse made. */
static int expression_evaluate(lua_State *L)
{
    options o;
    expression_arguments x;
    name_fuse(L);
    traced_expression_read(L, 1, &x);
    options_read(L, &o, "fuse", 4, 0);
    return give_results(L, &x.e, &o);
}

/* _reduce(ops, expression, arrays, numbers, options): as _evaluate, with each result reduced by its op. The table of ops
 * also has the options that all reductions share. */
static int expression_reduce(lua_State *L)
{
    options o, shared;
    expression_arguments x;
    lun_reduce_op ops[LUN_MAP_ARRAYS];
    name_fuse(L);
    traced_expression_read(L, 2, &x);
    options_read(L, &shared, "device_reduce", lua_gettop(L) + 1, 1);
    options_read(L, &o, "fuse", 5, 0);
    fold_read_ops(L, ops, x.e.result_count, 1);
    return fold_give(L, &x.e, ops, NULL, &o, &shared);
}

/* _traced(refusal): from now on this coroutine traces a function, and the refusal is called with the name of a method that makes an
 * array; _traced(nil): it does no longer. */
static int expression_traced(lua_State *L)
{
    lua_settop(L, 1);
    binding_of(L)->traced = !lua_isnil(L, 1);
    lua_setiuservalue(L, UP_BINDING, SLOT_REFUSAL);
    lua_pushthread(L);
    lua_setiuservalue(L, UP_BINDING, SLOT_TRACER);
    return 0;
}

/* _functions(): name = how many operands; the list of the reductions' names; that of those that are made of an array alone. */
static int expression_functions(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; i < LUN_MAP_OPS; i++) {
        lua_pushinteger(L, (lua_Integer)lun_map_arity((lun_map_op)i));
        lua_setfield(L, -2, lun_map_name((lun_map_op)i));
    }
    lua_newtable(L);
    lua_newtable(L);
    for (int i = 0; i < LUN_REDUCE_OPS; i++) {
        const int list = lun_reduce_is_rank((lun_reduce_op)i) ? -2 : -3;
        lua_pushstring(L, lun_reduce_name((lun_reduce_op)i));
        lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
    }
    return 3;
}

const luaL_Reg fuse_functions[] = {
    {"_expression", expression_make},     {"_evaluate", expression_evaluate}, {"_reduce", expression_reduce},
    {"_kinds", expression_kinds},         {"_refused", expression_refused},   {"_dtype", expression_dtype},
    {"_functions", expression_functions}, {"_traced", expression_traced},     {NULL, NULL},
};
