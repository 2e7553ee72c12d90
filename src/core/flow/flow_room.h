/* What flow/ keeps of a device: for flow/ alone. */
#pragma once

#include "flow/failure.h"
#include "flow/queue_room.h"

struct flow {
    flow_facts facts;
    lun_queue queues[DEVICE_QUEUES]; /* places; a queue opens when it is needed */
    struct waker *waker;
    struct watcher *watcher;              /* NULL until a descriptor is asked for */
    struct watch *watches;                /* the spare ones */
    size_t watches_spare, watches_looked; /* how many are spare; how many the last trimming left */
    int watch_reserve;                    /* a descriptor that trimming needs for a moment; 0: none is held */
    failure *to_report;                   /* those that nothing refers to any more, and no host has been informed of */
    uint64_t swept;                       /* failures_seen at the last sweep */
    uint64_t events;                      /* how many hosts hold */
    struct verdicts *verdicts;            /* NULL until an operation needs one */
    struct flags *flags;                  /* NULL: the device needs none, or no memory was left for them */
    uint64_t looks;                       /* how many times queue_reap has looked what has ended */
    /* A host has asked for operations side by side. None is silent from then on: a waiter for a silent operation
     * waits for those behind it too, and so could not run beside them. */
    bool overlaps;
};

static inline flow *flow_of(const lun_device *device) { return device->parts[PART_flow]; }

void queues_stop(lun_device *device); /* waits for their commands */
void verdicts_free(lun_device *device);
void failures_free(lun_device *device);
