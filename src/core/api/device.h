/* A part of lunarray.h: devices, their queues, and the host memory of transfers. */
#pragma once

#include "manner.h"
#include "number.h"

/* ---- devices ----------------------------------------------------------------------------------- */

typedef struct lun_system lun_system; /* all devices of the machine, discovered once per host state */
typedef struct lun_device lun_device; /* refcounted; its context opens at first use */
typedef struct lun_queue lun_queue;   /* a slot of its device */
typedef struct lun_block lun_block;   /* refcounted device memory */

lun_status lun_system_open(lun_system **out, lun_error *err);
void lun_system_close(lun_system *system); /* devices live on while something holds them */
/* From now on messages about its devices are in that manner; `manner` must outlive them. */
void lun_system_speak(lun_system *system, const lun_manner *manner);
size_t lun_system_count(const lun_system *system);
lun_device *lun_system_device(const lun_system *system, size_t index); /* borrowed */
/* A selector is NULL (LUNARRAY_DEVICE, else the best score), a type ("gpu", "cpu", "accelerator"), a position counted
 * from 1 in digits, or a part of a name, vendor, platform or version, in any case of letters. If several devices match,
 * the best is taken; ":2" after a type or a part takes the second match. An empty selector is an error; an empty
 * LUNARRAY_DEVICE counts as unset. *out is borrowed. */
lun_status lun_system_select(lun_device **out, const lun_system *system, const char *selector, lun_error *err);
bool lun_system_fits(const lun_system *system, size_t index, const char *selector); /* not NULL */

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

/* Devices that share work; the arrays are on the first one. */
typedef struct lun_devices {
    lun_device *const *list;
    size_t count;
} lun_devices;

const lun_device_info *lun_device_info_get(const lun_device *device); /* borrowed */
int lun_device_score(const lun_device *device);                       /* maximised by the default selector */
lun_device *lun_device_retain(lun_device *device);
void lun_device_release(lun_device *device); /* the last release waits for the device's work */

typedef struct lun_memory {
    uint64_t live, pooled, peak, limit; /* bytes in arrays, kept for reuse, the highest number in arrays so far, and the
                                         * limit */
} lun_memory;

lun_memory lun_device_memory(const lun_device *device);
void lun_device_limit(lun_device *device, uint64_t bytes); /* 0: restores the default */
void lun_device_trim(lun_device *device); /* gives the pool back to OpenCL, and closes spare descriptors */
/* True once live bytes exceed a threshold that depends on their number at the last lun_device_collected. */
bool lun_device_wants_collection(const lun_device *device);
void lun_device_collected(lun_device *device);
/* The bytes of arrays made since it last returned more than 0, if a collector should soon free unused arrays: on
 * devices whose memory the host's caches hold. 0 on other devices, and for few bytes. */
uint64_t lun_device_made(lun_device *device);
/* Waits at most `seconds` (< 0: for ever) until all queues are empty; reports each failed command once. */
lun_status lun_device_finish(bool *done, lun_device *device, double seconds, lun_error *err);
/* The same without a report: failures are reported later. */
lun_status lun_device_drain(bool *done, lun_device *device, double seconds, lun_error *err);
/* A hash of the driver, the device and all else that changes its kernels: names the folder of kernels that were built
 * beforehand. */
uint64_t lun_device_kernels_key(const lun_device *device);
const char *lun_device_build_log(const lun_device *device); /* the log of the last failed build, "" if none; borrowed */

typedef struct lun_programs {
    uint64_t built;                   /* programs compiled, including users' own */
    size_t kept;                      /* programs of the library that the device keeps */
    size_t generated, most_generated; /* of these, made from users' expressions; beyond a limit the least recently used
                                       * are dropped */
    uint64_t exchanged;               /* kernels of these that were built again, optimised, because their work had
                                       * grown */
} lun_programs;

lun_programs lun_device_programs(const lun_device *device);

/* ---- queues --------------------------------------------------------------------------------------
 * A device runs the commands of a queue in order. It has a default queue and up to 16 that a host creates. Queues wait
 * for each other according to what their operations read and write. */

/* Creates a queue; with `profiling` its events have times. The caller releases *out. LUN_NO_MEMORY while the place of a
 * released queue is still needed: finish, and call again. */
lun_status lun_queue_create(lun_queue **out, lun_device *device, bool profiling, lun_error *err);
/* Its work continues, and its events remain valid; enqueueing is LUN_MISUSE from now on. Never waits. */
void lun_queue_release(lun_queue *queue);
lun_device *lun_queue_device(const lun_queue *queue);
uint64_t lun_queue_pending(lun_queue *queue); /* operations that have not ended */
/* Waits at most `seconds` (< 0: for ever) until it is empty. Each failed command is reported once, either here or by
 * lun_device_finish. */
lun_status lun_queue_finish(bool *done, lun_queue *queue, double seconds, lun_error *err);
/* Waits at most `seconds` until another operation can be enqueued without waiting. NULL: the default queue. */
lun_status lun_queue_room(bool *room, lun_device *device, lun_queue *queue, double seconds, lun_error *err);

/* ---- host memory that transfers use -------------------------------------------------------------- */

typedef struct lun_staging {
    lun_device *device; /* retained while the host holds references */
    unsigned refs;      /* the host's */
    unsigned held;      /* transfers in progress that need it */
    size_t bytes;
    void *data;
    void *pinned; /* the memory that it is a part of; NULL: malloc's */
} lun_staging;

/* Waits at most `seconds` until that many bytes can be allocated without waiting for transfers in progress. */
lun_status lun_staging_room(bool *room, lun_device *device, size_t bytes, double seconds, lun_error *err);
lun_status lun_staging_create(lun_staging **out, lun_device *device, size_t bytes, lun_error *err);
/* Ignores how much is in use: for a transfer behind a closed gate, because those in progress may be behind that gate
 * too. */
lun_status lun_staging_create_at_once(lun_staging **out, lun_device *device, size_t bytes, lun_error *err);
lun_staging *lun_staging_retain(lun_staging *staging);
void lun_staging_release(lun_staging *staging); /* kept while a transfer in progress needs it */
/* memcpy, in several threads if this is faster, of bytes that the device has sent or will get. */
void lun_copy_bytes(const lun_device *device, void *to, const void *from, size_t bytes);
