/* Fields of bodies, accelerations and potentials, and their energies. */
#include "call/interface.h"
#include "packages/nbody/force.h"
#include "packages/nbody/nbody_tuning.h"

/* ---- what both calls do ------------------------------------------------------------------------------------------- */

/* Chooses how fields are computed, and plans the load of the bodies into scratch memory. */
static lun_status plan_bodies(plan *out, force *f, bodies *b, const lun_array *pos, const lun_array *vel,
                              const lun_gravity_options *options, lun_error *err)
{
    const size_t rows = vel ? b->active : b->points ? b->points : options->rows ? options->rows : b->count;
    const force_problem problem = {.of = b,
                                   .softening = options->softening,
                                   .G = options->G,
                                   .accuracy = options->accuracy,
                                   .fields = true,
                                   .first_target = b->points ? b->count
                                                   : vel     ? 0
                                                             : options->first,
                                   .target_count = rows,
                                   .named = variant_named(out->op->call) != NULL,
                                   .out = f};
    TRY(plan_variant(out, &nbody_variants, &problem, variant_named(out->op->call), err));
    TRY(force_uses(out->op, f, err));
    TRY(operation_scratch_array(out->op, &b->rows, b->dtype, 1, (const size_t[]){bodies_elements(b)}, err));
    if (pos->size)
        TRY(bodies_plan_load(out, b, &f->program, pos, vel, options->softenings, &(lun_array){0}, err));
    if (b->points)
        TRY(bodies_plan_points(out, b, &f->program, options->at, err));
    if (options->accuracy > 0 && !f->field && pos->size) /* a tree looks by itself */
        TRY(tree_plan_check(out, b, err));
    return LUN_OK;
}

/* Acceleration and potential of `rows` bodies of each system from `from` on, or of the points, to dst, n x 4 or b x n x 4,
 * in launches that are not too long. A group does bodies of one system only. */
static lun_status plan_field(plan *out, const force *f, const lun_array *dst, size_t from, size_t rows, lun_error *err)
{
    const bodies *b = f->of;
    const size_t group = f->targets, all = b->systems * NBODY_GROUPS(rows, group) * group;
    const double body_seconds = force_seconds(f, out->op->device) / (double)larger(b->count, 1);
    const nbody_tuning *tuned = nbody_tuned(out->op->device);
    const double groups = tuned->field_launch / body_seconds / (double)group;
    const size_t step = group * (groups < 1 ? 1 : groups > 1e9 ? (size_t)1e9 : (size_t)groups);
    cl_kernel kernel;
    if (f->field)
        return rows ? f->field(out, f, dst, from, rows, err) : LUN_OK;
    TRY(force_kernel(&kernel, f, out->op->device, "nbody_field", err));
    for (size_t first = 0; first < all; first += step) {
        const size_t last = smaller(all, first + step);
        launch geometry = {kernel, 1, {NBODY_GROUPS(last - first, group), 1, 1}, {larger(f->items, 1), 1, 1}};
        if (f->items == 0)
            geometry = launch_spread(out->op->device, kernel, last - first, tuned->field / b->active + 1);
        TRY(plan_launch(out, &geometry,
                        ARGS(BODIES_VIEW(dst), ARG_BLOCK(b->rows.block), ARG_LONG(b->size), ARG_LONG(from),
                             ARG_LONG(rows), ARG_LONG(b->active), ARG_LONG(first), ARG_LONG(last),
                             bodies_real(b, f->softening), bodies_real(b, f->G)),
                        err));
    }
    return LUN_OK;
}

static lun_status read_softenings(operation *op, const lun_array *out, const lun_gravity_options *options,
                                  lun_error *err)
{
    if (!options->softenings)
        return LUN_OK;
    TRY(array_check_apart(out, options->softenings, err));
    return operation_reads(op, options->softenings, err);
}

/* ---- fields ------------------------------------------------------------------------------------------------------- */

static lun_status check_field_out(const lun_array *out, const lun_array *pos, const lun_array *at, size_t some,
                                  lun_error *err)
{
    char shape[200];
    const size_t rows = at ? at->shape[0] : some;
    if (!at && !rows)
        return bodies_check_like(out, "out", pos, err);
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, pos, "out", err));
    if (out->dtype != pos->dtype)
        FAIL(LUN_MISUSE, "out must be %s as the positions are, not %s", lun_dtype_name(pos->dtype),
             lun_dtype_name(out->dtype));
    if (out->ndim != 2 || out->shape[0] != rows || out->shape[1] != 4)
        FAIL(LUN_MISUSE, "out must be %zux4, a row for each %s, not %s", rows, at ? "point" : "body",
             array_shape_text(shape, sizeof shape, out));
    if (at)
        TRY(array_check_apart(out, at, err));
    return LUN_OK;
}

/* Without bodies nothing pulls the points. */
static lun_status plan_nothing(plan *out, const lun_array *dst, lun_error *err)
{
    const variant *row;
    TRY(variant_choose(&row, &nbody_variants, out->op->device, NULL, variant_named(out->op->call), err));
    return plan_array_fill(out, dst, (cl_ulong2){{0}}, err);
}

lun_status lun_gravity(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                       const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    bodies b;
    force f = {0};
    if (options->at)
        TRY_DONE(bodies_check_points(options->at, pos, err));
    TRY_DONE(bodies_describe(&b, pos, options, err));
    TRY_DONE(force_check_options(options, err));
    TRY_DONE(check_field_out(out, pos, options->at, options->rows, err));
    TRY_DONE(array_check_apart(out, pos, err));
    operation_init(&op, pos->device, "gravity", call);
    plan_init(&p, &op);
    TRY_DONE(operation_reads(&op, pos, err));
    TRY_DONE(read_softenings(&op, out, options, err));
    if (options->at)
        TRY_DONE(operation_reads(&op, options->at, err));
    TRY_DONE(operation_writes(&op, out, err));
    if (options->accuracy == 0)
        operation_weigh(&op, 2 * force_weight(&b, pos->device, (double)b.points / (double)larger(b.count, 1) + 1));
    if (b.points && b.count == 0) {
        TRY_DONE(plan_nothing(&p, out, err));
    } else {
        TRY_DONE(plan_bodies(&p, &f, &b, pos, NULL, options, err));
        TRY_DONE(plan_field(&p, &f, out, b.points ? b.count : options->first,
                            options->at     ? b.points
                            : options->rows ? options->rows
                                            : b.count,
                            err));
    }
    TRY_DONE(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    force_clear(&f);
    operation_clear(&op);
    return status;
}

/* ---- energy ------------------------------------------------------------------------------------------------------- */

static lun_status check_energy_out(const lun_array *out, const lun_array *pos, const lun_array *vel, lun_error *err)
{
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, pos, "out", err));
    const bool fits = pos->ndim == 3 ? out->ndim == 2 && out->shape[1] == pos->shape[0] : out->ndim == 1;
    if (!fits || out->shape[0] != 2 || out->dtype != pos->dtype)
        FAIL(LUN_MISUSE, "out must be 2 elements of %s, or 2 for each system, 2 x b", lun_dtype_name(pos->dtype));
    TRY(array_check_apart(out, pos, err));
    return array_check_apart(out, vel, err);
}

lun_status lun_energy(const lun_array *out, const lun_array *pos, const lun_array *vel,
                      const lun_gravity_options *options, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    bodies b;
    force f = {0};
    lun_array fields;
    TRY_DONE(bodies_describe(&b, pos, options, err));
    TRY_DONE(force_check_options(options, err));
    TRY_DONE(bodies_check_like(vel, "the velocities", pos, err));
    TRY_DONE(check_energy_out(out, pos, vel, err));
    operation_init(&op, pos->device, "energy", call);
    plan_init(&p, &op);
    TRY_DONE(operation_reads(&op, pos, err));
    TRY_DONE(operation_reads(&op, vel, err));
    TRY_DONE(read_softenings(&op, out, options, err));
    TRY_DONE(operation_writes(&op, out, err));
    if (options->accuracy == 0)
        operation_weigh(&op, force_weight(&b, pos->device, 2));
    TRY_DONE(plan_bodies(&p, &f, &b, pos, vel, options, err));
    TRY_DONE(operation_scratch_array(&op, &fields, b.dtype, 3, (const size_t[]){b.systems, b.active, 4}, err));
    TRY_DONE(plan_field(&p, &f, &fields, 0, b.active, err));
    if (b.systems)
        TRY_DONE(bodies_plan_energy(&p, &b, &f.program, out, &fields, err));
    TRY_DONE(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    force_clear(&f);
    operation_clear(&op);
    return status;
}
