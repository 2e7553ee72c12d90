/* Gravity: options, runs in slices, and energies. */
#include "call/interface.h"

/* ---- options ------------------------------------------------------------------------------------------------------------- */

/* Softening, G, active and accuracy. */
static lun_status read_gravity(lun_gravity_options *gravity, const lun_request *r, lun_error *err)
{
    const lun_value *accuracy = request_option(r, "accuracy"), *softening = request_option(r, "softening");
    const int64_t active = request_whole(r, "active", 1);
    if (active < 1)
        FAIL(LUN_MISUSE, "option 'active': a whole number from 1 is needed, got %lld", (long long)active);
    gravity->active = (uint64_t)request_whole(r, "active", 0);
    gravity->G = request_number(r, "G", lun_real(1)).real;
    gravity->accuracy = accuracy ? accuracy->number.real : 0;
    if (accuracy && gravity->accuracy == 0)
        FAIL(LUN_MISUSE, "accuracy must be a number from 1e-6 to 0.1, not 0");
    gravity->softenings = request_array_option(r, "softening");
    if (softening && !gravity->softenings)
        gravity->softening = softening->number.real;
    return LUN_OK;
}

/* The same, and what steps need. */
static lun_status read_steps(lun_gravity_options *gravity, const lun_request *r, lun_error *err)
{
    const lun_value *dt = request_option(r, "dt"), *adaptive = request_option(r, "adaptive");
    TRY(read_gravity(gravity, r, err));
    if (!dt)
        FAIL(LUN_MISUSE, "the option dt (the time step) is missing");
    gravity->dt = dt->number.real;
    gravity->integrator = request_text(r, "integrator");
    gravity->has_adaptive = adaptive != NULL;
    gravity->adaptive = adaptive ? adaptive->number.real : 0;
    return LUN_OK;
}

/* ---- nbody --------------------------------------------------------------------------------------------------------------- */

static void drop_run(void *data) { lun_nbody_free(*(lun_nbody **)data); }

static lun_status nbody(composing *c, lun_error *err)
{
    lun_gravity_options gravity = {.dt = 0};
    const int64_t steps = request_whole(c->r, "steps", 1);
    lun_array *pos;
    lun_nbody **run;
    TRY(read_steps(&gravity, c->r, err));
    if (steps < 0)
        FAIL(LUN_MISUSE, "option 'steps': a whole number from 0 is needed, got %lld", (long long)steps);
    gravity.steps = (uint64_t)steps;
    lun_devices *devices;
    COMPOSE_KEPT(run, c);
    COMPOSE_KEPT(devices, c);
    if (!devices->count)
        TRY(devices_read(devices, c->r, err));
    gravity.devices = *devices;
    TRY(compose_in_place(&pos, c, err));
    if (!c->out)
        return request_hold(c->r, run, drop_run, err);
    TRY(CALLED(c, true, lun_nbody_start(run, pos, c->r->arguments[1].array, &gravity, &call, err)));
    if (compose_enters(c))
        TRY(lun_nbody_advance(c->more, *run, err));
    return compose_waits(c) ? LUN_OK : CALLED(c, true, lun_nbody_finish(*run, &call, err));
}

COMPOSED(nbody)

/* ---- simulations --------------------------------------------------------------------------------------------------------- */

static lun_status bind_simulation(lun_request *r, lun_error *err)
{
    lun_gravity_options *options = REQUEST_STATE(r, lun_gravity_options);
    if (r->call.reproducible)
        TRY(variant_refuse_reproducible(err));
    TRY(devices_read(&options->devices, r, err));
    return read_steps(options, r, err);
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
        FAIL(LUN_MISUSE, "option 'rows': the first and the last body are needed");
    TRY(value_counts(&count, ends, r, value, "option 'rows'", (unsigned)r->manner->first, err));
    if (pos->ndim != 2 || gravity->at)
        FAIL(LUN_MISUSE, "option 'rows': positions n x 4 are needed, without points");
    const size_t first = (size_t)r->manner->first, last = pos->shape[0] + first - 1;
    if (ends[0] < first || ends[0] > ends[1] || ends[1] > last)
        FAIL(LUN_MISUSE, "option 'rows': bodies from %zu to %zu are needed, got %zu to %zu", first, last, ends[0],
             ends[1]);
    gravity->first = ends[0] - first;
    gravity->rows = ends[1] - ends[0] + 1;
    return LUN_OK;
}

/* The field of that many bodies or points from `first` on, on a device that may be another one; the result goes to rows of out. */
static lun_status field_part(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                             lun_device *device, size_t first, size_t count, const lun_call *call, lun_error *err)
{
    lun_gravity_options part = *options;
    ENDED_BY(lun_array_clear)
    lun_array place = {0}, points = {0}, bodies = {0}, at = {0}, softenings = {0}, field = {0};
    TRY(rows_view(&place, out, first, count, err));
    if (options->at)
        TRY(rows_view(&points, options->at, first, count, err));
    TRY(device_bring(&bodies, device, pos, err));
    TRY(device_bring(&at, device, options->at ? &points : NULL, err));
    TRY(device_bring(&softenings, device, options->softenings, err));
    part.at = options->at ? &at : NULL;
    part.softenings = options->softenings ? &softenings : NULL;
    part.first = options->at ? 0 : first;
    part.rows = options->at ? 0 : count;
    if (device == pos->device) {
        TRY(lun_gravity(&place, &bodies, &part, call, err));
        return LUN_OK;
    }
    TRY(device_array(&field, device, place.dtype, place.ndim, place.shape, err));
    TRY(lun_gravity(&field, &bodies, &part, call, err));
    return lun_array_copy(&place, &field, NULL, err);
}

/* Each device takes a share of the bodies that are pulled, or of the points. Of an `out` that does not fit one device says what is wrong. */
static lun_status field_shares(composing *c, const lun_array *out, const lun_array *pos,
                               const lun_gravity_options *options, const lun_devices *devices, lun_error *err)
{
    const lun_call call = request_unnoticed(c->r);
    const size_t rows = options->at ? options->at->shape[0] : pos->shape[0];
    if (devices->count < 2 || rows == 0 || out->ndim != 2 || out->shape[0] != rows || out->shape[1] != 4)
        return lun_gravity(out, pos, options, &call, err);
    TRY(array_check_apart(out, pos, err));
    for (size_t i = devices->count;
         i-- > 0;) { /* the first last: enqueueing there takes time that the others work in */
        const size_t first = device_share(devices, NULL, i, rows, SHARE_GRAIN);
        const size_t end = device_share(devices, NULL, i + 1, rows, SHARE_GRAIN);
        if (compose_enters(c) && end > first)
            TRY(field_part(out, pos, options, devices->list[i], first, end - first, &call, err));
    }
    return LUN_OK;
}

static lun_status read_field_devices(lun_devices *out, const composing *c, const lun_array *pos, lun_error *err)
{
    TRY(devices_read(out, c->r, err));
    if (out->count && pos->ndim != 2)
        FAIL(LUN_MISUSE, "option 'devices': positions n x 4 are needed");
    if (out->count && request_option(c->r, "rows"))
        FAIL(LUN_MISUSE, "option 'rows' does not work with devices");
    return devices_check(out, pos, err);
}

static lun_status gravity(composing *c, lun_error *err)
{
    const lun_array *pos = c->r->arguments[0].array, *out;
    lun_gravity_options options = {.at = request_array_option(c->r, "at")};
    lun_devices devices;
    TRY(read_field_devices(&devices, c, pos, err));
    TRY(read_gravity(&options, c->r, err));
    TRY(read_rows(&options, c->r, pos, err));
    const size_t part[] = {options.at ? options.at->shape[0] : options.rows, 4};
    const bool some = options.at || options.rows;
    c->unchecked = true;
    TRY(compose_result(&out, c, 0, pos->dtype, some ? 2 : pos->ndim, some ? part : pos->shape, err));
    if (devices.count && c->out)
        return field_shares(c, out, pos, &options, &devices, err);
    return CALLED(c, true, lun_gravity(out, pos, &options, &call, err));
}

COMPOSED(gravity)

/* ---- energies ------------------------------------------------------------------------------------------------------------ */

/* Of b systems: 2 x b, of which the results are the rows. */
static lun_status give_energies(composing *c, const lun_gravity_options *gravity, lun_error *err)
{
    const lun_array *pos = c->r->arguments[0].array;
    const size_t systems = pos->shape[0];
    lun_array *both;
    c->results = 2;
    for (size_t i = 0; i < 2; i++)
        TRY(compose_late(c, i, pos->dtype, err));
    if (!c->out)
        return LUN_OK;
    TRY(compose_array(&both, c, pos->dtype, 2, (const size_t[]){2, systems}, err));
    for (int i = 0; i < 2; i++)
        if (!lun_array_is_live(c->out[i]))
            TRY(lun_array_slice(c->out[i], both, (const lun_slice[]){{i, 1, 1, true}, {0, 1, systems, false}}, err));
    return CALLED(c, true, lun_energy(both, pos, c->r->arguments[1].array, gravity, &call, err));
}

static lun_status energy(composing *c, lun_error *err)
{
    const lun_array *pos = c->r->arguments[0].array, *out;
    lun_gravity_options gravity = {.dt = 0};
    TRY(read_gravity(&gravity, c->r, err));
    if (pos->ndim == 3)
        return give_energies(c, &gravity, err);
    TRY(compose_result(&out, c, 0, pos->dtype, 1, (const size_t[]){2}, err));
    if (!c->out)
        request_tell_numbers(c->r, 0, 2);
    return CALLED(c, true, lun_energy(out, pos, c->r->arguments[1].array, &gravity, &call, err));
}

COMPOSED(energy)
