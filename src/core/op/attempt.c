/* Attempts: the steps around a call of the core, in which its host collects garbage, allows interrupts, calls again or
 * raises an error. */
#include "base/error.h"
#include "device/device.h"

typedef enum stage {
    STAGE_BEGIN,
    STAGE_COLLECTED, /* before the call: memory in use exceeds the device's threshold */
    STAGE_ROOM,
    STAGE_CALLED,
    STAGE_DRAIN /* after a call that found no memory: drivers hold released memory until its commands have ended */
} stage;

static void init(lun_attempt *out, lun_device *device)
{
    out->status = LUN_OK;
    out->more = out->retried = out->waits = out->enqueues = false;
    out->device = device;
    out->queue = NULL;
    out->staging = 0;
    out->stage = STAGE_BEGIN;
}

void lun_attempt_start(lun_attempt *out, lun_device *device) { init(out, device); }

void lun_attempt_enqueue(lun_attempt *out, lun_device *device, const lun_call *call)
{
    init(out, device);
    out->enqueues = true;
    out->queue = call ? call->queue : NULL;
}

static lun_step let_call(lun_attempt *t)
{
    t->stage = STAGE_CALLED;
    t->more = false;
    return LUN_STEP_CALL;
}

/* Waits for room in the queue and for staging memory. The first check does not wait. */
static lun_step await_room(lun_attempt *t)
{
    bool room = true;
    const double seconds = t->waits ? LUN_SLICE : 0;
    t->stage = STAGE_ROOM;
    t->waits = true;
    if (t->enqueues)
        t->status = lun_queue_room(&room, t->device, t->queue, seconds, &t->err);
    if (t->status == LUN_OK && room && t->staging)
        t->status = lun_staging_room(&room, t->device, t->staging, seconds, &t->err);
    if (t->status != LUN_OK)
        return LUN_STEP_RAISE;
    return room ? let_call(t) : LUN_STEP_INTERRUPTS;
}

static lun_step begin(lun_attempt *t)
{
    if (!t->device || !lun_device_wants_collection(t->device))
        return await_room(t);
    t->stage = STAGE_COLLECTED;
    return LUN_STEP_COLLECT;
}

static lun_step after_call(lun_attempt *t)
{
    if (t->status == LUN_OK) {
        t->stage = STAGE_ROOM;
        t->waits = false;
        return t->more ? LUN_STEP_INTERRUPTS : LUN_STEP_DONE;
    }
    if (t->status != LUN_NO_MEMORY || t->retried || !t->device)
        return LUN_STEP_RAISE;
    t->retried = true;
    t->stage = STAGE_DRAIN;
    return LUN_STEP_COLLECT;
}

/* Empties the queues. A command that failed is reported by a later call. */
static lun_step drain(lun_attempt *t)
{
    lun_error ignored;
    bool done = false;
    if (lun_device_drain(&done, t->device, LUN_SLICE, &ignored) == LUN_OK && !done)
        return LUN_STEP_INTERRUPTS;
    lun_device_trim(t->device);
    return let_call(t);
}

lun_step lun_attempt_next(lun_attempt *t)
{
    switch ((stage)t->stage) {
    case STAGE_BEGIN:
        return begin(t);
    case STAGE_COLLECTED:
        lun_device_collected(t->device);
        return await_room(t);
    case STAGE_ROOM:
        return await_room(t);
    case STAGE_CALLED:
        return after_call(t);
    case STAGE_DRAIN:
        return drain(t);
    }
    return LUN_STEP_RAISE;
}
