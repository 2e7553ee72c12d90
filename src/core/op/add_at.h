/* Adding at places as a part of other operations, which append it to their plans. */
#pragma once

#include "op/plan.h"

/* Appends the adding of values to an array's places, for GPUs: `bins` are places that are counted from 0, in i32, and
 * -1 adds nothing. All arrays are dense. */
lun_status add_at_plan_bins(plan *p, const lun_array *array, const lun_array *bins, const lun_array *values,
                            lun_error *err);
