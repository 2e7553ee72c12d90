/* Gravity. */
#include "call.h"
#include "check.h"
#include "gravity.h"
#include "task.h"

#include <string.h>

/* ---- gravity ----------------------------------------------------------------------------------------- */

/* 0: there is none. */
static double read_accuracy(lua_State *L, const options *o)
{
    lun_number accuracy = {0};
    if (option_number(L, o, "accuracy", &accuracy) && accuracy.real == 0)
        misuse(L, "accuracy must be a number from 1e-6 to 0.1, not 0");
    return accuracy.real;
}

void gravity_read(lua_State *L, lun_gravity_options *gravity, const options *o)
{
    const lua_Integer active = option_integer(L, o, "active", 1);
    *gravity = (lun_gravity_options){.G = option_real(L, o, "G", 1)};
    if (active < 1)
        misuse(L, "option 'active': a whole number from 1 is wanted, got %I", (LUAI_UACINT)active);
    gravity->active = (uint64_t)option_integer(L, o, "active", 0);
    gravity->accuracy = read_accuracy(L, o);
    const int index = option_push(L, o, "softening");
    if (index != 0 && lua_type(L, index) != LUA_TNUMBER) {
        lua_pop(L, 1);
        gravity->softenings = option_array(L, o, "softening");
    } else if (index != 0) {
        gravity->softening = check_number(L, index).real;
        lua_pop(L, 1);
    }
}

void nbody_read(lua_State *L, lun_gravity_options *gravity, const options *o)
{
    lun_number dt, adaptive;
    gravity_read(L, gravity, o);
    if (!option_number(L, o, "dt", &dt))
        misuse(L, "the option dt (the time step) is missing");
    gravity->dt = dt.real;
    gravity->integrator = option_text(L, o, "integrator");
    gravity->has_adaptive = option_number(L, o, "adaptive", &adaptive);
    gravity->adaptive = gravity->has_adaptive ? adaptive.real : 0;
}

static void drop_run(void *pointer) { lun_nbody_free(pointer); }

/* pos:nbody(vel, {dt, steps, softening, G, integrator}): advances both, returns pos. */
static int array_nbody(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    lun_gravity_options gravity;
    const lun_array *pos = check_array(L, 1), *vel = check_array(L, 2);
    options_read(L, &o, "nbody", 3, 0);
    nbody_read(L, &gravity, &o);
    lua_Integer steps = option_integer(L, &o, "steps", 1);
    if (steps < 0)
        misuse(L, "option 'steps': a whole number from 0 is wanted, got %I", (LUAI_UACINT)steps);
    gravity.steps = (uint64_t)steps;
    task_begin(L, &t, &o, pos->device, 1);
    holder_object *run = holder_push(L, drop_run);
    lun_nbody *started;
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_nbody_start(&started, pos, vel, &gravity, &t.call, &tried.err);
    run->pointer = started;
    for (lun_attempt_enqueue(&tried, t.device, &t.call); gravity.steps > 0 && call_goes_on(L, &tried);)
        tried.status = lun_nbody_advance(&tried.more, started, &tried.err);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_nbody_finish(started, &t.call, &tried.err);
    holder_drop(run);
    return task_return(L, &t, 1, 1);
}

/* pos:gravity{softening, G, at, out}: n x 4, or m x 4 at m points, acceleration and potential. */
static int array_gravity(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    lun_gravity_options gravity;
    const lun_array *pos = check_array(L, 1);
    options_read(L, &o, "gravity", 2, 0);
    gravity_read(L, &gravity, &o);
    gravity.at = option_array(L, &o, "at");
    task_begin(L, &t, &o, pos->device, 1);
    lun_array *out = task_out(L, &t, &o);
    if (gravity.at)
        task_make(L, &t, pos->dtype, 2, (size_t[]){gravity.at->shape[0], 4});
    else
        task_make(L, &t, pos->dtype, pos->ndim, pos->shape);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_gravity(out, pos, &gravity, &t.call, &tried.err);
    return task_give(L, &t);
}

/* The energies of b systems, two arrays of b: views of the 2 x b that the core writes. */
static int energies(lua_State *L, options *o, const lun_array *pos, const lun_array *vel,
                    const lun_gravity_options *gravity)
{
    task t;
    lun_attempt tried;
    lun_array *rows[2];
    task_begin(L, &t, o, pos->device, 2);
    const lun_array *out = task_private(L, &t);
    rows[0] = array_push(L);
    rows[1] = array_push(L);
    const int first = lua_gettop(L) - 1;
    task_make(L, &t, pos->dtype, 2, (size_t[]){2, pos->shape[0]});
    for (int i = 0; i < 2; i++)
        if (lun_array_slice(rows[i], out, (lun_slice[]){{i, 1, 1, true}, {0, 1, pos->shape[0], false}}, &tried.err) !=
            LUN_OK)
            call_raise(L, t.device, &tried.err);
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_energy(out, pos, vel, gravity, &t.call, &tried.err);
    return task_return(L, &t, first, 2);
}

/* pos:energy(vel, {softening, G}): the kinetic and the potential energy, two numbers; of b systems two arrays. */
static int array_energy(lua_State *L)
{
    options o;
    task t;
    lun_attempt tried;
    lun_gravity_options gravity;
    const lun_array *pos = check_array(L, 1), *vel = check_array(L, 2);
    options_read(L, &o, "energy", 3, 0);
    gravity_read(L, &gravity, &o);
    if (pos->ndim == 3)
        return energies(L, &o, pos, vel, &gravity);
    task_begin(L, &t, &o, pos->device, 1);
    lun_array *out = task_private(L, &t);
    task_make(L, &t, pos->dtype, 1, (size_t[]){2});
    for (lun_attempt_enqueue(&tried, t.device, &t.call); call_goes_on(L, &tried);)
        tried.status = lun_energy(out, pos, vel, &gravity, &t.call, &tried.err);
    return task_return_numbers(L, &t, t.result, 1);
}

const luaL_Reg operation_methods[] = {
    {"bincount", array_bincount}, {"histogram", array_histogram}, {"nbody", array_nbody},
    {"gravity", array_gravity},   {"energy", array_energy},       {NULL, NULL},
};
