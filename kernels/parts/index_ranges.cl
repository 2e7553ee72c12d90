/* Positions that a work-item owns: each has a range of an array, looks at all indices in order, and takes those in its
 * range, a block of them at a time. So there is no branch that nobody can predict, and many loads are under way
 * together. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#ifndef INDEX
#define INDEX int
#endif
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

/* Runs act(place in the array, position of the index) for each index in this work-item's range, in order. The first
 * work-item looks whether all are right. */
#define FOR_OWN_PLACES(act)                                                                          \
    const long own_from = SPREAD_FROM(s.extent), own_to = SPREAD_TO(s.extent);                       \
    const bool dense = s.to.ndim <= 1;                                                               \
    bool judges = get_global_id(0) == 0;                                                             \
    long places[RANGE_BLOCK], positions[RANGE_BLOCK];                                                \
    for (long first = 0; first < s.count; first += RANGE_BLOCK) {                                    \
        const long n = min(s.count - first, (long)RANGE_BLOCK);                                      \
        const int found = range_find(places, positions, index, first, n, own_from, own_to);          \
        for (int k = 0; k < found; k++) {                                                            \
            const long position = positions[k];                                                      \
            const long place = dense ? places[k] * s.to.stride[0] : layout_offset(&s.to, places[k]); \
            act(place, position)                                                                     \
        }                                                                                            \
        judges = judges && !range_judge(index, first, n, s.extent, verdicts, verdict_place);         \
    }
