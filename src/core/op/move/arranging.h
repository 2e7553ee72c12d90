/* Arranging: operations that make an array of copies of parts of others. */
#pragma once

#include "op/move/move.h"

/* What a result is to be. */
typedef struct arranged {
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
} arranged;

/* One operation, to whose plan copies and fills are appended; zeroed at first. It stays where it is until arrange_clear.
 *
 *     arranging a = {0};
 *     TRY(arrange_begin(&a, "roll", out, &result, &array, 1, call, err));
 *     TRY(plan_array_copy(&a.plan, &to, &from, err));
 *     TRY(operation_run(&a.op, &a.plan, err));
 * done:
 *     arrange_clear(&a);
 */
typedef struct arranging {
    operation op;
    plan plan;
} arranging;

/* Checks that `out` is as the result is to be and shares no element with an input, and notes what is touched. */
lun_status arrange_begin(arranging *a, const char *name, const lun_array *out, const arranged *result,
                         const lun_array *const *inputs, size_t count, const lun_call *call, lun_error *err);
void arrange_clear(arranging *a);

/* The result that is as the array is. */
arranged arranged_like(const lun_array *array);
/* `count` positions of an axis, without a reference of its own. */
lun_array part_of(const lun_array *whole, int axis, size_t from, size_t count);
