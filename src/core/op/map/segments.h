/* Reductions of segments, and scans by generated kernels: what their calls hand to the plans. */
#ifndef LUN_OP_MAP_SEGMENTS_H
#define LUN_OP_MAP_SEGMENTS_H

#include "op/map/fold.h"

typedef struct segments_problem {
    const lun_array *segments; /* the starts, or NULL: a row is one segment */
    bool scan, reverse;
    segment_shape shape;
    lun_block *starts; /* as kernels read them */
} segments_problem;

/* Are these starts an array of the right kind? Their values only the device sees. */
lun_status segments_check(const lun_array *segments, const lun_array *in, lun_error *err);
/* Plans the reduction or the scan along the axis that goes, of a problem whose axes have been found; it has one result. There is
 * one way to run them, `named` or not. */
lun_status segments_plan(plan *out, fold_problem *p, segments_problem *s, const bool *goes, const char *named,
                         lun_error *err);

#endif
