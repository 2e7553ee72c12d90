/* What methods that arrange arrays are given: numbers of axes, sizes, and options that may follow them. */
#ifndef LUNARRAY_ARRANGE_H
#define LUNARRAY_ARRANGE_H

#include "binding.h"

/* Whole numbers from 0, as arguments from `index` on or as one list there; messages call each `what`. Gives how many, at
 * most LUN_MAX_AXES, and where the next argument stands. */
int arrange_sizes(lua_State *L, int index, const char *what, size_t *sizes, int *behind);
/* An axis or a list of them at `index`, counted from 0 in `axes`, each named once. Gives how many. Without `more` they are
 * axes of an array with `ndim` axes, otherwise of one that has as many more as are named. */
int arrange_axes(lua_State *L, int index, int ndim, bool more, int *axes);
/* Where the options stand, when an argument that is no table of names stands at `index` or is left out there. */
int arrange_options(lua_State *L, int index);

#endif
