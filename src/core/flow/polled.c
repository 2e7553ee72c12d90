/* Which descriptors are still in an event loop's epoll: closing one of them would break the loop. */
#include "flow/watch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_LOOPS 64

/* Lists the epolls of this process and gives their number; MOST_LOOPS + 1: there are more, or the system does not
 * tell. */
static size_t list_loops(int *loops)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return MOST_LOOPS + 1;
    for (struct dirent *entry = readdir(folder); entry && count <= MOST_LOOPS; entry = readdir(folder)) {
        char target[64] = "";
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        if (length <= 0 || strcmp(target, "anon_inode:[eventpoll]") != 0)
            continue;
        if (count < MOST_LOOPS)
            loops[count] = atoi(entry->d_name);
        count++;
    }
    closedir(folder);
    return count;
}

/* Marks the descriptors that are in the epoll `loop`; false where the system does not tell. */
static bool mark_polled(bool *polled, const int *descriptors, size_t count, int loop)
{
    char text[256];
    snprintf(text, sizeof text, "/proc/self/fdinfo/%d", loop);
    FILE *info = fopen(text, "r");
    if (!info)
        return false;
    while (fgets(text, sizeof text, info)) {
        int descriptor = -1;
        if (sscanf(text, "tfd: %d", &descriptor) != 1)
            continue;
        for (size_t i = 0; i < count; i++)
            polled[i] = polled[i] || descriptors[i] == descriptor;
    }
    fclose(info);
    return true;
}

bool descriptors_polled(bool *polled, const int *descriptors, size_t count)
{
    int loops[MOST_LOOPS];
    size_t loop_count = list_loops(loops);
    bool known = loop_count <= MOST_LOOPS;
    memset(polled, 0, count * sizeof *polled);
    for (size_t i = 0; known && i < loop_count; i++)
        known = mark_polled(polled, descriptors, count, loops[i]);
    return known;
}
