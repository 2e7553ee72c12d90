/* The matrix product. */
#include "call/compose.h"
#include "op/matmul/matmul_devices.h"

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
        return fail(err, LUN_MISUSE, "conj is '%.40s'; a, b or both is needed: the array itself, the other, both",
                    sides);
    if (r->manner->reversed && *out < (LUN_CONJUGATE_A | LUN_CONJUGATE_B))
        *out = *out == LUN_CONJUGATE_A ? LUN_CONJUGATE_B : *out ? LUN_CONJUGATE_A : 0;
    return LUN_OK;
}

static lun_status find_devices(lun_devices *out, const composing *c, const lun_array *a, const lun_array *b,
                               lun_error *err)
{
    TRY(devices_read(out, c->r, err));
    if (out->count && (a->ndim != 2 || b->ndim != 2))
        FAIL(LUN_MISUSE, "option 'devices': two matrices are needed");
    return devices_check(out, a, err);
}

/* Two vectors give a number. */
static lun_status matmul(composing *c, lun_error *err)
{
    const lun_array *a = side(c->r, false), *b = side(c->r, true), *out;
    const lun_number alpha = request_number(c->r, "alpha", lun_integer(1)),
                     beta = request_number(c->r, "beta", lun_integer(0));
    int ndim;
    size_t shape[LUN_MAX_AXES];
    unsigned conjugated;
    lun_devices devices;
    TRY(find_devices(&devices, c, a, b, err));
    if (!request_array_option(c->r, "out") && beta.real != 0)
        FAIL(LUN_MISUSE, "beta needs out, which is missing");
    TRY(find_conjugated(&conjugated, c->r, err));
    TRY(lun_matmul_result(&ndim, shape, a, b, err));
    c->numbers = ndim == 0;
    c->unchecked = true;
    TRY(compose_result(&out, c, 0, lun_matmul_dtype(a->dtype, b->dtype), ndim, shape, err));
    if (devices.count && c->out)
        return matmul_devices_run(c, &(matmul_devices){devices, out, a, b, conjugated, alpha, beta}, err);
    return CALLED(c, true, lun_matmul_conjugated(out, a, b, conjugated, alpha, beta, &call, err));
}

COMPOSED(matmul)
