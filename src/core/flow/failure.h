/* Failures: which operations failed on the device, the causes, and which failures were reported. */
#pragma once

#include "flow/queue.h"

#define FAULT_TEXT 200

/* A range of serials of one queue that failed: an operation and those enqueued after it. Operations of another queue
 * that failed because they waited for these have their own record, with this one as the cause. */
typedef struct failure {
    lun_queue *queue;
    uint64_t first, last;
    cl_int code;
    const char *op;        /* the operation that failed first */
    bool fault;            /* failed by a verdict: operations after it in its queue, or waiting for it, are not
                            * affected */
    char text[FAULT_TEXT]; /* what the verdict said; "" in a record with a cause */
    bool given;            /* a host has got an error with this failure; for a record with a cause see the cause */
    bool reported; /* failure_report has reported it, or no longer needs to; for a record with a cause see the cause */
    bool needed;   /* set by failures_sweep: a block or another record refers to this one */
    struct failure *cause; /* never has a cause itself; NULL: no cause on another queue */
    tickets after;         /* operations of other queues that these should have waited for, but perhaps did not */
    struct failure *next;
} failure;

/* The record that covers a ticket, NULL if no failure of it is known so far. */
failure *queue_failure(const lun_queue *queue, uint64_t serial);
lun_status fail_command(lun_error *err, failure *failed); /* LUN_FAILED with the failure's message */
/* Adds the other record's `after` to the record's, so that one list suffices for both. */
void failure_join(failure *record, const failure *other);
/* Records that an operation is incomplete: some of its commands were enqueued, then the driver refused one. The caller
 * gets that error with the code (0: not an error of OpenCL), so the record counts as reported. Serial 0: no command was
 * enqueued, but the outputs are lost all the same. NULL: out of host memory. */
failure *failure_note_refusal(lun_queue *queue, uint64_t serial, const char *op, cl_int code);
/* Waits for an operation; LUN_FAILED if it has failed, or counts as failed because an earlier one has. */
lun_status failure_check(lun_queue *queue, uint64_t serial, lun_error *err);
/* Has something changed since failures_drop, while no operation is in progress and no host holds an event? */
bool failures_may_go(lun_device *device);
void failures_unneed(lun_device *device); /* marks all records as not needed, before failure_need marks the needed
                                           * ones */
void failure_need(failure *record);       /* marks the record and its cause as needed */
/* Frees the records that are not needed, but keeps unreported ones for failure_report: all whose errors no host has
 * got, and the newest of the others. */
void failures_drop(lun_device *device);
