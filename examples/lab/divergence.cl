/* Branches that neighbours take differently, and how many groups a compute unit holds.
 *
 * A GPU runs 32 or 64 neighbouring items in step (a CPU's compiler packs 4 to 16 into a vector). Where these items take
 * different ways, all walk all ways, and the items that do not belong on a way are switched off there. */
#ifndef WAYS
#define WAYS 2 /* ways through the branch, at most 4 */
#endif
#ifndef ROUNDS
#define ROUNDS 64 /* of arithmetic on each way: all ways cost the same */
#endif
#ifndef LOCKSTEP
#define LOCKSTEP 64 /* items that run in step on any GPU: 32, or 64 */
#endif

/* Loops of their own, so that no compiler can turn the branch into a choice of constants. */
#define ROUND(shift, factor)                                                                                          \
    for (int r = 0; r < ROUNDS; r++) {                                                                                \
        x ^= x >> shift;                                                                                              \
        x *= factor;                                                                                                  \
    }

inline uint walk(uint x, int way)
{
    switch (way) {
    case 0:
        ROUND(16, 0x7feb352du);
        break;
#if WAYS > 1
    case 1:
        ROUND(15, 0x846ca68bu);
        break;
#endif
#if WAYS > 2
    case 2:
        ROUND(17, 0x9e3779b1u);
        break;
    case 3:
        ROUND(13, 0x85ebca6bu);
        break;
#endif
    }
    return x;
}

kernel void divergence_none(global uint *out, int n)
{
    const int i = get_global_id(0);
    if (i < n)
        out[i] = walk(i, 0);
}

/* All items of a group take one way. */
kernel void divergence_group(global uint *out, int n)
{
    const int i = get_global_id(0);
    if (i < n)
        out[i] = walk(i, get_group_id(0) % WAYS);
}

/* Neighbours take different ways. */
kernel void divergence_item(global uint *out, int n)
{
    const int i = get_global_id(0);
    if (i < n)
        out[i] = walk(i, i % WAYS);
}

/* Ways differ within a group, but not among items that run in step. */
kernel void divergence_block(global uint *out, int n)
{
    const int i = get_global_id(0);
    if (i < n)
        out[i] = walk(i, i / LOCKSTEP % WAYS);
}

/* The cure: the same elements take the same ways as in divergence_item, but another item does each, so that
 * neighbours have elements of one way. `run` items, a multiple of the group, share the elements of a way; their
 * writes are WAYS apart. */
kernel void divergence_regrouped(global uint *out, int n, int run)
{
    const int way = get_global_id(0) / run, i = get_global_id(0) % run * WAYS + way;
    if (i < n)
        out[i] = walk(i, way);
}

/* Each load needs the number that the load before brought. An item has nothing to do meanwhile, so other items must
 * have: the more items a compute unit holds, the better. It holds fewer when groups are small (a unit has room for so
 * many groups) or want much local memory (`reserved`, of which one number is used). */
kernel void occupancy_chase(global const int *next, global int *out, int n, int hops, local int *reserved)
{
    const int i = get_global_id(0);
    if (get_local_id(0) == 0)
        reserved[0] = hops;
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = i < n ? i : 0;
    for (int h = 0; h < reserved[0]; h++)
        at = next[at];
    if (i < n)
        out[i] = at;
}
