/* Failures: which operations failed on the device, what caused it, and who has been informed. */
#pragma once

#include "flow/queue.h"

#define FAULT_TEXT 200

/* A range of serials of one queue that failed: an operation and those enqueued behind it. Operations of another
 * queue that failed because they waited for these have a record of their own, which names this one as its cause. */
typedef struct failure {
    lun_queue *queue;
    uint64_t first, last;
    cl_int code;
    const char *op;        /* the operation that failed first */
    bool fault;            /* by a verdict: what is behind it in its queue, or waits for it, is as good as ever */
    char text[FAULT_TEXT]; /* what the verdict said; "" in a record with a cause */
    bool given;            /* an error with this failure was given to a host; of a record with a cause see the cause */
    bool reported; /* failure_report has given it, or need not any more; of a record with a cause see the cause */
    bool needed;   /* set by failures_sweep: a block or another record refers to this one */
    struct failure *cause; /* never has a cause itself; NULL: this failure has none on another queue */
    tickets after;         /* of other queues, which these should have waited for, but perhaps did not */
    struct failure *next;
} failure;

/* The record that covers a ticket, NULL if no failure of it is known so far. */
failure *queue_failure(const lun_queue *queue, uint64_t serial);
lun_status fail_command(lun_error *err, failure *failed); /* LUN_FAILED with the failure's message */
/* Adds the other record's `after` to the record's: what must wait for both will then find all in one. */
void failure_join(failure *record, const failure *other);
/* Records that an operation was cut short: some of its commands were enqueued, then the driver refused one. Its
 * caller gets that error, which has the code (0: none of OpenCL's), so the record counts as reported. Serial 0: no
 * command was enqueued, but the outputs are lost all the same. NULL: out of host memory. */
failure *failure_note_refusal(lun_queue *queue, uint64_t serial, const char *op, cl_int code);
/* Waits for an operation; LUN_FAILED when it has failed, or counts as failed because an earlier one has. */
lun_status failure_check(lun_queue *queue, uint64_t serial, lun_error *err);
/* Did something change since failures_drop, and is no operation under way, and no event with a host? */
bool failures_may_go(lun_device *device);
void failures_unneed(lun_device *device); /* marks all records as not needed; what is needed failure_need then says */
void failure_need(failure *record);       /* marks the record and its cause as needed */
/* Forgets the records that are not needed, but keeps for failure_report those that it has not reported: all that nobody has been
 * reported, and of the others the newest ones. */
void failures_drop(lun_device *device);
