/* eig and eigvals: reducing matrices to triangles by QR steps. */
#include "base/dtype.h"
#include "op/linalg/eigen.h"

#include <stdio.h>
#include <string.h>

#define SLICE                                                                                                          \
    (1 << 24)                   /* the approximate work of a launch, in numbers rotated by its steps or columns, so that
                               * none takes long */
#define STEPS IN_TESTS(1, 30)   /* for each eigenvalue, at most, */
#define FEWEST IN_TESTS(50, 10) /* and for that many where there are fewer */
#define FEW 8                   /* rows of a matrix that an item takes by itself, at most */

typedef struct finding {
    lun_array a;
    bool vectors;
} finding;

static lun_dtype complex_of(lun_dtype dtype) { return lun_dtype_bytes(lun_dtype_part(dtype)) > 4 ? LUN_c128 : LUN_c64; }

/* The results of the reduction and its bookkeeping; all in scratch memory. */
typedef struct triangle {
    lun_array t, z, exponents, orders, powers, sizes, ranges, norms, state, values;
    bool vectors;
    size_t n;
} triangle;

static lun_status launch_all(const linalg *l, const char *file, const char *name, size_t items, const launch_arg *args,
                             size_t count, lun_error *err)
{
    return eigen_launch_items(l, file, name, items, 1, args, count, err);
}

/* The kernels whose matrices groups share, but for small ones. */
static lun_status launch_shared(const linalg *l, const char *file, const char *name, size_t n, const launch_arg *args,
                                size_t count, lun_error *err)
{
    const size_t sharing = n <= FEW ? 1 : smaller(eigen_sharing(l), n <= 64 ? 32 : n <= 256 ? 128 : 256);
    const size_t groups = linalg_groups(l, l->batches);
    char defines[40];
    snprintf(defines, sizeof defines, "#define SHARING %zu\n", sharing);
    const program_key key = {.file = file, .dtype = l->dtype, .defines = defines};
    cl_kernel kernel;
    TRY(program_kernel(&kernel, l->p->op->device, &key, name, err));
    const launch shared = {kernel, 1, {groups, 1, 1}, {sharing, 1, 1}};
    const launch spread = launch_spread(l->p->op->device, kernel, l->batches, 1);
    return plan_launch(l->p, sharing > 1 ? &shared : &spread, args, count, err);
}

static lun_status take_memory(triangle *s, const linalg *l, lun_error *err)
{
    operation *op = l->p->op;
    const size_t matrices[] = {l->batches, s->n, s->n}, rows[] = {l->batches, s->n}, few[] = {l->batches, 3};
    TRY(operation_scratch_array(op, &s->t, l->dtype, 3, matrices, err));
    if (s->vectors)
        TRY(operation_scratch_array(op, &s->z, l->dtype, 3, matrices, err));
    TRY(operation_scratch_array(op, &s->exponents, LUN_i32, 1, few, err));
    TRY(operation_scratch_array(op, &s->orders, LUN_i32, 2, rows, err));
    TRY(operation_scratch_array(op, &s->powers, LUN_i32, 2, rows, err));
    TRY(operation_scratch_array(op, &s->sizes, LUN_i32, 2, rows, err));
    TRY(operation_scratch_array(op, &s->ranges, LUN_i32, 2, few, err));
    TRY(operation_scratch_array(op, &s->state, LUN_i32, 2, few, err));
    TRY(operation_scratch_array(op, &s->norms, lun_dtype_part(l->dtype), 1, few, err));
    return operation_scratch_array(op, &s->values, complex_of(l->dtype), 2, rows, err);
}

static lun_status make_triangle(const triangle *s, const linalg *l, lun_error *err)
{
    const size_t n = s->n, most = STEPS * larger(n, FEWEST), steps = larger(8, SLICE / (n * n));
    lun_block *z = s->vectors ? s->z.block : NULL;
    lun_array scratch;
    TRY(operation_scratch_array(l->p->op, &scratch, l->dtype, 2, (const size_t[]){l->batches, 2 * n}, err));
    TRY(launch_shared(l, "hessenberg_plain", "balance", n,
                      ARGS(ARG_BLOCK(s->t.block), ARG_BLOCK(s->orders.block), ARG_BLOCK(s->powers.block),
                           ARG_BLOCK(s->sizes.block), ARG_BLOCK(s->ranges.block), ARG_BLOCK(s->norms.block),
                           ARG_LONG(l->batches), ARG_LONG(n)),
                      err));
    for (size_t from = 0; from < n; from += steps)
        TRY(launch_shared(l, "hessenberg_plain", "reduce_to_hessenberg", n,
                          ARGS(ARG_BLOCK(s->t.block), ARG_BLOCK(z), ARG_BLOCK(scratch.block),
                               ARG_BLOCK(s->ranges.block), ARG_BLOCK(s->state.block), ARG_LONG(l->batches), ARG_LONG(n),
                               ARG_LONG(from), ARG_LONG(from + steps)),
                          err));
    for (size_t taken = 0; taken < most + 1; taken += steps)
        TRY(launch_shared(l, "schur_plain", "take_steps", n,
                          ARGS(ARG_BLOCK(s->t.block), ARG_BLOCK(z), ARG_BLOCK(s->values.block),
                               ARG_BLOCK(s->state.block), ARG_BLOCK(s->norms.block), ARG_LONG(l->batches), ARG_LONG(n),
                               ARG_LONG(steps), ARG_LONG(most), ARG_BLOCK(l->info), ARG_VERDICT(l->p->op)),
                          err));
    return LUN_OK;
}

/* Both contiguous, in the dtype of the results' parts as computed. */
static lun_status give(const triangle *s, const linalg *l, const lun_array *w, const lun_array *v,
                       const lun_array *vectors, lun_error *err)
{
    return launch_all(l, "eigenvectors_plain", "give_eigenvectors", l->batches * s->n,
                      ARGS(ARG_BLOCK(w->block), ARG_BLOCK(v ? v->block : NULL), ARG_BLOCK(s->values.block),
                           ARG_BLOCK(vectors ? vectors->block : NULL), ARG_BLOCK(s->orders.block),
                           ARG_BLOCK(s->powers.block), ARG_BLOCK(s->exponents.block), ARG_LONG(l->batches),
                           ARG_LONG(s->n)),
                      err);
}

static lun_status find(linalg *l, const linalg_call *c, lun_error *err)
{
    const finding *f = c->of;
    triangle s = {.vectors = f->vectors, .n = rows_of(&f->a)};
    lun_array a = f->a, w, x, vectors, v;
    const size_t matrices[] = {l->batches, s.n, s.n};
    operation *op = l->p->op;
    TRY(linalg_look(l, c, &a, LINALG_BOTH_SIDES, err));
    if (s.n == 0)
        return linalg_end_look(l, c, f->a.ndim - 2, err);
    TRY(linalg_own(l, &a, err));
    TRY(take_memory(&s, l, err));
    TRY(operation_scratch_array(op, &w, s.values.dtype, c->out[0].ndim, c->out[0].shape, err));
    TRY(eigen_load(l, &s.t, &s.exponents, &a, false, false, err));
    TRY(make_triangle(&s, l, err));
    if (s.vectors) {
        TRY(operation_scratch_array(op, &x, l->dtype, 3, matrices, err));
        TRY(operation_scratch_array(op, &vectors, l->dtype, 3, matrices, err));
        TRY(operation_scratch_array(op, &v, s.values.dtype, c->out[1].ndim, c->out[1].shape, err));
        TRY(launch_all(l, "eigenvectors_plain", "find_vectors", l->batches * s.n,
                       ARGS(ARG_BLOCK(x.block), ARG_BLOCK(s.t.block), ARG_BLOCK(s.values.block),
                            ARG_BLOCK(s.norms.block), ARG_LONG(l->batches), ARG_LONG(s.n)),
                       err));
        TRY(plan_array_multiply(l->p, &vectors, &x, &s.z, 1, 0, err));
    }
    TRY(give(&s, l, &w, s.vectors ? &v : NULL, s.vectors ? &vectors : NULL, err));
    TRY(plan_array_copy(l->p, &c->out[0], &w, err));
    if (s.vectors)
        TRY(plan_array_copy(l->p, &c->out[1], &v, err));
    return linalg_end_look(l, c, f->a.ndim - 2, err);
}

static lun_status eig(composing *c, lun_error *err)
{
    const bool vectors = !request_is(c->r, ROW_VALUES);
    finding s = {.vectors = vectors};
    lun_dtype dtype;
    TRY(linalg_square(&s.a, c->r, 0, err));
    TRY(linalg_dtype(&dtype, c->r->arguments[0].array, err));
    linalg_call l = {.c = c, .r = c->r, .in = {s.a}, .in_count = 1, .work = 60 * linalg_cube(&s.a), .of = &s};
    const lun_dtype given = complex_of(dtype);
    const size_t n = rows_of(&s.a);
    c->results = vectors ? 2 : 1;
    c->further = request_truth(c->r, "info");
    TRY(linalg_give(&l, given, s.a.ndim - 1, s.a.shape, err));
    if (vectors)
        TRY(linalg_give_matrices(&l, given, s.a.ndim - 2, s.a.shape, n, n, err));
    TRY(linalg_give_info(&l, &s.a, err));
    if (c->r->device->info.fp64)
        dtype = lun_dtype_has(dtype, LUN_PAIRS) ? LUN_c128 : LUN_f64;
    return linalg_run(&l, find, dtype, matrix_batches(&s.a), err);
}

COMPOSED(eig)
