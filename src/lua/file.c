/* Files of arrays: dev:load; and the writer of all files. */
#include "call.h"
#include "check.h"

#include <stdlib.h>

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

/* _file_text(path, most): the first bytes of a file, unpacked if gzip has packed it; nil of a pipe or a device. */
static int module_file_text(lua_State *L)
{
    lun_error err;
    char *text;
    size_t bytes;
    check_function(L, 2);
    const char *path = check_string(L, 2, "a path");
    const size_t most = (size_t)luaL_checkinteger(L, 3);
    holder_object *holder = holder_push(L, free);
    lua_toclose(L, -1);
    const lun_status status = lun_file_text(&text, &bytes, path, most, &err);
    holder->pointer = text;
    if (status != LUN_OK)
        call_raise(L, NULL, &err);
    if (text == NULL)
        lua_pushnil(L);
    else
        lua_pushlstring(L, text, bytes);
    return 1;
}

/* _png(width, height, channels, pixels [, colours]): the bytes of a PNG file; colours: 4 bytes each. */
static int module_png(lua_State *L)
{
    lun_error err;
    char *file;
    size_t bytes, pixels, colours = 0;
    check_function(L, 5);
    const size_t width = (size_t)luaL_checkinteger(L, 2), height = (size_t)luaL_checkinteger(L, 3);
    const size_t channels = (size_t)luaL_checkinteger(L, 4);
    const char *data = luaL_checklstring(L, 5, &pixels), *palette = luaL_optlstring(L, 6, NULL, &colours);
    luaL_argcheck(L, pixels == width * height * channels && channels <= 4, 5, "a row of bytes for each row of pixels");
    holder_object *holder = holder_push(L, free);
    lua_toclose(L, -1);
    const lun_status status = lun_png(&file, &bytes, height, width, channels, data, palette, colours / 4, &err);
    holder->pointer = file;
    if (status != LUN_OK)
        call_raise(L, NULL, &err);
    lua_pushlstring(L, file, bytes);
    return 1;
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

const luaL_Reg file_functions[] = {
    {"_write_file", module_write_file}, {"_file_text", module_file_text}, {"_png", module_png}, {NULL, NULL}};
