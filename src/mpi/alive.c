/* Are ranks alive? Those that wait, too, answer who asks them. */
#include "mpi_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GRACE 0.7 /* seconds in which a rank that waits, too, has answered */
#define NAP 20000 /* nanoseconds */

void alive_answer(const alive_asking *a)
{
    int from;
    MPI_Request sent;
    for (message_take(&from, a->comm, a->asked); from >= 0; message_take(&from, a->comm, a->asked)) {
        MPI_Isend(NULL, 0, MPI_BYTE, from, a->answered, a->comm, &sent);
        MPI_Request_free(&sent);
    }
}

/* Appends the ranks of whom nothing was seen to the text: their count. */
static int list_silent(char *text, size_t room, const bool *seen, int size)
{
    int count = 0;
    size_t used = 0;
    for (int rank = 0; rank < size; rank++)
        if (!seen[rank] && used + 16 < room)
            used += (size_t)snprintf(text + used, room - used, "%s%d", count++ ? ", " : "", rank + 1);
    return count;
}

int alive_silent(char *list, size_t room, const alive_asking *a)
{
    int size, own_rank, from;
    MPI_Request sent;
    MPI_Comm_size(a->comm, &size);
    MPI_Comm_rank(a->comm, &own_rank);
    bool *seen = calloc((size_t)size, sizeof *seen);
    if (!seen)
        return -1;
    for (int rank = 0; rank < size; rank++) {
        seen[rank] = rank == own_rank;
        if (!seen[rank] && MPI_Isend(NULL, 0, MPI_BYTE, rank, a->asked, a->comm, &sent) == MPI_SUCCESS)
            MPI_Request_free(&sent);
    }
    for (const double until = MPI_Wtime() + GRACE; MPI_Wtime() < until; nanosleep(&(struct timespec){0, NAP}, NULL)) {
        alive_answer(a);
        for (message_take(&from, a->comm, a->answered); from >= 0; message_take(&from, a->comm, a->answered))
            seen[from] = true;
    }
    const int silent = list_silent(list, room, seen, size);
    free(seen);
    return silent;
}
