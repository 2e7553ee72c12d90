/* Small operations run at once. PoCL's threads take some 50 us to wake, while its second driver has ended when the call
 * returns (device/companion.h). So such an operation has no event, no ticket and no wait: it checks for conflicting
 * uses, and records none. A command of the companion never waits for an event of the threads, because PoCL 3.1 loses
 * such commands: if the operation's memory is still in use, it runs on the threads. */
#include "op/at_once.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/companion.h"
#include "device/context.h"
#include "device/program.h"
#include "flow/failure.h"
#include "op/op_room.h"
#include "op/tuning.h"

#include <pthread.h>

/* ---- the rule --------------------------------------------------------------------------------------------------------------- */

/* waking: the work, in nanoseconds, that one core finishes as soon as the threads would, including their waking.
 * Between two waits of the host at most this much runs at once: a program that waits often gets each result soon, and
 * one that enqueues a lot keeps the threads awake, which then work in parallel with the host. */
#define COMPANION_TUNING(TUNED)                                                                                        \
    TUNED(double, waking, 40e3)                                                                                        \
    /* work that takes less than enqueueing it for the threads always runs at once */                                  \
    TUNED(double, enqueueing, 8e3)                                                                                     \
    TUNED(double, bytes, 32)  /* that one core moves in a nanosecond, for data in its caches */                        \
    TUNED(double, gain, 30e3) /* of a small operation that is done at once: the threads' waking */

DEFINE_TUNING(companion, COMPANION_TUNING, "2 cores of an AMD EPYC (AVX-512) under PoCL 3.1")

/* The companion runs a command on the thread that enqueues it, but may also run one of another thread, whose call then
 * returns early. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static bool is_able(const lun_device *device)
{
    return device_has_companion(device) && device->open && !device_in_child(device) && !failures_known(device) &&
           !fault_held();
}

static bool is_worth(companion *own, const lun_device *device, double nanoseconds)
{
    const uint64_t waits = queues_waited(device);
    if (waits != own->waits)
        own->spent = 0;
    own->waits = waits;
    if (nanoseconds <= companion_tuned(device)->enqueueing)
        return true;
    if (own->spent + nanoseconds > companion_tuned(device)->waking)
        return false;
    own->spent += nanoseconds;
    return true;
}

bool companion_may(const lun_array *array, bool write, double nanoseconds)
{
    size_t from, to;
    if (!array->block || !is_able(array->device) || nanoseconds > companion_tuned(array->device)->waking)
        return false;
    array_span(array, &from, &to);
    return block_is_quiet(array->block, from, to, write);
}

/* The event of an operation also marks the end of the work enqueued before it in the queue. */
static bool is_in_turn(const operation *op)
{
    return queue_is_open(op->queue) && lun_queue_device(op->queue) == op->device &&
           (!(op->call && op->call->event) || queue_is_idle(op->queue));
}

/* Operations whose names share a place count as one. */
static unsigned hash_name(const char *name)
{
    unsigned hash = 0;
    while (*name)
        hash = hash * 31 + (unsigned char)*name++;
    return hash % COMPANION_NAMES;
}

static bool is_possible(const operation *op)
{
    bool quiet = is_able(op->device) && !op->risky && is_in_turn(op);
    for (unsigned i = 0; i < op->use_count && quiet; i++) {
        const operation_use *use = &op->uses[i];
        quiet = block_is_quiet(use->block, use->from, use->to, use->write);
    }
    return quiet;
}

/* The companion needs its own build of kernels that the threads already have; the first program takes another 0.4 s
 * from a cold cache. So they are built only when small operations of that name have lost as much time as the build
 * costs. */
static bool is_due(const operation *op)
{
#ifdef LUN_FAULTS
    const bool patient = false;
#else
    const bool patient = !op->moves;
#endif
    double *missed = &state_of(op->device)->companion.missed[hash_name(op->name)];
    if (patient && *missed >= 0) {
        *missed += companion_tuned(op->device)->gain;
        if (*missed < 2e9 * programs_mean_seconds(op->device))
            return false;
        *missed = -1;
    }
    return true;
}

static void choose(operation *op, bool at_once)
{
    at_once = at_once && is_due(op);
    op->at_once = at_once;
    programs_for(op->device, at_once ? COMPANION_UNIT : MAIN_UNIT);
}

void operation_weigh(operation *op, double nanoseconds)
{
    op->weight = nanoseconds;
    programs_weigh(op->device, nanoseconds);
    choose(op, is_possible(op) && is_worth(&state_of(op->device)->companion, op->device, nanoseconds));
}

void operation_weigh_awaited(operation *op, double nanoseconds)
{
    op->weight = nanoseconds;
    programs_weigh(op->device, nanoseconds);
    choose(op, nanoseconds <= companion_tuned(op->device)->waking && is_possible(op));
}

double operation_bytes_weight(const operation *op)
{
    double bytes = 0;
    for (unsigned i = 0; i < op->use_count; i++)
        bytes += (double)(op->uses[i].to - op->uses[i].from);
    return bytes / companion_tuned(op->device)->bytes;
}

/* ---- doing it --------------------------------------------------------------------------------------------------------------- */

static bool is_timed(const operation *op) { return op->call && op->call->event && queue_gives_times(op->queue); }

cl_command_queue companion_queue(const operation *op) { return state_of(op->device)->companion.queues[is_timed(op)]; }

lun_status companion_begin(operation *op, lun_error *err)
{
    const bool timed = is_timed(op);
    cl_command_queue *queue = &state_of(op->device)->companion.queues[timed];
    programs_for(op->device, MAIN_UNIT);
    if (!*queue)
        TRY(context_queue(queue, op->device, COMPANION_UNIT, timed ? CL_QUEUE_PROFILING_ENABLE : 0, err));
    pthread_mutex_lock(&turn);
    op->begun = op->in_turn = true;
    return LUN_OK;
}

lun_status companion_finish(operation *op, lun_error *err)
{
    lun_status status = LUN_OK;
    CL_DONE(clFinish, companion_queue(op));
done:
    op->refusal = status != LUN_OK ? err->code : CL_SUCCESS;
    return status;
}

lun_status companion_counters(cl_mem *out, operation *op, lun_error *err)
{
    companion *own = &state_of(op->device)->companion;
    if (!own->counters)
        TRY(counters_create(&own->counters, op->device, err));
    *out = own->counters;
    return LUN_OK;
}

void companion_close(lun_device *device)
{
    companion *own = &state_of(device)->companion;
    for (unsigned i = 0; i < COUNT(own->queues); i++) {
        if (own->queues[i])
            clReleaseCommandQueue(own->queues[i]);
        own->queues[i] = NULL;
    }
    if (own->counters)
        clReleaseMemObject(own->counters);
    own->counters = NULL;
}

void companion_leave(operation *op)
{
    if (op->in_turn && !op->ended) {
        if (op->commands)
            clFinish(companion_queue(op));
        companion_close(op->device); /* neither the queue nor the counters are to be trusted after a failure */
    }
    if (op->in_turn)
        pthread_mutex_unlock(&turn);
    op->in_turn = false;
}
