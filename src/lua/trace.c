/* Traces of Lua functions: what lua/lunarray/fuse.lua notes of a call with stand-ins, and computes of it later. */
#include "api/functions.h"
#include "api/reductions.h"
#include "call.h"
#include "check.h"
#include "request.h"

#include <string.h>

/* Its user value is a list: where each node was made, "file:line: ". */
typedef struct trace_object {
    lun_trace trace;
} trace_object;

static lun_trace *check_trace(lua_State *L, int index)
{
    trace_object *object = object_test(L, index, CLASS_TRACE);
    luaL_argcheck(L, object != NULL, index, "a trace is wanted");
    return &object->trace;
}

/* Messages name fuse, whichever function of this file lua/lunarray/fuse.lua has called. */
static void name_fuse(lua_State *L)
{
    lua_pushliteral(L, "fuse");
    lua_replace(L, UP_NAME);
}

lun_trace *trace_read(lua_State *L)
{
    name_fuse(L);
    return check_trace(L, 1);
}

static int trace_gc(lua_State *L)
{
    trace_object *object = object_test(L, 1, CLASS_TRACE);
    if (object != NULL)
        lun_trace_clear(&object->trace);
    return 0;
}

const luaL_Reg trace_metamethods[] = {{"__gc", trace_gc}, {NULL, NULL}};

/* _trace(): an empty one. */
static int trace_new(lua_State *L)
{
    object_push(L, CLASS_TRACE, sizeof(trace_object), 1);
    lua_newtable(L);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

/* The list of whole numbers in the field of the table at 5. */
static void read_list(lua_State *L, const char *name, int64_t *out)
{
    if (lua_getfield(L, 5, name) == LUA_TTABLE)
        for (int i = 0; i < LUN_MAX_AXES && i < (int)lua_rawlen(L, -1); i++) {
            lua_rawgeti(L, -1, i + 1);
            out[i] = luaL_checkinteger(L, -1);
            lua_pop(L, 1);
        }
    lua_pop(L, 1);
}

/* A read of an array, {mode = "roll" or one of pad's, before =, after =, value =, first =, last =}, at 5. */
static unsigned add_read(lua_State *L, lun_trace *trace)
{
    lun_error err;
    unsigned at;
    lun_read read = {.shifted = true};
    read_list(L, "before", read.before);
    read_list(L, "after", read.after);
    read_list(L, "first", read.first);
    read_list(L, "last", read.last);
    lua_getfield(L, 5, "mode");
    read.rolls = strcmp(luaL_checkstring(L, -1), "roll") == 0;
    if (!read.rolls && lun_pad_mode_find(&read.mode, lua_tostring(L, -1), &err) != LUN_OK)
        call_raise(L, NULL, &err);
    if (lua_getfield(L, 5, "value") != LUA_TNIL)
        read.value = check_scalar(L, lua_gettop(L));
    lua_pop(L, 2);
    if (lun_trace_read(&at, trace, &read, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return at;
}

/* _add(trace, position, kind, ...): the node ("array", k [, read]), ("number", k), ("constant", x), ("cast", node, dtype), ("fold", node, reduction) or (function,
 * node ...), from 0, as arrays and numbers are. */
static int trace_add(lua_State *L)
{
    lun_error err;
    lun_node node = {0};
    unsigned at;
    lun_trace *trace = check_trace(L, 1);
    const char *kind = luaL_checkstring(L, 3);
    const size_t before = trace->count;
    if (strcmp(kind, "constant") == 0) {
        node.kind = LUN_NODE_CONSTANT;
        node.value = check_scalar(L, 4);
    } else if (strcmp(kind, "array") == 0 || strcmp(kind, "number") == 0) {
        node.kind = kind[0] == 'a' ? LUN_NODE_ARRAY : LUN_NODE_NUMBER;
    } else if (strcmp(kind, "cast") == 0) {
        node.kind = LUN_NODE_CAST;
        node.dtype = check_dtype(L, luaL_checkstring(L, 5));
    } else if (strcmp(kind, "fold") == 0) {
        node.kind = LUN_NODE_FOLD;
        if (lun_fold_find(&node.fold, luaL_checkstring(L, 5), &err) != LUN_OK)
            call_raise(L, NULL, &err);
    } else {
        node.kind = LUN_NODE_OP;
        if (lun_map_find(&node.op, kind, &err) != LUN_OK)
            call_raise(L, NULL, &err);
    }
    const unsigned operands = node.kind == LUN_NODE_OP ? lun_map_arity(node.op) : node.kind != LUN_NODE_CONSTANT;
    for (unsigned i = 0; i < operands; i++)
        node.args[i] = (unsigned)luaL_checkinteger(L, 4 + (int)i);
    if (node.kind == LUN_NODE_ARRAY && lua_istable(L, 5))
        node.args[1] = add_read(L, trace);
    if (lun_trace_add(&at, trace, &node, &err) != LUN_OK) {
        name_fuse(L);
        call_raise(L, NULL, &err);
    }
    if (trace->count > before) {
        lua_getiuservalue(L, 1, 1);
        lua_pushvalue(L, 2);
        lua_rawseti(L, -2, (lua_Integer)at + 1);
    }
    lua_pushinteger(L, (lua_Integer)at);
    return 1;
}

/* The field of the table on the top as a whole number; `missing` where there is none. [-0, +0] */
static lua_Integer field(lua_State *L, const char *name, lua_Integer missing)
{
    const bool there = lua_getfield(L, -1, name) != LUA_TNIL;
    const lua_Integer value = there ? luaL_checkinteger(L, -1) : missing;
    lua_pop(L, 1);
    return value;
}

/* Pushes the numbers as a list, from 1. [-0, +1] */
static void push_list(lua_State *L, const unsigned *numbers, size_t count)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)numbers[i] + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* _end(trace, results): a list of {node =, reduction = name or nil, options = number}, which get their `column`; options are -1 where
 * one pass does not take them. Gives whether one pass makes all reductions, and which arrays and numbers the kernel takes. */
static int trace_end(lua_State *L)
{
    lun_error err;
    name_fuse(L);
    lun_trace *trace = check_trace(L, 1);
    const size_t count = lua_rawlen(L, 2);
    lun_traced *results = lua_newuserdatauv(L, (count + 1) * sizeof *results, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        const lua_Integer options = field(L, "options", 0);
        results[i] = (lun_traced){.node = (unsigned)field(L, "node", 0), .op = LUN_REDUCE_OPS, .apart = options < 0};
        results[i].options = (unsigned)options;
        if (lua_getfield(L, -1, "reduction") != LUA_TNIL &&
            lun_reduce_find(&results[i].op, luaL_checkstring(L, -1), &err) != LUN_OK)
            call_raise(L, NULL, &err);
        lua_pop(L, 2);
    }
    if (lun_trace_end(trace, results, count, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        lua_pushinteger(L, (lua_Integer)results[i].column + 1);
        lua_setfield(L, -2, "column");
        lua_pop(L, 1);
    }
    lua_pushboolean(L, trace->folds);
    push_list(L, trace->arrays, trace->array_count);
    push_list(L, trace->numbers, trace->number_count);
    return 3;
}

/* Raises what the request's trace says of a step at that step's line. */
void trace_raise(lua_State *L, const lun_request *r, const lun_error *err)
{
    if (r->trace == NULL || !r->trace->refused)
        return;
    lua_getiuservalue(L, 1, 1);
    lua_rawgeti(L, -1, (lua_Integer)r->trace->refused_at + 1);
    lua_pushfstring(L, "%slunarray: fuse: %s", lua_tostring(L, -1), err->message);
    lua_error(L);
}

/* _kinds(count, arguments ...): a text of what the kernel of a fused function depends on, and true where a stand-in is among the first
 * `count` arguments, which alone are looked at. */
static int trace_kinds(lua_State *L)
{
    luaL_Buffer text;
    bool nested = false;
    name_fuse(L);
    const int last = (int)luaL_checkinteger(L, 1) + 1; /* the first argument stands at 2, as behind a self */
    luaL_buffinit(L, &text);
    for (int i = 2; i <= last; i++) {
        const lun_array *array = lua_type(L, i) == LUA_TUSERDATA ? object_test(L, i, CLASS_ARRAY) : NULL;
        if (array != NULL) {
            check_array(L, i);
            luaL_addstring(&text, lun_dtype_name(array->dtype));
            luaL_addchar(&text, (char)('0' + array->ndim));
        } else if (lua_type(L, i) == LUA_TNUMBER) {
            luaL_addstring(&text, lua_isinteger(L, i) ? "integer" : "real");
        } else if (lua_type(L, i) == LUA_TUSERDATA && object_test(L, i, CLASS_COMPLEX) != NULL) {
            luaL_addstring(&text, "complex");
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
static int trace_dtype(lua_State *L)
{
    lua_pushliteral(L, "cast");
    lua_replace(L, UP_NAME);
    check_function(L, 1);
    check_dtype(L, check_string(L, 2, "a dtype"));
    return 0;
}

/* _traced(refusal): from now on this coroutine traces a function, and the refusal is called with the name of a method that makes an
 * array; _traced(nil): it does no longer. */
static int trace_set(lua_State *L)
{
    lua_settop(L, 1);
    binding_of(L)->traced = !lua_isnil(L, 1);
    lua_setiuservalue(L, UP_BINDING, SLOT_REFUSAL);
    lua_pushthread(L);
    lua_setiuservalue(L, UP_BINDING, SLOT_TRACER);
    return 0;
}

/* _functions(): name = how many operands; the list of the reductions' names; that of those that are made of an array alone. */
static int trace_functions(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; i < LUN_MAP_OPS && !lun_map_is_hosted((lun_map_op)i); i++) { /* which come last */
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
    {"_trace", trace_new},   {"_add", trace_add},
    {"_end", trace_end},     {"_kinds", trace_kinds},
    {"_dtype", trace_dtype}, {"_functions", trace_functions},
    {"_traced", trace_set},  {NULL, NULL},
};
