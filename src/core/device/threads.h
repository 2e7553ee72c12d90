/* Threads: the number that PoCL makes. By default it is one for each core of the machine, even if the process may use
 * only some of them. */
#pragma once

#include <stdbool.h>

/* Called before and after discovery: makes PoCL create as many threads as the process has cores, if these are fewer
 * than the machine's and the user has set no number; then restores the environment. */
bool threads_limit(void);
void threads_limited(bool set);
