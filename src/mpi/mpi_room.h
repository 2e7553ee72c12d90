/* What the files of lunarray.mpi_core share. */
#ifndef LUNARRAY_MPI_ROOM_H
#define LUNARRAY_MPI_ROOM_H

#include <lauxlib.h>
#include <lua.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST "lunarray.mpi.request"

typedef enum kind { BARRIER, BCAST, REDUCE, ALLREDUCE, ALLGATHER, ALLTOALL, GATHER, SCATTER, SEND, RECV } kind;

/* What is under way. Its user values keep buffers and strings; mapped memory is kept by who asked. */
typedef struct request_object {
    MPI_Request request;
    kind kind;
    MPI_Comm comm;
    char *from, *to; /* NULL `from` of a reduction: in place */
    size_t count, done, item;
    MPI_Datatype type;
    MPI_Op op;
    int root, tag;
} request_object;

/* MPI's counts are ints: more elements go in pieces. Specs ask for less. */
extern size_t piece_most;

/* These give MPI's codes. A test begins the next piece, where there is one. */
int request_begin(request_object *r);
int request_test(bool *ended, request_object *r);
/* Takes an empty message with that tag; *from is -1 where none has come. */
int message_take(int *from, MPI_Comm comm, int tag);

/* Where Open MPI has bound this rank to less than its share of the machine's cores, and nobody has asked for that, gives it its
 * share: before a device is opened, as PoCL makes a thread for each core then. */
void cores_take_share(void);

extern const luaL_Reg later_functions[];

#endif
