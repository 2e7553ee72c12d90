/* The table of operations, as Lua sees it: dev:operations(), lun.operations() and dev:variants(name). */
#include "call.h"
#include "check.h"

#include <string.h>

#define VARIANTS 32

/* Appends the value on the top to the list below it. [-1, +0] */
static void append(lua_State *L) { lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1); }

/* {name =, kind =, wanted =, means =, optional =, spread =, shares =}: an argument or an option, and what it takes, in words. [-0, +1] */
static void push_named(lua_State *L, const lun_operand *at)
{
    const char *kind = lun_option_kind_name(at->kind);
    lua_createtable(L, 0, 8);
    set_text(L, "name", at->name);
    set_text(L, "kind", kind);
    set_text(L, "wanted", at->wanted != NULL ? at->wanted : kind);
    set_text(L, "means", at->means);
    set_flag(L, "optional", at->optional);
    set_flag(L, "spread", at->spread);
    set_flag(L, "shares", at->shares);
}

/* The variants that the device can run. [-0, +1] */
static void push_variants(lua_State *L, const lun_operation *row, const lun_device *device)
{
    const char *names[VARIANTS];
    lun_operation_variants(names, VARIANTS, row, device);
    lua_newtable(L);
    for (int i = 0; names[i] != NULL; i++) {
        lua_pushstring(L, names[i]);
        append(L);
    }
}

/* All variants, with the type of device that each is meant for: {cpu = "cpu", plain = "any"}. [-0, +1] */
static void push_meant_for(lua_State *L, const lun_operation *row)
{
    const char *type, *name;
    lua_newtable(L);
    for (size_t i = 0; (name = lun_operation_variant(&type, row, i)) != NULL; i++)
        set_text(L, name, type);
}

/* What the device can run, and what it takes, is there where a device is. [-0, +1] */
static void push_operation(lua_State *L, const lun_operation *row, lun_device *device)
{
    static const char *const owners[LUN_OWNERS] = {"nothing", "array", "device", "module", "sparse", "stream", "trace"};
    static const char *const floats[] = {
        [LUN_FLOAT_EACH] = "each", [LUN_FLOAT_MEAN] = "mean", [LUN_FLOAT_DEFAULT] = "default"};
    lua_createtable(L, 0, 14);
    set_text(L, "name", row->name);
    set_text(L, "owner", owners[row->owner]);
    set_text(L, "says", row->says);
    set_text(L, "kind", row->kind);
    set_text(L, "returns", row->returns);
    set_text(L, "matlab", row->matlab);
    set_text(L, "example", row->example);
    set_text(L, "promise", lun_operation_promise(row));
    set_text(L, "tried", row->tried);
    set_text(L, "takes", row->takes);
    set_text(L, "gives", floats[row->gives]);
    set_flag(L, "in_place", row->in_place);
    lua_newtable(L);
    for (const lun_operand *at = row->arguments; at->name != NULL; at++) {
        push_named(L, at);
        append(L);
    }
    lua_setfield(L, -2, "arguments");
    lua_newtable(L);
    for (const lun_option *at = row->options; at->name != NULL; at++) {
        push_named(L, &(lun_operand){.name = at->name, .kind = at->kind, .means = at->means, .optional = true});
        set_text(L, "words", at->words);
        append(L);
    }
    lua_setfield(L, -2, "options");
    push_meant_for(L, row);
    lua_setfield(L, -2, "meant_for");
    if (device == NULL)
        return;
    push_variants(L, row, device);
    lua_setfield(L, -2, "variants");
    lua_newtable(L);
    for (int i = 0; i < LUN_DTYPES && (row->owner == LUN_OF_ARRAY || row->owner == LUN_OF_MODULE); i++)
        if (lun_operation_takes(row, device, (lun_dtype)i)) {
            lua_pushstring(L, lun_dtype_name((lun_dtype)i));
            append(L);
        }
    lua_setfield(L, -2, "dtypes");
}

/* A list, in the order of core's table. [-0, +1] */
static int push_operations(lua_State *L, lun_device *device)
{
    const lun_operation *row;
    lua_newtable(L);
    for (size_t i = 0; (row = lun_operation_at(i)) != NULL; i++) {
        push_operation(L, row, device);
        append(L);
    }
    return 1;
}

/* dev:operations() */
int device_operations(lua_State *L)
{
    lun_device *device = check_device(L, 1);
    check_end(L, 1);
    return push_operations(L, device);
}

/* lun.operations(), which asks for no device. */
int module_operations(lua_State *L)
{
    check_function(L, 0);
    return push_operations(L, NULL);
}

/* Raises with the names of the operations that have variants: "reduce, copy and fill". */
_Noreturn static void refuse_operation(lua_State *L, const char *name)
{
    const char *names[128], *type;
    size_t count = 0;
    const lun_operation *row;
    for (size_t i = 0; (row = lun_operation_at(i)) != NULL && count < sizeof names / sizeof *names; i++)
        if (row->owner != LUN_OF_SPARSE && lun_operation_variant(&type, row, 0) != NULL)
            names[count++] = row->name;
    lua_pushstring(L, names[0]);
    for (size_t i = 1; i < count; i++)
        lua_pushfstring(L, "%s%s%s", lua_tostring(L, -1), i + 1 < count ? ", " : " and ", names[i]);
    misuse(L, "no operation '%s' has variants; %s have", name, lua_tostring(L, -1));
}

int device_variants(lua_State *L)
{
    const char *type;
    const lun_operation *row;
    const lun_device *device = check_device(L, 1);
    const char *name = check_string(L, 2, "the name of an operation");
    check_end(L, 2);
    for (size_t i = 0; (row = lun_operation_at(i)) != NULL; i++) {
        if (strcmp(row->name, name) != 0 || lun_operation_variant(&type, row, 0) == NULL)
            continue;
        push_variants(L, row, device);
        return 1;
    }
    refuse_operation(L, name);
}
