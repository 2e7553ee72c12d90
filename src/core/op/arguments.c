/* Arguments that have not changed are not set again, because setting takes PoCL a tenth of the time of a small call.
 * The values are known only for the kernels that the companion ran last; PoCL keeps the values themselves, and for
 * memory the handle. */
#include "op/arguments.h"
#include "base/error.h"
#include "op/op_room.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS 64   /* a power of 2 */
#define POSITIONS 16 /* arguments after these, and those without room, are set each time */
#define ROOM 480     /* bytes of all of a kernel's */

typedef struct kept_kernel {
    cl_kernel kernel;                         /* retained, so that no other gets its handle; NULL: none */
    unsigned used;                            /* bytes of `values` */
    uint16_t bytes[POSITIONS], at[POSITIONS]; /* 0 bytes: it is not known */
    char values[ROOM];
} kept_kernel;

struct kept_kernels {
    kept_kernel rows[KERNELS];
};

static void forget(kept_kernel *kept)
{
    clReleaseKernel(kept->kernel);
    *kept = (kept_kernel){0};
}

void arguments_clear(lun_device *device)
{
    struct kept_kernels *all = state_of(device)->kept_kernels;
    for (size_t i = 0; all && i < KERNELS && !device_in_child(device); i++)
        if (all->rows[i].kernel)
            forget(&all->rows[i]);
    free(all);
    state_of(device)->kept_kernels = NULL;
}

/* NULL: there is no memory for it. */
static kept_kernel *find(lun_device *device, cl_kernel kernel)
{
    struct kept_kernels **all = &state_of(device)->kept_kernels;
    if (!*all)
        *all = calloc(1, sizeof **all);
    if (!*all)
        return NULL;
    kept_kernel *kept = &(*all)->rows[(uint64_t)((uintptr_t)kernel * UINT64_C(0x9e3779b97f4a7c15)) >> 58];
    if (kept->kernel == kernel)
        return kept;
    if (kept->kernel)
        forget(kept);
    if (clRetainKernel(kernel) != CL_SUCCESS)
        return NULL;
    kept->kernel = kernel;
    return kept;
}

static bool is_there(const kept_kernel *kept, cl_uint position, size_t bytes, const void *value)
{
    return kept->bytes[position] == bytes && memcmp(kept->values + kept->at[position], value, bytes) == 0;
}

static void keep(kept_kernel *kept, cl_uint position, size_t bytes, const void *value)
{
    if (kept->bytes[position] != bytes) {
        kept->bytes[position] = 0;
        if (bytes > ROOM - kept->used)
            return;
        kept->at[position] = (uint16_t)kept->used;
        kept->bytes[position] = (uint16_t)bytes;
        kept->used += (unsigned)bytes;
    }
    memcpy(kept->values + kept->at[position], value, bytes);
}

lun_status argument_set_kept(lun_device *device, cl_kernel kernel, cl_uint position, size_t bytes, const void *value,
                             lun_error *err)
{
    lun_status status = LUN_OK;
    kept_kernel *kept = position < POSITIONS && value ? find(device, kernel) : NULL;
    if (kept && is_there(kept, position, bytes, value))
        return LUN_OK;
    if (kept)
        kept->bytes[position] = kept->bytes[position] == bytes ? kept->bytes[position] : 0;
    CL_DONE(clSetKernelArg, kernel, position, bytes, value);
    if (kept)
        keep(kept, position, bytes, value);
    return LUN_OK;
done:
    if (kept)
        forget(kept); /* after a failure nothing is known */
    return status;
}
