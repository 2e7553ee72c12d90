/* What integrators with kernels of their own have in common: the state of a run, and how it is handed on. */
#include "packages/nbody/own_integrator.h"
#include "call/interface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void own_clear(own_state *s)
{
    lun_array_clear(&s->report);
    lun_array_clear(&s->clocks);
    lun_array_clear(&s->arrays);
}

/* The shapes of the arrays that are the state. */
#define ARRAYS_SHAPE(run) ((const size_t[]){(run)->bodies.systems, (run)->kind->arrays, 3, (run)->bodies.size})
#define CLOCKS_SHAPE(run) ((const size_t[]){(run)->bodies.systems, NBODY_CLOCK})

lun_status own_check(const lun_nbody *run, lun_error *err)
{
    const lun_nbody_state *state = run->handed_on;
    const bool has_clocks = nbody_state_array(state, KEPT_CLOCKS)->size > 0;
    if (has_clocks != (nbody_state_array(state, KEPT_INTEGRATION)->size > 0))
        FAIL(LUN_MISUSE, "the state's array '%s' is missing", has_clocks ? "integration" : "clocks");
    TRY(nbody_state_check(state, KEPT_INTEGRATION, &run->pos, 4, ARRAYS_SHAPE(run), err));
    return nbody_state_check(state, KEPT_CLOCKS, &run->pos, 2, CLOCKS_SHAPE(run), err);
}

/* One of these arrays; to be handed on, it is made among those that the run keeps for that. */
static lun_status make(lun_array *out, lun_nbody *run, kept_array which, int ndim, const size_t *shape, lun_error *err)
{
    lun_array *made = run->handed_on ? &run->kept.arrays[which] : out;
    TRY(lun_array_create(made, run->pos.device, run->bodies.dtype, ndim, shape, err));
    if (made != out)
        TRY(lun_array_view(out, made, err));
    return LUN_OK;
}

lun_status own_init(own_state *s, lun_nbody *run, size_t report, lun_error *err)
{
    s->adaptive = run->adaptive >= 0 ? run->adaptive : run->integrator->numbers[0];
    s->goes_on = nbody_state_array(run->handed_on, KEPT_CLOCKS)->size > 0;
    TRY(make(&s->arrays, run, KEPT_INTEGRATION, 4, ARRAYS_SHAPE(run), err));
    TRY(make(&s->clocks, run, KEPT_CLOCKS, 2, CLOCKS_SHAPE(run), err));
    return lun_array_create(&s->report, run->pos.device, run->bodies.dtype, 1, &report, err);
}

lun_status own_uses(const own_state *s, operation *op, lun_error *err)
{
    TRY(operation_reads_writes(op, &s->arrays, err));
    TRY(operation_reads_writes(op, &s->clocks, err));
    return operation_reads_writes(op, &s->report, err);
}

lun_status own_plan(plan *out, const own_state *s, const lun_nbody *run, const char *name, size_t groups,
                    const launch_arg *tail, size_t tail_count, lun_error *err)
{
    const bodies *b = &run->bodies;
    const force *f = &run->force;
    cl_kernel kernel;
    launch_arg args[OWN_ARGS + OWN_TAIL] = {
        ARG_BLOCK(b->rows.block), ARG_BLOCK(s->arrays.block), ARG_BLOCK(s->clocks.block),   ARG_LONG(b->size),
        ARG_LONG(b->count),       ARG_LONG(b->active),        bodies_real(b, f->softening), bodies_real(b, f->G),
        bodies_real(b, run->dt),  bodies_real(b, s->adaptive)};
    for (size_t i = 0; i < tail_count; i++) /* `tail` is NULL where there are none, which memcpy must not be given */
        args[OWN_ARGS + i] = tail[i];
    TRY(force_kernel(&kernel, f, out->op->device, name, err));
    return plan_launch(out, &(launch){kernel, 1, {groups, 1, 1}, {larger(f->items, 1), 1, 1}}, args,
                       OWN_ARGS + tail_count, err);
}

lun_status own_plan_resume(plan *out, const own_state *s, const lun_nbody *run, lun_error *err)
{
    const lun_array *arrays = nbody_state_array(run->handed_on, KEPT_INTEGRATION),
                    *clocks = nbody_state_array(run->handed_on, KEPT_CLOCKS);
    cl_kernel resume;
    TRY(operation_reads(out->op, arrays, err));
    TRY(operation_reads(out->op, clocks, err));
    TRY(force_kernel(&resume, &run->force, out->op->device, "nbody_resume", err));
    TRY(plan_array_copy(out, &s->arrays, arrays, err));
    TRY(plan_array_copy(out, &s->clocks, clocks, err));
    return plan_launch(out, &(launch){resume, 1, {1, 1, 1}, {larger(run->force.items, 1), 1, 1}},
                       ARGS(ARG_BLOCK(s->clocks.block), ARG_LONG(run->bodies.systems)), err);
}

/* The first row of some that is not finite in the columns first .. last, and whether that is NaN; `rows` if none is. */
static size_t find_not_finite(bool *is_nan, const double *row, size_t rows, size_t first, size_t last)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t c = first; c <= last; c++)
            if (!isfinite(row[4 * i + c])) {
                *is_nan = isnan(row[4 * i + c]);
                return i;
            }
    return rows;
}

/* Which body has come with what is not finite, of a system that counts from 0 and is called `of`, " of system 1": the user's
 * arrays are as they were. */
static void say_not_finite(char *text, size_t room, const lun_nbody *run, size_t system, const char *of)
{
    const bodies *b = &run->bodies;
    const struct {
        const char *what;
        const lun_array *in;
        size_t rows, first, last;
    } looks[] = {{"position", &run->pos, b->count, 0, 2},
                 {"mass", &run->pos, b->active, 3, 3},
                 {"velocity", &run->vel, b->count, 0, 2}};
    lun_error ignored;
    double *read = malloc(run->pos.size * sizeof *read);
    snprintf(text, room, "positions, velocities or accelerations%s became NaN or infinite during the steps", of);
    for (size_t i = 0; i < COUNT(looks) && read; i++) {
        bool is_nan = false;
        if (lun_array_read(read, looks[i].in, &(lun_call){.queue = run->queue}, &ignored) != LUN_OK)
            break;
        const size_t which =
            find_not_finite(&is_nan, read + system * 4 * b->count, looks[i].rows, looks[i].first, looks[i].last);
        if (which == looks[i].rows)
            continue;
        snprintf(text, room, "the %s of body %zu%s is %s; with %s, positions, velocities and masses must be finite",
                 looks[i].what, which + 1, of, is_nan ? "NaN" : "infinite", run->integrator->name);
        break;
    }
    free(read);
}

lun_status own_read_report(bool *ready, double *report, own_state *s, const lun_nbody *run, lun_error *err)
{
    const lun_call call = {.queue = run->queue};
    TRY(lun_array_await(ready, &s->report, LUN_READ, &call, LUN_SLICE, err));
    if (!*ready)
        return LUN_OK;
    TRY(lun_array_read(report, &s->report, &call, err));
    s->heard = run->at.stage;
    char of[40] = "", text[200];
    if (report[NBODY_WHICH] == 0)
        return LUN_OK;
    if (run->pos.ndim == 3)
        snprintf(of, sizeof of, " of system %.0f", report[NBODY_WHICH]);
    if (report[NBODY_WHY] == NBODY_NOT_FINITE) {
        say_not_finite(text, sizeof text, run, (size_t)report[NBODY_WHICH] - 1, of);
        FAIL(LUN_MISUSE, "%s", text);
    }
    FAIL(LUN_MISUSE, "bodies%s come so close to each other that no step is short enough; give them a softening", of);
}
