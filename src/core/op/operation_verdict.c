/* Verdicts of operations, reset before their kernels and read after them, and the verdicts of the operations whose
 * results they read. */
#include "base/error.h"
#include "device/device.h"
#include "op/plan.h"

#include <stdlib.h>

/* ---- its own verdict -------------------------------------------------------------------------------------------- */

static lun_status hold_verdict(operation *op, verdict *taken, lun_error *err)
{
    hold *entry = malloc(sizeof *entry);
    if (!entry) {
        verdict_let_go(taken);
        return fail(err, LUN_NO_MEMORY, "out of host memory for an operation's record");
    }
    *entry = (hold){taken, verdict_let_go, op->holds};
    op->holds = entry;
    op->verdict = taken;
    return LUN_OK;
}

lun_status plan_verdict(plan *p, verdict_words *words, int64_t limit, lun_error *err)
{
    operation *op = p->op;
    verdict *taken;
    if (op->verdict)
        return LUN_OK;
    TRY(verdict_take(&taken, op->device, words, limit, err));
    const bool clean = taken->clean;
    taken->clean = false; /* until slot_judge has checked that its words are 0: the kernels may be incomplete */
    TRY(hold_verdict(op, taken, err));
    if (!clean) {
        TRY(plan_copy(p, verdict_memory(taken), verdict_offset(taken), verdict_memory(taken), verdict_zero_offset(),
                      sizeof(lun_verdict), err));
    }
    return LUN_OK;
}

static cl_int call_read(cl_command_queue queue, const void *data, cl_uint wait_count, const cl_event *waits,
                        cl_event *event)
{
    const verdict *v = data;
    return clEnqueueReadBuffer(queue, verdict_memory(v), CL_FALSE, verdict_offset(v), sizeof(lun_verdict),
                               verdict_seen(v), wait_count, waits, event);
}

lun_status operation_read_verdict(operation *op, lun_error *err)
{
    static const enqueuer reader = {.name = "clEnqueueReadBuffer", .call = call_read};
    return operation_enqueue(op, &reader, op->verdict, operation_has_events(op), err);
}

/* ---- what it reads ---------------------------------------------------------------------------------------------- */

lun_status operation_find_unjudged(operation *op, lun_error *err)
{
    bool fits = true;
    for (unsigned i = 0; i < op->use_count; i++) {
        const operation_use *use = &op->uses[i];
        if (use->read)
            fits = block_unjudged(&op->unjudged, use->block, use->from, use->to) && fits;
    }
    return fits ? LUN_OK : fail(err, LUN_NO_MEMORY, "out of host memory for an operation's record");
}

bool operation_is_unjudged(const operation *op)
{
    bool open = false;
    for (unsigned i = 0; i < op->unjudged.count; i++)
        open = open || !queue_has_ended(op->unjudged.of[i].queue, op->unjudged.of[i].serial);
    return open;
}
