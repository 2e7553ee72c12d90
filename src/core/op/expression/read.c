/* Arrays that an expression reads at other positions than their own: their shapes, and how far they are shifted. */
#include "op/expression/read.h"
#include "base/error.h"

lun_status read_check(const lun_array *array, const lun_read *read, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_ulong2 element;
    const bool pads = read->shifted && !read->rolls;
    const bool once = pads && (read->mode == LUN_PAD_WRAP || read->mode == LUN_PAD_REFLECT);
    if (pads && read->mode == LUN_PAD_CONSTANT)
        TRY(lun_number_store(&element, array->dtype, read->value, err));
    for (int i = 0; pads && i < array->ndim; i++) {
        const int64_t size = (int64_t)array->shape[i], most = read->mode == LUN_PAD_REFLECT ? size - 1 : size;
        const int64_t widest = read->before[i] > read->after[i] ? read->before[i] : read->after[i];
        if (widest > 0 && size == 0)
            FAIL(LUN_MISUSE, "pad: axis %d has no position to pad with", array_axis_shown(array, i));
        if (once && widest > 0 && widest > most)
            FAIL(
                LUN_MISUSE,
                "pad: axis %d, of size %lld, is padded by %lld positions; mode \"%s\" of fused functions has at most %lld",
                array_axis_shown(array, i), (long long)size, (long long)widest,
                read->mode == LUN_PAD_WRAP ? "wrap" : "reflect", (long long)most);
    }
done:
    return status;
}

lun_array read_seen(const lun_array *array, const lun_read *read)
{
    lun_array seen = *array;
    for (int i = 0; read->shifted && !read->rolls && i < array->ndim; i++)
        seen.shape[i] += (size_t)(read->before[i] + read->after[i]);
    return seen;
}

bool read_axis(int64_t *before, const lun_array *array, const lun_read *read, int axis)
{
    const int64_t size = (int64_t)array->shape[axis];
    *before = read->before[axis];
    if (!read->shifted)
        return false;
    if (read->rolls)
        *before = size ? (*before % size + size) % size : 0;
    return *before != 0 || (!read->rolls && read->after[axis] != 0);
}
