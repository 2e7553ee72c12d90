/* The range that the options of a kernel's run say, as its row of operation.def names them. */
#include "call/request.h"

#define MOST_DIMENSIONS 3

/* The sizes of an option, a number or a list of up to three: how many, 0 without the option. */
static lun_status read_sizes(int *dims, size_t *sizes, const lun_request *r, const char *name, lun_error *err)
{
    char shown[SHOWN];
    const lun_value *value = request_option(r, name);
    const size_t count = value ? value_count(value) : 0;
    if (value && (count < 1 || count > MOST_DIMENSIONS))
        FAIL(LUN_MISUSE, "option '%s': from 1 to 3 sizes are needed, got %zu", name, count);
    for (size_t i = 0; i < count; i++) {
        const lun_value *item = value_item(value, i);
        int64_t size = -1;
        if (item->kind != LUN_VALUE_NUMBER || !number_whole(&size, item->number) || size < 0)
            FAIL(LUN_MISUSE, "%s %zu is %s; sizes are whole numbers from 0", name, i + 1, value_shown(shown, r, item));
        sizes[i] = (size_t)size;
    }
    *dims = (int)count;
    return LUN_OK;
}

static lun_status bind_range(lun_request *r, lun_error *err)
{
    int dims;
    lun_range *range = REQUEST_STATE(r, lun_range);
    range->pad = request_truth(r, "pad");
    TRY(read_sizes(&range->dims, range->global, r, "global", err));
    if (!range->dims)
        FAIL(LUN_MISUSE, "the option global (the number of work-items) is missing");
    TRY(read_sizes(&dims, range->group, r, "group", err));
    if (dims && dims != range->dims)
        FAIL(LUN_MISUSE, "group has %d %s, and global %d", dims, dims == 1 ? "size" : "sizes", range->dims);
    for (int i = 0; i < dims; i++)
        if (!range->group[i])
            FAIL(LUN_MISUSE, "group %d is 0; a group has at least one work-item", i + 1);
    TRY(read_sizes(&dims, range->offset, r, "offset", err));
    if (dims && dims != range->dims)
        FAIL(LUN_MISUSE, "offset has %d %s, and global %d", dims, dims == 1 ? "size" : "sizes", range->dims);
    return LUN_OK;
}

const lun_range *lun_run_range(const lun_request *request) { return request->state; }

const request_functions range_functions = {bind_range, NULL};
