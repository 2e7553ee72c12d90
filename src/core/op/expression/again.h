/* What was found for the expressions that were asked for last. */
#pragma once

#include "op/expression/expression.h"

/* Was it asked for, of arrays of the same dtypes and shapes? Then gives what was found. The arrays have been looked at. */
bool again_find(map_types *types, int *ndim, size_t *shape, const lun_expression *e);
void again_keep(const map_types *types, int ndim, const size_t *shape, const lun_expression *e);
