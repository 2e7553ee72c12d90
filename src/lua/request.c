/* The method of all operations that core runs: a row of its table says what Lua's values become, and what comes back. */
#include "request.h"
#include "bytes.h"
#include "call.h"
#include "check.h"
#include "convert.h"
#include "options.h"
#include "rng.h"
#include "value.h"

#include <string.h>

#define MANNER(number)                                                                                                 \
    {                                                                                                                  \
        .first = 1, .counted = (number), .self = "self", .option = "%s = %s", .method = "a:%s", .left_out = "nil",     \
        .table = "a table", .list_hint = TABLE_HINT,                                                                   \
        .words = {"nothing", "a boolean", "a number",        "a complex number", "a string",   "an array",  "a table", \
                  "a queue", "a device",  "a sparse matrix", "a string",         "a function", "a userdata"},          \
    }
const lun_manner lua_manner = MANNER(0);
static const lun_manner function_manner = MANNER(1); /* of methods that are called as functions of the module */

/* A request in a userdata, which gives back what it owns in any case. The last one made is there for the next call, unless a
 * call has it still, or an error has ended that. [-0, +1] */
static lun_request *push_request(lua_State *L, const lun_operation *row)
{
    lua_getiuservalue(L, UP_BINDING, SLOT_REQUEST);
    request_object *object = lua_touserdata(L, -1);
    if (object == NULL || object->in_use) {
        lua_pop(L, 1);
        object = object_push(L, CLASS_REQUEST, sizeof *object, 1);
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, UP_BINDING, SLOT_REQUEST);
    }
    object->in_use = true;
    object->at = lua_gettop(L);
    const bool function = (lua_tointeger(L, UP_NUMBER) & NUMBER_FUNCTION) != 0;
    lun_request_init(&object->request, row, function ? &function_manner : &lua_manner);
    return &object->request;
}

void request_keep(lun_request *r)
{
    lun_request_clear(r);
    ((request_object *)r)->in_use = false;
}

static int request_gc(lua_State *L)
{
    lun_request *r = object_test(L, 1, CLASS_REQUEST);
    if (r != NULL)
        lun_request_clear(r);
    return 0;
}

const object_class request_class = {
    .kind = "a request",
    .metamethods = (const luaL_Reg[]){{"__gc", request_gc}, {"__close", lent_close}, {NULL, NULL}},
};

/* ---- results ------------------------------------------------------------------------------------------------------------- */

/* The userdata of an array that is among the arguments or options. [-0, +1] */
static void push_given(lua_State *L, const lun_array *array)
{
    int index = lua_gettop(L);
    while (index > 1 && lua_touserdata(L, index) != array)
        index--;
    lua_pushvalue(L, index);
}

/* Pushes a stream, or the owner of the memory that elements go to; nil where an event will have them. [-0, +1] */
static void push_formed(lua_State *L, lun_request *r, lun_form form)
{
    if (form == LUN_FORM_STREAM) {
        rng_push(L, r->device);
        return;
    }
    size_t bytes = lun_dtype_bytes(r->data.dtype);
    for (int i = 0; i < r->data.ndim; i++)
        bytes *= r->data.shape[i];
    if (r->async)
        lua_pushnil(L);
    else
        r->data.memory = form == LUN_FORM_BYTES ? bytes_begin(L, bytes) : lua_newuserdatauv(L, bytes, 0);
}

/* Pushes what each result goes to; nil for a number that is needed now. [-0, +count] */
static void push_results(lua_State *L, lun_request *r, lun_array **out)
{
    for (size_t i = 0; i < r->result_count; i++) {
        const lun_result *result = r->views ? NULL : &r->results[i];
        out[i] = result != NULL ? result->given : NULL;
        if (out[i] != NULL)
            push_given(L, out[i]);
        else if (result == NULL)
            out[i] = view_push(L);
        else if (result->form != LUN_FORM_ARRAY)
            push_formed(L, r, result->form);
        else if (result->numbers == 0)
            out[i] = array_push(L);
        else if (r->async)
            out[i] = array_push_private(L);
        else
            lua_pushnil(L);
    }
}

static lun_form form_of(const lun_request *r)
{
    return r->result_count == 1 && !r->views ? r->results[0].form : LUN_FORM_ARRAY;
}

/* Ties the results to the event, which is live from now on. [-0, +1] */
static int give_event(lua_State *L, lun_request *r, event_object *event, int first)
{
    const int count = (int)r->result_count;
    const lun_form form = form_of(r);
    event->gives = r->numeric               ? GIVES_NUMBERS
                   : form == LUN_FORM_LIST  ? GIVES_TABLE
                   : form == LUN_FORM_BYTES ? GIVES_STRING
                                            : GIVES_VALUES;
    if (form != LUN_FORM_ARRAY) {
        event->data = r->data;
        event->staging = r->staging;
        r->staging = NULL;
    }
    for (int i = 0; i < count; i++) {
        lua_pushvalue(L, first + i);
        lua_setiuservalue(L, first - 1, i + 1);
        if (r->views)
            continue;
        event->arrays |= (uint32_t)(r->results[i].numbers == 0) << (i & 31);
    }
    event->live = true;
    lua_pushvalue(L, first - 1);
    return 1;
}

static int give_values(lua_State *L, lun_request *r, int first)
{
    const int top = lua_gettop(L);
    const lun_number *number = r->numbers;
    const lun_form form = form_of(r);
    if (form == LUN_FORM_BYTES)
        bytes_end(L);
    else if (form == LUN_FORM_LIST)
        convert_to_table(L, &r->data);
    else if (form == LUN_FORM_STREAM)
        ((rng_object *)lua_touserdata(L, first))->rng = r->made;
    if (form != LUN_FORM_ARRAY)
        return 1;
    if (r->sparse)
        return sparse_give(L, r);
    if (!r->numeric)
        return (int)r->result_count; /* they are on the top */
    for (size_t i = 0; i < r->result_count; i++) {
        if (r->results[i].numbers == 0)
            lua_pushvalue(L, first + (int)i);
        for (int k = 0; k < r->results[i].numbers; k++, number++)
            number_push(L, *number);
    }
    return lua_gettop(L) - top;
}

/* ---- the method ---------------------------------------------------------------------------------------------------------- */

lun_request *request_read(lua_State *L, const lun_operation *row, lun_device *device, int last)
{
    lun_error err;
    lun_request *r = push_request(L, row);
    r->device = device;
    arguments_read(L, r, last);
    if (r->trace == NULL)
        r->trace = trace_current(L);
    if (lun_request_bind(r, &err) != LUN_OK)
        call_raise(L, r->device, &err);
    return r;
}

/* What a request needs of the host while it runs; of elements, those of the argument at index 2. [-0, +0] */
static void grant(lua_State *L, lun_request *r)
{
    if (r->wish == LUN_WISH_SEED)
        r->seed = random_seed(L); /* late: a call that fails leaves Lua's generator as it was */
    else
        convert_from_table(L, 2, &r->data);
    r->wish = LUN_WISH_NOTHING;
}

/* Runs it to its end. A function of the user's that it asks for may yield, and then this goes on. */
static int go_on(lua_State *L, int status, lua_KContext context)
{
    request_object *object = (request_object *)context;
    lun_request *r = &object->request;
    lun_attempt tried;
    if (status == LUA_YIELD)
        lent_take(L, object);
    for (lun_request_attempt(&tried, r); call_goes_on(L, &tried);) {
        tried.status = lun_request_run(&tried.more, r, object->out, &tried.err);
        tried.staging = r->staging_bytes;
        if (r->wish == LUN_WISH_NOTHING || tried.status != LUN_OK)
            continue;
        if (r->wish != LUN_WISH_CALL) {
            grant(L, r);
            continue;
        }
        lent_ask(L, object);
        lua_callk(L, 2, 1, context, go_on);
        lent_take(L, object);
    }
    int given =
        object->event != NULL ? give_event(L, r, object->event, object->first) : give_values(L, r, object->first);
    given += request_push_beside(L, r);
    request_keep(r);
    return given;
}

static int run(lua_State *L, request_object *object)
{
    lun_request *r = &object->request;
    lun_error err;
    bool more;
    object->event = NULL;
    if (r->async) {
        object->event = event_push(L, (int)r->result_count);
        r->call.event = &object->event->event;
    }
    object->first = lua_gettop(L) + 1;
    push_results(L, r, object->out);
    if (!r->views)
        return go_on(L, LUA_OK, (lua_KContext)object);
    if (lun_request_run(&more, r, object->out, &err) != LUN_OK) /* nothing is enqueued, and no memory is made */
        call_raise(L, r->device, &err);
    const int count = (int)r->result_count;
    request_keep(r);
    return count;
}

/* An argument of a view that is a whole number, a table of them or nil; false where it is neither. [-0, +0] */
static bool read_range(lua_State *L, lun_positions *out, int index)
{
    out->picks = lua_isinteger(L, index) != 0;
    if (out->picks) {
        out->part[0] = lua_tointeger(L, index);
        return true;
    }
    *out = (lun_positions){.picks = false};
    if (!object_is_table(L, index))
        return lua_isnil(L, index);
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        const lua_Integer part = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
        if (part < 1 || part > LUN_POSITIONS_PARTS || !lua_isinteger(L, -1)) {
            lua_pop(L, 2);
            return false;
        }
        out->given[part - 1] = true;
        out->part[part - 1] = lua_tointeger(L, -1);
    }
    return true;
}

/* Views of whole numbers need no request. Gives nothing where they are none, or something is wrong. [-0, +(0|1)] */
static int view_quickly(lua_State *L, lun_view view)
{
    lun_positions ranges[LUN_MAX_AXES];
    const int count = lua_gettop(L) - 1;
    for (int i = 0; i < count; i++)
        if (i >= LUN_MAX_AXES || !read_range(L, &ranges[i], i + 2))
            return 0;
    const lun_array *array = check_array(L, 1);
    if (view(view_push(L), array, ranges, count, &lua_manner))
        return 1;
    lua_pop(L, 1);
    return 0;
}

_Noreturn static void refuse_in_place(lua_State *L, const lun_result *result, const lun_array *self)
{
    char texts[2][128];
    misuse(L, "the result is %s %s, and the array %s %s; the array can hold only its own shape and dtype",
           lun_shape_text(texts[0], sizeof texts[0], result->ndim, result->shape), lun_dtype_name(result->dtype),
           lun_shape_text(texts[1], sizeof texts[1], self->ndim, self->shape), lun_dtype_name(self->dtype));
}

/* The first result of the request is written to the array at index 1 when it is there. An event is that of the writing. */
static int run_in_place(lua_State *L, request_object *object)
{
    lun_attempt tried;
    lun_request *r = &object->request;
    const lun_array *self = r->arguments[0].array;
    const lun_result *result = r->results;
    lun_call call = {.queue = r->call.queue};
    const bool async = r->async;
    r->async = false; /* a result that is written at once needs no event */
    if (r->views)     /* traced */
        misuse(L, "a fused function cannot change arrays in place; `out` of its call may be an argument");
    if (result->dtype != self->dtype || result->ndim != self->ndim ||
        memcmp(result->shape, self->shape, (size_t)self->ndim * sizeof *self->shape) != 0)
        refuse_in_place(L, result, self);
    const int count = run(L, object), first = lua_gettop(L) - count + 1;
    lun_array *made = object_test(L, first, CLASS_ARRAY);
    event_object *event = async ? event_push(L, count) : NULL;
    call.event = async ? &event->event : NULL;
    for (lun_attempt_enqueue(&tried, made->device, &call); call_goes_on(L, &tried);)
        tried.status = lun_array_copy(check_array(L, 1), made, &call, &tried.err);
    lun_array_clear(made); /* its memory waits for the copy */
    lua_pushvalue(L, 1);
    lua_replace(L, first);
    if (!async)
        return count;
    for (int i = 0; i < count; i++) {
        lua_pushvalue(L, first + i);
        lua_setiuservalue(L, -2, i + 1);
    }
    event->arrays = (1u << count) - 1;
    event->live = true;
    return 1;
}

int request_call(lua_State *L)
{
    const lua_Integer number = lua_tointeger(L, UP_NUMBER);
    const lun_operation *row = lun_operation_at((size_t)(number & (REQUEST_DEFAULT_DEVICE - 1)));
    const lun_view view = lun_operation_view(row);
    lun_map_op which;
    if ((number & NUMBER_FUNCTION) != 0 && lun_operation_is_elementwise(&which, row) && arithmetic_of_numbers(L, which))
        return 1;
    if (view != NULL && lua_gettop(L) > 0 && view_quickly(L, view) > 0) {
        if (binding_of(L)->traced)
            lun_graph_note_shape(lua_touserdata(L, -1));
        return 1;
    }
    if ((number & REQUEST_DEFAULT_DEVICE) != 0) {
        device_push_default(L);
        lua_insert(L, 1);
    } else if (row->owner == LUN_OF_MODULE) {
        lua_pushnil(L);
        lua_insert(L, 1);
    }
    if (row->arguments[0].instead != NULL && object_is_table(L, 2) && options_named(L, 2))
        row = lun_operation_find(LUN_OF_NOTHING, row->arguments[0].instead);
    if (row->arguments[0].name == NULL && lua_type(L, 2) == LUA_TNUMBER) { /* a:round(2) */
        const lun_operation *further = lun_operation_find(LUN_OF_NOTHING, row->name);
        row = further != NULL ? further : row;
    }
    if (lua_gettop(L) == 0) /* a.sum(): the request would be in self's place */
        check_refuse(L, 1,
                     row->owner == LUN_OF_ARRAY    ? "an array"
                     : row->owner == LUN_OF_SPARSE ? "a sparse matrix"
                                                   : "the object whose method it is");
    lun_request *r = request_read(L, row, NULL, lua_gettop(L));
    request_object *object = (request_object *)r;
    const size_t count = r->result_count;
    if (count > 1 && (count >= INT32_MAX - LUA_MINSTACK || !lua_checkstack(L, (int)count + LUA_MINSTACK)))
        misuse(L, "%I parts are more values than a Lua function can return", (LUAI_UACINT)count);
    object->out = count > REQUEST_FEW ? lun_request_memory(r, count * sizeof *object->out) : object->few;
    if (object->out == NULL)
        value_no_memory(L);
    if (row->arguments[0].kind == LUN_OPTION_LINEAR || r->held != NULL) /* what it has goes with an error, too */
        lua_toclose(L, object->at);
    return (number & NUMBER_IN_PLACE) != 0 ? run_in_place(L, object) : run(L, object);
}

/* Is the row a function of the module? Methods that change their array are not, nor those whose name devices have for something else. */
static bool is_function(const lun_operation *row)
{
    return row->name[strlen(row->name) - 1] != '_' && lun_operation_find(LUN_OF_DEVICE, row->name) == NULL;
}

void request_methods(lua_State *L, lun_owner owner, lua_Integer kind)
{
    const lun_operation *row;
    for (size_t i = 0; (row = lun_operation_at(i)) != NULL; i++) {
        const luaL_Reg method[] = {{row->name, request_call}, {NULL, NULL}};
        const bool expression = row->arguments[0].kind == LUN_OPTION_NAMES; /* whose arrays have a device */
        const bool left_out =
            (kind == REQUEST_DEFAULT_DEVICE && expression) || (kind == NUMBER_FUNCTION && !is_function(row));
        if (row->owner != owner || !lun_operation_is_called(row) || left_out)
            continue;
        class_functions(L, method, (lua_Integer)i | kind);
        if (kind != 0 || !row->in_place)
            continue;
        const luaL_Reg in_place[] = {{lua_pushfstring(L, "%s_", row->name), request_call}, {NULL, NULL}};
        lua_insert(L, -2);
        class_functions(L, in_place, (lua_Integer)i | NUMBER_IN_PLACE);
        lua_remove(L, -2);
    }
}
