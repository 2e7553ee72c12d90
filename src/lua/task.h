/* How one operation is run, and what its method returns: values, or an event that will give them. */
#ifndef LUNARRAY_TASK_H
#define LUNARRAY_TASK_H

#include "options.h"

typedef struct task {
    lun_call call;       /* for the core */
    event_object *event; /* NULL unless async */
    int event_index;
    lun_device *device;
    lun_array *out; /* the array that task_out gave, which stands at this index: */
    int result;
    bool given;      /* is it the option `out`? */
    int arguments;   /* of the options: where the last argument stands */
    uint32_t truths; /* bits: results that task_return_numbers gives as booleans, */
    uint32_t arrays; /* and those that it gives as they are */
} task;

/* Whatever allocates can collect, and a finalizer release an array that was checked before. So these look once more at the
 * arrays among the arguments: task_begin, task_out, task_private. */

/* Reads `variant`, `queue` (of that device) and `async`; pushes the event for that many results. [-0, +(0..2)] */
void task_begin(lua_State *L, task *t, const options *o, lun_device *device, int results);
/* The array that the method gives: the option `out`, or an empty one, noted by the running scope, which task_make makes once
 * dtype and shape are known. An empty one that no scope sees: the memory behind a Lua value. [-0, +1] */
lun_array *task_out(lua_State *L, task *t, const options *o);
lun_array *task_private(lua_State *L, task *t);
/* Sets the array that the method changes in place, which stands at `index`. */
void task_in_place(task *t, lun_array *array, int index);
void task_make(lua_State *L, const task *t, lun_dtype dtype, int ndim, const size_t *shape);
/* Returns task_out's array, or its event. */
int task_give(lua_State *L, const task *t);
/* Results stand at first..first+count-1. Returns them, or the event that holds them. */
int task_return(lua_State *L, const task *t, int first, int count);
/* As task_return, for private arrays whose elements the method gives as numbers, and arrays beside them: waits, unless async. */
int task_return_numbers(lua_State *L, const task *t, int first, int count);
/* Waits for the array and reads it into memory of its size, which the caller keeps. [-0, +0] */
void task_read(lua_State *L, void *data, const lun_array *array, const lun_call *call);
/* The elements of a live array, two at most, as numbers, read by that queue (NULL: the default one); waits.
 * [-0, +size] */
void task_push_numbers(lua_State *L, const lun_array *array, lun_queue *queue, bool truth); /* truth: as booleans */
/* The option `segments`, which stays on the stack: an array, or a list, of which an array on that device is made. NULL: it is not
 * given. [-0, +(0|1)] */
lun_array *task_segments(lua_State *L, const options *o, lun_device *device);
/* The same of a reduction; its axis is then the last one where none is named. [-0, +(0|1)] */
lun_array *task_read_segments(lua_State *L, const options *o, const lun_array *array, bool *reduced);
/* Marks in `reduced` the axes that a reduction takes away: those of the option `axis`, or all. Returns whether all are. */
bool task_read_axes(lua_State *L, const options *o, const lun_array *array, bool *reduced);

#endif
