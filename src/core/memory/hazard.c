/* Hazards: which operations used which bytes of a block, which of them a new operation must wait for, and spoiled
 * contents. */
#include "base/error.h"
#include "device/device.h"
#include "device/pinned.h"
#include "flow/failure.h"
#include "flow/queue.h"
#include "memory/block_room.h"
#include "memory/memory_room.h"

#include <stdlib.h>
#include <string.h>

static bool covers(size_t from, size_t to, const block_use *use) { return from <= use->from && use->to <= to; }

/* ---- spoiled contents ------------------------------------------------------------------------------------------- */

/* A failed operation may have ended before the operations for which it should have waited. Later uses of the block,
 * which would have waited for these through it, find them in block->behind. */
static void fall_behind(lun_block *block, failure *failed)
{
    if (block->behind && block->behind != failed)
        failure_join(failed, block->behind);
    block->behind = failed;
}

static void spoil(lun_block *block, size_t from, size_t to, failure *failed)
{
    block->spoiled_from = block->spoiled ? smaller(block->spoiled_from, from) : from;
    block->spoiled_to = block->spoiled ? larger(block->spoiled_to, to) : to;
    block->spoiled = block->spoiled ? block->spoiled : failed;
}

void block_lose(lun_block *block, size_t from, size_t to, const char *op, cl_int code)
{
    failure *refusal = failure_note_refusal(queue_at(block->device, DEFAULT_QUEUE), 0, op, code);
    if (refusal)
        spoil(block, from, to, refusal);
}

void block_settle(lun_block *block)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < block->use_count; i++) {
        const block_use *use = &block->uses[i];
        if (!queue_has_ended(use->queue, use->serial)) {
            block->uses[kept++] = *use;
            continue;
        }
        failure *failed = queue_failure(use->queue, use->serial);
        if (failed && use->write)
            spoil(block, use->from, use->to, failed);
        if (failed && !failed->fault) /* also by a read: block_disown turns an earlier owner's writes into reads */
            fall_behind(block, failed);
    }
    block->use_count = kept;
}

/* The new owner's writes must wait for unfinished operations of the earlier owner. What these write is no longer
 * relevant, so they count as reads from now on. */
void block_disown(lun_block *block)
{
    block_settle(block);
    block->spoiled = NULL;
    for (unsigned i = 0; i < block->use_count; i++)
        block->uses[i].write = false;
}

/* OpenCL forbids using a buffer of which a part is mapped for writing, and writing to a mapped one. PoCL's devices
 * share the host's memory, and a mapping consists of these bytes themselves. */
static bool maps_bytes_alone(const lun_device *device) { return !device_is_apart(device) && device_on_pocl(device); }

lun_status block_check_usable(const lun_block *block, size_t from, size_t to, bool write, lun_error *err)
{
    TRY(block_check_memory(block, err));
    for (const block_mapped *each = block->mapped; each; each = each->next) {
        const bool apart = (each->to <= from || to <= each->from) && maps_bytes_alone(block->device);
        if ((write || each->write) && !apart)
            return fail(err, LUN_MISUSE, "the array is mapped to the host; release the mapping first");
    }
    return LUN_OK;
}

lun_status block_check_whole(lun_block *block, size_t from, size_t to, lun_error *err)
{
    if (!failures_known(block->device)) /* without failures nothing is spoiled */
        return LUN_OK;
    block_settle(block);
    if (block->spoiled && from < block->spoiled_to && block->spoiled_from < to)
        return fail_command(err, block->spoiled);
    return LUN_OK;
}

/* ---- forgetting ------------------------------------------------------------------------------------------------- */

/* Called when all operations have ended: no record of a use remains, and the operations for which failed ones did not
 * wait have ended too. */
static void settle_all(lun_device *device)
{
    for (lun_block *block = memory_of(device)->blocks; block; block = block->older) {
        block_settle(block);
        block->behind = NULL;
        if (block->refs == 0)
            block->spoiled = NULL;
    }
}

void failures_sweep(lun_device *device)
{
    if (!failures_known(device) || !failures_may_go(device))
        return;
    settle_all(device);
    failures_unneed(device);
    for (const lun_block *block = memory_of(device)->blocks; block; block = block->older)
        if (block->spoiled)
            failure_need(block->spoiled);
    failures_drop(device);
}

/* ---- uses ------------------------------------------------------------------------------------------------------- */

/* Can the use be that of an operation that fails alone, while its queue continues? Then it is not joined with
 * others. */
static bool is_unjudged(const block_use *use) { return use->write && queue_is_unjudged(use->queue, use->serial); }

/* Joins the two uses of one queue, both reads or both writes, that span the fewest bytes together. The joined use
 * has the later ticket, and may cover bytes that neither used: operations then wait for more than they must, never
 * for less. False: there are no two such uses. */
static bool join_uses(lun_block *block)
{
    size_t best = SIZE_MAX;
    unsigned first = 0, second = 0;
    for (unsigned i = 0; i < block->use_count; i++)
        for (unsigned j = i + 1; j < block->use_count; j++) {
            const block_use *a = &block->uses[i], *b = &block->uses[j];
            size_t span = larger(a->to, b->to) - smaller(a->from, b->from);
            if (a->queue == b->queue && a->write == b->write && span < best && !is_unjudged(a) && !is_unjudged(b)) {
                best = span;
                first = i;
                second = j;
            }
        }
    if (best == SIZE_MAX)
        return false;
    block_use *a = &block->uses[first], *b = &block->uses[second];
    *a = (block_use){.from = smaller(a->from, b->from),
                     .to = larger(a->to, b->to),
                     .write = a->write,
                     .queue = a->queue,
                     .serial = a->serial > b->serial ? a->serial : b->serial};
    *b = block->uses[--block->use_count];
    return true;
}

static lun_status grow(lun_block *block, unsigned room, lun_error *err)
{
    block_use *uses = NEW(1, room * sizeof *uses, "a block's record");
    memcpy(uses, block->uses, block->use_count * sizeof *uses);
    if (block->uses != block->few)
        free(block->uses);
    block->uses = uses;
    block->use_room = room;
    return LUN_OK;
}

lun_status block_reserve(lun_block *block, unsigned uses, lun_error *err)
{
    if (block->use_count + uses <= block->use_room)
        return LUN_OK;
    block_settle(block);
    while (block->use_count + uses > block->use_room && join_uses(block))
        ;
    if (block->use_count + uses <= block->use_room)
        return LUN_OK;
    return grow(block, block->use_count + BLOCK_USES_MOST + uses, err);
}

/* Drops uses whose bytes a new write covers: the write has waited for them, so waiting for the write is enough. An
 * earlier write is kept if the new one leaves gaps, because bytes in the gaps are spoiled if the earlier write
 * fails. */
static void drop_covered(lun_block *block, size_t from, size_t to, bool whole)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < block->use_count; i++)
        if (!covers(from, to, &block->uses[i]) || (block->uses[i].write && !whole))
            block->uses[kept++] = block->uses[i];
    block->use_count = kept;
}

/* These bytes have been rewritten: the spoiled range shrinks if they are at one of its ends, as with a transfer in
 * parts. */
static void mend(lun_block *block, size_t from, size_t to)
{
    if (from <= block->spoiled_from && block->spoiled_from < to)
        block->spoiled_from = to;
    if (from < block->spoiled_to && block->spoiled_to <= to)
        block->spoiled_to = from;
    if (block->spoiled_from >= block->spoiled_to) {
        block->spoiled = NULL;
        failures_changed(block->device);
    }
}

void block_record(lun_block *block, size_t from, size_t to, bool write, bool whole, lun_queue *queue, uint64_t serial)
{
    block->writes += write;
    if (write)
        drop_covered(block, from, to, whole);
    if (write && whole && block->spoiled)
        mend(block, from, to);
    for (unsigned i = 0; i < block->use_count; i++) {
        block_use *use = &block->uses[i];
        if (use->queue == queue && use->write == write && use->from == from && use->to == to && !is_unjudged(use)) {
            use->serial = serial;
            return;
        }
    }
    block->uses[block->use_count++] = (block_use){from, to, write, queue, serial};
}

void block_wrote(lun_block *block) { block->writes++; }

uint64_t block_writes(const lun_block *block) { return block ? block->writes : 0; }

void block_note(lun_block *block, const block_fact *fact)
{
    block->fact = *fact;
    block->fact_writes = block->writes;
}

const block_fact *block_known(const lun_block *block, const char *found_by)
{
    const block_fact *own = &block->fact;
    const bool holds = own->found_by && strcmp(own->found_by, found_by) == 0 && block->fact_writes == block->writes;
    return holds ? own : NULL;
}

bool block_is_quiet(lun_block *block, size_t from, size_t to, bool write)
{
    for (unsigned i = 0; i < block->use_count; i++) {
        const block_use *use = &block->uses[i];
        if (!(write || use->write) || use->from >= to || from >= use->to)
            continue;
        if (!queue_has_ended(use->queue, use->serial))
            queue_reap(use->queue);
        if (!queue_has_ended(use->queue, use->serial))
            return false;
    }
    return !block->behind && !failures_known(block->device);
}

bool block_unjudged(tickets *list, const lun_block *block, size_t from, size_t to)
{
    bool fits = true;
    for (unsigned i = 0; i < block->use_count; i++) {
        const block_use *use = &block->uses[i];
        if (use->from < to && from < use->to && is_unjudged(use))
            fits = tickets_add(list, use->queue, use->serial) && fits;
    }
    return fits;
}

bool block_after(tickets *after, const lun_block *block, size_t from, size_t to, bool write, const lun_queue *own)
{
    bool fits = true;
    for (unsigned i = 0; i < block->use_count; i++) {
        const block_use *use = &block->uses[i];
        if (use->queue != own && (write || use->write) && use->from < to && from < use->to)
            fits = tickets_raise(after, use->queue, use->serial) && fits;
    }
    for (unsigned i = 0; block->behind && i < block->behind->after.count; i++) {
        const ticket *each = &block->behind->after.of[i];
        if (each->queue != own)
            fits = tickets_raise(after, each->queue, each->serial) && fits;
    }
    return fits;
}
