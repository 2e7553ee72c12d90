/* Streams: large transfers between any host memory and a device with memory of its own, chunk by chunk through pinned
 * memory, with several threads that copy while the device's engine transfers what they have copied.
 *
 * A driver transfers pinned memory at the full rate of the bus, and other memory at a fraction of it, because one of
 * its threads copies that to pinned memory: on an H200 55 GB/s, against 8 GB/s for writes and 15 GB/s for reads. One
 * thread copies 10 GB/s, and twelve keep the engine almost busy. Memory that is written for the first time takes
 * longer, because the system clears its pages; with large pages clearing takes half the time. */
#include "transfer/stream.h"
#include "base/error.h"
#include "device/device.h"
#include "device/pinned.h"
#include "flow/flag.h"
#include "flow/queue.h"
#include "memory/staging.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WORKERS 12
#define PLACES                                                                                                         \
    2 /* for chunks in a worker's pinned memory: one is filled or emptied while the engine transfers the
                  * other */
#define CHUNK ((size_t)2 << 20)
/* Engines are fastest with chunks that start at a multiple of GRAIN, or at the same offset from one on both sides. */
#define GRAIN ((size_t)256)
#define LARGE_PAGE ((size_t)2 << 20)
#define FRESH_LEAST                                                                                                    \
    ((size_t)32 << 20) /* malloc takes that many bytes from the system, which clears them on first use */
#define COPY_LEAST ((size_t)16 << 20)

#ifdef LUN_FAULTS /* test builds stream small arrays */
#define STREAM_LEAST ((size_t)64 << 10)
#define SMALLEST_CHUNK ((size_t)8 << 10)
#else
#define STREAM_LEAST ((size_t)4 << 20)
#define SMALLEST_CHUNK ((size_t)256 << 10)
#endif

typedef struct stream { /* kept by a device for its next streams */
    pinned *memory[WORKERS];
} stream;

typedef struct job {
    cl_command_queue queue; /* NULL: a copy in host memory, of `from` to `host` */
    cl_mem mem;
    size_t offset;
    char *host;
    const char *from;
    size_t bytes, chunk;
    bool to_device, late; /* late: events report ends only when older commands of other queues have ended (flag.c) */
    atomic_size_t next;   /* the chunk that the next worker takes */
    atomic_int code;      /* of the first failure */
} job;

typedef struct place {
    char *memory;   /* pinned */
    cl_event event; /* of the transfer that uses the place; NULL: none */
    char *data;     /* that transfer's bytes in `memory`, */
    char *host;     /* and where a read copies them to */
    size_t bytes;
} place;

typedef struct worker {
    pthread_t thread;
    job *job;
    place places[PLACES];
} worker;

bool stream_applies(const lun_device *device, size_t bytes) { return device_is_apart(device) && bytes >= STREAM_LEAST; }

/* Takes the next chunk of the job; false: none is left, or a transfer has failed. In host memory chunks end near
 * multiples of the chunk's size, so that no two threads clear the same page. */
static bool take(size_t *at, size_t *bytes, job *self)
{
    size_t before = (uintptr_t)self->host % self->chunk / GRAIN * GRAIN;
    size_t start = atomic_fetch_add(&self->next, 1) * self->chunk;
    size_t from = start < before ? 0 : start - before, to = start + self->chunk - before;
    if (from >= self->bytes || atomic_load(&self->code) != CL_SUCCESS)
        return false;
    *at = from;
    *bytes = (to < self->bytes ? to : self->bytes) - from;
    return true;
}

static void note(job *self, cl_int code)
{
    int none = CL_SUCCESS;
    if (code != CL_SUCCESS)
        atomic_compare_exchange_strong(&self->code, &none, code);
}

static cl_int wait_for(const job *self, cl_event event)
{
    cl_int state = CL_COMPLETE, code = self->late ? clFinish(self->queue) : clWaitForEvents(1, &event);
    if (self->late && code == CL_SUCCESS)
        code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    return state < 0 ? state : code;
}

/* Waits for the transfer that uses the place, if any, and copies what it has read. */
static void settle(job *self, place *used)
{
    if (!used->event)
        return;
    cl_int code = wait_for(self, used->event);
    clReleaseEvent(used->event);
    used->event = NULL;
    note(self, code);
    if (code == CL_SUCCESS && !self->to_device)
        memcpy(used->host, used->data, used->bytes);
}

static void start(job *self, place *used, size_t at, size_t bytes)
{
    size_t offset = self->offset + at;
    cl_int code;
    used->data = used->memory + offset % GRAIN;
    used->host = self->host + at;
    used->bytes = bytes;
    if (self->to_device) {
        memcpy(used->data, used->host, bytes);
        code = clEnqueueWriteBuffer(self->queue, self->mem, CL_FALSE, offset, bytes, used->data, 0, NULL, &used->event);
    } else {
        code = clEnqueueReadBuffer(self->queue, self->mem, CL_FALSE, offset, bytes, used->data, 0, NULL, &used->event);
    }
    if (code == CL_SUCCESS)
        code = clFlush(self->queue);
    else
        used->event = NULL;
    note(self, code);
}

static void *work(void *data)
{
    worker *self = data;
    size_t at, bytes;
    unsigned turn = 0;
    while (take(&at, &bytes, self->job)) {
        place *mine = &self->places[turn++ % PLACES];
        settle(self->job, mine);
        start(self->job, mine, at, bytes);
    }
    for (unsigned i = 0; i < PLACES; i++)
        settle(self->job, &self->places[(turn + i) % PLACES]);
    return NULL;
}

static void *copy(void *data)
{
    const worker *self = data;
    size_t at, bytes;
    while (take(&at, &bytes, self->job))
        memcpy(self->job->host + at, self->job->from + at, bytes);
    return NULL;
}

/* Runs the function for all workers: in this thread for the first, in new threads for the others. New threads block
 * all signals, which are for the host's own. */
static void run(void *(*function)(void *), worker *workers, size_t count)
{
    sigset_t all, before;
    size_t started = 1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < count && pthread_create(&workers[started].thread, NULL, function, &workers[started]) == 0)
        started++; /* if no more threads can be had, those that run take all chunks */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    function(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
}

/* As many workers as have `least` bytes each, but WORKERS or three quarters of the machine's processors at most. */
static size_t worker_count(size_t bytes, size_t least)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = processors > 2 ? (size_t)processors * 3 / 4 : 2;
    count = count < WORKERS ? count : WORKERS;
    size_t worth = bytes / least;
    return worth < 1 ? 1 : worth < count ? worth : count;
}

static size_t chunk_size(size_t bytes, size_t workers)
{
    size_t size = CHUNK;
    while (size > SMALLEST_CHUNK && 2 * size * workers * PLACES > bytes) /* until each place is used twice */
        size /= 2;
    return size;
}

/* Gives each worker pinned memory; lowers *count if the driver provides no more. */
static lun_status reserve(size_t *count, lun_device *device, worker *workers, size_t chunk, lun_error *err)
{
    lun_status status = LUN_OK;
    stream *own = device->parts[PART_transfer];
    for (size_t i = 0; i < *count; i++) {
        pinned **memory = &own->memory[i];
        if (*memory && (*memory)->bytes < PLACES * (chunk + GRAIN)) {
            pinned_free(*memory, device);
            *memory = NULL;
        }
        if (!*memory && pinned_create(memory, device, PLACES * (chunk + GRAIN), err) != LUN_OK) {
            if (i == 0)
                return err->status;
            *count = i;
            break;
        }
        for (size_t j = 0; j < PLACES; j++)
            workers[i].places[j].memory = (char *)(*memory)->data + j * (chunk + GRAIN);
    }
    return status;
}

/* Only for devices with their own memory: a machine with such a device also has its own memory. A virtual machine
 * without one may have to request each large page from its host, which took up to a hundred times as long as clearing
 * the page. */
void stream_into_fresh(const lun_device *device, void *data, size_t bytes)
{
    size_t before = LARGE_PAGE - (uintptr_t)data % LARGE_PAGE;
    if (bytes >= FRESH_LEAST && device_is_apart(device))
        (void)madvise((char *)data + before, (bytes - before) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
}

lun_status stream_run(lun_queue *queue, cl_mem mem, size_t offset, void *host, size_t bytes, bool to_device,
                      lun_error *err)
{
    lun_status status = LUN_OK;
    worker workers[WORKERS] = {0};
    size_t count = worker_count(bytes, STREAM_LEAST / 2);
    job all = {
        .queue = queue_cl(queue), .mem = mem, .offset = offset, .host = host, .bytes = bytes, .to_device = to_device};
    all.late = ends_show_late(queue);
    all.chunk = chunk_size(bytes, count);
    TRY(reserve(&count, lun_queue_device(queue), workers, all.chunk, err));
    for (size_t i = 0; i < count; i++)
        workers[i].job = &all;
    atomic_store(&all.code, fault_code());
    run(work, workers, count);
    cl_int code = atomic_load(&all.code);
    if (code != CL_SUCCESS)
        status = fail_cl(err, code, to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer");
    return status;
}

void lun_copy_bytes(const lun_device *device, void *to, const void *from, size_t bytes)
{
    worker workers[WORKERS] = {0};
    size_t count = worker_count(bytes, COPY_LEAST);
    job all = {.host = to, .from = from, .bytes = bytes, .chunk = CHUNK};
    stream_into_fresh(device, to, bytes);
    for (size_t i = 0; i < count; i++)
        workers[i].job = &all;
    run(copy, workers, count);
}

/* ---- the part of transfer/ in a device --------------------------------------------------------------------------- */

static void close_own(lun_device *device)
{
    const stream *own = device->parts[PART_transfer];
    for (size_t i = 0; !device_in_child(device) && i < WORKERS; i++)
        pinned_free(own->memory[i], device);
}

const room_part transfer_part = {.bytes = sizeof(stream), .close = close_own};
