/* What makers of arrays share. */
#ifndef LUN_OP_MAKE_MAKER_H
#define LUN_OP_MAKE_MAKER_H

#include "op/request.h"

/* One result of that shape, of the dtype that is named at an argument, or `missing`; the option `out` has to have both. */
lun_status maker_result(lun_request *r, unsigned dtype_at, lun_dtype missing, int ndim, const size_t *shape,
                        lun_error *err);

#endif
