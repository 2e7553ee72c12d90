/* Manners of hosts: C's own, and the order of axes. */
#include "base/manner.h"

#include <string.h>

const lun_manner lun_plain_manner = {
    .first = 0,
    .counted = 1,
    .self = "argument 1",
    .option = ".%s = %s",
    .method = "%s",
    .left_out = "nothing",
    .table = "a list",
    .words = {"nothing", "a truth value", "a number", "a complex number", "a text", "an array", "a list", "a queue",
              "a device", "a sparse matrix", "a text", "a function", "something else"},
};

int manner_axis(const lun_manner *manner, int axis, int ndim) { return manner->reversed ? ndim - 1 - axis : axis; }

int manner_axis_shown(const lun_manner *manner, int axis, int ndim)
{
    return manner_axis(manner, axis, ndim) + manner->first;
}

void manner_turn(const lun_manner *manner, size_t *sizes, int count)
{
    for (int i = 0; i < count / 2 && manner->reversed; i++) {
        const size_t size = sizes[i];
        sizes[i] = sizes[count - 1 - i];
        sizes[count - 1 - i] = size;
    }
}

char *manner_shape_text(char *text, size_t room, const lun_manner *manner, int ndim, const size_t *shape)
{
    size_t turned[LUN_MAX_AXES];
    if (!manner->reversed || ndim > LUN_MAX_AXES)
        return lun_shape_text(text, room, ndim, shape);
    if (ndim > 0)
        memcpy(turned, shape, (size_t)ndim * sizeof *shape);
    manner_turn(manner, turned, ndim);
    return lun_shape_text(text, room, ndim, turned);
}
