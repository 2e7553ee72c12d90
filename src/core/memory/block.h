/* Blocks of device memory, the uses of their bytes, and their contents after a failure. */
#pragma once

#include "flow/tickets.h"
#include "lunarray.h"

#include <CL/cl.h>

lun_status block_create(lun_block **out, lun_device *device, size_t bytes, lun_error *err);
/* The same with memory that no operation of an earlier owner still uses. */
lun_status block_create_quiet(lun_block **out, lun_device *device, size_t bytes, lun_error *err);
/* lun_array_create; `quiet`: with such memory. */
lun_status array_create(lun_array *out, lun_device *device, lun_dtype dtype, int ndim, const size_t *shape, bool quiet,
                        lun_error *err);
lun_block *block_retain(lun_block *block);
void block_release(lun_block *block); /* the last one gives the block to the pool, though operations may still use it */
/* A block around memory that the caller owns: not counted and never pooled; free() ends it. NULL: out of host
 * memory. */
lun_block *block_around(lun_device *device, cl_mem mem);
/* ---- blocks without memory, for traced arrays ------------------------------- */

/* The trace of such blocks, as the first member of its struct. */
typedef struct block_trace {
    unsigned refs;
    void (*drop)(struct block_trace *trace); /* nothing refers to it any more */
    const char *refusal;                     /* the reason why elements are not available */
} block_trace;
#define BLOCK_NO_NODE (~0u)
/* The block keeps the trace. `bytes`: of the elements that it would have. */
lun_status block_create_traced(lun_block **out, lun_device *device, block_trace *trace, size_t bytes, lun_error *err);
block_trace *block_traced(const lun_block *block); /* NULL: it has memory */
/* Its node in the trace; BLOCK_NO_NODE: none yet. Does its one element count as a host's number? */
unsigned block_node(const lun_block *block);
void block_set_node(lun_block *block, unsigned node, bool number);
bool block_is_number(const lun_block *block);
lun_status block_check_memory(const lun_block *block, lun_error *err); /* LUN_NOT_NOTED: it has none */
static inline bool array_is_traced(const lun_array *array) { return block_traced(array->block) != NULL; }

cl_mem block_memory(const lun_block *block); /* of a NULL block NULL */
void *block_host(const lun_block *block);    /* the same memory, where the host sees it all the time; or NULL */
size_t block_bytes(const lun_block *block);  /* what its owner asked for; the memory may have more */
/* A host maps these bytes, for writing or only for reading. Until block_unmap of the same bytes no operation may use
 * them, unless both only read. False: out of host memory. */
bool block_map(lun_block *block, size_t from, size_t to, bool write);
void block_unmap(lun_block *block, size_t from, size_t to, bool write);

/* ---- who uses a block, and what is spoiled in it (hazard.c) ----------------------------------------------------- */

/* LUN_MISUSE while a mapping forbids that use of these bytes. */
lun_status block_check_usable(const lun_block *block, size_t from, size_t to, bool write, lun_error *err);
/* LUN_FAILED if an operation that should have written some of these bytes is known to have failed. */
lun_status block_check_whole(lun_block *block, size_t from, size_t to, lun_error *err);
/* Has all work ended for which a use of these bytes would have to wait? */
bool block_is_quiet(lun_block *block, size_t from, size_t to, bool write);
/* These bytes were written by an operation without a ticket. */
void block_wrote(lun_block *block);
/* Makes room for `uses` records, so that this number of calls of block_record cannot fail. */
lun_status block_reserve(lun_block *block, unsigned uses, lun_error *err);
/* An operation with that ticket uses these bytes; whole: it writes every one of them. */
void block_record(lun_block *block, size_t from, size_t to, bool write, bool whole, lun_queue *queue, uint64_t serial);
/* The number of recorded operations that write to it: while it is unchanged, so are the contents, unless a host has
 * mapped the block. */
uint64_t block_writes(const lun_block *block);
/* A fact about a block's contents that an operation has found: valid until the block is written or another fact is
 * recorded. */
typedef struct block_fact {
    const char *found_by; /* a string literal */
    int64_t of[6];
} block_fact;
void block_note(lun_block *block, const block_fact *fact);
/* That fact, if it was the last recorded one and is still valid; else NULL. */
const block_fact *block_known(const lun_block *block, const char *found_by);
/* Marks these bytes as spoiled: the driver refused, with that code, what `op`, a host's write to mapped memory, should
 * have put there. */
void block_lose(lun_block *block, size_t from, size_t to, const char *op, cl_int code);
/* Drops the records of operations that have ended; bytes that failed ones should have written become spoiled. */
void block_settle(lun_block *block);
/* Raises the tickets to those of other queues for which a use of these bytes on queue `own` must wait; false: out of
 * host memory. */
bool block_after(tickets *after, const lun_block *block, size_t from, size_t to, bool write, const lun_queue *own);
/* Adds the operations that write these bytes and can still fail by a verdict; false: out of host memory. */
bool block_unjudged(tickets *list, const lun_block *block, size_t from, size_t to);
/* Frees the failures to which no block refers, if no operation is in progress and no host holds an event. A device
 * without failures takes faster paths. */
void failures_sweep(lun_device *device);
