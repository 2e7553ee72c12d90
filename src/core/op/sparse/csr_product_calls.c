/* The row csr_product of operation.def: the product of two sparse matrices. It waits twice, for the number of products,
 * and for the number of entries of the result. */
#include "api/reductions.h"
#include "base/error.h"
#include "base/shape.h"
#include "op/sparse/csr.h"

typedef struct multiplying {
    csr_merging merging;
    csr_checking checking[2];
} multiplying;

#define MOST_WIDTH ((size_t)1 << 62) /* only columns of b are compared */

static lun_status check_values(const csr_matrix *m, const lun_array *values, const char *what, lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(m->starts, values, "the array of starts", err));
    if (values->ndim != 1 || values->size != m->entries)
        FAIL(LUN_MISUSE, "%s have shape (%s); there are %zu columns, and a value for each is needed", what,
             array_shape_text(shape, sizeof shape, values), m->entries);
    return LUN_OK;
}

static lun_status read_matrices(csr_merging *m, const lun_request *r, lun_error *err)
{
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
        FAIL(LUN_MISUSE, "starts and columns are %s, and the other matrix's %s; one dtype is needed",
             lun_dtype_name(in[1]->dtype), lun_dtype_name(in[3]->dtype));
    m->a_values = in[0];
    m->b_values = in[5];
    m->dtype = dtype_arithmetic(lun_dtype_promoted(in[0]->dtype, in[5]->dtype));
    return LUN_OK;
}

lun_status csr_sum_up(size_t *total, lun_array **sums, composing *c, const lun_array *numbers, lun_error *err)
{
    const lun_scan_options running = {.op = LUN_REDUCE_sum, .exclusive = true};
    int64_t *found = NULL;
    COMPOSE_KEPT(found, c);
    TRY(compose_array(sums, c, LUN_i64, 1, numbers->shape, err));
    TRY(CALLED(c, false, lun_scan(*sums, numbers, &running, &call, err)));
    if (compose_enters(c))
        TRY(request_receive(c->more, found, c->r, *sums, numbers->shape[0] - 1, err));
    *total = (size_t)*found;
    return LUN_OK;
}

/* Rows with room for each product are merged, and then stored without gaps. */
static lun_status merge(composing *c, csr_merging *m, lun_error *err)
{
    const size_t *ends = m->a.starts->shape;
    TRY(compose_array(&m->room, c, LUN_i64, 1, ends, err));
    TRY(CALLED(c, false, csr_count_products(m, &call, err)));
    TRY(csr_sum_up(&m->products, &m->bounds, c, m->room, err));
    if (compose_waits(c))
        return LUN_OK;
    TRY(compose_array(&m->counts, c, LUN_i64, 1, ends, err));
    TRY(compose_array(&m->columns, c, m->a.starts->dtype, 1, &m->products, err));
    TRY(compose_array(&m->values, c, dtype_computed(m->dtype), 1, &m->products, err));
    TRY(CALLED(c, false, csr_merge(m, &call, err)));
    return csr_sum_up(&m->entries, &m->ends, c, m->counts, err);
}

static lun_status csr_product_word(composing *c, lun_error *err)
{
    multiplying *s = NULL;
    const lun_array *starts;
    COMPOSE_KEPT(s, c);
    csr_merging *m = &s->merging;
    const csr_matrix *both[] = {&m->a, &m->b};
    TRY(read_matrices(m, c->r, err));
    c->results = 3;
    TRY(compose_result(&starts, c, 0, m->a.starts->dtype, 1, m->a.starts->shape, err));
    TRY(compose_late(c, 1, m->a.starts->dtype, err));
    TRY(compose_late(c, 2, m->dtype, err));
    for (size_t i = 0; i < COUNT(both); i++) {
        if (compose_enters(c) && !csr_is_known(both[i]))
            TRY(csr_check(c->more, &s->checking[i], c->r, both[i], err));
        if (compose_waits(c))
            return LUN_OK;
    }
    TRY(merge(c, m, err));
    if (compose_waits(c))
        return LUN_OK;
    if (m->a.starts->dtype == LUN_i32 && m->entries >= (size_t)INT32_MAX)
        FAIL(LUN_MISUSE, "the product has %zu entries; starts and columns of i64 are needed", m->entries);
    return csr_give(c, m, csr_known_width(&m->b), err);
}

lun_status csr_give(composing *c, const csr_merging *m, size_t width, lun_error *err)
{
    lun_array *out[3] = {c->out[0]};
    TRY(compose_late_result(&out[1], c, 1, 1, &m->entries, err));
    TRY(compose_late_result(&out[2], c, 2, 1, &m->entries, err));
    TRY(CALLED(c, true, csr_compact(m, out, &call, err)));
    const csr_matrix made = {out[0], out[1], m->a.rows, m->entries, width, m->a.first};
    csr_note(&made);
    return LUN_OK;
}

COMPOSED(csr_product_word)
