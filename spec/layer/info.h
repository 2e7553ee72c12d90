/* What a layer answers when OpenCL's loader asks for its name and version. */
#pragma once

#include <CL/cl_layer.h>

#include <string.h>

static inline cl_int layer_info(const char *name, cl_layer_info what, size_t room, void *value, size_t *bytes)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *answer = what == CL_LAYER_NAME ? (const void *)name : &version;
    const size_t length = what == CL_LAYER_NAME ? strlen(name) + 1 : sizeof version;
    if ((what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION) || (value && room < length))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, answer, length);
    if (bytes)
        *bytes = length;
    return CL_SUCCESS;
}
