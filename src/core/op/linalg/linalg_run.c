/* Compositions of linear algebra: their arguments, and running one operation. */
#include "base/dtype.h"
#include "op/linalg/linalg.h"

#include <stdio.h>
#include <string.h>

lun_status linalg_dtype(lun_dtype *out, const lun_array *a, lun_error *err)
{
    *out = dtype_is_whole(a->dtype) ? (a->device->info.fp64 ? LUN_f64 : LUN_f32) : a->dtype;
    if (!dtype_is_packed(*out))
        return LUN_OK;
    return fail(err, LUN_MISUSE, "%s matrices are not supported; f32 or f64 is needed: use cast(\"f32\")",
                lun_dtype_name(a->dtype));
}

lun_status linalg_matrix(lun_array *out, const lun_request *r, unsigned i, lun_error *err)
{
    const lun_array *a = r->arguments[i].array;
    char shape[200];
    TRY(array_check_live(a, "the array", err));
    if (a->ndim < 2)
        FAIL(LUN_MISUSE, "a matrix is needed, or a batch of them; the array has shape (%s)",
             array_shape_text(shape, sizeof shape, a));
    *out = r->manner->reversed ? matrix_transposed(a) : *a;
    return LUN_OK;
}

lun_status linalg_square(lun_array *out, const lun_request *r, unsigned i, lun_error *err)
{
    char shape[200];
    TRY(linalg_matrix(out, r, i, err));
    if (rows_of(out) != columns_of(out))
        FAIL(LUN_MISUSE, "a square matrix is needed, or a batch of them; the array has shape (%s)",
             array_shape_text(shape, sizeof shape, r->arguments[i].array));
    return LUN_OK;
}

static lun_status find_batch(linalg_sides *s, const lun_array *left, const lun_array *right, lun_error *err)
{
    lun_array a = s->a, b = s->b;
    char texts[2][200];
    a.ndim -= 2;
    b.ndim -= 2;
    if (shape_broadcast(&s->ndim, s->batch, (const lun_array *const[]){&a, &b}, 2) && s->ndim + 2 <= LUN_MAX_AXES)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "batch axes differ: (%s) and (%s)", array_shape_text(texts[0], sizeof texts[0], left),
                array_shape_text(texts[1], sizeof texts[1], right));
}

lun_status linalg_read_right(linalg_sides *s, const lun_request *r, unsigned left, unsigned right, lun_error *err)
{
    const lun_array *b = r->arguments[right].array;
    char shape[200];
    lun_dtype other;
    TRY(array_check_same_device(r->arguments[left].array, b, "the second array", err));
    TRY(linalg_dtype(&other, b, err));
    s->dtype = lun_dtype_promoted(s->dtype, other);
    s->vector = b->ndim == 1;
    if (b->ndim == 0)
        FAIL(LUN_MISUSE, "the right side is a number; a vector or a matrix is needed");
    if (s->vector) {
        s->b = *b;
        s->b.ndim = 2;
        s->b.shape[1] = 1;
        s->b.stride[1] = 0;
    } else {
        TRY(linalg_matrix(&s->b, r, right, err));
    }
    if (rows_of(&s->b) != rows_of(&s->a))
        FAIL(LUN_MISUSE, "the matrix has %zu rows, and the right side has shape (%s)", rows_of(&s->a),
             array_shape_text(shape, sizeof shape, b));
    return find_batch(s, r->arguments[left].array, b, err);
}

lun_status linalg_run(linalg_call *c, lun_status (*run)(linalg *l, const linalg_call *c, lun_error *err),
                      lun_dtype dtype, size_t batches, lun_error *err)
{
    const lun_request *r = c->r;
    const char *named = variant_named(&r->call);
    size_t elements = 0;
    c->run = run;
    c->dtype = dtype;
    c->batches = batches;
    if (!compose_enters(c->c))
        return LUN_OK;
    PLANNED(op, p, r->device, r->operation->name, &r->call);
    for (size_t i = 0; i < c->in_count; i++)
        TRY(operation_reads(&op, &c->in[i], err));
    for (size_t i = 0; i < c->out_count; i++) {
        TRY(operation_writes(&op, &c->out[i], err));
        elements += c->out[i].size;
    }
    operation_weigh(&op, operation_bytes_weight(&op) + (double)batches * (c->work * 0.3 + 500));
    TRY(plan_variant(&p, &linalg_variants, elements ? c : NULL, named, err));
    return operation_run(&op, &p, err);
}

lun_status linalg_copy(const linalg *l, lun_array *out, const lun_array *from, lun_error *err)
{
    TRY(operation_scratch_array(l->p->op, out, l->dtype, from->ndim, from->shape, err));
    if (from->size)
        TRY(plan_array_copy(l->p, out, from, err));
    return LUN_OK;
}

lun_status linalg_own(const linalg *l, lun_array *a, lun_error *err)
{
    const lun_array from = *a;
    if (a->dtype == l->dtype)
        return LUN_OK;
    return linalg_copy(l, a, &from, err);
}

static cl_ulong2 bits_of(lun_dtype dtype, double x)
{
    cl_ulong2 bits = {{0, 0}};
    lun_error never;
    (void)lun_number_store(&bits, dtype, lun_real(x), &never);
    return bits;
}

lun_status linalg_fill_diagonal(const linalg *l, const lun_array *a, double x, lun_error *err)
{
    lun_array diagonal = *a;
    diagonal.ndim--;
    diagonal.shape[diagonal.ndim - 1] = rows_of(a);
    diagonal.stride[diagonal.ndim - 1] = a->stride[a->ndim - 2] + a->stride[a->ndim - 1];
    diagonal.size = matrix_batches(a) * rows_of(a);
    TRY(plan_array_fill(l->p, a, bits_of(l->dtype, 0), err));
    return plan_array_fill(l->p, &diagonal, bits_of(l->dtype, x), err);
}

lun_array linalg_spread(const lun_array *a, int ndim, const size_t *shape)
{
    lun_array view = *a;
    view.ndim = ndim + 2;
    for (int i = 0; i < view.ndim; i++) {
        const int own = i - (view.ndim - a->ndim);
        const bool matrix = i >= ndim;
        view.shape[i] = matrix ? a->shape[own] : shape[i];
        view.stride[i] = own < 0 || (!matrix && a->shape[own] == 1) ? 0 : a->stride[own];
    }
    view.size = matrix_batches(&view) * rows_of(&view) * columns_of(&view);
    return view;
}

/* ---- errors in matrices ---------------------------------------------------------------------------------------- */

static void say(char *text, size_t room, const lun_verdict *found, int64_t batches, const char *what)
{
    char which[80] = "";
    if (batches > 1)
        snprintf(which, sizeof which, "matrix %lld of %lld: ", (long long)found->position + 1, (long long)batches);
    snprintf(text, room, what, which, (long long)found->value);
}

void linalg_say_singular(char *text, size_t room, const lun_verdict *found, int64_t batches)
{
    say(text, room, found, batches, "%ssingular matrix: pivot %lld is 0");
}

void linalg_say_indefinite(char *text, size_t room, const lun_verdict *found, int64_t batches)
{
    say(text, room, found, batches, "%snot positive definite at row %lld");
}

/* An i32 for each matrix of the batch, as the result `to`, or a failure of the operation. */
lun_status linalg_tell(const linalg *l, const lun_array *to, verdict_words *words, lun_error *err)
{
    if (!to)
        return linalg_judge(l, words, err);
    lun_array info = *to;
    info.block = l->info;
    info.offset = 0;
    shape_strides(info.stride, info.ndim, info.shape);
    return info.size ? plan_array_copy(l->p, to, &info, err) : LUN_OK;
}

/* ---- results ------------------------------------------------------------------------------------------------------- */

/* `given`: the array that is changed in place. */
static lun_status give(linalg_call *l, lun_array *given, lun_dtype dtype, int ndim, const size_t *shape, bool turned,
                       lun_error *err)
{
    const lun_array *out;
    TRY(compose_result(&out, l->c, l->out_count, dtype, ndim, shape, err));
    if (given)
        l->c->r->results[l->out_count].given = given;
    for (size_t i = 0; i < l->in_count && !given; i++)
        TRY(compose_check_out(l->c, out, &l->in[i], err));
    l->out[l->out_count++] = turned ? matrix_transposed(out) : *out;
    return LUN_OK;
}

lun_status linalg_give(linalg_call *l, lun_dtype dtype, int ndim, const size_t *shape, lun_error *err)
{
    return give(l, NULL, dtype, ndim, shape, false, err);
}

lun_status linalg_give_matrices(linalg_call *l, lun_dtype dtype, int ndim, const size_t *batch, size_t rows,
                                size_t columns, lun_error *err)
{
    const bool turned = l->r->manner->reversed, in_place = l->out_count == 0 && request_is(l->r, ROW_IN_PLACE);
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, batch, (size_t)ndim * sizeof *shape);
    shape[ndim] = turned ? columns : rows;
    shape[ndim + 1] = turned ? rows : columns;
    return give(l, in_place ? l->r->arguments[0].array : NULL, dtype, ndim + 2, shape, turned, err);
}

lun_status linalg_give_vectors(linalg_call *l, lun_dtype dtype, const lun_array *a, size_t count, lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, a->shape, sizeof shape);
    shape[a->ndim - 2] = count;
    return linalg_give(l, dtype, a->ndim - 1, shape, err);
}

lun_status linalg_give_info(linalg_call *l, const lun_array *a, lun_error *err)
{
    return request_truth(l->r, "info") ? linalg_give(l, LUN_i32, a->ndim - 2, a->shape, err) : LUN_OK;
}

/* ---- matrices that are not finite ---------------------------------------------------------------------------------- */

lun_status linalg_look(linalg *l, const linalg_call *c, const lun_array *a, linalg_side side, lun_error *err)
{
    lun_array own = *a;
    l->informs = request_truth(c->r, "info");
    if (!l->informs || a->size == 0 || dtype_is_whole(a->dtype))
        return LUN_OK;
    TRY(linalg_own(l, &own, err));
    return linalg_launch_finish(l, "find_unfinite", l->batches * rows_of(a),
                                ARGS(ARG_MATRIX(&own), ARG_BLOCK(l->info), ARG_LONG(l->batches), ARG_LONG(rows_of(a)),
                                     ARG_LONG(columns_of(a)), ARG_LONG(side)),
                                err);
}

lun_array linalg_as_matrices(const lun_array *a, int ndim)
{
    lun_array view = *a;
    while (view.ndim < ndim + 2) {
        view.shape[view.ndim] = 1;
        view.stride[view.ndim++] = 0;
    }
    return view;
}

lun_status linalg_end_look(linalg *l, const linalg_call *c, int ndim, lun_error *err)
{
    if (!l->informs)
        return LUN_OK;
    const size_t last = c->out_count - 1;
    lun_array info = c->out[last];
    info.block = l->info;
    info.offset = 0;
    shape_strides(info.stride, info.ndim, info.shape);
    info = linalg_as_matrices(&info, info.ndim);
    for (size_t i = 0; i < last; i++) {
        const lun_array x = linalg_as_matrices(&c->out[i], ndim), of = linalg_spread(&info, ndim, x.shape);
        const matmul_view of_at = matrix_view(&of);
        linalg each = *l;
        each.dtype = x.dtype;
        if (x.size && !dtype_is_whole(x.dtype))
            TRY(linalg_launch_finish(&each, "spoil", x.size,
                                     ARGS(ARG_MATRIX(&x), ARG_BLOCK(info.block), ARG_VALUE(&of_at),
                                          ARG_LONG(matrix_batches(&x)), ARG_LONG(rows_of(&x)),
                                          ARG_LONG(columns_of(&x))),
                                     err));
    }
    return linalg_tell(l, &c->out[last], NULL, err);
}
