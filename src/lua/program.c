/* Programs of the user's own: dev:program, and the kernels of a program. */
#include "call.h"
#include "check.h"
#include "request.h"

#include <string.h>

/* Reads {file = path}. */
static const char *check_file(lua_State *L, int index)
{
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
        if (lua_type(L, -2) != LUA_TSTRING || strcmp(lua_tostring(L, -2), "file") != 0)
            misuse(L, "argument 1: a table must be {file = path}; this one has [%s]", value_text(L, -2));
    lua_getfield(L, index, "file");
    const char *path = check_text(L, lua_gettop(L), "argument 1: file");
    lua_replace(L, index); /* anchored there */
    return path;
}

/* dev:program(source or {file = path} [, options]); lun.program(...) on the default device, where UP_NUMBER is 1. */
int device_program(lua_State *L)
{
    lun_attempt tried;
    lua_Debug frame;
    lun_device *device = check_device_or_default(L);
    lun_request *r = request_read(L, lun_operation_find(LUN_OF_DEVICE, "program"), device, lua_gettop(L));
    lun_source source = *lun_program_source(r);
    if (lua_type(L, 2) == LUA_TSTRING)
        source.text = lua_tolstring(L, 2, &source.length);
    else if (object_is_table(L, 2))
        source.file = check_file(L, 2);
    else
        check_refuse(L, 2, "OpenCL C in a string, or {file = path},");
    if (call_user_frame(L, &frame) && frame.source[0] == '@') {
        source.script = frame.source + 1;
        source.script_line = (unsigned)frame.currentline;
    }
    program_object *object = object_push(L, CLASS_PROGRAM, sizeof *object, 1);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_program_create(&object->program, device, &source, &tried.err);
    request_keep(r);
    return 1;
}

/* ---- programs ------------------------------------------------------------------------------------------------- */

static lun_program *check_program(lua_State *L)
{
    return ((program_object *)check_object(L, 1, CLASS_PROGRAM))->program;
}

/* Pushes the next name of "saxpy;scale", which moves on. [-0, +1] */
static const char *push_name(lua_State *L, const char *names)
{
    const size_t length = strcspn(names, ";");
    lua_pushlstring(L, names, length);
    return names + length + (names[length] == ';');
}

/* The names of the program's kernels, a list. [-0, +1] */
static void push_kernels(lua_State *L, const lun_program *program)
{
    lua_Integer count = 0;
    lua_newtable(L);
    for (const char *names = lun_program_kernels(program); *names != '\0'; lua_rawseti(L, -2, ++count))
        names = push_name(L, names);
}

static int program_kernels(lua_State *L)
{
    push_kernels(L, ((program_object *)check_self(L, CLASS_PROGRAM, 0))->program);
    return 1;
}

/* "a, b". [-0, +1] */
static const char *push_names_text(lua_State *L, const lun_program *program)
{
    return luaL_gsub(L, lun_program_kernels(program), ";", ", ");
}

/* A kernel of the program at index 1. [-0, +1] */
static void push_kernel(lua_State *L, const char *name)
{
    lun_attempt tried;
    kernel_object *object = object_push(L, CLASS_KERNEL, sizeof *object, 0);
    for (lun_attempt_start(&tried, lun_program_device(check_program(L))); call_goes_on(L, &tried);)
        tried.status = lun_kernel_create(&object->kernel, check_program(L), name, &tried.err);
}

/* prog:kernel([name]): the only one needs no name. */
static int program_kernel(lua_State *L)
{
    (void)check_self(L, CLASS_PROGRAM, 1);
    check_given(L, 2, "the name of a kernel");
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        push_kernels(L, check_program(L));
        const size_t count = lua_rawlen(L, -1);
        if (count == 0)
            misuse(L, "the program has no kernels");
        if (count > 1)
            misuse(L, "argument 1: the name of a kernel is needed; the program has %s",
                   push_names_text(L, check_program(L)));
        lua_rawgeti(L, -1, 1);
        lua_replace(L, 2);
    }
    push_kernel(L, check_string(L, 2, "the name of a kernel"));
    return 1;
}

/* Raises what the methods' own table raises for the key at index 2. Of a program that lives, names of its kernels, keys of the table at
 * `kernels`, may be meant, too, and are listed. */
static void refuse_name(lua_State *L, const lun_program *program, int kernels)
{
    if (luaL_getmetafield(L, lua_upvalueindex(4), "__index") == LUA_TNIL) /* without the files in Lua */
        misuse_as(L, "program", "a program has no such method or kernel");
    lua_pushvalue(L, lua_upvalueindex(4));
    lua_pushvalue(L, 2);
    if (program == NULL) {
        lua_call(L, 2, 0);
        return;
    }
    const int first = lua_gettop(L) - 2;
    const char *names = push_names_text(L, program);
    lua_pushvalue(L, kernels);
    lua_pushfstring(L, *names != '\0' ? "the program has %s" : "the program has no kernels", names);
    lua_remove(L, first + 3);
    lua_call(L, 4, 0);
}

/* Pushes the program's user value: its kernels by their names, true for those that are not made. [-0, +1] */
static void push_by_name(lua_State *L, const lun_program *program)
{
    if (lua_getiuservalue(L, 1, 1) == LUA_TTABLE)
        return;
    lua_newtable(L);
    for (const char *names = lun_program_kernels(program); *names != '\0'; lua_rawset(L, -3)) {
        names = push_name(L, names);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, 1);
}

/* prog.name: a method (upvalue 4 has them), or the kernel of that name, which the program's user value keeps. */
static int program_index(lua_State *L)
{
    const program_object *object = object_test(L, 1, CLASS_PROGRAM);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(4)) != LUA_TNIL)
        return 1;
    if (object == NULL || lua_type(L, 2) != LUA_TSTRING)
        refuse_name(L, NULL, 0);
    if (object->program == NULL)
        misuse_as(L, lua_tostring(L, 2), "the program was released");
    push_by_name(L, object->program);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) == LUA_TNIL)
        refuse_name(L, object->program, lua_gettop(L) - 1);
    const kernel_object *kept = object_test(L, -1, CLASS_KERNEL);
    if (kept == NULL || kept->kernel == NULL) {
        push_kernel(L, lua_tostring(L, 2));
        lua_pushvalue(L, 2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -5);
    }
    return 1;
}

static void drop(void *program) { lun_program_release(program); } /* kernels keep what they need of it */

static void describe(lua_State *L, const void *object)
{
    const char *names = push_names_text(L, ((const program_object *)object)->program);
    if (*names == '\0')
        lua_pushliteral(L, "no kernels");
}

const object_class program_class = {
    .kind = "a program",
    .type = "program",
    .lost = "%s: the program was released",
    .gone = "released",
    .closes = true,
    .keeps = true,
    .drop_pointer = drop,
    .describe = describe,
    .methods = (const luaL_Reg[]){{"kernel", program_kernel}, {"kernels", program_kernels}, {NULL, NULL}},
    .index = program_index,
    .index_name = "program",
};
