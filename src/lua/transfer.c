/* Moving whole arrays: to Lua and back, to another dtype or device, to a file. */
#include "transfer.h"
#include "bytes.h"
#include "call.h"
#include "check.h"
#include "convert.h"
#include "task.h"

#include <string.h>

/* ---- to Lua ------------------------------------------------------------------------------------------ */

static lun_staging *create_staging(lua_State *L, lun_device *device, size_t bytes)
{
    lun_staging *staging;
    lun_attempt tried;
    lun_attempt_start(&tried, device);
    for (tried.staging = bytes; call_goes_on(L, &tried);)
        tried.status = lun_staging_create(&staging, device, bytes, &tried.err);
    return staging;
}

/* Starts reading an array into staging memory that the task's event keeps; returns the event. */
static int read_later(lua_State *L, task *t, const lun_array *array, event_gives gives)
{
    lun_device *device = array->device;
    event_object *event = t->event;
    size_t bytes = lun_array_bytes(array);
    lun_attempt tried;
    event->dtype = array->dtype;
    event->ndim = array->ndim;
    memcpy(event->shape, array->shape, sizeof event->shape);
    if (bytes > 0) {
        event->staging = create_staging(L, device, bytes);
        for (lun_attempt_enqueue(&tried, device, &t->call); call_goes_on(L, &tried);)
            tried.status = lun_array_read_async(event->staging, array, &t->call, &tried.err);
    }
    task_return(L, t, 0, 0);
    event->gives = gives;
    return 1;
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
        task_read(L, data, array, &t.call);
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
        task_read(L, data, check_array(L, 1), &t.call);
    bytes_end(L);
    return 1;
}

/* ---- from Lua ---------------------------------------------------------------------------------------- */

static void drop_staging(void *pointer) { lun_staging_release(pointer); }

/* Staging memory for the whole array, owned by a holder. [-0, +1] */
static lun_staging *push_staging(lua_State *L, lun_device *device, size_t bytes)
{
    holder_object *holder = holder_push(L, drop_staging);
    lun_staging *staging = create_staging(L, device, bytes);
    holder->pointer = staging;
    return staging;
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

void transfer_write_string(lua_State *L, const lun_array *array, int index, const lun_call *call)
{
    size_t length, sent = 0;
    lun_attempt tried;
    const char *data = lua_tolstring(L, index, &length);
    transfer_check_string(L, length, array->dtype, array->ndim, array->shape);
    for (size_t i = 0; i < length && lun_dtype_has(array->dtype, LUN_TRUTHS); i++)
        if ((unsigned char)data[i] > 1)
            misuse(L, "byte %I of the string is %d; those of bool are 0 or 1", (LUAI_UACINT)i + 1,
                   (unsigned char)data[i]);
    for (lun_attempt_enqueue(&tried, array->device, call); length > 0 && call_goes_on(L, &tried);)
        tried.status = lun_array_send(&tried.more, &sent, array, data, call, &tried.err);
}

void transfer_write_table(lua_State *L, const lun_array *array, int index, int ndim, const size_t *shape,
                          const lun_call *call)
{
    lun_device *device = array->device;
    size_t fixed[LUN_MAX_AXES]; /* reading the table may run metamethods that change the array */
    char spare[LUN_MOST_BYTES]; /* an empty array's table is looked at too */
    memcpy(fixed, shape, sizeof *shape * (size_t)ndim);
    bool empty = array->size == 0;
    lun_dtype dtype = array->dtype;
    size_t bytes = lun_array_bytes(array);
    void *data = empty ? (void *)spare : push_staging(L, device, bytes)->data;
    convert_from_table(L, index, data, dtype, ndim, fixed);
    if (empty)
        return;
    lun_attempt tried;
    holder_object *holder = lua_touserdata(L, -1);
    for (lun_attempt_enqueue(&tried, device, call); call_goes_on(L, &tried);)
        tried.status = lun_array_write(array, holder->pointer, call, &tried.err);
    holder_drop(holder);
    lua_pop(L, 1);
}

void transfer_copy(lua_State *L, const lun_array *out, const lun_array *in, const lun_call *call)
{
    lun_attempt tried;
    if (in->device != out->device)
        call_await(L, in, LUN_READ, NULL); /* where the source is on another device, the core need not wait then */
    for (lun_attempt_enqueue(&tried, out->device, call); call_goes_on(L, &tried);)
        tried.status = lun_array_copy(out, in, call, &tried.err);
}

/* a:write(table | string | array): a table nested as the array is, or flat in row-major order. */
static int array_write(lua_State *L)
{
    options o;
    task t;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = check_array(L, 1);
    options_read(L, &o, "write", 3, 0);
    task_begin(L, &t, &o, array->device, 1);
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

/* ---- to other arrays --------------------------------------------------------------------------------- */

/* a:to(device): self, or an event that is complete and gives self, or a copy. */
static int array_to(lua_State *L)
{
    options o;
    task t;
    const lun_array *array = check_array(L, 1);
    lun_device *device = check_device(L, 2);
    options_read(L, &o, "to", 3, 0);
    task_begin(L, &t, &o, device, 1);
    if (array->device == device) {
        if (t.event != NULL)
            t.event->event.device = lun_device_retain(check_array(L, 1)->device);
        return task_return(L, &t, 1, 1);
    }
    const lun_array *out = task_out(L, &t, &o);
    task_make(L, &t, array->dtype, array->ndim, array->shape);
    transfer_copy(L, out, array, &t.call);
    return task_give(L, &t);
}

const luaL_Reg transfer_methods[] = {
    {"totable", array_totable}, {"tobytes", array_tobytes}, {"write", array_write}, {"to", array_to}, {NULL, NULL},
};
