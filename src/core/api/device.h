/* A part of lunarray.h: devices, their queues, and the host memory of transfers. */
#pragma once

#include "manner.h"
#include "number.h"

/* ---- devices ----------------------------------------------------------------------------------- */

typedef struct lun_system lun_system; /* all devices of the machine, found once per host state */
typedef struct lun_device lun_device; /* refcounted; its context opens at first use */
typedef struct lun_queue lun_queue;   /* a slot of its device */
typedef struct lun_block lun_block;   /* refcounted device memory */

lun_status lun_system_open(lun_system **out, lun_error *err);
void lun_system_close(lun_system *system); /* devices live on while something holds them */
/* From now on messages about its devices speak so; `manner` outlives them. */
void lun_system_speak(lun_system *system, const lun_manner *manner);
size_t lun_system_count(const lun_system *system);
lun_device *lun_system_device(const lun_system *system, size_t index); /* borrowed */
/* A selector: NULL (LUNARRAY_DEVICE, else the best score), a type ("gpu", "cpu", "accelerator"), a position
 * counted from 1 in digits, or part of a name, vendor, platform or version, in any case of letters; of several the best.
 * Behind a type or a part ":2" is the second of those that it fits. An empty one is refused; an empty LUNARRAY_DEVICE is as
 * good as none. *out is borrowed. */
lun_status lun_system_select(lun_device **out, const lun_system *system, const char *selector, lun_error *err);
bool lun_system_fits(const lun_system *system, size_t index, const char *selector); /* which is not NULL */

typedef struct lun_device_info {
    char name[128], vendor[128], version[128], driver[64], platform[128];
    const char *type; /* "gpu", "cpu", "accelerator" or "other" */
    uint32_t units, clock_mhz;
    uint64_t memory, max_allocation, local_memory, cache_bytes;
    size_t max_group;
    uint32_t vector_f32, vector_f64; /* native vector widths in elements; 0 where the type is missing */
    bool fp64, fp16, unified_memory;
    const char *extensions; /* borrowed from the device */
} lun_device_info;

/* Devices that share work: the first one has the arrays. */
typedef struct lun_devices {
    lun_device *const *list;
    size_t count;
} lun_devices;

const lun_device_info *lun_device_info_get(const lun_device *device); /* borrowed */
int lun_device_score(const lun_device *device);                       /* what the default selector maximises */
lun_device *lun_device_retain(lun_device *device);
void lun_device_release(lun_device *device); /* the last release waits for the device's work */

typedef struct lun_memory {
    uint64_t live, pooled, peak, limit; /* bytes in arrays, kept for reuse, most ever live, allowed */
} lun_memory;

lun_memory lun_device_memory(const lun_device *device);
void lun_device_limit(lun_device *device, uint64_t bytes); /* 0: back to the default */
void lun_device_trim(lun_device *device); /* gives the pool back to OpenCL, and closes spare descriptors */
/* True once live bytes have passed a threshold that follows what the last lun_device_collected saw. */
bool lun_device_wants_collection(const lun_device *device);
void lun_device_collected(lun_device *device);
/* How many bytes of arrays have been made since it gave more than 0, where a collector had better find soon those that nobody has any
 * more: on devices whose memory the host's caches hold. 0 elsewhere, and where it is little. */
uint64_t lun_device_made(lun_device *device);
/* Waits at most `seconds` (< 0: for ever) until all queues are empty; reports each failed command once. */
lun_status lun_device_finish(bool *done, lun_device *device, double seconds, lun_error *err);
/* The same without a report: what has failed shows later. */
lun_status lun_device_drain(bool *done, lun_device *device, double seconds, lun_error *err);
/* Of the driver, the device and what else changes its kernels: names the folder of kernels that were built beforehand. */
uint64_t lun_device_kernels_key(const lun_device *device);
const char *lun_device_build_log(const lun_device *device); /* of the last failed build, "" if none; borrowed */

typedef struct lun_programs {
    uint64_t built;                   /* programs that were compiled, users' own included */
    size_t kept;                      /* programs of the library's that the device keeps */
    size_t generated, most_generated; /* of these: made of users' expressions; the least recently used beyond leave */
    uint64_t exchanged;               /* kernels of these that were built again, optimised, as their work had grown */
} lun_programs;

lun_programs lun_device_programs(const lun_device *device);

/* ---- queues --------------------------------------------------------------------------------------
 * A device runs the commands of a queue in order. It has a default queue, and up to 16 that a host asks for. Which
 * queue waits for which follows from what the operations read and write. */

/* A further queue; with `profiling` its events have times. *out is to be released. LUN_NO_MEMORY while the place of a
 * released one is still needed: finish, and call once more. */
lun_status lun_queue_create(lun_queue **out, lun_device *device, bool profiling, lun_error *err);
/* Its work goes on, and events of it stay as they are; enqueueing is LUN_MISUSE from now on. Never waits. */
void lun_queue_release(lun_queue *queue);
lun_device *lun_queue_device(const lun_queue *queue);
uint64_t lun_queue_pending(lun_queue *queue); /* operations that have not ended */
/* Waits at most `seconds` (< 0: for ever) until it is empty; reports each failed command once, as
 * lun_device_finish does: what one has reported the other does not. */
lun_status lun_queue_finish(bool *done, lun_queue *queue, double seconds, lun_error *err);
/* Waits at most `seconds` until another operation can be enqueued without waiting. NULL: the default queue. */
lun_status lun_queue_room(bool *room, lun_device *device, lun_queue *queue, double seconds, lun_error *err);

/* ---- host memory that transfers use -------------------------------------------------------------- */

typedef struct lun_staging {
    lun_device *device; /* retained while the host has references */
    unsigned refs;      /* the host's */
    unsigned held;      /* transfers in flight that need it */
    size_t bytes;
    void *data;
    void *pinned; /* what the memory is a part of; NULL: malloc's */
} lun_staging;

/* Waits at most `seconds` until so much may be made without waiting for transfers in flight. */
lun_status lun_staging_room(bool *room, lun_device *device, size_t bytes, double seconds, lun_error *err);
lun_status lun_staging_create(lun_staging **out, lun_device *device, size_t bytes, lun_error *err);
/* However much is in use: for a transfer behind a closed gate, as those in flight may be behind it, too. */
lun_status lun_staging_create_at_once(lun_staging **out, lun_device *device, size_t bytes, lun_error *err);
lun_staging *lun_staging_retain(lun_staging *staging);
void lun_staging_release(lun_staging *staging); /* lives on while a transfer in flight needs it */
/* memcpy, in several threads where it is worth it, of what that device has sent or is to get. */
void lun_copy_bytes(const lun_device *device, void *to, const void *from, size_t bytes);
