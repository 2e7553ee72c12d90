/* Shifted reads of arrays in expressions: their shapes and distances. */
#include "op/expression/read.h"
#include "base/error.h"

/* The positions along an axis: their number, and the number before the array's first. */
typedef struct span {
    int64_t before, size;
} span;

static span whole(const lun_array *array, const lun_read *read, int axis)
{
    const int64_t size = (int64_t)array->shape[axis];
    span all = {.before = read->before[axis], .size = size};
    if (read->rolls)
        all.before = size ? (all.before % size + size) % size : 0;
    else
        all.size += read->before[axis] + read->after[axis];
    return all;
}

/* The kept positions. The ends may be one position outside the axis; a range that a loop would not enter is empty, as
 * for slices. */
static span kept(const lun_array *array, const lun_read *read, int axis)
{
    span all = whole(array, read, axis);
    const int64_t from = read->first[axis], to = read->last[axis];
    const int64_t first = from > 0 ? from - 1 : from < 0 ? all.size + from : 0;
    const int64_t end = to > 0 ? to : all.size + to + (to < 0);
    all.before -= first;
    all.size = end > first ? end - first : 0;
    return all;
}

/* The position in the array of the only kept position; false: it is outside. */
static bool find_one(int64_t *at, const lun_array *array, const lun_read *read, int axis)
{
    const int64_t size = (int64_t)array->shape[axis], i = -kept(array, read, axis).before;
    *at = i;
    if (i >= 0 && i < size)
        return true;
    if (read->rolls || read->mode == LUN_PAD_WRAP)
        *at = i < 0 ? i + size : i - size;
    else if (read->mode == LUN_PAD_REFLECT)
        *at = i < 0 ? -i : 2 * (size - 1) - i;
    else if (read->mode == LUN_PAD_SYMMETRIC)
        *at = i < 0 ? -1 - i : 2 * size - 1 - i;
    else
        *at = i < 0 ? 0 : size - 1;
    return read->rolls || read->mode != LUN_PAD_CONSTANT;
}

static bool cuts(const lun_read *read, int axis) { return read->first[axis] || read->last[axis]; }

static lun_status check_end(const lun_array *array, int64_t position, int64_t size, bool empty, int axis,
                            lun_error *err)
{
    const int64_t at = position > 0 ? position - 1 : position < 0 ? position + size : 0;
    if (position && (at < -empty || at >= size + empty))
        return fail(err, LUN_MISUSE, "slice: position %lld is out of range on axis %d, which has %lld",
                    (long long)position, array_axis_shown(array, axis), (long long)size);
    return LUN_OK;
}

static lun_status check_kept(const lun_array *array, const lun_read *read, int axis, lun_error *err)
{
    int64_t at;
    const int64_t size = whole(array, read, axis).size, left = kept(array, read, axis).size;
    TRY(check_end(array, read->first[axis], size, left == 0, axis, err));
    TRY(check_end(array, read->last[axis], size, left == 0, axis, err));
    if (left == 1 && !find_one(&at, array, read, axis))
        FAIL(LUN_MISUSE, "slice: along axis %d only a position of the padding is left", array_axis_shown(array, axis));
    return LUN_OK;
}

lun_status read_check(const lun_array *array, const lun_read *read, lun_error *err)
{
    cl_ulong2 element;
    const bool pads = read->shifted && !read->rolls;
    const bool mirrors = read->mode == LUN_PAD_REFLECT || read->mode == LUN_PAD_SYMMETRIC;
    const bool once = pads && (read->mode == LUN_PAD_WRAP || mirrors);
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
                !mirrors                          ? "wrap"
                : read->mode == LUN_PAD_SYMMETRIC ? "symmetric"
                                                  : "reflect",
                (long long)most);
    }
    for (int i = 0; read->shifted && i < array->ndim; i++)
        if (cuts(read, i))
            TRY(check_kept(array, read, i, err));
    return LUN_OK;
}

lun_array read_seen(const lun_array *array, const lun_read *read)
{
    lun_array seen = *array;
    int64_t at;
    for (int i = 0; read->shifted && i < array->ndim; i++) {
        seen.shape[i] = (size_t)kept(array, read, i).size;
        if (cuts(read, i) && seen.shape[i] == 1 && find_one(&at, array, read, i))
            seen.offset += at * array->stride[i];
    }
    return seen;
}

bool read_axis(int64_t *before, const lun_array *array, const lun_read *read, int axis)
{
    if (!read->shifted)
        return false;
    const span seen = kept(array, read, axis);
    *before = seen.before;
    return !(cuts(read, axis) && seen.size == 1) && (*before != 0 || seen.size != (int64_t)array->shape[axis]);
}
