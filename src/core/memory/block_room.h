/* A block's struct: for memory/ alone. */
#ifndef LUN_MEMORY_BLOCK_ROOM_H
#define LUN_MEMORY_BLOCK_ROOM_H

#include "flow/failure.h"
#include "memory/block.h"

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

void block_disown(lun_block *block); /* the pool gives it to a new owner */

#endif
