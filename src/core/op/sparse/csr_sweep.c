/* Sweeps over sparse matrices whose rows depend on one another: triangular solves and incomplete factors. It also finds
 * the diagonal, without an order. */
#include "op/planning.h"
#include "op/sparse/csr.h"

#include <stdio.h>
#include <string.h>

typedef struct csr_task {
    const char *name;
    const char *defines; /* of kernels */
    bool solves;         /* for b; else it gives values, */
    bool diagonal;       /* of the diagonal alone */
} csr_task;

static const csr_task tasks[] = {
    {"lower", "#define SOLVES(other, row) ((other) < (row))\n#define UNIT 0\n", .solves = true},
    {"unit lower", "#define SOLVES(other, row) ((other) < (row))\n#define UNIT 1\n", .solves = true},
    {"upper", "#define SOLVES(other, row) ((other) > (row))\n#define UNIT 0\n", .solves = true},
    {"ilu", "", .solves = false},
    {"cholesky", "#define CHOLESKY 1\n", .solves = false},
    {"diagonal", "#define DIAGONAL 1\n", .diagonal = true},
};
#define TASKS "lower, unit lower, upper, ilu, cholesky, diagonal"

typedef struct csr_call {
    csr_matrix matrix;
    csr_checking checking;
    const csr_task *task;
    const lun_array *values, *order, *bounds, *b;
} csr_call;

/* ---- arguments ----------------------------------------------------------------------------------------------------- */

static lun_status check_positions(const csr_call *c, const lun_array *array, const char *what, size_t least,
                                  lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(array, c->values, what, err));
    if (array->dtype != c->matrix.starts->dtype)
        FAIL(LUN_MISUSE, "the starts are %s, and %s %s; one dtype is needed", lun_dtype_name(c->matrix.starts->dtype),
             what, lun_dtype_name(array->dtype));
    if (array->ndim != 1 || array->size < least)
        FAIL(LUN_MISUSE, "%s has shape (%s); one axis of %zu is needed", what,
             array_shape_text(shape, sizeof shape, array), least);
    return LUN_OK;
}

static lun_status check_numbers(const csr_call *c, lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(c->matrix.starts, c->values, "the array of starts", err));
    if (c->values->ndim != 1 || c->values->size != c->matrix.entries)
        FAIL(LUN_MISUSE, "the values have shape (%s); there are %zu columns, and a value for each is needed",
             array_shape_text(shape, sizeof shape, c->values), c->matrix.entries);
    if (c->task->solves != (c->b != NULL))
        FAIL(LUN_MISUSE, "task '%s' %s", c->task->name, c->b ? "takes no b" : "needs b, which is missing");
    if (c->b)
        TRY(array_check_same_device(c->b, c->values, "b", err));
    if (c->b && (c->b->ndim < 1 || c->b->ndim > 2 || c->b->shape[0] != c->matrix.rows))
        FAIL(LUN_MISUSE, "b has shape (%s); a vector or a matrix of %zu rows is needed",
             array_shape_text(shape, sizeof shape, c->b), c->matrix.rows);
    TRY(check_positions(c, c->order, "the order", c->matrix.rows, err));
    return check_positions(c, c->bounds, "the array of bounds", 1, err);
}

static lun_status find_task(const csr_task **out, const lun_request *r, lun_error *err)
{
    const char *name = request_text(r, "task");
    *out = NULL;
    for (size_t i = 0; i < COUNT(tasks) && !*out; i++)
        if (strcmp(tasks[i].name, name ? name : tasks[0].name) == 0)
            *out = &tasks[i];
    return *out ? LUN_OK : fail(err, LUN_MISUSE, "there is no task '%.20s'; known are " TASKS, name);
}

static lun_status bind_sweep(lun_request *r, lun_error *err)
{
    csr_call *c = REQUEST_STATE(r, csr_call);
    const lun_array *starts = r->arguments[1].array;
    c->values = r->arguments[0].array;
    c->order = r->arguments[3].array;
    c->bounds = r->arguments[4].array;
    c->b = r->arguments[5].kind == LUN_VALUE_ARRAY ? r->arguments[5].array : NULL;
    TRY(find_task(&c->task, r, err));
    const size_t rows = starts->ndim == 1 && starts->size ? starts->size - 1 : 0;
    TRY(csr_read(&c->matrix, starts, r->arguments[2].array, rows, r->manner->first, err));
    TRY(check_numbers(c, err));
    const lun_dtype dtype = c->b ? lun_dtype_promoted(c->values->dtype, c->b->dtype) : c->values->dtype;
    if (!c->task->diagonal && (!lun_dtype_has(dtype, LUN_NANS) || dtype_is_packed(dtype)))
        FAIL(LUN_MISUSE, "%s is not supported; f32, f64, c64 or c128 is needed", lun_dtype_name(dtype));
    const size_t *shape = c->b ? c->b->shape : c->task->diagonal ? &c->matrix.rows : c->values->shape;
    return request_result(r, dtype, c->b ? c->b->ndim : 1, shape, err);
}

/* ---- the plan ------------------------------------------------------------------------------------------------------ */

enum { GROUP_ITEMS = 256, SHARED_ROWS = 1024, GROUPS_PER_UNIT = 8 };

/* The number of groups: rows that do not depend on one another are divided among several. */
static size_t groups_for(const csr_call *c, const lun_device *device, size_t group)
{
    const size_t jobs = c->matrix.rows, most = device->info.units * (group == 1 ? 1 : GROUPS_PER_UNIT);
    const bool apart = c->task->diagonal || c->bounds->size == 2;
    return apart && jobs > SHARED_ROWS ? smaller(ceil_div(jobs, group), larger(most, 1)) : 1;
}

static lun_status plan_sweep(plan *p, const csr_call *c, const lun_array *out, lun_error *err)
{
    const lun_device *device = p->op->device;
    const size_t group = device_group(device) == 1               ? 1
                         : device->info.max_group >= GROUP_ITEMS ? GROUP_ITEMS
                                                                 : device_group(device);
    const lun_array *dense[6], *given[] = {c->matrix.starts, c->matrix.columns, c->order, c->bounds, c->values, c->b};
    lun_array made[6];
    char defines[200];
    for (size_t i = 0; i < COUNT(given); i++)
        if (given[i])
            TRY(csr_dense(&dense[i], &made[i], p, given[i], i < 4 ? given[i]->dtype : out->dtype, err));
    const lun_array *x = c->b ? dense[5] : dense[4];
    snprintf(defines, sizeof defines, "#define INDEX %s\n#define ITEMS %zu\n%s", dtype_cl(dense[0]->dtype), group,
             c->task->defines);
    const program_key key = {.file = "csr_sweep", .dtype = out->dtype, .defines = defines};
    const csr_shape shape = {.y = out->offset,
                             .starts = dense[0]->offset,
                             .columns = dense[1]->offset,
                             .values = dense[4]->offset,
                             .x = x->offset,
                             .first = c->matrix.first,
                             .rows = (cl_long)c->matrix.rows,
                             .entries = (cl_long)c->matrix.entries,
                             .width = c->b && out->ndim == 2 ? (cl_long)out->shape[1] : 1,
                             .y_row = out->stride[0],
                             .y_column = out->ndim == 2 ? out->stride[1] : 0};
    return plan_groups(p, &key, "csr_sweep", groups_for(c, device, group), group,
                       ARGS(ARG_BLOCK(out->block), ARG_VALUE(&shape), ARG_BLOCK(dense[0]->block),
                            ARG_BLOCK(dense[1]->block), ARG_BLOCK(dense[4]->block), ARG_BLOCK(x->block),
                            ARG_BLOCK(dense[2]->block), ARG_LONG(dense[2]->offset), ARG_BLOCK(dense[3]->block),
                            ARG_LONG(dense[3]->offset), ARG_LONG(dense[3]->size - 1)),
                       err);
}

static lun_status sweep(const csr_call *c, const lun_array *out, const lun_call *call, lun_error *err)
{
    PLANNED(op, p, out->device, "csr_sweep", call);
    TRY(operation_touches(&op, ARRAYS(c->matrix.starts, c->matrix.columns, c->order, c->bounds, c->values, c->b),
                          ARRAYS(out), err));
    operation_weigh(&op, 2 * (double)c->matrix.entries);
    if (out->size)
        TRY(plan_sweep(&p, c, out, err));
    return operation_run(&op, &p, err);
}

static lun_status run_sweep(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    csr_call *c = r->state;
    const lun_result *told = &r->results[0];
    const lun_array *inputs[] = {c->matrix.starts, c->matrix.columns, c->order, c->bounds, c->values, c->b};
    TRY(array_check_out(out[0], c->values, told->dtype, told->ndim, told->shape, err));
    if (c->task->solves || out[0]->stride[0] == 1 || out[0]->size == 0)
        *more = false;
    else
        FAIL(LUN_MISUSE, "out has gaps between its elements; values must be contiguous");
    for (size_t i = 0; i < COUNT(inputs); i++)
        if (inputs[i])
            TRY(array_check_apart(out[0], inputs[i], err));
    if (!c->task->diagonal && !csr_is_known(&c->matrix)) {
        TRY(csr_check(more, &c->checking, r, &c->matrix, err));
        if (*more)
            return LUN_OK;
    }
    return sweep(c, out[0], &r->call, err);
}

const request_functions csr_sweep_functions = {bind_sweep, run_sweep};
