/* Files of arrays: dev:load; and the writer of all files. */
#include "call.h"
#include "check.h"

/* _write_file(path, bytes): for files of other kinds. */
static int module_write_file(lua_State *L)
{
    lun_error err;
    size_t length;
    check_function(L, 2);
    const char *path = check_string(L, 2, "a path"), *bytes = luaL_checklstring(L, 3, &length);
    if (lun_file_write(path, bytes, length, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return 0;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static void drop_saved(void *saved) { lun_saved_close(saved); }

/* Pushes an array of the file. [-0, +1] */
static void push_saved(lua_State *L, lun_device *device, lun_saved *saved, size_t member)
{
    lun_attempt tried;
    lun_array *out = array_push(L);
    for (lun_attempt_enqueue(&tried, device, NULL); call_goes_on(L, &tried);)
        tried.status = lun_saved_load(out, device, saved, member, &tried.err);
}

/* dev:load(path): a .npy file gives an array, a .npz file a table of arrays. */
int file_load(lua_State *L)
{
    lun_attempt tried;
    lun_saved *saved = NULL;
    lun_device *device = check_device_or_default(L);
    const char *path = check_string(L, 2, "a path");
    check_end(L, 2);
    holder_object *holder = holder_push(L, drop_saved);
    lua_toclose(L, -1);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_saved_open(&saved, device, path, &tried.err);
    holder->pointer = saved;
    if (!lun_saved_is_archive(saved)) {
        push_saved(L, device, saved, 0);
    } else {
        lua_newtable(L);
        for (size_t i = 0; i < lun_saved_count(saved); i++) {
            push_saved(L, device, saved, i);
            lua_setfield(L, -2, lun_saved_name(saved, i));
        }
    }
    return 1;
}

const luaL_Reg file_functions[] = {{"_write_file", module_write_file}, {NULL, NULL}};
