/* Sparse matrices in rows: the rows of operation.def. */
#include "base/error.h"
#include "base/shape.h"
#include "op/sparse/sparse.h"

#include <string.h>

/* ---- csr_check ------------------------------------------------------------------------------------------------------ */

typedef struct csr_call {
    csr_matrix matrix;
    csr_checking checking;
    const csr_ring *ring;
    const lun_array *values, *x;
} csr_call;

/* Whether the columns of any row do not ascend: 0 or 1. */
static lun_status bind_check(lun_request *r, lun_error *err)
{
    csr_call *c = REQUEST_STATE(r, csr_call);
    int64_t width;
    TRY(request_integer_from(&width, r, 2, 0, err));
    TRY(csr_read(&c->matrix, r->arguments[0].array, r->arguments[1].array, (size_t)width, r->manner->first, err));
    TRY(request_results(r, 1, err));
    r->direct = true;
    request_tell(r, 0, LUN_i32, 0, NULL);
    request_tell_numbers(r, 0, 1);
    return LUN_OK;
}

static lun_status run_check(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    csr_call *c = r->state;
    const lun_status status = csr_check(more, &c->checking, r, &c->matrix, err);
    r->numbers[0] = lun_integer(c->checking.found & CSR_UNORDERED);
    r->number_count = 1;
    return status;
}

const request_functions csr_check_functions = {bind_check, run_check};

/* ---- csr_matmul ------------------------------------------------------------------------------------------------------ */

static const csr_ring rings[] = {
    {"+", "*", "", false},
    {"min", "+", "#define PLUS_MIN 1\n#define TIMES_ADD 1\n", false},
    {"max", "+", "#define PLUS_MAX 1\n#define TIMES_ADD 1\n", false},
    {"max", "*", "#define PLUS_MAX 1\n", false},
    {"or", "and", "#define PLUS_OR 1\n#define TIMES_AND 1\n", true},
};
#define RINGS "+ *, min +, max +, max *, or and"

static lun_status find_ring(const csr_ring **out, const lun_request *r, lun_error *err)
{
    const char *plus = request_text(r, "plus"), *times = request_text(r, "times");
    *out = NULL;
    plus = plus ? plus : "+";
    times = times ? times : "*";
    for (size_t i = 0; i < COUNT(rings) && !*out; i++)
        if (strcmp(rings[i].plus, plus) == 0 && strcmp(rings[i].times, times) == 0)
            *out = &rings[i];
    if (!*out)
        return fail(err, LUN_MISUSE, "there is no product of plus '%.20s' and times '%.20s'; known are " RINGS, plus,
                    times);
    return *out == rings || !(request_option(r, "alpha") || request_option(r, "beta"))
               ? LUN_OK
               : fail(err, LUN_MISUSE, "alpha and beta need plus '+' and times '*'");
}

static lun_status check_x(const csr_matrix *m, const lun_array *values, const lun_array *x, lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(m->starts, values, "the array of starts", err));
    TRY(array_check_same_device(x, values, "x", err));
    if (values->ndim != 1 || values->size != m->entries)
        FAIL(LUN_MISUSE, "the values have shape (%s); there are %zu columns, and a value for each is needed",
             array_shape_text(shape, sizeof shape, values), m->entries);
    if (x->ndim != 1 && x->ndim != 2)
        FAIL(LUN_MISUSE, "x has shape (%s); a vector or a matrix is needed", array_shape_text(shape, sizeof shape, x));
    return LUN_OK;
}

/* The matrix is its values, starts and columns. */
static lun_status bind_product(lun_request *r, const lun_array *const *matrix, int first, const lun_array *x,
                               lun_error *err)
{
    csr_call *c = REQUEST_STATE(r, csr_call);
    size_t shape[2];
    c->values = matrix[0];
    c->x = x;
    TRY(find_ring(&c->ring, r, err));
    TRY(csr_read(&c->matrix, matrix[1], matrix[2], x->ndim ? x->shape[0] : 0, first, err));
    TRY(check_x(&c->matrix, c->values, x, err));
    if (!request_array_option(r, "out") && request_number(r, "beta", lun_integer(0)).real != 0)
        FAIL(LUN_MISUSE, "beta needs out, which is missing");
    const lun_dtype dtype = dtype_arithmetic(lun_dtype_promoted(c->values->dtype, x->dtype));
    if (c->ring != rings && !c->ring->truths)
        TRY(dtype_check_ordered(dtype, err));
    shape[0] = c->matrix.rows;
    shape[1] = x->ndim == 2 ? x->shape[1] : 1;
    return request_result(r, c->ring->truths ? LUN_bool : dtype, x->ndim, shape, err);
}

static lun_status bind_matmul(lun_request *r, lun_error *err)
{
    const lun_array *matrix[] = {r->arguments[0].array, r->arguments[1].array, r->arguments[2].array};
    return bind_product(r, matrix, r->manner->first, r->arguments[3].array, err);
}

static lun_status run_matmul(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    csr_call *c = r->state;
    const lun_result *told = &r->results[0];
    const lun_array *inputs[] = {c->matrix.starts, c->matrix.columns, c->values, c->x};
    TRY(array_check_out(out[0], inputs[0], told->dtype, told->ndim, told->shape, err));
    for (size_t i = 0; i < COUNT(inputs); i++)
        TRY(array_check_apart(out[0], inputs[i], err));
    const bool lengths = c->x->ndim == 1; /* products with vectors depend on these */
    if (!csr_is_known(&c->matrix) || (lengths && !csr_knows_lengths(&c->matrix))) {
        TRY(csr_check(more, &c->checking, r, &c->matrix, err));
        if (*more)
            return LUN_OK;
    }
    const csr_product product = {&c->matrix,
                                 c->ring,
                                 out[0],
                                 c->values,
                                 c->x,
                                 request_number(r, "alpha", lun_integer(1)),
                                 request_number(r, "beta", lun_integer(0))};
    return csr_multiply(&product, &r->call, err);
}

const request_functions csr_matmul_functions = {bind_matmul, run_matmul};

/* ---- matmul of sparse matrices --------------------------------------------------------------------------------------- */

static lun_status bind_of_two(lun_request *r, lun_error *err)
{
    const lun_sparse *a = r->arguments[0].sparse, *b = r->arguments[1].sparse;
    if (r->told)
        FAIL(LUN_MISUSE, "argument 2: nothing after argument 1 is needed, got %s", r->manner->words[LUN_VALUE_LIST]);
    if (b->values->device != r->device)
        FAIL(LUN_MISUSE, "argument 1: the matrix is on another device");
    if (a->width != b->rows)
        FAIL(LUN_MISUSE, "inner sizes differ: %zux%zu and %zux%zu", a->rows, a->width, b->rows, b->width);
    return sparse_bind(r, err);
}

static lun_status bind_sparse_matmul(lun_request *r, lun_error *err)
{
    char shape[200];
    const lun_sparse *a = r->arguments[0].sparse;
    const lun_array *x = r->arguments[1].array, *matrix[] = {a->values, a->starts, a->columns};
    if (r->arguments[1].kind == LUN_VALUE_SPARSE)
        return bind_of_two(r, err);
    if ((x->ndim != 1 && x->ndim != 2) || x->shape[0] != a->width)
        FAIL(LUN_MISUSE, "the matrix is %zux%zu, and x has shape (%s)", a->rows, a->width,
             array_shape_text(shape, sizeof shape, x));
    return bind_product(r, matrix, 1, x, err);
}

static lun_status of_two(composing *s, lun_error *err)
{
    lun_sparse made;
    TRY(sparse_multiply(&made, s, s->r->arguments[0].sparse, s->r->arguments[1].sparse, err));
    return sparse_result(s, &made, err);
}

static lun_status run_sparse_matmul(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    return r->sparse ? steps_run(more, r, out, of_two, err) : run_matmul(more, r, out, err);
}

const request_functions sparse_matmul_functions = {bind_sparse_matmul, run_sparse_matmul};
