/* Kernels of the user's own: what they take, and running one. */
#include "call.h"
#include "check.h"
#include "options.h"
#include "request.h"

#include <stdio.h>

static lun_kernel *check_kernel(lua_State *L) { return ((kernel_object *)check_object(L, 1, CLASS_KERNEL))->kernel; }

/* ---- arguments, each for the parameter at `position` from the value at `index` -------------------------------- */

_Noreturn static void refuse_argument(lua_State *L, const lun_kernel *kernel, size_t position, int index,
                                      const char *wanted)
{
    char where[200];
    misuse(L, "%s: %s is needed, got %s", lun_parameter_text(where, sizeof where, kernel, position), wanted,
           object_kind(L, index));
}

static void read_array(lua_State *L, lun_argument *out, const lun_kernel *kernel, size_t position, int index)
{
    out->array = object_test(L, index, CLASS_ARRAY);
    if (out->array == NULL)
        refuse_argument(L, kernel, position, index, "an array");
}

static void read_local(lua_State *L, lun_argument *out, const lun_kernel *kernel, size_t position, int index)
{
    const localmem_object *local = object_test(L, index, CLASS_LOCALMEM);
    if (local == NULL)
        refuse_argument(L, kernel, position, index, "lun.localmem(bytes)");
    out->bytes = local->bytes;
}

static void read_bytes(lua_State *L, lun_argument *out, const lun_kernel *kernel, size_t position, int index)
{
    if (lua_type(L, index) != LUA_TSTRING)
        refuse_argument(L, kernel, position, index, "a string of bytes");
    out->data = lua_tolstring(L, index, &out->bytes);
}

static lun_number to_number(lua_State *L, int index)
{
    return lua_isinteger(L, index) ? lun_integer(lua_tointeger(L, index)) : lun_real(lua_tonumber(L, index));
}

/* The components of a vector, from a list. Allocates nothing but for an error. */
static void read_components(lua_State *L, lun_number *numbers, unsigned width, const lun_kernel *kernel,
                            size_t position, int index)
{
    char where[200], wanted[40];
    snprintf(wanted, sizeof wanted, "a list of %u numbers", width);
    if (!object_is_table(L, index))
        refuse_argument(L, kernel, position, index, wanted);
    if (lua_rawlen(L, index) != width)
        misuse(L, "%s: %s is needed, got one of %d", lun_parameter_text(where, sizeof where, kernel, position), wanted,
               (int)lua_rawlen(L, index));
    const char *odd = list_push_odd(L, index, false);
    if (odd != NULL)
        misuse(L, "%s: the list has %s", lun_parameter_text(where, sizeof where, kernel, position), odd);
    for (unsigned i = 0; i < width; i++) {
        if (lua_rawgeti(L, index, (lua_Integer)i + 1) != LUA_TNUMBER)
            misuse(L, "%s: component %d: a number is needed, got %s",
                   lun_parameter_text(where, sizeof where, kernel, position), (int)i + 1, object_kind(L, -1));
        numbers[i] = to_number(L, -1);
        lua_pop(L, 1);
    }
}

static void read_number(lua_State *L, lun_argument *out, const lun_kernel *kernel, size_t position, int index)
{
    lun_error err;
    lun_number numbers[16];
    const lun_parameter *parameter = &lun_kernel_info_get(kernel)->parameters[position];
    if (parameter->width > 1)
        read_components(L, numbers, parameter->width, kernel, position, index);
    else if (lua_type(L, index) != LUA_TNUMBER)
        refuse_argument(L, kernel, position, index, "a number");
    else
        numbers[0] = to_number(L, index);
    if (lun_argument_set(out, kernel, position, numbers, &err) != LUN_OK)
        call_raise(L, NULL, &err);
}

static void (*const readers[])(lua_State *, lun_argument *, const lun_kernel *, size_t, int) = {
    [LUN_PARAMETER_ARRAY] = read_array, [LUN_PARAMETER_LOCAL] = read_local, [LUN_PARAMETER_NUMBER] = read_number,
    [LUN_PARAMETER_BYTES] = read_bytes, [LUN_PARAMETER_OTHER] = NULL, /* the core refuses it */
};

static void check_count(lua_State *L, const lun_kernel *kernel, const char *where, int given)
{
    lun_error err;
    if (lun_kernel_takes(kernel, where, (size_t)given, &err) != LUN_OK)
        call_raise(L, NULL, &err);
}

/* ---- running --------------------------------------------------------------------------------------------------- */

/* Runs the kernel at index 1 with the arguments from index `first` on. */
static int run(lua_State *L, lun_call call, bool async, const lun_range *range, int first)
{
    event_object *event = NULL;
    lun_attempt tried;
    lun_argument args[LUN_MAX_PARAMETERS];
    lun_device *device = lun_kernel_device(check_kernel(L));
    int given = (int)lun_kernel_info_get(check_kernel(L))->parameter_count; /* check_count has passed */
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (async) {
        event = event_push(L, 0);
        call.event = &event->event;
    }
    const int top = lua_gettop(L);
    const lun_kernel *kernel = check_kernel(L); /* a finalizer may have released it */
    for (int i = 0; i < given; i++) {
        lun_parameter_kind kind = lun_kernel_info_get(kernel)->parameters[i].kind;
        args[i] = (lun_argument){0};
        if (readers[kind] != NULL)
            readers[kind](L, &args[i], kernel, (size_t)i, first + i);
    }
    for (lun_attempt_enqueue(&tried, device, &call); call_goes_on(L, &tried);)
        tried.status = lun_kernel_run(check_kernel(L), range, args, &call, &tried.err);
    if (event == NULL)
        return 0;
    event->live = true;
    lua_settop(L, top);
    return 1;
}

/* k:run(options, argument, ...) */
static int kernel_run(lua_State *L)
{
    lun_device *device = lun_kernel_device(check_kernel(L));
    const int given = lua_gettop(L) - 2;
    if (!object_is_table(L, 2))
        check_refuse(L, 2, "a table of options with global");
    lun_request *r = request_read(L, lun_operation_find(LUN_OF_NOTHING, "run"), device, 2);
    check_count(L, check_kernel(L), " after the options", given);
    const int results = run(L, r->call, r->async, lun_run_range(r), 3);
    request_keep(r);
    return results;
}

/* The range of k(...): a work-item for each element of the first array, as that parameter sees elements. */
static void range_of_arguments(lua_State *L, lun_range *range, const lun_kernel *kernel)
{
    const lun_kernel_info *info = lun_kernel_info_get(kernel);
    *range = (lun_range){.dims = 1};
    for (size_t i = 0; i < info->parameter_count; i++) {
        const lun_array *array = object_test(L, (int)i + 2, CLASS_ARRAY);
        if (array == NULL)
            continue;
        size_t bytes = info->parameters[i].bytes;
        range->global[0] = bytes > 0 ? lun_array_bytes(array) / bytes : array->size;
        return;
    }
    misuse(L, "no argument is an array, which would give the number of work-items; call k:run({global = n}, ...)");
}

/* Raises for a table of options among the arguments of k(...), which takes none; a vector is a list. */
static void check_no_options(lua_State *L)
{
    for (int i = 2; i <= lua_gettop(L); i++)
        if (object_is_table(L, i) && lua_rawlen(L, i) == 0 && options_named(L, i))
            misuse(L,
                   "%s is a table of options, which k:run({global = n, ...}, ...) takes; k(...) runs a work-item for "
                   "each element of the first array",
                   check_place(L, i));
}

/* k(argument, ...) */
static int kernel_call(lua_State *L)
{
    lun_range range;
    check_no_options(L);
    const lun_kernel *kernel = check_kernel(L);
    check_count(L, kernel, "", lua_gettop(L) - 1);
    range_of_arguments(L, &range, kernel);
    return run(L, (lun_call){0}, false, &range, 2);
}

/* ---- what a kernel says ------------------------------------------------------------------------------------------ */

static void push_parameter(lua_State *L, const lun_parameter *parameter)
{
    bool pointer = parameter->kind == LUN_PARAMETER_ARRAY || parameter->kind == LUN_PARAMETER_LOCAL;
    lua_createtable(L, 0, 6);
    set_text(L, "name", parameter->name);
    lua_pushfstring(L, "%s%s", parameter->type, pointer ? "*" : "");
    lua_setfield(L, -2, "type");
    set_text(L, "space", parameter->space);
    set_text(L, "access", parameter->access);
    set_text(L, "dtype", parameter->typed ? lun_dtype_name(parameter->dtype) : NULL);
    if (parameter->bytes > 0)
        set_count(L, "bytes", parameter->bytes);
}

static int kernel_info(lua_State *L)
{
    lun_kernel_info info = *lun_kernel_info_get(((kernel_object *)check_self(L, CLASS_KERNEL, 0))->kernel);
    lua_createtable(L, 0, 7);
    set_text(L, "name", info.name);
    lua_createtable(L, (int)info.parameter_count, 0);
    for (size_t i = 0; i < info.parameter_count; i++) {
        push_parameter(L, &lun_kernel_info_get(check_kernel(L))->parameters[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "arguments");
    set_count(L, "max_group", info.max_group);
    set_count(L, "multiple", info.multiple);
    set_count(L, "local_memory", info.local_memory);
    set_count(L, "private_memory", info.private_memory);
    if (info.required_group[0] > 0) {
        lua_createtable(L, 3, 0);
        for (int i = 0; i < 3; i++) {
            lua_pushinteger(L, (lua_Integer)info.required_group[i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setfield(L, -2, "required_group");
    }
    return 1;
}

static void drop(void *kernel) { lun_kernel_release(kernel); } /* a launch in flight goes on */

static void describe(lua_State *L, const void *object)
{
    lua_pushstring(L, lun_kernel_info_get(((const kernel_object *)object)->kernel)->name);
}

const object_class kernel_class = {
    .kind = "a kernel",
    .type = "kernel",
    .lost = "%s: the kernel was released",
    .gone = "released",
    .closes = true,
    .drop_pointer = drop,
    .describe = describe,
    .methods = (const luaL_Reg[]){{"info", kernel_info}, {"run", kernel_run}, {NULL, NULL}},
    .metamethods = (const luaL_Reg[]){{"__call", kernel_call}, {NULL, NULL}},
};

/* ---- local memory -------------------------------------------------------------------------------------------------- */

/* lun.localmem(bytes): for a parameter that points to local memory. */
static int kernel_localmem(lua_State *L)
{
    check_function(L, 1);
    lua_Integer bytes = check_integer(L, 2);
    if (bytes < 1)
        misuse(L, "argument 1: a number of bytes from 1 is needed, got %I", (LUAI_UACINT)bytes);
    localmem_object *local = object_push(L, CLASS_LOCALMEM, sizeof *local, 0);
    local->bytes = (size_t)bytes;
    return 1;
}

static void describe_localmem(lua_State *L, const void *object)
{
    lua_pushfstring(L, "%I bytes", (LUAI_UACINT)((const localmem_object *)object)->bytes);
}

const object_class localmem_class = {.kind = "local memory", .type = "localmem", .describe = describe_localmem};

const luaL_Reg kernel_functions[] = {{"localmem", kernel_localmem}, {NULL, NULL}};
