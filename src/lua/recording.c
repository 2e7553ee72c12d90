/* Recordings: what lua/lunarray/profile.lua makes its tables and traces of. */
#include "call.h"
#include "check.h"

#include <stdio.h>

static void drop_recording(void *recording) { lun_recording_free(recording); }

/* The recording at 1. */
static lun_recording *check_recording(lua_State *L)
{
    holder_object *holder = object_test(L, 1, CLASS_HOLDER);
    luaL_argcheck(L, holder != NULL && holder->drop == drop_recording && holder->pointer != NULL, 1,
                  "a recording is needed");
    return holder->pointer;
}

/* _record(name, spans): a recording of the state's devices, which goes on until it is stopped or dropped. */
static int recording_start(lua_State *L)
{
    lun_error err;
    lun_recording *made;
    lua_pushvalue(L, 1);
    lua_replace(L, UP_NAME);
    lun_system *system = device_system(L);
    holder_object *holder = holder_push(L, drop_recording);
    if (lun_recording_start(&made, system, lua_toboolean(L, 2), &err) != LUN_OK)
        call_raise(L, NULL, &err);
    holder->pointer = made;
    return 1;
}

/* _record_drain(): waits, interruptibly, until all devices are idle; opens none, and reports no failure. */
static int recording_drain(lua_State *L)
{
    lun_system *system = device_system(L);
    for (size_t i = 0; i < lun_system_count(system); i++) {
        bool done;
        lun_attempt t;
        lun_device *device = lun_system_device(system, i);
        for (lun_attempt_start(&t, device); call_goes_on(L, &t); t.more = !done)
            t.status = lun_device_drain(&done, device, LUN_SLICE, &t.err);
    }
    return 0;
}

static int recording_stop(lua_State *L)
{
    lun_recording_stop(check_recording(L));
    return 0;
}

/* _recorded(recording): a list of its rows; seconds from start to stop; how many commands' times are missing. */
static int recording_rows(lua_State *L)
{
    lun_recorded row;
    const lun_recording *r = check_recording(L);
    lua_newtable(L);
    for (size_t i = 0; lun_recording_row(&row, r, i); i++) {
        lua_newtable(L);
        device_push(L, row.device);
        lua_setfield(L, -2, "device");
        set_text(L, "operation", row.operation);
        set_text(L, "command", row.command);
        set_text(L, "line", row.place);
        set_count(L, "calls", row.calls);
        set_count(L, "bytes", row.bytes);
        set_count(L, "position", row.position + 1);
        set_count(L, "built", row.built);
        set_number(L, "on_device", row.on_device);
        set_number(L, "at_once", row.at_once);
        set_number(L, "starting", row.starting);
        set_number(L, "on_host", row.on_host);
        set_number(L, "waiting", row.waiting);
        set_number(L, "compiling", row.compiling);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushnumber(L, lun_recording_seconds(r));
    lua_pushinteger(L, (lua_Integer)lun_recording_lost(r));
    return 3;
}

/* _record_write(recording, name, path) */
static int recording_write(lua_State *L)
{
    lun_error err;
    const lun_recording *r = check_recording(L);
    lua_pushvalue(L, 2);
    lua_replace(L, UP_NAME);
    if (lun_recording_write(r, luaL_checkstring(L, 3), &err) != LUN_OK)
        call_raise(L, NULL, &err);
    return 0;
}

void recording_note_line(lua_State *L, lun_recording *recording)
{
    char text[LUA_IDSIZE + 16];
    lua_Debug frame;
    luaL_checkstack(L, 4, NULL);
    if (!call_user_frame(L, &frame))
        return;
    snprintf(text, sizeof text, "%s:%d", frame.short_src, frame.currentline);
    lun_recording_place(recording, text);
}

const luaL_Reg recording_functions[] = {
    {"_record", recording_start},  {"_record_drain", recording_drain}, {"_record_stop", recording_stop},
    {"_recorded", recording_rows}, {"_record_write", recording_write}, {NULL, NULL},
};
