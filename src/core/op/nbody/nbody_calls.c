/* Gravity, as rows of operation.def are called: options, runs in slices, and energies. */
#include "op/interface.h"

/* ---- options ------------------------------------------------------------------------------------------------------------- */

/* Softening, G, active and accuracy. */
static lun_status read_gravity(lun_gravity_options **out, lun_request *r, lun_error *err)
{
    lun_gravity_options *gravity = REQUEST_STATE(r, lun_gravity_options);
    const lun_value *accuracy = request_option(r, "accuracy"), *softening = request_option(r, "softening");
    const int64_t active = request_whole(r, "active", 1);
    if (active < 1)
        FAIL(LUN_MISUSE, "option 'active': a whole number from 1 is wanted, got %lld", (long long)active);
    gravity->active = (uint64_t)request_whole(r, "active", 0);
    gravity->G = request_number(r, "G", lun_real(1)).real;
    gravity->accuracy = accuracy ? accuracy->number.real : 0;
    if (accuracy && gravity->accuracy == 0)
        FAIL(LUN_MISUSE, "accuracy must be a number from 1e-6 to 0.1, not 0");
    gravity->softenings = request_array_option(r, "softening");
    if (softening && !gravity->softenings)
        gravity->softening = softening->number.real;
    *out = gravity;
    return LUN_OK;
}

/* The same, and what steps need. */
static lun_status read_steps(lun_gravity_options **out, lun_request *r, lun_error *err)
{
    const lun_value *dt = request_option(r, "dt"), *adaptive = request_option(r, "adaptive");
    TRY(read_gravity(out, r, err));
    if (!dt)
        FAIL(LUN_MISUSE, "the option dt (the time step) is missing");
    (*out)->dt = dt->number.real;
    (*out)->integrator = request_text(r, "integrator");
    (*out)->has_adaptive = adaptive != NULL;
    (*out)->adaptive = adaptive ? adaptive->number.real : 0;
    return LUN_OK;
}

/* ---- nbody --------------------------------------------------------------------------------------------------------------- */

enum { START, ADVANCE, FINISH }; /* the stages */

typedef struct running {
    lun_gravity_options *gravity;
    lun_nbody *run;
} running;

static void drop_run(void *data) { lun_nbody_free(((running *)data)->run); }

static lun_status bind_nbody(lun_request *r, lun_error *err)
{
    lun_gravity_options *gravity;
    TRY(read_steps(&gravity, r, err));
    const int64_t steps = request_whole(r, "steps", 1);
    if (steps < 0)
        FAIL(LUN_MISUSE, "option 'steps': a whole number from 0 is wanted, got %lld", (long long)steps);
    gravity->steps = (uint64_t)steps;
    running *n = REQUEST_STATE(r, running);
    n->gravity = gravity;
    TRY(request_hold(r, n, drop_run, err));
    return request_in_place(r, err);
}

static lun_status run_nbody(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    running *n = r->state;
    if (r->stage == START) {
        TRY(lun_nbody_start(&n->run, out[0], r->arguments[1].array, n->gravity, &r->call, err));
        r->stage = ADVANCE;
        *more = true;
    } else if (r->stage == ADVANCE) {
        TRY(lun_nbody_advance(more, n->run, err));
        r->stage = *more ? ADVANCE : FINISH;
        *more = true;
    } else {
        TRY(lun_nbody_finish(n->run, &r->call, err));
    }
    return LUN_OK;
}

const request_functions nbody_functions = {bind_nbody, run_nbody};

/* ---- simulations --------------------------------------------------------------------------------------------------------- */

static lun_status bind_simulation(lun_request *r, lun_error *err)
{
    lun_gravity_options *gravity;
    return read_steps(&gravity, r, err);
}

/* Its host runs it: between two slices it computes its own force. */
const request_functions steps_functions = {bind_simulation, NULL};

const lun_gravity_options *lun_simulation_options(const lun_request *request) { return request->state; }

/* ---- fields -------------------------------------------------------------------------------------------------------------- */

/* rows: the first and the last, of one system. */
static lun_status read_rows(lun_gravity_options *gravity, const lun_request *r, const lun_array *pos, lun_error *err)
{
    const lun_value *value = request_option(r, "rows");
    size_t ends[2];
    int count;
    if (!value)
        return LUN_OK;
    if (value_count(value) != 2)
        FAIL(LUN_MISUSE, "option 'rows': the first and the last body are wanted");
    TRY(value_counts(&count, ends, r, value, "option 'rows'", (unsigned)r->manner->first, err));
    if (pos->ndim != 2 || gravity->at)
        FAIL(LUN_MISUSE, "option 'rows': it goes with positions n x 4, and without points");
    const size_t first = (size_t)r->manner->first, last = pos->shape[0] + first - 1;
    if (ends[0] < first || ends[0] > ends[1] || ends[1] > last)
        FAIL(LUN_MISUSE, "option 'rows': bodies from %zu to %zu are wanted, got %zu to %zu", first, last, ends[0],
             ends[1]);
    gravity->first = ends[0] - first;
    gravity->rows = ends[1] - ends[0] + 1;
    return LUN_OK;
}

static lun_status bind_gravity(lun_request *r, lun_error *err)
{
    lun_gravity_options *gravity;
    const lun_array *pos = r->arguments[0].array;
    TRY(read_gravity(&gravity, r, err));
    gravity->at = request_array_option(r, "at");
    TRY(read_rows(gravity, r, pos, err));
    if (gravity->at || gravity->rows)
        TRY(request_result(r, pos->dtype, 2, (const size_t[]){gravity->at ? gravity->at->shape[0] : gravity->rows, 4},
                           err));
    else
        TRY(request_result(r, pos->dtype, pos->ndim, pos->shape, err));
    return LUN_OK;
}

static lun_status run_gravity(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_gravity(out[0], r->arguments[0].array, r->state, &r->call, err);
}

const request_functions gravity_functions = {bind_gravity, run_gravity};

/* ---- energies ------------------------------------------------------------------------------------------------------------ */

typedef struct energies {
    lun_gravity_options *gravity;
    lun_array *both; /* of b systems: 2 x b, of which the results are the rows */
} energies;

static lun_status bind_energy(lun_request *r, lun_error *err)
{
    lun_gravity_options *gravity;
    const lun_array *pos = r->arguments[0].array;
    const bool batch = pos->ndim == 3;
    TRY(read_gravity(&gravity, r, err));
    energies *e = REQUEST_STATE(r, energies);
    e->gravity = gravity;
    TRY(request_results(r, batch ? 2 : 1, err));
    for (size_t i = 0; i < 2 && batch; i++)
        request_tell_late(r, i, pos->dtype);
    if (batch)
        return LUN_OK;
    request_tell(r, 0, pos->dtype, 1, (const size_t[]){2});
    request_tell_numbers(r, 0, 2);
    return LUN_OK;
}

static lun_status run_energy(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    energies *e = r->state;
    const lun_array *pos = r->arguments[0].array;
    const size_t systems = pos->shape[0];
    const bool batch = pos->ndim == 3;
    if (batch)
        TRY(request_array(&e->both, r, pos->dtype, 2, (const size_t[]){2, systems}, err));
    for (int i = 0; i < 2 && batch; i++)
        if (!lun_array_is_live(out[i]))
            TRY(lun_array_slice(out[i], e->both, (const lun_slice[]){{i, 1, 1, true}, {0, 1, systems, false}}, err));
    return lun_energy(batch ? e->both : out[0], pos, r->arguments[1].array, e->gravity, &r->call, err);
}

const request_functions energy_functions = {bind_energy, run_energy};
