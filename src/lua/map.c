/* Expressions: dev:map, and what a Lua function was traced to, which lua/lunarray/fuse.lua makes and runs. */
#include "call.h"
#include "check.h"
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

/* Pushes the arrays that results go to: the option `out`, an array or a list of them, or new ones. [-0, +count] */
static bool push_outs(lua_State *L, const options *o, size_t count, const lun_array **outs)
{
    const int given = option_push(L, o, "out");
    const bool list = given != 0 && lua_type(L, given) == LUA_TTABLE;
    if (list && lua_rawlen(L, given) != count)
        misuse(L, "out has %I arrays, and there are %I results", (LUAI_UACINT)lua_rawlen(L, given), (LUAI_UACINT)count);
    if (given != 0 && !list && count != 1)
        misuse(L, "out is one array, and there are %I results: a list of arrays is wanted", (LUAI_UACINT)count);
    for (size_t i = 0; i < count; i++) {
        if (list)
            lua_rawgeti(L, given, (lua_Integer)i + 1);
        else if (given != 0)
            lua_pushvalue(L, given);
        outs[i] = given == 0 ? array_push(L) : object_test(L, -1, CLASS_ARRAY);
        if (outs[i] == NULL)
            misuse(L, "option 'out': an array or a list of arrays is wanted, got %s", object_kind(L, -1));
    }
    return given != 0;
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
    const bool given = push_outs(L, o, e->result_count, outs);
    const int first = lua_gettop(L) + 1 - count;
    if (lun_map_result(dtypes, &ndim, shape, e, &tried.err) != LUN_OK)
        call_raise(L, device, &tried.err);
    for (int i = 0; i < count && !given; i++) {
        t.out = lua_touserdata(L, first + i);
        task_make(L, &t, dtypes[i], ndim, shape);
    }
    for (lun_attempt_enqueue(&tried, device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_map(outs, e, &t.call, &tried.err);
    return task_return(L, &t, first, count);
}

static void check_room(lua_State *L, const char *what, size_t arrays, size_t numbers)
{
    if (arrays > LUN_MAP_ARRAYS)
        misuse(L, "%s has more than %d arrays and results", what, LUN_MAP_ARRAYS);
    if (numbers > LUN_MAP_NUMBERS)
        misuse(L, "%s has more than %d numbers", what, LUN_MAP_NUMBERS);
    luaL_checkstack(L, 8 * LUN_MAP_ARRAYS, NULL);
}

/* Messages of the functions that lua/lunarray/fuse.lua calls name it. */
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

/* _evaluate(expression, arrays, numbers, options): what lun.fuse's functions give. */
static int expression_evaluate(lua_State *L)
{
    options o;
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number numbers[LUN_MAP_NUMBERS];
    name_fuse(L);
    expression_object *made = object_test(L, 1, CLASS_EXPRESSION);
    luaL_argcheck(L, made != NULL, 1, "an expression is wanted");
    lun_expression e = {.name = "fuse", .nodes = made->nodes, .node_count = made->node_count};
    e.results = made->results, e.result_count = made->result_count;
    e.arrays = arrays, e.array_count = lua_rawlen(L, 2);
    e.numbers = numbers, e.number_count = lua_rawlen(L, 3);
    check_room(L, "the function, with its views,", e.array_count + e.result_count, e.number_count);
    for (size_t i = 0; i < e.array_count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        arrays[i] = object_test(L, -1, CLASS_ARRAY);
        if (arrays[i] == NULL || !lun_array_is_live(arrays[i]))
            misuse(L, "an array that the function uses was released");
        lua_pop(L, 1); /* the table keeps it */
    }
    for (size_t i = 0; i < e.number_count; i++) {
        lua_rawgeti(L, 3, (lua_Integer)i + 1);
        numbers[i] = check_number(L, lua_gettop(L));
        lua_pop(L, 1);
    }
    options_read(L, &o, "fuse", 4, 0);
    if (e.array_count == 0)
        misuse(L, "the function computes with no array; a result has the shape of arrays");
    return give_results(L, &e, &o);
}

/* ---- dev:map -------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool is_name(const char *text)
{
    const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return length > 0 && text[length] == '\0' && strchr("0123456789", text[0]) == NULL;
}

/* Where the comment that begins there ends; `at` where none begins. */
static const char *behind_comment(lua_State *L, const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) != 0)
        return at;
    const char *end = strstr(at + 2, "*/");
    if (end == NULL)
        misuse(L, "the expression has a comment that does not end");
    return end + 2;
}

/* What would make another text of the kernel around the expression, and then a message about that. */
static void check_brackets(lua_State *L, const char *text)
{
    static const char kinds[] = "()[]";
    int open[] = {0, 0};
    bool blank = true;
    for (const char *at = text, *next; *at != '\0'; at = next) {
        next = behind_comment(L, at);
        if (next > at)
            continue;
        next = at + 1;
        blank = blank && strchr(" \t\r\n", *at) != NULL;
        const char *kind = strchr(kinds, *at);
        if (kind != NULL)
            open[(kind - kinds) / 2] += (kind - kinds) % 2 == 0 ? 1 : -1;
        if (open[0] < 0 || open[1] < 0)
            misuse(L, "the expression has a %c without its %c", kind[0], kind[-1]);
        if (*at == ',' && open[0] + open[1] == 0)
            misuse(L, "the expression has a comma outside of brackets; several results are a list of expressions");
    }
    if (open[0] > 0 || open[1] > 0)
        misuse(L, "the expression has a %c without its %c", open[0] > 0 ? '(' : '[', open[0] > 0 ? ')' : ']');
    if (blank)
        misuse(L, "the expression is empty");
}

/* A text of an expression, which stands on the top. */
static const char *check_expression(lua_State *L)
{
    const char *text = check_text(L, lua_gettop(L), "the expression");
    if (strchr(text, '^') != NULL)
        misuse(L, "the expression has a ^, which is no power in OpenCL C; write pow(a, b)");
    const char *odd = strpbrk(text, ";#{}\\\"'");
    if (odd != NULL)
        misuse(L, "the expression is one expression of OpenCL C, and has no %c", *odd);
    check_brackets(L, text);
    return text;
}

/* Reads the text, or the list of texts, at index 2; the list keeps them. */
static void read_texts(lua_State *L, lun_expression *e, const char **texts)
{
    const bool list = lua_type(L, 2) == LUA_TTABLE;
    if (!list && lua_type(L, 2) != LUA_TSTRING)
        check_refuse(L, 2, "an expression in a string, or a list of them");
    e->texts = texts;
    e->result_count = list ? lua_rawlen(L, 2) : 1;
    if (e->result_count == 0 || e->result_count > LUN_MAP_ARRAYS)
        misuse(L, "the list has %I expressions; from 1 to %d are wanted", (LUAI_UACINT)e->result_count, LUN_MAP_ARRAYS);
    for (size_t i = 0; i < e->result_count; i++) {
        if (list)
            lua_rawgeti(L, 2, (lua_Integer)i + 1);
        else
            lua_pushvalue(L, 2);
        texts[i] = check_expression(L);
        lua_pop(L, 1);
    }
}

/* The names of the table at index 3, in order. Returns how many. */
static size_t read_names(lua_State *L, const char **names, size_t room)
{
    size_t count = 0;
    if (lua_type(L, 3) != LUA_TTABLE)
        check_refuse(L, 3, "a table of arrays and numbers by name");
    for (lua_pushnil(L); lua_next(L, 3) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || !is_name(lua_tostring(L, -2)) ||
            strlen(lua_tostring(L, -2)) != lua_rawlen(L, -2))
            misuse(L, "argument 2: names are wanted as keys, as OpenCL C has them, got [%s]",
                   luaL_tolstring(L, -2, NULL));
        if (count == room)
            misuse(L, "argument 2: there are more than %d arrays and numbers", (int)room);
        names[count++] = lua_tostring(L, -2);
    }
    qsort(names, count, sizeof *names, by_name);
    return count;
}

/* dev:map(expression, {name = array or number ...} [, options]) */
int device_map(lua_State *L)
{
    options o;
    const char *names[LUN_MAP_ARRAYS + LUN_MAP_NUMBERS], *texts[LUN_MAP_ARRAYS];
    const char *array_names[LUN_MAP_ARRAYS], *number_names[LUN_MAP_NUMBERS];
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number numbers[LUN_MAP_NUMBERS];
    lun_expression e = {.name = "map", .arrays = arrays, .numbers = numbers, .dtype = LUN_DTYPES};
    e.array_names = array_names, e.number_names = number_names;
    lun_device *device = check_device(L, 1);
    read_texts(L, &e, texts);
    const size_t count = read_names(L, names, LUN_MAP_ARRAYS + LUN_MAP_NUMBERS);
    options_read(L, &o, "map", 4, 0);
    luaL_checkstack(L, 8 * LUN_MAP_ARRAYS, NULL);
    for (size_t i = 0; i < count; i++) {
        const lun_array *array = lua_getfield(L, 3, names[i]) == LUA_TNUMBER ? NULL : object_test(L, -1, CLASS_ARRAY);
        if (array == NULL && lua_type(L, -1) != LUA_TNUMBER)
            misuse(L, "argument '%s': an array or a number is wanted, got %s", names[i], object_kind(L, -1));
        check_room(L, "the expression", e.result_count + e.array_count + (array != NULL),
                   e.number_count + (array == NULL));
        if (array == NULL) {
            number_names[e.number_count] = names[i];
            numbers[e.number_count++] = check_number(L, lua_gettop(L));
        } else {
            if (!lun_array_is_live(array))
                misuse(L, "argument '%s': the array was released", names[i]);
            if (array->device != device)
                misuse(L, "argument '%s': the array is on another device; bring it over with :to(device)", names[i]);
            array_names[e.array_count] = names[i];
            arrays[e.array_count++] = array;
        }
        lua_pop(L, 1); /* the table keeps it */
    }
    if (e.array_count == 0)
        misuse(L, "argument 2: there is no array to compute with");
    const char *dtype = option_text(L, &o, "dtype");
    if (dtype != NULL)
        e.dtype = check_dtype(L, dtype);
    return give_results(L, &e, &o);
}

/* _functions(): name = how many operands, and the list of the reductions' names. */
static int expression_functions(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; i < LUN_MAP_OPS; i++) {
        lua_pushinteger(L, (lua_Integer)lun_map_arity((lun_map_op)i));
        lua_setfield(L, -2, lun_map_name((lun_map_op)i));
    }
    lua_newtable(L);
    for (int i = 0; i < LUN_REDUCE_OPS; i++) {
        lua_pushstring(L, lun_reduce_name((lun_reduce_op)i));
        lua_rawseti(L, -2, i + 1);
    }
    return 2;
}

const luaL_Reg fuse_functions[] = {
    {"_expression", expression_make}, {"_evaluate", expression_evaluate},   {"_kinds", expression_kinds},
    {"_dtype", expression_dtype},     {"_functions", expression_functions}, {NULL, NULL},
};
