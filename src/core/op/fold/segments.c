/* Reductions of segments, and scans that begin anew at segments or are by an operator of the user's: starts, and the call. */
#include "op/fold/segments.h"
#include "op/planning.h"

#include <stdio.h>

lun_status segments_check(const lun_array *segments, const lun_array *in, lun_error *err)
{
    char text[200];
    TRY(array_check_live(segments, "segments", err));
    TRY(array_check_same_device(segments, in, "segments", err));
    if (segments->dtype != LUN_i32 && segments->dtype != LUN_i64)
        FAIL(LUN_MISUSE, "segments is %s; i32 or i64 is needed, or a list of starts", lun_dtype_name(segments->dtype));
    if (segments->ndim != 1 || segments->size == 0)
        FAIL(LUN_MISUSE, "segments has shape %s; one axis is needed, with one start more than there are segments",
             array_shape_text(text, sizeof text, segments));
    return LUN_OK;
}

static void starts_words(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    const long long place = found->position / STARTS_FAULTS, start = found->value;
    switch (found->position % STARTS_FAULTS) {
    case STARTS_EMPTY:
        snprintf(text, room, "segment %lld is empty, and the op has no result for no elements", place);
        break;
    case STARTS_DESCEND:
        snprintf(text, room, "start %lld at position %lld of segments is less than the one before, %lld", start,
                 place + 1, (long long)found->beside);
        break;
    default:
        snprintf(text, room, "start %lld at position %lld of segments is out of range 1..%lld", start, place + 1,
                 (long long)limit);
    }
}

/* Plans the checking of the starts, which kernels read in *out. */
static lun_status plan_starts(lun_block **out, plan *p, const lun_array *segments, size_t elements, bool reverse,
                              bool filled, lun_error *err)
{
    const segment_starts_shape s = {.in = segments->offset,
                                    .step = segments->stride[0],
                                    .count = (cl_long)segments->size,
                                    .elements = (cl_long)elements,
                                    .reverse = reverse,
                                    .filled = filled};
    TRY(plan_verdict(p, starts_words, (int64_t)elements + 1, err));
    TRY(operation_scratch(p->op, out, segments->size * sizeof(cl_long), err));
    return plan_spread(p, &(program_key){.file = "segment_starts", .dtype = segments->dtype}, "segment_starts",
                       segments->size, spread_tuned(p->op->device)->indexed,
                       ARGS(ARG_BLOCK(*out), ARG_BLOCK(segments->block), ARG_VALUE(&s), ARG_VERDICT(p->op)), err);
}

lun_status segments_plan(plan *out, segments_problem *s, const bool *goes, const char *named, lun_error *err)
{
    const lun_array *segments = s->segments;
    const bool filled = !s->scan && !s->fold->has_identity;
    const variants *of = s->scan && !segments && fold_is_plain(s->fold) ? &scan_variants : &segments_variants;
    while (!goes[s->axis])
        s->axis++;
    s->shape.count = segments ? (cl_long)segments->size : 0;
    if (segments)
        TRY(plan_starts(&s->starts, out, segments, (size_t)s->fold->fold.elements, s->reverse, filled, err));
    return plan_variant(out, of, s->fold->outs[0]->size ? s : NULL, named, err);
}
