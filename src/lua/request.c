/* The method of all operations that core runs: a row of its table says what Lua's values become, and what comes back. */
#include "request.h"
#include "call.h"
#include "check.h"
#include "index.h"
#include "options.h"
#include "rng.h"
#include "value.h"

#include <string.h>

const lun_manner lua_manner = {
    .first = 1,
    .counted = 0,
    .self = "self",
    .option = "%s = %s",
    .table = "a table",
    .words = {"nothing", "a boolean", "a number", "a string", "an array", "a table", "a queue", "a string",
              "a userdata"},
};

/* A request in a userdata, which gives back what it owns in any case. One is kept for the next call. [-0, +1] */
static lun_request *push_request(lua_State *L, const lun_operation *row)
{
    if (lua_getiuservalue(L, UP_BINDING, SLOT_REQUEST) == LUA_TUSERDATA) {
        lua_pushnil(L);
        lua_setiuservalue(L, UP_BINDING, SLOT_REQUEST);
    } else {
        lua_pop(L, 1);
        object_push(L, CLASS_REQUEST, sizeof(lun_request), 0);
    }
    lun_request *r = lua_touserdata(L, -1);
    lun_request_init(r, row, &lua_manner);
    return r;
}

/* Gives back what the request at `index` owns, and keeps it for the next call. [-0, +0] */
static void keep_request(lua_State *L, int index)
{
    lun_request_clear(lua_touserdata(L, index));
    lua_pushvalue(L, index);
    lua_setiuservalue(L, UP_BINDING, SLOT_REQUEST);
}

static int request_gc(lua_State *L)
{
    lun_request *r = object_test(L, 1, CLASS_REQUEST);
    if (r != NULL)
        lun_request_clear(r);
    return 0;
}

const luaL_Reg request_metamethods[] = {{"__gc", request_gc}, {NULL, NULL}};

/* ---- arguments ----------------------------------------------------------------------------------------------------------- */

typedef struct reading {
    lun_request *r;
    const lun_option *known;
    int at, last;     /* the next argument, and the last */
    int options;      /* the table of options, 0: there is none */
    int shared;       /* the list whose table may have them */
    int positions;    /* the number or the list of positions, which becomes an array when the axis is known */
    lun_value *index; /* what has it then */
} reading;

/* How many arguments of a list that may be spread stand there, one behind the other. */
static int count_spread(lua_State *L, const reading *w, const lun_operand *row)
{
    int count = 0, behind = 0;
    const bool arrays = row->kind == LUN_OPTION_ARRAYS;
    for (const lun_operand *next = row + 1; next->name != NULL; next++)
        behind += next->kind == LUN_OPTION_NUMBER;
    for (int i = w->at; i <= w->last; i++, count++)
        if (arrays ? lua_isnil(L, i) || lua_istable(L, i) : lua_type(L, i) != LUA_TNUMBER)
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

/* May the argument stand among the options as well? */
static bool is_option_too(const reading *w, const lun_operand *row)
{
    return w->known[0].name != NULL && strcmp(w->known[0].name, row->name) == 0;
}

/* Do the options stand in the place of an argument that may be left out? A list is an argument, and so is a table without
 * anything in it, but for what may be an option too. */
static bool options_stand_there(lua_State *L, const reading *w, const lun_operand *row)
{
    if (!lun_option_kind_takes(row->kind, LUN_VALUE_LIST))
        return lua_rawlen(L, w->at) == 0 || row->kind == LUN_OPTION_TEXT;
    return lua_rawlen(L, w->at) == 0 && (is_option_too(w, row) || options_named(L, w->at));
}

/* Is an argument that may be left out not there, but what follows it? */
static bool is_left_out(lua_State *L, const reading *w, const lun_operand *row)
{
    const int type = lua_type(L, w->at);
    if (value_is_table(L, w->at))
        return (row->optional || is_option_too(w, row)) && options_stand_there(L, w, row);
    return row->optional && row->kind == LUN_OPTION_NUMBER && type != LUA_TNUMBER && type != LUA_TNIL;
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

static void read_argument(lua_State *L, reading *w, const lun_operand *row, lun_value *out)
{
    if (w->at > w->last || is_left_out(L, w, row))
        return;
    const int count = row->spread ? count_spread(L, w, row) : 0;
    if (count > 1 || (count > 0 && row->kind == LUN_OPTION_ARRAYS)) {
        read_spread(L, w, out, count);
        return;
    }
    const bool table = value_is_table(L, w->at);
    if (table && row->kind == LUN_OPTION_ARRAYS && row->spread)
        return;
    if (table && row->shares && (options_named(L, w->at) || options_known(L, w->known, w->at))) {
        w->shared = w->at;
        lua_pushvalue(L, w->at);
        w->options = lua_gettop(L);
        if (row->kind == LUN_OPTION_POSITIONS)
            part_list(L, w->at);
    }
    if (lua_isnil(L, w->at)) { /* the last of all: a name that has no value, as axis without quotes is */
        const bool left = (row->optional || is_option_too(w, row)) && w->at < w->last;
        out->kind = left ? LUN_VALUE_NOTHING : LUN_VALUE_OTHER;
        out->text = "nil";
        out->hint = NULL;
    } else if (row->kind == LUN_OPTION_POSITIONS && (table || lua_type(L, w->at) == LUA_TNUMBER)) {
        w->positions = w->at;
        w->index = out;
    } else if (table && w->shared == w->at) {
        value_read(L, out, w->r, w->at, true);
    } else {
        value_read(L, out, w->r, w->at, false);
    }
    w->at++;
}

/* What stands behind the arguments: options, or what nobody wants. */
static void read_rest(lua_State *L, reading *w)
{
    const bool takes = w->known[0].name != NULL;
    const int place = w->at;
    if (takes && place <= w->last && !lua_isnil(L, place)) {
        if (w->options != 0)
            misuse(L, "options stand in one table, not in arguments %d and %d", w->shared - 1, place - 1);
        if (value_is_table(L, place))
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
    value_read_for(L, &value, w->r, row != NULL ? row->kind : LUN_OPTION_VALUE, at, name);
    if (lun_request_option(w->r, name, &value, &err) != LUN_OK)
        call_raise(L, w->r->device, &err);
    lua_rotate(L, at + 1, -1);
}

static void read_options(lua_State *L, reading *w)
{
    const bool shared = w->shared != 0;
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

/* ---- results ------------------------------------------------------------------------------------------------------------- */

/* The userdata of an array that is among the arguments or options. [-0, +1] */
static void push_given(lua_State *L, const lun_array *array)
{
    int index = lua_gettop(L);
    while (index > 1 && lua_touserdata(L, index) != array)
        index--;
    lua_pushvalue(L, index);
}

/* Pushes what each result goes to; nil for a number that is wanted now. [-0, +count] */
static void push_results(lua_State *L, const lun_request *r, lun_array **out)
{
    for (size_t i = 0; i < r->result_count; i++) {
        const lun_result *result = r->views ? NULL : &r->results[i];
        out[i] = result != NULL ? result->given : NULL;
        if (out[i] != NULL)
            push_given(L, out[i]);
        else if (result == NULL)
            out[i] = view_push(L);
        else if (result->numbers == 0)
            out[i] = array_push(L);
        else if (r->async)
            out[i] = array_push_private(L);
        else
            lua_pushnil(L);
    }
}

/* Ties the results to the event, which is live from now on. [-0, +1] */
static int give_event(lua_State *L, const lun_request *r, event_object *event, int first)
{
    const int count = (int)r->result_count;
    event->gives = r->numeric ? GIVES_NUMBERS : GIVES_VALUES;
    for (int i = 0; i < count; i++) {
        lua_pushvalue(L, first + i);
        lua_setiuservalue(L, first - 1, i + 1);
        if (r->views)
            continue;
        event->truths |= (uint32_t)r->results[i].truth << (i & 31);
        event->arrays |= (uint32_t)(r->results[i].numbers == 0) << (i & 31);
    }
    event->live = true;
    lua_pushvalue(L, first - 1);
    return 1;
}

static int give_values(lua_State *L, const lun_request *r, int first)
{
    const int top = lua_gettop(L);
    const lun_number *number = r->numbers;
    if (!r->numeric)
        return (int)r->result_count; /* they stand on the top */
    for (size_t i = 0; i < r->result_count; i++) {
        if (r->results[i].numbers == 0)
            lua_pushvalue(L, first + (int)i);
        for (int k = 0; k < r->results[i].numbers; k++, number++)
            if (r->results[i].truth)
                lua_pushboolean(L, number->integer != 0);
            else
                number_push(L, *number);
    }
    return lua_gettop(L) - top;
}

/* ---- the method ---------------------------------------------------------------------------------------------------------- */

/* Self, and who works: puts nil in self's place of a function of the module. */
static void read_owner(lua_State *L, reading *w)
{
    switch (w->r->operation->owner) {
    case LUN_OF_ARRAY:
        w->r->arguments[0] = (lun_value){.kind = LUN_VALUE_ARRAY, .array = check_array(L, 1)};
        w->r->device = w->r->arguments[0].array->device;
        break;
    case LUN_OF_STREAM:
        trace_refuse(L); /* before anything is drawn */
        w->r->device = check_rng(L)->device;
        w->r->stream = &check_rng(L)->rng;
        break;
    case LUN_OF_DEVICE:
        trace_refuse(L); /* into an array that is there, too */
        w->r->device = check_device(L, 1);
        break;
    default:
        break;
    }
}

static void read_all(lua_State *L, reading *w)
{
    unsigned i = 1;
    read_owner(L, w);
    for (const lun_operand *row = w->r->operation->arguments; row->name != NULL; row++, i++)
        read_argument(L, w, row, &w->r->arguments[i]);
    if (w->at <= w->last)
        read_rest(L, w);
    w->r->told = w->options != 0;
    if (w->r->told)
        read_options(L, w);
    if (w->positions != 0) {
        *w->index = (lun_value){.kind = LUN_VALUE_ARRAY};
        w->index->array = index_from_list(L, w->positions, NULL, w->r->device, lun_request_extent(w->r));
    }
}

static int run(lua_State *L, lun_request *r, lun_array **out)
{
    lun_attempt tried;
    event_object *event = NULL;
    if (r->async) {
        event = event_push(L, (int)r->result_count);
        r->call.event = &event->event;
    }
    const int first = lua_gettop(L) + 1;
    push_results(L, r, out);
    for (lun_request_attempt(&tried, r); call_goes_on(L, &tried);) {
        tried.status = lun_request_run(&tried.more, r, out, &tried.err);
        if (r->unsown && tried.status == LUN_OK) { /* last: a call that fails leaves Lua's generator as it was */
            r->seed = random_seed(L);
            r->unsown = false;
        }
    }
    return event != NULL ? give_event(L, r, event, first) : give_values(L, r, first);
}

#define FEW 8

int request_call(lua_State *L)
{
    lun_error err;
    lun_array *few[FEW], **out = few;
    const lua_Integer number = lua_tointeger(L, UP_NUMBER);
    const lun_operation *row = lun_operation_at((size_t)(number & ~REQUEST_DEFAULT_DEVICE));
    if ((number & REQUEST_DEFAULT_DEVICE) != 0) {
        device_push_default(L);
        lua_insert(L, 1);
    } else if (row->owner == LUN_OF_MODULE) {
        lua_pushnil(L);
        lua_insert(L, 1);
    }
    if (lua_gettop(L) == 0) /* a.sum(): the request would stand in self's place */
        check_refuse(L, 1, row->owner == LUN_OF_ARRAY ? "an array" : "the object whose method it is");
    reading w = {.known = row->options, .at = 2, .last = lua_gettop(L)};
    luaL_checkstack(L, 3 * LUN_OPTIONS, NULL);
    w.r = push_request(L, row);
    const int kept = lua_gettop(L);
    read_all(L, &w);
    if (lun_request_bind(w.r, &err) != LUN_OK)
        call_raise(L, w.r->device, &err);
    const size_t count = w.r->result_count;
    if (count >= INT32_MAX - LUA_MINSTACK || !lua_checkstack(L, (int)count + LUA_MINSTACK))
        misuse(L, "%I parts are more values than a Lua function can return", (LUAI_UACINT)count);
    if (count > FEW)
        out = lun_request_memory(w.r, count * sizeof *out);
    if (out == NULL)
        value_no_memory(L);
    const int given = run(L, w.r, out);
    keep_request(L, kept);
    return given;
}

void request_methods(lua_State *L, lun_owner owner, bool default_device)
{
    const lun_operation *row;
    for (size_t i = 0; (row = lun_operation_at(i)) != NULL; i++) {
        const luaL_Reg method[] = {{row->name, request_call}, {NULL, NULL}};
        if (row->owner == owner && lun_operation_is_called(row))
            class_functions(L, method, (lua_Integer)i | (default_device ? REQUEST_DEFAULT_DEVICE : 0));
    }
}
