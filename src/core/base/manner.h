/* The host's order and numbering of axes. */
#pragma once

#include "lunarray.h"

/* Converts an axis of the host to the core's, or back, both from 0; and its number as the host counts. */
int manner_axis(const lun_manner *manner, int axis, int ndim);
int manner_axis_shown(const lun_manner *manner, int axis, int ndim);
/* Reorders a list with an item for each axis from the host's order to the core's. */
void manner_turn(const lun_manner *manner, size_t *sizes, int count);
/* As lun_shape_text, in the host's order. */
char *manner_shape_text(char *text, size_t room, const lun_manner *manner, int ndim, const size_t *shape);
