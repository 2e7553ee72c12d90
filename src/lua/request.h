/* The methods of operations that core runs. */
#pragma once

#include "binding.h"

#define REQUEST_DEFAULT_DEVICE 0x100000 /* beside the row's position in UP_NUMBER: a function of the module */

extern const lun_manner lua_manner; /* how messages speak of Lua's values */

/* Any of them: UP_NUMBER is the row's position in core's table. */
int request_call(lua_State *L);
/* Reads self, the arguments up to index `last`, and options: what they need stays on the stack. [-0, +n] */
void arguments_read(lua_State *L, lun_request *r, int last);
/* A bound request of that row, with the arguments from index 2 to `last` behind self or nil, for work on that device, or on
 * self's. [-0, +n] */
lun_request *request_read(lua_State *L, const lun_operation *row, lun_device *device, int last);
/* The sparse matrix of the request's results, which are on the top. [-0, +1] */
int sparse_give(lua_State *L, lun_request *r);
/* What a request that has run gives beside its results, and how many values that is. [-0, +n] */
int request_push_beside(lua_State *L, const lun_request *r);
/* Gives back what the request owns, and keeps it for the next call. */
void request_keep(lun_request *r);
/* Adds those of that owner to the table on the top: methods (0), or functions of the module on the default device
 * (REQUEST_DEFAULT_DEVICE) or of self (NUMBER_FUNCTION). [-0, +0] */
void request_methods(lua_State *L, lun_owner owner, lua_Integer kind);

/* The trace at index 1; messages name fuse from now on. [-0, +0] */
lun_graph *trace_read(lua_State *L);
/* The graph of the function that is traced at present, or NULL. [-0, +0] */
lun_graph *trace_current(lua_State *L);

#define REQUEST_FEW 8

typedef struct request_object {
    lun_request request;
    bool in_use, has_views; /* does its user value have what it has lent to functions of the user's? */
    int at, first;          /* where it is on the stack, and where its results do */
    event_object *event;
    lun_array *few[REQUEST_FEW], **out;
} request_object;

/* Pushes the function that core asks for, and its two arguments. [-0, +3] */
void lent_ask(lua_State *L, request_object *object);
/* What the function has given, on the top, which lives until core has looked at it. [-1, +0] */
void lent_take(lua_State *L, request_object *object);
/* A request's __close: ends it, and what it has lent. */
int lent_close(lua_State *L);
