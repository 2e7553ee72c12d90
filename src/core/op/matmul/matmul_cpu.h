/* What the plans of matmul on CPU devices share: the tuning, and the sizes that follow from device and dtype. */
#pragma once

#include "device/device.h"
#include "op/matmul/matmul.h"

typedef struct matmul_cpu_tuning {
    unsigned vector;      /* floats in a vector register: the first row that the device reaches */
    unsigned rows;        /* rows of the block in the registers; its columns are two vectors */
    size_t depth;         /* steps of k at a time: C is read and written once for each such part */
    size_t direct_depth;  /* steps of k at a time where a task's panels of B are in local memory */
    size_t direct_panels; /* panels of B that a task packs for itself, at most */
    size_t direct_bytes;  /* bytes of A up to which all tasks read it in place */
    size_t block_bytes;   /* bytes of A that a task packs, at most: with two panels of B, half of the L2 cache */
    size_t block_columns; /* columns of a task, at most: each panel of A is used for that many */
    size_t pack_columns;  /* columns that take as long to multiply as a task takes to pack A */
    size_t pack_rows;     /* rows that take as long to multiply as B takes to come from a far cache */
    size_t packed_part;   /* packed B takes at most the last cache divided by this */
    size_t strip;         /* numbers of C that are summed at a time where A has few rows */
    size_t vector_work;   /* elements of the matrix that a task takes at least */
} matmul_cpu_tuning;

/* The tuning row, and the sizes that follow from it, for one device and dtype. */
typedef struct matmul_cpu_geometry {
    const matmul_cpu_tuning *tuned;
    size_t units, rows, cols;
    size_t stored, computed; /* bytes of an element, and of the number that it is computed as */
    size_t depth;
    size_t local, packed; /* bytes of local memory that a task may take, and bytes of packed B */
    program_key key;
    char defines[64];
} matmul_cpu_geometry;

/* The size of a part where n is shared out in equal parts of at most `at_most`, each a multiple of `unit`. */
size_t matmul_cpu_even(size_t n, size_t at_most, size_t unit);
/* As many groups as tasks, but at most 64 to a core: starting more would take time. Kernels that claim tasks get one to a core. */
launch matmul_cpu_tasks(const matmul_cpu_geometry *g, cl_kernel kernel, size_t tasks);
/* The sizes of the whole problem, before it is tiled or split. */
matmul_cpu_size matmul_cpu_whole(const matmul_problem *p);
/* Plans matmul_cpu_block, whose first tasks pack B whole (matmul_cpu_block.c). */
lun_status matmul_cpu_plan_block(plan *out, const matmul_cpu_geometry *g, const matmul_problem *p, lun_error *err);
