/* Products of sparse matrices in rows with vectors and matrices: the variants. */
#include "op/planning.h"
#include "op/sparse/csr.h"

#include <stdio.h>

typedef struct csr_problem {
    const csr_product *of;
    csr_matrix matrix; /* dense arrays, of one dtype, from here on */
    const lun_array *values, *x;
    lun_dtype dtype; /* the program's */
    csr_shape shape;
    lun_block *ends, *states;
    bool named; /* the call names a variant */
    cl_ulong2 alpha, beta;
} csr_problem;

lun_status csr_dense(const lun_array **out, lun_array *made, plan *p, const lun_array *array, lun_dtype dtype,
                     lun_error *err)
{
    const bool same =
        array->dtype == dtype || (dtype_wrapping(array->dtype) == dtype_wrapping(dtype) &&
                                  !lun_dtype_has(dtype, LUN_TRUTHS)); /* bytes other than 0 and 1 are not truth
                                                                       * values */
    *out = array;
    if (array->size == 0 || (same && lun_array_is_contiguous(array)))
        return LUN_OK;
    TRY(operation_scratch_array(p->op, made, dtype, array->ndim, array->shape, err));
    TRY(plan_array_copy(p, made, array, err));
    *out = made;
    return LUN_OK;
}

/* ---- what variants share ------------------------------------------------------------------------------------------- */

static bool is_plain_ring(const csr_problem *p) { return !*p->of->ring->defines; }

static size_t steps_of(const csr_problem *p) { return (size_t)(p->shape.rows + p->shape.entries); }

static lun_status add_kernel(plan *out, const variant *row, const csr_problem *p, const char *defines, const char *name,
                             launch groups, lun_error *err)
{
    char all[300];
    const size_t bytes = lun_dtype_bytes(dtype_computed(p->dtype));
    snprintf(all, sizeof all, "#define INDEX %s\n%s%s", dtype_cl(p->matrix.starts->dtype), p->of->ring->defines,
             defines);
    const program_key key = {.file = row->file, .dtype = p->dtype, .defines = all};
    TRY(program_kernel(&groups.kernel, out->op->device, &key, name, err));
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->of->out->block), ARG_VALUE(&p->shape), ARG_BLOCK(p->matrix.starts->block),
                            ARG_BLOCK(p->matrix.columns->block), ARG_BLOCK(p->values->block), ARG_BLOCK(p->x->block),
                            ARG_BLOCK(p->ends), ARG_BLOCK(p->states), ARG_BYTES(&p->alpha, bytes),
                            ARG_BYTES(&p->beta, bytes)),
                       err);
}

static lun_status cut(csr_problem *p, plan *out, size_t step, lun_error *err)
{
    p->shape.step = (cl_long)step;
    p->shape.pieces = (cl_long)ceil_div(steps_of(p), step);
    const size_t pieces = (size_t)p->shape.pieces, state = lun_dtype_bytes(dtype_computed(p->dtype));
    TRY(operation_scratch(out->op, &p->ends, pieces * sizeof(cl_long), err));
    return operation_scratch(out->op, &p->states, 2 * pieces * (size_t)p->shape.width * state, err);
}

/* Pieces of that many steps, each for that many columns of x in parallel. */
static lun_status plan_pieces(plan *out, const variant *row, const csr_problem *of, size_t step, const char *defines,
                              size_t lanes, lun_error *err)
{
    csr_problem p = *of;
    const lun_device *device = out->op->device;
    TRY(cut(&p, out, step, err));
    const size_t pieces = (size_t)p.shape.pieces, width = (size_t)p.shape.width;
    const launch groups = launch_spread(device, NULL, pieces * ceil_div(width, lanes), 2),
                 ends = launch_spread(device, NULL, pieces * width, spread_tuned(device)->indexed);
    TRY(add_kernel(out, row, &p, defines, "csr_plain", groups, err));
    return add_kernel(out, row, &p, defines, "csr_ends", ends, err);
}

/* ---- the variants -------------------------------------------------------------------------------------------------- */

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const lun_device *device = out->op->device;
    const csr_tuning *tuned = csr_tuned(device);
    return plan_pieces(out, row, data, device_group(device) == 1 ? tuned->cpu_steps : tuned->plain_steps, "", 1, err);
}

#define DEEP "#define DEEP 1\n"

/* A kernel for whole rows is correct for rows of any length, and fast if none is much longer than the others. */
static bool are_within(const csr_problem *p, int length)
{
    return p->shape.width == 1 && (p->named || csr_is_within(p->of->matrix, length));
}

static bool is_deep(const csr_problem *p)
{
    return is_plain_ring(p) && !lun_dtype_has(p->dtype, LUN_PAIRS) && !dtype_is_packed(p->dtype);
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    const csr_problem *p = data;
    return variant_on_cpu(device, data) && (!p || is_deep(p));
}

static bool rows_apply(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && (!data || are_within(data, CSR_HUGE));
}

static lun_status plan_rows(plan *out, const variant *row, const void *data, lun_error *err)
{
    const csr_problem *p = data;
    const lun_device *device = out->op->device;
    const size_t least = csr_tuned(device)->check;
    return add_kernel(out, row, p, is_deep(p) ? DEEP : "", "csr_rows", launch_spread(device, NULL, steps_of(p), least),
                      err);
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const csr_problem *p = data;
    const bool deep = p->shape.width == 1;
    return plan_pieces(out, row, p, csr_tuned(out->op->device)->cpu_steps, deep ? DEEP : "#define LANES 8\n",
                       deep ? 1 : 8, err);
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    const csr_problem *p = data;
    return device->info.max_group >= CSR_ITEMS && (!p || p->shape.width == 1);
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    csr_problem p = *(const csr_problem *)data;
    TRY(cut(&p, out, (size_t)CSR_ITEMS * CSR_EACH, err));
    const size_t pieces = (size_t)p.shape.pieces;
    const launch ends = {NULL, 1, {ceil_div(pieces, CSR_END_ITEMS), 1, 1}, {CSR_END_ITEMS, 1, 1}};
    p.shape.cut = pieces >= csr_tuned(out->op->device)->cut;
    if (p.shape.cut)
        TRY(add_kernel(out, row, &p, "", "csr_gpu_corners", ends, err));
    TRY(add_kernel(out, row, &p, "", "csr_gpu", (launch){NULL, 1, {pieces, 1, 1}, {CSR_ITEMS, 1, 1}}, err));
    return add_kernel(out, row, &p, "", "csr_gpu_ends", ends, err);
}

static bool short_applies(const lun_device *device, const void *data)
{
    return device->info.max_group >= CSR_ITEMS && (!data || are_within(data, CSR_LONG));
}

static lun_status plan_short(plan *out, const variant *row, const void *data, lun_error *err)
{
    const csr_problem *p = data;
    const launch groups = {NULL, 1, {ceil_div((size_t)p->shape.rows, CSR_ITEMS), 1, 1}, {CSR_ITEMS, 1, 1}};
    return add_kernel(out, row, p, "", "csr_gpu_short", groups, err);
}

/* rows   an item to a share of rows: a vector, on CPUs, where no row is huge; any by name.
 * cpu    entries of a row, or columns of x, in vectors: real numbers on CPUs.
 * short  a group to as many rows as it has items: a vector, on GPUs, where no row is long; any by name.
 * gpu    a group to a piece, whose items share products: a vector, on GPUs; anywhere by name.
 * plain  an item to a piece and a column: everything. */
static const variant rows[] = {
    {.name = "rows", .file = "csr_plain", ON_CPU, .applies = rows_apply, .plan = plan_rows},
    {.name = "cpu", .file = "csr_plain", ON_CPU, .applies = cpu_applies, .plan = plan_on_cpu},
    {.name = "short", .file = "csr_gpu", ON_GPU, .applies = short_applies, .plan = plan_short},
    {.name = "gpu", .file = "csr_gpu", ON_GPU, .applies = gpu_applies, .plan = plan_on_gpu},
    {.name = "plain", .file = "csr_plain", .applies = variant_anywhere, .plan = plan_plain, .rounds = true},
};
const variants csr_variants = {rows, COUNT(rows)};

/* ---- the call ------------------------------------------------------------------------------------------------------ */

static bool is_number(lun_number x, int64_t wanted)
{
    return x.is_integer ? x.integer == wanted : x.real == (double)wanted && (!x.is_complex || x.imaginary == 0);
}

static lun_status find_problem(csr_problem *p, lun_array *made, plan *planned, lun_error *err)
{
    const csr_product *of = p->of;
    const csr_matrix *m = of->matrix;
    const lun_array *out = of->out;
    const lun_dtype computed = dtype_computed(out->dtype);
    const bool sums = is_plain_ring(p);
    p->dtype = sums ? dtype_wrapping(out->dtype) : out->dtype;
    p->matrix = *m;
    TRY(csr_dense(&p->matrix.starts, &made[0], planned, m->starts, m->starts->dtype, err));
    TRY(csr_dense(&p->matrix.columns, &made[1], planned, m->columns, m->columns->dtype, err));
    TRY(csr_dense(&p->values, &made[2], planned, of->values, out->dtype, err));
    TRY(csr_dense(&p->x, &made[3], planned, of->x, out->dtype, err));
    TRY(lun_number_round(&p->alpha, computed, of->alpha, err));
    TRY(lun_number_round(&p->beta, computed, of->beta, err));
    p->shape = (csr_shape){.y = out->offset,
                           .starts = p->matrix.starts->offset,
                           .columns = p->matrix.columns->offset,
                           .values = p->values->offset,
                           .x = p->x->offset,
                           .first = m->first,
                           .rows = (cl_long)m->rows,
                           .entries = (cl_long)m->entries,
                           .width = out->ndim == 1 ? 1 : (cl_long)out->shape[1],
                           .y_row = out->stride[0],
                           .y_column = out->ndim == 1 ? 0 : out->stride[1],
                           .scaled = !is_number(of->alpha, 1),
                           .adds = !is_number(of->beta, 0)};
    return LUN_OK;
}

lun_status csr_multiply(const csr_product *of, const lun_call *call, lun_error *err)
{
    csr_problem problem = {.of = of, .named = variant_named(call) != NULL};
    lun_array made[4];
    const lun_array *out = of->out;
    const bool adds = !is_number(of->beta, 0);
    PLANNED(op, p, out->device, "csr_matmul", call);
    TRY(operation_touches(&op, ARRAYS(of->matrix->starts, of->matrix->columns, of->values, of->x),
                          ARRAYS(adds ? NULL : out), err));
    if (adds)
        TRY(operation_reads_writes(&op, out, err));
    operation_weigh(&op, 2 * (double)(of->matrix->entries + out->size) * (out->ndim == 1 ? 1 : (double)out->shape[1]));
    TRY(find_problem(&problem, made, &p, err));
    TRY(plan_variant(&p, &csr_variants, out->size ? &problem : NULL, variant_named(call), err));
    return operation_run(&op, &p, err);
}
