/* Work that several devices share: the list, the shares, and the copies of arrays between devices. */
#include "call/device_shares.h"
#include "base/shape.h"

#include <math.h>
#include <string.h>

/* ---- the list ------------------------------------------------------------------------------------------------------ */

lun_status devices_read(lun_devices *out, lun_request *r, lun_error *err)
{
    static const char *const alone[] = {"async", "queue"};
    const lun_value *value = request_option(r, "devices");
    *out = (lun_devices){.count = 0};
    if (!value)
        return LUN_OK;
    if (r->traced)
        FAIL(LUN_MISUSE, "option 'devices': it cannot be fused");
    for (size_t i = 0; i < COUNT(alone); i++) {
        const lun_value *other = request_option(r, alone[i]);
        if (other && !(other->kind == LUN_VALUE_BOOLEAN && !other->truth))
            FAIL(LUN_MISUSE, "option '%s' does not work with devices", alone[i]);
    }
    const size_t count = value_count(value);
    if (count == 0)
        FAIL(LUN_MISUSE, "option 'devices': the list is empty");
    lun_device **list = REQUEST_MEMORY(r, count * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const lun_value *item = value_item(value, i);
        if (item->kind != LUN_VALUE_DEVICE)
            FAIL(LUN_MISUSE, "option 'devices': a device is needed, number %zu is %s", i + 1, kind_shown(r, item));
        list[i] = item->device;
    }
    *out = (lun_devices){list, count};
    return LUN_OK;
}

lun_status devices_check(const lun_devices *devices, const lun_array *array, lun_error *err)
{
    for (size_t i = 0; i < devices->count; i++)
        for (size_t k = 0; k < i; k++)
            if (devices->list[i] == devices->list[k])
                FAIL(LUN_MISUSE, "option 'devices': number %zu and number %zu are the same device", k + 1, i + 1);
    if (devices->count && devices->list[0] != array->device)
        FAIL(LUN_MISUSE, "option 'devices': the first must be the device of the arrays");
    return LUN_OK;
}

/* ---- shares -------------------------------------------------------------------------------------------------------- */

#define GPU_LANES 128 /* a GPU's unit has many lanes, whose number OpenCL does not report */

double device_strength(const lun_device *device)
{
    const lun_device_info *info = lun_device_info_get(device);
    const double lanes = strcmp(info->type, "gpu") == 0 ? GPU_LANES : fmax(info->vector_f32, 1);
    return info->units * fmax(info->clock_mhz, 1) * lanes;
}

size_t device_share(const lun_devices *devices, const double *parts, size_t i, size_t rows, size_t grain)
{
    double before = 0, all = 0;
    if (i == devices->count)
        return rows;
    for (size_t k = 0; k < devices->count; k++) {
        const double part = parts ? parts[k] : device_strength(devices->list[k]);
        before += k < i ? part : 0;
        all += part;
    }
    const double grains = floor((double)rows * (before / all) / (double)grain + 0.5);
    return grains * (double)grain < (double)rows ? (size_t)grains * grain : rows;
}

/* ---- arrays -------------------------------------------------------------------------------------------------------- */

lun_status device_array(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape,
                        lun_error *err)
{
    bool done;
    const lun_status status = lun_array_create(out, device, dtype, ndim, shape, err);
    if (status != LUN_NO_MEMORY)
        return status;
    TRY(lun_device_drain(&done, device, -1, err)); /* drivers hold released memory until its commands have ended */
    lun_device_trim(device);
    return lun_array_create(out, device, dtype, ndim, shape, err);
}

lun_status device_bring(lun_array *out, lun_device *device, const lun_array *in, lun_error *err)
{
    if (!in)
        return LUN_OK;
    if (in->device == device)
        return lun_array_view(out, in, err);
    TRY(device_array(out, device, in->dtype, in->ndim, in->shape, err));
    return lun_array_copy(out, in, NULL, err);
}

lun_status rows_view(lun_array *out, const lun_array *in, size_t first, size_t count, lun_error *err)
{
    lun_slice slices[LUN_MAX_AXES] = {{.from = (int64_t)first, .step = 1, .count = count}};
    for (int i = 1; i < in->ndim; i++)
        slices[i] = (lun_slice){.step = 1, .count = in->shape[i]};
    return lun_array_slice(out, in, slices, err);
}
