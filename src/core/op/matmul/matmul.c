/* The matrix product: shapes and batches are brought to one form, then a variant runs it. */
#include "op/matmul/matmul.h"
#include "op/multiply.h"
#include "op/planning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what all variants use --------------------------------------------------------------------------------- */

launch_arg matmul_scalar(const matmul_problem *p, lun_number x)
{
    const double real = x.real;
    if (dtype_is_whole(p->dtype))
        return (launch_arg)ARG_LONG(x.integer);
    if (dtype_computed(p->dtype) == LUN_f64)
        return (launch_arg)ARG_DOUBLE(real);
    return x.is_integer ? (launch_arg)ARG_FLOAT(x.integer) : (launch_arg)ARG_FLOAT(x.real);
}

bool matmul_is_real(const matmul_problem *p) { return !lun_dtype_has(p->dtype, LUN_PAIRS); }

static bool matmul_cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && (!data || matmul_is_real(data));
}

/* ---- plain ---------------------------------------------------------------------------------------------------- */

/* As matmul_scalar, of any dtype: `element` keeps a complex number. */
static launch_arg any_scalar(cl_ulong2 *element, const matmul_problem *p, lun_number x)
{
    lun_error never; /* complex numbers hold any number */
    if (matmul_is_real(p))
        return matmul_scalar(p, x);
    (void)lun_number_round(element, p->dtype, x, &never);
    return (launch_arg)ARG_BYTES(element, lun_dtype_bytes(p->dtype));
}

lun_status matmul_plain_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const matmul_problem *p = data;
    const lun_device *device = out->op->device;
    const size_t group = device_group(device), side = group == 1 ? 1 : 8, tile = 4 * side;
    cl_ulong2 alpha, beta;
    char defines[96];
    /* the row may be another: variants call this plan for problems that they cannot run */
    const unsigned conjugated = matmul_is_real(p) ? 0 : p->conjugated;
    snprintf(defines, sizeof defines, "%s%s%s", row->reproducible ? "#define REPRODUCIBLE 1\n" : "",
             conjugated & LUN_CONJUGATE_A ? "#define CONJUGATE_A 1\n" : "",
             conjugated & LUN_CONJUGATE_B ? "#define CONJUGATE_B 1\n" : "");
    const program_key key = {.file = "matmul_plain", .dtype = p->dtype, .defines = defines};
    const size_t tiles = p->batches * ceil_div(p->m, tile) * ceil_div(p->n, tile);
    const size_t most = (size_t)device->info.units * (group == 1 ? 16 : 64);
    return plan_groups(out, &key, "matmul_plain", smaller(tiles, most), side * side,
                       ARGS(ARG_BLOCK(p->out->block), ARG_VALUE(&p->c), ARG_BLOCK(p->left->block), ARG_VALUE(&p->a),
                            ARG_BLOCK(p->right->block), ARG_VALUE(&p->b), ARG_LONG(p->batches), ARG_LONG(p->m),
                            ARG_LONG(p->n), ARG_LONG(p->k), any_scalar(&alpha, p, p->alpha),
                            any_scalar(&beta, p, p->beta)),
                       err);
}

/* ---- the variants: matmul_*.c ---------------------------------------------------------------------------------
 * cpu            panels in a core's caches, blocks in its registers, tasks that cores claim: CPUs.
 * thin_nvidia    as thin, with parts of k that are joined within the launch, and loads past the first cache (PTX).
 * thin           few rows or columns, of any length: every number is read once, memory is the limit.
 * nvidia         f64 and f16 by matrix instructions (PTX).
 * staged_nvidia  f32 by tiles that the GPU copies to local memory itself (cp.async in PTX): Ampere and later.
 * gpu            tiles through registers and local memory in OpenCL C alone: other GPUs and dtypes; anywhere by name.
 * staged         as staged_nvidia in OpenCL C alone, where items copy, and wait for it: slower than gpu, by name only.
 * parts          complex numbers, by four products of their parts, unless alpha or beta has an imaginary part.
 * plain          every device and layout.
 * reproducible   as plain, and each product is rounded before it is added: the same bits on every device. */

static const variant rows[] = {
    {.name = "cpu", .file = "matmul_cpu", ON_CPU, .applies = matmul_cpu_applies, .plan = matmul_cpu_plan},
    {.name = "thin_nvidia",
     .file = "matmul_thin",
     ON_NVIDIA(7),
     .applies = matmul_thin_applies,
     .plan = matmul_thin_plan},
    {.name = "thin", .file = "matmul_thin", ON_GPU, .applies = matmul_thin_applies, .plan = matmul_thin_plan},
    {.name = "nvidia",
     .file = "matmul_nvidia",
     ON_NVIDIA(8),
     .applies = matmul_nvidia_applies,
     .plan = matmul_nvidia_plan},
    {.name = "staged_nvidia",
     .file = "matmul_staged",
     ON_NVIDIA(8),
     .applies = matmul_staged_applies,
     .plan = matmul_staged_plan},
    {.name = "gpu", .file = "matmul_gpu", ON_GPU, .applies = matmul_gpu_applies, .plan = matmul_gpu_plan},
    {.name = "staged",
     .file = "matmul_staged",
     ON_GPU,
     .by_name = true,
     .applies = matmul_staged_applies,
     .plan = matmul_staged_plan},
    {.name = "parts", .file = "matmul_plain", .applies = matmul_parts_applies, .plan = matmul_parts_plan},
    {.name = "plain", .file = "matmul_plain", .applies = variant_anywhere, .plan = matmul_plain_plan},
    {.name = "reproducible",
     .file = "matmul_plain",
     .by_name = true,
     .reproducible = true,
     .applies = variant_anywhere,
     .plan = matmul_plain_plan},
};
const variants matmul_variants = {rows, COUNT(rows)};

/* ---- the call --------------------------------------------------------------------------------------------------- */

/* Makes a scalar an element of the dtype; scalars of float dtypes are left as they are. */
static lun_status to_dtype(lun_number *x, const char *name, lun_dtype dtype, lun_error *err)
{
    uint64_t element[LUN_MOST_BYTES / 8];
    lun_error problem;
    if (x->is_truth)
        return fail(err, LUN_MISUSE, "%s must be a number, not %s", name, x->integer ? "true" : "false");
    if (x->is_complex && !lun_dtype_has(dtype, LUN_PAIRS))
        return fail(err, LUN_MISUSE, "%s must be a real number for %s", name, lun_dtype_name(dtype));
    if (!dtype_is_whole(dtype))
        return LUN_OK;
    if (!x->is_integer && (!isfinite(x->real) || floor(x->real) != x->real))
        return fail(err, LUN_MISUSE, "%s must be an integer for %s, got %.17g", name, lun_dtype_name(dtype),
                    lun_number_shown(x->real));
    if (lun_number_store(&element, dtype, *x, &problem) != LUN_OK)
        return fail(err, LUN_MISUSE, "%s: %s", name, problem.message);
    *x = lun_number_load(&element, dtype);
    return LUN_OK;
}

static lun_status check(matmul_problem *p, const matmul_sides *found, lun_dtype dtype, lun_error *err)
{
    const lun_array *a = p->left, *b = p->right, *out = p->out;
    lun_array wanted = {0};
    char have[200], want[200];
    TRY(array_check_same_device(a, b, "the second array", err));
    TRY(array_check_same_device(a, out, "out", err));
    if (out->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s; the product is %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    matmul_result_shape(&wanted.ndim, wanted.shape, found, a, b);
    if (!shape_equal(out, &wanted))
        FAIL(LUN_MISUSE, "out has shape (%s); the product has (%s)", array_shape_text(have, sizeof have, out),
             array_shape_text(want, sizeof want, &wanted));
    TRY(array_check_apart(out, a, err));
    TRY(array_check_apart(out, b, err));
    TRY(to_dtype(&p->alpha, "alpha", dtype, err));
    return to_dtype(&p->beta, "beta", dtype, err);
}

static bool is_zero(lun_number x) { return x.is_integer ? x.integer == 0 : x.real == 0 && x.imaginary == 0; }

/* Operands of two dtypes are copied to scratch memory in one. */
typedef struct promoted {
    lun_array left, right, out;
    bool through; /* the product goes through `out` */
} promoted;

static lun_status promote(const lun_array **array, lun_array *made, plan *to, lun_dtype dtype, lun_error *err)
{
    const lun_array *own = *array;
    if (own->size == 0 || dtype_wrapping(own->dtype) == dtype_wrapping(dtype)) /* 64 bits are what they are */
        return LUN_OK;
    TRY(operation_scratch_array(to->op, made, dtype, own->ndim, own->shape, err));
    TRY(plan_array_copy(to, made, own, err));
    *array = made;
    return LUN_OK;
}

/* Floats of 16 bits would round integers, which those of f32 that they are computed in need not. */
static lun_status promote_all(promoted *to, matmul_problem *p, plan *planned, lun_dtype dtype, lun_error *err)
{
    const lun_array *out = p->out;
    to->through =
        out->size && dtype_is_packed(dtype) && dtype_is_whole(p->left->dtype) != dtype_is_whole(p->right->dtype);
    const lun_dtype computed = to->through ? dtype_computed(dtype) : dtype;
    TRY(promote(&p->left, &to->left, planned, computed, err));
    TRY(promote(&p->right, &to->right, planned, computed, err));
    if (to->through) {
        TRY(operation_scratch_array(planned->op, &to->out, computed, out->ndim, out->shape, err));
        if (!is_zero(p->beta))
            TRY(plan_array_copy(planned, &to->out, out, err));
        p->out = &to->out;
    }
    p->dtype = dtype_wrapping(computed);
    return LUN_OK;
}

lun_dtype lun_matmul_dtype(lun_dtype a, lun_dtype b) { return dtype_arithmetic(lun_dtype_promoted(a, b)); }

lun_status lun_matmul(const lun_array *out, const lun_array *a, const lun_array *b, lun_number alpha, lun_number beta,
                      const lun_call *call, lun_error *err)
{
    return lun_matmul_conjugated(out, a, b, 0, alpha, beta, call, err);
}

lun_status lun_matmul_conjugated(const lun_array *out, const lun_array *a, const lun_array *b, unsigned conjugated,
                                 lun_number alpha, lun_number beta, const lun_call *call, lun_error *err)
{
    matmul_sides found;
    promoted scratch;
    matmul_problem p = {.out = out, .left = a, .right = b, .alpha = alpha, .beta = beta, .conjugated = conjugated};
    const lun_dtype dtype = lun_matmul_dtype(a->dtype, b->dtype);
    TRY(array_check_live(a, "the first array", err));
    TRY(array_check_live(b, "the second array", err));
    TRY(array_check_live(out, "out", err));
    TRY(matmul_find_sides(&found, a, b, err));
    TRY(check(&p, &found, dtype, err));
    PLANNED(op, planned, out->device, "matmul", call);
    TRY(operation_reads(&op, a, err));
    TRY(operation_reads(&op, b, err));
    TRY(is_zero(p.beta) ? operation_writes(&op, out, err) : operation_reads_writes(&op, out, err));
    operation_weigh(&op, operation_bytes_weight(&op) + (double)out->size * (double)found.k * matmul_step(dtype));
    TRY(promote_all(&scratch, &p, &planned, dtype, err));
    matmul_normalise(&p, &found);
    TRY(plan_variant(&planned, &matmul_variants, out->size ? &p : NULL, variant_named_of(call, p.dtype), err));
    if (scratch.through)
        TRY(plan_array_copy(&planned, out, p.out, err));
    return operation_run(&op, &planned, err);
}

lun_status plan_array_multiply(plan *p, const lun_array *out, const lun_array *a, const lun_array *b, double alpha,
                               double beta, lun_error *err)
{
    return plan_array_multiply_conjugated(p, out, a, b, 0, alpha, beta, err);
}

lun_status plan_array_multiply_conjugated(plan *p, const lun_array *out, const lun_array *a, const lun_array *b,
                                          unsigned conjugated, double alpha, double beta, lun_error *err)
{
    matmul_sides found;
    matmul_problem problem = {.dtype = dtype_wrapping(out->dtype),
                              .out = out,
                              .left = a,
                              .right = b,
                              .alpha = lun_real(alpha),
                              .beta = lun_real(beta),
                              .conjugated = conjugated};
    const unsigned scratch = operation_scratch_mark(p->op);
    if (out->size == 0)
        return LUN_OK;
    TRY(matmul_find_sides(&found, a, b, err));
    matmul_normalise(&problem, &found);
    TRY(plan_variant(p, &matmul_variants, &problem, NULL, err));
    operation_scratch_again(p->op, scratch);
    return LUN_OK;
}
