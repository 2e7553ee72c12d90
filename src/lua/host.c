/* Host mappings: the elements of an array as h[i] until the scope that holds them ends. */
#include "call.h"
#include "check.h"

#include <string.h>

static host_object *check_open(lua_State *L) { return check_object(L, 1, CLASS_HOST); }

/* h[i]: an element in row-major order, nil outside; h.name: a method (upvalue 4 has them). */
int host_index(lua_State *L)
{
    lua_Integer index;
    if (!number_integral(L, 2, &index)) {
        if (lua_type(L, 2) == LUA_TNUMBER)
            misuse(L, "positions are whole numbers, got %s", number_text(L, 2));
        lua_pushvalue(L, 2);
        lua_gettable(L, lua_upvalueindex(4));
        return 1;
    }
    host_object *host = check_open(L);
    if ((host->mapping.access & LUN_READ) == 0)
        misuse(L, "the array is mapped for writing only (\"w\")");
    const lun_array *array = &host->mapping.array;
    const void *element = index >= 1 && (lua_Unsigned)index <= array->size
                              ? lun_mapping_element(&host->mapping, (size_t)index - 1)
                              : NULL;
    if (element == NULL)
        return 0;
    number_push(L, lun_number_load(element, array->dtype));
    return 1;
}

static int host_newindex(lua_State *L)
{
    lua_Integer index;
    host_object *host = check_open(L);
    const lun_array *array = &host->mapping.array;
    if (!number_integral(L, 2, &index))
        misuse(L, "positions are whole numbers, got %s",
               lua_type(L, 2) == LUA_TNUMBER ? number_text(L, 2) : object_kind(L, 2));
    if ((host->mapping.access & LUN_WRITE) == 0)
        misuse(L, "the array is mapped for reading only (\"r\")");
    void *element = index >= 1 && (lua_Unsigned)index <= array->size
                        ? lun_mapping_element(&host->mapping, (size_t)index - 1)
                        : NULL;
    if (element == NULL)
        misuse(L, "position %I is outside of 1..%I", (LUAI_UACINT)index, (LUAI_UACINT)array->size);
    lun_error err;
    lun_number number;
    if (!scalar_test(L, 3, &number))
        misuse(L, "position %I: a number is needed, got %s", (LUAI_UACINT)index, object_kind(L, 3));
    if (lun_number_store(element, array->dtype, number, &err) != LUN_OK)
        call_raise(L, array->device, &err);
    return 0;
}

static int host_len(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_open(L)->mapping.array.size);
    return 1;
}

/* h:address(): where the elements are, a light userdata, and their bytes. It holds until the mapping is given back. */
static int host_address(lua_State *L)
{
    const lun_mapping *mapping = &((host_object *)check_self(L, CLASS_HOST, 0))->mapping;
    if (!lun_array_is_contiguous(&mapping->array))
        misuse(L, "the elements are not contiguous in row-major order; map a:contiguous()");
    lua_pushlightuserdata(L, lun_mapping_element(mapping, 0));
    lua_pushinteger(L, (lua_Integer)lun_array_bytes(&mapping->array));
    return 2;
}

/* h:dlpack(): the mapping as a tensor of DLPack, a light userdata; the mapping is then the tensor's. */
static int host_dlpack(lua_State *L)
{
    lun_error err;
    lun_dlpack *tensor;
    host_object *host = check_self(L, CLASS_HOST, 0);
    if (lun_mapping_dlpack(&tensor, &host->mapping, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    host->open = false;
    lua_pushlightuserdata(L, tensor);
    return 1;
}

/* dev:from_dlpack(pointer), lun.from_dlpack(pointer): a copy of the tensor, whose deleter is called. */
int device_from_dlpack(lua_State *L)
{
    lun_attempt tried;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES], sent = 0;
    lun_device *device = check_device_or_default(L);
    check_end(L, 2);
    if (lua_type(L, 2) != LUA_TLIGHTUSERDATA)
        misuse(L, "argument 1: a pointer to a tensor of DLPack (a light userdata) is needed, got %s",
               object_kind(L, 2));
    lun_dlpack *tensor = lua_touserdata(L, 2);
    if (lun_dlpack_layout(&dtype, &ndim, shape, tensor, &tried.err) != LUN_OK)
        call_raise(L, device, &tried.err);
    lun_array *out = array_push(L);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(out, device, dtype, ndim, shape, &tried.err);
    void *elements = lua_newuserdatauv(L, lun_array_bytes(out), 0);
    lun_dlpack_copy(elements, tensor);
    for (lun_attempt_enqueue(&tried, device, NULL); call_goes_on(L, &tried);)
        tried.status = lun_array_send(&tried.more, &sent, out, elements, NULL, &tried.err);
    if (tensor->deleter != NULL)
        tensor->deleter(tensor);
    lua_settop(L, 3);
    return 1;
}

static int host_pairs(lua_State *L)
{
    misuse_as(L, "pairs(h)", "a mapping is not a table; ipairs(h) goes through its elements, from h[1] to h[#h]");
}

static bool is_open(const void *object) { return ((const host_object *)object)->open; }

/* Gives the mapping back, which waits only for a place in a full queue. */
static void drop(void *object)
{
    host_object *host = object;
    host->open = false;
    lun_mapping_clear(&host->mapping);
}

static void describe(lua_State *L, const void *object)
{
    static const char *const accesses[] = {[LUN_READ] = "r", [LUN_WRITE] = "w", [LUN_READ_WRITE] = "rw"};
    const lun_mapping *mapping = &((const host_object *)object)->mapping;
    lua_pushfstring(L, "%I %s elements, \"%s\"", (LUAI_UACINT)mapping->array.size, lun_dtype_name(mapping->array.dtype),
                    accesses[mapping->access]);
}

#define ACCESS_WANTED "\"r\", \"w\" or \"rw\""

/* a:host([access]): waits for the array's work, then maps it. */
int array_host(lua_State *L)
{
    static const struct {
        const char *name;
        lun_access access;
    } accesses[] = {{"r", LUN_READ}, {"w", LUN_WRITE}, {"rw", LUN_READ_WRITE}};
    lun_array *array = check_array(L, 1);
    check_end(L, 2);
    check_given(L, 2, ACCESS_WANTED);
    lua_settop(L, 2);
    lun_access access = LUN_READ;
    if (!lua_isnil(L, 2)) {
        const char *name = check_string(L, 2, ACCESS_WANTED);
        size_t i = 0, count = sizeof accesses / sizeof *accesses;
        while (i < count && strcmp(accesses[i].name, name) != 0)
            i++;
        if (i == count)
            misuse(L, "argument 1: " ACCESS_WANTED " is needed, got \"%s\"", name);
        access = accesses[i].access;
    }
    host_object *host = object_push(L, CLASS_HOST, sizeof *host, 0);
    call_await(L, array, access, NULL);
    lun_attempt tried;
    for (lun_attempt_start(&tried, array->device); call_goes_on(L, &tried);)
        tried.status = lun_mapping_open(&host->mapping, array, access, &tried.err);
    host->open = true;
    return 1;
}

const object_class host_class = {
    .kind = "a mapping",
    .type = "host",
    .lost = "the mapping was given back",
    .gone = "given back",
    .closes = true,
    .lives = is_open,
    .drop = drop,
    .describe = describe,
    .methods = (const luaL_Reg[]){{"address", host_address}, {"dlpack", host_dlpack}, {NULL, NULL}},
    .metamethods =
        (const luaL_Reg[]){{"__newindex", host_newindex}, {"__len", host_len}, {"__pairs", host_pairs}, {NULL, NULL}},
    .index = host_index,
    .index_name = "h[i]", /* as class_functions calls __index */
};
