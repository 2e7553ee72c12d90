/* Verdicts: their memory, and the consequences of a bad one. */
#include "flow/verdict.h"
#include "base/error.h"
#include "device/context.h"
#include "device/device.h"
#include "device/pinned.h"
#include "flow/failure_room.h"
#include "flow/flow_room.h"
#include "flow/verdict_room.h"

#include <stdlib.h>

/* ---- their memory ----------------------------------------------------------------------------------------------- */

/* Every ticket may have one, and so may an operation without a ticket yet. */
#define VERDICTS (DEVICE_QUEUES * QUEUE_RING + 1)
#define ZERO VERDICTS /* the place of the words that stay 0 */

struct verdicts {
    cl_mem mem;
    pinned *seen; /* where the words are read to */
    verdict *unused;
    verdict each[VERDICTS];
};

static lun_status create(struct verdicts *self, lun_device *device, lun_error *err)
{
    const size_t bytes = (VERDICTS + 1) * sizeof(lun_verdict);
    FREED void *zeros = NEW(1, bytes, "the verdicts of a device");
    TRY(context_buffer(&self->mem, device, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, err));
    TRY(pinned_create(&self->seen, device, bytes, err));
    /* With NVIDIA's driver the first read to new host memory waits for all running kernels, and later reads do not.
     * That first read is made here, so that no operation's end waits for the kernels of others. */
    TRY(pinning_read(self->seen->data, device, self->mem, bytes, err));
    for (unsigned i = 0; i < VERDICTS; i++) {
        self->each[i] = (verdict){.all = self, .place = i, .clean = true, .next = self->unused};
        self->unused = &self->each[i];
    }
    return LUN_OK;
}

static void destroy(struct verdicts *self, lun_device *device)
{
    if (self->seen)
        pinned_free(self->seen, device);
    if (self->mem)
        clReleaseMemObject(self->mem);
    free(self);
}

void verdicts_free(lun_device *device)
{
    if (flow_of(device)->verdicts)
        destroy(flow_of(device)->verdicts, device);
}

lun_status verdict_take(verdict **out, lun_device *device, verdict_words *words, int64_t limit, lun_error *err)
{
    lun_status status = LUN_OK;
    struct verdicts *made = NULL;
    flow *own = flow_of(device);
    TRY_DONE(device_open(device, err));
    if (!own->verdicts) {
        made = NEW_DONE(1, sizeof *made, "the verdicts of a device");
        TRY_DONE(create(made, device, err));
        own->verdicts = made;
    }
    verdict *taken = own->verdicts->unused;
    if (!taken)
        FAIL_DONE(LUN_NO_MEMORY, "too many operations whose ends the driver does not report");
    own->verdicts->unused = taken->next;
    taken->words = words;
    taken->limit = limit;
    *out = taken;
done:
    if (status != LUN_OK && made)
        destroy(made, device);
    return status;
}

void verdict_let_go(void *what)
{
    verdict *self = what;
    self->next = self->all->unused;
    self->all->unused = self;
}

cl_mem verdict_memory(const verdict *self) { return self->all->mem; }
size_t verdict_offset(const verdict *self) { return self->place * sizeof(lun_verdict); }
size_t verdict_zero_offset(void) { return ZERO * sizeof(lun_verdict); }
lun_verdict *verdict_seen(const verdict *self) { return (lun_verdict *)self->all->seen->data + self->place; }

/* ---- judging ---------------------------------------------------------------------------------------------------- */

/* The operation may have read what a failed one should have written, also on another device: that failure is then also
 * its own. */
static bool find_cause(failure **cause, const lun_queue *queue, const slot *entry)
{
    *cause = NULL;
    for (unsigned i = 0; i < entry->unjudged.count; i++) {
        const ticket *each = &entry->unjudged.of[i];
        each->queue->flow->looks += each->queue->flow != queue->flow; /* to another device this is a new look */
        queue_reap_until(each->queue, each->serial);
        if (!queue_has_ended(each->queue, each->serial))
            return false;
        failure *found = queue_failure(each->queue, each->serial);
        *cause = *cause ? *cause : found;
    }
    return true;
}

bool slot_judge(lun_queue *queue, slot *entry)
{
    char text[FAULT_TEXT] = "";
    failure *cause;
    if (!find_cause(&cause, queue, entry))
        return false;
    const lun_verdict *seen = entry->verdict ? verdict_seen(entry->verdict) : NULL;
    if (entry->verdict)
        entry->verdict->clean = !seen->found;
    if (seen && seen->found && !cause && entry->verdict->words)
        entry->verdict->words(text, sizeof text, seen, entry->verdict->limit);
    if (cause && cause->queue->device != queue->device) { /* whose record is freed when that device drops it */
        failure_tell(text, sizeof text, cause);
        cause = NULL;
    }
    if (cause || text[0])
        failure_note_fault(queue, entry, cause, text);
    return true;
}

void slot_settle(lun_queue *queue, slot *entry)
{
    if (slot_is_unjudged(entry))
        queue->flow->facts.unjudged--;
    entry->verdict = NULL; /* the slot's hold returns it */
    tickets_clear(&entry->unjudged);
}
