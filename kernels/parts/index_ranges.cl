/* Positions that a work-item owns: each has a range of an array, looks at all indices in order, and takes those in its
 * range, a block of them at a time. So there is no branch that nobody can predict, and many loads are under way
 * together. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#define RANGE_BLOCK 128

/* Finds which of the n indices from `first` on are in from..to-1: their places in the array, and their positions. Gives
 * how many. */
inline int range_find(long *places, long *positions, global const INDEX *index, long first, long n, long from, long to)
{
    int found = 0;
    for (long i = first; i < first + n; i++) {
        const long at = from_zero(index[i]);
        places[found] = at;
        positions[found] = i;
        found += (ulong)at - (ulong)from < (ulong)(to - from);
    }
    return found;
}

/* Says which index of the n from `first` on is wrong, if any is. True: one was. */
inline bool range_judge(global const INDEX *index, long first, long n, long extent, VERDICT_PARAMETERS)
{
    int bad = 0;
    for (long i = first; i < first + n; i++)
        bad |= (ulong)from_zero(index[i]) >= (ulong)extent;
    for (long i = first; bad && i < first + n; i++)
        if ((ulong)from_zero(index[i]) >= (ulong)extent) {
            verdict_say(VERDICT, i, index[i]);
            break;
        }
    return bad;
}
