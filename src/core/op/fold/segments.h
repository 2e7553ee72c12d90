/* Reductions of segments, and scans by generated kernels: what their calls hand to the plans, and their variants. */
#pragma once

#include "op/fold/fold.h"

typedef struct segments_problem {
    fold_problem *fold;        /* whose axes have been found; it has one result */
    int axis;                  /* of the result: along it lie segments, or the values of a scan */
    const lun_array *segments; /* the starts, or NULL: a line is one segment */
    bool scan, reverse;
    segment_shape shape;
    lun_block *starts; /* as kernels read them */
} segments_problem;

/* Are these starts an array of the right kind? Their values only the device sees. */
lun_status segments_check(const lun_array *segments, const lun_array *in, lun_error *err);
/* Plans the reduction or the scan along the axis that goes. */
lun_status segments_plan(plan *out, segments_problem *s, const bool *goes, const char *named, lun_error *err);

extern const variants segments_variants;
