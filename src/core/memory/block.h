/* Blocks of device memory, who used which of their bytes, and what they hold after a failure. */
#ifndef LUN_MEMORY_BLOCK_H
#define LUN_MEMORY_BLOCK_H

#include "lunarray.h"

#include <CL/cl.h>

lun_status block_create(lun_block **out, lun_device *device, size_t bytes, lun_error *err);
lun_block *block_retain(lun_block *block);
void block_release(lun_block *block); /* to the pool; never waits */
/* A block around memory that its caller owns: not counted, never pooled; free() ends it. NULL: out of host memory. */
lun_block *block_around(lun_device *device, cl_mem mem);
cl_mem block_memory(const lun_block *block); /* NULL of NULL */
size_t block_bytes(const lun_block *block);  /* what its owner asked for: the memory has as many, or more */
void block_map(lun_block *block);            /* the host maps it: block_check_usable fails until as many block_unmap */
void block_unmap(lun_block *block);

/* hazard.c */
lun_status block_check_usable(const lun_block *block, lun_error *err); /* mapped */
/* LUN_FAILED when something that wrote these bytes is known to have failed. */
lun_status block_check_whole(lun_block *block, size_t from, size_t to, lun_error *err);
/* Room for that many more records, so that block_record cannot fail. */
lun_status block_reserve(lun_block *block, unsigned uses, lun_error *err);
void block_record(lun_block *block, size_t from, size_t to, bool write, bool whole, unsigned queue, uint64_t serial);
/* What a host wrote to these bytes could not be handed to the device: they are spoiled. */
void block_lose(lun_block *block, size_t from, size_t to, const char *op);
/* Forgets failures that are known and gone, so that the device is as fast as before them: nothing is under way, no event of
 * a host may ask for them, and no block holds what they spoiled. */
void failures_sweep(lun_device *device);
void block_settle(lun_block *block); /* drops uses that have ended, keeps what failed as `spoiled` */
/* Raises after[i] to the last serial on queue i that a use of these bytes on queue `own` must wait for. */
void block_after(uint64_t *after, const lun_block *block, size_t from, size_t to, bool write, unsigned own);

#endif
