/* What the files of lunarray.mpi_core share. */
#pragma once

#include <lauxlib.h>
#include <lua.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST "lunarray.mpi.request"

typedef enum kind { BARRIER, BCAST, REDUCE, ALLREDUCE, ALLGATHER, ALLTOALL, GATHER, SCATTER, SEND, RECV, AGREE } kind;

/* What a rank calls, and with what, as two hashes and their negatives: their maxima over all ranks say whether all are the same.
 * SAYS_NOTHING: the rank has no part in the second one. */
#define SAYS_NOTHING INT64_MIN
typedef int64_t agreement[4];

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
    agreement agreed;
} request_object;

/* MPI's counts are ints: more elements go in pieces. Specs ask for less. */
extern size_t piece_most;

/* These give MPI's codes. A test begins the next piece, where there is one. */
int request_begin(request_object *r);
int request_test(bool *ended, request_object *r);
/* Have all ranks called the same? Of a request of the kind AGREE that has ended. */
bool request_agreed(const request_object *r);
/* The hash of a text, for an agreement. */
int64_t agreement_hash(const char *text, size_t length);
/* Takes an empty message with that tag; *from is -1 where none has come. */
int message_take(int *from, MPI_Comm comm, int tag);

/* By which communicator ranks are asked whether they are alive, and the tags of the question and of the answer. */
typedef struct alive_asking {
    MPI_Comm comm;
    int asked, answered;
} alive_asking;

void alive_answer(const alive_asking *a);
/* Asks all ranks, and waits: how many do not answer, whose numbers are written to the text; -1: there is no memory. */
int alive_silent(char *list, size_t room, const alive_asking *a);

/* Where Open MPI has bound this rank to less than its share of the machine's cores, and nobody has asked for that, gives it its
 * share: before a device is opened, as PoCL makes a thread for each core then. */
void cores_take_share(void);

/* min and max of floats keep a NaN, whatever the order of ranks: operations of the library's own, as MPI's lose it or keep it by
 * chance. op_for gives that for a type, else `usual`. */
int ops_open(void);
MPI_Op op_for(MPI_Op usual, MPI_Datatype type);

extern const luaL_Reg later_functions[];
