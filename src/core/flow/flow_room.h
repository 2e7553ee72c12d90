/* The part of flow/ in a device: only for flow/. */
#pragma once

#include "flow/failure.h"
#include "flow/queue_room.h"

struct flow {
    flow_facts facts;
    lun_queue queues[DEVICE_QUEUES]; /* places; a queue is opened when it is needed */
    struct waker *waker;
    struct watcher *watcher;              /* NULL until a descriptor is asked for */
    struct watch *watches;                /* the spare ones */
    size_t watches_spare, watches_looked; /* the number of spare ones, and the number left by the last trimming */
    int watch_reserve;                    /* a descriptor that trimming needs for a moment; 0: none is held */
    failure *to_report;                   /* records that are no longer referenced, but not reported yet */
    uint64_t swept;                       /* failures_seen at the last sweep */
    uint64_t events;                      /* how many hosts hold */
    struct verdicts *verdicts;            /* NULL until an operation needs one */
    struct flags *flags;                  /* NULL: the device needs none, or no memory was left for them */
    uint64_t looks;                       /* how many times queue_reap has checked which operations have ended */
    /* A host has requested concurrent operations. From then on none is silent: a waiter for a silent operation also
     * waits for those after it, and so could not run concurrently with them. */
    bool overlaps;
};

static inline flow *flow_of(const lun_device *device) { return device->parts[PART_flow]; }

void queues_stop(lun_device *device); /* waits for their commands */
void verdicts_free(lun_device *device);
void failures_free(lun_device *device);
