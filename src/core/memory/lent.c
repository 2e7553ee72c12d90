/* Blocks that are pages of a file: the driver is given the pages themselves, which the system reads when they are used. */
#include "memory/lent.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/context.h"
#include "device/device.h"
#include "memory/block_room.h"
#include "memory/memory_room.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct pages {
    void *start;
    size_t bytes;
} pages;

static void give_back(pages *of)
{
    if (of && of->start != MAP_FAILED)
        munmap(of->start, of->bytes);
    free(of);
}

/* The buffer's end, which may come after its release, on a thread of the driver's. */
static void CL_CALLBACK let_go(cl_mem buffer, void *of)
{
    (void)buffer;
    give_back(of);
}

/* A buffer of the pages; NULL: the system or the driver refuses. */
static cl_mem lend(const lun_device *device, int file, uint64_t from, size_t bytes)
{
    lun_error ignored;
    cl_mem made = NULL;
    pages *of = calloc(1, sizeof *of);
    if (!of)
        return NULL;
    of->bytes = bytes;
    of->start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file, (off_t)from);
    if (of->start == MAP_FAILED ||
        context_buffer(&made, device, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, of->start, &ignored) != LUN_OK) {
        give_back(of);
        return NULL;
    }
    if (clSetMemObjectDestructorCallback(made, let_go, of) != CL_SUCCESS) {
        clReleaseMemObject(made);
        give_back(of);
        return NULL;
    }
    return made;
}

static bool can_lend(const lun_device *device)
{
#ifdef LUN_GUARDS /* builds in which a layer knows the end of each buffer that the driver makes */
    (void)device;
    return false;
#else
    return device->type & CL_DEVICE_TYPE_CPU;
#endif
}

lun_status array_lent(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape, int file,
                      uint64_t from, lun_error *err)
{
    const size_t item = lun_dtype_bytes(dtype), page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t before = (size_t)(from % page);
    size_t size;
    cl_mem made = NULL;
    FREED lun_block *block = NULL;
    TRY(shape_size(&size, ndim, shape, item, err));
    TRY(device_open(device, err));
    if (!can_lend(device) || size == 0 || from % item || lun_dtype_has(dtype, LUN_TRUTHS))
        return LUN_OK;
    block = OR_LEAVE(FAIL, block_around(device, NULL), "a block's record");
    block->mem = made = lend(device, file, from - before, before + size * item);
    if (!made)
        return LUN_OK;
    block_lend(block, before + size * item);
    *out = (lun_array){.device = lun_device_retain(device),
                       .block = block,
                       .dtype = dtype,
                       .ndim = ndim,
                       .size = size,
                       .offset = (int64_t)(before / item)};
    memcpy(out->shape, shape, (size_t)ndim * sizeof *shape);
    shape_strides(out->stride, ndim, shape);
    block = NULL;
    return LUN_OK;
}
