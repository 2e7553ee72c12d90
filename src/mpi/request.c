/* Requests of MPI's: begun, in pieces where an int cannot count the elements, and tested. */
#include "mpi_room.h"

size_t piece_most = INT32_MAX;

/* A type of that many elements, where an int cannot count them; else the type itself. *count is of the type that is given. */
static MPI_Datatype type_of_all(int *count, size_t elements, MPI_Datatype type)
{
    MPI_Datatype piece, pieces, rest, all;
    MPI_Aint bound, extent;
    if (elements <= piece_most) {
        *count = (int)elements;
        return type;
    }
    MPI_Type_get_extent(type, &bound, &extent);
    const size_t whole = elements / piece_most, left = elements % piece_most;
    MPI_Type_contiguous((int)piece_most, type, &piece);
    MPI_Type_contiguous((int)whole, piece, &pieces);
    MPI_Type_contiguous((int)left, type, &rest);
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, (MPI_Aint)(whole * piece_most) * extent};
    const MPI_Datatype parts[2] = {pieces, rest};
    MPI_Type_create_struct(left ? 2 : 1, lengths, places, parts, &all);
    MPI_Type_commit(&all);
    MPI_Type_free(&piece);
    MPI_Type_free(&pieces);
    MPI_Type_free(&rest);
    *count = 1;
    return all;
}

static int begin_reduction(request_object *r, int count)
{
    const size_t at = r->done * r->item;
    const void *from = r->from ? (const void *)(r->from + at) : MPI_IN_PLACE;
    void *to = r->to ? r->to + at : NULL;
    r->done += (size_t)count;
    if (r->kind == ALLREDUCE)
        return MPI_Iallreduce(from, to, count, r->type, r->op, r->comm, &r->request);
    return MPI_Ireduce(from, to, count, r->type, r->op, r->root, r->comm, &r->request);
}

static int begin_move(request_object *r, int count, MPI_Datatype type)
{
    switch (r->kind) {
    case BCAST:
        return MPI_Ibcast(r->to, count, type, r->root, r->comm, &r->request);
    case ALLGATHER:
        return MPI_Iallgather(r->from, count, type, r->to, count, type, r->comm, &r->request);
    case GATHER:
        return MPI_Igather(r->from, count, type, r->to, count, type, r->root, r->comm, &r->request);
    case SCATTER:
        return MPI_Iscatter(r->from, count, type, r->to, count, type, r->root, r->comm, &r->request);
    case ALLTOALL:
        return MPI_Ialltoall(r->from, count, type, r->to, count, type, r->comm, &r->request);
    case SEND:
        return MPI_Isend(r->from, count, type, r->root, r->tag, r->comm, &r->request);
    case RECV:
        return MPI_Irecv(r->to, count, type, r->root, r->tag, r->comm, &r->request);
    default:
        return MPI_Ibarrier(r->comm, &r->request);
    }
}

/* ---- agreements --------------------------------------------------------------------------------------------------------- */

int64_t agreement_hash(const char *text, size_t length)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a; one bit less, so that it has a negative and is no SAYS_NOTHING */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return (int64_t)(hash >> 1);
}

bool request_agreed(const request_object *r)
{
    const int64_t *all = r->agreed;
    return all[0] == -all[1] && (all[2] == SAYS_NOTHING || all[2] == -all[3]);
}

static int begin_agreement(request_object *r)
{
    r->done = r->count;
    return MPI_Iallreduce(MPI_IN_PLACE, r->agreed, 4, MPI_INT64_T, MPI_MAX, r->comm, &r->request);
}

/* ---- begun and tested --------------------------------------------------------------------------------------------------- */

int request_begin(request_object *r)
{
    int count;
    if (r->kind == AGREE)
        return begin_agreement(r);
    if (r->kind == REDUCE || r->kind == ALLREDUCE) {
        const size_t left = r->count - r->done;
        return begin_reduction(r, (int)(left < piece_most ? left : piece_most));
    }
    MPI_Datatype all = type_of_all(&count, r->count, r->type);
    r->done = r->count;
    const int code = begin_move(r, count, all);
    if (all != r->type)
        MPI_Type_free(&all);
    return code;
}

int request_test(bool *ended, request_object *r)
{
    int is;
    int code = MPI_Test(&r->request, &is, MPI_STATUS_IGNORE);
    *ended = code == MPI_SUCCESS && is && r->done >= r->count;
    if (code == MPI_SUCCESS && is && !*ended)
        code = request_begin(r);
    return code;
}

int message_take(int *from, MPI_Comm comm, int tag)
{
    MPI_Message message;
    MPI_Status status;
    int there;
    int code = MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &there, &message, &status);
    *from = -1;
    if (code != MPI_SUCCESS || !there)
        return code;
    *from = status.MPI_SOURCE;
    return MPI_Mrecv(NULL, 0, MPI_BYTE, &message, MPI_STATUS_IGNORE);
}
