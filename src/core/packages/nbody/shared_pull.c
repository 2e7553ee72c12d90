/* Runs whose accelerations several devices evaluate. The work is in shares of a fixed number (shares.c), whose sums are added by
 * pairs: what comes does not depend on who has computed which share. Each device takes neighbouring shares, and computes those that
 * are branches of the tree of pairs in one call. */
#include "packages/nbody/shared_pull.h"
#include "api/functions.h"
#include "packages/nbody/integrator.h"
#include "packages/nbody/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARES 16
#define FEW_SHARES 8      /* each costs as much as some launches: */
#define FEW_BODIES 200000 /* below that many bodies */

/* ---- making it ------------------------------------------------------------------------------------------------------ */

lun_gravity_options shared_moves(const lun_gravity_options *options, const lun_array *pos)
{
    lun_gravity_options moves = *options;
    moves.G = moves.accuracy = 0;
    moves.softening = 1;
    moves.softenings = NULL;
    moves.active = pos->shape[0] > 0;
    moves.forced = true;
    moves.devices.count = 0;
    return moves;
}

/* Whatever is wrong with the options a run of no steps says. */
static lun_status check(const lun_array *pos, const lun_array *vel, const lun_gravity_options *options,
                        const lun_call *call, lun_error *err)
{
    lun_nbody *run;
    lun_gravity_options none = *options;
    if (pos->ndim != 2)
        FAIL(LUN_MISUSE, "option 'devices': positions n x 4 are needed");
    TRY(devices_check(&options->devices, pos, err));
    none.devices.count = none.steps = 0;
    none.state = NULL;
    TRY(lun_nbody_start(&run, pos, vel, &none, call, err));
    lun_nbody_free(run);
    return LUN_OK;
}

lun_status shared_create(shared_pull **out, const lun_array *pos, const lun_array *vel,
                         const lun_gravity_options *options, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    shared_pull *made = NULL;
    const size_t count = options->devices.count;
    *out = NULL;
    TRY(check(pos, vel, options, call, err));
    made = NEW_DONE(1, sizeof *made + count * sizeof *made->list, "a run of nbody");
    for (; made->count < count; made->count++)
        made->list[made->count] = lun_device_retain(options->devices.list[made->count]);
    made->is_for_host = options->forced;
    made->asked = *options;
    made->asked.softenings = NULL;
    if (options->softenings)
        TRY_DONE(lun_array_view(&made->softenings, options->softenings, err));
    if (call && call->variant)
        snprintf(made->variant, sizeof made->variant, "%s", call->variant);
    TRY_DONE(integrator_find(&made->known.integrator, options->integrator, err));
    *out = made;
done:
    if (status != LUN_OK)
        shared_free(made);
    return status;
}

void shared_free(shared_pull *shared)
{
    if (!shared)
        return;
    lun_array_clear(&shared->known.pull);
    lun_array_clear(&shared->softenings);
    for (size_t i = 0; i < shared->count; i++)
        lun_device_release(shared->list[i]);
    free(shared);
}

/* ---- from run to run ------------------------------------------------------------------------------------------------ */

static known_pull known_of(const shared_pull *shared)
{
    known_pull known = shared->known;
    known.pull = (lun_array){0};
    known.softening = shared->asked.softening;
    known.accuracy = shared->asked.accuracy;
    known.G = shared->asked.G;
    known.active = shared->asked.active;
    return known;
}

void shared_take(shared_pull *shared, lun_nbody_state *state, const lun_array *pos)
{
    known_pull *left = &state->shared;
    const known_pull now = known_of(shared);
    const bool holds = left->pull.size && state->bodies.known && nbody_left_is(&state->bodies, LEFT_POS, pos) &&
                       nbody_left_is(&state->bodies, LEFT_SOFTENINGS, &shared->softenings) &&
                       left->integrator == now.integrator && left->softening == now.softening &&
                       left->accuracy == now.accuracy && left->G == now.G && left->active == now.active;
    if (!holds)
        lun_array_clear(&left->pull);
    shared->known.pull = left->pull;
    left->pull = (lun_array){0};
}

void shared_leave(shared_pull *shared, lun_nbody_state *state)
{
    lun_array_clear(&state->shared.pull);
    state->shared = known_of(shared);
    state->shared.pull = shared->known.pull;
    shared->known.pull = (lun_array){0};
}

/* ---- an evaluation -------------------------------------------------------------------------------------------------- */

/* The sums of branches, on the first device: that of `count[i]` shares from share i on, or none. */
typedef struct branches {
    lun_array sum[SHARES];
    size_t count[SHARES];
} branches;

static size_t shares_of(const lun_array *pos) { return pos->shape[0] < FEW_BODIES ? FEW_SHARES : SHARES; }

/* The largest branch of a tree of `all` shares that begins at share `from` and ends at `to` or before. */
static size_t branch_of(size_t from, size_t to, size_t all)
{
    size_t count = from == 0 ? all : from & -from;
    while (from + count > to)
        count /= 2;
    return count;
}

/* Shares from .. to-1, on a device; what comes of them goes to the first one. */
static lun_status pull_shares(branches *b, const shared_pull *shared, size_t device, const lun_array *pos, size_t from,
                              size_t to, lun_error *err)
{
    ENDED_BY(lun_array_clear) lun_array there = {0}, softenings = {0}, sum = {0};
    lun_gravity_options options = shared->asked;
    const lun_call call = {.variant = shared->variant[0] ? shared->variant : NULL};
    const size_t all = shares_of(pos), shape[] = {pos->shape[0], 3};
    TRY(device_bring(&there, shared->list[device], pos, err));
    if (shared->softenings.size) {
        TRY(device_bring(&softenings, shared->list[device], &shared->softenings, err));
        options.softenings = &softenings;
    }
    while (from < to) {
        const lun_shares branch = {from, branch_of(from, to, all), all};
        TRY(device_array(&sum, shared->list[device], pos->dtype, 2, shape, err));
        TRY(lun_pull(&sum, &there, &options, &branch, &call, err));
        TRY(device_bring(&b->sum[from], shared->list[0], &sum, err));
        b->count[from] = branch.count;
        lun_array_clear(&sum);
        from += branch.count;
    }
    return LUN_OK;
}

static lun_status add(const lun_array *to, const lun_array *more, lun_error *err)
{
    lun_elementwise e;
    lun_elementwise_begin(&e, LUN_MAP_add);
    lun_elementwise_array(&e, 0, to);
    lun_elementwise_array(&e, 1, more);
    return lun_map(&to, &e.expression, NULL, err);
}

/* Adds up the branches that `count` shares from `first` on are made of, by pairs, into the first of them. */
static lun_status join(branches *b, size_t first, size_t count, lun_error *err)
{
    if (b->count[first] == count)
        return LUN_OK;
    TRY(join(b, first, count / 2, err));
    TRY(join(b, first + count / 2, count / 2, err));
    TRY(add(&b->sum[first], &b->sum[first + count / 2], err));
    b->count[first] = count;
    return LUN_OK;
}

static lun_status evaluate(shared_pull *shared, const lun_array *pos, lun_error *err)
{
    lun_status status = LUN_OK;
    branches b = {.count = {0}};
    const size_t all = shares_of(pos);
    const lun_devices devices = {shared->list, shared->count};
    for (size_t i = shared->count; i-- > 0;) /* the first last: enqueueing there takes time that the others work in */
        TRY_DONE(pull_shares(&b, shared, i, pos, device_share(&devices, NULL, i, all, 1),
                             device_share(&devices, NULL, i + 1, all, 1), err));
    TRY_DONE(join(&b, 0, all, err));
    shared->known.pull = b.sum[0];
    b.sum[0] = (lun_array){0};
done:
    for (size_t i = 0; i < SHARES; i++)
        lun_array_clear(&b.sum[i]);
    return status;
}

lun_status shared_add(shared_pull *shared, const lun_array *pos, const lun_array *more, bool stays, lun_error *err)
{
    ENDED_BY(lun_array_clear) lun_array columns = {0};
    if (!stays)
        lun_array_clear(&shared->known.pull);
    if (!shared->known.pull.size)
        TRY(evaluate(shared, pos, err));
    TRY(lun_array_slice(&columns, more,
                        (const lun_slice[]){{.step = 1, .count = more->shape[0]}, {.step = 1, .count = 3}}, err));
    TRY(add(&columns, &shared->known.pull, err));
    shared->is_due = false;
    return LUN_OK;
}
