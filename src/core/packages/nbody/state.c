/* What runs of nbody hand on: the arrays and their names. */
#include "packages/nbody/state.h"
#include "call/interface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[KEPT_ARRAYS + 1] = {
    [KEPT_UNITS] = "units", [KEPT_INTEGRATION] = "integration", [KEPT_CLOCKS] = "clocks"};

lun_status lun_nbody_state_create(lun_nbody_state **out, lun_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? LUN_OK : fail(err, LUN_NO_MEMORY, "out of host memory for the state of a simulation");
}

void lun_nbody_state_free(lun_nbody_state *state)
{
    if (!state)
        return;
    nbody_kept_clear(&state->kept);
    nbody_left_clear(&state->bodies);
    lun_array_clear(&state->left.pull);
    lun_array_clear(&state->shared.pull);
    free(state);
}

const char *lun_nbody_state_name(size_t position) { return position < KEPT_ARRAYS ? names[position] : NULL; }

const lun_array *lun_nbody_state_array(const lun_nbody_state *state, size_t position)
{
    return nbody_state_array(state, (kept_array)position);
}

lun_status lun_nbody_state_set(lun_nbody_state *state, size_t position, const lun_array *array, lun_error *err)
{
    lun_array view = {0};
    TRY(lun_array_view(&view, array, err));
    lun_array_clear(&state->kept.arrays[position]);
    state->kept.arrays[position] = view;
    return LUN_OK;
}

lun_status lun_nbody_state_bind(lun_nbody_state *state, const lun_array *pos, const lun_array *vel,
                                const lun_array *softenings, lun_error *err)
{
    left_bodies *left = &state->bodies;
    const lun_array *const now[LEFT_ARRAYS] = {pos, vel, softenings};
    nbody_left_clear(left);
    for (int i = 0; i < LEFT_ARRAYS; i++) {
        if (!now[i] || !now[i]->block)
            continue;
        TRY(lun_array_view(&left->arrays[i], now[i], err));
        left->writes[i] = block_writes(now[i]->block);
    }
    left->known = true;
    return LUN_OK;
}

void lun_nbody_state_review(lun_nbody_state *state, const lun_array *pos, const lun_array *vel,
                            const lun_array *softenings)
{
    const left_bodies *left = &state->bodies;
    if (left->known && nbody_left_is(left, LEFT_POS, pos) && nbody_left_is(left, LEFT_VEL, vel) &&
        nbody_left_is(left, LEFT_SOFTENINGS, softenings))
        return;
    lun_array_clear(&state->kept.arrays[KEPT_INTEGRATION]);
    lun_array_clear(&state->kept.arrays[KEPT_CLOCKS]);
}

bool lun_nbody_state_knows(const lun_nbody_state *state, const lun_array *pos)
{
    return state->bodies.known && nbody_left_is(&state->bodies, LEFT_POS, pos);
}

/* ---- for runs ---------------------------------------------------------------------------------------------------- */

void nbody_kept_clear(nbody_kept *kept)
{
    for (size_t i = 0; i < KEPT_ARRAYS; i++)
        lun_array_clear(&kept->arrays[i]);
}

void nbody_left_clear(left_bodies *left)
{
    for (int i = 0; i < LEFT_ARRAYS; i++)
        lun_array_clear(&left->arrays[i]);
    *left = (left_bodies){0};
}

/* Are both the same elements of the same memory? */
static bool is_same(const lun_array *a, const lun_array *b)
{
    bool same = a->block == b->block && a->dtype == b->dtype && a->ndim == b->ndim && a->offset == b->offset;
    for (int i = 0; same && i < a->ndim; i++)
        same = a->shape[i] == b->shape[i] && a->stride[i] == b->stride[i];
    return same;
}

bool nbody_left_is(const left_bodies *left, left_array which, const lun_array *now)
{
    const lun_array *array = &left->arrays[which];
    if (!now || !now->block || !array->block)
        return !array->block && (!now || !now->block);
    return is_same(array, now) && left->writes[which] == block_writes(now->block);
}

void nbody_state_take(lun_nbody_state *state, nbody_kept *kept)
{
    for (size_t i = 0; i < KEPT_ARRAYS; i++) {
        if (!kept->arrays[i].size)
            continue;
        lun_array_clear(&state->kept.arrays[i]);
        state->kept.arrays[i] = kept->arrays[i];
        kept->arrays[i] = (lun_array){0};
    }
}

const lun_array *nbody_state_array(const lun_nbody_state *state, kept_array which)
{
    static const lun_array none = {0};
    return state ? &state->kept.arrays[which] : &none;
}

lun_status nbody_state_check(const lun_nbody_state *state, kept_array which, const lun_array *pos, int ndim,
                             const size_t *shape, lun_error *err)
{
    const lun_array *array = nbody_state_array(state, which);
    char what[60], came[200], wanted[200];
    if (!array->size)
        return LUN_OK;
    snprintf(what, sizeof what, "the state's array '%s'", names[which]);
    TRY(array_check_same_device(array, pos, what, err));
    if (array->dtype != pos->dtype || array->ndim != ndim ||
        memcmp(array->shape, shape, (size_t)ndim * sizeof *shape) || array->offset != 0 ||
        !lun_array_is_contiguous(array))
        FAIL(LUN_MISUSE, "%s is %s of %s; %s of %s is needed for these bodies on this device", what,
             array_shape_text(came, sizeof came, array), lun_dtype_name(array->dtype),
             device_shape_text(wanted, sizeof wanted, pos->device, ndim, shape), lun_dtype_name(pos->dtype));
    return LUN_OK;
}
