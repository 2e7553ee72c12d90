/* QR with column pivoting: reflections column by column, which are combined to blocks afterwards. */
#include "op/linalg/linalg.h"

#include <string.h>

/* A kernel in which groups process columns, or items if `items` is not 0. */
static lun_status launch_columns(const linalg *l, const char *name, size_t columns, size_t items,
                                 const launch_arg *args, size_t count, lun_error *err)
{
    lun_device *device = l->p->op->device;
    const size_t group = device_group(device);
    cl_kernel kernel;
    TRY(program_kernel(&kernel, device, &(program_key){.file = "linalg_pivot", .dtype = l->dtype}, name, err));
    const launch groups = {kernel, 1, {larger(1, smaller(columns, device->info.units * 64)), 1, 1}, {group, 1, 1}};
    const launch spread = launch_spread(device, kernel, items, 4);
    return plan_launch(l->p, items ? &spread : &groups, args, count, err);
}

/* A matrix whose columns are contiguous. */
static lun_status packed_columns(const linalg *l, lun_array *out, const lun_array *like, size_t columns, lun_error *err)
{
    lun_array turned;
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, like->shape, sizeof shape);
    shape[like->ndim - 1] = rows_of(like);
    shape[like->ndim - 2] = columns;
    TRY(operation_scratch_array(l->p->op, &turned, l->dtype, like->ndim, shape, err));
    *out = matrix_transposed(&turned);
    return LUN_OK;
}

typedef struct pivoting {
    const linalg *l;
    linalg_qr *f;
    lun_block *norms, *factors;
    size_t m, n, square;
} pivoting;

static lun_status make_room(pivoting *p, const lun_array *a, lun_error *err)
{
    const linalg *l = p->l;
    linalg_qr *f = p->f;
    const size_t bytes = lun_dtype_bytes(l->dtype);
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, a->shape, sizeof shape);
    f->depth = 0;
    f->last.block = smaller(larger(p->square, 1), l->leaves->block);
    TRY(packed_columns(l, &f->a, a, p->n, err));
    TRY(packed_columns(l, &f->last.v, a, p->square, err));
    shape[a->ndim - 2] = p->square;
    shape[a->ndim - 1] = f->last.block;
    TRY(operation_scratch_array(l->p->op, &f->last.t, l->dtype, a->ndim, shape, err));
    shape[a->ndim - 2] = p->n;
    TRY(operation_scratch_array(l->p->op, &f->sizes, LUN_i32, a->ndim - 1, shape, err));
    TRY(plan_array_fill(l->p, &f->sizes, (cl_ulong2){{0, 0}}, err));
    TRY(operation_scratch(l->p->op, &p->norms, l->batches * p->n * 2 * bytes, err));
    return operation_scratch(l->p->op, &p->factors, l->batches * p->square * bytes, err);
}

static lun_status reflect_columns(const pivoting *p, const lun_array *order, int first, lun_error *err)
{
    const linalg *l = p->l;
    lun_block *a = p->f->a.block;
    TRY(launch_columns(l, "pivot_start", l->batches * p->n, 0,
                       ARGS(ARG_BLOCK(a), ARG_BLOCK(p->norms), ARG_BLOCK(order->block), ARG_LONG(l->batches),
                            ARG_LONG(p->m), ARG_LONG(p->n), ARG_LONG(first)),
                       err));
    for (size_t k = 0; k < p->square; k++) {
        TRY(launch_columns(l, "pivot_column", l->batches, 0,
                           ARGS(ARG_BLOCK(a), ARG_BLOCK(p->norms), ARG_BLOCK(order->block), ARG_BLOCK(p->factors),
                                ARG_LONG(l->batches), ARG_LONG(p->m), ARG_LONG(p->n), ARG_LONG(p->square), ARG_LONG(k)),
                           err));
        if (k + 1 < p->square) /* a reflection of one row is 1 */
            TRY(launch_columns(l, "pivot_rest", l->batches * (p->n - k - 1), 0,
                               ARGS(ARG_BLOCK(a), ARG_BLOCK(p->norms), ARG_BLOCK(p->factors), ARG_LONG(l->batches),
                                    ARG_LONG(p->m), ARG_LONG(p->n), ARG_LONG(p->square), ARG_LONG(k)),
                               err));
    }
    return LUN_OK;
}

/* V and T, by which reflections are applied in blocks. */
static lun_status make_blocks(const pivoting *p, lun_error *err)
{
    const linalg *l = p->l;
    const linalg_qr *f = p->f;
    lun_array products;
    TRY(launch_columns(l, "lower_part", 0, l->batches * p->square,
                       ARGS(ARG_BLOCK(f->last.v.block), ARG_BLOCK(f->a.block), ARG_LONG(l->batches), ARG_LONG(p->m),
                            ARG_LONG(p->n), ARG_LONG(p->square)),
                       err));
    TRY(operation_scratch_array(l->p->op, &products, l->dtype, f->last.t.ndim, f->last.t.shape, err));
    for (size_t i = 0; i < p->square; i += f->last.block) {
        const size_t width = smaller(f->last.block, p->square - i);
        const lun_array v = matrix_part(&f->last.v, i, p->m - i, i, width), turned = matrix_transposed(&v);
        const lun_array to = matrix_part(&products, i, width, 0, width);
        TRY(plan_array_multiply_conjugated(l->p, &to, &turned, &v, LUN_CONJUGATE_A, 1, 0, err));
    }
    return launch_columns(l, "block_triangles", 0, l->batches * p->square,
                          ARGS(ARG_BLOCK(f->last.t.block), ARG_BLOCK(products.block), ARG_BLOCK(p->factors),
                               ARG_LONG(l->batches), ARG_LONG(p->square), ARG_LONG(f->last.block)),
                          err);
}

lun_status linalg_qr_pivoted(linalg_qr *out, const linalg *l, const lun_array *a, bool conjugated,
                             const lun_array *order, int first, lun_error *err)
{
    pivoting p = {.l = l, .f = out, .m = rows_of(a), .n = columns_of(a), .square = smaller(rows_of(a), columns_of(a))};
    TRY(make_room(&p, a, err));
    TRY(linalg_scale_columns(l, &out->a, a, conjugated, &out->sizes, true, err));
    if (p.n && l->batches)
        TRY(reflect_columns(&p, order, first, err));
    if (p.square && l->batches)
        TRY(make_blocks(&p, err));
    return LUN_OK;
}
