/* Threads: how many PoCL makes. It makes one for each core of the machine, however many of these the process may run on. */
#pragma once

#include <stdbool.h>

/* To be called around discovery: has PoCL make as many threads as the process has cores, where that is fewer than the machine
 * has and the user has set no number; then puts the environment back. */
bool threads_limit(void);
void threads_limited(bool set);
