/* Distinguishing a forked child from the process that looked for devices. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Makes forked_from fast. Called by the process that looks for devices, in one thread at a time; further calls do
 * nothing. */
void forked_watch(void);
/* Is this process a child of `parent`, which called forked_watch? */
bool forked_from(pid_t parent);
