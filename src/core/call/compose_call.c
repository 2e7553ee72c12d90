/* Compositions: a row of operation.def as a step. */
#include "call/compose.h"

static void drop(void *request) { lun_request_clear(request); }

lun_status compose_call(const lun_array **outs, composing *c, const char *operation, const lun_array *const *arrays,
                        size_t count, const char *option, lun_error *err)
{
    const lun_value given = {.kind = LUN_VALUE_BOOLEAN, .truth = true};
    lun_array *to[LUN_FEW_RESULTS];
    bool more = false;
    lun_operation *row = REQUEST_MEMORY(c->r, sizeof *row);
    lun_request *inner = REQUEST_MEMORY(c->r, sizeof *inner);
    lun_manner *manner = REQUEST_MEMORY(c->r, sizeof *manner);
    *row = *lun_operation_find(LUN_OF_ARRAY, operation);
    row->name = c->r->operation->name; /* failures count as the operation's, */
    row->number &= ~ROW_JUDGED;        /* and so do infinite numbers of a step */
    *manner = *c->r->manner;
    manner->reversed = false;
    lun_request_init(inner, row, manner);
    TRY(request_hold(c->r, inner, drop, err));
    inner->device = c->r->device;
    inner->floats = c->r->floats;
    inner->reproducible = c->r->reproducible;
    for (size_t i = 0; i < count; i++) {
        inner->arguments[i].kind = LUN_VALUE_ARRAY;
        inner->arguments[i].array = (lun_array *)arrays[i];
    }
    if (option)
        TRY(lun_request_option(inner, option, &given, err));
    TRY(lun_request_bind(inner, err));
    for (size_t i = 0; i < inner->result_count; i++) {
        const lun_result *result = &inner->results[i];
        TRY(compose_array(&to[i], c, result->dtype, result->ndim, result->shape, err));
        outs[i] = to[i];
    }
    inner->call = request_unnoticed(c->r);
    if (compose_enters(c))
        TRY(compose_ran(c, ((const request_functions *)row->functions)->run(&more, inner, to, err)));
    return LUN_OK;
}
