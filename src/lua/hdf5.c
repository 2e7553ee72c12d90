/* HDF5 files for lunarray.hdf5. Each function opens the file, and returns nil and a message if that fails. */
#include "hdf5.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int note_problem(unsigned n, const problem *p, void *message)
{
    (void)n;
    if (p->says)
        snprintf(message, ROOM, "%s", p->says);
    return 0;
}

/* nil and the error, with the file and the object of the first arguments. [-0, +2] */
static int fails(lua_State *L, session *s, const char *what)
{
    snprintf(s->message, sizeof s->message, "HDF5 cannot do it");
    h5.H5Ewalk2(0, 1, note_problem, s->message);
    lua_pushnil(L);
    lua_pushfstring(L, "%s: %s: %s", lua_tostring(L, 2), lua_tostring(L, 3), what ? what : s->message);
    return 2;
}

/* Begins a function of a path and an object's name. NULL: nil and the error are on the top. [-0, +(1|2)] */
static session *begin(lua_State *L, int most)
{
    check_function(L, most);
    lua_settop(L, most + 1);
    check_string(L, 2, "a path");
    check_string(L, 3, "a name");
    const char *wrong = hdf5_load();
    holder_object *holder = holder_push(L, hdf5_end);
    if (wrong) {
        lua_pushnil(L);
        lua_pushstring(L, wrong);
        return NULL;
    }
    lua_toclose(L, -1);
    holder->pointer = calloc(1, sizeof(session));
    if (!holder->pointer)
        luaL_error(L, "not enough memory");
    return holder->pointer;
}

static hid open_file(lua_State *L, session *s, bool writes)
{
    const char *path = lua_tostring(L, 2);
    hid file = h5.H5Fopen(path, writes ? READ_WRITE : READ_ONLY, 0);
    if (file < 0 && writes && access(path, F_OK) != 0)
        file = h5.H5Fcreate(path, EXCLUSIVE, 0, 0);
    return hdf5_keep(s, file);
}

static hid open_object(lua_State *L, session *s, bool writes, int type)
{
    const hid file = open_file(L, s, writes);
    const hid object = file < 0 ? file : hdf5_keep(s, h5.H5Oopen(file, lua_tostring(L, 3), 0));
    return object >= 0 && type && h5.H5Iget_type(object) != type ? -1 : object;
}

/* ---- shapes ---------------------------------------------------------------------------------------------------------- */

static int read_sizes(lua_State *L, int index, sizes out)
{
    const int count = lua_istable(L, index) ? (int)lua_rawlen(L, index) : 0;
    for (int i = 0; i < count && i < LUN_MAX_AXES; i++) {
        lua_rawgeti(L, index, i + 1);
        out[i] = (size)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    return count;
}

/* The axes of a space, at most LUN_MAX_AXES, or -1; a space without elements has one axis of size 0. */
static int shape_of(hid space, sizes out)
{
    if (space >= 0 && h5.H5Sget_simple_extent_type(space) == 2) {
        out[0] = 0;
        return 1;
    }
    const int ndim = space < 0 ? -1 : h5.H5Sget_simple_extent_ndims(space);
    return ndim > LUN_MAX_AXES || ndim < 0 || h5.H5Sget_simple_extent_dims(space, out, NULL) < 0 ? -1 : ndim;
}

static void push_sizes(lua_State *L, int count, const sizes from)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)from[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* How many bytes; false: more than memory has. */
static bool bytes_of(size_t *out, size_t item, int ndim, const sizes shape)
{
    *out = item;
    for (int i = 0; i < ndim; i++)
        if (__builtin_mul_overflow(*out, shape[i], out))
            return false;
    return *out / (size_t)sysconf(_SC_PAGESIZE) < (size_t)sysconf(_SC_PHYS_PAGES);
}

/* Selects what tables of starts, counts and steps at that index and behind it say, if there are such, and gives memory's space. */
static hid select_part(lua_State *L, session *s, hid space, int index, int *ndim, sizes shape)
{
    sizes start = {0}, step = {0};
    if (!lua_istable(L, index) || *ndim == 0)
        return 0;
    read_sizes(L, index, start);
    *ndim = read_sizes(L, index + 1, shape);
    read_sizes(L, index + 2, step);
    if (h5.H5Sselect_hyperslab(space, 0, start, step, shape, NULL) < 0)
        return -1;
    return hdf5_keep(s, h5.H5Screate_simple(*ndim, shape, NULL));
}

/* ---- datasets -------------------------------------------------------------------------------------------------------- */

/* _h5_names(path, group): the names in it, true for objects, and false for links by a path. */
static int module_names(lua_State *L)
{
    char name[4 * ROOM];
    links found = {.count = 0};
    session *s = begin(L, 2);
    if (!s)
        return 2;
    const hid group = open_object(L, s, false, 0);
    if (group < 0 || h5.H5Gget_info(group, &found) < 0)
        return fails(L, s, NULL);
    lua_newtable(L);
    for (size i = 0; i < found.count; i++) {
        if (h5.H5Lget_name_by_idx(group, ".", 0, 0, i, name, sizeof name, 0) < 0)
            return fails(L, s, NULL);
        lua_pushboolean(L, h5.H5Lget_val_by_idx(group, ".", 0, 0, i, &found, 0, 0) < 0);
        lua_setfield(L, -2, name);
    }
    return 1;
}

/* _h5_info(path, name): "group" or another kind; of a dataset its dtype or nil, and its shape. */
static int module_info(lua_State *L)
{
    sizes shape;
    session *s = begin(L, 2);
    if (!s)
        return 2;
    const hid object = open_object(L, s, false, 0);
    if (object < 0)
        return fails(L, s, NULL);
    const int type = h5.H5Iget_type(object);
    lua_pushstring(L, type == OF_GROUP ? "group" : type == OF_DATASET ? "dataset" : "other");
    if (type != OF_DATASET)
        return 1;
    const hid elements = hdf5_keep(s, h5.H5Dget_type(object));
    const kind k = hdf5_kind_of(elements);
    const int ndim = shape_of(hdf5_keep(s, h5.H5Dget_space(object)), shape);
    if (ndim < 0)
        return fails(L, s, "more axes than an array has");
    lua_pushstring(L, h5.H5Tget_class(elements) == TEXT ? "string"
                      : k.dtype == LUN_DTYPES           ? NULL
                                                        : lun_dtype_name(k.dtype));
    push_sizes(L, ndim, shape);
    return 3;
}

/* Texts of a dataset, or of an attribute, in a list, or nothing. A part of a dataset goes to that memory. [-0, +(0|1)] */
static bool push_texts(lua_State *L, session *s, hid object, hid type, hid space, hid memory, size_t count)
{
    const bool variable = h5.H5Tis_variable_str(type) > 0;
    const size_t item = h5.H5Tget_size(type);
    free(s->memory);
    s->memory = calloc(count + 1, item);
    if (!s->memory || (count && (h5.H5Iget_type(object) == OF_DATASET
                                     ? h5.H5Dread(object, type, memory, memory ? space : 0, 0, s->memory)
                                     : h5.H5Aread(object, type, s->memory)) < 0))
        return false;
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        const char *text = variable ? ((char **)s->memory)[i] : (char *)s->memory + i * item;
        lua_pushlstring(L, text ? text : "", !text ? 0 : variable ? strlen(text) : strnlen(text, item));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    if (variable)
        h5.H5Dvlen_reclaim(type, memory ? memory : space, 0, s->memory);
    return true;
}

/* _h5_read(path, name [, starts, counts, steps]): bytes, dtype and shape of a dataset or a part; of texts a list, nil and the shape. */
static int module_read(lua_State *L)
{
    sizes shape;
    size_t bytes;
    session *s = begin(L, 5);
    if (!s)
        return 2;
    const hid dataset = open_object(L, s, false, OF_DATASET);
    if (dataset < 0)
        return fails(L, s, NULL);
    const hid type = hdf5_keep(s, h5.H5Dget_type(dataset));
    const kind k = hdf5_kind_of(type);
    const bool text = h5.H5Tget_class(type) == TEXT;
    const size_t item = text ? h5.H5Tget_size(type) : k.dtype == LUN_DTYPES ? 0 : lun_dtype_bytes(k.dtype);
    const hid space = hdf5_keep(s, h5.H5Dget_space(dataset));
    int ndim = shape_of(space, shape);
    if (item == 0 || ndim < 0)
        return fails(L, s, ndim < 0 ? "more axes than an array has" : "elements of a type that lunarray does not have");
    const hid memory = select_part(L, s, space, 4, &ndim, shape);
    if (memory < 0 || !bytes_of(&bytes, item, ndim, shape))
        return fails(L, s, memory < 0 ? NULL : "more bytes than memory has");
    if (text) {
        if (!push_texts(L, s, dataset, type, space, memory, bytes / item))
            return fails(L, s, NULL);
        lua_pushnil(L);
        push_sizes(L, ndim, shape);
        return 3;
    }
    luaL_Buffer buffer;
    char *data = luaL_buffinitsize(L, &buffer, bytes);
    if (bytes && h5.H5Dread(dataset, hdf5_type_of(s, k), memory, memory ? space : 0, 0, data) < 0)
        return fails(L, s, NULL);
    for (size_t i = 0; i < bytes && k.dtype == LUN_bool; i++)
        data[i] = data[i] != 0;
    luaL_pushresultsize(&buffer, bytes);
    lua_pushstring(L, lun_dtype_name(k.dtype));
    push_sizes(L, ndim, shape);
    return 3;
}

/* A new dataset, in chunks and packed if the arguments at 7 and 8 say so. */
static hid create_dataset(lua_State *L, session *s, hid file, hid type, int ndim, const sizes shape)
{
    sizes chunk;
    const hid parents = hdf5_keep(s, h5.H5Pcreate(hdf5_constant("H5P_CLS_LINK_CREATE_ID_g")));
    const hid creation = hdf5_keep(s, h5.H5Pcreate(hdf5_constant("H5P_CLS_DATASET_CREATE_ID_g")));
    const hid space = hdf5_keep(s, h5.H5Screate_simple(ndim, shape, NULL));
    h5.H5Pset_create_intermediate_group(parents, 1);
    if (read_sizes(L, 7, chunk) == ndim && ndim > 0 && h5.H5Pset_chunk(creation, ndim, chunk) < 0)
        return -1;
    const lua_Integer level = lua_tointeger(L, 8);
    if (level > 0 && ndim > 0 && (h5.H5Pset_shuffle(creation) < 0 || h5.H5Pset_deflate(creation, (unsigned)level) < 0))
        return -1;
    return hdf5_keep(s, h5.H5Dcreate2(file, lua_tostring(L, 3), type, space, parents, creation, 0));
}

/* _h5_write(path, name, bytes, dtype, shape, chunks, level [, starts, counts, steps]): a new dataset, or a part of one. */
static int module_write(lua_State *L)
{
    sizes shape;
    size_t length, bytes;
    hid space = 0, memory = 0;
    session *s = begin(L, 10);
    if (!s)
        return 2;
    const char *data = luaL_checklstring(L, 4, &length);
    const kind k = {check_dtype(L, luaL_checkstring(L, 5)), false};
    int ndim = read_sizes(L, 6, shape);
    if (!bytes_of(&bytes, lun_dtype_bytes(k.dtype), ndim, shape) || bytes != length)
        return fails(L, s, "the shape does not fit the bytes");
    const hid file = open_file(L, s, true), type = hdf5_type_of(s, k);
    if (file < 0)
        return fails(L, s, NULL);
    const hid dataset = lua_istable(L, 9) ? hdf5_keep(s, h5.H5Oopen(file, lua_tostring(L, 3), 0))
                                          : create_dataset(L, s, file, type, ndim, shape);
    if (dataset >= 0 && lua_istable(L, 9)) {
        space = hdf5_keep(s, h5.H5Dget_space(dataset));
        memory = select_part(L, s, space, 9, &ndim, shape);
    }
    if (dataset < 0 || memory < 0 || !bytes_of(&bytes, lun_dtype_bytes(k.dtype), ndim, shape) || bytes != length ||
        (bytes && h5.H5Dwrite(dataset, type, memory, memory ? space : 0, 0, data) < 0) || h5.H5Fflush(file, 1) < 0)
        return fails(L, s, NULL);
    lua_pushboolean(L, true);
    return 1;
}

/* ---- attributes ------------------------------------------------------------------------------------------------------ */

/* Adds an attribute to the table on the top: { bytes =, dtype =, shape = } or { texts =, shape = }. [-0, +0] */
static void add_attribute(lua_State *L, session *s, hid attribute)
{
    char name[4 * ROOM];
    sizes shape;
    size_t bytes;
    const hid type = hdf5_keep(s, h5.H5Aget_type(attribute)), space = hdf5_keep(s, h5.H5Aget_space(attribute));
    const kind k = hdf5_kind_of(type);
    const int ndim = shape_of(space, shape);
    const bool text = h5.H5Tget_class(type) == TEXT;
    const size_t item = text ? h5.H5Tget_size(type) : k.dtype == LUN_DTYPES ? 0 : lun_dtype_bytes(k.dtype);
    if (h5.H5Aget_name(attribute, sizeof name, name) < 0 || ndim < 0 || !item || !bytes_of(&bytes, item, ndim, shape))
        return;
    lua_newtable(L);
    push_sizes(L, ndim, shape);
    lua_setfield(L, -2, "shape");
    if (text && push_texts(L, s, attribute, type, space, 0, bytes / item))
        lua_setfield(L, -2, "texts");
    if (!text) {
        free(s->memory);
        s->memory = calloc(bytes + 1, 1);
        if (s->memory && (!bytes || h5.H5Aread(attribute, hdf5_type_of(s, k), s->memory) >= 0)) {
            lua_pushlstring(L, s->memory, bytes);
            lua_setfield(L, -2, "bytes");
        }
        lua_pushstring(L, lun_dtype_name(k.dtype));
        lua_setfield(L, -2, "dtype");
    }
    lua_setfield(L, -2, name);
}

/* _h5_attributes(path, name): by their names. */
static int module_attributes(lua_State *L)
{
    session *s = begin(L, 2);
    if (!s)
        return 2;
    const hid object = open_object(L, s, false, 0);
    if (object < 0)
        return fails(L, s, NULL);
    lua_newtable(L);
    for (size i = 0;; i++) {
        const int before = s->count;
        const hid attribute = hdf5_keep(s, h5.H5Aopen_by_idx(object, ".", 0, 0, i, 0, 0));
        if (attribute < 0)
            return 1;
        add_attribute(L, s, attribute);
        while (s->count > before)
            h5.H5Idec_ref(s->open[--s->count]);
    }
}

/* _h5_attribute(path, name, key, bytes, dtype, shape): writes one; without a dtype a text. */
static int module_attribute(lua_State *L)
{
    sizes shape;
    size_t bytes, length;
    session *s = begin(L, 6);
    if (!s)
        return 2;
    const char *key = check_string(L, 4, "a name"), *data = luaL_checklstring(L, 5, &length);
    const bool text = lua_isnoneornil(L, 6);
    const int ndim = read_sizes(L, 7, shape);
    const kind k = {text ? LUN_u8 : check_dtype(L, luaL_checkstring(L, 6)), false};
    if (!text && (!bytes_of(&bytes, lun_dtype_bytes(k.dtype), ndim, shape) || bytes != length))
        return fails(L, s, "the shape does not fit the bytes");
    const hid object = open_object(L, s, true, 0);
    const hid type = text ? hdf5_keep(s, h5.H5Tcopy(hdf5_constant("H5T_C_S1_g"))) : hdf5_type_of(s, k);
    if (object < 0 ||
        (text && (h5.H5Tset_size(type, SIZE_MAX) < 0 || h5.H5Tset_cset(type, 1) < 0))) /* of any length, UTF-8 */
        return fails(L, s, NULL);
    if (h5.H5Aexists(object, key) > 0)
        h5.H5Adelete(object, key);
    const hid space = hdf5_keep(s, h5.H5Screate_simple(ndim, shape, NULL));
    const hid attribute = hdf5_keep(s, h5.H5Acreate2(object, key, type, space, 0, 0));
    if (attribute < 0 || h5.H5Awrite(attribute, type, text ? (const void *)&data : data) < 0 ||
        h5.H5Fflush(s->open[0], 1) < 0)
        return fails(L, s, NULL);
    lua_pushboolean(L, true);
    return 1;
}

const luaL_Reg hdf5_functions[] = {
    {"_h5_names", module_names},
    {"_h5_info", module_info},
    {"_h5_read", module_read},
    {"_h5_write", module_write},
    {"_h5_attributes", module_attributes},
    {"_h5_attribute", module_attribute},
    {NULL, NULL},
};
