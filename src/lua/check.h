/* Checks of a method's arguments: numbers, shapes, axes, lists, with messages in plain words. */
#pragma once

#include "binding.h"

/* Indices are those of the stack: 1 is self, so that argument 1 of a method is at index 2. */

/* Raises "argument 1: <wanted> is needed, got <what came>". */
_Noreturn void check_refuse(lua_State *L, int index, const char *wanted);
/* The number of that index in messages, and its name: "argument 1". [-0, +(0|1)] */
int check_number_of(lua_State *L, int index);
const char *check_place(lua_State *L, int index);

/* Raises an error if anything but nil is after that index. To be called while only arguments are on the stack. [-0,
 * +0] */
void check_end(lua_State *L, int last);
/* Raises an error for nil as the last argument, in place of which more than a table of options is possible: probably a
 * name without a value, as f64 without quotes. To be called when check_end is. [-0, +0] */
void check_given(lua_State *L, int index, const char *wanted);
/* check_end for a function without a self that takes `most` arguments: puts nil in self's place. [-0, +1] */
void check_function(lua_State *L, int most);

/* A usable object of that class. */
void *check_object(lua_State *L, int index, class_id class);
/* Self, of a method that takes that many arguments. To be called while only arguments are on the stack. */
void *check_self(lua_State *L, class_id class, int most);
static inline lun_array *check_array(lua_State *L, int index) { return check_object(L, index, CLASS_ARRAY); }
lun_sparse *check_sparse(lua_State *L, int index); /* a whole one */
lun_device *check_device(lua_State *L, int index);
/* The device at index 1; of a function of the module (UP_NUMBER is not 0) the default one, which goes there. */
lun_device *check_device_or_default(lua_State *L);
lun_number check_number(lua_State *L, int index);
/* The value at `index` as what an element may be: a number, a complex number, true or false. False for other values. */
bool scalar_test(lua_State *L, int index, lun_number *out);
/* The same of a number of the function that lun.fuse traces: its value in this call, and which one it is. [-0, +0] */
bool traced_number(lua_State *L, int index, lun_number *out);
lun_number check_scalar(lua_State *L, int index);
lua_Integer check_integer(lua_State *L, int index);
/* A string without zero bytes, at which C strings end. `wanted` says for messages what it is: "a path". */
const char *check_string(lua_State *L, int index, const char *wanted);
/* The string at any index, which messages call `what`. */
const char *check_text(lua_State *L, int index, const char *what);
lun_dtype check_dtype(lua_State *L, const char *name);
double check_seconds(lua_State *L, int index, double missing); /* nil: `missing`; inf: -1, for ever */

/* A Lua number that is integral, float or not; strings are none. */
bool number_integral(lua_State *L, int index, lua_Integer *out);
void number_push(lua_State *L, lun_number number); /* [-0, +1] */
/* As messages show them: the number at `index`, a float, any value at `index`. [-0, +1] */
const char *number_text(lua_State *L, int index);
const char *value_text(lua_State *L, int index);

#define LIST_SHORT 16 /* all keys are checked in lists of up to that many elements */

/* Text for messages on a key that a table has beside its elements 1..#t (and beside names, where these are allowed): "the
 * key 0; elements are stored at 1 to 2". NULL where there is none. Of tables with __index or __len the metamethods count. [-0,
 * +(0|3)] */
const char *list_push_odd(lua_State *L, int index, bool names);
/* Raises if a table at `index` has such a key. It is an argument (`option` is NULL), or the value of that option. [-0, +0] */
void check_list(lua_State *L, int index, const char *option);
