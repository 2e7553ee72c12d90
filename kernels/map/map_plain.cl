/* Elementwise functions, one element at a time: every device, and rows of a few elements. */
#ifndef MAP_KERNEL
#define MAP_KERNEL map_plain
#endif

#ifndef MAP_BEGUN /* the kernels of a family are this text several times */
#define MAP_BEGUN
#include "parts/map.cl"
#endif

KERNEL(GROUP) MAP_KERNEL(const map_shape shape MAP_PARAMETERS)
{
    FOR_SPREAD(i, shape.rows * shape.columns)
    {
        const long row = i / shape.columns, j = i - row * shape.columns;
        MAP_ROW(row)
        MAP_STEP_1(j)
    }
}
