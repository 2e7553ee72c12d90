/* Failures: which operations failed on the device, the causes, and which failures were reported. */
#include "flow/failure.h"
#include "base/error.h"
#include "device/device.h"
#include "flow/failure_room.h"
#include "flow/flow_room.h"

#include <stdio.h>
#include <stdlib.h>

static bool covers(const failure *record, const lun_queue *queue, uint64_t serial)
{
    return record->queue == queue && record->first <= serial && serial <= record->last;
}

failure *queue_failure(const lun_queue *queue, uint64_t serial)
{
    failure *found = queue->flow->facts.failures;
    while (found && !covers(found, queue, serial))
        found = found->next;
    return found;
}

failure *queue_command_failure(const lun_queue *queue, uint64_t serial)
{
    failure *found = queue->flow->facts.failures;
    while (found && (found->fault || !covers(found, queue, serial)))
        found = found->next;
    return found;
}

static failure *origin(failure *record) { return record->cause ? record->cause : record; }

static lun_status describe(lun_error *err, failure *failed)
{
    err->status = LUN_FAILED;
    err->code =
        failed->code == -1 ? 0 : failed->code; /* PoCL gives -1 for any reason, not for OpenCL's "device not found" */
    snprintf(err->op, sizeof err->op, "%s", failed->op);
    if (failed->fault) {
        snprintf(err->message, sizeof err->message, "%s: %s", failed->op, origin(failed)->text);
        return LUN_FAILED;
    }
    if (err->code == 0) {
        snprintf(err->message, sizeof err->message, "%s failed on the device; the driver does not say why", failed->op);
        return LUN_FAILED;
    }
    snprintf(err->message, sizeof err->message, "%s failed on the device: %s (%d): %s", failed->op,
             lun_error_name(failed->code), failed->code, error_meaning(failed->code));
    return LUN_FAILED;
}

lun_status fail_command(lun_error *err, failure *failed)
{
    origin(failed)->given = true;
    return describe(err, failed);
}

void failure_tell(char *text, size_t room, failure *failed)
{
    lun_error err;
    (void)describe(&err, failed);
    snprintf(text, room, "the other device: %s", err.message);
}

/* Reaping a producer's queue may call this function again for the producer's slot. The recursion ends, because an
 * operation only waits for operations enqueued before it, and each queue is reaped only up to the producer. */
failure *failure_of_producers(const slot *entry)
{
    for (unsigned i = 0; i < entry->after.count; i++) {
        const ticket *each = &entry->after.of[i];
        queue_reap_until(each->queue, each->serial);
        failure *found = queue_command_failure(each->queue, each->serial);
        if (found)
            return origin(found);
    }
    return NULL;
}

/* ---- doomed operations ------------------------------------------------------------------------------------------ */

/* The first operation of each queue that is doomed, as an operation that it waits for failed or is doomed itself. */
typedef struct fates {
    uint64_t lost[DEVICE_QUEUES]; /* its serial; UINT64_MAX: no operation is known to be */
} fates;

static bool waits_for_lost(const lun_queue *queue, const slot *entry, const fates *so_far)
{
    for (unsigned i = 0; i < entry->after.count; i++) {
        const ticket *each = &entry->after.of[i];
        if ((each->queue->flow == queue->flow && each->serial >= so_far->lost[each->queue->index]) ||
            queue_command_failure(each->queue, each->serial))
            return true;
    }
    return false;
}

/* True when the queue's first doomed operation is an older one than was known. */
static bool find_lost(lun_queue *queue, fates *so_far)
{
    for (uint64_t serial = queue->done + 1; serial < queue->next && serial < so_far->lost[queue->index]; serial++)
        if (waits_for_lost(queue, slot_of(queue, serial), so_far)) {
            so_far->lost[queue->index] = serial;
            return true;
        }
    return false;
}

bool failure_is_due(lun_queue *queue, uint64_t serial)
{
    lun_device *device = queue->device;
    fates known;
    bool more = flow_of(device)->facts.failures != NULL;
    for (unsigned i = 0; i < DEVICE_QUEUES; i++) {
        known.lost[i] = UINT64_MAX;
        queue_reap(queue_at(device, i));
    }
    while (more) {
        more = false;
        for (unsigned i = 0; i < DEVICE_QUEUES; i++)
            more = find_lost(queue_at(device, i), &known) || more;
    }
    return serial >= known.lost[queue->index];
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* If host memory is short, a ticket is left out, because the error could not be reported. */
void failure_join(failure *record, const failure *other) { (void)tickets_raise_all(&record->after, &other->after); }

/* Adds to the record's `after` the operations that this one waits for, and those that its failed producers should have
 * waited for: if the producers have not waited, this operation has not either. */
static void note_producers(failure *record, const slot *entry)
{
    for (unsigned i = 0; i < entry->after.count; i++) {
        const failure *failed = queue_command_failure(entry->after.of[i].queue, entry->after.of[i].serial);
        if (failed && failed != record)
            failure_join(record, failed);
    }
    (void)tickets_raise_all(&record->after, &entry->after);
}

static void free_record(failure *record)
{
    tickets_clear(&record->after);
    free(record);
}

static void add(flow *own, failure *fresh)
{
    fresh->next = own->facts.failures;
    own->facts.failures = fresh;
    own->facts.failures_seen++;
}

/* Operations after a failed one, and operations on other queues that wait for it, fail with it: the host gets one
 * failure, not many. The code does not show which came first: PoCL returns -1 for any reason, and NVIDIA's driver
 * passes on the code of the first. */
void failure_note(lun_queue *queue, const slot *entry, const char *op, cl_int code)
{
    failure *before = entry->serial > queue->since ? queue_command_failure(queue, entry->serial - 1) : NULL;
    failure *cause = before ? origin(before) : failure_of_producers(entry);
    queue->broken = queue->failing = true;
    if (cause && before) {
        before->last = entry->serial;
        note_producers(before, entry);
        return;
    }
    failure *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return; /* without a record the status of the operation's event still shows */
    *fresh = (failure){.queue = queue,
                       .first = entry->serial,
                       .last = entry->serial,
                       .code = cause ? cause->code : code,
                       .op = cause ? cause->op : op,
                       .cause = cause};
    note_producers(fresh, entry);
    add(queue->flow, fresh);
}

void failure_note_fault(lun_queue *queue, const slot *entry, failure *cause, const char *text)
{
    failure *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return; /* the failure will not be reported, because host memory is short */
    *fresh = (failure){.queue = queue,
                       .first = entry->serial,
                       .last = entry->serial,
                       .op = cause ? cause->op : entry->op,
                       .fault = true,
                       .cause = cause ? origin(cause) : NULL};
    snprintf(fresh->text, sizeof fresh->text, "%s", cause ? "" : text);
    add(queue->flow, fresh);
}

failure *failure_note_refusal(lun_queue *queue, uint64_t serial, const char *op, cl_int code)
{
    failure *record = calloc(1, sizeof *record);
    if (!record)
        return NULL;
    *record = (failure){.queue = queue,
                        .first = serial,
                        .last = serial,
                        .op = op,
                        .code = code != CL_SUCCESS ? code : CL_OUT_OF_RESOURCES,
                        .reported = true};
    add(queue->flow, record);
    return record;
}

/* The oldest unreported failure of the queue (NULL: of any queue) that concerns its present owner. Lists begin with the
 * newest. */
static failure *oldest_unreported(failure *list, const lun_queue *queue)
{
    failure *oldest = NULL;
    for (failure *each = list; each; each = each->next)
        if (!origin(each)->reported && (!queue || (each->queue == queue && each->last >= queue->owned)))
            oldest = origin(each);
    return oldest;
}

lun_status failure_report(lun_device *device, const lun_queue *queue, lun_error *err)
{
    const flow *own = flow_of(device);
    failure *oldest = oldest_unreported(own->to_report, queue);
    if (!oldest)
        oldest = oldest_unreported(own->facts.failures, queue);
    if (!oldest)
        return LUN_OK;
    oldest->reported = true;
    failures_changed(device);
    return fail_command(err, oldest);
}

/* ---- forgetting ------------------------------------------------------------------------------------------------- */

static bool is_idle(lun_device *device)
{
    bool idle = flow_of(device)->events == 0;
    for (unsigned i = 0; i < DEVICE_QUEUES && idle; i++)
        idle = queue_is_idle(queue_at(device, i));
    return idle;
}

bool failures_may_go(lun_device *device)
{
    const flow *own = flow_of(device);
    return own->facts.failures && own->swept != own->facts.failures_seen && is_idle(device);
}

void failures_unneed(lun_device *device)
{
    for (failure *each = flow_of(device)->facts.failures; each; each = each->next)
        each->needed = false;
}

void failure_need(failure *record)
{
    record->needed = true;
    if (record->cause)
        record->cause->needed = true;
}

/* Frees the reported records of a list: those that have a cause, or those that have none. */
static void free_reported(failure **list, bool with_cause)
{
    for (failure **link = list; *link;) {
        failure *record = *link;
        if (origin(record)->reported && (record->cause != NULL) == with_cause) {
            *link = record->next;
            free_record(record);
        } else {
            link = &record->next;
        }
    }
}

#define MOST_GIVEN 64 /* records that are kept to be reported although a host was given them */

/* Marks the older records whose failures a host has got as reported. */
static void forget_given(failure *list)
{
    size_t count = 0;
    for (failure *each = list; each; each = each->next)
        if (!each->cause && each->given && !each->reported && ++count > MOST_GIVEN)
            each->reported = true;
}

void failures_drop(lun_device *device)
{
    flow *own = flow_of(device);
    failure *moved = NULL, **last = &moved;
    for (failure **link = &own->facts.failures; *link;) {
        failure *record = *link;
        if (record->needed) {
            link = &record->next;
            continue;
        }
        *link = record->next;
        record->next = NULL;
        *last = record;
        last = &record->next;
    }
    *last = own->to_report; /* behind the newer ones */
    own->to_report = moved;
    forget_given(moved);
    free_reported(&own->to_report, true); /* freed before their causes, which origin() reads */
    free_reported(&own->to_report, false);
    own->swept = own->facts.failures_seen;
}

lun_status failure_check(lun_queue *queue, uint64_t serial, lun_error *err)
{
    lun_status status = LUN_OK;
    bool done;
    TRY(queue_wait(&done, queue, serial, -1, err));
    failure *failed = queue_failure(queue, serial);
    if (failed)
        status = fail_command(err, failed);
    return status;
}

static void free_list(failure *list)
{
    while (list) {
        failure *next = list->next;
        free_record(list);
        list = next;
    }
}

void failures_free(lun_device *device)
{
    free_list(flow_of(device)->facts.failures);
    free_list(flow_of(device)->to_report);
}
