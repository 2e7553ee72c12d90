/* What the plans of matmul on CPU devices share: the tuning, and the sizes that follow from device and dtype. */
#ifndef LUN_MATMUL_CPU_H
#define LUN_MATMUL_CPU_H

#include "device/device.h"
#include "op/matmul/matmul.h"

typedef struct matmul_cpu_tuning {
    unsigned vector;      /* floats in a vector register: the first row that the device reaches */
    unsigned rows;        /* of the block in the registers; its columns are two vectors */
    size_t depth;         /* of k at a time: C is read and written once for each */
    size_t direct_depth;  /* the same where a task's panels of B are in local memory */
    size_t direct_panels; /* of B that a task packs for itself, at most */
    size_t direct_bytes;  /* A up to this size is read in place, by all tasks */
    size_t block_bytes;   /* of A that a task packs, at most: with two panels of B, half of the L2 cache */
    size_t block_columns; /* of a task, at most: each of its panels of A is used so often */
    size_t pack_columns;  /* as many columns take as long to multiply as A to pack */
    size_t pack_rows;     /* as many rows take as long to multiply as B to come from a far cache */
    size_t packed_part;   /* the part of the last cache that packed B takes at most */
    size_t strip;         /* elements of a vector that are summed at a time */
    size_t vector_work;   /* elements of the matrix that a task takes at least */
} matmul_cpu_tuning;

/* What the tuning comes to for one device and dtype. */
typedef struct matmul_cpu_geometry {
    const matmul_cpu_tuning *tuned;
    size_t units, rows, cols;
    size_t stored, computed; /* bytes of an element and of what it is computed in */
    size_t depth;
    size_t local, packed; /* bytes that a task and that packed B may take */
    program_key key;
    char defines[64];
} matmul_cpu_geometry;

/* Shares n out in equal parts of at most `at_most`, each a multiple of `unit`. */
size_t matmul_cpu_even(size_t n, size_t at_most, size_t unit);
/* As many groups as tasks, but at most 64 to a core: starting more would take time. Kernels that claim tasks get one to a core. */
launch matmul_cpu_tasks(const matmul_cpu_geometry *g, cl_kernel kernel, size_t tasks);
/* The sizes of a problem that is neither tiled nor split. */
matmul_cpu_size matmul_cpu_whole(const matmul_problem *p);
/* matmul_cpu_block.c: B is packed whole, by tasks that come before the others. */
lun_status matmul_cpu_plan_block(plan *out, const matmul_cpu_geometry *g, const matmul_problem *p, lun_error *err);

#endif
