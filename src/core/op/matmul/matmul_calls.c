/* The matrix product, as its row of operation.def is called. */
#include "op/request.h"

/* The left array and the right one. With axes reversed they are transposes, whose product is that of the other order. */
static const lun_array *side(const lun_request *r, bool right)
{
    return r->arguments[right != r->manner->reversed].array;
}

/* Two vectors give a number. */
static lun_status bind_matmul(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *a = side(r, false), *b = side(r, true);
    int ndim;
    size_t shape[LUN_MAX_AXES];
    if (!request_array_option(r, "out") && request_number(r, "beta", lun_integer(0)).real != 0)
        FAIL(LUN_MISUSE, "beta goes with out, and there is none");
    TRY(lun_matmul_result(&ndim, shape, a, b, err));
    TRY(request_result(r, lun_matmul_dtype(a->dtype, b->dtype), ndim, shape, err));
    if (ndim == 0)
        request_tell_numbers(r, 0, 1);
done:
    return status;
}

static lun_status run_matmul(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_matmul(out[0], side(r, false), side(r, true), request_number(r, "alpha", lun_integer(1)),
                      request_number(r, "beta", lun_integer(0)), &r->call, err);
}

const request_functions matmul_functions = {bind_matmul, run_matmul};
