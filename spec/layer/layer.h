/* What the specs' OpenCL layer (layer.c) tells its Lua side (lua.c). */
#pragma once

#include <CL/cl_icd.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

typedef enum layer_kind {
    LAYER_CONTEXT,
    LAYER_QUEUE,
    LAYER_MEM,
    LAYER_PROGRAM,
    LAYER_KERNEL,
    LAYER_EVENT,
    LAYER_KINDS
} layer_kind;

typedef struct layer_counts {
    unsigned long made, retained, released, live;
} layer_counts;

layer_counts layer_count(layer_kind kind);
/* Must not call OpenCL. */
void layer_each_live(void (*see)(void *data, layer_kind kind, const char *maker), void *data);
/* When the process exits, what was enqueued is waited for: to be called before other handlers of exits are set. */
void layer_finish_at_exit(void);
/* The first retain or release of something that was not live, and how often that has happened. */
const char *layer_wrong(unsigned long *times);

typedef struct layer_fault {
    char call[64];       /* the calls that count: this function's; "": every one's */
    unsigned long after; /* 1: the first from now; 0: none */
    unsigned long times; /* so many of them fail */
    unsigned pick;       /* which of the function's own codes, from 1 on, over and over */
    cl_int code;         /* this code instead; 0: none */
    int late; /* the call is well, and the event that it gives tells the failure when the command has ended */
} layer_fault;

typedef struct layer_fired {
    unsigned long times;
    const char *call; /* of the first */
    cl_int code;
} layer_fired;

void layer_fail(const layer_fault *wanted);
layer_fired layer_stop(void);
/* The name of a wrapped function, NULL behind the last, and how often it was called since layer_fail. */
const char *layer_call(unsigned which, unsigned long *made, size_t *code_count);
const char *layer_installed(void); /* NULL: the loader has not put the layer in place */
