/* The arguments of methods that arrange arrays: numbers of axes, sizes, and options that may follow them. */
#ifndef LUNARRAY_ARRANGE_H
#define LUNARRAY_ARRANGE_H

#include "binding.h"

/* Reads whole numbers from 0: arguments from `index` on, or one list at `index`. Messages call each of them `what`.
 * Returns how many there are, at most LUN_MAX_AXES; *behind is where the next argument stands. */
int arrange_sizes(lua_State *L, int index, const char *what, size_t *sizes, int *behind);
/* Reads an axis, or a list of axes, each named once, at `index`; `axes` gets them counted from 0. Returns how many there
 * are. They are axes of an array with `ndim` axes; with `more`, of one that has the named axes in addition. */
int arrange_axes(lua_State *L, int index, int ndim, bool more, int *axes);
/* The index of the options, behind an argument at `index` that may be left out: `index` itself where a table with names
 * stands there. */
int arrange_options(lua_State *L, int index);

#endif
