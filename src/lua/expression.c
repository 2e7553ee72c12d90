/* Expressions in OpenCL C with their arguments, as dev:map and dev:reduce take them. */
#include "expression.h"
#include "call.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

void expression_check_room(lua_State *L, const char *what, size_t arrays, size_t numbers)
{
    if (arrays > LUN_MAP_ARRAYS)
        misuse(L, "%s has more than %d arrays and results", what, LUN_MAP_ARRAYS);
    if (numbers > LUN_MAP_NUMBERS)
        misuse(L, "%s has more than %d numbers", what, LUN_MAP_NUMBERS);
    luaL_checkstack(L, 8 * LUN_MAP_ARRAYS, NULL);
}

bool expression_push_outs(lua_State *L, const options *o, size_t count, const lun_array **outs)
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

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

void expression_refuse_op(lua_State *L, const char *name, const char *own, const lun_error *err)
{
    if (err->status != LUN_MISUSE || lun_expression_is_name(name) || name[0] == '\0')
        call_raise(L, NULL, err);
    misuse(L, "%s; an operator of your own stands in a table, %s", err->message, own);
}

const char *expression_check(lua_State *L, const char *what)
{
    lun_error err;
    const char *text = check_text(L, lua_gettop(L), what);
    if (lun_expression_check(text, what, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return text;
}

/* Reads the text, or the list of texts, at that index; the list keeps them. */
static void read_texts(lua_State *L, expression_arguments *out, int index)
{
    const bool list = lua_type(L, index) == LUA_TTABLE;
    if (!list && lua_type(L, index) != LUA_TSTRING)
        check_refuse(L, index, "an expression in a string, or a list of them");
    out->e.result_count = list ? lua_rawlen(L, index) : 1;
    if (list && out->e.result_count == 0 && options_named(L, index))
        misuse(
            L,
            "argument %d is a table with names: the expression stands first, and the table of its arrays and numbers "
            "behind it",
            index - 1);
    if (out->e.result_count == 0 || out->e.result_count > LUN_MAP_ARRAYS)
        misuse(L, "the list has %I expressions; from 1 to %d are wanted", (LUAI_UACINT)out->e.result_count,
               LUN_MAP_ARRAYS);
    for (size_t i = 0; i < out->e.result_count; i++) {
        if (list)
            lua_rawgeti(L, index, (lua_Integer)i + 1);
        else
            lua_pushvalue(L, index);
        out->texts[i] = expression_check(L, "the expression");
        lua_pop(L, 1);
    }
}

/* The names of the table at that index, in order. Returns how many. */
static size_t read_names(lua_State *L, int index, const char **names, size_t room)
{
    size_t count = 0;
    if (lua_type(L, index) != LUA_TTABLE)
        check_refuse(L, index, "a table of arrays and numbers by name");
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || !lun_expression_is_name(lua_tostring(L, -2)) ||
            strlen(lua_tostring(L, -2)) != lua_rawlen(L, -2))
            misuse(L, "argument %d: names are wanted as keys, as OpenCL C has them, got [%s]", index - 1,
                   value_text(L, -2));
        if (count == room)
            misuse(L, "argument %d: there are more than %d arrays and numbers", index - 1, (int)room);
        names[count++] = lua_tostring(L, -2);
    }
    qsort(names, count, sizeof *names, by_name);
    return count;
}

/* Raises for an argument that no text has: another name was meant, here or there. */
static void check_used(lua_State *L, const expression_arguments *x, const char *name)
{
    for (size_t i = 0; i < x->e.result_count; i++)
        if (lun_expression_has(x->texts[i], name))
            return;
    misuse(L, "argument '%s' does not stand in the expression%s", name, x->e.result_count > 1 ? "s" : "");
}

/* Reads the array or number of that name from the table at that index, which keeps it. */
static void read_argument(lua_State *L, expression_arguments *out, lun_device *device, int index, const char *name)
{
    lun_expression *e = &out->e;
    const lun_array *array = lua_getfield(L, index, name) == LUA_TNUMBER ? NULL : object_test(L, -1, CLASS_ARRAY);
    if (array == NULL && lua_type(L, -1) != LUA_TNUMBER)
        misuse(L, "argument '%s': an array or a number is wanted, got %s", name, object_kind(L, -1));
    expression_check_room(L, "the expression", e->result_count + e->array_count + (array != NULL),
                          e->number_count + (array == NULL));
    if (array == NULL) {
        out->number_names[e->number_count] = name;
        out->numbers[e->number_count++] = check_number(L, lua_gettop(L));
    } else {
        if (!lun_array_is_live(array))
            misuse(L, "argument '%s': the array was released", name);
        if (array->device != device)
            misuse(L, "argument '%s': the array is on another device; bring it over with :to(device)", name);
        out->array_names[e->array_count] = name;
        out->arrays[e->array_count++] = array;
    }
    lua_pop(L, 1);
}

/* An expression of no arrays and numbers, as yet. */
static void begin(lua_State *L, expression_arguments *out)
{
    out->e = (lun_expression){.name = lua_tostring(L, UP_NAME), .arrays = out->arrays, .numbers = out->numbers};
    out->e.texts = out->texts;
    out->e.array_names = out->array_names, out->e.number_names = out->number_names;
    out->e.dtype = LUN_DTYPES;
}

void expression_read_own(lua_State *L, expression_arguments *out, const char *map)
{
    begin(L, out);
    out->e.text_name = "map";
    out->e.result_count = 1;
    out->texts[0] = map;
}

void expression_read_arguments(lua_State *L, expression_arguments *out, lun_device *device, int index,
                               const char *method, options *o)
{
    const char *names[LUN_MAP_ARRAYS + LUN_MAP_NUMBERS];
    const size_t count = read_names(L, index, names, LUN_MAP_ARRAYS + LUN_MAP_NUMBERS);
    options_read(L, o, method, index + 1, 0);
    luaL_checkstack(L, 8 * LUN_MAP_ARRAYS, NULL);
    for (size_t i = 0; i < count; i++)
        read_argument(L, out, device, index, names[i]);
    if (out->e.array_count == 0)
        misuse(L, "argument %d: there is no array to compute with", index - 1);
    for (size_t i = 0; i < count; i++)
        check_used(L, out, names[i]);
    const char *dtype = option_text(L, o, "dtype");
    if (dtype != NULL)
        out->e.dtype = check_dtype(L, dtype);
}

void expression_read(lua_State *L, expression_arguments *out, lun_device *device, int index, const char *method,
                     options *o)
{
    begin(L, out);
    read_texts(L, out, index);
    expression_read_arguments(L, out, device, index + 1, method, o);
}
