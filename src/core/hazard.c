/* Hazards: which operations used which bytes of a block, what a new one must wait for, and spoiled contents. */
#include "core.h"

static bool covers(size_t from, size_t to, const block_use *use) { return from <= use->from && use->to <= to; }

static bool has_ended(const block_use *use, const lun_device *device)
{
    return use->serial <= device->queues[use->queue].done;
}

void block_settle(lun_block *block)
{
    const lun_device *device = block->device;
    unsigned kept = 0;
    for (unsigned i = 0; i < block->use_count; i++) {
        const block_use *use = &block->uses[i];
        if (!has_ended(use, device)) {
            block->uses[kept++] = *use;
            continue;
        }
        const failure *failed = use->write ? queue_failure(device, use->queue, use->serial) : NULL;
        if (failed)
            block->spoiled = failed;
    }
    block->use_count = kept;
}

/* What an earlier owner's commands leave in the memory does not matter to the next, whose writes must wait for
 * them all the same: as if they only read. */
void block_disown(lun_block *block)
{
    block_settle(block);
    block->spoiled = NULL;
    for (unsigned i = 0; i < block->use_count; i++)
        block->uses[i].write = false;
}

lun_status block_check_usable(lun_block *block, bool read, lun_error *err)
{
    if (block->maps)
        return fail(err, LUN_MISUSE, "the array is mapped to the host; close the mapping first");
    if (read && block->device->failures) { /* nothing can be spoiled where nothing has failed */
        block_settle(block);
        if (block->spoiled)
            return fail_command(err, block->spoiled);
    }
    return LUN_OK;
}

/* Makes room by joining uses of one queue and kind: a wider range and the later ticket are on the safe side. */
static void join_uses(lun_block *block)
{
    for (unsigned i = 0; i < block->use_count; i++)
        for (unsigned j = i + 1; j < block->use_count; j++) {
            block_use *a = &block->uses[i], *b = &block->uses[j];
            if (a->queue != b->queue || a->write != b->write)
                continue;
            a->from = a->from < b->from ? a->from : b->from;
            a->to = a->to > b->to ? a->to : b->to;
            a->serial = a->serial > b->serial ? a->serial : b->serial;
            *b = block->uses[--block->use_count];
            return;
        }
}

/* Each queue has at most two kinds of use after joining; with more queues than fit, the oldest is waited for. */
static void make_room(lun_block *block)
{
    block_settle(block);
    if (block->use_count == BLOCK_USES)
        join_uses(block);
    if (block->use_count == BLOCK_USES) {
        bool done;
        lun_error ignored;
        queue_wait(&done, &block->device->queues[block->uses[0].queue], block->uses[0].serial, -1, &ignored);
        block_settle(block);
    }
}

/* A write that covers earlier uses of its own queue replaces them: in order, whoever waits for it waits for them. */
static void drop_covered(lun_block *block, size_t from, size_t to, unsigned queue)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < block->use_count; i++)
        if (block->uses[i].queue != queue || !covers(from, to, &block->uses[i]))
            block->uses[kept++] = block->uses[i];
    block->use_count = kept;
}

void block_record(lun_block *block, size_t from, size_t to, bool write, bool whole, unsigned queue, uint64_t serial)
{
    if (write && whole) {
        drop_covered(block, from, to, queue);
        if (from == 0 && to >= block->bytes_asked)
            block->spoiled = NULL;
    }
    for (unsigned i = 0; i < block->use_count; i++) {
        block_use *use = &block->uses[i];
        if (use->queue == queue && use->write == write && use->from == from && use->to == to) {
            use->serial = serial;
            return;
        }
    }
    if (block->use_count == BLOCK_USES)
        make_room(block);
    block->uses[block->use_count++] = (block_use){from, to, write, queue, serial};
}

void block_waits(const lun_block *block, size_t from, size_t to, bool write, operation *op)
{
    for (unsigned i = 0; i < block->use_count; i++) {
        const block_use *use = &block->uses[i];
        uint64_t *after = &op->after[use->queue];
        if (use->queue == op->queue->index || !(write || use->write) || use->to <= from || to <= use->from)
            continue;
        *after = use->serial > *after ? use->serial : *after;
    }
}
