/* Eigenvalues and singular values: the groups of their kernels, and small matrices, which Jacobi's kernels process
 * whole. */
#include "op/linalg/eigen.h"

#include <stdio.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------------------------------- */

/* Single work-items on CPUs, groups on other devices; the groups are small if CPUs run them by name. */
typedef struct manner_of {
    size_t items, reflecting; /* of a group of Jacobi's, and of one of reflections */
    const char *defines;
} manner_of;

static const manner_of
    alone = {.items = 1, .reflecting = 1, .defines = "#define ITEMS 1\n#define ACROSS 1\n#define ROOT 1\n"},
    /* With PoCL 3.1, groups of 64 and more give wrong tridiagonal matrices; on an H100 they are right. */
    on_gpu = {.items = 64, .reflecting = 256, .defines = "#define ITEMS 256\n#define ACROSS 32\n#define ROOT 16\n"},
    small = {.items = 4, .reflecting = 4, .defines = "#define ITEMS 4\n#define ACROSS 2\n#define ROOT 2\n"};

bool eigen_takes_rows(const linalg *l) { return strcmp(l->leaves->file, "linalg_cpu") == 0; }

static const manner_of *manner(const linalg *l)
{
    return eigen_takes_rows(l) ? &alone : variant_on_cpu(l->p->op->device, NULL) ? &small : &on_gpu;
}

/* PoCL 3.1 miscompiles groups that share steps towards a triangle; Oclgrind and an H200 give the right values. */
size_t eigen_sharing(const linalg *l) { return manner(l) == &on_gpu ? on_gpu.reflecting : 1; }

/* The rows for which local memory has room. */
size_t eigen_small(const linalg *l) { return lun_dtype_bytes(l->dtype) > 8 ? EIGEN_SMALL / 2 : EIGEN_SMALL; }

linalg eigen_real(const linalg *l)
{
    linalg real = *l;
    real.dtype = lun_dtype_part(l->dtype);
    return real;
}

lun_status eigen_launch_groups(const linalg *l, const char *file, const char *name, size_t groups,
                               const launch_arg *args, size_t count, lun_error *err)
{
    const program_key key = {.file = file, .dtype = l->dtype, .defines = manner(l)->defines};
    return plan_groups(l->p, &key, name, linalg_groups(l, groups), manner(l)->reflecting, args, count, err);
}

lun_status eigen_launch_items(const linalg *l, const char *file, const char *name, size_t items, size_t least,
                              const launch_arg *args, size_t count, lun_error *err)
{
    const program_key key = {.file = file, .dtype = l->dtype, .defines = manner(l)->defines};
    return plan_spread(l->p, &key, name, items, least, args, count, err);
}

/* ---- shared parts
 * ----------------------------------------------------------------------------------------------------- */

/* beside: the rows of each matrix, negative if it is the transpose of the user's. A negative value: the limit of steps
 * was reached. */
static void say_unfinite(char *text, size_t room, const lun_verdict *found, int64_t batches)
{
    char which[80] = "";
    const bool turned = found->beside < 0, unended = found->value < 0;
    const int64_t rows = turned ? -found->beside : found->beside;
    const int64_t row = found->position % rows + 1, column = found->value + 1;
    if (batches > 1)
        snprintf(which, sizeof which, "matrix %lld of %lld: ", (long long)(found->position / rows + 1),
                 (long long)batches);
    if (unended) {
        snprintf(text, room, "%sthe steps towards a triangle did not converge", which);
        return;
    }
    snprintf(text, room, "%snot finite at (%lld, %lld)", which, (long long)(turned ? column : row),
             (long long)(turned ? row : column));
}

lun_status eigen_verdict(const linalg *l, lun_error *err)
{
    return plan_verdict(l->p, l->informs ? NULL : say_unfinite, (int64_t)l->batches, err);
}

matmul_view eigen_view_values(const lun_array *values)
{
    lun_array column = *values;
    column.shape[column.ndim] = 1;
    column.stride[column.ndim++] = 0;
    return matrix_view(&column);
}

/* ---- Jacobi's rotations ------------------------------------------------------------------------------------------------- */

static lun_status launch_jacobi(const linalg *l, const char *name, const launch_arg *args, size_t count, lun_error *err)
{
    const bool lanes = eigen_takes_rows(l) && !lun_dtype_has(l->dtype, LUN_PAIRS);
    char defines[80];
    snprintf(defines, sizeof defines, "#define ITEMS %zu\n#define MOST %zu\n", manner(l)->items, eigen_small(l));
    const program_key key = {
        .file = lanes ? "jacobi_cpu" : "jacobi_plain", .dtype = l->dtype, .defines = lanes ? NULL : defines};
    return plan_groups(l->p, &key, name, linalg_groups(l, l->batches), manner(l)->items, args, count, err);
}

lun_status eigen_jacobi(const linalg *l, const lun_array *a, const lun_array *w, const lun_array *v, bool turned,
                        lun_error *err)
{
    TRY(eigen_verdict(l, err));
    return launch_jacobi(l, "jacobi_eigh",
                         ARGS(ARG_MATRIX(a), ARG_VALUES(w), ARG_MATRIX_OR(v, a), ARG_LONG(l->batches),
                              ARG_LONG(rows_of(a)), ARG_LONG(turned), ARG_VERDICT(l->p->op)),
                         err);
}

lun_status eigen_jacobi_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                            const lun_array *v, bool turned, lun_error *err)
{
    TRY(eigen_verdict(l, err));
    return launch_jacobi(l, "jacobi_svd",
                         ARGS(ARG_MATRIX(a), ARG_MATRIX_OR(u, a), ARG_VALUES(s), ARG_MATRIX_OR(v, a),
                              ARG_LONG(l->batches), ARG_LONG(rows_of(a)), ARG_LONG(columns_of(a)),
                              ARG_LONG(u ? columns_of(u) : 0), ARG_LONG(turned), ARG_VERDICT(l->p->op)),
                         err);
}
