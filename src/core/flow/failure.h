/* Failures: which operations failed on the device, what caused it, and who has been told. */
#ifndef LUN_FLOW_FAILURE_H
#define LUN_FLOW_FAILURE_H

#include "flow/queue.h"

/* A range of serials that failed: the operation that failed and what was enqueued behind it. What failed on another
 * queue since it waited for these has a record of its own, with this one as its cause. */
typedef struct failure {
    unsigned queue;
    uint64_t first, last;
    cl_int code;
    const char *op;
    bool reported;                 /* meaningful without a cause */
    bool needed;                   /* something still refers to it: failures_sweep */
    struct failure *cause;         /* NULL: itself */
    uint64_t after[DEVICE_QUEUES]; /* what they were to wait for on other queues, and may not have waited for */
    struct failure *next;
} failure;

/* The failure that covers a ticket, NULL if none is known so far. */
failure *queue_failure(const lun_device *device, unsigned queue, uint64_t serial);
lun_status fail_command(lun_error *err, const failure *failed); /* LUN_FAILED with its message */
/* Whoever is to wait for what the record waited for is to wait for the same of the other. */
void failure_join(failure *record, const failure *other);
/* Some commands of an operation were enqueued, then one was refused, which its caller has been told. Serial 0: none was,
 * and its outputs are lost all the same. NULL if there is no memory. */
failure *failure_note_refusal(lun_queue *queue, uint64_t serial, const char *op);
/* Waits for a command; LUN_FAILED when it, or something that wrote what it used, has failed. */
lun_status failure_check(lun_queue *queue, uint64_t serial, lun_error *err);
/* Something still refers to that failure, and to its cause. */
void failure_need(failure *record);
/* Drops the failures that are not needed; those that nobody has been told of stay to be reported. */
void failures_drop(lun_device *device);
void failures_free(lun_device *device);

#endif
