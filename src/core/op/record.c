/* The reports of operations to a recording. */
#include "op/operation.h"

void operation_record_command(const operation *op, const enqueuer *by, const void *command, cl_event event, bool waits,
                              double start)
{
    const bool timed = event && !op->at_once;
    recording_command(op->device, &(recorded_command){.operation = op->name,
                                                      .command = by->says,
                                                      .kernel = by->kernel ? by->kernel(command) : NULL,
                                                      .event = timed ? event : NULL,
                                                      .queue = op->at_once ? RECORDED_AT_ONCE : queue_index(op->queue),
                                                      .waits = waits,
                                                      .start = start});
    if (by->blocks && timed)
        recording_waited(op->device, op->name, start);
}

void operation_record_ticket(const operation *op, uint64_t serial)
{
    recording_ticket(&op->recorded, op->device, queue_index(op->queue), serial);
    for (unsigned i = 0; i < op->after.count; i++)
        if (op->after.of[i].queue != op->queue)
            recording_edge(&op->recorded, op->device, queue_index(op->after.of[i].queue), op->after.of[i].serial);
}

/* Bytes from the first to the last element of what the operation reads and writes. */
static uint64_t bytes_of(const operation *op)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < op->use_count; i++)
        bytes += (op->uses[i].to - op->uses[i].from) * ((size_t)op->uses[i].read + op->uses[i].write);
    return bytes;
}

void operation_record_end(operation *op) { recording_call_end(&op->recorded, op->device, op->name, bytes_of(op)); }
