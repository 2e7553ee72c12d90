/* A matrix product that several devices share: the rows of the first matrix and of the result. */
#include "op/matmul/matmul_devices.h"
#include "base/dtype.h"
#include "base/shape.h"

#include <string.h>

/* ---- shares -------------------------------------------------------------------------------------------------------- */

/* Bytes a second from the first device to another and back, and the part of its strength that a device reaches. Found on two
 * H100; PoCL's copies are the host's own. */
#define LINK 45e9
#define LINK_OF_HOST 8e9
#define REACHED (0.75 * 2e6)

/* Seconds of a device: of the copy that comes before its first row, and of all rows. */
typedef struct cost {
    double before, rows;
    bool none; /* it would have copied only when the others have ended */
} cost;

static cost cost_of(const matmul_devices *of, size_t i)
{
    const lun_device *device = of->devices.list[i];
    const double link = strcmp(lun_device_info_get(device)->type, "gpu") == 0 ? LINK : LINK_OF_HOST;
    const double flops = 2.0 * (double)of->out->size * (double)of->a->shape[1];
    const double copied = (double)(lun_array_bytes(of->a) + lun_array_bytes(of->out));
    return (cost){.before = i ? (double)lun_array_bytes(of->b) / link : 0,
                  .rows = flops / (REACHED * device_strength(device)) + (i ? copied / link : 0)};
}

/* With these parts all devices end at one time. A device whose part would be negative gets none, and the others share again. */
static bool share(double *parts, cost *costs, size_t count)
{
    double sum = 1, rate = 0;
    bool again = false;
    for (size_t i = 0; i < count; i++) {
        if (costs[i].none)
            continue;
        sum += costs[i].before / costs[i].rows;
        rate += 1 / costs[i].rows;
    }
    for (size_t i = 0; i < count; i++) {
        parts[i] = costs[i].none ? 0 : (sum / rate - costs[i].before) / costs[i].rows;
        again = again || parts[i] < 0;
        costs[i].none = costs[i].none || parts[i] <= 0;
    }
    return again;
}

static lun_status find_parts(double **out, composing *c, const matmul_devices *of, lun_error *err)
{
    const size_t count = of->devices.count;
    cost *costs = REQUEST_MEMORY(c->r, count * sizeof *costs);
    *out = REQUEST_MEMORY(c->r, count * sizeof **out);
    for (size_t i = 0; i < count; i++)
        costs[i] = cost_of(of, i);
    while (share(*out, costs, count))
        ;
    return LUN_OK;
}

/* ---- parts --------------------------------------------------------------------------------------------------------- */

/* The product of rows on another device. What it needs goes there, and `place`, which `beta` counts, too. */
static lun_status multiply_there(lun_array *product, const lun_array *place, const lun_array *rows,
                                 const matmul_devices *of, lun_device *device, const lun_call *call, lun_error *err)
{
    ENDED_BY(lun_array_clear) lun_array left = {0}, right = {0};
    lun_array_clear(product); /* of an attempt before this one */
    TRY(device_bring(&left, device, rows, err));
    TRY(device_bring(&right, device, of->b, err));
    if (of->beta.real != 0)
        TRY(device_bring(product, device, place, err));
    else
        TRY(device_array(product, device, place->dtype, place->ndim, place->shape, err));
    return lun_matmul_conjugated(product, &left, &right, of->conjugated, of->alpha, of->beta, call, err);
}

/* A copy back that is refused half-way has written some of the place: it is tried again by itself, a step of its own. */
static lun_status multiply_part(composing *c, const matmul_devices *of, size_t i, size_t first, size_t count,
                                lun_error *err)
{
    const lun_call call = request_unnoticed(c->r);
    ENDED_BY(lun_array_clear) lun_array rows = {0}, place = {0};
    lun_array *product;
    TRY(compose_view(&product, c, err));
    TRY(rows_view(&rows, of->a, first, count, err));
    TRY(rows_view(&place, of->out, first, count, err));
    if (compose_enters(c))
        TRY(i ? multiply_there(product, &place, &rows, of, of->devices.list[i], &call, err)
              : lun_matmul_conjugated(&place, &rows, of->b, of->conjugated, of->alpha, of->beta, &call, err));
    if (i && compose_enters(c))
        TRY(lun_array_copy(&place, product, NULL, err));
    return LUN_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------------------------- */

/* Is there something to share? Of an `out` that does not fit the product of one device says what is wrong. */
static bool is_shared(const matmul_devices *of)
{
    const lun_array *out = of->out, *a = of->a, *b = of->b;
    return of->devices.count > 1 && out->ndim == 2 && out->shape[0] == a->shape[0] && out->shape[1] == b->shape[1] &&
           out->size > 0 && a->size > 0;
}

lun_status matmul_devices_run(composing *c, const matmul_devices *of, lun_error *err)
{
    double *parts = NULL;
    const lun_call call = request_unnoticed(c->r);
    const size_t rows = of->a->shape[0];
    if (!is_shared(of))
        return lun_matmul_conjugated(of->out, of->a, of->b, of->conjugated, of->alpha, of->beta, &call, err);
    TRY(array_check_same_device(of->b, of->a, "the second array", err));
    TRY(array_check_apart(of->out, of->a, err));
    TRY(array_check_apart(of->out, of->b, err));
    TRY(find_parts(&parts, c, of, err));
    for (size_t i = of->devices.count;
         i-- > 0;) { /* the first last: enqueueing there takes time that the others work in */
        const size_t first = device_share(&of->devices, parts, i, rows, SHARE_GRAIN);
        const size_t end = device_share(&of->devices, parts, i + 1, rows, SHARE_GRAIN);
        if (end > first)
            TRY(multiply_part(c, of, i, first, end - first, err));
    }
    return LUN_OK;
}
