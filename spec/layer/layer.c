/* An OpenCL layer for the specs: it counts the objects that lunarray makes and gives back, and makes calls fail.
 *
 * The loader puts it between lunarray and the driver where OPENCL_LAYERS names it, and Lua loads the same file as the
 * module "layer" (lua.c here), which is how a spec speaks to it. Calls that give objects back or retain them are
 * counted, and never fail: no driver refuses them, and who gives something back has no use for an error. */
#include "info.h"
#include "layer.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const cl_icd_dispatch *driver;
static cl_icd_dispatch table;

/* Driver threads and the threads of lunarray's transfers call too. Nobody calls the driver while it holds the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) { pthread_mutex_lock(&lock); }
static void leave(void) { pthread_mutex_unlock(&lock); }

/* ---- objects ---------------------------------------------------------------------------------------------------- */

typedef struct object {
    void *handle;
    layer_kind kind;
    const char *maker;
    int refs;     /* those of the program that uses OpenCL, not the driver's own */
    cl_int fails; /* an event: the status that it will show once its command has ended; 0: its own */
    struct object *next;
} object;

static object *rows[1024]; /* by handle */
static layer_counts counts[LAYER_KINDS];
static unsigned long wrong;
static char first_wrong[200];

static object **place_of(const void *handle)
{
    object **place = &rows[((uintptr_t)handle >> 4) % COUNT(rows)];
    while (*place && (*place)->handle != handle)
        place = &(*place)->next;
    return place;
}

static void complain(const char *call, const char *what)
{
    if (wrong++ == 0)
        snprintf(first_wrong, sizeof first_wrong, "%s %s", call, what);
}

static object *add(layer_kind kind, void *handle, const char *maker)
{
    enter();
    object **place = place_of(handle), *made = *place;
    if (made) /* the driver has made it anew without the program's knowing */
        complain(maker, "gave a handle that is in use");
    else
        made = *place = calloc(1, sizeof *made);
    *made = (object){.handle = handle, .kind = kind, .maker = maker, .refs = 1, .next = made->next};
    counts[kind].made++;
    leave();
    return made;
}

static void retain(layer_kind kind, void *handle, const char *call)
{
    enter();
    object *found = *place_of(handle);
    counts[kind].retained++;
    if (found)
        found->refs++;
    else
        complain(call, "of what is not live");
    leave();
}

/* Before the driver releases: its other threads may be given the same address at once. False: not to be handed on. */
static int release(layer_kind kind, void *handle, const char *call)
{
    enter();
    object **place = place_of(handle), *found = *place;
    counts[kind].released++;
    if (!found)
        complain(call, "of what is not live");
    else if (--found->refs == 0) {
        *place = found->next;
        free(found);
    }
    leave();
    return found != NULL;
}

layer_counts layer_count(layer_kind kind)
{
    enter();
    layer_counts counted = counts[kind];
    counted.live = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (const object *each = rows[i]; each; each = each->next)
            counted.live += each->kind == kind;
    leave();
    return counted;
}

void layer_each_live(void (*see)(void *data, layer_kind kind, const char *maker), void *data)
{
    enter();
    for (size_t i = 0; i < COUNT(rows); i++)
        for (const object *each = rows[i]; each; each = each->next)
            see(data, each->kind, each->maker);
    leave();
}

/* As Intel's run-time does. */
static void finish_queues(void)
{
    cl_command_queue queues[64];
    size_t count = 0;
    enter();
    for (size_t i = 0; i < COUNT(rows); i++)
        for (const object *each = rows[i]; each; each = each->next)
            if (each->kind == LAYER_QUEUE && count < COUNT(queues))
                queues[count++] = each->handle;
    leave();
    for (size_t i = 0; i < count; i++)
        driver->clFinish(queues[i]);
}

void layer_finish_at_exit(void) { (void)atexit(finish_queues); }

const char *layer_wrong(unsigned long *times)
{
    *times = wrong;
    return first_wrong;
}

/* ---- faults ----------------------------------------------------------------------------------------------------- */

typedef struct call_row {
    const char *name;
    unsigned long made; /* since layer_fail */
    const cl_int *codes;
    size_t code_count;
} call_row;

#define ASK(name, parameters, arguments, ...) static const cl_int codes_##name[] = {__VA_ARGS__};
#define NEW(name, type, kind, parameters, arguments, ...) ASK(name, parameters, arguments, __VA_ARGS__)
#define ENQUEUE(name, parameters, arguments, ...) ASK(name, parameters, arguments, __VA_ARGS__)
#include "calls.def"
#include "waits.def"
#undef ASK
#undef NEW
#undef ENQUEUE

enum {
#define ASK(name, ...) CALL_##name,
#define NEW(name, ...) ASK(name, )
#define ENQUEUE(name, ...) ASK(name, )
#include "calls.def"
#include "waits.def"
#undef ASK
#undef NEW
#undef ENQUEUE
    CALLS
};

static call_row calls[] = {
#define ASK(name, ...) {#name, 0, codes_##name, COUNT(codes_##name)},
#define NEW(name, ...) ASK(name, )
#define ENQUEUE(name, ...) ASK(name, )
#include "calls.def"
#include "waits.def"
#undef ASK
#undef NEW
#undef ENQUEUE
};

static struct {
    layer_fault wanted;
    unsigned long counted; /* calls so far that count towards wanted.after */
    layer_fired fired;
} fault;

static cl_int code_for(const call_row *call)
{
    return fault.wanted.code ? fault.wanted.code : call->codes[(fault.wanted.pick - 1) % call->code_count];
}

/* Is it this call's turn? */
static int is_due(const call_row *call)
{
    const layer_fault *wanted = &fault.wanted;
    if (!wanted->after || (wanted->call[0] && strcmp(wanted->call, call->name) != 0))
        return 0;
    unsigned long number = ++fault.counted;
    return number >= wanted->after && number - wanted->after < wanted->times;
}

static cl_int fire(const call_row *call)
{
    cl_int code = code_for(call);
    if (fault.fired.times++ == 0) {
        fault.fired.call = call->name;
        fault.fired.code = code;
    }
    return code;
}

/* CL_SUCCESS, or the code that the call is to give instead of calling the driver. */
static cl_int refuse(unsigned which)
{
    cl_int code = CL_SUCCESS;
    enter();
    calls[which].made++;
    if (!fault.wanted.late && is_due(&calls[which]))
        code = fire(&calls[which]);
    leave();
    return code;
}

/* The event that the call has given may be one whose command is to fail on the device. */
static void note_event(unsigned which, cl_event event)
{
    object *made = add(LAYER_EVENT, event, calls[which].name);
    enter();
    if (fault.wanted.late && is_due(&calls[which]))
        made->fails = fire(&calls[which]);
    leave();
}

static cl_int failure_of(cl_event event)
{
    enter();
    const object *found = *place_of(event);
    cl_int code = found ? found->fails : CL_SUCCESS;
    leave();
    return code;
}

static int some_fails(cl_uint count, const cl_event *events)
{
    int fails = 0;
    for (cl_uint i = 0; i < count; i++)
        fails = fails || failure_of(events[i]) != CL_SUCCESS;
    return fails;
}

void layer_fail(const layer_fault *wanted)
{
    enter();
    memset(&fault, 0, sizeof fault);
    fault.wanted = *wanted;
    for (size_t i = 0; i < CALLS; i++)
        calls[i].made = 0;
    leave();
}

layer_fired layer_stop(void)
{
    enter();
    layer_fired fired = fault.fired;
    fault.wanted = (layer_fault){0};
    leave();
    return fired;
}

const char *layer_call(unsigned which, unsigned long *made, size_t *code_count)
{
    if (which >= CALLS)
        return NULL;
    *made = calls[which].made;
    *code_count = calls[which].code_count;
    return calls[which].name;
}

/* ---- the calls -------------------------------------------------------------------------------------------------- */

#define ASK(name, parameters, arguments, ...)                                                                          \
    static cl_int CL_API_CALL ask_##name parameters                                                                    \
    {                                                                                                                  \
        cl_int refusal = refuse(CALL_##name);                                                                          \
        return refusal != CL_SUCCESS ? refusal : driver->name arguments;                                               \
    }
/* lunarray gives all of these a place for the code. */
#define NEW(name, type, kind, parameters, arguments, ...)                                                              \
    static type CL_API_CALL ask_##name parameters                                                                      \
    {                                                                                                                  \
        type made = NULL;                                                                                              \
        *code = refuse(CALL_##name);                                                                                   \
        if (*code == CL_SUCCESS)                                                                                       \
            made = driver->name arguments;                                                                             \
        if (made)                                                                                                      \
            add(LAYER_##kind, made, #name);                                                                            \
        return made;                                                                                                   \
    }
/* Drivers may refuse to wait for a command that has failed: this one does. */
#define ENQUEUE(name, parameters, arguments, ...)                                                                      \
    static cl_int CL_API_CALL ask_##name parameters                                                                    \
    {                                                                                                                  \
        cl_int status = refuse(CALL_##name);                                                                           \
        if (status == CL_SUCCESS && some_fails(count, waits))                                                          \
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;                                                     \
        if (status == CL_SUCCESS)                                                                                      \
            status = driver->name arguments;                                                                           \
        if (status == CL_SUCCESS && event)                                                                             \
            note_event(CALL_##name, *event);                                                                           \
        return status;                                                                                                 \
    }
#include "calls.def"
#undef ASK
#undef NEW
#undef ENQUEUE

static void *CL_API_CALL ask_clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                                cl_map_flags flags, size_t at, size_t bytes, cl_uint count,
                                                const cl_event *waits, cl_event *event, cl_int *code)
{
    void *mapped = NULL;
    *code = refuse(CALL_clEnqueueMapBuffer);
    if (*code == CL_SUCCESS && some_fails(count, waits))
        *code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (*code == CL_SUCCESS)
        mapped = driver->clEnqueueMapBuffer(queue, mem, blocking, flags, at, bytes, count, waits, event, code);
    if (*code == CL_SUCCESS && event)
        note_event(CALL_clEnqueueMapBuffer, *event);
    return mapped;
}

static cl_int CL_API_CALL ask_clWaitForEvents(cl_uint count, const cl_event *events)
{
    cl_int code = refuse(CALL_clWaitForEvents);
    if (code == CL_SUCCESS)
        code = driver->clWaitForEvents(count, events);
    return code == CL_SUCCESS && some_fails(count, events) ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : code;
}

static cl_int CL_API_CALL ask_clGetEventInfo(cl_event event, cl_event_info what, size_t room, void *value,
                                             size_t *bytes)
{
    cl_int code = refuse(CALL_clGetEventInfo), fails = failure_of(event);
    if (code == CL_SUCCESS)
        code = driver->clGetEventInfo(event, what, room, value, bytes);
    if (code == CL_SUCCESS && fails && what == CL_EVENT_COMMAND_EXECUTION_STATUS && *(cl_int *)value == CL_COMPLETE)
        *(cl_int *)value = fails;
    return code;
}

static cl_int CL_API_CALL ask_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t room, void *value,
                                                      size_t *bytes)
{
    cl_int code = refuse(CALL_clGetEventProfilingInfo);
    return code != CL_SUCCESS ? code : driver->clGetEventProfilingInfo(event, what, room, value, bytes);
}

#define COUNTED(object, type, kind)                                                                                    \
    static cl_int CL_API_CALL retain_##object(type handle)                                                             \
    {                                                                                                                  \
        retain(LAYER_##kind, handle, "clRetain" #object);                                                              \
        return driver->clRetain##object(handle);                                                                       \
    }                                                                                                                  \
    static cl_int CL_API_CALL release_##object(type handle)                                                            \
    {                                                                                                                  \
        int known = release(LAYER_##kind, handle, "clRelease" #object);                                                \
        return known ? driver->clRelease##object(handle) : CL_INVALID_VALUE;                                           \
    }
COUNTED(Context, cl_context, CONTEXT)
COUNTED(CommandQueue, cl_command_queue, QUEUE)
COUNTED(MemObject, cl_mem, MEM)
COUNTED(Program, cl_program, PROGRAM)
COUNTED(Kernel, cl_kernel, KERNEL)
COUNTED(Event, cl_event, EVENT)
#undef COUNTED

/* ---- the loader's questions ------------------------------------------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void *value, size_t *bytes)
{
    return layer_info("lunarray's specs", what, room, value, bytes);
}

/* Entries that stay NULL are the driver's own. */
CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *next, cl_uint *own_count,
                                            const cl_icd_dispatch **own)
{
    if (!next || !own_count || !own || count < sizeof table / sizeof(void *))
        return CL_INVALID_VALUE;
    driver = next;
#define ASK(name, ...) table.name = ask_##name;
#define NEW(name, ...) ASK(name, )
#define ENQUEUE(name, ...) ASK(name, )
#include "calls.def"
#include "waits.def"
#undef ASK
#undef NEW
#undef ENQUEUE
#define COUNTED(object)                                                                                                \
    table.clRetain##object = retain_##object;                                                                          \
    table.clRelease##object = release_##object;
    COUNTED(Context)
    COUNTED(CommandQueue)
    COUNTED(MemObject)
    COUNTED(Program)
    COUNTED(Kernel)
    COUNTED(Event)
    *own_count = sizeof table / sizeof(void *);
    *own = &table;
    return CL_SUCCESS;
}

const char *layer_installed(void) { return driver ? "yes" : NULL; }
