/* Converting Lua's values to the arguments and options of an operation, according to its row. */
#include "call.h"
#include "check.h"
#include "index.h"
#include "options.h"
#include "request.h"
#include "rng.h"
#include "value.h"

#include <string.h>

/* ---- arguments ----------------------------------------------------------------------------------------------------------- */

typedef struct reading {
    lun_request *r;
    const lun_option *known;
    int at, last;     /* the next argument, and the last */
    int options;      /* the table of options, 0: there is none */
    int dtype;        /* the string before it that is the option dtype, or 0 */
    int left;         /* the table that replaces an omitted argument: options, without further arguments */
    int shared;       /* the list whose table may have them */
    int positions;    /* the number or the list of positions, which becomes an array when the axis is known */
    lun_value *index; /* what has it then */
} reading;

/* Is the argument a number, of a fused function too, or complex or an array where the row takes such? */
static bool is_number(lua_State *L, const lun_operand *row, int index)
{
    lun_number traced;
    return lua_type(L, index) == LUA_TNUMBER || traced_number(L, index, &traced) ||
           (row->kind == LUN_OPTION_COMPLEX && object_test(L, index, CLASS_COMPLEX) != NULL) ||
           (row->kind == LUN_OPTION_NUMBERS && object_test(L, index, CLASS_ARRAY) != NULL);
}

/* The number of arguments that form a list without a table. */
static int count_spread(lua_State *L, const reading *w, const lun_operand *row)
{
    int count = 0, behind = 0;
    const bool arrays = row->kind == LUN_OPTION_ARRAYS;
    for (const lun_operand *next = row + 1; next->name != NULL; next++)
        behind +=
            next->kind == LUN_OPTION_NUMBER || next->kind == LUN_OPTION_NUMBERS || next->kind == LUN_OPTION_SCALAR;
    for (int i = w->at; i <= w->last; i++, count++)
        if (arrays ? lua_isnil(L, i) || object_is_table(L, i) : !is_number(L, row, i))
            break;
    return arrays || count <= behind ? count : count - behind;
}

/* Several arguments as one list. */
static void read_spread(lua_State *L, reading *w, lun_value *out, int count)
{
    *out = (lun_value){.kind = LUN_VALUE_LIST, .list = {.count = (size_t)count, .spread = true}};
    out->list.items = lun_request_list(w->r, (size_t)count);
    if (out->list.items == NULL)
        value_no_memory(L);
    for (int i = 0; i < count; i++)
        value_read(L, &out->list.items[i], w->r, w->at + i, false);
    w->at += count;
}

/* May the argument be among the options as well? */
static bool is_option_too(const reading *w, const lun_operand *row)
{
    return w->known[0].name != NULL && strcmp(w->known[0].name, row->name) == 0;
}

/* Are the options in the place of an optional argument? A list is an argument, and so is an empty table, unless the
 * argument can also be an option. */
static bool options_stand_there(lua_State *L, const reading *w, const lun_operand *row)
{
    if (!lun_option_kind_takes(row->kind, LUN_VALUE_LIST))
        return lua_rawlen(L, w->at) == 0 || row->kind == LUN_OPTION_TEXT;
    return lua_rawlen(L, w->at) == 0 && (is_option_too(w, row) || options_named(L, w->at));
}

/* Is an optional argument missing, but not the one after it? */
static bool is_left_out(lua_State *L, reading *w, const lun_operand *row, bool table)
{
    const int type = lua_type(L, w->at);
    if (table && w->left == 0 && (row->optional || is_option_too(w, row)) && options_stand_there(L, w, row))
        w->left = w->at;
    if (table)
        return w->left == w->at;
    const bool number = row->kind == LUN_OPTION_NUMBER || row->kind == LUN_OPTION_NUMBERS ||
                        row->kind == LUN_OPTION_REALS || row->kind == LUN_OPTION_COMPLEX;
    return row->optional && number && !is_number(L, row, w->at) && type != LUA_TNIL;
}

/* Puts a list without its names in the place of one that has options too. [-0, +0] */
static void part_list(lua_State *L, int index)
{
    const lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    lua_newtable(L);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, index, i);
        lua_rawseti(L, -2, i);
    }
    lua_replace(L, index);
}

/* Is it a position or a list of positions, but not a list of index arrays? */
static bool is_positions(lua_State *L, const lun_operand *row, int index)
{
    bool arrays = false;
    if (row->kind == LUN_OPTION_PLACES && object_is_table(L, index)) {
        lua_rawgeti(L, index, 1);
        arrays = object_test(L, -1, CLASS_ARRAY) != NULL;
        lua_pop(L, 1);
    }
    return (row->kind == LUN_OPTION_POSITIONS || row->kind == LUN_OPTION_PLACES) && !arrays;
}

static void read_argument(lua_State *L, reading *w, const lun_operand *row, lun_value *out)
{
    if (w->at <= w->last && row->kind == LUN_OPTION_RANGES) {
        value_read_ranges(L, out, w->r, w->at, w->last);
        w->at = w->last + 1;
        return;
    }
    bool table = w->at <= w->last && object_is_table(L, w->at);
    if (w->at > w->last || is_left_out(L, w, row, table))
        return;
    const int count = row->spread ? count_spread(L, w, row) : 0;
    if (count > 1 || (count > 0 && row->kind == LUN_OPTION_ARRAYS)) {
        read_spread(L, w, out, count);
        return;
    }
    table = table && row->kind != LUN_OPTION_HOST;
    if (table && value_read_named(L, out, w->r, row, w->at)) {
        w->at++;
        return;
    }
    if (table && row->kind == LUN_OPTION_ARRAYS && row->spread)
        return;
    if (table && row->shares && (options_named(L, w->at) || options_known(L, w->known, w->at))) {
        w->shared = w->at;
        lua_pushvalue(L, w->at);
        w->options = lua_gettop(L);
        if (is_positions(L, row, w->at))
            part_list(L, w->at);
    }
    if (lua_isnil(L, w->at)) { /* the last of all: a name that has no value, as axis without quotes is */
        const bool left = (row->optional || is_option_too(w, row)) && w->at < w->last;
        out->kind = left ? LUN_VALUE_NOTHING : LUN_VALUE_OTHER;
        out->text = "nil";
        out->hint = NULL;
    } else if ((table || lua_type(L, w->at) == LUA_TNUMBER) && is_positions(L, row, w->at)) {
        w->positions = w->at;
        w->index = out;
    } else if (row->kind == LUN_OPTION_DATA) {
        value_read_data(L, out, w->r, w->at, w->shared == w->at);
    } else if (row->kind == LUN_OPTION_HOST) {
        value_read_for(L, out, w->r, row->kind, w->at, NULL);
    } else {
        value_read(L, out, w->r, w->at, table && w->shared == w->at);
    }
    w->at++;
}

/* A string behind the arguments is the option dtype, where there is one. [-0, +0] */
static void read_dtype(lua_State *L, reading *w)
{
    lun_value value;
    lun_error err;
    if (w->at > w->last || w->options != 0 || lua_type(L, w->at) != LUA_TSTRING ||
        lun_operation_option(w->r->operation, "dtype") == NULL)
        return;
    value_read(L, &value, w->r, w->at, false);
    if (lun_request_option(w->r, "dtype", &value, &err) != LUN_OK)
        call_raise(L, w->r->device, &err);
    w->dtype = w->at++;
}

/* Reads the values after the arguments: options, or superfluous values. */
static void read_rest(lua_State *L, reading *w)
{
    read_dtype(L, w);
    const bool takes = w->known[0].name != NULL;
    const int place = w->at;
    if (takes && place <= w->last && !lua_isnil(L, place)) {
        if (w->options != 0)
            misuse(L, "options belong in one table, not in arguments %d and %d", check_number_of(L, w->shared),
                   check_number_of(L, place));
        if (object_is_table(L, place))
            w->options = place;
    }
    for (int i = takes && w->options == place ? place + 1 : place; i <= w->last; i++) {
        if (lua_isnil(L, i))
            continue;
        value_read(L, &w->r->surplus, w->r, i, true);
        w->r->surplus_at = (unsigned)i - 1;
        w->r->surplus_behind = (unsigned)(takes ? place - 1 : place - 2);
        w->r->surplus_options = takes && i == place;
        return;
    }
}

/* ---- options ------------------------------------------------------------------------------------------------------------- */

/* Reads the pair on the top. What is to stay goes below the key. [-1, +n] */
static void read_option(lua_State *L, reading *w)
{
    lun_value value;
    lun_error err;
    lua_insert(L, -2); /* the value below its key */
    const int at = lua_gettop(L) - 1;
    const char *name = lua_tostring(L, at + 1);
    if (strlen(name) != lua_rawlen(L, at + 1)) /* a zero byte is in it */
        name = lua_pushfstring(L, "%s...", name);
    const lun_option *row = lun_operation_option(w->r->operation, name);
    if ((lua_tointeger(L, UP_NUMBER) & NUMBER_IN_PLACE) != 0 && strcmp(name, "out") == 0)
        misuse(L, "there is no option 'out' here: the result goes to the array itself");
    if (w->dtype != 0 && strcmp(name, "dtype") == 0)
        misuse(L, "the dtype is given twice: argument %d and the option 'dtype'", check_number_of(L, w->dtype));
    value_read_for(L, &value, w->r, row != NULL ? row->kind : LUN_OPTION_VALUE, at, name);
    if (lun_request_option(w->r, name, &value, &err) != LUN_OK)
        call_raise(L, w->r->device, &err);
    lua_rotate(L, at + 1, -1);
}

static void read_options(lua_State *L, reading *w)
{
    const bool shared = w->shared != 0;
    luaL_checkstack(L, 3 * LUN_OPTIONS, NULL);
    const bool all = options_push_start(L, w->options, shared);
    while (lua_next(L, w->options) != 0) {
        if (lua_type(L, -2) == LUA_TSTRING)
            read_option(L, w);
        else if (shared) /* an element, or what core refuses in a list */
            lua_pop(L, 1);
        else
            misuse(L, "options have names; got one at [%s]", value_text(L, -2));
    }
    for (const lun_option *row = w->known; !all && row->name != NULL; row++) {
        lua_pushstring(L, row->name);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, w->options) != LUA_TNIL)
            read_option(L, w);
        else
            lua_pop(L, 2);
    }
}

/* ---- all of them ---------------------------------------------------------------------------------------------------- */

/* Reads self and the device; for a function of the module nil takes the place of self. */
static void read_owner(lua_State *L, reading *w)
{
    if (w->r->device != NULL) /* the host's own method has looked at self */
        return;
    switch (w->r->operation->owner) {
    case LUN_OF_ARRAY:
        w->r->arguments[0] = (lun_value){.kind = LUN_VALUE_ARRAY, .array = check_array(L, 1)};
        w->r->device = w->r->arguments[0].array->device;
        break;
    case LUN_OF_SPARSE:
        w->r->arguments[0] = (lun_value){.kind = LUN_VALUE_SPARSE, .sparse = check_sparse(L, 1)};
        w->r->device = w->r->arguments[0].sparse->values->device;
        break;
    case LUN_OF_STREAM:
        trace_refuse(L); /* before anything is drawn */
        rng_object *stream = check_object(L, 1, CLASS_RNG);
        w->r->device = stream->device;
        w->r->stream = &stream->rng;
        break;
    case LUN_OF_DEVICE:
    case LUN_OF_NOTHING: /* it is called instead of a device's, or of an array's */
        if (w->r->operation->owner == LUN_OF_NOTHING && object_test(L, 1, CLASS_ARRAY) != NULL) {
            w->r->arguments[0] = (lun_value){.kind = LUN_VALUE_ARRAY, .array = check_array(L, 1)};
            w->r->device = w->r->arguments[0].array->device;
            break;
        }
        if (w->r->operation->arguments[0].kind != LUN_OPTION_NAMES)
            trace_refuse(L); /* into an array that is there, too; an expression has arrays, which say more */
        w->r->device = check_device(L, 1);
        break;
    case LUN_OF_TRACE:
        w->r->trace = trace_read(L);
        break;
    default:
        break;
    }
}

void arguments_read(lua_State *L, lun_request *r, int last)
{
    reading w = {.r = r, .known = r->operation->options, .at = 2, .last = last};
    unsigned i = 1;
    read_owner(L, &w);
    r->floats = defaults_dtype(L, r->device);
    r->reproducible = defaults_reproducible(L);
    for (const lun_operand *row = r->operation->arguments; row->name != NULL; row++, i++)
        read_argument(L, &w, row, &r->arguments[i]);
    if (w.at <= w.last)
        read_rest(L, &w);
    r->told = w.options != 0;
    if (r->told)
        read_options(L, &w);
    if (w.positions != 0) {
        *w.index = (lun_value){.kind = LUN_VALUE_ARRAY};
        w.index->array = index_from_list(L, w.positions, NULL, r->device, LUN_i64, lun_request_extent(r));
    }
}
