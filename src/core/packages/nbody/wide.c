/* Integrators with kernels of their own whose steps all groups of the device share (parts/nbody_wide.cl): for many bodies, and
 * for a force of the host's own beside gravity. A step has nodes: at each the bodies are placed, the force is asked for, and the
 * accelerations of all bodies lead to better coefficients. Behind the last node the device decides whether the step is found
 * and was short enough, and the host reads that. */
#include "call/interface.h"
#include "packages/nbody/nbody_tuning.h"
#include "packages/nbody/own_integrator.h"

#include <math.h>
#include <stdlib.h>

#define MOST_GROUPS 1024

typedef struct wide_state {
    own_state own;
    lun_array marks;             /* of groups: NBODY_MARKS each */
    double report[NBODY_REPORT]; /* last */
} wide_state;

static void clear(void *pointer)
{
    wide_state *s = pointer;
    if (s) {
        own_clear(&s->own);
        lun_array_clear(&s->marks);
    }
    free(s);
}

static lun_status init(lun_nbody *run, lun_error *err)
{
    wide_state *s = run->state = NEW(1, sizeof *s, "an integrator");
    TRY(own_init(&s->own, run, NBODY_REPORT, err));
    return lun_array_create(&s->marks, run->pos.device, run->bodies.dtype, 1,
                            (const size_t[]){MOST_GROUPS * NBODY_MARKS}, err);
}

/* ---- launches ----------------------------------------------------------------------------------------------------- */

/* Bodies that a work-item takes at once. */
static size_t lanes_of(const lun_nbody *run) { return run->force.items == 0 ? run->bodies.width : 1; }

/* As interactions, what is done for a body besides. */
static double body_work(const lun_device *device) { return nbody_tuned(device)->wide_body; }

/* Groups that share all bodies, each of which takes as long as `each` interactions. */
static size_t groups_of(const lun_nbody *run, const lun_device *device, double each)
{
    const bodies *b = &run->bodies;
    const size_t items = larger(run->force.items, 1), vectors = b->size / lanes_of(run);
    size_t groups = NBODY_GROUPS(vectors, items);
    if (items == 1) {
        const nbody_tuning *tuned = nbody_tuned(device);
        const double worth = (double)b->count * each / tuned->shared + 1;
        const size_t most = tuned->core_groups * device->info.units;
        groups = smaller(groups, worth < (double)most ? (size_t)worth : most);
    }
    return smaller(groups, MOST_GROUPS);
}

static double work_of_pull(const lun_nbody *run, const lun_device *device)
{
    return (double)run->bodies.active + body_work(device);
}

/* Appends launches of a kernel that meets all active bodies, for the next of the bodies that `at` has not behind it, as many as
 * fit into *left seconds; *last: are those the last ones? The arguments behind `tail`: which bodies, and are they the first. */
static lun_status plan_pulls(plan *out, bool *last, double *left, nbody_progress *at, const lun_nbody *run,
                             const char *name, const launch_arg *tail, size_t tail_count, lun_error *err)
{
    const wide_state *s = run->state;
    const bodies *b = &run->bodies;
    const lun_device *device = out->op->device;
    const size_t groups = groups_of(run, device, work_of_pull(run, device)), lanes = lanes_of(run);
    const double seconds =
        work_of_pull(run, device) / (run->force.rate * nbody_tuned(device)->exact * device->info.units);
    const double fit = fmin(ceil(SLICE_SECONDS / seconds), (double)b->size);
    const size_t share = NBODY_GROUPS((size_t)fit, groups * lanes) * groups * lanes;
    launch_arg args[OWN_TAIL];
    do {
        const size_t first = at->unit, end = smaller(first + share, b->count);
        for (size_t i = 0; i < tail_count; i++)
            args[i] = tail[i];
        args[tail_count] = (launch_arg)ARG_LONG(first);
        args[tail_count + 1] = (launch_arg)ARG_LONG(end);
        args[tail_count + 2] = (launch_arg)ARG_LONG(first == 0);
        TRY(own_plan(out, &s->own, run, name, groups, args, tail_count + 3, err));
        at->unit = end;
        *left -= (double)(end - first) * seconds;
    } while (at->unit<b->count && * left> 0 && out->count.commands < SLICE_LAUNCHES);
    *last = at->unit == b->count;
    if (*last)
        at->unit = 0;
    return LUN_OK;
}

/* The node from `node` on where there is something to do. */
static size_t next_node(const lun_nbody *run, size_t node)
{
    while (node < run->kind->node_count && run->kind->nodes[node].forced && !run->forced)
        node++;
    return node;
}

/* What comes before the first node: clear arrays and a clock, or those of the run before. */
static lun_status plan_begin(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const wide_state *s = run->state;
    const lun_device *device = out->op->device;
    bool last = true;
    double left = SLICE_SECONDS;
    if (s->own.goes_on)
        TRY(own_plan_resume(out, &s->own, run, err));
    else if (at->unit == 0)
        TRY(own_plan(out, &s->own, run, "nbody_clear", groups_of(run, device, body_work(device)),
                     ARGS(ARG_LONG(run->kind->arrays)), err));
    if (!s->own.goes_on && s->own.adaptive > 0)
        TRY(plan_pulls(out, &last, &left, at, run, "nbody_rates", ARGS(ARG_BLOCK(s->marks.block)), err));
    if (!last)
        return LUN_OK;
    const size_t groups = s->own.adaptive > 0 ? groups_of(run, device, work_of_pull(run, device)) : 0;
    TRY(own_plan(out, &s->own, run, "nbody_start", 1,
                 ARGS(ARG_BLOCK(s->own.report.block), ARG_BLOCK(s->marks.block), ARG_LONG(groups),
                      bodies_real(&run->bodies, (double)run->steps), ARG_LONG(s->own.goes_on)),
                 err));
    at->node = next_node(run, s->own.goes_on ? run->kind->first : 0);
    at->stage++;
    return LUN_OK;
}

/* The length of the step that is under way, with its sign. */
static double step_of(const lun_nbody *run)
{
    const wide_state *s = run->state;
    return copysign(s->report[NBODY_STEP_LENGTH], run->dt);
}

/* Appends what puts the bodies to the next node, and takes the step before if there is one. */
static lun_status plan_place(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const wide_state *s = run->state;
    const bodies *b = &run->bodies;
    const outside_force *o = &run->outside;
    const double h = run->kind->nodes[at->node].at, step = step_of(run);
    const size_t groups = groups_of(run, out->op->device, body_work(out->op->device));
    if (at->takes)
        TRY(own_plan(out, &s->own, run, "nbody_take", groups, ARGS(bodies_real(b, s->report[NBODY_STEP_BEFORE])), err));
    TRY(own_plan(out, &s->own, run, "nbody_place", groups,
                 ARGS(ARG_LONG(at->node), bodies_real(b, step), bodies_real(b, s->report[NBODY_STEP_BEFORE]),
                      ARG_BLOCK(o->pos.block), ARG_BLOCK(o->vel.block), ARG_BLOCK(o->more.block)),
                 err));
    const double intervals = (double)run->before + s->report[NBODY_INTERVALS];
    at->time = run->origin + intervals * run->dt + copysign(s->report[NBODY_WITHIN], run->dt) + h * step;
    at->takes = false;
    at->placed = true;
    return LUN_OK;
}

/* Appends the evaluation at the node that the bodies are at, or a part of it, and behind the last node the decision. */
static lun_status plan_correct(plan *out, double *left, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const wide_state *s = run->state;
    const bodies *b = &run->bodies;
    bool last;
    TRY(plan_pulls(out, &last, left, at, run, "nbody_correct",
                   ARGS(ARG_LONG(at->node), bodies_real(b, step_of(run)), ARG_BLOCK(run->outside.more.block),
                        ARG_BLOCK(s->marks.block)),
                   err));
    if (!last)
        return LUN_OK;
    at->placed = false;
    at->node = next_node(run, at->node + 1);
    if (at->node < run->kind->node_count)
        return LUN_OK;
    TRY(own_plan(out, &s->own, run, "nbody_decide", 1,
                 ARGS(ARG_BLOCK(s->own.report.block), ARG_BLOCK(s->marks.block),
                      ARG_LONG(groups_of(run, out->op->device, work_of_pull(run, out->op->device))),
                      bodies_real(b, (double)run->steps)),
                 err));
    at->stage++;
    return LUN_OK;
}

static lun_status step(plan *out, nbody_progress *at, const lun_nbody *run, lun_error *err)
{
    const wide_state *s = run->state;
    const uint64_t stage = at->stage;
    double left = SLICE_SECONDS;
    at->wants_force = false;
    TRY(own_uses(&s->own, out->op, err));
    TRY(operation_reads_writes(out->op, &s->marks, err));
    if (stage == 0)
        return plan_begin(out, at, run, err);
    if (s->report[NBODY_GOING] == 0) {
        TRY(own_plan(out, &s->own, run, "nbody_take", groups_of(run, out->op->device, body_work(out->op->device)),
                     ARGS(bodies_real(&run->bodies, s->report[NBODY_STEP_BEFORE])), err));
        at->done = true;
        return LUN_OK;
    }
    /* What is report is needed before more is planned. */
    while (at->stage == stage && left > 0 && out->count.commands + 2 < SLICE_LAUNCHES && !at->wants_force) {
        if (at->placed) {
            TRY(plan_correct(out, &left, at, run, err));
        } else {
            TRY(plan_place(out, at, run, err));
            at->wants_force = run->forced;
        }
    }
    return LUN_OK;
}

/* The slice before, if it has report anything. */
static lun_status look(bool *ready, lun_nbody *run, lun_error *err)
{
    wide_state *s = run->state;
    const bool begins = s->own.heard == 0;
    *ready = true;
    if (s->own.heard == run->at.stage)
        return LUN_OK;
    TRY(own_read_report(ready, s->report, &s->own, run, err));
    if (!*ready || begins)
        return LUN_OK;
    run->at.node = next_node(run, s->report[NBODY_TURN] == NBODY_AGAIN ? run->kind->again : run->kind->first);
    run->at.takes = s->report[NBODY_TURN] == NBODY_TAKEN;
    return LUN_OK;
}

/* Its kernels have the same spacings. */
static const integrator_node radau_nodes[] = {{0, false},
                                              {0.056262560536922146466, false},
                                              {0.18024069173689236499, false},
                                              {0.35262471711316963737, false},
                                              {0.54715362633055538300, false},
                                              {0.73421017721541053152, false},
                                              {0.88532094683909576809, false},
                                              {0.97752061356128750189, false}};
static const integrator_node hermite_nodes[] = {
    [WIDE_BEGIN] = {0, false}, [WIDE_SOON] = {1.0 / 16, true}, [WIDE_MIDDLE] = {0.5, true}, [WIDE_END] = {1, false}};

const integrator_kind hermite_wide = {.init = init,
                                      .step = step,
                                      .look = look,
                                      .free = clear,
                                      .file = "nbody_hermite_wide",
                                      .arrays = WIDE_ARRAYS,
                                      .nodes = hermite_nodes,
                                      .node_count = COUNT(hermite_nodes),
                                      .first = WIDE_MIDDLE};
const integrator_kind gauss_radau_wide = {.init = init,
                                          .step = step,
                                          .look = look,
                                          .free = clear,
                                          .file = "nbody_ias15_wide",
                                          .arrays = IAS15_ARRAYS,
                                          .nodes = radau_nodes,
                                          .node_count = COUNT(radau_nodes),
                                          .again = 1};
