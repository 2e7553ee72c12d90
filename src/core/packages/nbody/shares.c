/* Shares of an evaluation of all accelerations, for several devices: ranges of its units of work, `of` in all, a power of 2, whose sums are
 * added by pairs. Some shares whose number is a power of 2 and that begin at a multiple of it are a branch of that tree: it has
 * the same bits wherever it is evaluated, and so has the whole. */
#include "call/interface.h"
#include "packages/nbody/force.h"
#include "packages/nbody/nbody_tuning.h"

#include <math.h>

/* ---- commands --------------------------------------------------------------------------------------------------- */

/* The evaluation of one of `of` shares. Units that only some bodies gain from leave the others' places as they are, and those that are not the
 * first of an evaluation add to what is there: both want zeros. */
static lun_status plan_share(plan *out, const force *f, size_t share, size_t of, lun_error *err)
{
    const double unit_seconds = force_seconds(f, out->op->device) / (double)f->units;
    const double fit = fmax(nbody_tuned(out->op->device)->field_launch / unit_seconds, (double)f->least);
    const size_t most = smaller(f->most, fit < (double)f->units ? (size_t)fit : f->units);
    const size_t last = f->units * (share + 1) / of;
    cl_kernel kernel;
    TRY(force_kernel(&kernel, f, out->op->device, f->kernel, err));
    TRY(plan_array_fill(out, &f->pull, (cl_ulong2){{0}}, err));
    for (size_t first = f->units * share / of; first < last;) {
        const size_t rest = last - first, count = ceil_div(rest, ceil_div(rest, larger(most, 1)));
        TRY(f->evaluate(out, f, kernel, 0, first, count, err));
        first += count;
    }
    return LUN_OK;
}

/* Adds up the parts that a share has left in the force's `pull`, in the user's units, and to that the sums of the levels 0 .. below-1
 * of the tree: to dst, or where that is NULL to the sum of the level `below`. */
static lun_status plan_gather(plan *out, const force *f, const lun_array *dst, const lun_array *sums, size_t below,
                              lun_error *err)
{
    const bodies *b = f->of;
    cl_kernel kernel;
    TRY(force_kernel(&kernel, f, out->op->device, "nbody_gather", err));
    const launch spread = launch_spread(out->op->device, kernel, b->count, nbody_tuned(out->op->device)->looked);
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(dst ? dst->block : sums->block),
                            ARG_LONG(dst ? (size_t)dst->offset : 3 * below * b->count), ARG_BLOCK(sums->block),
                            ARG_LONG(below), ARG_BLOCK(b->rows.block), ARG_BLOCK(f->pull.block), ARG_LONG(b->size),
                            ARG_LONG(b->count), ARG_LONG(f->parts), bodies_real(b, f->G)),
                       err);
}

/* As a counter in base 2 goes on: each share completes as many levels as the number before it ends with ones. */
static lun_status plan_branch(plan *out, const force *f, const lun_array *dst, const lun_shares *shares, lun_error *err)
{
    lun_array sums = {0};
    size_t levels = 0, below;
    while ((size_t)1 << levels < shares->count)
        levels++;
    if (levels)
        TRY(operation_scratch_array(out->op, &sums, f->of->dtype, 3, (const size_t[]){levels, f->of->count, 3}, err));
    if (f->prepare)
        TRY(f->prepare(out, f, err));
    for (size_t i = 0; i < shares->count; i++) {
        TRY(plan_share(out, f, shares->first + i, shares->of, err));
        for (below = 0; i >> below & 1;)
            below++;
        TRY(plan_gather(out, f, i + 1 < shares->count ? NULL : dst, &sums, below, err));
    }
    return LUN_OK;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static bool is_power(size_t n) { return n > 0 && (n & (n - 1)) == 0; }

static lun_status check(const lun_array *out, const lun_array *pos, const lun_shares *shares, lun_error *err)
{
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, pos, "out", err));
    if (pos->ndim != 2)
        FAIL(LUN_MISUSE, "shares are those of one system, n x 4");
    if (out->dtype != pos->dtype || out->ndim != 2 || out->shape[0] != pos->shape[0] || out->shape[1] != 3 ||
        !lun_array_is_contiguous(out))
        FAIL(LUN_MISUSE, "out must be %zux3 of %s, contiguous", pos->shape[0], lun_dtype_name(pos->dtype));
    if (!is_power(shares->of) || !is_power(shares->count) || shares->first % shares->count ||
        shares->first + shares->count > shares->of)
        FAIL(LUN_MISUSE, "%zu shares of %zu from %zu on are not a branch", shares->count, shares->of, shares->first);
    return array_check_apart(out, pos, err);
}

static lun_status plan_all(plan *p, force *f, bodies *b, const lun_array *out, const lun_array *pos,
                           const lun_gravity_options *options, const lun_shares *shares, lun_error *err)
{
    const char *named = variant_named(p->op->call);
    const force_problem problem = {.of = b,
                                   .softening = options->softening,
                                   .G = options->G,
                                   .accuracy = options->accuracy,
                                   .named = named != NULL,
                                   .forced = true,
                                   .shares = shares->of,
                                   .out = f};
    TRY(plan_variant(p, &nbody_variants, &problem, named, err));
    TRY(force_uses(p->op, f, err));
    TRY(operation_scratch_array(p->op, &b->rows, b->dtype, 1, (const size_t[]){bodies_elements(b)}, err));
    TRY(operation_scratch_array(p->op, &f->pull, b->dtype, 3, (const size_t[]){f->parts, 3, b->size}, err));
    TRY(bodies_plan_load(p, b, &f->program, pos, NULL, options->softenings, &(lun_array){0}, err));
    if (options->accuracy > 0)
        TRY(tree_plan_check(p, b, err));
    return plan_branch(p, f, out, shares, err);
}

lun_status lun_pull(const lun_array *out, const lun_array *pos, const lun_gravity_options *options,
                    const lun_shares *shares, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    bodies b;
    force f = {0};
    TRY_DONE(bodies_describe(&b, pos, options, err));
    TRY_DONE(force_check_options(options, err));
    TRY_DONE(check(out, pos, shares, err));
    if (b.count == 0)
        return LUN_OK;
    operation_init(&op, pos->device, "gravity", call);
    plan_init(&p, &op);
    TRY_DONE(operation_reads(&op, pos, err));
    if (options->softenings)
        TRY_DONE(operation_reads(&op, options->softenings, err));
    TRY_DONE(operation_writes(&op, out, err));
    TRY_DONE(plan_all(&p, &f, &b, out, pos, options, shares, err));
    TRY_DONE(operation_run(&op, &p, err));
done:
    f.pull = (lun_array){0}; /* scratch */
    plan_clear(&p);
    force_clear(&f);
    operation_clear(&op);
    return status;
}
