/* The host's order of axes, and its numbers. */
#pragma once

#include "lunarray.h"

/* The core's axis where the host has this one, both from 0, or the other way around; and its number, as the host counts. */
int manner_axis(const lun_manner *manner, int axis, int ndim);
int manner_axis_shown(const lun_manner *manner, int axis, int ndim);
/* Puts what there is for each axis from the host's order into the core's. */
void manner_turn(const lun_manner *manner, size_t *sizes, int count);
/* As lun_shape_text, in the host's order. */
char *manner_shape_text(char *text, size_t room, const lun_manner *manner, int ndim, const size_t *shape);
