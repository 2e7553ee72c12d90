/* Threads: in a process that is bound to some cores, as by mpirun and batch systems, PoCL makes one thread for each of
 * these. */
#include "device/threads.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* PoCL's variables for the number: up to version 3, from 4 on, from 6 on. */
static const char *const names[] = {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT", "POCL_MAX_COMPUTE_UNITS"};
#define NAMES (sizeof names / sizeof *names)

static bool user_has_said(void)
{
    bool said = false;
    for (unsigned i = 0; i < NAMES; i++)
        said = said || getenv(names[i]);
    return said;
}

bool threads_limit(void)
{
    char number[16];
    cpu_set_t cores;
    const int allowed = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
    if (allowed == 0 || allowed >= sysconf(_SC_NPROCESSORS_ONLN) || user_has_said())
        return false;
    snprintf(number, sizeof number, "%d", allowed);
    for (unsigned i = 0; i < NAMES; i++)
        (void)setenv(names[i], number, 1);
    return true;
}

void threads_limited(bool set)
{
    for (unsigned i = 0; i < NAMES && set; i++)
        unsetenv(names[i]);
}
