/* Lists of positions, which become arrays. */
#include "index.h"
#include "call.h"
#include "check.h"
#include "convert.h"

/* Counts negative positions from the last of `size`; what is out of range stays as it is, for the device to tell. */
static void count_from_last(int64_t *positions, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (positions[i] < 0 && (uint64_t)0 - (uint64_t)positions[i] <= size)
            positions[i] += (int64_t)size + 1;
}

lun_array *index_from_list(lua_State *L, int index, const char *what, lun_device *device, lun_dtype dtype, size_t size)
{
    size_t sent = 0;
    lun_elements data = {.dtype = dtype};
    lun_number first;
    const lun_call call = {0};
    lun_attempt tried;
    check_list(L, index, what);
    if (lua_type(L, index) == LUA_TNUMBER)
        check_integer(L, index);
    data.ndim = convert_shape(L, index, data.shape, &first);
    lun_array *made = view_push(L);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(made, device, dtype, data.ndim, data.shape, &tried.err);
    const size_t count = made->size;
    data.memory = lua_newuserdatauv(L, count * lun_dtype_bytes(dtype), 0);
    convert_from_table(L, index, &data);
    if (size > 0)
        count_from_last(data.memory, count, size);
    for (lun_attempt_enqueue(&tried, device, &call); count > 0 && call_goes_on(L, &tried);)
        tried.status = lun_array_send(&tried.more, &sent, made, data.memory, &call, &tried.err);
    lua_pop(L, 1);
    lua_replace(L, index);
    return made;
}
