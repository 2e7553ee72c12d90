/* Constant memory: counted as memory of the pool, because it is kept for later use. */
#include "memory/constants.h"
#include "base/error.h"
#include "device/context.h"
#include "memory/memory_room.h"

lun_status constants_create(cl_mem *out, lun_device *device, size_t bytes, void *data, lun_error *err)
{
    memory *own = memory_of(device);
    TRY(device_open(device, err));
    if (bytes > device->info.max_allocation || own->live + own->pooled + bytes > own->limit)
        FAIL(LUN_NO_MEMORY, "%zu bytes needed for constants, %llu of %llu allowed are in use on this device", bytes,
             (unsigned long long)(own->live + own->pooled), (unsigned long long)own->limit);
    TRY(context_buffer(out, device, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, data, err));
    own->pooled += bytes;
    return LUN_OK;
}

void constants_free(lun_device *device, cl_mem mem, size_t bytes)
{
    memory_of(device)->pooled -= bytes;
    if (!device_in_child(device))
        clReleaseMemObject(mem);
}
