/* What was measured for segments and scans by generated kernels. */
#ifndef LUN_SEGMENTS_TUNING_H
#define LUN_SEGMENTS_TUNING_H

#include "op/tuning.h"

typedef struct segments_tuning {
    tuning tuning;
    size_t leaf;          /* values that are combined before they join others */
    size_t cpu_part;      /* elements of a part, at least */
    size_t cpu_parts;     /* for each unit */
    size_t cpu_strip;     /* columns of a work-item */
    size_t gpu_part;      /* as of a CPU, where each part is of one work-item */
    size_t gpu_parts;     /* likewise */
    size_t reduce_items;  /* of a group that takes a part together, */
    size_t scan_items;    /* and that scans one: with 256 scans take 1.1 to 1.3 times as long (H100), */
    size_t short_items;   /* and a short line fits in less */
    size_t group_bytes;   /* of the values of a work-item */
    size_t least_grouped; /* elements of a line from which a group takes a part of it */
    size_t least_columns; /* from which lines are done side by side */
} segments_tuning;

const segments_tuning *segments_tuned(const lun_device *device);

#endif
