/* Small blocks of a device with a companion are in the host's own memory, where PoCL leaves them: the host reads and
 * writes them directly while no operation uses them. A test, run once, checks that the driver really leaves them
 * there. */
#include "memory/seen.h"
#include "base/error.h"
#include "device/companion.h"
#include "device/context.h"
#include "memory/memory_room.h"

#include <stdlib.h>
#include <string.h>

#ifdef LUN_GUARDS /* builds in which a layer knows the end of each buffer that the driver makes */
#define MOST ((size_t)0)
#else
#define MOST ((size_t)64 << 10) /* bytes of a block; for larger ones the saving is small compared with the copy */
#endif

#define ALIGNMENT 256u /* of the widest vectors, and as memory of the driver's own */
#define TRIAL 0xa5

/* The buffer's end, which may come after its release, on a thread of the driver's. */
static void CL_CALLBACK let_go(cl_mem buffer, void *host)
{
    (void)buffer;
    free(host);
}

static lun_status create(cl_mem *out, void *host, const lun_device *device, size_t bytes, lun_error *err)
{
    lun_status status = LUN_OK;
    cl_mem made = NULL;
    TRY_DONE(context_buffer(&made, device, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, host, err));
    CL_DONE(clSetMemObjectDestructorCallback, made, let_go, host);
    *out = made;
    return LUN_OK;
done:
    if (made)
        clReleaseMemObject(made);
    free(host);
    return status;
}

/* Does the host see the writes of a command, and a command those of the host? */
static lun_status try_seeing(bool *seen, const lun_device *device, lun_error *err)
{
    lun_status status = LUN_OK;
    const cl_uchar pattern = TRIAL;
    unsigned char read = 0, *host = NULL;
    cl_command_queue queue = NULL;
    cl_mem buffer = NULL;
    if (posix_memalign((void **)&host, ALIGNMENT, ALIGNMENT) != 0)
        return LUN_OK;
    memset(host, 0, ALIGNMENT);
    TRY_DONE(create(&buffer, host, device, ALIGNMENT, err));
    TRY_DONE(context_queue(&queue, device, COMPANION_UNIT, 0, err));
    CL_DONE(clEnqueueFillBuffer, queue, buffer, &pattern, 1, 0, ALIGNMENT, 0, NULL, NULL);
    CL_DONE(clFinish, queue);
    *seen = host[0] == TRIAL && host[ALIGNMENT - 1] == TRIAL;
    host[1] = TRIAL - 1;
    CL_DONE(clEnqueueReadBuffer, queue, buffer, CL_TRUE, 1, 1, &read, 0, NULL, NULL);
    *seen = *seen && read == TRIAL - 1;
done:
    if (queue)
        clReleaseCommandQueue(queue);
    if (buffer)
        clReleaseMemObject(buffer);
    return status;
}

lun_status seen_buffer(cl_mem *out, void **host, lun_device *device, size_t bytes, lun_error *err)
{
    memory *own = memory_of(device);
    void *made = NULL;
    *host = NULL;
    if (!own->tried && bytes <= MOST && device_has_companion(device)) {
        TRY(try_seeing(&own->sees, device, err));
        own->tried = true;
    }
    if (own->sees && bytes <= MOST && posix_memalign(&made, ALIGNMENT, bytes) == 0) {
        TRY(create(out, made, device, bytes, err));
        *host = made;
    } else {
        TRY(context_buffer(out, device, CL_MEM_READ_WRITE, bytes, NULL, err));
    }
    return LUN_OK;
}
