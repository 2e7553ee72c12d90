/* A block's struct: only for memory/. */
#pragma once

#include "flow/failure.h"
#include "memory/block.h"

#define BLOCK_USES 8                        /* uses stored in the block itself */
#define BLOCK_USES_MOST (2 * DEVICE_QUEUES) /* uses that cannot be joined: a read and a write on each queue */

/* An operation has read or written these bytes. */
typedef struct block_use {
    size_t from, to;
    bool write;
    lun_queue *queue; /* the operation's ticket */
    uint64_t serial;
} block_use;

/* The host has mapped these bytes. */
typedef struct block_mapped {
    size_t from, to;
    bool write;
    struct block_mapped *next;
} block_mapped;

struct lun_block {
    lun_device *device; /* retained; stale while the block is in the pool */
    cl_mem mem;
    void *host;         /* the same memory, where the host sees it all the time; or NULL */
    size_t bytes;       /* of the OpenCL buffer: a size class; 0 if it is lent, because that does not count as device
                         * memory */
    size_t bytes_asked; /* what the owner asked for */
    unsigned refs;
    bool lent;          /* lent.c's, which is never pooled */
    bool number;        /* of a traced block: its element counts as a number */
    block_trace *trace; /* NULL: it has memory */
    unsigned node;
    struct block_mapped *mapped; /* open mappings of the host's */
    /* The failure of an operation that should have written the bytes from spoiled_from to spoiled_to; NULL: all are
     * good. */
    failure *spoiled;
    size_t spoiled_from, spoiled_to;
    /* The failure of operations that used the block. They may not have waited as they should, so the next use of the
     * block waits for behind->after. */
    failure *behind;
    uint64_t writes; /* operations that have written to it */
    block_fact fact;
    uint64_t fact_writes; /* `writes` when the fact was noted */
    unsigned use_count, use_room;
    block_use *uses; /* `few`, or allocated */
    block_use few[BLOCK_USES];
    lun_block *next;          /* in the pool */
    lun_block *newer, *older; /* in the list of all the device's blocks */
};

/* Prepares a pooled block for a new owner, for which spoiled contents are irrelevant, but unfinished uses are not. */
void block_disown(lun_block *block);
/* Adds a block of block_around, of that many bytes, to the device's own; the last owner ends it. */
void block_lend(lun_block *block, size_t bytes);
