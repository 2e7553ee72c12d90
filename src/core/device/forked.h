/* Telling a forked child from the process that looked for devices. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* From now on forked_from is quick. By the process that looks for devices; again does nothing. One thread at a time. */
void forked_watch(void);
/* Is this process a child of `parent`, which has called forked_watch? */
bool forked_from(pid_t parent);
