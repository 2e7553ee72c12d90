/* What matmul's variants share: the form that every problem is brought to. */
#pragma once

#include "abi/matmul.h"
#include "op/planning.h"

/* C = alpha A B + beta C with C m x n and the sum over k, for each of the batches. */
typedef struct matmul_problem {
    lun_dtype dtype;                     /* the program's: integers wrap, so they are computed as unsigned ones */
    const lun_array *out, *left, *right; /* a is in `left`, b in `right` */
    matmul_view c, a, b;
    size_t batches, m, n, k;
    lun_number alpha, beta;
    unsigned conjugated; /* LUN_CONJUGATE_A, B */
} matmul_problem;

/* The sizes of a product. A vector is a row on the left and a column on the right; the axis of size 1 that this adds is
 * not in the result. */
typedef struct matmul_sides {
    size_t m, n, k, k_right;
    int a_batch, b_batch, batch; /* axes before the matrix */
    size_t shape[LUN_MAX_AXES];  /* of the batch */
} matmul_sides;

lun_status matmul_find_sides(matmul_sides *out, const lun_array *a, const lun_array *b, lun_error *err);
void matmul_result_shape(int *ndim, size_t *shape, const matmul_sides *found, const lun_array *a, const lun_array *b);
/* Fills in the views and sizes of a problem whose arrays are known. */
void matmul_normalise(matmul_problem *p, const matmul_sides *found);

/* A group's block of C and how its items share it. Rates are measured: flops a second of one unit that holds as many
 * groups as it can, reading vectors or single elements. */
typedef struct matmul_tiling {
    unsigned down, across, depth;
    unsigned items_down, items_across; /* blocks of 32 items */
    unsigned slices;                   /* sets of items that share a tile's k */
    unsigned stages;                   /* tiles in local memory */
    unsigned resident;                 /* groups that a unit holds */
    double wide_rate, narrow_rate;
    double alone; /* fraction of the full rate that one group reaches alone on its unit */
} matmul_tiling;

/* C^T = B^T A^T. */
void matmul_swap_sides(matmul_problem *p);
/* alpha or beta, as the kernels take it. */
launch_arg matmul_scalar(const matmul_problem *p, lun_number x); /* of a real dtype */
/* Are the numbers real? Complex ones are multiplied by the variants parts and plain alone. */
bool matmul_is_real(const matmul_problem *p);
lun_status matmul_plain_plan(plan *out, const variant *row, const void *data, lun_error *err);
bool matmul_parts_applies(const lun_device *device, const void *data);
lun_status matmul_parts_plan(plan *out, const variant *row, const void *data, lun_error *err);
lun_status matmul_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err);

extern const variants matmul_variants;

/* matmul_tiles.c: what the variants for GPUs share. */
/* Is A (B) contiguous along k? With one step of k any stride counts as that. */
bool matmul_a_deep(const matmul_problem *p);
bool matmul_b_deep(const matmul_problem *p);
/* Are all vectors of `count` elements along the contiguous axis of A (B) aligned, and does none reach over the edge? */
bool matmul_a_wide(const matmul_problem *p, size_t count);
bool matmul_b_wide(const matmul_problem *p, size_t count);
/* Is every row of C aligned to that many elements? */
bool matmul_c_wide(const matmul_problem *p, size_t count);
/* Are A and B contiguous along one axis, and C along n? Swaps the sides where that makes it so. */
bool matmul_fit_tiles(matmul_problem *p);
/* The tiling that should take least time; *size gets the number of parts of k that goes with it. */
const matmul_tiling *matmul_choose_tiling(matmul_size *size, const matmul_problem *p, const lun_device *device,
                                          const matmul_tiling *rows, size_t count);
/* Are rows of C that begin anywhere to be written by way of local memory, as whole lines? */
bool matmul_in_lines(const matmul_problem *p, const matmul_size *size, const lun_device *device);
/* Plans `kernel` with `groups` groups for each part of k of each batch, and behind it matmul_sum where there are several
 * parts. */
lun_status matmul_plan_tiles(plan *out, const program_key *key, const char *kernel, const matmul_problem *p,
                             const matmul_size *size, size_t groups, size_t items, lun_error *err);

/* The same of the row's kernel, which has its file's name and the tiling's defines behind `more`; it copies `vector` numbers at a
 * time. */
lun_status matmul_plan_tiling(plan *out, const variant *row, const matmul_problem *p, const matmul_size *size,
                              const matmul_tiling *t, size_t vector, const char *more, lun_error *err);

bool matmul_gpu_applies(const lun_device *device, const void *data);
lun_status matmul_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err);
bool matmul_thin_applies(const lun_device *device, const void *data);
lun_status matmul_thin_plan(plan *out, const variant *row, const void *data, lun_error *err);
bool matmul_staged_applies(const lun_device *device, const void *data);
lun_status matmul_staged_plan(plan *out, const variant *row, const void *data, lun_error *err);
bool matmul_nvidia_applies(const lun_device *device, const void *data);
lun_status matmul_nvidia_plan(plan *out, const variant *row, const void *data, lun_error *err);

/* Nanoseconds that one core takes for a product and a sum. */
static inline double matmul_step(lun_dtype dtype) { return dtype == LUN_f32 ? 0.04 : dtype == LUN_f64 ? 0.08 : 0.5; }
