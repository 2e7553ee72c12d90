/* Choosing by index and by mask, as rows of operation.def are called. */
#include "op/request.h"

/* ---- counting what a mask picks ------------------------------------------------------------------------------------------ */

lun_status request_count_mask(bool *more, lun_request *r, mask_count *count, const lun_array *mask,
                              const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array end = {0};
    const lun_call quiet = request_quiet(r);
    const size_t size = lun_mask_counts(mask);
    TRY(request_array(&count->counts, r, LUN_i64, 1, &size, err));
    if (!count->enqueued)
        TRY(lun_mask_count(count->counts, mask, call, err));
    count->enqueued = true;
    TRY(lun_array_slice(&end, count->counts, &(lun_slice){.from = (int64_t)size - 1, .step = 1, .count = 1}, err));
    TRY(lun_array_receive(more, &count->received, &count->total, &end, &quiet, err));
    count->count = (size_t)count->total;
done:
    lun_array_clear(&end);
    return status;
}
