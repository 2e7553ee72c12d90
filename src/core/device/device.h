/* Devices: what they are, and their working context. */
#ifndef LUN_DEVICE_DEVICE_H
#define LUN_DEVICE_DEVICE_H

#include "lunarray.h"

#include <CL/cl.h>
#include <sys/types.h>

#define SIZE_CLASSES 160

/* A device's queues: the default one, one that is kept for transfers, and those that a host asks for. */
#define HOST_QUEUES 16
#define DEFAULT_QUEUE 0
#define TRANSFER_QUEUE 1
#define FIRST_HOST_QUEUE 2
#define DEVICE_QUEUES (FIRST_HOST_QUEUE + HOST_QUEUES)

/* What other rooms keep on a device, in the order in which the device's end closes these parts. A room that makes a
 * part says how to close it (device_closes). */
typedef enum device_part {
    PART_WATCHES, /* threads that wait for events */
    PART_QUEUES,  /* closing them waits for their commands */
    PART_POOL,
    PART_STREAM,
    PART_SPARE,
    PART_FLAGS,
    PART_VERDICTS,
    PART_PINNING,
    PART_ANSWERS,
    PART_PROGRAMS,
    PART_WAKER,
    PART_FAILURES,
    PART_NAMES,
    DEVICE_PARTS
} device_part;

typedef void device_closer(lun_device *device);

struct programs; /* program.c */

struct lun_device {
    unsigned refs;
    device_closer *closers[DEVICE_PARTS]; /* NULL: the device has no such part */
    pid_t pid;
    bool open;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_device_type type;
    unsigned nvidia;         /* the major compute capability of an NVIDIA GPU; 0: none */
    const void *refused[32]; /* variants whose kernels the device's compiler has refused: room for all that may be */
    lun_device_info info;
    char *extensions;
    lun_queue *queues[DEVICE_QUEUES]; /* places for them, made with the device; a queue opens when it is needed */
    struct waker *waker;
    struct watcher *watcher;              /* NULL until a descriptor is asked for */
    struct watch *watches;                /* the spare ones */
    size_t watches_spare, watches_looked; /* how many are spare; how many the last trimming left */
    int watch_reserve;                    /* a descriptor that trimming needs for a moment; 0: none is held */
    struct failure *failures;             /* those that a ticket, a block or a host's event may still refer to */
    struct failure *to_report;            /* those that nothing refers to any more, and no host has been told of */
    uint64_t failures_seen;               /* counts changes that may let failures_sweep forget more; */
    uint64_t failures_swept;              /* the count at the last sweep */
    uint64_t events;                      /* how many hosts hold */
    lun_block *blocks;                    /* all, with those of the pool */
    struct programs *programs;            /* kernel files that were built; NULL: none yet */
    uint64_t programs_built;              /* calls of the compiler, users' own programs included */
    char *build_log;
    struct kept_name *names; /* of user kernels: tickets and failures name kernels that are gone */
    lun_block *pool[SIZE_CLASSES];
    cl_command_queue pinning; /* for mapping pinned memory alone (pinned.c) */
    struct pinned *spare;
    struct stream *stream;
    struct answers *answers;
    struct verdicts *verdicts; /* NULL until an operation needs one */
    uint64_t doubtful;   /* tickets that have a verdict, or read what one with a verdict makes, and have not ended */
    struct flags *flags; /* NULL: the device needs none, or no memory was left for them */
    uint64_t looks;      /* how many times queue_reap has looked what has ended */
    /* A host has asked for operations side by side. None is silent from then on: a waiter for a silent operation
     * waits for those behind it too, and so could not run beside them. */
    bool overlaps;
    uint64_t live, pooled, peak, limit, default_limit, collect_at, staged, spare_bytes;
};

/* Asks the device what it is, for its `info`, and what its default limit is. */
lun_status device_describe(lun_device *device, lun_error *err);
/* Does the device advertise the extension of OpenCL? */
bool device_has_extension(const lun_device *device, const char *name);
void device_closes(lun_device *device, device_part part, device_closer *close);
/* Makes the context and the default queue at first use. LUN_MISUSE in a forked child. */
lun_status device_open(lun_device *device, lun_error *err);
/* LUN_MISUSE where the device lacks that dtype. */
lun_status device_check_dtype(const lun_device *device, lun_dtype dtype, lun_error *err);
bool device_in_child(const lun_device *device); /* after a fork: nothing of OpenCL may be called */

/* Work-items in a group of FOR_SPREAD kernels: 1 where a work-item is a loop on a core, else 64. */
size_t device_group(const lun_device *device);
/* Bytes of the last-level cache that the device's cores can count on. */
size_t device_cache(const lun_device *device);
/* Is an operation that touches so many bytes faster if it writes its result past the cache? */
bool passes_cache(const lun_device *device, size_t touched);

#endif
