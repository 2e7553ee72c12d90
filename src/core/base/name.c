/* How near names are to each other, for messages that say which one is meant. */
#include "lunarray.h"

#include <string.h>

#define NAME_ROOM 32
#define NAME_LEAST 4 /* letters; shorter names are near to too many */
#define NAME_LONG 8  /* letters; in fewer, two edits make another word */

int lun_name_reach(const char *name)
{
    const size_t length = strlen(name);
    return length < NAME_LEAST || length > NAME_ROOM ? 0 : length < NAME_LONG ? 1 : 2;
}

int lun_name_distance(const char *a, const char *b)
{
    int rows[3][NAME_ROOM + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t length = strlen(b);
    if (length > NAME_ROOM)
        return NAME_ROOM;
    const int wide = (int)length;
    for (int j = 0; j <= wide; j++)
        last[j] = j;
    for (int i = 1; a[i - 1] != '\0'; i++) {
        row[0] = i;
        for (int j = 1; j <= wide; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        int *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[wide];
}
