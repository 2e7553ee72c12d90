/* Traces of Lua functions: the graphs that lua/lunarray/fuse.lua has of calls, and what stands for arguments in them. */
#include "api/functions.h"
#include "api/reductions.h"
#include "call.h"
#include "check.h"
#include "request.h"

typedef struct trace_object {
    lun_graph *graph;
} trace_object;

static lun_graph *check_trace(lua_State *L, int index)
{
    trace_object *object = object_test(L, index, CLASS_TRACE);
    luaL_argcheck(L, object != NULL, index, "a trace is needed");
    return object->graph;
}

/* Messages name fuse, whichever function of this file lua/lunarray/fuse.lua has called. */
static void name_fuse(lua_State *L)
{
    lua_pushliteral(L, "fuse");
    lua_replace(L, UP_NAME);
}

lun_graph *trace_read(lua_State *L)
{
    name_fuse(L);
    return check_trace(L, 1);
}

static void drop(void *graph) { lun_graph_release(graph); }

const object_class trace_class = {.kind = "a trace", .drop_pointer = drop};

lun_graph *trace_current(lua_State *L)
{
    if (!binding_of(L)->traced)
        return NULL;
    luaL_checkstack(L, 3, NULL);
    lua_getiuservalue(L, UP_BINDING, SLOT_TRACER);
    const bool runs = lua_status(lua_tothread(L, -1)) == LUA_OK;
    lua_getiuservalue(L, UP_BINDING, SLOT_TRACE);
    trace_object *object = object_test(L, -1, CLASS_TRACE);
    lua_pop(L, 2);
    return runs && object != NULL ? object->graph : NULL;
}

/* _trace(): an empty one. */
static int trace_new(lua_State *L)
{
    lun_error err;
    trace_object *object = object_push(L, CLASS_TRACE, sizeof(trace_object), 0);
    if (lun_graph_create(&object->graph, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return 1;
}

/* _stand_for(trace, array): the array that stands for this argument. */
static int trace_stand_for(lua_State *L)
{
    lun_error err;
    lun_graph *graph = trace_read(L);
    lun_array *out = array_push_private(L);
    if (lun_graph_argument(out, graph, check_array(L, 2), &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return 1;
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

/* _end(trace, results ...): which arrays and numbers among the arguments the graph takes, in its order, and whether it is one of their
 * shapes alone. Without results: the function has failed. */
static int trace_end(lua_State *L)
{
    lun_error err;
    const lun_array *results[LUN_MAP_RESULTS];
    const unsigned *used;
    const int last = lua_gettop(L);
    lun_graph *graph = trace_read(L);
    for (int i = 2; i <= last && i < 2 + LUN_MAP_RESULTS; i++)
        results[i - 2] = check_array(L, i);
    if (lun_graph_end(graph, results, (size_t)last - 1, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    size_t count = lun_graph_arrays(&used, graph);
    push_list(L, used, count);
    count = lun_graph_numbers(&used, graph);
    push_list(L, used, count);
    lua_pushboolean(L, lun_graph_is_shaped(graph));
    return 3;
}

/* _is_traced(x [, trace]): is it an array of a function that is traced, or was? Of that one? */
static int trace_is_traced(lua_State *L)
{
    const lun_array *array = object_test(L, 1, CLASS_ARRAY);
    const lun_graph *graph = array != NULL && lun_array_is_live(array) ? lun_array_graph(array) : NULL;
    lua_pushboolean(L, graph != NULL && (lua_isnoneornil(L, 2) || graph == check_trace(L, 2)));
    return 1;
}

static void add_layout(luaL_Buffer *text, const lun_array *array)
{
    luaL_addlstring(text, (const char *)array->shape, (size_t)array->ndim * sizeof *array->shape);
    luaL_addlstring(text, (const char *)array->stride, (size_t)array->ndim * sizeof *array->stride);
}

static int push_key(lua_State *L, bool shapes)
{
    luaL_Buffer text;
    bool nested = trace_current(L) != NULL;
    name_fuse(L);
    const int last = (int)luaL_checkinteger(L, 1) + 1; /* the first argument is at 2, as behind a self */
    luaL_buffinit(L, &text);
    for (int i = 2; i <= last; i++) {
        lun_number number;
        const lun_array *array = lua_type(L, i) == LUA_TUSERDATA ? object_test(L, i, CLASS_ARRAY) : NULL;
        if (array != NULL) {
            nested = nested || lun_array_graph(check_array(L, i)) != NULL;
            luaL_addstring(&text, lun_dtype_name(array->dtype));
            luaL_addchar(&text, (char)('0' + array->ndim));
            luaL_addlstring(&text, (const char *)&array->device, sizeof array->device);
            luaL_addchar(&text, (char)('0' + defaults_dtype(L, array->device)));
            luaL_addchar(&text, (char)('0' + defaults_reproducible(L)));
            if (shapes)
                add_layout(&text, array);
        } else if (lua_type(L, i) == LUA_TNUMBER) {
            luaL_addstring(&text, lua_isinteger(L, i) ? "integer" : "real");
        } else if (lua_type(L, i) == LUA_TUSERDATA && object_test(L, i, CLASS_COMPLEX) != NULL) {
            luaL_addstring(&text, "complex");
        } else {
            if (!traced_number(L, i, &number))
                check_refuse(L, i, "an array or a number");
            nested = true;
        }
        luaL_addchar(&text, ' ');
    }
    luaL_pushresult(&text);
    if (nested)
        lua_pushnil(L);
    return 1;
}

/* _kinds(count, arguments ...): a text of what the graph of a fused function depends on, whatever the shapes; nil where an array of a
 * traced function, or a number of one, is among the first `count` arguments, which alone are looked at. */
static int trace_kinds(lua_State *L) { return push_key(L, false); }

/* _layouts: the same with shapes and strides. */
static int trace_layouts(lua_State *L) { return push_key(L, true); }

/* _traced(trace, refusal [, thread]): from now on that coroutine, or this one, traces a function, and the refusal is called with the name
 * of a method that makes an array; gives the three before. _traced(nil): it does no longer. */
static int trace_set(lua_State *L)
{
    static const int slots[] = {SLOT_TRACE, SLOT_REFUSAL, SLOT_TRACER};
    lua_settop(L, 3);
    if (lua_isnil(L, 3)) {
        lua_pushthread(L);
        lua_replace(L, 3);
    }
    binding_of(L)->traced = !lua_isnil(L, 1);
    for (int i = 0; i < 3; i++) {
        lua_getiuservalue(L, UP_BINDING, slots[i]);
        lua_pushvalue(L, i + 1);
        lua_setiuservalue(L, UP_BINDING, slots[i]);
    }
    return 3;
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
    {"_trace", trace_new},           {"_stand_for", trace_stand_for}, {"_end", trace_end},
    {"_kinds", trace_kinds},         {"_layouts", trace_layouts},     {"_traced", trace_set},
    {"_is_traced", trace_is_traced}, {"_functions", trace_functions}, {NULL, NULL},
};
