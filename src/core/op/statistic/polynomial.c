/* Polynomials whose coefficients stand in an array, the highest power's first. */
#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"
#include "op/compose.h"

/* ---- polyval ------------------------------------------------------------------------------------------------------- */

enum { AT_ONCE = 8 }; /* coefficients that one kernel reads */

/* Horner's rule, with a few coefficients a pass. */
static lun_status polyval(composing *c, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *coefficients = c->r->arguments[0].array, *points = c->r->arguments[1].array, *so_far = NULL;
    char shape[200];
    TRY(array_check_same_device(coefficients, points, "the array of points", err));
    if (coefficients->ndim != 1 || coefficients->shape[0] == 0)
        FAIL(LUN_MISUSE, "coefficients in a row are wanted, the highest power's first; the array has shape %s",
             array_shape_text(shape, sizeof shape, coefficients));
    const size_t count = coefficients->shape[0];
    for (size_t i = 0; i < count; i += AT_ONCE) {
        composed x = {0};
        const unsigned at = of_array(&x, points);
        unsigned value = so_far ? of_array(&x, so_far) : 0;
        for (size_t k = i; k < count && k < i + AT_ONCE; k++) {
            const lun_array *one, *number;
            TRY(compose_slice(&one, c, coefficients, 0, (int64_t)k, 1, 1, err));
            TRY(compose_reshape(&number, c, one, 0, NULL, err));
            const unsigned coefficient = of_array(&x, number);
            value = k ? of_op(&x, LUN_MAP_add, of_op(&x, LUN_MAP_mul, value, at), coefficient)
                      : of_op(&x, LUN_MAP_add, of_op(&x, LUN_MAP_mul, at, of_number(&x, lun_integer(0))), coefficient);
        }
        x.results[0] = value;
        if (count <= i + AT_ONCE)
            return compose_give_map(c, &x, err);
        TRY(compose_map(&so_far, c, &x, err));
    }
done:
    return status;
}

COMPOSED(polyval)
