/* What one run leaves to the next: where the bodies are, and their accelerations, which it would evaluate first. */
#include "packages/nbody/nbody_run.h"

#include <stdio.h>
#include <string.h>

static void name_program(char *text, size_t room, const force *f)
{
    snprintf(text, room, "%s\n%s", f->program.file, f->defines);
}

void run_take_pull(lun_nbody *run)
{
    const force *f = &run->force;
    char program[sizeof run->handed_on->left.program];
    if (!run->handed_on || f->advance)
        return;
    left_pull *left = &run->handed_on->left;
    name_program(program, sizeof program, f);
    const left_bodies *before = &run->handed_on->bodies;
    run->is_pulled = left->pull.size && before->known && nbody_left_is(before, LEFT_POS, &run->pos) &&
                     nbody_left_is(before, LEFT_SOFTENINGS, &run->softenings) && left->softening == f->softening &&
                     left->accuracy == f->accuracy && left->active == run->bodies.active &&
                     strcmp(left->program, program) == 0 && left->pull.shape[1] == f->parts;
    if (run->is_pulled)
        run->force.pull = left->pull;
    else
        lun_array_clear(&left->pull);
    left->pull = (lun_array){0};
}

void run_leave(lun_nbody *run)
{
    lun_error ignored; /* the next run then does all of its work itself */
    force *f = &run->force;
    lun_nbody_state *state = run->handed_on;
    if (!state)
        return;
    lun_array_clear(&state->left.pull);
    if (lun_nbody_state_bind(state, &run->pos, &run->vel, &run->softenings, &ignored) != LUN_OK)
        return;
    if (!run->ends_pulled || !f->pull.size || f->advance)
        return;
    left_pull *left = &state->left;
    left->softening = f->softening;
    left->accuracy = f->accuracy;
    left->active = run->bodies.active;
    name_program(left->program, sizeof left->program, f);
    left->pull = f->pull;
    f->pull = (lun_array){0};
}
