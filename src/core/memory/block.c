/* Device memory: refcounted blocks, a pool of freed ones by size class, and the bytes that a device may use. */
#include "memory/block.h"
#include "base/error.h"
#include "device/device.h"
#include "flow/watch.h"
#include "memory/block_room.h"
#include "memory/staging.h"

#include <stdlib.h>
#include <string.h>

#define SMALLEST 256u
#define STEPS 4u /* size classes between powers of two: rounding up loses 25 % at most */
/* Larger blocks are rounded to GRAIN, and reused for the same size only. */
#ifdef LUN_GUARDS /* builds whose blocks have the bytes that were asked for: what stands behind them is guarded */
#define LARGE ((size_t)0)
#define GRAIN ((size_t)1)
#else
#define LARGE ((size_t)256 << 20)
#define GRAIN ((size_t)4 << 20)
#endif
#define LARGE_CLASS (SIZE_CLASSES - 1)

static size_t round_up(size_t bytes, size_t grain) { return (bytes + grain - 1) / grain * grain; }

/* The size class of a request; *rounded: the size of its blocks. */
static size_t class_of(size_t bytes, size_t *rounded)
{
    if (bytes > LARGE) {
        *rounded = round_up(bytes, GRAIN);
        return LARGE_CLASS;
    }
    size_t power = SMALLEST, class = 0;
    while (2 * power <= bytes) {
        power *= 2;
        class += STEPS;
    }
    size_t step = power / STEPS;
    size_t above = bytes <= power ? 0 : (bytes - power + step - 1) / step;
    *rounded = power + above * step;
    return class + above;
}

static void link(lun_device *device, lun_block *block)
{
    block->newer = NULL;
    block->older = device->blocks;
    if (block->older)
        block->older->newer = block;
    device->blocks = block;
}

static void unlink_block(lun_device *device, lun_block *block)
{
    if (block->newer)
        block->newer->older = block->older;
    else
        device->blocks = block->older;
    if (block->older)
        block->older->newer = block->newer;
}

static void destroy(lun_device *device, lun_block *block)
{
    unlink_block(device, block);
    device->failures_seen++;
    device->pooled -= block->bytes;
    if (!device_in_child(device))
        clReleaseMemObject(block->mem);
    if (block->uses != block->few)
        free(block->uses);
    free(block);
}

static void pool_free(lun_device *device)
{
    for (size_t class = 0; class < SIZE_CLASSES; class ++)
        while (device->pool[class]) {
            lun_block *block = device->pool[class];
            device->pool[class] = block->next;
            destroy(device, block);
        }
}

void lun_device_trim(lun_device *device)
{
    pool_free(device);
    spare_free(device);
    watches_trim(device, 0);
}

static lun_block *take_pooled(lun_device *device, size_t class, size_t bytes)
{
    for (lun_block **place = &device->pool[class]; *place; place = &(*place)->next)
        if ((*place)->bytes == bytes) {
            lun_block *block = *place;
            *place = block->next;
            device->pooled -= bytes;
            return block;
        }
    return NULL;
}

static lun_status allocate(lun_block **out, lun_device *device, size_t bytes, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_block *block = calloc(1, sizeof *block);
    if (!block)
        FAIL(LUN_NO_MEMORY, "out of host memory for a block's record");
    block->bytes = bytes;
    block->uses = block->few;
    block->use_room = BLOCK_USES;
    CL_NEW(block->mem, clCreateBuffer, device->context, CL_MEM_READ_WRITE, bytes, NULL);
    link(device, block);
    device_closes(device, PART_POOL, pool_free);
    *out = block;
done:
    if (status != LUN_OK)
        free(block);
    return status;
}

lun_status block_create(lun_block **out, lun_device *device, size_t bytes, lun_error *err)
{
    lun_status status = LUN_OK;
    size_t rounded;
    *out = NULL;
    TRY(device_open(device, err));
    if (bytes > device->info.max_allocation)
        FAIL(LUN_NO_MEMORY, "%zu bytes in one array; this device's largest allocation is %llu", bytes,
             (unsigned long long)device->info.max_allocation);
    size_t class = class_of(bytes, &rounded);
    if (rounded > device->info.max_allocation)
        rounded = bytes;
    lun_block *block = take_pooled(device, class, rounded);
    if (!block) {
        if (device->live + device->pooled + rounded > device->limit)
            pool_free(device);
        if (device->live + rounded > device->limit)
            FAIL(LUN_NO_MEMORY, "%zu bytes wanted, %llu of %llu allowed are in use on this device", bytes,
                 (unsigned long long)device->live, (unsigned long long)device->limit);
        TRY(allocate(&block, device, rounded, err));
    }
    block->refs = 1;
    block->bytes_asked = bytes;
    block->next = NULL;
    block->device = lun_device_retain(device);
    block_disown(block);
    device->live += rounded;
    device->peak = device->live > device->peak ? device->live : device->peak;
    *out = block;
done:
    return status;
}

lun_block *block_around(lun_device *device, cl_mem mem)
{
    lun_block *block = calloc(1, sizeof *block);
    if (block) {
        block->device = device;
        block->mem = mem;
    }
    return block;
}

cl_mem block_memory(const lun_block *block) { return block ? block->mem : NULL; }
size_t block_bytes(const lun_block *block) { return block->bytes_asked; }
void block_map(lun_block *block) { block->maps++; }
void block_unmap(lun_block *block) { block->maps--; }

lun_block *block_retain(lun_block *block)
{
    if (block)
        block->refs++;
    return block;
}

/* The pool may keep as many bytes as are in use, or a sixteenth of the limit where that is more. */
static bool pool_has_room(const lun_device *device, size_t bytes)
{
    uint64_t most = device->limit / 16 > device->live ? device->limit / 16 : device->live;
    return device->pooled + bytes <= most;
}

void block_release(lun_block *block)
{
    if (!block || --block->refs)
        return;
    lun_device *device = block->device;
    size_t rounded, class = class_of(block->bytes_asked, &rounded);
    device->failures_seen++;
    device->live -= block->bytes;
    device->pooled += block->bytes;
    if (pool_has_room(device, 0)) {
        block->next = device->pool[class];
        device->pool[class] = block;
    } else {
        destroy(device, block);
    }
    lun_device_release(device);
}

lun_memory lun_device_memory(const lun_device *device)
{
    return (lun_memory){device->live, device->pooled, device->peak, device->limit};
}

/* A garbage collection is worth its time once the bytes in use have doubled since the last one, and are 512 MiB or a
 * sixteenth of the limit, whichever is less. */
static uint64_t next_collection(const lun_device *device)
{
    uint64_t least = device->limit / 16 < ((uint64_t)512 << 20) ? device->limit / 16 : (uint64_t)512 << 20;
    return 2 * device->live > least ? 2 * device->live : least;
}

void lun_device_limit(lun_device *device, uint64_t bytes)
{
    device->limit = bytes ? bytes : device->default_limit;
    device->collect_at = next_collection(device);
    if (device->live + device->pooled > device->limit)
        pool_free(device);
}

bool lun_device_wants_collection(const lun_device *device) { return device->live > device->collect_at; }

void lun_device_collected(lun_device *device) { device->collect_at = next_collection(device); }
