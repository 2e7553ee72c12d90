/* Flags: words of host memory that the device writes after its commands, to show that they have ended.
 *
 * Why: NVIDIA's driver reports the ends of commands in the order in which they were enqueued, across all queues. A
 * short command that has ended seems to run as long as an older, long command on another queue. So a waiter enqueues a
 * read of a number to the host after the queue's operations (flag_ask), and checks that word as well as the event. */
#include "flow/flag.h"
#include "base/error.h"
#include "device/context.h"
#include "device/device.h"
#include "device/pinned.h"
#include "flow/flow_room.h"

#include <stdlib.h>

#define NUMBERS 1024 /* a queue's flags have the numbers 1 .. NUMBERS in turn */
#define LINE 16      /* the words read for a flag, a cache line, of which the first is the number */

struct flags {
    cl_mem numbers; /* on the device: lines that begin with 0 .. NUMBERS */
    pinned *words;  /* on the host: a line for each queue, which begins with the number of the last flag reached */
};

static bool is_of_use(const lun_device *device)
{
#ifdef LUN_FAULTS
    return device != NULL;
#else
    return device->nvidia != 0;
#endif
}

static lun_status create(struct flags *self, lun_device *device, lun_error *err)
{
    const size_t line = LINE * sizeof(cl_uint);
    FREED cl_uint *numbers = NEW(NUMBERS + 1, line, "the flags of a device's queues");
    for (cl_uint i = 0; i <= NUMBERS; i++)
        numbers[i * LINE] = i;
    TRY(context_buffer(&self->numbers, device, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, (NUMBERS + 1) * line, numbers,
                       err));
    TRY(pinned_create(&self->words, device, DEVICE_QUEUES * line, err));
    /* Sets all words to 0. With NVIDIA's driver the first read to new host memory waits for all running kernels, so
     * that read is made here, not after an operation. */
    for (unsigned i = 0; i < DEVICE_QUEUES; i++)
        TRY(pinning_read((char *)self->words->data + i * line, device, self->numbers, line, err));
    return LUN_OK;
}

static void destroy(struct flags *self, lun_device *device)
{
    if (self->words)
        pinned_free(self->words, device);
    if (self->numbers)
        clReleaseMemObject(self->numbers);
    free(self);
}

void flags_prepare(lun_device *device)
{
    lun_error ignored;
    flow *own = flow_of(device);
    if (own->flags || !is_of_use(device))
        return;
    struct flags *made = calloc(1, sizeof *made);
    if (made && create(made, device, &ignored) == LUN_OK)
        own->flags = made;
    else if (made)
        destroy(made, device);
}

void flags_free(lun_device *device)
{
    if (flow_of(device)->flags)
        destroy(flow_of(device)->flags, device);
}

static volatile cl_uint *word_of(const lun_queue *queue)
{
    return (volatile cl_uint *)queue->flow->flags->words->data + queue->index * LINE;
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

static bool others_at_work(lun_queue *queue)
{
    bool at_work = false;
    for (unsigned i = 0; i < DEVICE_QUEUES; i++) {
        lun_queue *other = &queue->flow->queues[i];
        if (other == queue)
            continue;
        queue_reap(other);
        at_work = at_work || queue_has_work(other);
    }
    return at_work;
}

/* Such an operation can fail while its queue continues: the flag after it would then be reached, and report success. */
static bool waits_for_others(lun_queue *queue)
{
    bool waits = false;
    for (uint64_t serial = queue->done + 1; serial < queue->next; serial++)
        waits = waits || slot_waits(queue, slot_of(queue, serial));
    return waits;
}

bool ends_show_late(lun_queue *queue) { return queue->flow->flags && others_at_work(queue); }

void flag_ask(lun_queue *queue)
{
    const flow *own = queue->flow;
    const uint64_t newest = queue->next - 1;
    const size_t line = LINE * sizeof(cl_uint);
    if (!own->flags || own->facts.failures || queue->broken || newest <= queue->flagged || fault_gated())
        return;
    queue_reap(queue);
    if (newest <= queue->done || !others_at_work(queue) || waits_for_others(queue))
        return;
    cl_uint number = queue->flag % NUMBERS + 1;
    if (clEnqueueReadBuffer(queue->cl, own->flags->numbers, CL_FALSE, number * line, line, (void *)word_of(queue), 0,
                            NULL, NULL) != CL_SUCCESS)
        return;
    clFlush(queue->cl);
    queue->flag = number;
    queue->flagged = newest;
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

ending ending_of(const lun_queue *queue, uint64_t serial, cl_event event)
{
    const bool flagged = queue->flow->flags && serial <= queue->flagged;
    return (ending){event, flagged ? word_of(queue) : NULL, queue->flag};
}

/* Does the word have the ending's number or a later one? Numbers wrap around, so "later" means less than half a cycle
 * ahead: flags are never that far apart, even for a watcher that checks late. */
static bool is_reached(const ending *self)
{
    cl_uint word = self->word ? *self->word : 0;
    return word && (word + NUMBERS - self->number) % NUMBERS < NUMBERS / 2;
}

cl_int ending_state(const ending *self, cl_int *code)
{
    cl_int state = CL_QUEUED;
    *code = clGetEventInfo(self->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    return *code == CL_SUCCESS && state > CL_COMPLETE && is_reached(self) ? CL_COMPLETE : state;
}
