/* dev:map, as its row of operation.def is called. */
#include "op/expression/named.h"

/* Says the results of an expression. */
static lun_status tell_results(lun_request *r, const lun_expression *e, lun_error *err)
{
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_map_result(dtypes, &ndim, shape, e, err));
    TRY(request_outs(r, e->result_count, err));
    for (size_t i = 0; i < e->result_count; i++)
        request_tell(r, i, dtypes[i], ndim, shape);
    return LUN_OK;
}

static lun_status bind_map(lun_request *r, lun_error *err)
{
    named_expression *x = REQUEST_STATE(r, named_expression);
    named_begin(x, "map");
    TRY(named_read_texts(x, r, 1, err));
    TRY(named_read_arguments(x, r, 2, err));
    return tell_results(r, &x->e, err);
}

static lun_status run_map(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const named_expression *x = r->state;
    return lun_map((const lun_array *const *)out, &x->e, &r->call, err);
}

const request_functions map_functions = {bind_map, run_map};
