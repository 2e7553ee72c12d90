/* csr_product, as operation.def's row is called: the product of two sparse matrices. It waits twice, for how many products there are,
 * and for how many entries these make. */
#include "api/reductions.h"
#include "base/error.h"
#include "base/shape.h"
#include "op/sparse/csr.h"

typedef struct multiplying {
    csr_merging merging;
    csr_checking checking[2];
    bool summed; /* are sums under way? */
} multiplying;

#define MOST_WIDTH ((size_t)1 << 62) /* columns of b are compared alone */

static lun_status check_values(const csr_matrix *m, const lun_array *values, const char *what, lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(m->starts, values, "the array of starts", err));
    if (values->ndim != 1 || values->size != m->entries)
        FAIL(LUN_MISUSE, "%s have shape (%s); there are %zu columns, and a value for each is wanted", what,
             array_shape_text(shape, sizeof shape, values), m->entries);
    return LUN_OK;
}

static lun_status bind(lun_request *r, lun_error *err)
{
    multiplying *s = REQUEST_STATE(r, multiplying);
    csr_merging *m = &s->merging;
    lun_array *in[6];
    for (size_t i = 0; i < COUNT(in); i++)
        in[i] = r->arguments[i].array;
    const int first = r->manner->first;
    TRY(csr_read(&m->b, in[3], in[4], MOST_WIDTH, first, err));
    TRY(csr_read(&m->a, in[1], in[2], m->b.rows, first, err));
    TRY(check_values(&m->a, in[0], "the values", err));
    TRY(check_values(&m->b, in[5], "the other's values", err));
    TRY(array_check_same_device(in[5], in[0], "the other matrix", err));
    if (in[3]->dtype != in[1]->dtype)
        FAIL(LUN_MISUSE, "starts and columns are %s, and the other matrix's %s; one dtype is wanted",
             lun_dtype_name(in[1]->dtype), lun_dtype_name(in[3]->dtype));
    m->a_values = in[0];
    m->b_values = in[5];
    m->dtype = dtype_arithmetic(lun_dtype_promoted(in[0]->dtype, in[5]->dtype));
    TRY(request_results(r, 3, err));
    request_tell(r, 0, in[1]->dtype, 1, &in[1]->size);
    request_tell_late(r, 1, in[1]->dtype);
    request_tell_late(r, 2, m->dtype);
    return LUN_OK;
}

lun_status csr_sum_up(bool *more, size_t *total, lun_request *r, lun_array **sums, lun_array *numbers, bool *summed,
                      lun_error *err)
{
    const lun_scan_options running = {.op = LUN_REDUCE_sum, .exclusive = true};
    const lun_call quiet = request_quiet(r);
    int64_t found;
    if (!*summed) {
        TRY(request_array(sums, r, LUN_i64, 1, numbers->shape, err));
        TRY(lun_scan(*sums, numbers, &running, &quiet, err));
        *summed = true;
    }
    TRY(request_receive(more, &found, r, *sums, numbers->shape[0] - 1, err));
    if (*more)
        return LUN_OK;
    *total = (size_t)found;
    *summed = false;
    return LUN_OK;
}

enum { LOOK, COUNT_PRODUCTS, MERGE, COUNT_ENTRIES, COMPACT };

static lun_status look(bool *more, lun_request *r, multiplying *s, lun_error *err)
{
    const csr_matrix *both[] = {&s->merging.a, &s->merging.b};
    for (size_t i = 0; i < COUNT(both) && !*more; i++)
        if (!s->checking[i].done && !csr_is_known(both[i]))
            TRY(csr_check(more, &s->checking[i], r, both[i], err));
    return LUN_OK;
}

static lun_status prepare_merge(lun_request *r, csr_merging *m, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    const size_t *rows = m->room->shape;
    TRY(request_array(&m->counts, r, LUN_i64, 1, rows, err));
    TRY(request_array(&m->columns, r, m->a.starts->dtype, 1, &m->products, err));
    TRY(request_array(&m->values, r, dtype_computed(m->dtype), 1, &m->products, err));
    return csr_merge(m, &quiet, err);
}

static lun_status give(lun_request *r, csr_merging *m, lun_array *const *out, lun_error *err)
{
    if (m->a.starts->dtype == LUN_i32 && m->entries >= (size_t)INT32_MAX)
        FAIL(LUN_MISUSE, "the product has %zu entries; starts and columns of i64 are wanted", m->entries);
    TRY(request_make_late(r, 1, out[1], 1, &m->entries, err));
    TRY(request_make_late(r, 2, out[2], 1, &m->entries, err));
    TRY(csr_compact(m, out, &r->call, err));
    const csr_matrix made = {out[0], out[1], m->a.rows, m->entries, csr_known_width(&m->b), m->a.first};
    csr_note(&made);
    return LUN_OK;
}

static lun_status run(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    multiplying *s = r->state;
    csr_merging *m = &s->merging;
    const lun_call quiet = request_quiet(r);
    switch (r->stage) {
    case LOOK:
        TRY(look(more, r, s, err));
        if (*more)
            return LUN_OK;
        TRY(request_array(&m->room, r, LUN_i64, 1, m->a.starts->shape, err));
        TRY(csr_count_products(m, &quiet, err));
        break;
    case COUNT_PRODUCTS:
        TRY(csr_sum_up(more, &m->products, r, &m->bounds, m->room, &s->summed, err));
        break;
    case MERGE:
        TRY(prepare_merge(r, m, err));
        break;
    case COUNT_ENTRIES:
        TRY(csr_sum_up(more, &m->entries, r, &m->ends, m->counts, &s->summed, err));
        break;
    default:
        return give(r, m, out, err);
    }
    if (!*more)
        r->stage++;
    *more = true;
    return LUN_OK;
}

const request_functions csr_product_functions = {bind, run};
