/* What was measured for reductions. */
#ifndef LUN_REDUCE_TUNING_H
#define LUN_REDUCE_TUNING_H

#include "op/tuning.h"

/* The figures follow from the cost of a launch, from the caches, and from how PoCL deals out groups: a thread that asks gets
 * its core's share of the groups that are left, but at most 32 for each core. */
typedef struct reduce_cpu_tuning {
    tuning tuning;
    size_t alone; /* bytes that one work-item reduces alone: waking another thread costs 10 to 30 us */
    size_t group; /* bytes of a group, unless that makes too few or too many groups */
    size_t wide;  /* bytes of a group that reduces columns: more, as it leaves many partial results */
    size_t least; /* groups per core, at least: so others can help a thread that falls behind */
    size_t most;  /* groups per core, at most: more would cost time for each */
    size_t merge; /* elements of the input from which narrow columns are merged into wide ones */
} reduce_cpu_tuning;

typedef struct reduce_gpu_tuning {
    tuning tuning;
    size_t groups; /* to a unit: as many as run at once, so that all end together */
    size_t long_items,
        long_groups; /* items of a group and groups to a unit where an NVIDIA GPU walks through few long rows */
    size_t small;    /* bytes that one group sums up sooner than several groups could, which have to join their parts */
} reduce_gpu_tuning;

const reduce_cpu_tuning *reduce_cpu_tuned(const lun_device *device);
const reduce_gpu_tuning *reduce_gpu_tuned(const lun_device *device);

#endif
