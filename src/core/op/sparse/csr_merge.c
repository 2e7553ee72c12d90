/* Products of two sparse matrices in rows: their three operations. */
#include "op/planning.h"
#include "op/sparse/csr.h"

#include <stdio.h>

/* The matrices in the form for kernels: dense, in one dtype. */
typedef struct merge_inputs {
    csr_matrix a, b;
    const lun_array *a_values, *b_values;
    lun_array made[6];
    csr_merge_shape shape;
} merge_inputs;

static lun_status find_inputs(merge_inputs *in, plan *p, const csr_merging *m, bool values, lun_error *err)
{
    const lun_dtype index = m->a.starts->dtype;
    *in = (merge_inputs){.a = m->a, .b = m->b, .a_values = m->a_values, .b_values = m->b_values};
    TRY(csr_dense(&in->a.starts, &in->made[0], p, m->a.starts, index, err));
    TRY(csr_dense(&in->a.columns, &in->made[1], p, m->a.columns, index, err));
    TRY(csr_dense(&in->b.starts, &in->made[2], p, m->b.starts, index, err));
    TRY(csr_dense(&in->b.columns, &in->made[3], p, m->b.columns, index, err));
    if (values) {
        TRY(csr_dense(&in->a_values, &in->made[4], p, m->a_values, m->dtype, err));
        TRY(csr_dense(&in->b_values, &in->made[5], p, m->b_values, m->dtype, err));
    }
    in->shape = (csr_merge_shape){.a_starts = in->a.starts->offset,
                                  .a_columns = in->a.columns->offset,
                                  .a_values = in->a_values->offset,
                                  .b_starts = in->b.starts->offset,
                                  .b_columns = in->b.columns->offset,
                                  .b_values = in->b_values->offset,
                                  .first = m->a.first,
                                  .rows = (cl_long)m->a.rows,
                                  .total = (cl_long)m->products};
    return LUN_OK;
}

static lun_status find_kernel(launch *out, const char *name, plan *p, const csr_merging *m, size_t work, lun_error *err)
{
    char defines[40];
    snprintf(defines, sizeof defines, "#define INDEX %s\n", dtype_cl(m->a.starts->dtype));
    const program_key key = {.file = "csr_merge", .dtype = dtype_wrapping(m->dtype), .defines = defines};
    *out = launch_spread(p->op->device, NULL, work, csr_tuned(p->op->device)->merge);
    return program_kernel(&out->kernel, p->op->device, &key, name, err);
}

static lun_status reads_matrices(operation *op, const csr_merging *m, bool values, lun_error *err)
{
    const lun_array *all[] = {m->a.starts, m->a.columns, m->b.starts, m->b.columns, m->a_values, m->b_values};
    for (size_t i = 0; i < (values ? 6 : 4); i++)
        TRY(operation_reads(op, all[i], err));
    return LUN_OK;
}

lun_status csr_count_products(const csr_merging *m, const lun_call *call, lun_error *err)
{
    merge_inputs in;
    launch groups;
    PLANNED(op, p, m->room->device, "csr_product", call);
    TRY(reads_matrices(&op, m, false, err));
    TRY(operation_writes(&op, m->room, err));
    operation_weigh(&op, 2 * (double)(m->a.rows + m->a.entries));
    TRY(find_inputs(&in, &p, m, false, err));
    TRY(find_kernel(&groups, "csr_bounds", &p, m, m->a.rows + m->a.entries, err));
    TRY(plan_launch(&p, &groups,
                    ARGS(ARG_BLOCK(m->room->block), ARG_VALUE(&in.shape), ARG_BLOCK(in.a.starts->block),
                         ARG_BLOCK(in.a.columns->block), ARG_BLOCK(in.b.starts->block)),
                    err));
    return operation_run(&op, &p, err);
}

lun_status csr_merge(const csr_merging *m, const lun_call *call, lun_error *err)
{
    merge_inputs in;
    launch groups;
    lun_block *spare_columns, *spare_values;
    PLANNED(op, p, m->counts->device, "csr_product", call);
    TRY(reads_matrices(&op, m, true, err));
    TRY(operation_touches(&op, ARRAYS(m->bounds), ARRAYS(m->counts, m->columns, m->values), err));
    operation_weigh(&op, 10 * (double)(m->a.rows + m->products));
    TRY(find_inputs(&in, &p, m, true, err));
    TRY(find_kernel(&groups, "csr_merge", &p, m, m->a.rows + m->products, err));
    TRY(operation_scratch(&op, &spare_columns, lun_array_bytes(m->columns), err));
    TRY(operation_scratch(&op, &spare_values, lun_array_bytes(m->values), err));
    TRY(plan_launch(&p, &groups,
                    ARGS(ARG_BLOCK(m->counts->block), ARG_VALUE(&in.shape), ARG_BLOCK(in.a.starts->block),
                         ARG_BLOCK(in.a.columns->block), ARG_BLOCK(in.a_values->block), ARG_BLOCK(in.b.starts->block),
                         ARG_BLOCK(in.b.columns->block), ARG_BLOCK(in.b_values->block), ARG_BLOCK(m->bounds->block),
                         ARG_BLOCK(m->columns->block), ARG_BLOCK(m->values->block), ARG_BLOCK(spare_columns),
                         ARG_BLOCK(spare_values)),
                    err));
    return operation_run(&op, &p, err);
}

lun_status csr_compact(const csr_merging *m, lun_array *const *out, const lun_call *call, lun_error *err)
{
    launch groups;
    const csr_merge_shape s = {.first = m->a.first,
                               .rows = (cl_long)m->a.rows,
                               .total = (cl_long)m->entries,
                               .out_starts = out[0]->offset,
                               .out_columns = out[1]->offset,
                               .out_values = out[2]->offset};
    PLANNED(op, p, m->ends->device, "csr_product", call);
    TRY(operation_touches(&op, ARRAYS(m->bounds, m->ends, m->columns, m->values), ARRAYS(out[0], out[1], out[2]), err));
    operation_weigh(&op, operation_bytes_weight(&op) + 2 * (double)m->a.rows);
    TRY(find_kernel(&groups, "csr_compact", &p, m, m->a.rows + m->entries, err));
    TRY(plan_launch(&p, &groups,
                    ARGS(ARG_BLOCK(out[0]->block), ARG_BLOCK(out[1]->block), ARG_BLOCK(out[2]->block), ARG_VALUE(&s),
                         ARG_BLOCK(m->bounds->block), ARG_BLOCK(m->ends->block), ARG_BLOCK(m->columns->block),
                         ARG_BLOCK(m->values->block)),
                    err));
    return operation_run(&op, &p, err);
}
