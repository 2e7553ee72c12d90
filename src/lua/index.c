/* Lists of positions, which become arrays. */
#include "index.h"
#include "call.h"
#include "check.h"
#include "convert.h"
#include "transfer.h"

lun_array *index_from_list(lua_State *L, int index, const char *what, lun_device *device)
{
    size_t shape[LUN_MAX_AXES];
    const lun_call call = {0};
    lun_attempt tried;
    check_list(L, index, what, false);
    const int ndim = convert_shape(L, index, shape);
    lun_array *made = array_push(L);
    for (lun_attempt_start(&tried, device); call_goes_on(L, &tried);)
        tried.status = lun_array_create(made, device, LUN_i64, ndim, shape, &tried.err);
    transfer_write_table(L, made, index, ndim, shape, &call);
    lua_replace(L, index);
    return made;
}
