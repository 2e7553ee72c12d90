/* Counting: what the room's files share. */
#ifndef LUN_OP_SORT_COUNT_ROOM_H
#define LUN_OP_SORT_COUNT_ROOM_H

#include "op/sort/sort.h"

/* One operation: dense arrays, and the bin of each element. */
typedef struct counting {
    operation op;
    plan plan;
    lun_array in, out, weights; /* dense */
    lun_block *bins;
} counting;

/* LUN_MISUSE unless the counts, the array and the weights (or NULL) go together. */
lun_status count_check(const lun_array *out, const lun_array *in, const lun_array *weights, lun_error *err);
/* Begins the plan: what is read and written, and room for the bins. */
lun_status count_begin(counting *c, const char *name, const lun_array *out, const lun_array *in,
                       const lun_array *weights, const lun_call *call, lun_error *err);
/* A kernel of bins_plain.cl; real: the dtype of edges. */
lun_status count_find_bins(launch *out, plan *p, lun_dtype dtype, lun_dtype real, const char *name, size_t items,
                           lun_error *err);
/* Counts the bins, and runs the operation. */
lun_status count_finish(counting *c, const lun_array *out, bool weights, const lun_call *call, lun_error *err);

#endif
