/* Options: a last table whose names and kinds of value the core's table knows. */
#include "options.h"
#include "call.h"
#include "check.h"
#include "request.h"

#include <math.h>
#include <string.h>

/* ---- kinds of value, each test for the value on the top ---------------------------------------------- */

static bool is_boolean(lua_State *L) { return lua_isboolean(L, -1); }
static bool is_number(lua_State *L) { return lua_type(L, -1) == LUA_TNUMBER; }
static bool is_text(lua_State *L) { return lua_type(L, -1) == LUA_TSTRING; }
static bool is_array(lua_State *L) { return object_test(L, -1, CLASS_ARRAY) != NULL; }
static bool is_numbers(lua_State *L) { return is_number(L) || is_array(L); }
static bool is_positions(lua_State *L) { return is_array(L) || (lua_istable(L, -1) && lua_rawlen(L, -1) > 0); }
static bool is_anything(lua_State *L) { return !lua_isnone(L, -1); }
static bool is_queue(lua_State *L) { return object_test(L, -1, CLASS_QUEUE) != NULL; }

static bool is_integer(lua_State *L)
{
    lua_Integer ignored;
    return number_integral(L, -1, &ignored);
}

static bool is_axes(lua_State *L) { return is_integer(L) || lua_istable(L, -1); }

/* Is a number of that kind a whole one? */
static bool is_whole(lun_option_kind kind) { return kind == LUN_OPTION_INTEGER || kind == LUN_OPTION_AXES; }

static const struct {
    bool (*fits)(lua_State *L);
    const char *wanted;
} kinds[] = {
    [LUN_OPTION_BOOLEAN] = {is_boolean, "true or false"},
    [LUN_OPTION_NUMBER] = {is_number, "a number"},
    [LUN_OPTION_INTEGER] = {is_integer, "a whole number"},
    [LUN_OPTION_TEXT] = {is_text, "a string"},
    [LUN_OPTION_ARRAY] = {is_array, "an array"},
    [LUN_OPTION_AXES] = {is_axes, "a whole number or a list of them"},
    [LUN_OPTION_QUEUE] = {is_queue, "a queue"},
    [LUN_OPTION_NUMBERS] = {is_numbers, "a number or an array"},
    [LUN_OPTION_POSITIONS] = {is_positions, "an i32 or i64 array of starts, or a list of them,"},
    [LUN_OPTION_OUTS] = {is_anything, "an array or a list of arrays"},
    [LUN_OPTION_VALUE] = {is_anything, "a value"},
};

/* ---- reading the table ------------------------------------------------------------------------------ */

/* Raises for a name that the method does not know. */
_Noreturn static void unknown_option(lua_State *L, const lun_option *known, const char *name)
{
    if (known == NULL || known->name == NULL)
        misuse(L, "unknown option '%s': there are no options here", name);
    luaL_Buffer list;
    luaL_buffinit(L, &list);
    for (const lun_option *row = known; row->name != NULL; row++) {
        luaL_addstring(&list, row == known ? "" : ", ");
        luaL_addstring(&list, row->name);
    }
    luaL_pushresult(&list);
    misuse(L, "unknown option '%s'; known are %s", name, lua_tostring(L, -1));
}

/* Raises for the value on the top, which is of another kind than the option wants. */
_Noreturn static void refuse_value(lua_State *L, const lun_option *row)
{
    const char *got = is_whole(row->kind) && is_number(L) ? number_text(L, -1) : object_kind(L, -1);
    if (strcmp(row->name, "identity") == 0 && is_number(L)) {
        const double x = lua_tonumber(L, -1);
        const char *text = isfinite(x) ? number_text(L, -1) : x > 0 ? "INFINITY" : x < 0 ? "-INFINITY" : "NAN";
        misuse(L, "option 'identity': OpenCL C in a string is wanted, identity = \"%s\", got %s", text, got);
    }
    misuse(L, "option '%s': %s is wanted, got %s", row->name, kinds[row->kind].wanted, got);
}

/* Checks one pair of the table, the name at -2, the value at -1, and notes that it is given. */
static void check_option(lua_State *L, options *o, bool shares_list)
{
    const lun_option *known = o->known;
    if (lua_type(L, -2) != LUA_TSTRING) {
        if (shares_list && lua_isinteger(L, -2))
            return;
        misuse(L, "options have names; got one at [%s]", value_text(L, -2));
    }
    const char *name = lua_tostring(L, -2);
    for (const lun_option *row = known; row != NULL && row->name != NULL; row++) {
        if (strcmp(row->name, name) != 0 || strlen(name) != lua_rawlen(L, -2))
            continue;
        if (!kinds[row->kind].fits(L))
            refuse_value(L, row);
        o->given |= 1u << (row - known);
        return;
    }
    unknown_option(L, known, name);
}

#define WALKED 256 /* elements of a list among which unknown names are looked for one by one */

/* Pushes the key from which lua_next finds the names beside a list. Of a long list the elements are not walked through:
 * Lua may then keep names between its last elements, so known names are also looked up one by one. [-0, +1] */
static void push_list_end(lua_State *L, int index) { options_push_start(L, index, true); }

bool options_push_start(lua_State *L, int index, bool list)
{
    const size_t length = list ? lua_rawlen(L, index) : 0;
    if (length <= WALKED)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)length);
    return length <= WALKED;
}

bool options_known(lua_State *L, const lun_option *known, int index)
{
    bool any = false;
    for (const lun_option *row = known; row->name != NULL && !any && lua_rawlen(L, index) > WALKED; row++) {
        lua_pushstring(L, row->name);
        any = lua_rawget(L, index) != LUA_TNIL;
        lua_pop(L, 1);
    }
    return any;
}

bool options_named(lua_State *L, int index)
{
    for (push_list_end(L, index); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            lua_pop(L, 2);
            return true;
        }
    }
    return false;
}

/* Checks the known options in a list's table one by one. Gives whether there are any. */
static bool check_known(lua_State *L, options *o, int list)
{
    bool any = false;
    for (const lun_option *row = o->known; row != NULL && row->name != NULL; row++) {
        lua_pushstring(L, row->name);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, list) != LUA_TNIL) {
            check_option(L, o, true);
            any = true;
        }
        lua_pop(L, 2);
    }
    return any;
}

/* Raises, as what stands at `index` is no table of options, and says which option may be meant; behind max often the other of
 * two. */
_Noreturn static void refuse_options(lua_State *L, const lun_option *known, int index)
{
    char meant[200];
    lun_value value = {.kind = LUN_VALUE_OTHER};
    const char *method = lua_tostring(L, UP_NAME), *wanted = "a table of options";
    if (lua_type(L, index) == LUA_TNUMBER)
        value = (lun_value){.kind = LUN_VALUE_NUMBER, .number = check_number(L, index)};
    else if (lua_type(L, index) == LUA_TSTRING)
        value = (lun_value){.kind = LUN_VALUE_TEXT, .text = lua_tostring(L, index)};
    else if (lua_isboolean(L, index))
        value = (lun_value){.kind = LUN_VALUE_BOOLEAN, .truth = lua_toboolean(L, index)};
    if (known != NULL && lun_option_meant(meant, sizeof meant, known, &lua_manner, &value))
        wanted = lua_pushfstring(L, "a table of options, as {%s},", meant);
    if (strcmp(method, "max") == 0 || strcmp(method, "min") == 0)
        misuse(L, "%s: %s is wanted, got %s; a:%simum(b) has the %s of two", check_place(L, index), wanted,
               object_kind(L, index), method, method[1] == 'a' ? "larger" : "smaller");
    check_refuse(L, index, wanted);
}

static void read_table(lua_State *L, options *o, const lun_option *known, int index, int list)
{
    *o = (options){.arguments = lua_gettop(L) < index ? lua_gettop(L) : index - 1, .known = known};
    if (list == 0 && lua_isnoneornil(L, index))
        return;
    if (list != 0)
        check_list(L, list, NULL, true);
    bool named = list != 0 && lua_type(L, list) == LUA_TTABLE && (options_named(L, list) || check_known(L, o, list));
    if (!lua_isnoneornil(L, index)) {
        if (named)
            misuse(L, "options stand in one table, not in arguments %d and %d", list - 1, index - 1);
        if (lua_type(L, index) != LUA_TTABLE)
            refuse_options(L, known, index);
        lua_pushnil(L);
    } else if (named) {
        index = list;
        push_list_end(L, index);
    } else {
        return;
    }
    for (; lua_next(L, index) != 0; lua_pop(L, 1))
        check_option(L, o, named);
    if (named)
        check_known(L, o, index);
    o->table = index;
}

void options_read_known(lua_State *L, options *o, const lun_option *known, int index, int list)
{
    check_end(L, index);
    read_table(L, o, known, index, list);
}

void options_read(lua_State *L, options *o, const char *method, int index, int list)
{
    const bool none = list == 0 && lua_isnoneornil(L, index);
    options_read_known(L, o, none ? NULL : lun_method_options(method), index, list);
}

void options_read_first(lua_State *L, options *o, const char *method, int index)
{
    read_table(L, o, lun_method_options(method), index, 0);
}

/* ---- taking single options ------------------------------------------------------------------------- */

/* Looks at the options that are given, so that the others cost no look into the table. */
int option_push(lua_State *L, const options *o, const char *name)
{
    const lun_option *row = o->known;
    for (unsigned left = o->given; left != 0; left >>= 1, row++) {
        if ((left & 1) == 0 || strcmp(row->name, name) != 0)
            continue;
        lua_pushstring(L, name);
        lua_rawget(L, o->table);
        return lua_gettop(L);
    }
    return 0;
}

bool option_boolean(lua_State *L, const options *o, const char *name)
{
    if (option_push(L, o, name) == 0)
        return false;
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

bool option_number(lua_State *L, const options *o, const char *name, lun_number *out)
{
    int index = option_push(L, o, name);
    if (index == 0)
        return false;
    *out = check_number(L, index);
    lua_pop(L, 1);
    return true;
}

double option_real(lua_State *L, const options *o, const char *name, double missing)
{
    lun_number number = lun_real(missing);
    option_number(L, o, name, &number);
    return number.real;
}

lua_Integer option_integer(lua_State *L, const options *o, const char *name, lua_Integer missing)
{
    lua_Integer value = missing;
    if (option_push(L, o, name) != 0) {
        number_integral(L, -1, &value);
        lua_pop(L, 1);
    }
    return value;
}

const char *option_text(lua_State *L, const options *o, const char *name)
{
    int index = option_push(L, o, name);
    if (index == 0)
        return NULL;
    const char *text = check_text(L, index, lua_pushfstring(L, "option '%s'", name));
    lua_pop(L, 1); /* the text for messages */
    return text;
}

lun_array *option_array(lua_State *L, const options *o, const char *name)
{
    int index = option_push(L, o, name);
    if (index == 0)
        return NULL;
    lun_array *array = object_test(L, index, CLASS_ARRAY);
    if (array == NULL)
        misuse(L, "option '%s': an array is wanted, got %s", name, object_kind(L, index));
    if (!lun_array_is_live(array))
        misuse(L, "option '%s': the array was released", name);
    return array;
}

lun_queue *option_queue(lua_State *L, const options *o, const lun_device *device)
{
    int index = option_push(L, o, "queue");
    if (index == 0)
        return NULL;
    queue_object *object = object_test(L, index, CLASS_QUEUE);
    if (object == NULL)
        misuse(L, "option 'queue': a queue is wanted, got %s", object_kind(L, index));
    if (object->queue == NULL)
        misuse(L, "option 'queue': the queue was released");
    if (lun_queue_device(object->queue) != device)
        misuse(L, "option 'queue': the queue is of another device (%s), and the work of %s",
               lun_device_info_get(lun_queue_device(object->queue))->name, lun_device_info_get(device)->name);
    lua_pop(L, 1);
    return object->queue;
}
