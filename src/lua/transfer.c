/* Moving whole arrays: to Lua and back, to another dtype or device, to a file. */
#include "transfer.h"
#include "bytes.h"
#include "call.h"
#include "check.h"
#include "convert.h"
#include "task.h"

#include <string.h>

/* ---- to Lua ------------------------------------------------------------------------------------------ */

/* Starts reading an array into staging memory that the task's event keeps; returns the event. */
static int read_later(lua_State *L, task *t, const lun_array *array, event_gives gives)
{
    lun_device *device = array->device;
    event_object *event = t->event;
    size_t bytes = lun_array_bytes(array);
    attempt tried = {0};
    event->dtype = array->dtype;
    event->ndim = array->ndim;
    memcpy(event->shape, array->shape, sizeof event->shape);
    if (bytes > 0) {
        call_begin(L, device, &t->call);
        call_staging_room(L, device, bytes);
        while (lun_staging_create(&event->staging, device, bytes, &tried.err) != LUN_OK)
            call_failed(L, device, &tried);
        while (lun_array_read_async(event->staging, array, &t->call, &tried.err) != LUN_OK)
            call_failed(L, device, &tried);
    }
    task_return(L, t, 0, 0);
    event->gives = gives;
    return 1;
}

/* How many bytes the part from there on has. Lets hooks in before each but the first; they may do what they like with
 * the array, but not take it away. */
static size_t next_part(lua_State *L, const lun_array *array, size_t from, size_t bytes)
{
    if (bytes <= LUN_PART || !lun_array_is_contiguous(array))
        return bytes;
    if (from > 0)
        call_hooks(L);
    if (!lun_array_is_live(array) || lun_array_bytes(array) != bytes)
        misuse(L, "the array was released meanwhile");
    return bytes - from < LUN_PART ? bytes - from : LUN_PART;
}

/* To be asked for anew at each attempt: what collects in between may release the array. */
static lun_array part_of(const lun_array *array, size_t from, size_t count)
{
    return count == lun_array_bytes(array) ? *array : lun_array_part(array, from, count);
}

/* Waits for the array and reads it into memory that Lua has. */
static void read_now(lua_State *L, void *data, const lun_array *array, const lun_call *call)
{
    lun_device *device = array->device;
    attempt tried = {0};
    size_t bytes = lun_array_bytes(array);
    call_await(L, array, LUN_READ, call);
    for (size_t from = 0, count; from < bytes; from += count) {
        count = next_part(L, array, from, bytes);
        for (lun_array part = part_of(array, from, count);
             lun_array_read((char *)data + from, &part, call, &tried.err) != LUN_OK; part = part_of(array, from, count))
            call_failed(L, device, &tried);
    }
}

static int array_totable(lua_State *L)
{
    options o;
    task t;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "totable", 2, 0);
    task_begin(L, &t, &o, array->device, 0);
    check_array(L, 1); /* pushing the event can collect, and a finalizer release the array */
    if (t.event != NULL)
        return read_later(L, &t, array, GIVES_TABLE);
    lun_array layout = *array; /* only its dtype and shape are used, later, when it may be released */
    size_t bytes = lun_array_bytes(array);
    void *data = lua_newuserdatauv(L, bytes, 0);
    if (bytes > 0)
        read_now(L, data, array, &t.call);
    convert_to_table(L, data, layout.dtype, layout.ndim, layout.shape);
    return 1;
}

static int array_tobytes(lua_State *L)
{
    options o;
    task t;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "tobytes", 2, 0);
    task_begin(L, &t, &o, array->device, 0);
    check_array(L, 1); /* as in array_totable */
    if (t.event != NULL)
        return read_later(L, &t, array, GIVES_STRING);
    size_t bytes = lun_array_bytes(array);
    char *data = bytes_begin(L, bytes);
    if (bytes > 0)
        read_now(L, data, check_array(L, 1), &t.call);
    bytes_end(L);
    return 1;
}

/* ---- from Lua ---------------------------------------------------------------------------------------- */

static void drop_staging(void *pointer) { lun_staging_release(pointer); }

/* Staging memory for the whole array, owned by a holder. [-0, +1] */
static lun_staging *push_staging(lua_State *L, lun_device *device, size_t bytes)
{
    attempt tried = {0};
    lun_staging *staging;
    holder_object *holder = holder_push(L, drop_staging);
    call_staging_room(L, device, bytes);
    while (lun_staging_create(&staging, device, bytes, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    holder->pointer = staging;
    return staging;
}

/* Writes the staging memory on the top to that part of the array and drops it. [-1, +0] */
static void write_staging(lua_State *L, lun_device *device, const lun_array *array, size_t from, const lun_call *call)
{
    attempt tried = {0};
    holder_object *holder = lua_touserdata(L, -1);
    size_t count = ((lun_staging *)holder->pointer)->bytes;
    for (lun_array part = part_of(array, from, count);
         lun_array_write(&part, holder->pointer, call, &tried.err) != LUN_OK; part = part_of(array, from, count))
        call_failed(L, device, &tried);
    holder_drop(holder);
    lua_pop(L, 1);
}

void transfer_check_string(lua_State *L, size_t length, lun_dtype dtype, int ndim, const size_t *shape)
{
    char text[128];
    size_t wanted = lun_dtype_bytes(dtype);
    for (int i = 0; i < ndim; i++)
        wanted *= shape[i];
    if (length != wanted)
        misuse(L, "the string has %I bytes where %I are wanted (%s %s)", (LUAI_UACINT)length, (LUAI_UACINT)wanted,
               lun_shape_text(text, sizeof text, ndim, shape), lun_dtype_name(dtype));
}

/* Straight from the string, if that waits for nothing else. */
static bool write_directly(lua_State *L, const lun_array *array, const char *data, size_t from, size_t count,
                           const lun_call *call)
{
    lun_device *device = array->device;
    attempt tried = {0};
    bool written;
    for (lun_array part = part_of(array, from, count);
         lun_array_write_from(&written, &part, data + from, call, &tried.err) != LUN_OK;
         part = part_of(array, from, count))
        call_failed(L, device, &tried);
    return written;
}

void transfer_write_string(lua_State *L, const lun_array *array, int index, const lun_call *call)
{
    size_t length;
    lun_device *device = array->device;
    const char *data = lua_tolstring(L, index, &length);
    transfer_check_string(L, length, array->dtype, array->ndim, array->shape);
    for (size_t from = 0, count; from < length; from += count) {
        count = call->event != NULL ? length : next_part(L, array, from, length); /* an event covers all of it */
        if (write_directly(L, array, data, from, count, call))
            continue;
        count = length - from;
        lun_copy_bytes(device, push_staging(L, device, count)->data, data + from, count);
        write_staging(L, device, array, from, call);
    }
}

void transfer_write_table(lua_State *L, const lun_array *array, int index, int ndim, const size_t *shape,
                          const lun_call *call)
{
    lun_device *device = array->device;
    size_t fixed[LUN_MAX_AXES]; /* reading the table may run metamethods that change the array */
    char spare[sizeof(double)]; /* an empty array's table is looked at too */
    memcpy(fixed, shape, sizeof *shape * (size_t)ndim);
    bool empty = array->size == 0;
    lun_dtype dtype = array->dtype;
    size_t bytes = lun_array_bytes(array);
    void *data = empty ? (void *)spare : push_staging(L, device, bytes)->data;
    convert_from_table(L, index, data, dtype, ndim, fixed);
    if (!empty)
        write_staging(L, device, array, 0, call);
}

void transfer_copy(lua_State *L, const lun_array *out, const lun_array *in, const lun_call *call)
{
    lun_device *device = out->device;
    attempt tried = {0};
    if (in->device != device)
        call_await(L, in, LUN_READ, NULL); /* from another device: so that the core need not wait */
    while (lun_array_copy(out, in, call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
}

/* a:write(table | string | array): a table nested as the array is, or flat in row-major order. */
static int array_write(lua_State *L)
{
    options o;
    task t;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    lun_device *device = array->device;
    options_read(L, &o, "write", 3, 0);
    task_begin(L, &t, &o, device, 1);
    call_begin(L, device, &t.call);
    check_array(L, 1); /* as in array_totable */
    check_list(L, 2, NULL, false);
    if (lua_type(L, 2) == LUA_TSTRING) {
        transfer_write_string(L, array, 2, &t.call);
    } else if (lua_type(L, 2) == LUA_TTABLE) {
        bool flat = array->ndim != 1 && convert_shape(L, 2, shape) == 1 && shape[0] == array->size;
        transfer_write_table(L, array, 2, flat ? 1 : array->ndim, flat ? shape : array->shape, &t.call);
    } else if (object_test(L, 2, CLASS_ARRAY) != NULL) {
        transfer_copy(L, array, check_array(L, 2), &t.call);
    } else if (lua_type(L, 2) == LUA_TNUMBER) {
        misuse(L, "argument 1: a table, a string of bytes or an array is wanted, got a number; "
                  "fill writes one number everywhere");
    } else {
        check_refuse(L, 2, "a table, a string of bytes or an array");
    }
    return task_return(L, &t, 1, 1);
}

static int array_fill(lua_State *L)
{
    options o;
    task t;
    attempt tried = {0};
    const lun_array *array = check_array(L, 1);
    lun_device *device = array->device;
    lun_number value = check_number(L, 2);
    options_read(L, &o, "fill", 3, 0);
    task_begin(L, &t, &o, device, 1);
    call_begin(L, device, &t.call);
    while (lun_array_fill(array, value, &t.call, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    return task_return(L, &t, 1, 1);
}

/* ---- to other arrays --------------------------------------------------------------------------------- */

/* Returns the option `out` or a new array, with the elements of `in`; or its event. */
static int give_copy(lua_State *L, const lun_array *in, lun_device *device, lun_dtype dtype, const options *o)
{
    task t;
    task_begin(L, &t, o, device, 1);
    lun_array *out = option_array(L, o, "out");
    bool given = out != NULL;
    if (!given)
        out = array_push(L);
    else if (out->dtype != dtype)
        misuse(L, "out is %s, and the result %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    int result = lua_gettop(L);
    call_begin(L, device, &t.call);
    if (!given)
        task_create(L, out, device, dtype, in->ndim, in->shape);
    transfer_copy(L, out, in, &t.call);
    return task_return(L, &t, result, 1);
}

/* Returns self, or an event that has nothing to wait for and gives it. */
static int give_self(lua_State *L, const lun_array *array, const options *o)
{
    task t;
    task_begin(L, &t, o, array->device, 1);
    if (t.event != NULL)
        t.event->event.device = lun_device_retain(check_array(L, 1)->device);
    return task_return(L, &t, 1, 1);
}

static int array_copy(lua_State *L)
{
    options o;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "copy", 2, 0);
    return give_copy(L, array, array->device, array->dtype, &o);
}

static int array_contiguous(lua_State *L)
{
    options o;
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "contiguous", 2, 0);
    if (lun_array_is_contiguous(array))
        return give_self(L, array, &o);
    return give_copy(L, array, array->device, array->dtype, &o);
}

static int array_cast(lua_State *L)
{
    options o;
    const lun_array *array = check_array(L, 1);
    lun_dtype dtype = check_dtype(L, check_string(L, 2, "a dtype"));
    options_read(L, &o, "cast", 3, 0);
    return give_copy(L, array, array->device, dtype, &o);
}

static int array_to(lua_State *L)
{
    options o;
    const lun_array *array = check_array(L, 1);
    lun_device *device = check_device(L, 2);
    options_read(L, &o, "to", 3, 0);
    if (array->device == device)
        return give_self(L, array, &o);
    return give_copy(L, array, device, array->dtype, &o);
}

/* ---- to a file --------------------------------------------------------------------------------------- */

static int array_save(lua_State *L)
{
    options o;
    attempt tried = {0};
    const lun_array *array = check_array(L, 1);
    lun_device *device = array->device;
    const char *path = check_string(L, 2, "a path");
    options_read(L, &o, "save", 3, 0);
    const char *as = option_text(L, &o, "as");
    call_await(L, array, LUN_READ, NULL);
    while (lun_npy_save(path, array, as, &tried.err) != LUN_OK)
        call_failed(L, device, &tried);
    return 0;
}

const luaL_Reg transfer_methods[] = {
    {"totable", array_totable}, {"tobytes", array_tobytes},
    {"write", array_write},     {"fill", array_fill},
    {"copy", array_copy},       {"contiguous", array_contiguous},
    {"cast", array_cast},       {"to", array_to},
    {"save", array_save},       {NULL, NULL},
};
