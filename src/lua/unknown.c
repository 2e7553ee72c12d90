/* Names that do not exist: methods under other libraries' names, and operators that arrays do not have. */
#include "binding.h"
#include "call.h"
#include "check.h"

#include <string.h>

/* ---- names of other libraries ------------------------------------------------------------------------ */

#define ARRAY (1u << CLASS_ARRAY)
#define RNG (1u << CLASS_RNG)
#define RELEASED ((1u << CLASSES) - 1 - (1u << CLASS_DEVICE) - (1u << CLASS_LOCALMEM) - (1u << CLASS_COMPLEX) - RNG)
#define MAKES (1u << CLASS_DEVICE | 1u << CLASSES) /* a device, and the module with the makers of the default one */

static const struct {
    unsigned classes;
    const char *name, *instead;
} foreign[] = {
#define FOREIGN(classes, name, instead) {classes, name, instead},
#include "foreign.def"
#undef FOREIGN
};

/* What there is instead of that name, or NULL. */
static const char *find_foreign(lua_Integer class, const char *name)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if ((foreign[i].classes >> class & 1) != 0 && strcmp(foreign[i].name, name) == 0)
            return foreign[i].instead;
    return NULL;
}

/* _foreign(object), of the module _foreign(): name = what there is instead. */
int unknown_names(lua_State *L)
{
    int class = 0;
    while (class < CLASSES && object_test(L, 1, (class_id) class) == NULL)
        class ++;
    lua_newtable(L);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if ((foreign[i].classes >> class & 1) != 0)
            set_text(L, foreign[i].name, foreign[i].instead);
    return 1;
}

/* ---- names of another class ------------------------------------------------------------------------------ */

/* Has that class such a method? [-0, +0] */
static bool has_method(lua_State *L, class_id class, const char *name)
{
    lua_getiuservalue(L, UP_BINDING, (int)class + 1);
    lua_pushliteral(L, "__index");
    lua_rawget(L, -2);
    lua_pushstring(L, name);
    bool has = lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 3);
    return has;
}

/* Is that the name of a function of the module, for its users? [-0, +0] */
static bool is_function(lua_State *L, const char *name)
{
    lua_getiuservalue(L, UP_BINDING, SLOT_MODULE);
    lua_pushstring(L, name);
    const bool is = lua_rawget(L, -2) == LUA_TFUNCTION && name[0] != '_';
    lua_pop(L, 2);
    return is;
}

/* A sentence on the function that is meant by a:sort_by(keys), and on the method of dev:rng(seed) by lun.choice(6, 3); NULL
 * where the name is of neither. [-0, +(0|1)] */
static const char *push_further(lua_State *L, lua_Integer class, const char *name)
{
    if ((class == CLASS_ARRAY || class == CLASS_DEVICE) && is_function(L, name))
        return lua_pushfstring(L, "it is a function, lun.%s(...)", name);
    if ((class == CLASS_ARRAY || class == CLASS_DEVICE || class == CLASSES) && has_method(L, CLASS_RNG, name))
        return lua_pushfstring(L, "it is a method of random streams, dev:rng(seed):%s(...)", name);
    return NULL;
}

/* A sentence on the method that is meant by lun.sum(a), dev:matmul(a, b), a:zeros(3), which another class has, or on the
 * dtype meant by lun.float32; NULL where the name is neither. [-0, +(0|1)] */
static const char *push_elsewhere(lua_State *L, lua_Integer class, const char *name)
{
    if (class == CLASS_SPARSE)
        return "those of arrays work on A:values(), or on A:dense()";
    if (class == CLASS_DEVICE || class == CLASSES) {
        const char *instead = find_foreign(CLASS_ARRAY, name);
        if (instead != NULL && strchr(instead, ' ') != NULL)
            return instead;
        if (instead == NULL && class == CLASSES && has_method(L, CLASS_ARRAY, name) &&
            has_method(L, CLASS_DEVICE, name))
            return lua_pushfstring(L, "it is a method of arrays, a:%s(...), and of devices, lun.device():%s(...)", name,
                                   name);
        if (instead != NULL || has_method(L, CLASS_ARRAY, name))
            return lua_pushfstring(L, "it is a method of arrays, a:%s(...)", instead != NULL ? instead : name);
    }
    if (class == CLASS_EVENT && (find_foreign(CLASS_ARRAY, name) != NULL || has_method(L, CLASS_ARRAY, name)))
        return EVENT_HINT;
    const char *dtype = class == CLASSES ? lun_dtype_meant(name) : NULL;
    if (dtype != NULL)
        return lua_pushfstring(L, "a dtype is a string: \"%s\"", dtype);
    if (class == CLASSES && has_method(L, CLASS_DEVICE, name))
        return lua_pushfstring(L, "it is a method of devices, lun.device():%s(...)", name);
    if (class == CLASS_ARRAY && has_method(L, CLASS_DEVICE, name))
        return lua_pushfstring(L, "it is a method of devices, a:device():%s(...)", name);
    return push_further(L, class, name);
}

/* ---- the nearest name ----------------------------------------------------------------------------- */

/* The name nearest to `name` among the string keys of the table, NULL if none is near. [-0, +(0|1)] */
static const char *push_nearest(lua_State *L, int table, const char *name)
{
    lun_near near = {.to = name};
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING)
            lun_near_try(&near, lua_tostring(L, -2));
    return near.nearest[0] != '\0' ? lua_pushstring(L, near.nearest) : NULL;
}

/* ---- what raises --------------------------------------------------------------------------------------- */

int unknown_method(lua_State *L)
{
    lua_Integer class = lua_tointeger(L, UP_NUMBER);
    if (lua_type(L, 2) != LUA_TSTRING && class == CLASS_ARRAY)
        misuse(L, "an array is not indexed: a:get(i, j) reads one element, a:row(i) views a row, "
                  "a:host() maps all of them, a:totable() copies them to a table");
    const char *kernels = lua_type(L, 3) == LUA_TTABLE ? lua_tostring(L, 4) : NULL;
    const char *name = value_text(L, 2);
    const char *instead = find_foreign(class, name);
    if (instead == NULL)
        instead = push_elsewhere(L, class, name);
    if (instead == NULL)
        instead = push_nearest(L, 1, name);
    if (instead == NULL && lua_type(L, 3) == LUA_TTABLE)
        instead = push_nearest(L, 3, name);
    const char *owner = class < CLASSES ? class_of((class_id) class)->kind : "lunarray";
    const char *what = class == CLASS_PROGRAM ? "method or kernel" : class < CLASSES ? "method" : "function";
    if (instead == NULL && kernels != NULL)
        misuse_as(L, name, "%s has no such %s; %s", owner, what, kernels);
    if (instead == NULL)
        misuse_as(L, name, "%s has no such %s", owner, what);
    if (strchr(instead, ' ') != NULL)
        misuse_as(L, name, "%s has no such %s; %s", owner, what, instead);
    misuse_as(L, name, "%s has no such %s; is %s meant?%s%s", owner, what, instead, kernels != NULL ? " " : "",
              kernels != NULL ? kernels : "");
}

int unknown_event_operator(lua_State *L) { misuse(L, "an event is no array and no number; " EVENT_HINT); }

static int no_order(lua_State *L)
{
    misuse(L,
           "Lua would make one boolean of a comparison; a:lt(b), le, gt, ge, eq and ne compare element by element, and "
           "a:maximum(b) and minimum choose");
}

static int no_pairs(lua_State *L)
{
    misuse_as(L, "pairs(a)",
              "an array is no table: a:totable() copies its elements to one; a:host() maps them, from h[1] to h[#h]");
}

static int no_call(lua_State *L)
{
    misuse_as(
        L, "a(i)",
        "an array is not called: a:get(i, j) reads one element, a:slice(...) views a part, a:totable() gives a table "
        "to go through");
}

static int no_concatenation(lua_State *L) { misuse(L, "an array is no string: tostring(a) gives one; " JOINING); }

const luaL_Reg array_refusals[] = {
    {"__lt", no_order},    {"__le", no_order},  {"__concat", no_concatenation},
    {"__pairs", no_pairs}, {"__call", no_call}, {NULL, NULL},
};
