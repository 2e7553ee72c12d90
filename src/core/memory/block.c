/* Device memory: refcounted blocks, a pool of freed ones by size class, and the bytes that a device may use. */
#include "memory/block.h"
#include "base/error.h"
#include "device/device.h"
#include "memory/block_room.h"
#include "memory/memory_room.h"
#include "memory/seen.h"

#include <stdlib.h>
#include <unistd.h>

#define SMALLEST 256u
#define STEPS 4u /* size classes between powers of two: rounding up loses 25 % at most */
/* Larger blocks are rounded to GRAIN, and reused for the same size only. */
#ifdef LUN_GUARDS /* in builds with guards: blocks have exactly the requested bytes, and the bytes after them are
                   * guarded */
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

static void list_block(memory *own, lun_block *block)
{
    block->newer = NULL;
    block->older = own->blocks;
    if (block->older)
        block->older->newer = block;
    own->blocks = block;
}

static void unlist_block(memory *own, lun_block *block)
{
    if (block->newer)
        block->newer->older = block->older;
    else
        own->blocks = block->older;
    if (block->older)
        block->older->newer = block->newer;
}

static void destroy(lun_device *device, lun_block *block)
{
    unlist_block(memory_of(device), block);
    failures_changed(device);
    memory_of(device)->pooled -= block->bytes;
    if (!device_in_child(device))
        clReleaseMemObject(block->mem);
    if (block->uses != block->few)
        free(block->uses);
    free(block);
}

static void pool_free(lun_device *device)
{
    lun_block **pool = memory_of(device)->pool;
    for (size_t class = 0; class < SIZE_CLASSES; class ++)
        while (pool[class]) {
            lun_block *block = pool[class];
            pool[class] = block->next;
            destroy(device, block);
        }
}

#define LOOKED_AT 8             /* the number of blocks that are checked for being quiet */
#define SMALL ((size_t)1 << 20) /* larger blocks are not checked: the most recently used one is taken */

/* `quiet`: one that no operation still uses. */
static lun_block *take_pooled(memory *own, size_t class, size_t bytes, bool quiet)
{
    unsigned looks = 0;
    for (lun_block **place = &own->pool[class]; *place && looks < LOOKED_AT; place = &(*place)->next) {
        lun_block *block = *place;
        if (block->bytes != bytes || (quiet && ++looks && !block_is_quiet(block, 0, bytes, true)))
            continue;
        *place = block->next;
        own->pooled -= bytes;
        return block;
    }
    return NULL;
}

static lun_status allocate(lun_block **out, lun_device *device, size_t bytes, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_block *block = NEW(1, sizeof *block, "a block's record");
    block->bytes = bytes;
    block->uses = block->few;
    block->use_room = BLOCK_USES;
    TRY_DONE(seen_buffer(&block->mem, &block->host, device, bytes, err));
    list_block(memory_of(device), block);
    *out = block;
done:
    if (status != LUN_OK)
        free(block);
    return status;
}

static lun_status create(lun_block **out, lun_device *device, size_t bytes, bool quiet, lun_error *err)
{
    memory *own = memory_of(device);
    size_t rounded;
    *out = NULL;
    TRY(device_open(device, err));
    if (bytes > device->info.max_allocation)
        FAIL(LUN_NO_MEMORY, "%zu bytes in one array; this device's largest allocation is %llu", bytes,
             (unsigned long long)device->info.max_allocation);
    size_t class = class_of(bytes, &rounded);
    if (rounded > device->info.max_allocation)
        rounded = bytes;
    lun_block *block = quiet || bytes <= SMALL ? take_pooled(own, class, rounded, true) : NULL;
    if (!block && !quiet)
        block = take_pooled(own, class, rounded, false);
    if (!block) {
        if (own->live + own->pooled + rounded > own->limit)
            pool_free(device);
        if (own->live + own->pooled + rounded > own->limit) /* constants are left */
            FAIL(LUN_NO_MEMORY, "%zu bytes needed, %llu of %llu allowed are in use on this device", bytes,
                 (unsigned long long)own->live, (unsigned long long)own->limit);
        TRY(allocate(&block, device, rounded, err));
    }
    block->refs = 1;
    block->bytes_asked = bytes;
    block->next = NULL;
    block->device = lun_device_retain(device);
    block_disown(block);
    own->live += rounded;
    own->peak = own->live > own->peak ? own->live : own->peak;
    own->made += rounded;
    *out = block;
    return LUN_OK;
}

lun_status block_create(lun_block **out, lun_device *device, size_t bytes, lun_error *err)
{
    return create(out, device, bytes, false, err);
}

lun_status block_create_quiet(lun_block **out, lun_device *device, size_t bytes, lun_error *err)
{
    return create(out, device, bytes, true, err);
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

lun_status block_create_traced(lun_block **out, lun_device *device, block_trace *trace, size_t bytes, lun_error *err)
{
    lun_block *block = NEW(1, sizeof *block, "a block's record");
    block->device = lun_device_retain(device);
    block->trace = trace;
    block->node = BLOCK_NO_NODE;
    block->bytes_asked = bytes;
    block->refs = 1;
    trace->refs++;
    *out = block;
    return LUN_OK;
}

block_trace *block_traced(const lun_block *block) { return block ? block->trace : NULL; }
lun_status block_check_memory(const lun_block *block, lun_error *err)
{
    return block_traced(block) ? fail(err, LUN_NOT_NOTED, "%s", block->trace->refusal) : LUN_OK;
}

unsigned block_node(const lun_block *block) { return block->node; }
bool block_is_number(const lun_block *block) { return block && block->number; }

void block_set_node(lun_block *block, unsigned node, bool number)
{
    block->node = node;
    block->number = number;
}

static void drop_traced(lun_block *block)
{
    if (--block->trace->refs == 0)
        block->trace->drop(block->trace);
    lun_device_release(block->device);
    free(block);
}

void block_lend(lun_block *block, size_t bytes)
{
    block->lent = true;
    block->bytes_asked = bytes;
    block->refs = 1;
    block->uses = block->few;
    block->use_room = BLOCK_USES;
    lun_device_retain(block->device);
    list_block(memory_of(block->device), block);
}

void *block_host(const lun_block *block) { return block ? block->host : NULL; }
cl_mem block_memory(const lun_block *block) { return block ? block->mem : NULL; }
size_t block_bytes(const lun_block *block) { return block->bytes_asked; }

bool block_map(lun_block *block, size_t from, size_t to, bool write)
{
    block_mapped *made = malloc(sizeof *made);
    if (!made)
        return false;
    *made = (block_mapped){from, to, write, block->mapped};
    block->mapped = made;
    return true;
}

void block_unmap(lun_block *block, size_t from, size_t to, bool write)
{
    for (block_mapped **place = &block->mapped; *place; place = &(*place)->next) {
        block_mapped *each = *place;
        if (each->from == from && each->to == to && each->write == write) {
            *place = each->next;
            free(each);
            return;
        }
    }
}

lun_block *block_retain(lun_block *block)
{
    if (block)
        block->refs++;
    return block;
}

/* The pool may keep as many bytes as are in use, or a sixteenth of the limit if that is more. */
static bool pool_has_room(const lun_device *device, size_t bytes)
{
    const memory *own = memory_of(device);
    uint64_t most = own->limit / 16 > own->live ? own->limit / 16 : own->live;
    return own->pooled + bytes <= most;
}

void block_release(lun_block *block)
{
    if (!block || --block->refs)
        return;
    if (block->trace) {
        drop_traced(block);
        return;
    }
    lun_device *device = block->device;
    memory *own = memory_of(device);
    size_t rounded, class = class_of(block->bytes_asked, &rounded);
    failures_changed(device);
    own->live -= block->bytes;
    own->pooled += block->bytes;
    if (!block->lent && pool_has_room(device, 0)) {
        block->next = own->pool[class];
        own->pool[class] = block;
    } else {
        destroy(device, block);
    }
    lun_device_release(device);
}

lun_memory lun_device_memory(const lun_device *device)
{
    const memory *own = memory_of(device);
    return (lun_memory){own->live, own->pooled, own->peak, own->limit};
}

/* A garbage collection is worth its time once the bytes in use have doubled since the last one, and are 512 MiB or a
 * sixteenth of the limit, whichever is less. */
static uint64_t next_collection(const memory *own)
{
    uint64_t least = own->limit / 16 < ((uint64_t)512 << 20) ? own->limit / 16 : (uint64_t)512 << 20;
    return 2 * own->live > least ? 2 * own->live : least;
}

void lun_device_limit(lun_device *device, uint64_t bytes)
{
    memory *own = memory_of(device);
    own->limit = bytes ? bytes : own->default_limit;
    own->collect_at = next_collection(own);
    if (own->live + own->pooled > own->limit)
        pool_free(device);
}

#define MADE_LEAST ((uint64_t)1 << 20)

bool lun_device_wants_collection(const lun_device *device)
{
    return memory_of(device)->live > memory_of(device)->collect_at;
}

uint64_t lun_device_made(lun_device *device)
{
    memory *own = memory_of(device);
    const uint64_t made = device->type & CL_DEVICE_TYPE_CPU && own->made >= MADE_LEAST ? own->made : 0;
    own->made -= made;
    return made;
}

void lun_device_collected(lun_device *device) { memory_of(device)->collect_at = next_collection(memory_of(device)); }

bool lun_array_is_shared(const lun_array *array) { return array->block && array->block->refs > 1; }

/* ---- the part of memory/ in a device ----------------------------------------------------------------------------- */

/* A CPU device allocates more memory than the machine has, so its limit is a part of the machine's memory. */
static uint64_t default_limit(const lun_device *device)
{
    if (!(device->type & CL_DEVICE_TYPE_CPU))
        return device->info.memory;
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4 * 3;
    return machine < device->info.memory ? machine : device->info.memory;
}

static void create_own(lun_device *device)
{
    memory_of(device)->default_limit = default_limit(device);
    lun_device_limit(device, 0);
}

static void trim_own(lun_device *device)
{
    pool_free(device);
    spare_free(device);
}

static void close_own(lun_device *device)
{
    if (!device_in_child(device))
        trim_own(device);
}

const room_part memory_part = {.bytes = sizeof(memory), .create = create_own, .trim = trim_own, .close = close_own};
