/* Pinned host memory, which a device with memory of its own reads and writes at the full rate of the bus. */
#include "device/pinned.h"
#include "base/error.h"
#include "device/device.h"

#include <stdlib.h>

#define PAGE ((size_t)4096)

/* False for processors, and for GPUs that share their host's memory. Test builds take every device for one that is
 * apart. */
bool device_is_apart(const lun_device *device)
{
#ifdef LUN_FAULTS
    return device != NULL;
#else
    return !device->info.unified_memory && !(device->type & CL_DEVICE_TYPE_CPU);
#endif
}

static void close_pinning(lun_device *device)
{
    clFinish(device->pinning);
    clReleaseCommandQueue(device->pinning);
}

/* A blocking map waits for all commands of its queue. So pinned memory is mapped on a queue that has no other
 * commands. */
static lun_status pin(pinned *self, lun_device *device, lun_error *err)
{
    lun_status status = LUN_OK;
    const cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
    TRY(device_open(device, err));
    if (!device->pinning)
        CL_NEW(device->pinning, clCreateCommandQueue, device->context, device->id, 0);
    device_closes(device, PART_PINNING, close_pinning);
    CL_NEW(self->mem, clCreateBuffer, device->context, flags, self->bytes, NULL);
    CL_NEW(self->data, clEnqueueMapBuffer, device->pinning, self->mem, CL_TRUE, both, 0, self->bytes, 0, NULL, NULL);
done:
    return status;
}

/* Never waits. Unmaps first, as NVIDIA's driver never frees memory that is released while it is mapped. */
void pinned_free(pinned *self, lun_device *device)
{
    if (!self)
        return;
    if (self->data && clEnqueueUnmapMemObject(device->pinning, self->mem, self->data, 0, NULL, NULL) == CL_SUCCESS)
        clFlush(device->pinning);
    if (self->mem)
        clReleaseMemObject(self->mem);
    free(self);
}

lun_status pinned_create(pinned **out, lun_device *device, size_t bytes, lun_error *err)
{
    lun_status status = LUN_OK;
    pinned *self = calloc(1, sizeof *self);
    if (!self)
        FAIL(LUN_NO_MEMORY, "out of host memory for a transfer's record");
    self->bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    TRY(pin(self, device, err));
    *out = self;
    return LUN_OK;
done:
    pinned_free(self, device);
    return status;
}
