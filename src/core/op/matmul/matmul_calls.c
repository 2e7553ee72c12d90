/* The matrix product, as its row of operation.def is called. */
#include "op/request.h"

#include <string.h>

/* The left array and the right one. With axes reversed they are transposes, whose product is that of the other order. */
static const lun_array *side(const lun_request *r, bool right)
{
    return r->arguments[right != r->manner->reversed].array;
}

/* Which sides the option conj names. */
static lun_status find_conjugated(unsigned *out, const lun_request *r, lun_error *err)
{
    const char *sides = request_text(r, "conj");
    static const struct {
        const char *name;
        unsigned sides;
    } names[] = {{"a", LUN_CONJUGATE_A}, {"b", LUN_CONJUGATE_B}, {"both", LUN_CONJUGATE_A | LUN_CONJUGATE_B}};
    *out = 0;
    for (size_t i = 0; sides && i < COUNT(names); i++)
        if (strcmp(names[i].name, sides) == 0)
            *out = names[i].sides;
    if (sides && !*out)
        return fail(err, LUN_MISUSE, "conj is '%.40s'; a, b or both is wanted: the array itself, the other, both",
                    sides);
    if (r->manner->reversed && *out < (LUN_CONJUGATE_A | LUN_CONJUGATE_B))
        *out = *out == LUN_CONJUGATE_A ? LUN_CONJUGATE_B : *out ? LUN_CONJUGATE_A : 0;
    return LUN_OK;
}

/* Two vectors give a number. */
static lun_status bind_matmul(lun_request *r, lun_error *err)
{
    const lun_array *a = side(r, false), *b = side(r, true);
    int ndim;
    size_t shape[LUN_MAX_AXES];
    if (!request_array_option(r, "out") && request_number(r, "beta", lun_integer(0)).real != 0)
        FAIL(LUN_MISUSE, "beta goes with out, and there is none");
    unsigned conjugated;
    TRY(find_conjugated(&conjugated, r, err));
    TRY(lun_matmul_result(&ndim, shape, a, b, err));
    TRY(request_result(r, lun_matmul_dtype(a->dtype, b->dtype), ndim, shape, err));
    if (ndim == 0)
        request_tell_numbers(r, 0, 1);
    return LUN_OK;
}

static lun_status run_matmul(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    unsigned conjugated;
    TRY(find_conjugated(&conjugated, r, err));
    return lun_matmul_conjugated(out[0], side(r, false), side(r, true), conjugated,
                                 request_number(r, "alpha", lun_integer(1)), request_number(r, "beta", lun_integer(0)),
                                 &r->call, err);
}

const request_functions matmul_functions = {bind_matmul, run_matmul};
