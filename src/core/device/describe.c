/* The properties of a device, queried once. */
#include "base/error.h"
#include "device/device_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPUTE_CAPABILITY_MAJOR 0x4000 /* of cl_nv_device_attribute_query */

static const char *type_name(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_GPU           ? "gpu"
           : type & CL_DEVICE_TYPE_CPU         ? "cpu"
           : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
                                               : "other";
}

static lun_status ask(const lun_device *device, cl_device_info what, size_t bytes, void *answer, lun_error *err)
{
    memset(answer, 0, bytes);
    cl_int code = clGetDeviceInfo(context_unit(device, MAIN_UNIT), what, bytes, answer, NULL);
    return code == CL_SUCCESS ? LUN_OK : fail_cl(err, code, "clGetDeviceInfo");
}

/* The same for properties that not every version of OpenCL has; 0: the device does not know it. */
static lun_status ask_if_known(const lun_device *device, cl_device_info what, size_t bytes, void *answer,
                               lun_error *err)
{
    lun_status status = ask(device, what, bytes, answer, err);
    return status == LUN_FAILED && err->code == CL_INVALID_VALUE ? LUN_OK : status;
}

static lun_status ask_text(const lun_device *device, cl_device_info what, size_t room, char *answer, lun_error *err)
{
    char text[1024];
    TRY(ask(device, what, sizeof text, text, err));
    text[sizeof text - 1] = '\0';
    const char *start = text + strspn(text, " ");
    snprintf(answer, room, "%.*s", (int)room - 1, start);
    for (size_t n = strlen(answer); n > 0 && answer[n - 1] == ' '; n--)
        answer[n - 1] = '\0';
    return LUN_OK;
}

static lun_status ask_extensions(lun_device *device, lun_error *err)
{
    size_t bytes = 0;
    CL(clGetDeviceInfo, context_unit(device, MAIN_UNIT), CL_DEVICE_EXTENSIONS, 0, NULL, &bytes);
    device->extensions = NEW(1, bytes + 1, "the names of a device's extensions");
    CL(clGetDeviceInfo, context_unit(device, MAIN_UNIT), CL_DEVICE_EXTENSIONS, bytes, device->extensions, NULL);
    return LUN_OK;
}

bool device_has_extension(const lun_device *device, const char *name)
{
    return device->extensions && strstr(device->extensions, name) != NULL;
}

/* The major compute capability of an NVIDIA GPU under NVIDIA's own driver; 0 for others. */
static lun_status nvidia_capability(unsigned *major, const lun_device *device, lun_error *err)
{
    cl_uint answer = 0;
    if (device_has_extension(device, "cl_nv_device_attribute_query"))
        TRY(ask_if_known(device, COMPUTE_CAPABILITY_MAJOR, sizeof answer, &answer, err));
    *major = answer;
    return LUN_OK;
}

static lun_status describe_texts(lun_device *device, lun_error *err)
{
    lun_device_info *info = &device->info;
    TRY(ask_text(device, CL_DEVICE_NAME, sizeof info->name, info->name, err));
    TRY(ask_text(device, CL_DEVICE_VENDOR, sizeof info->vendor, info->vendor, err));
    TRY(ask_text(device, CL_DEVICE_VERSION, sizeof info->version, info->version, err));
    TRY(ask_text(device, CL_DRIVER_VERSION, sizeof info->driver, info->driver, err));
    CL(clGetPlatformInfo, state_of(device)->platform, CL_PLATFORM_NAME, sizeof info->platform - 1, info->platform,
       NULL);
    const int version = atoi(info->driver);
    if (strstr(info->platform, "Portable Computing Language"))
        device->pocl = version > 0 ? version : 1;
    TRY(ask_extensions(device, err));
    info->extensions = device->extensions;
    info->fp16 = device_has_extension(device, "cl_khr_fp16");
    return nvidia_capability(&device->nvidia, device, err);
}

static lun_status describe_numbers(lun_device *device, lun_error *err)
{
    lun_device_info *info = &device->info;
    cl_bool unified;
    cl_ulong memory, allocation, local, cache;
    cl_uint units, clock, f32, f64;
    cl_device_fp_config doubles;
    TRY(ask(device, CL_DEVICE_TYPE, sizeof device->type, &device->type, err));
    TRY(ask(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, err));
    TRY(ask_if_known(device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof clock, &clock, err));
    TRY(ask(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, err));
    TRY(ask(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof allocation, &allocation, err));
    TRY(ask(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, err));
    TRY(ask_if_known(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, err));
    TRY(ask(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof info->max_group, &info->max_group, err));
    TRY(ask_if_known(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof f32, &f32, err));
    TRY(ask_if_known(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof f64, &f64, err));
    TRY(ask_if_known(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, err));
    TRY(ask_if_known(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, err));
    info->type = type_name(device->type);
    info->units = units;
    info->clock_mhz = clock;
    info->memory = memory;
    info->max_allocation = allocation;
    info->local_memory = local;
    info->cache_bytes = cache;
    info->vector_f32 = f32;
    info->vector_f64 = f64;
    info->fp64 = doubles != 0;
    info->unified_memory = unified;
    return LUN_OK;
}

lun_status device_describe(lun_device *device, lun_error *err)
{
    TRY(describe_numbers(device, err));
    return describe_texts(device, err);
}
