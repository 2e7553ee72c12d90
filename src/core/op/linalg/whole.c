/* Small matrices on CPUs, each processed by one kernel. Blocks would need ten to thirty kernels, each of which PoCL
 * compiles in 0.05 to 0.4 s. */
#include "op/linalg/eigen.h"

#define WHOLE 128        /* rows and columns that one work-item takes, */
#define COMPLEX_SMALL 2  /* complex numbers a row, that Jacobi's kernels take */
#define TALL 2048        /* rows of a matrix whose columns it reflects, */
#define WHOLE_WORK 1.2e6 /* and products that it takes to eliminate, at most */

/* Rows are whole vectors of any dtype. */
static size_t padded(size_t numbers) { return ceil_div(numbers, 16) * 16; }

/* `each`: the numbers that a group has room for. */
static lun_status whole_room(const linalg *l, lun_block **room, size_t each, lun_error *err)
{
    return operation_scratch(l->p->op, room, linalg_groups(l, l->batches) * each * lun_dtype_bytes(l->dtype), err);
}

static lun_status launch_whole(const linalg *l, const char *file, const char *name, const launch_arg *args,
                               size_t count, lun_error *err)
{
    return plan_groups(l->p, &(program_key){.file = file, .dtype = l->dtype, .defines = ""}, name,
                       linalg_groups(l, l->batches), 1, args, count, err);
}

/* ---- systems and factors -------------------------------------------------------------------------------------------------- */

static bool takes_whole(const linalg *l, const lun_array *a, size_t most_rows, size_t sides)
{
    const double square = (double)smaller(rows_of(a), columns_of(a)), size = (double)rows_of(a) * (double)columns_of(a);
    return eigen_takes_rows(l) && rows_of(a) <= most_rows && columns_of(a) <= WHOLE && sides <= WHOLE &&
           size * square / 3 + size * (double)sides <= WHOLE_WORK;
}

bool linalg_is_whole(const linalg *l, const lun_array *a, size_t sides) { return takes_whole(l, a, WHOLE, sides); }

bool linalg_is_whole_qr(const linalg *l, const lun_array *a, size_t sides) { return takes_whole(l, a, TALL, sides); }

lun_status linalg_eliminate(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x,
                            const lun_array *pivots, lun_error *err)
{
    const size_t m = b ? columns_of(b) : 0, pitch = padded(columns_of(a) + m);
    const unsigned mark = operation_scratch_mark(l->p->op);
    lun_block *room;
    TRY(whole_room(l, &room, (rows_of(a) + 1) * pitch, err));
    TRY(launch_whole(l, "whole_cpu", "eliminate",
                     ARGS(ARG_MATRIX(a), ARG_MATRIX_OR(b, a), ARG_MATRIX_OR(x, a), ARG_LONG(l->batches),
                          ARG_LONG(rows_of(a)), ARG_LONG(columns_of(a)), ARG_LONG(m), ARG_LONG(pitch),
                          ARG_BLOCK(pivots ? pivots->block : NULL), ARG_BLOCK(l->info), ARG_BLOCK(room)),
                     err));
    operation_scratch_again(l->p->op, mark);
    return LUN_OK;
}

/* ---- QR ------------------------------------------------------------------------------------------------------------------- */

lun_status linalg_whole_qr(const linalg *l, const lun_array *a, const lun_array *q, const lun_array *r,
                           const lun_array *order, int first, lun_error *err)
{
    const matmul_view at = matrix_view(a);
    const matmul_view order_at = order ? eigen_view_values(order) : at;
    const size_t m = rows_of(a), n = columns_of(a), wide = q ? columns_of(q) : 0;
    lun_block *room;
    TRY(eigen_verdict(l, err));
    TRY(whole_room(l, &room, (2 * n + wide) * padded(m) + 3 * padded(n), err));
    return launch_whole(l, "whole_qr_cpu", "whole_qr",
                        ARGS(ARG_BLOCK(a->block), ARG_VALUE(&at), ARG_MATRIX_OR(q, a), ARG_MATRIX(r),
                             ARG_BLOCK(order ? order->block : NULL), ARG_VALUE(&order_at), ARG_LONG(l->batches),
                             ARG_LONG(m), ARG_LONG(n), ARG_LONG(wide), ARG_LONG(rows_of(r)), ARG_LONG(first),
                             ARG_LONG(padded(m)), ARG_LONG(padded(n)), ARG_BLOCK(room), ARG_VERDICT(l->p->op)),
                        err);
}

/* For each matrix of a batch, the number of its own of these. */
static matmul_view numbered(const lun_array *a, const lun_array *of)
{
    lun_array numbers = *a;
    numbers.offset = 0;
    numbers.shape[a->ndim - 2] = numbers.shape[a->ndim - 1] = 1;
    shape_strides(numbers.stride, numbers.ndim, numbers.shape);
    numbers = linalg_spread(&numbers, of->ndim - 2, of->shape);
    return matrix_view(&numbers);
}

lun_status linalg_whole_lstsq(const linalg *l, const lun_array *a, const lun_array *b, const lun_array *x,
                              const lun_array *left, const lun_array *ranks, double least, lun_error *err)
{
    linalg each = *l; /* of x's batch */
    const matmul_view which = numbered(a, x);
    const size_t m = rows_of(a), n = columns_of(a), more = columns_of(b), high = padded(m), across = padded(n);
    lun_block *room;
    each.batches = matrix_batches(x);
    TRY(eigen_verdict(l, err));
    TRY(whole_room(&each, &room, 2 * n * high + more * larger(high, across) + (2 * n + 2) * across, err));
    return launch_whole(&each, "whole_qr_cpu", "whole_lstsq",
                        ARGS(ARG_MATRIX(a), ARG_MATRIX(b), ARG_MATRIX(x), ARG_MATRIX(left), ARG_MATRIX(ranks),
                             ARG_VALUE(&which), ARG_LONG(each.batches), ARG_LONG(m), ARG_LONG(n), ARG_LONG(more),
                             launch_real(lun_dtype_part(l->dtype), least), ARG_LONG(high), ARG_LONG(across),
                             ARG_BLOCK(room), ARG_VERDICT(l->p->op)),
                        err);
}

/* ---- eigenvalues and singular values -------------------------------------------------------------------------------------- */

/* Smaller matrices fill the lanes of Jacobi's kernels. The choice ignores the number of matrices, so that each gives
 * the same bits as alone. */
bool eigen_is_whole(const linalg *l, const lun_array *a)
{
    const size_t least = lun_dtype_has(l->dtype, LUN_PAIRS) ? COMPLEX_SMALL : EIGEN_SMALL;
    return eigen_takes_rows(l) && rows_of(a) > least && rows_of(a) <= WHOLE && columns_of(a) > 0;
}

lun_status eigen_whole(const linalg *l, const lun_array *a, const lun_array *w, const lun_array *v, bool turned,
                       lun_error *err)
{
    const size_t n = rows_of(a), pitch = padded(n);
    lun_block *room;
    TRY(eigen_verdict(l, err));
    TRY(whole_room(l, &room, (2 * n + 7) * pitch, err));
    return launch_whole(l, "whole_eigen_cpu", "whole_eigh",
                        ARGS(ARG_MATRIX(a), ARG_VALUES(w), ARG_MATRIX_OR(v, a), ARG_LONG(l->batches), ARG_LONG(n),
                             ARG_LONG(turned), ARG_LONG(pitch), ARG_BLOCK(room), ARG_VERDICT(l->p->op)),
                        err);
}

lun_status eigen_whole_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                           const lun_array *v, bool turned, lun_error *err)
{
    const size_t m = rows_of(a), n = columns_of(a), wide = u ? columns_of(u) : 0;
    lun_block *room;
    TRY(eigen_verdict(l, err));
    TRY(whole_room(l, &room, (n + wide) * padded(m) + (n + 1) * padded(n), err));
    return launch_whole(l, "whole_eigen_cpu", "whole_svd",
                        ARGS(ARG_MATRIX(a), ARG_MATRIX_OR(u, a), ARG_VALUES(s), ARG_MATRIX_OR(v, a),
                             ARG_LONG(l->batches), ARG_LONG(m), ARG_LONG(n), ARG_LONG(wide), ARG_LONG(turned),
                             ARG_LONG(padded(m)), ARG_LONG(padded(n)), ARG_BLOCK(room), ARG_VERDICT(l->p->op)),
                        err);
}
