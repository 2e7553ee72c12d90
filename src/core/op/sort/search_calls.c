/* Searching in what is sorted, as rows of operation.def are called: where values belong, and which are there. */
#include "api/functions.h"
#include "base/dtype.h"
#include "op/sort/keys.h"
#include "op/sort/member.h"

#include <string.h>

/* ---- searchsorted -------------------------------------------------------------------------------------------------------- */

typedef struct search {
    keys keys;
    bool right;
    lun_array *sorted; /* by the option `sorter` */
} search;

static lun_status bind_searchsorted(lun_request *r, lun_error *err)
{
    search *s = REQUEST_STATE(r, search);
    const char *side = request_text(r, "side");
    s->right = side && strcmp(side, "right") == 0;
    if (side && !s->right && strcmp(side, "left") != 0)
        FAIL(LUN_MISUSE, "unknown side '%s'; known are left, right", side);
    TRY(keys_read(&s->keys, r, err));
    TRY(request_result(r, LUN_i64, s->keys.ndim, s->keys.shape, err));
    if (r->arguments[1].kind == LUN_VALUE_NUMBER)
        request_tell_numbers(r, 0, 1);
    return LUN_OK;
}

static lun_status run_searchsorted(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    search *s = r->state;
    const lun_call quiet = request_quiet(r);
    const lun_array *array = r->arguments[0].array, *sorter = request_array_option(r, "sorter");
    TRY(keys_send(more, &s->keys, r, err));
    if (*more)
        return LUN_OK;
    if (sorter) {
        TRY(request_array(&s->sorted, r, array->dtype, sorter->ndim, sorter->shape, err));
        TRY(lun_take(s->sorted, array, sorter, LUN_FLATTENED, &quiet, err));
        array = s->sorted;
    }
    return lun_searchsorted(out[0], array, s->keys.values, s->right, &r->call, err);
}

const request_functions searchsorted_functions = {bind_searchsorted, run_searchsorted};

/* ---- isin ---------------------------------------------------------------------------------------------------------------- */

/* What is found at the first place where an element may stand among the sorted values; behind them all, the last one is looked at. */
lun_status member_tell(const lun_array *to, composing *c, const lun_array *in, const lun_array *values, bool is,
                       bool last, lun_error *err)
{
    composed x = {0};
    lun_call call;
    const lun_array *flat, *within, *found;
    lun_array *sorted, *places;
    const lun_sorting sorting = {.axis = 0};
    if (values->size == 0)
        return compose_calls(&call, c, last) ? lun_array_fill(to, lun_truth(!is), &call, err) : LUN_OK;
    TRY(compose_reshape(&flat, c, values, 1, &values->size, err));
    TRY(compose_array(&sorted, c, values->dtype, 1, &values->size, err));
    TRY(compose_array(&places, c, LUN_i64, in->ndim, in->shape, err));
    if (compose_calls(&call, c, false)) {
        TRY(lun_sort(sorted, NULL, flat, &sorting, &call, err));
        TRY(lun_searchsorted(places, sorted, in, false, &call, err));
    }
    x.results[0] = of_op(&x, LUN_MAP_minimum, of_array(&x, places), of_number(&x, lun_integer((int64_t)values->size)));
    TRY(compose_map(&within, c, &x, err));
    TRY(compose_take(&found, c, sorted, within, LUN_FLATTENED, err));
    x = (composed){0};
    x.results[0] = of_op(&x, is ? LUN_MAP_eq : LUN_MAP_ne, of_array(&x, in), of_array(&x, found));
    return compose_into(c, &to, &x, last, err);
}

typedef struct membership {
    compose_state state;
    keys keys;
} membership;

static lun_status isin(composing *c, lun_error *err)
{
    const membership *m = c->r->state;
    const lun_array *in = c->r->arguments[0].array, *out;
    TRY(compose_result(&out, c, 0, LUN_bool, in->ndim, in->shape, err));
    if (c->out)
        TRY(member_tell(out, c, in, m->keys.values, !request_truth(c->r, "invert"), true, err));
    return LUN_OK;
}

static lun_status bind_isin(lun_request *r, lun_error *err)
{
    membership *m = REQUEST_STATE(r, membership);
    TRY(keys_read(&m->keys, r, err));
    TRY(dtype_check_ordered(r->arguments[0].array->dtype, err));
    if (m->keys.values)
        TRY(dtype_check_ordered(m->keys.values->dtype, err));
    return compose(r, isin, NULL, err);
}

static lun_status run_isin(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    TRY(keys_send(more, &((membership *)r->state)->keys, r, err));
    if (!*more)
        TRY(compose(r, isin, out, err));
    return LUN_OK;
}

const request_functions isin_functions = {bind_isin, run_isin};
