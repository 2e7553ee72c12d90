/* What was measured for scans. */
#ifndef LUN_SCAN_TUNING_H
#define LUN_SCAN_TUNING_H

#include "op/tuning.h"

typedef struct scan_tuning {
    tuning tuning;
    size_t quick;        /* elements that a reader may as well block for */
    size_t least_copied; /* elements from which a view is copied whose lines lie neither as rows nor as columns */
    size_t plain_part;   /* elements of a part in the plain variant */
    size_t plain_parts;  /* parts of a line there, at most: each adds up the sums of those before it */
    size_t cpu_strip;    /* vectors of a strip, at least */
    size_t unit_items;   /* work-items that keep a unit of a GPU busy */
    size_t column_part;  /* elements of a part of a column on a GPU, at least */
    size_t few_items;    /* work-items of a group, for rows of some hundred elements, */
    size_t many_items;   /* and for longer ones */
    size_t short_bytes;  /* a row of less is scanned by one work-item: SCAN_GPU_ITEMS of them fit in 32 KiB */
    size_t
        most_parts; /* of a line scanned in one launch: beyond, groups that run at once wait too long for what they begin with */
} scan_tuning;

const scan_tuning *scan_tuned(const lun_device *device);

#endif
