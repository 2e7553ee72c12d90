/* The frame of makers: the device, the dtype and options at the end, and the new array. */
#ifndef LUNARRAY_MAKE_H
#define LUNARRAY_MAKE_H

#include "task.h"

typedef struct maker {
    const char *method; /* the name under which operation.def has its options */
    lun_device *device;
    options options;
    const char *dtype_name; /* NULL if none was given */
    lun_dtype dtype;
    task task;
    lun_array *out;
    int result; /* where out stands */
} maker;

/* The device: self of dev:zeros(...), put before the arguments of lun.zeros(...). */
void maker_begin(lua_State *L, maker *m, const char *method);
/* Reads options at `index`, or beside the list at `list` (0: none), then the dtype. */
void maker_options(lua_State *L, maker *m, int index, int list, lun_dtype missing);
/* Makes the array, still without contents. */
void maker_create(lua_State *L, maker *m, int ndim, const size_t *shape);
/* Returns the array or its event. */
int maker_give(lua_State *L, const maker *m);

#endif
