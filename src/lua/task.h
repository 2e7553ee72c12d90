/* How one operation is run, and what its method returns: values, or an event that will give them. */
#ifndef LUNARRAY_TASK_H
#define LUNARRAY_TASK_H

#include "options.h"

typedef struct task {
    lun_call call;       /* for the core */
    event_object *event; /* NULL unless async */
    int event_index;
} task;

/* Reads `variant`, `queue` (of that device) and `async`; pushes the event for that many results. [-0, +(0..2)] */
void task_begin(lua_State *L, task *t, const options *o, const lun_device *device, int results);
/* Results stand at first..first+count-1. Returns them, or the event that holds them. */
int task_return(lua_State *L, const task *t, int first, int count);
/* The same for private arrays whose elements the method gives as numbers: waits, unless async. */
int task_return_numbers(lua_State *L, const task *t, int first, int count);
/* The elements of a live array, two at most, as numbers, read by that queue (NULL: the default one); waits.
 * [-0, +size] */
void task_push_numbers(lua_State *L, const lun_array *array, lun_queue *queue);

/* A new array made and noted by the running scope, or a private one. [-0, +0] */
void task_create(lua_State *L, lun_array *array, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape);

#endif
