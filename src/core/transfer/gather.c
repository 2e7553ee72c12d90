/* Reading and writing elements in memory that the host sees, in the array's order. */
#include "transfer/gather.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "memory/block.h"

#include <string.h>

/* Copies one element, or a whole line of adjacent ones; `there` is in the array. */
static void move(char *there, char *here, size_t bytes, bool write)
{
    if (write)
        memcpy(there, here, bytes);
    else
        memcpy(here, there, bytes);
}

static void move_all(const lun_array *array, char *here, bool write)
{
    const size_t item = lun_dtype_bytes(array->dtype);
    char *there = (char *)block_host(array->block) + array->offset * (int64_t)item;
    const layout axes = array_layout(array);
    const int last = (int)axes.ndim - 1;
    const bool lines = last >= 0 && axes.stride[last] == 1;
    const size_t run = lines ? (size_t)axes.size[last] : 1, bytes = run * item;
    const int outer = lines ? last : last + 1;
    for (size_t i = 0; i < array->size / run; i++) {
        int64_t at = 0;
        size_t rest = i;
        for (int k = outer - 1; k >= 0; k--) {
            at += (int64_t)(rest % (size_t)axes.size[k]) * axes.stride[k];
            rest /= (size_t)axes.size[k];
        }
        move(there + at * (int64_t)item, here + i * bytes, bytes, write);
    }
}

void gather_read(void *data, const lun_array *array) { move_all(array, data, false); }
void gather_write(const lun_array *array, const void *data) { move_all(array, (char *)(uintptr_t)data, true); }
