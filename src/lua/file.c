/* Files of arrays: lun.savez, dev:load; and the writer of all files. */
#include "call.h"
#include "check.h"
#include "request.h"

#include <stdlib.h>
#include <string.h>

/* ---- several by name ----------------------------------------------------------------------------------- */

static void drop_archive(void *archive) { lun_archive_free(archive); }

/* Raises unless the key at `key` is a name and the value behind it an array or a number. [-0, +0] */
static void check_entry(lua_State *L, int key)
{
    size_t length;
    if (lua_type(L, key) != LUA_TSTRING)
        misuse(L, "argument 2: names are strings, as in {pos = pos}; got %s",
               lua_type(L, key) == LUA_TNUMBER ? number_text(L, key) : object_kind(L, key));
    const char *name = lua_tolstring(L, key, &length);
    if (length == 0 || strlen(name) != length)
        misuse(L, "argument 2: a name %s", length == 0 ? "is empty" : "has a zero byte");
    if (lua_type(L, key + 1) == LUA_TNUMBER)
        return;
    const lun_array *array = object_test(L, key + 1, CLASS_ARRAY);
    if (array == NULL)
        misuse(L, "'%s': an array or a number is wanted, got %s", name, object_kind(L, key + 1));
    if (!lun_array_is_live(array))
        misuse(L, "'%s': the array was released", name);
}

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Pushes the names in the table at index 3: a list that anchors them, and memory with pointers to them, in order.
 * [-0, +2] */
static const char **push_names(lua_State *L, size_t *count)
{
    *count = 0;
    lua_newtable(L);
    const int list = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, 3) != 0; lua_pop(L, 1)) {
        check_entry(L, list + 1);
        lua_pushvalue(L, list + 1);
        lua_rawseti(L, list, (lua_Integer)++ * count);
    }
    const char **names = lua_newuserdatauv(L, (*count + 1) * sizeof *names, 0);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        names[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    qsort(names, *count, sizeof *names, compare);
    return names;
}

/* Adds the array or number on the top, whose name lies below it. It is looked at again: while arrays before it were waited
 * for, finalizers and hooks may have changed the table. [-0, +0] */
static void add(lua_State *L, lun_archive *archive)
{
    lun_attempt tried;
    check_entry(L, lua_gettop(L) - 1);
    const char *name = lua_tostring(L, -2);
    const lun_array *array = object_test(L, -1, CLASS_ARRAY);
    if (array == NULL) {
        lun_error err;
        const lun_number number = check_number(L, lua_gettop(L));
        if (lun_archive_add_number(archive, name, number, &err) != LUN_OK)
            call_raise(L, NULL, &err);
        return;
    }
    call_await(L, array, LUN_READ, NULL);
    for (lun_attempt_start(&tried, array->device); call_goes_on(L, &tried);)
        tried.status = lun_archive_add(archive, name, array, &tried.err);
}

/* lun.savez(path, arrays [, options]) */
static int module_savez(lua_State *L)
{
    lun_error err;
    lun_archive *archive;
    size_t count;
    lua_pushnil(L);
    lua_insert(L, 1);
    lun_request *r = request_read(L, lun_operation_find(LUN_OF_MODULE, "savez"), NULL, lua_gettop(L));
    const char *path = r->arguments[1].text;
    const bool compress = lun_request_truth(r, "compress", false);
    request_keep(r);
    if (!object_is_table(L, 3))
        check_refuse(L, 3, "a table of arrays by name");
    const char **names = push_names(L, &count);
    holder_object *holder = holder_push(L, drop_archive);
    lua_toclose(L, -1); /* an error takes the temporary file away at once */
    if (lun_archive_create(&archive, path, compress, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    holder->pointer = archive;
    for (size_t i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_pushvalue(L, -1);
        lua_rawget(L, 3);
        add(L, archive);
        lua_pop(L, 2);
    }
    if (lun_archive_finish(archive, &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return 0;
}

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

const luaL_Reg file_functions[] = {{"savez", module_savez}, {"_write_file", module_write_file}, {NULL, NULL}};
