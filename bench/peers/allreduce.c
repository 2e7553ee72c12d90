/* MPI alone, without Lua or a device: the time of an allreduce of f64, for the slowest rank, median of so many calls.
 *
 *     mpicc -O2 -o allreduce bench/peers/allreduce.c && mpirun -n 2 ./allreduce [elements] [calls] */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int count = argc > 1 ? atoi(argv[1]) : 1 << 23, calls = argc > 2 ? atoi(argv[2]) : 21;
    double *from = malloc(sizeof(double) * (size_t)count), *to = malloc(sizeof(double) * (size_t)count);
    double *own = malloc(sizeof(double) * (size_t)calls), *slowest = malloc(sizeof(double) * (size_t)calls);
    int rank;
    if (!from || !to || !own || !slowest)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < count; i++)
        from[i] = i, to[i] = 0;
    MPI_Allreduce(from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < calls; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        MPI_Allreduce(from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        own[i] = MPI_Wtime() - start;
    }
    MPI_Reduce(own, slowest, calls, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    qsort(slowest, (size_t)calls, sizeof *slowest, by_size);
    if (rank == 0)
        printf("MPI alone: allreduce of %d f64: median %.1f us, least %.1f\n", count, slowest[calls / 2] * 1e6, slowest[0] * 1e6);
    MPI_Finalize();
    return 0;
}
