/* A device's context, and the objects created in it. */
#include "device/context.h"
#include "base/error.h"
#include "device/device_room.h"

lun_status context_open(lun_device *device, lun_error *err)
{
    device_state *own = state_of(device);
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)own->platform, 0};
    if (!own->context)
        CL_NEW(own->context, clCreateContext, properties, own->units[COMPANION_UNIT] ? 2 : 1, own->units, NULL, NULL);
    return LUN_OK;
}

void context_close(lun_device *device)
{
    if (state_of(device)->context)
        clReleaseContext(state_of(device)->context);
}

cl_context context_of(const lun_device *device) { return state_of(device)->context; }
cl_device_id context_unit(const lun_device *device, unsigned unit) { return state_of(device)->units[unit]; }

lun_status context_buffer(cl_mem *out, const lun_device *device, cl_mem_flags flags, size_t bytes, void *data,
                          lun_error *err)
{
    CL_NEW(*out, clCreateBuffer, context_of(device), flags, bytes, data);
    return LUN_OK;
}

lun_status context_queue(cl_command_queue *out, const lun_device *device, unsigned unit,
                         cl_command_queue_properties properties, lun_error *err)
{
    CL_NEW(*out, clCreateCommandQueue, context_of(device), context_unit(device, unit), properties);
    return LUN_OK;
}
