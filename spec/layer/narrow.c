/* An OpenCL layer for the specs: it hides that devices have double precision, for want of one that has none, and with
 * NARROW_GPU in the environment presents them as GPUs. */
#include "info.h"

#include <CL/cl_icd.h>

#include <stdlib.h>

static const cl_icd_dispatch *driver;
static cl_icd_dispatch table;

static cl_int CL_API_CALL get_info(cl_device_id device, cl_device_info what, size_t room, void *value, size_t *bytes)
{
    const cl_int code = driver->clGetDeviceInfo(device, what, room, value, bytes);
    if (what == CL_DEVICE_DOUBLE_FP_CONFIG && code == CL_SUCCESS && value)
        memset(value, 0, sizeof(cl_device_fp_config));
    if (what == CL_DEVICE_TYPE && code == CL_SUCCESS && value && getenv("NARROW_GPU"))
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void *value, size_t *bytes)
{
    return layer_info("lunarray's specs: no double precision", what, room, value, bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *next, cl_uint *own_count,
                                            const cl_icd_dispatch **own)
{
    if (!next || !own_count || !own || count < sizeof table / sizeof(void *))
        return CL_INVALID_VALUE;
    driver = next;
    table.clGetDeviceInfo = get_info;
    *own_count = sizeof table / sizeof(void *);
    *own = &table;
    return CL_SUCCESS;
}
