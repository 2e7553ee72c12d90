/* Runs that advance bodies through time under their gravity, on scratch memory until the end, slice by slice. */
#include "op/nbody/nbody.h"
#include "base/error.h"
#include "device/device.h"
#include "flow/event.h"
#include "flow/queue.h"
#include "op/old.h"
#include "op/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICE_SECONDS 0.02            /* what one lun_nbody_advance enqueues, about: a run can be left as fast */
#define OVERHEAD_SECONDS 5e-6         /* what the two launches of an evaluation cost besides, for each core of a CPU */
#define SMALL_SECONDS 2e-7            /* likewise, an evaluation in one launch of many */
#define LAUNCHES 64                   /* that share a ticket */
#define STORE_CHUNK 1024              /* bodies that a core stores at least: below, a second one does not pay */
#define KICK_CHUNK 64                 /* likewise, vectors of bodies that it kicks */
#define WORKER_UNITS 16               /* units of work that a core's second worker needs to pay */
#define PARTS_BYTES ((size_t)1 << 29) /* up to here pairs have a part for each place, unless one takes more */
#define PULL_BYTES ((size_t)64 << 20) /* up to here a core may have several workers, each with its own sums */

/* ---- integrators -----------------------------------------------------------------------------------------------
 * A step is a row of stages: accelerations here, v += kick dt a, x += drift dt v. Where the last stage does not
 * drift, the next step's first is at the same positions, and the two are one evaluation. */

#define MAX_STAGES 8 /* what nbody_small takes */

typedef struct integrator {
    const char *name;
    unsigned stages;
    double kick[MAX_STAGES], drift[MAX_STAGES];
} integrator;

static const integrator integrators[] = {
    {"leapfrog", 2, {0.5, 0.5}, {1, 0}}, /* kick-drift-kick: second order, symplectic, reversible */
    {"euler", 1, {1}, {1}},              /* semi-implicit, velocities first: first order, symplectic */
};

static lun_status find_integrator(const integrator **out, const char *name, lun_error *err)
{
    char known[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < COUNT(integrators); i++) {
        *out = &integrators[i];
        if (strcmp(integrators[i].name, name ? name : "leapfrog") == 0)
            return LUN_OK;
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", integrators[i].name);
    }
    return fail(err, LUN_MISUSE, "unknown integrator '%.40s'; there are %s", name, known);
}

static bool is_merged(const integrator *row) { return row->stages > 1 && row->drift[row->stages - 1] == 0; }

/* Evaluations of all accelerations in a step. */
static unsigned period(const integrator *row) { return is_merged(row) ? row->stages - 1 : row->stages; }

/* ---- a run ----------------------------------------------------------------------------------------------------- */

struct lun_nbody {
    nbody_plan plan;
    const integrator *integrator;
    double dt;
    lun_queue *queue;
    bool watched;               /* somebody gets an event */
    lun_event started;          /* its first command: where the whole run's event begins */
    lun_array pos, vel;         /* views of the user's arrays */
    lun_array body, pull;       /* scratch: the bodies as a structure of arrays, their accelerations for each worker */
    size_t workers;             /* or parts that the pull on a body is in */
    size_t span, share;         /* of pairs: places to a group and to a launch */
    size_t units, unit;         /* of work in an evaluation; how many of this one are enqueued */
    uint64_t evaluations, next; /* in the run; how many of them are enqueued whole */
    cl_kernel force, kick;      /* force is nbody_pull, or nbody_small, which does both */
};

/* Evaluation e's factors of acceleration and velocity. */
static void factors(const lun_nbody *run, uint64_t e, double *kick, double *drift)
{
    const integrator *row = run->integrator;
    unsigned stage = (unsigned)(e % period(row)), last = row->stages - 1;
    *kick = row->kick[stage];
    if (is_merged(row) && stage == 0 && e > 0)
        *kick = e + 1 < run->evaluations ? row->kick[0] + row->kick[last] : row->kick[last];
    *drift = is_merged(row) && e + 1 == run->evaluations ? 0 : row->drift[stage] * run->dt;
    *kick *= run->dt * run->plan.G;
}

static lun_status run_small(operation *op, const variant *row, const void *data, lun_error *err);
static lun_status run_pairs(operation *op, const variant *row, const void *data, lun_error *err);

/* Do all evaluations of a slice go into one launch? */
static bool is_small(const nbody_plan *plan) { return plan->row->run == run_small; }

static bool is_paired(const nbody_plan *plan) { return plan->row->run == run_pairs; }

/* Units in the triangle of pairs, or groups in the square: as nbody_pull counts them. */
static size_t count_units(const nbody_plan *plan)
{
    const nbody_tuning *tuning = plan->tuning;
    const size_t block = tuning->block * (tuning->each ? tuning->each : 1);
    if (block)
        return (plan->bodies + block - 1) / block;
    size_t tiles = plan->size / tuning->tile, rest = plan->size % tuning->tile;
    return tuning->tile / tuning->rows * (tiles * (tiles + 1) / 2) +
           (rest ? (plan->size + tuning->rows - 1) / tuning->rows : 0);
}

/* Groups to a block of bodies on a GPU: enough that every compute unit has several, none with less than a few tiles. */
static size_t count_parts(const nbody_plan *plan, const lun_device *device, size_t units)
{
    size_t wanted = (8 * device->info.units + units - 1) / units, most = plan->bodies / (4 * plan->tuning->block);
    return wanted < most ? wanted : most > 1 ? most : 1;
}

/* Workers that share the units of work: one to a core, or several, so that a slow core claims fewer. */
static size_t count_workers(const nbody_plan *plan, const lun_device *device, size_t units)
{
    size_t cores = device->info.units, most = PULL_BYTES / (3 * plan->size * lun_dtype_bytes(plan->dtype));
    if (plan->tuning->each && !is_paired(plan))
        return count_parts(plan, device, units);
    if (plan->tuning->block || is_small(plan))
        return 1;
    size_t workers = cores;
    while (2 * workers <= most && workers < 8 * cores && 2 * workers * WORKER_UNITS <= units)
        workers *= 2;
    return workers;
}

/* Pairs: the blocks' places on the ring, shared evenly among launches that are short and need no more memory than that;
 * groups do several places each where there are many. */
static void share_places(lun_nbody *run, const lun_device *device)
{
    const nbody_plan *plan = &run->plan;
    const size_t blocks = run->units, n = plan->bodies, part = 3 * plan->size * lun_dtype_bytes(plan->dtype);
    run->units = blocks / 2 + 1;
    double unit_seconds = (double)n * (double)n / (double)run->units / nbody_work(plan, device, 1);
    size_t fit = (size_t)(SLICE_SECONDS / unit_seconds) + 1, room = PARTS_BYTES / 2 / part + 1;
    size_t most = fit < room ? fit : room, launches = (run->units + most - 1) / most;
    run->share = (run->units + launches - 1) / launches;
    run->span = 1;
    while (run->span < 8 && blocks * run->share / run->span > 64 * device->info.units)
        run->span *= 2;
    run->workers = (run->share + run->span - 1) / run->span + run->share;
}

static lun_status find_kernels(lun_nbody *run, lun_device *device, lun_error *err)
{
    lun_status status = LUN_OK;
    if (is_small(&run->plan))
        return nbody_kernel(&run->force, device, &run->plan, "nbody_small", err);
    TRY(nbody_kernel(&run->force, device, &run->plan, "nbody_pull", err));
    TRY(nbody_kernel(&run->kick, device, &run->plan, "nbody_kick", err));
done:
    return status;
}

static lun_status enqueue_load(lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    cl_kernel load;
    operation_init(&op, run->pos.device, "nbody",
                   &(lun_call){.queue = run->queue, .event = run->watched ? &run->started : NULL});
    TRY(operation_reads(&op, &run->pos, err));
    TRY(operation_reads(&op, &run->vel, err));
    TRY(operation_writes(&op, &run->body, err));
    TRY(nbody_kernel(&load, op.device, &run->plan, "nbody_load", err));
    TRY(operation_begin(&op, err));
    TRY(nbody_load(&op, &run->plan, load, &run->body, &run->pos, &run->vel, err));
    TRY(operation_end(&op, err));
done:
    operation_clear(&op);
    return status;
}

static lun_status count_evaluations(lun_nbody *run, uint64_t steps, lun_error *err)
{
    if (steps > UINT64_MAX / MAX_STAGES)
        return fail(err, LUN_MISUSE, "%llu steps are too many", (unsigned long long)steps);
    if (steps > 0 && run->plan.bodies > 0)
        run->evaluations = steps * period(run->integrator) + is_merged(run->integrator);
    return LUN_OK;
}

/* The plan, and the kernels that it needs. */
static lun_status make_plan(lun_nbody *run, const lun_array *pos, const lun_gravity_options *options,
                            const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    const variant *last = &nbody_variants[nbody_variant_count - 1];
    do {
        TRY(nbody_make_plan(&run->plan, pos, options, call, err));
        TRY(count_evaluations(run, options->steps, err));
        status = run->evaluations ? find_kernels(run, pos->device, err) : LUN_OK;
    } while (variant_makes_way(pos->device, run->plan.row, last, call, status, err));
done:
    return status;
}

lun_status lun_nbody_start(lun_nbody **out, const lun_array *pos, const lun_array *vel,
                           const lun_gravity_options *options, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_nbody *run = calloc(1, sizeof *run);
    *out = NULL;
    if (!run)
        FAIL(LUN_NO_MEMORY, "out of host memory for a run of nbody");
    TRY(find_integrator(&run->integrator, options->integrator, err));
    TRY(make_plan(run, pos, options, call, err));
    TRY(nbody_check_like(vel, "the velocities", pos, err));
    if (lun_array_overlap(pos, vel))
        FAIL(LUN_MISUSE, "positions and velocities overlap; give each memory of its own");
    run->dt = options->dt;
    run->queue = call ? call->queue : NULL;
    run->watched = call && call->event;
    TRY(lun_array_view(&run->pos, pos, err));
    TRY(lun_array_view(&run->vel, vel, err));
    if (run->evaluations) {
        run->units = count_units(&run->plan);
        run->workers = count_workers(&run->plan, pos->device, run->units);
        if (is_paired(&run->plan))
            share_places(run, pos->device);
        TRY(lun_array_create(&run->body, pos->device, run->plan.dtype, 2, (const size_t[]){NBODY_ROWS, run->plan.size},
                             err));
        TRY(lun_array_create(&run->pull, pos->device, run->plan.dtype, 3,
                             (const size_t[]){run->workers, 3, run->plan.size}, err));
        TRY(enqueue_load(run, err));
    }
    *out = run;
done:
    if (status != LUN_OK)
        lun_nbody_free(run);
    return status;
}

void lun_nbody_free(lun_nbody *run)
{
    if (!run)
        return;
    lun_event_clear(&run->started);
    lun_array_clear(&run->pull);
    lun_array_clear(&run->body);
    lun_array_clear(&run->vel);
    lun_array_clear(&run->pos);
    free(run);
}

/* ---- slices ---------------------------------------------------------------------------------------------------- */

static lun_status enqueue_force(operation *op, lun_nbody *run, size_t count, lun_error *err)
{
    lun_status status = LUN_OK;
    const nbody_plan *plan = &run->plan;
    const size_t block = plan->tuning->block, cores = smaller(run->workers, op->device->info.units);
    launch_plan geometry = {run->force, 1, {block ? count * run->workers : cores, 1, 1}, {block ? block : 1, 1, 1}};
    cl_mem counters = NULL;
    if (!block)
        TRY(queue_counters(&counters, op->queue, err));
    const launch_arg args[] = {ARG_BLOCK(run->body.block),
                               ARG_BLOCK(run->pull.block),
                               ARG_LONG(plan->size),
                               ARG_LONG(plan->bodies),
                               ARG_LONG(run->workers),
                               ARG_LONG(run->unit),
                               ARG_LONG(run->unit + count),
                               nbody_real(plan, plan->softening),
                               ARG_MEM(counters)};
    TRY(launch(op, &geometry, args, COUNT(args) - !counters, err));
    run->unit += count;
done:
    return status;
}

static lun_status enqueue_kick(operation *op, lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    const nbody_plan *plan = &run->plan;
    double kick, drift;
    factors(run, run->next, &kick, &drift);
    size_t items = plan->tuning->block ? (is_paired(plan) ? 3 : 1) * plan->bodies : plan->size / plan->width;
    launch_plan spread = launch_spread(op->device, run->kick, items, KICK_CHUNK);
    TRY(launch(op, &spread,
               ARGS(ARG_BLOCK(run->body.block), ARG_BLOCK(run->pull.block), ARG_LONG(plan->size),
                    ARG_LONG(plan->bodies), ARG_LONG(run->workers), nbody_real(plan, kick), nbody_real(plan, drift)),
               err));
    run->next++;
    run->unit = 0;
done:
    return status;
}

/* All cores, or all of a GPU: an evaluation is one launch or more for the forces and one for the kick. */
static lun_status run_wide(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_nbody *run = ((const nbody_problem *)data)->run;
    double n = (double)run->plan.bodies;
    double unit_seconds = n * n / (double)run->units / nbody_work(&run->plan, op->device, 1);
    double left = SLICE_SECONDS;
    size_t least = run->plan.tuning->block ? 8 * op->device->info.units : run->workers; /* else units stand idle */
    (void)row;
    while (left > 0 && op->commands + 2 <= LAUNCHES && run->next < run->evaluations) {
        size_t rest = run->units - run->unit;
        size_t count = left / unit_seconds >= (double)rest ? rest : (size_t)(left / unit_seconds);
        count = count < least ? (least < rest ? least : rest) : count;
        TRY(enqueue_force(op, run, count, err));
        if (run->unit == run->units)
            TRY(enqueue_kick(op, run, err));
        left -= (double)count * unit_seconds + OVERHEAD_SECONDS;
    }
done:
    return status;
}

static lun_status enqueue_pairs(operation *op, lun_nbody *run, size_t count, lun_error *err)
{
    lun_status status = LUN_OK;
    const nbody_plan *plan = &run->plan;
    const size_t block = plan->tuning->block,
                 ring = (plan->bodies + block * plan->tuning->each - 1) / block / plan->tuning->each;
    launch_plan geometry = {run->force, 1, {ring * ((count + run->span - 1) / run->span), 1, 1}, {block, 1, 1}};
    TRY(launch(op, &geometry,
               ARGS(ARG_BLOCK(run->body.block), ARG_BLOCK(run->pull.block), ARG_LONG(plan->size),
                    ARG_LONG(plan->bodies), ARG_LONG(run->unit), ARG_LONG(run->unit + count), ARG_LONG(run->span),
                    nbody_real(plan, plan->softening)),
               err));
    run->unit += count;
done:
    return status;
}

/* Each pair of bodies once. */
static lun_status run_pairs(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_nbody *run = ((const nbody_problem *)data)->run;
    double n = (double)run->plan.bodies, left = SLICE_SECONDS;
    double unit_seconds = n * n / (double)run->units / nbody_work(&run->plan, op->device, 1);
    (void)row;
    while (left > 0 && op->commands + 2 <= LAUNCHES && run->next < run->evaluations) {
        size_t rest = run->units - run->unit, count = rest < run->share ? rest : run->share;
        TRY(enqueue_pairs(op, run, count, err));
        if (run->unit == run->units)
            TRY(enqueue_kick(op, run, err));
        left -= (double)count * unit_seconds + OVERHEAD_SECONDS;
    }
done:
    return status;
}

/* One core, or one group: one launch, for as many evaluations as fit the slice. A merged integrator's first step and last
 * evaluation have other factors than what is between, and launches of their own. */
static lun_status run_small(operation *op, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_nbody *run = ((const nbody_problem *)data)->run;
    const nbody_plan *plan = &run->plan;
    const unsigned stages = period(run->integrator), merged = is_merged(run->integrator);
    double n = (double)plan->bodies, kick[MAX_STAGES] = {0}, drift[MAX_STAGES] = {0};
    float kick_f32[MAX_STAGES], drift_f32[MAX_STAGES];
    bool wide = plan->dtype == LUN_f64;
    uint64_t fit = (uint64_t)(SLICE_SECONDS / (n * n / plan->tuning->rate + SMALL_SECONDS)) / stages + 1;
    uint64_t whole = run->evaluations - merged - run->next, count = fit * stages < whole ? fit * stages : whole;
    (void)row;
    if (merged && run->next + 1 == run->evaluations)
        count = 1;
    else if (merged && run->next == 0)
        count = stages;
    for (unsigned i = 0; i < MAX_STAGES; i++) {
        if (i < stages && i < count)
            factors(run, run->next + i, &kick[i], &drift[i]);
        kick_f32[i] = (float)kick[i];
        drift_f32[i] = (float)drift[i];
    }
    const size_t block = plan->tuning->block;
    TRY(launch(op, &(launch_plan){run->force, 1, {1, 1, 1}, {block ? block : 1, 1, 1}},
               ARGS(ARG_BLOCK(run->body.block), ARG_BLOCK(run->pull.block), ARG_LONG(plan->size),
                    ARG_LONG(plan->bodies), nbody_real(plan, plan->softening),
                    ARG_BYTES(wide ? (const void *)kick : kick_f32, wide ? sizeof kick : sizeof kick_f32),
                    ARG_BYTES(wide ? (const void *)drift : drift_f32, wide ? sizeof drift : sizeof drift_f32),
                    ARG_LONG(stages), ARG_LONG(count)),
               err));
    run->next += count;
done:
    return status;
}

lun_status lun_nbody_advance(bool *more, lun_nbody *run, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    *more = false;
    if (run->next == run->evaluations)
        return LUN_OK;
    operation_init(&op, run->pos.device, "nbody", &(lun_call){.queue = run->queue});
    TRY(operation_reads_writes(&op, &run->body, err));
    TRY(operation_reads_writes(&op, &run->pull, err));
    TRY(operation_begin(&op, err));
    TRY(run->plan.row->run(&op, run->plan.row, &(nbody_problem){run->plan.dtype, run->plan.bodies, run}, err));
    TRY(operation_end(&op, err));
    *more = run->next < run->evaluations;
done:
    operation_clear(&op);
    return status;
}

lun_status lun_nbody_finish(lun_nbody *run, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    cl_kernel store;
    const nbody_plan *plan = &run->plan;
    if (run->next < run->evaluations)
        FAIL(LUN_MISUSE, "the run has steps left");
    operation_init(&op, run->pos.device, "nbody", call);
    TRY(operation_reads(&op, &run->body, err));
    TRY(operation_reads_writes(&op, &run->pos, err));
    TRY(operation_reads_writes(&op, &run->vel, err));
    if (run->evaluations)
        TRY(nbody_kernel(&store, op.device, plan, "nbody_store", err));
    TRY(operation_begin(&op, err));
    if (run->evaluations) {
        launch_plan spread = launch_spread(op.device, store, plan->bodies, STORE_CHUNK);
        TRY(launch(&op, &spread,
                   ARGS(ARG_BLOCK(run->body.block), ARG_LONG(plan->size), ARG_LONG(plan->bodies), NBODY_VIEW(&run->pos),
                        NBODY_VIEW(&run->vel)),
                   err));
    }
    TRY(operation_end(&op, err));
    if (call && call->event)
        event_begin_with(call->event, &run->started);
done:
    operation_clear(&op);
    return status;
}

/* ---- where the variants apply ------------------------------------------------------------------------------------ */

/* One core does many steps in a launch, where that takes no longer than all cores and their launches. */
static bool small_applies(const lun_device *device, const void *data)
{
    const nbody_problem *what = data;
    if (!variant_on_cpu(device, data) || !what)
        return variant_on_cpu(device, data);
    const nbody_tuning *tuning = nbody_find_tuning("nbody_cpu", what->dtype, what->bodies);
    double cores = device->info.units, alone = (double)what->bodies * (double)what->bodies / tuning->rate;
    return what->bodies <= tuning->tile && alone <= alone / cores + cores * OVERHEAD_SECONDS;
}

/* A group that does many steps in a launch. */
static bool few_applies(const lun_device *device, const void *data)
{
    const nbody_problem *what = data;
    const size_t local = 512 * 7 * sizeof(double);
    return device->info.max_group >= 512 && device->info.local_memory >= local &&
           (!what || what->bodies <= nbody_find_tuning("nbody_few", what->dtype, what->bodies)->tile);
}

static bool pairs_apply(const lun_device *device, const void *data)
{
    (void)data;
    return device->info.max_group >= 256 && device->info.local_memory >= 256 * (4 * 2 + 4) * sizeof(double);
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    (void)data;
    return device->info.max_group >= 256 && device->info.local_memory >= 256 * 4 * sizeof(double);
}

/* ---- the ways to run it ------------------------------------------------------------------------------------------
 * small         many steps in a launch, by one core: so few bodies that waking the others takes longer. CPUs.
 * cpu           each pair of bodies once, tiles in a core's nearest cache, units of work that cores claim: CPUs.
 * few_nvidia    as few, with a reciprocal root of one instruction in f32 (PTX).
 * few           many steps in a launch, by one group with the bodies in local memory: up to some hundred of them. GPUs.
 * pairs_nvidia  each pair of bodies once, the pull on one passed on from item to item of a warp in registers (PTX).
 * nvidia        as gpu, with that root: what pairs_nvidia cannot do.
 * gpu           both bodies of a pair by themselves, tiles through local memory: other GPUs; anywhere by name.
 * pairs         as pairs_nvidia in OpenCL C alone, barriers around each value passed on: slower than gpu, by name only.
 * plain         every device.
 * All but small and cpu take from nbody_plain.cl what their files lack: fields, energies, loads and stores. */

const variant nbody_variants[] = {
    {"small", "nbody_cpu", CL_DEVICE_TYPE_CPU, 0, small_applies, run_small},
    {"cpu", "nbody_cpu", CL_DEVICE_TYPE_CPU, 0, variant_on_cpu, run_wide},
    {"few_nvidia", "nbody_few", CL_DEVICE_TYPE_GPU, 7, few_applies, run_small},
    {"few", "nbody_few", CL_DEVICE_TYPE_GPU, 0, few_applies, run_small},
    {"pairs_nvidia", "nbody_pairs", CL_DEVICE_TYPE_GPU, 7, pairs_apply, run_pairs},
    {"nvidia", "nbody_gpu", CL_DEVICE_TYPE_GPU, 7, gpu_applies, run_wide},
    {"gpu", "nbody_gpu", CL_DEVICE_TYPE_GPU, 0, gpu_applies, run_wide},
    {"pairs", "nbody_pairs", CL_DEVICE_TYPE_GPU, 0, pairs_apply, run_pairs},
    {"plain", "nbody_plain", 0, 0, variant_anywhere, run_wide},
};
const size_t nbody_variant_count = COUNT(nbody_variants);
