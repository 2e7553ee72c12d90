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

/* How many characters of a name, or of a number, stand at the beginning. */
static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

static bool is_name(const char *text)
{
    const size_t length = word_length(text);
    return length > 0 && text[length] == '\0' && strchr("0123456789", text[0]) == NULL;
}

#define NO_POWER "which is no power in OpenCL C; write pow(a, b), and of integers a*a, or rint(pow((float)a, b))"
#define TRUTH "which gives 1 or 0; what Lua writes as c and a or b is c ? a : b"

/* Signs and words of Lua and other languages, and what the message says of an expression that has them. A // is Lua's division
 * more often than a comment, which would take what follows from the expression in silence. */
static const struct {
    const char *sign, *says;
} foreign[] = {
    {"//", "a //, which divides nothing in OpenCL C; write floor(a / b), and comments as /* */"},
    {"**", "a **, " NO_POWER},
    {"^", "a ^, " NO_POWER},
    {"~=", "a ~=, which is != in OpenCL C"},
    {"and", "the word and, which is && in OpenCL C, " TRUTH},
    {"or", "the word or, which is || in OpenCL C, " TRUTH},
    {"not", "the word not, which is ! in OpenCL C, " TRUTH},
};

/* Raises where one of them stands at `at`, where a word of that length begins or, where that is 0, a sign. */
static void refuse_foreign(lua_State *L, const char *what, const char *at, size_t word)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const size_t length = strlen(foreign[i].sign);
        if (word_length(foreign[i].sign) == word && strncmp(at, foreign[i].sign, length) == 0)
            misuse(L, "%s has %s", what, foreign[i].says);
    }
}

/* The end of the comment that begins at `at`; `at` itself where none begins. */
static const char *behind_comment(lua_State *L, const char *what, const char *at)
{
    if (strncmp(at, "/*", 2) != 0)
        return at;
    const char *end = strstr(at + 2, "*/");
    if (end == NULL)
        misuse(L, "%s has a comment that does not end", what);
    return end + 2;
}

/* Operators and opening brackets in an expression: each may stand within the one before. Compilers recurse, and clang's
 * crashes with this process where a stack of 8 MiB is used up: by some 1,500 casts. */
#define MOST_SIGNS 1000

void expression_refuse_op(lua_State *L, const char *name, const char *own, const lun_error *err)
{
    if (err->status != LUN_MISUSE || is_name(name) || name[0] == '\0')
        call_raise(L, NULL, err);
    misuse(L, "%s; an operator of your own stands in a table, %s", err->message, own);
}

/* Refuses brackets without their counterparts, commas outside of brackets and empty text: in the kernel's text around the
 * expression they would mean something else, or the compiler would complain about that text. And what is too deep for it. */
static void check_brackets(lua_State *L, const char *what, const char *text)
{
    static const char kinds[] = "()[]";
    int open[] = {0, 0}, signs = 0;
    bool blank = true;
    for (const char *at = text, *next; *at != '\0'; at = next) {
        next = behind_comment(L, what, at);
        if (next > at)
            continue;
        const size_t word = word_length(at);
        refuse_foreign(L, what, at, word);
        next = at + (word > 0 ? word : 1);
        blank = blank && strchr(" \t\r\n", *at) != NULL;
        signs += strchr("+-*/%&|~!<>=?([", *at) != NULL;
        if (signs > MOST_SIGNS)
            misuse(L, "%s has more than %d operators and brackets", what, MOST_SIGNS);
        const char *kind = strchr(kinds, *at);
        if (kind != NULL)
            open[(kind - kinds) / 2] += (kind - kinds) % 2 == 0 ? 1 : -1;
        if (open[0] < 0 || open[1] < 0)
            misuse(L, "%s has a %c without its %c", what, kind[0], kind[-1]);
        if (*at == ',' && open[0] + open[1] == 0)
            misuse(L, "%s has a comma outside of brackets; several results are a list of expressions", what);
    }
    if (open[0] > 0 || open[1] > 0)
        misuse(L, "%s has a %c without its %c", what, open[0] > 0 ? '(' : '[', open[0] > 0 ? ')' : ']');
    if (blank)
        misuse(L, "%s is empty", what);
}

const char *expression_check(lua_State *L, const char *what)
{
    const char *text = check_text(L, lua_gettop(L), what);
    const char *odd = strpbrk(text, ";#{}\\\"'");
    if (odd != NULL)
        misuse(L, "%s is one expression of OpenCL C, and has no %c", what, *odd);
    check_brackets(L, what, text);
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
        if (lua_type(L, -2) != LUA_TSTRING || !is_name(lua_tostring(L, -2)) ||
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

/* Does that name stand in the text, outside of comments? */
static bool has_name(lua_State *L, const char *text, const char *name)
{
    for (const char *at = text, *next; *at != '\0'; at = next) {
        next = behind_comment(L, "the expression", at);
        if (next > at)
            continue;
        const size_t length = word_length(at);
        if (length > 0 && length == strlen(name) && strncmp(at, name, length) == 0)
            return true;
        next = at + (length > 0 ? length : 1);
    }
    return false;
}

/* Raises for an argument that no text has: another name was meant, here or there. */
static void check_used(lua_State *L, const expression_arguments *x, const char *name)
{
    for (size_t i = 0; i < x->e.result_count; i++)
        if (has_name(L, x->texts[i], name))
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
