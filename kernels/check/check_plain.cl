/* What stands before a checked program of the user's own: an index that is out of range is told, and 0 taken in its place. */
#include "parts/verdict.cl"

/* `which` parameter, counted from 0, points to `size` elements. */
inline long lun_at(long index, long size, long which, VERDICT_PARAMETERS)
{
    if (index >= 0 && index < size)
        return index;
    verdict_say(VERDICT, size << 8 | which, index);
    return 0;
}
