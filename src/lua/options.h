/* The option table of a call, checked against the method's known options when it is read. */
#ifndef LUNARRAY_OPTIONS_H
#define LUNARRAY_OPTIONS_H

#include "binding.h"

typedef struct options {
    int table;      /* where it stands on the stack, 0 if there is none */
    int arguments;  /* where the last argument before it stands */
    unsigned given; /* bits: which of `known` it has */
    const lun_option *known;
} options;

/* Reads the table at `index` (nil or none: no options). Where the method's only positional argument is
 * a list, it stands at `list` (else 0), and its table may hold the options instead. [-0, +0] */
void options_read(lua_State *L, options *o, const char *method, int index, int list);
/* The same for a method whose known options are at hand. */
void options_read_known(lua_State *L, options *o, const lun_option *known, int index, int list);
/* As options_read, for a table behind which arguments stand; options_read allows none there. [-0, +0] */
void options_read_first(lua_State *L, options *o, const char *method, int index);
/* Pushes the key from which lua_next finds the names beside a list; false where known names are to be looked up as well, as Lua
 * may keep them between the last elements of a long list. [-0, +1] */
bool options_push_start(lua_State *L, int index, bool list);
/* Does such a long list have any of the known names? [-0, +0] */
bool options_known(lua_State *L, const lun_option *known, int index);
/* Does the table at `index` have named fields? [-0, +0] */
bool options_named(lua_State *L, int index);

/* Pushes the option's value and returns its absolute index; 0, and nothing pushed, where it is not given. [-0, +(0|1)] */
int option_push(lua_State *L, const options *o, const char *name);
bool option_boolean(lua_State *L, const options *o, const char *name);
bool option_number(lua_State *L, const options *o, const char *name, lun_number *out);
double option_real(lua_State *L, const options *o, const char *name, double missing);
lua_Integer option_integer(lua_State *L, const options *o, const char *name, lua_Integer missing);
/* The option as a string, which is pushed; NULL, and nothing pushed, where it is not given. [-0, +(0|1)] */
const char *option_text(lua_State *L, const options *o, const char *name);
/* The option `queue`, a live queue of that device, which the table keeps; NULL where it is not given. [-0, +0] */
lun_queue *option_queue(lua_State *L, const options *o, const lun_device *device);
/* The option as a live array, which is pushed; NULL, and nothing pushed, where it is not given. [-0, +(0|1)] */
lun_array *option_array(lua_State *L, const options *o, const char *name);

#endif
