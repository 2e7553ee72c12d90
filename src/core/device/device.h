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

/* What the rooms have on a device, in the order in which it is closed at the device's end. The room that makes a part says how
 * it is closed. */
typedef enum device_part {
    PART_WATCHES, /* threads that wait for events */
    PART_QUEUES,  /* waits for the commands that are under way */
    PART_POOL,
    PART_STREAM,
    PART_SPARE,
    PART_FLAGS,
    PART_PINNING,
    PART_ANSWERS,
    PART_PROGRAMS,
    PART_WAKER,
    PART_FAILURES,
    PART_NAMES,
    DEVICE_PARTS
} device_part;

typedef void device_closer(lun_device *device);

struct program; /* program.c */

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
    const void *refused[32]; /* rows whose kernels its compiler has refused: room for all */
    lun_device_info info;
    char *extensions;
    lun_queue *queues[DEVICE_QUEUES]; /* places for them, made with the device; a queue opens when it is needed */
    struct waker *waker;
    struct watcher *watcher;              /* NULL until a descriptor is asked for */
    struct watch *watches;                /* spare ones */
    size_t watches_spare, watches_looked; /* how many; how many were left when they were last looked through */
    int watch_reserve;                    /* a descriptor to look through them with; 0: none */
    struct failure *failures;             /* that something may still refer to */
    struct failure *to_report;            /* that nothing refers to any more, and nobody has been told of */
    uint64_t failures_seen;               /* changes of what refers to failures, */
    uint64_t failures_swept;              /* and how many of them failures_sweep has seen */
    uint64_t events;                      /* that hosts hold */
    lun_block *blocks;                    /* all, those of the pool too */
    struct program *programs;
    char *build_log;
    struct kept_name *names; /* of user kernels, which tickets and failures outlive */
    lun_block *pool[SIZE_CLASSES];
    cl_command_queue pinning; /* maps pinned memory */
    struct pinned *spare;
    struct stream *stream;
    struct answers *answers;
    struct flags *flags; /* NULL: of no use, or not to be had */
    uint64_t looks;      /* at what has ended, so far */
    bool overlaps;       /* a host has asked for work side by side: no operation is silent from then on, so that what
                          * waits for it waits for no more */
    uint64_t live, pooled, peak, limit, default_limit, collect_at, staged, spare_bytes;
};

void device_closes(lun_device *device, device_part part, device_closer *close);
lun_status device_open(lun_device *device, lun_error *err); /* context and queue, at first use; checks the pid */
/* LUN_MISUSE where the device lacks that dtype. */
lun_status device_check_dtype(const lun_device *device, lun_dtype dtype, lun_error *err);
bool device_in_child(const lun_device *device); /* after a fork: nothing of OpenCL may be called */

/* Work-items in a group of FOR_SPREAD kernels: 1 where a work-item is a loop on a core, else 64. */
size_t device_group(const lun_device *device);
/* Bytes of the last cache that the device's cores may count on: a virtual machine sees its host's whole cache. */
size_t device_cache(const lun_device *device);
/* Is a result better written past it, where an operation touches so many bytes in all? */
bool passes_cache(const lun_device *device, size_t touched);

#endif
