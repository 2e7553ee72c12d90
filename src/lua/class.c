/* Classes of userdata: their metatables, and the common functions that check, show and release objects. */
#include "call.h"
#include "check.h"
#include "request.h"

#include <string.h>

static const object_class *const classes[CLASSES] = {
    [CLASS_ARRAY] = &array_class,       [CLASS_DEVICE] = &device_class, [CLASS_EVENT] = &event_class,
    [CLASS_HOST] = &host_class,         [CLASS_QUEUE] = &queue_class,   [CLASS_PROGRAM] = &program_class,
    [CLASS_KERNEL] = &kernel_class,     [CLASS_RNG] = &rng_class,       [CLASS_LOCALMEM] = &localmem_class,
    [CLASS_COMPLEX] = &complex_class,   [CLASS_SPARSE] = &sparse_class, [CLASS_TRACE] = &trace_class,
    [CLASS_HOLDER] = &holder_class,     [CLASS_SCOPE] = &scope_class,   [CLASS_REQUEST] = &request_class,
    [CLASS_DEFAULTS] = &defaults_class,
};

const object_class *class_of(class_id class) { return classes[class]; }

/* ---- objects ----------------------------------------------------------------------------------------- */

static void *first_pointer(const void *object)
{
    void *pointer;
    memcpy(&pointer, object, sizeof pointer);
    return pointer;
}

static bool lives(const object_class *class, const void *object)
{
    return class->lives != NULL ? class->lives(object) : class->lost == NULL || first_pointer(object) != NULL;
}

void *check_object(lua_State *L, int index, class_id class)
{
    void *object = object_test(L, index, class);
    if (object == NULL)
        check_refuse(L, index, classes[class]->kind);
    if (!lives(classes[class], object))
        misuse(L, classes[class]->lost, check_place(L, index));
    return object;
}

void *check_self(lua_State *L, class_id class, int most)
{
    void *object = check_object(L, 1, class);
    check_end(L, 1 + most);
    return object;
}

/* :release(), __gc and __close. UP_NUMBER is the class. */
static int object_release(lua_State *L)
{
    const class_id id = (class_id)lua_tointeger(L, UP_NUMBER);
    const object_class *class = classes[id];
    if (strcmp(lua_tostring(L, UP_NAME), "release") == 0) /* to the others Lua gives more arguments */
        check_end(L, 1);
    void *object = object_test(L, 1, id);
    if (object == NULL)
        return 0;
    if (class->keeps) {
        lua_pushnil(L);
        lua_setiuservalue(L, 1, 1);
    }
    if (class->drop != NULL) {
        class->drop(object);
        return 0;
    }
    void *pointer = first_pointer(object);
    memset(object, 0, sizeof pointer);
    if (pointer != NULL)
        class->drop_pointer(pointer);
    return 0;
}

static int object_tostring(lua_State *L)
{
    const class_id id = (class_id)lua_tointeger(L, UP_NUMBER);
    const object_class *class = classes[id];
    const void *object = object_test(L, 1, id);
    if (object == NULL || !lives(class, object)) {
        lua_pushfstring(L, "lunarray.%s (%s)", class->type, class->gone);
        return 1;
    }
    class->describe(L, object);
    lua_pushfstring(L, "lunarray.%s: %s", class->type, lua_tostring(L, -1));
    return 1;
}

/* ---- their metatables ----------------------------------------------------------------------------------- */

static void add(lua_State *L, const char *name, lua_CFunction function, class_id id)
{
    class_functions(L, (const luaL_Reg[]){{name, function}, {NULL, NULL}}, (lua_Integer)id);
}

static void add_list(lua_State *L, const luaL_Reg *functions)
{
    if (functions != NULL)
        class_functions(L, functions, 0);
}

/* Pushes the table of methods of a class, whose metatable is on the top: its __index, or the source of that. [-0, +1] */
static void push_methods(lua_State *L, class_id id)
{
    const object_class *class = classes[id];
    lua_newtable(L);
    add_list(L, class->methods);
    add_list(L, class->more_methods);
    if (class->closes && class->type != NULL)
        add(L, "release", object_release, id);
    if (class->owner != LUN_OF_NOTHING)
        request_methods(L, class->owner, 0);
    if (class->open != NULL)
        class->open(L);
}

/* Puts a closure in place of the method table on the top, which becomes its upvalue 4. [-1, +1] */
static void index_by(lua_State *L, lua_CFunction function, const char *name)
{
    lua_pushvalue(L, UP_BINDING);
    lua_pushstring(L, name);
    lua_pushinteger(L, 0);
    lua_pushvalue(L, -4);
    lua_pushcclosure(L, function, 4);
    lua_remove(L, -2);
}

/* dev.x = 1 and its like. */
static int refuse_assignment(lua_State *L)
{
    const char *owner = object_kind(L, 1);
    const char *format = lua_type(L, 2) == LUA_TSTRING ? "%s" : "[%s]";
    misuse_as(L, lua_pushfstring(L, format, value_text(L, 2)), "%s cannot be assigned to", owner);
}

static void add_metamethods(lua_State *L, class_id id)
{
    const object_class *class = classes[id];
    if (class->type != NULL)
        add(L, "__newindex", refuse_assignment, id);
    if (class->drop != NULL || class->drop_pointer != NULL)
        add(L, "__gc", object_release, id);
    if (class->closes)
        add(L, "__close", object_release, id);
    if (class->describe != NULL)
        add(L, "__tostring", object_tostring, id);
    add_list(L, class->metamethods);
    add_list(L, class->operators);
    add_list(L, class->refusals);
    if (class->no_operator != NULL)
        class_refuse_operators(L, class->no_operator);
}

/* Makes the metatable of a class and notes it in the binding. [-0, +0] */
static void open_class(lua_State *L, class_id id)
{
    const object_class *class = classes[id];
    lua_newtable(L);
    lua_pushfstring(L, "lunarray.%s", class->type != NULL ? class->type : class->kind + strlen("a "));
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__metatable"); /* getmetatable gives the name, not the table */
    if (id == CLASS_ARRAY) {            /* what math.sin(a) says that it got */
        lua_pushliteral(L, ", whose methods do what functions of numbers do: a:sin(), a:maximum(b)");
        lua_concat(L, 2);
    }
    lua_setfield(L, -2, "__name");
    push_methods(L, id);
    if (class->index != NULL)
        index_by(L, class->index, class->index_name);
    lua_setfield(L, -2, "__index");
    add_metamethods(L, id);
    binding_of(L)->metatable[id] = lua_topointer(L, -1);
    lua_setiuservalue(L, UP_BINDING, (int)id + 1);
}

void classes_open(lua_State *L)
{
    for (int class = 0; class < CLASSES; class ++)
        open_class(L, (class_id) class);
}
