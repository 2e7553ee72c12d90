/* What an operation of reduce.def or map.def promises, in the words of EXAMPLE in operation.def. */
#pragma once

#include "api/operation.h"

const char *fold_promised(lun_reduce_op op);
const char *map_promised(lun_map_op op);
