/* Counting: declarations shared by the room's files. */
#pragma once

#include "op/sort/sort.h"

/* One axis of the counts: its elements, and the edges of the bins, or none: integers are their own bins. */
typedef struct bins_source {
    lun_array in, edges; /* dense; edges.device is NULL where there are none */
    bins_shape shape;
} bins_source;

/* One operation: dense arrays, and one or two axes; the bins of the second axis are inside those of the first. */
typedef struct counting {
    operation op;
    plan plan;
    lun_array in, out, weights;
    bins_source sources[2];
    size_t source_count;
} counting;

/* The problem of variants that count. */
typedef struct count_problem {
    const bins_source *sources;
    size_t source_count;
    const lun_array *weights; /* dense, or NULL */
    const lun_array *out;     /* dense */
    size_t size;
} count_problem;

/* LUN_MISUSE unless the counts, the array and the weights (or NULL) fit each other. */
lun_status count_check(const lun_array *out, const lun_array *in, const lun_array *weights, lun_error *err);
/* Begins the plan: declares what is read and written. The second function, after the caller has declared further
 * memory, makes dense arrays; the caller adds the sources. */
lun_status count_begin(counting *c, const char *name, const lun_array *out, const lun_array *in,
                       const lun_array *weights, const lun_call *call, lun_error *err);
lun_status count_dense(counting *c, const lun_array *out, const lun_array *in, const lun_array *weights,
                       lun_error *err);
/* A kernel of the program for elements and edges of these dtypes. */
lun_status count_find_kernel(cl_kernel *out, plan *p, const char *file, lun_dtype dtype, lun_dtype edges,
                             const char *name, lun_error *err);
/* Counts the bins, and runs the operation. */
lun_status count_finish(counting *c, const lun_array *out, bool weights, const lun_call *call, lun_error *err);
void count_clear(counting *c); /* takes zeroed memory too */
