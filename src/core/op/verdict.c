/* Verdicts of operations, reset before their kernels and read behind them, and doubts about results that an operation
 * reads. */
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
    lun_status status = LUN_OK;
    operation *op = p->op;
    verdict *taken;
    if (op->verdict)
        return LUN_OK;
    TRY(verdict_take(&taken, op->device, words, limit, err));
    const bool clean = taken->clean;
    taken->clean = false; /* until slot_judge has seen its words to be 0: the kernels may be cut short */
    TRY(hold_verdict(op, taken, err));
    if (!clean) {
        const bool before = p->scratch_only;
        p->scratch_only = true;
        TRY(plan_copy(p, verdict_memory(taken), verdict_offset(taken), verdict_memory(taken), verdict_zero_offset(),
                      sizeof(lun_verdict), err));
        p->scratch_only = before;
    }
done:
    return status;
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
    static const enqueuer reader = {"clEnqueueReadBuffer", call_read};
    return operation_enqueue(op, &reader, op->verdict, operation_has_events(op), err);
}

/* ---- doubts ----------------------------------------------------------------------------------------------------- */

lun_status operation_find_doubts(operation *op, lun_error *err)
{
    lun_status status = LUN_OK;
    for (unsigned i = 0; i < op->use_count; i++) {
        const operation_use *use = &op->uses[i];
        if (use->read)
            TRY(block_doubts(&op->doubts, use->block, use->from, use->to, err));
    }
done:
    return status;
}

bool operation_in_doubt(const operation *op)
{
    bool open = false;
    for (const doubt *each = op->doubts; each; each = each->next)
        open = open || !queue_has_ended(queue_at(op->device, each->queue), each->serial);
    return open;
}
