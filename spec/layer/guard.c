/* An OpenCL layer for the specs: it puts known bytes before and behind each buffer, and tells whether they were written.
 *
 * A buffer that lunarray asks for is a part of a larger one, between two zones. What is fresh holds the same bytes, so
 * that an element which nobody has written is no zero by chance. Lua loads the same file as the module "guard", whose
 * check looks at the zones of all buffers that are live, and of those that were given back since (`make guards`). */
#include "info.h"

#include <CL/cl_icd.h>

#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZONE ((size_t)4096)      /* bytes: no device wants buffers aligned to more */
#define FRESH ((size_t)16 << 20) /* larger buffers are not filled */
#define GRAVES 512               /* buffers that were given back and are looked at once more: commands may still run */
#define BYTE 0xe5                /* floats of it are about -1e23, integers odd */

static const cl_icd_dispatch *driver;
static cl_icd_dispatch table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct guarded {
    cl_mem whole, part;
    cl_context context;
    size_t bytes;
    int refs;
    struct guarded *next;
} guarded;

static guarded *live, *graves, **last_grave = &graves;
static unsigned grave_count;
static unsigned long checked, broken;
static char first_broken[160];

/* ---- looking at the zones --------------------------------------------------------------------------------------- */

typedef struct own_queue {
    cl_context context;
    cl_command_queue queue;
    struct own_queue *next;
} own_queue;

static own_queue *queues;

/* A queue of the layer's own in that context: it waits for nobody, and nobody for it. */
static cl_command_queue queue_of(cl_context context)
{
    for (own_queue *each = queues; each; each = each->next)
        if (each->context == context)
            return each->queue;
    cl_device_id devices[8]; /* the first is as good as any */
    cl_int code;
    if (driver->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL) != CL_SUCCESS)
        return NULL;
    own_queue *made = calloc(1, sizeof *made);
    made->context = context;
    made->queue = driver->clCreateCommandQueue(context, devices[0], 0, &code);
    made->next = queues;
    queues = made;
    return made->queue;
}

static void look(const guarded *each)
{
    unsigned char zone[ZONE];
    const size_t places[] = {0, ZONE + each->bytes};
    cl_command_queue queue = queue_of(each->context);
    for (int i = 0; i < 2; i++) {
        if (!queue || driver->clEnqueueReadBuffer(queue, each->whole, CL_TRUE, places[i], ZONE, zone, 0, NULL, NULL))
            return;
        checked++;
        for (size_t at = 0; at < ZONE; at++) {
            if (zone[at] == BYTE)
                continue;
            if (broken++ == 0)
                snprintf(first_broken, sizeof first_broken, "a buffer of %zu bytes was written %zu bytes %s",
                         each->bytes, i ? at + 1 : ZONE - at, i ? "behind its end" : "before its beginning");
            break;
        }
    }
}

/* Once the driver has let go of the part, the whole goes too. */
static void bury(guarded *each)
{
    each->next = NULL;
    *last_grave = each;
    last_grave = &each->next;
    grave_count++;
}

static void dig(unsigned left)
{
    while (grave_count > left) {
        guarded *oldest = graves;
        look(oldest);
        driver->clReleaseMemObject(oldest->whole);
        graves = oldest->next;
        if (!graves)
            last_grave = &graves;
        free(oldest);
        grave_count--;
    }
}

/* ---- the calls -------------------------------------------------------------------------------------------------- */

static guarded *find(cl_mem part)
{
    guarded *each = live;
    while (each && each->part != part)
        each = each->next;
    return each;
}

/* Fills the zones, and what stands between them with the host's bytes or, where it has none, the zones' own. */
static cl_int fill(const guarded *made, const void *host)
{
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    cl_command_queue queue = queue_of(made->context);
    const int all = made->bytes <= FRESH || host;
    const size_t bytes = all ? made->bytes + 2 * ZONE : ZONE;
    unsigned char *text = malloc(bytes);
    if (text && queue) {
        memset(text, BYTE, bytes);
        if (host)
            memcpy(text + ZONE, host, made->bytes);
        code = driver->clEnqueueWriteBuffer(queue, made->whole, CL_TRUE, 0, bytes, text, 0, NULL, NULL);
        if (code == CL_SUCCESS && !all)
            code = driver->clEnqueueWriteBuffer(queue, made->whole, CL_TRUE, ZONE + made->bytes, ZONE, text, 0, NULL,
                                                NULL);
    }
    free(text);
    return code;
}

static cl_mem CL_API_CALL create(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code)
{
    if (flags & CL_MEM_USE_HOST_PTR || bytes == 0)
        return driver->clCreateBuffer(context, flags, bytes, host, code);
    guarded *made = calloc(1, sizeof *made);
    *made = (guarded){.context = context, .bytes = bytes, .refs = 1};
    made->whole =
        driver->clCreateBuffer(context, flags & ~(cl_mem_flags)CL_MEM_COPY_HOST_PTR, bytes + 2 * ZONE, NULL, code);
    if (!made->whole) {
        free(made);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    const cl_buffer_region region = {ZONE, bytes};
    *code = fill(made, flags & CL_MEM_COPY_HOST_PTR ? host : NULL);
    if (*code == CL_SUCCESS) /* access flags and memory are the whole's */
        made->part = driver->clCreateSubBuffer(made->whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, code);
    if (made->part) {
        made->next = live;
        live = made;
    }
    pthread_mutex_unlock(&lock);
    cl_mem part = made->part;
    if (!part) {
        driver->clReleaseMemObject(made->whole);
        free(made);
    }
    return part;
}

/* A part of a part is a part of the whole. */
static cl_mem CL_API_CALL create_part(cl_mem mem, cl_mem_flags flags, cl_buffer_create_type type, const void *what,
                                      cl_int *code)
{
    cl_buffer_region region = *(const cl_buffer_region *)what;
    pthread_mutex_lock(&lock);
    const guarded *found = find(mem);
    if (found) {
        mem = found->whole;
        region.origin += ZONE;
    }
    pthread_mutex_unlock(&lock);
    return driver->clCreateSubBuffer(mem, flags, type, &region, code);
}

static cl_int CL_API_CALL retain(cl_mem mem)
{
    pthread_mutex_lock(&lock);
    guarded *found = find(mem);
    if (found)
        found->refs++;
    pthread_mutex_unlock(&lock);
    return driver->clRetainMemObject(mem);
}

static cl_int CL_API_CALL release(cl_mem mem)
{
    pthread_mutex_lock(&lock);
    guarded **place = &live;
    while (*place && (*place)->part != mem)
        place = &(*place)->next;
    guarded *found = *place;
    if (found && --found->refs == 0) {
        *place = found->next;
        bury(found);
        dig(GRAVES);
    }
    pthread_mutex_unlock(&lock);
    return driver->clReleaseMemObject(mem);
}

/* A context that ends takes the layer's own queue in it along, and the buffers that are still to be looked at. */
static cl_int CL_API_CALL release_context(cl_context context)
{
    pthread_mutex_lock(&lock);
    dig(0);
    for (own_queue **place = &queues; *place; place = &(*place)->next)
        if ((*place)->context == context) {
            own_queue *gone = *place;
            *place = gone->next;
            driver->clReleaseCommandQueue(gone->queue);
            free(gone);
            break;
        }
    pthread_mutex_unlock(&lock);
    return driver->clReleaseContext(context);
}

/* ---- the loader's questions, and Lua's -------------------------------------------------------------------------- */

static void tell(void)
{
    const char *path = getenv("GUARD_LOG");
    FILE *log = path && broken ? fopen(path, "a") : NULL;
    if (log) {
        fprintf(log, "%s (%lu zones in all)\n", first_broken, broken);
        fclose(log);
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void *value, size_t *bytes)
{
    return layer_info("lunarray's guards", what, room, value, bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *next, cl_uint *own_count,
                                            const cl_icd_dispatch **own)
{
    if (!next || !own_count || !own || count < sizeof table / sizeof(void *))
        return CL_INVALID_VALUE;
    driver = next;
    table.clCreateBuffer = create;
    table.clCreateSubBuffer = create_part;
    table.clRetainMemObject = retain;
    table.clReleaseMemObject = release;
    table.clReleaseContext = release_context;
    atexit(tell);
    *own_count = sizeof table / sizeof(void *);
    *own = &table;
    return CL_SUCCESS;
}

/* guard.check(): how many zones were looked at so far, how many had been written, and the first of these in words. */
static int check(lua_State *L)
{
    pthread_mutex_lock(&lock);
    for (const guarded *each = live; each; each = each->next)
        look(each);
    dig(GRAVES);
    lua_pushinteger(L, (lua_Integer)checked);
    lua_pushinteger(L, (lua_Integer)broken);
    lua_pushstring(L, broken ? first_broken : NULL);
    pthread_mutex_unlock(&lock);
    return 3;
}

/* guard.installed(): has the loader put the layer in place? */
static int installed(lua_State *L)
{
    lua_pushboolean(L, driver != NULL);
    return 1;
}

LUALIB_API int luaopen_guard(lua_State *L);

int luaopen_guard(lua_State *L)
{
    static const luaL_Reg functions[] = {{"check", check}, {"installed", installed}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
