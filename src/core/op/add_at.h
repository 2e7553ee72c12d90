/* Adding values at positions, as a part of the plans of other operations. */
#pragma once

#include "op/plan.h"

/* Appends the addition of values at positions of an array, for GPUs: `bins` are positions from 0, in i32; -1 adds
 * nothing. All arrays are dense. */
lun_status add_at_plan_bins(plan *p, const lun_array *array, const lun_array *bins, const lun_array *values,
                            lun_error *err);
