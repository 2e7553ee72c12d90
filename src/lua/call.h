/* Calling the core: raising, collecting and trying again, and waits that hooks can interrupt. */
#pragma once

#include "binding.h"

/* The innermost user's function on the stack: its short_src, source and currentline. */
bool call_user_frame(lua_State *L, lua_Debug *frame);
/* Raises "file:line: lunarray: <method>: <message>"; the format is lua_pushfstring's. */
_Noreturn void misuse_as(lua_State *L, const char *method, const char *format, ...);
/* The same under the name of the method that was called. */
#define misuse(L, ...) misuse_as(L, lua_tostring(L, UP_NAME), __VA_ARGS__)
/* Raises the error that a call of the core has reported. */
_Noreturn void call_raise(lua_State *L, const lun_device *device, const lun_error *err);
/* A Lua function that runs that many instructions, for call_hooks. [-0, +1] */
void call_push_steps(lua_State *L);
/* The metatable of error objects. [-0, +1] */
void call_push_error_class(lua_State *L);

/* The frame around a call of the core:
 *
 *     lun_attempt tried;
 *     for (lun_attempt_enqueue(&tried, device, &call); call_goes_on(L, &tried);)
 *         tried.status = lun_transpose(out, in, axes, &call, &tried.err);
 *
 * call_goes_on collects garbage, runs hooks, and raises errors, according to the core's attempt. Finalizers run inside
 * it: arrays that the call uses stay anchored on the stack, and are checked again by the core. */
bool call_goes_on(lua_State *L, lun_attempt *attempt);

/* Reports to a recording where the user's program is (recording.c). [-0, +0] */
void recording_note_line(lua_State *L, lun_recording *recording);

/* Runs debug hooks, including that of Ctrl-C; they may raise errors. */
void call_hooks(lua_State *L);
/* Waits until reading the array by the call's queue, or mapping it, will not block; the array stays anchored on the
 * stack. */
void call_await(lua_State *L, const lun_array *array, lun_access access, const lun_call *call);
/* Waits at most `seconds` (< 0: for ever); false when the time is over. Raises failures. */
bool call_wait(lua_State *L, const event_object *event, double seconds);
/* Waits until that queue, or all queues of the device (NULL), are empty. Raises failures. */
void call_finish(lua_State *L, lun_device *device, lun_queue *queue);
double call_clock(void); /* seconds, monotonic */

/* Before the devices are closed of a state that was interrupted: says what is being waited for (leave.c). */
void leave_devices(const binding *b);
