/* Elementwise functions, one element at a time: every device, and rows of a few elements. */
#include "parts/map.cl"

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void map_plain(const map_shape shape MAP_PARAMETERS)
{
    FOR_SPREAD(i, shape.rows * shape.columns)
    {
        const long row = i / shape.columns, j = i - row * shape.columns;
        MAP_ROW(row)
        MAP_STEP_1(j)
    }
}
