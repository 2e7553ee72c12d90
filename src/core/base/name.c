/* Distances between names, for messages that suggest the intended name. */
#include "lunarray.h"

#include <stdio.h>
#include <string.h>

#define NAME_ROOM (LUN_NEAR_ROOM - 1)
#define NAME_LEAST 4 /* letters; shorter names are near to too many */
#define NAME_LONG 8  /* letters; in shorter names two edits give a different word */

/* The largest distance, in edits, of a name that may be meant; 0: the unknown name is too short. */
static int reach(const char *name)
{
    const size_t length = strlen(name);
    return length < NAME_LEAST || length > NAME_ROOM ? 0 : length < NAME_LONG ? 1 : 2;
}

/* The number of edits (a letter inserted, deleted or replaced, or two exchanged) from one name to the other. */
static int distance(const char *a, const char *b)
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

void lun_near_try(lun_near *near, const char *name)
{
    const bool first = near->nearest[0] == '\0';
    const int most = first ? reach(near->to) : near->edits, edits = most > 0 ? distance(near->to, name) : NAME_ROOM;
    const size_t length = strlen(name), before = strlen(near->nearest);
    const bool better = first || length < before || (length == before && strcmp(name, near->nearest) < 0);
    if (edits > most || (edits == most && !better))
        return;
    near->edits = edits;
    snprintf(near->nearest, sizeof near->nearest, "%s", name);
}
