/* The row csr_build of operation.def: a sparse matrix in rows from triplets. It waits once, for the number of entries
 * after duplicates have been added. */
#include "op/planning.h"
#include "op/sparse/csr.h"

#include <stdio.h>

typedef struct building {
    csr_merging made; /* of which `a` has the rows alone */
    const lun_array *rows, *columns, *values;
    size_t width;
} building;

/* ---- arguments ----------------------------------------------------------------------------------------------------- */

static lun_status check_places(const building *b, const lun_array *array, const char *what, lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(array, b->values, what, err));
    if (array->dtype != LUN_i32 && array->dtype != LUN_i64)
        FAIL(LUN_MISUSE, "%s is %s; i32 or i64 is needed", what, lun_dtype_name(array->dtype));
    if (array->dtype != b->rows->dtype)
        FAIL(LUN_MISUSE, "the rows are %s, and the columns %s; one dtype is needed", lun_dtype_name(b->rows->dtype),
             lun_dtype_name(array->dtype));
    if (array->ndim != 1 || array->size != b->values->size)
        FAIL(LUN_MISUSE, "%s has shape (%s); one axis of %zu is needed, a number for each value", what,
             array_shape_text(shape, sizeof shape, array), b->values->size);
    return LUN_OK;
}

static lun_status find_index(lun_dtype *out, const lun_request *r, size_t most, lun_error *err)
{
    const lun_value *named = request_option(r, "dtype");
    *out = most < INT32_MAX ? LUN_i32 : LUN_i64;
    if (named)
        TRY(value_dtype(out, named, err));
    if (*out != LUN_i64 && (*out != LUN_i32 || most >= INT32_MAX))
        FAIL(LUN_MISUSE, "option 'dtype': %s is needed, got %s", most < INT32_MAX ? "i32 or i64" : "i64",
             lun_dtype_name(*out));
    return LUN_OK;
}

static lun_status read_triplets(building *b, lun_dtype *index, const lun_request *r, lun_error *err)
{
    char shape[200];
    int64_t rows, width;
    b->values = r->arguments[0].array;
    b->rows = r->arguments[1].array;
    b->columns = r->arguments[2].array;
    TRY(request_integer_from(&rows, r, 3, 0, err));
    TRY(request_integer_from(&width, r, 4, 0, err));
    if (b->values->ndim != 1)
        FAIL(LUN_MISUSE, "the values have shape (%s); one axis is needed",
             array_shape_text(shape, sizeof shape, b->values));
    if (lun_dtype_has(b->values->dtype, LUN_TRUTHS))
        FAIL(LUN_MISUSE, "the values are bool, which cannot be added; a number is needed for each triplet");
    TRY(check_places(b, b->rows, "the array of rows", err));
    TRY(check_places(b, b->columns, "the array of columns", err));
    b->width = (size_t)width;
    b->made.dtype = b->values->dtype;
    b->made.products = b->values->size;
    b->made.a.rows = (size_t)rows;
    b->made.a.first = r->manner->first;
    return find_index(index, r, larger(larger((size_t)rows, (size_t)width), b->values->size), err);
}

/* ---- the plan ------------------------------------------------------------------------------------------------------ */

typedef struct build_plan {
    plan *p;
    const building *b;
    lun_dtype index;
    csr_build_shape shape;
    const lun_array *rows, *columns, *values;
    lun_array made[3];
    lun_block *counts, *shares, *columns_placed, *values_placed;
} build_plan;

static void say_outside(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    snprintf(text, room, "triplet %lld: %s %lld is out of range %lld..%lld",
             (long long)(found->position / CSR_AXES) + 1, found->position % CSR_AXES ? "column" : "row",
             (long long)found->value, (long long)limit, (long long)(found->beside + limit - 1));
}

static lun_status find_kernel(launch *out, const char *name, const build_plan *x, launch groups, lun_error *err)
{
    char defines[80];
    snprintf(defines, sizeof defines, "#define INDEX %s\n#define PLACE %s\n", dtype_cl(x->index),
             dtype_cl(x->rows->dtype));
    const program_key key = {.file = "csr_build", .dtype = dtype_wrapping(x->b->made.dtype), .defines = defines};
    *out = groups;
    return program_kernel(&out->kernel, x->p->op->device, &key, name, err);
}

/* Each chunk has a counter for each row; in all there are at most twice as many counters as triplets. */
static launch chunks_of(const build_plan *x)
{
    const lun_device *device = x->p->op->device;
    const size_t count = x->b->made.products, rows = larger(x->b->made.a.rows, 1);
    launch all = launch_spread(device, NULL, count, csr_tuned(device)->build);
    const size_t most = smaller(2 * (size_t)device->info.units, larger(2 * count / rows, 1));
    all.groups[0] = larger(smaller(all.groups[0], ceil_div(most, all.local[0])), 1);
    return all;
}

static lun_status prepare(build_plan *x, const csr_merging *m, launch *chunks, launch *shares, lun_error *err)
{
    operation *op = x->p->op;
    const building *b = x->b;
    *chunks = chunks_of(x);
    *shares = launch_spread(op->device, NULL, m->a.rows, csr_tuned(op->device)->build);
    TRY(csr_dense(&x->rows, &x->made[0], x->p, b->rows, b->rows->dtype, err));
    TRY(csr_dense(&x->columns, &x->made[1], x->p, b->columns, b->columns->dtype, err));
    TRY(csr_dense(&x->values, &x->made[2], x->p, b->values, b->values->dtype, err));
    x->shape = (csr_build_shape){.places_rows = x->rows->offset,
                                 .places_columns = x->columns->offset,
                                 .values = x->values->offset,
                                 .first = m->a.first,
                                 .rows = (cl_long)m->a.rows,
                                 .width = (cl_long)b->width,
                                 .entries = (cl_long)m->products,
                                 .chunks = (cl_long)(chunks->groups[0] * chunks->local[0])};
    const size_t number = lun_dtype_bytes(x->index), count = larger(m->products, 1);
    const size_t counters = larger((size_t)x->shape.chunks * m->a.rows, 1);
    TRY(operation_scratch(op, &x->counts, counters * number, err));
    TRY(operation_scratch(op, &x->shares, shares->groups[0] * shares->local[0] * sizeof(cl_long), err));
    TRY(operation_scratch(op, &x->columns_placed, count * number, err));
    return operation_scratch(op, &x->values_placed, count * lun_dtype_bytes(dtype_computed(m->dtype)), err);
}

static lun_status plan_build(build_plan *x, const csr_merging *m, const lun_array *starts, lun_error *err)
{
    launch chunks, shares, groups;
    TRY(prepare(x, m, &chunks, &shares, err));
    x->shape.out = starts->offset;
    TRY(plan_verdict(x->p, say_outside, m->a.first, err));
    TRY(find_kernel(&groups, "csr_count", x, chunks, err));
    TRY(plan_launch(x->p, &groups,
                    ARGS(ARG_BLOCK(x->counts), ARG_VALUE(&x->shape), ARG_BLOCK(x->rows->block),
                         ARG_BLOCK(x->columns->block), ARG_VERDICT(x->p->op)),
                    err));
    TRY(find_kernel(&groups, "csr_shares", x, shares, err));
    TRY(plan_launch(x->p, &groups, ARGS(ARG_BLOCK(x->shares), ARG_VALUE(&x->shape), ARG_BLOCK(x->counts)), err));
    TRY(find_kernel(&groups, "csr_begin", x, shares, err));
    TRY(plan_launch(x->p, &groups,
                    ARGS(ARG_BLOCK(m->bounds->block), ARG_BLOCK(starts->block), ARG_VALUE(&x->shape),
                         ARG_BLOCK(x->counts), ARG_BLOCK(x->shares)),
                    err));
    TRY(find_kernel(&groups, "csr_place", x, chunks, err));
    TRY(plan_launch(x->p, &groups,
                    ARGS(ARG_BLOCK(x->columns_placed), ARG_BLOCK(x->values_placed), ARG_VALUE(&x->shape),
                         ARG_BLOCK(x->rows->block), ARG_BLOCK(x->columns->block), ARG_BLOCK(x->values->block),
                         ARG_BLOCK(x->counts)),
                    err));
    const lun_device *device = x->p->op->device;
    const size_t steps = m->a.rows + m->products;
    TRY(find_kernel(&groups, "csr_order", x, launch_spread(device, NULL, steps, csr_tuned(device)->merge), err));
    return plan_launch(x->p, &groups,
                       ARGS(ARG_BLOCK(m->counts->block), ARG_VALUE(&x->shape), ARG_BLOCK(m->bounds->block),
                            ARG_BLOCK(x->columns_placed), ARG_BLOCK(x->values_placed), ARG_BLOCK(m->columns->block),
                            ARG_BLOCK(m->values->block)),
                       err);
}

static lun_status build(const building *b, const lun_array *starts, const lun_call *call, lun_error *err)
{
    const csr_merging *m = &b->made;
    PLANNED(op, p, starts->device, "sparse", call);
    build_plan x = {.p = &p, .b = b, .index = starts->dtype};
    TRY(operation_touches(&op, ARRAYS(b->rows, b->columns, b->values),
                          ARRAYS(starts, m->bounds, m->columns, m->values, m->counts), err));
    operation_weigh(&op, 20 * (double)(m->a.rows + m->products));
    TRY(plan_build(&x, m, starts, err));
    return operation_run(&op, &p, err);
}

/* ---- the call ------------------------------------------------------------------------------------------------------ */

static lun_status csr_build_word(composing *c, lun_error *err)
{
    building *b = NULL;
    const lun_array *starts;
    lun_dtype index;
    COMPOSE_KEPT(b, c);
    csr_merging *m = &b->made;
    TRY(read_triplets(b, &index, c->r, err));
    const size_t ends = m->a.rows + 1;
    c->results = 3;
    TRY(compose_result(&starts, c, 0, index, 1, &ends, err));
    TRY(compose_late(c, 1, index, err));
    TRY(compose_late(c, 2, m->dtype, err));
    m->a.starts = starts;
    TRY(compose_array(&m->bounds, c, LUN_i64, 1, &ends, err));
    TRY(compose_array(&m->counts, c, LUN_i64, 1, &ends, err));
    TRY(compose_array(&m->columns, c, index, 1, &m->products, err));
    TRY(compose_array(&m->values, c, dtype_computed(m->dtype), 1, &m->products, err));
    TRY(CALLED(c, false, build(b, starts, &call, err)));
    TRY(csr_sum_up(&m->entries, &m->ends, c, m->counts, err));
    if (compose_waits(c))
        return LUN_OK;
    if (m->entries != m->products || dtype_computed(m->dtype) != m->dtype)
        return csr_give(c, m, b->width, err);
    TRY(step_give(c, 1, m->columns, err)); /* nothing was added up */
    TRY(step_give(c, 2, m->values, err));
    csr_note(&(csr_matrix){starts, c->out[1], m->a.rows, m->entries, b->width, m->a.first});
    return LUN_OK;
}

COMPOSED(csr_build_word)
