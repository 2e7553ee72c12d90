/* Blocks of device memory, who used which of their bytes, and what they hold after a failure. */
#ifndef LUN_MEMORY_BLOCK_H
#define LUN_MEMORY_BLOCK_H

#include "flow/failure.h"

#define BLOCK_USES 8                        /* room for as many to begin with; */
#define BLOCK_USES_MOST (2 * DEVICE_QUEUES) /* joined, a read and a write on each queue */

typedef struct block_use { /* a byte range, read or written by the operation with that ticket */
    size_t from, to;
    bool write;
    unsigned queue;
    uint64_t serial;
} block_use;

struct lun_block {
    lun_device *device; /* retained while the block is not in the pool */
    cl_mem mem;
    size_t bytes;       /* of the OpenCL buffer: a size class */
    size_t bytes_asked; /* what its owner asked for */
    unsigned refs;
    unsigned maps;    /* open host mappings; no device work meanwhile */
    failure *spoiled; /* what wrote these bytes failed, and they have not been rewritten whole since */
    size_t spoiled_from, spoiled_to;
    failure *behind; /* uses that failed: older ones that these have covered are found through it alone */
    unsigned use_count, use_room;
    block_use *uses; /* `few`, or memory of its own */
    block_use few[BLOCK_USES];
    lun_block *next;          /* in the pool */
    lun_block *newer, *older; /* among all of the device */
};

lun_status block_create(lun_block **out, lun_device *device, size_t bytes, lun_error *err);
lun_block *block_retain(lun_block *block);
void block_release(lun_block *block); /* to the pool; never waits */
void pool_free(lun_device *device);   /* at the device's end */

/* hazard.c */
lun_status block_check_usable(const lun_block *block, lun_error *err); /* mapped */
/* LUN_FAILED when something that wrote these bytes is known to have failed. */
lun_status block_check_whole(lun_block *block, size_t from, size_t to, lun_error *err);
/* Room for that many more records, so that block_record cannot fail. */
lun_status block_reserve(lun_block *block, unsigned uses, lun_error *err);
void block_record(lun_block *block, size_t from, size_t to, bool write, bool whole, unsigned queue, uint64_t serial);
/* What a host wrote to these bytes could not be handed to the device: they are spoiled. */
void block_lose(lun_block *block, size_t from, size_t to, const char *op);
void block_disown(lun_block *block); /* the pool gives it to a new owner */
/* Forgets failures that are known and gone, so that the device is as fast as before them: nothing is under way, no event of
 * a host may ask for them, and no block holds what they spoiled. */
void failures_sweep(lun_device *device);
void block_settle(lun_block *block); /* drops uses that have ended, keeps what failed as `spoiled` */
/* Raises after[i] to the last serial on queue i that a use of these bytes on queue `own` must wait for. */
void block_after(uint64_t *after, const lun_block *block, size_t from, size_t to, bool write, unsigned own);

#endif
