/* A cache of the dtypes and shapes of recent expressions. */
#pragma once

#include "op/expression/expression.h"

/* Is the expression cached, for arrays of the same dtypes and shapes? Then gives its entry. The arrays have been
 * checked. */
bool again_find(map_types *types, int *ndim, size_t *shape, const lun_expression *e);
void again_keep(const map_types *types, int ndim, const size_t *shape, const lun_expression *e);
