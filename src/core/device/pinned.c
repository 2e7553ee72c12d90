/* Pinned host memory, which a device with its own memory reads and writes at the full rate of the bus. */
#include "device/pinned.h"
#include "base/error.h"
#include "device/device_room.h"

#include <stdlib.h>

#define PAGE ((size_t)4096)

/* False for processors, and for GPUs that share the host's memory. In test builds it is true for every device. */
bool device_is_apart(const lun_device *device)
{
#ifdef LUN_FAULTS
    return device != NULL;
#else
    return !device->info.unified_memory && !(device->type & CL_DEVICE_TYPE_CPU);
#endif
}

void pinning_close(lun_device *device)
{
    const cl_command_queue queue = state_of(device)->pinning;
    if (!queue)
        return;
    clFinish(queue);
    clReleaseCommandQueue(queue);
}

lun_status pinning_read(void *out, lun_device *device, cl_mem from, size_t bytes, lun_error *err)
{
    CL(clEnqueueReadBuffer, state_of(device)->pinning, from, CL_TRUE, 0, bytes, out, 0, NULL, NULL);
    return LUN_OK;
}

/* A blocking map waits for all commands of its queue. So pinned memory is mapped on a queue that has no other
 * commands. */
static lun_status pin(pinned *self, lun_device *device, lun_error *err)
{
    device_state *own = state_of(device);
    const cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
    TRY(device_open(device, err));
    if (!own->pinning)
        TRY(context_queue(&own->pinning, device, MAIN_UNIT, 0, err));
    TRY(context_buffer(&self->mem, device, flags, self->bytes, NULL, err));
    CL_NEW(self->data, clEnqueueMapBuffer, own->pinning, self->mem, CL_TRUE, both, 0, self->bytes, 0, NULL, NULL);
    return LUN_OK;
}

/* Never waits. Unmaps first, because NVIDIA's driver never frees memory that is released while it is mapped. */
void pinned_free(pinned *self, lun_device *device)
{
    if (!self)
        return;
    const cl_command_queue queue = state_of(device)->pinning;
    if (self->data && clEnqueueUnmapMemObject(queue, self->mem, self->data, 0, NULL, NULL) == CL_SUCCESS)
        clFlush(queue);
    if (self->mem)
        clReleaseMemObject(self->mem);
    free(self);
}

lun_status pinned_create(pinned **out, lun_device *device, size_t bytes, lun_error *err)
{
    lun_status status = LUN_OK;
    pinned *self = NEW(1, sizeof *self, "a transfer's record");
    self->bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    TRY_DONE(pin(self, device, err));
    *out = self;
    return LUN_OK;
done:
    pinned_free(self, device);
    return status;
}
