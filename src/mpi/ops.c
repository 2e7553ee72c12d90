/* Reductions of MPI's that are the library's own: min and max of floats, of which a NaN is kept, as by a:min() and a:max(). */
#include "mpi_room.h"

#include <stddef.h>

/* Each element of `out` stays where it is the better one, or a NaN: no comparison with a NaN is true. */
#define KEEPS(name, type, better)                                                                                      \
    static void name(void *from, void *to, int *count, MPI_Datatype *unused)                                           \
    {                                                                                                                  \
        const type *in = from;                                                                                         \
        type *out = to;                                                                                                \
        (void)unused;                                                                                                  \
        for (int i = 0; i < *count; i++)                                                                               \
            out[i] = in[i] better out[i] || in[i] != in[i] ? in[i] : out[i];                                           \
    }

KEEPS(min_f32, float, <)
KEEPS(max_f32, float, >)
KEEPS(min_f64, double, <)
KEEPS(max_f64, double, >)

static MPI_Op own[4]; /* min and max of floats, then of doubles; MPI_Finalize frees them */

int ops_open(void)
{
    MPI_User_function *const functions[] = {min_f32, max_f32, min_f64, max_f64};
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && code == MPI_SUCCESS; i++)
        code = MPI_Op_create(functions[i], 1, &own[i]);
    return code;
}

MPI_Op op_for(MPI_Op usual, MPI_Datatype type)
{
    if ((usual != MPI_MIN && usual != MPI_MAX) || (type != MPI_FLOAT && type != MPI_DOUBLE))
        return usual;
    return own[2 * (type == MPI_DOUBLE) + (usual == MPI_MAX)];
}
