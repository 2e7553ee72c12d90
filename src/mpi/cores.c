/* The cores of this process. Open MPI binds a rank to one core where there are two ranks at most, unless it is told otherwise: a
 * device of the CPU would have one core of many, and a GPU's driver, MPI and Lua would share it. */
#include "mpi_room.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The process from which `of` comes; 0: none is known. */
static int parent_of(int of)
{
    char path[40];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", of);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1)
        parent = 0;
    if (file)
        fclose(file);
    return parent;
}

/* What mpirun itself may use: the cores of the nearest process above that has more than this one. */
static bool find_all(cpu_set_t *all, int own)
{
    for (int process = getppid(); process > 1; process = parent_of(process))
        if (sched_getaffinity(process, sizeof *all, all) == 0 && CPU_COUNT(all) > own)
            return true;
    return false;
}

static long number_in(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

void cores_take_share(void)
{
    const long ranks = number_in("OMPI_COMM_WORLD_LOCAL_SIZE"), rank = number_in("OMPI_COMM_WORLD_LOCAL_RANK");
    cpu_set_t own, all, share;
    if (!getenv("OMPI_MCA_orte_bound_at_launch") || getenv("OMPI_MCA_hwloc_base_binding_policy") ||
        getenv("OMPI_MCA_rmaps_base_mapping_policy") || ranks < 1 || sched_getaffinity(0, sizeof own, &own) != 0)
        return;
    if (!find_all(&all, CPU_COUNT(&own)) || CPU_COUNT(&all) / ranks <= CPU_COUNT(&own))
        return;
    const long each = CPU_COUNT(&all) / ranks;
    long seen = 0;
    CPU_ZERO(&share);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &all) && seen++ / each == rank)
            CPU_SET(core, &share);
    (void)sched_setaffinity(0, sizeof share, &share);
}
