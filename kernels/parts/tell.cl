/* Words of 32 bits that the groups of a team pass to each other while all of them run. A word is stored beside its
 * step's number, by which a group that waits for the word sees that it has come: memory begins as zeros, and no step of
 * all kernels that tell by it has number 0 or another's. A number of T takes WORDS of them. */
#include "abi/linalg.h"

#define WORDS ((int)(sizeof(T) / 4))

/* Where the groups of this one's team tell `count` words each in a step. Steps take turns at two places: a group that
 * shows the next step's words has heard those that all others told in this one, but others may not have heard its
 * own. */
inline volatile global ulong *told_of(global int *info, linalg_team team, uint step, int count)
{
    volatile global ulong *told = (volatile global ulong *)(info + team.told);
    return told + (get_group_id(0) / team.groups * 2 + step % 2) * team.groups * count;
}

inline void tell(volatile global ulong *to, uint word, uint step) { *to = (ulong)step << 32 | word; }

inline uint hear(volatile global const ulong *from, uint step)
{
    ulong told;
    do
        told = *from;
    while ((uint)(told >> 32) != step);
    return (uint)told;
}
