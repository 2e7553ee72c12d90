/* Elementwise functions on GPUs, where rows are long: a group computes GROUP_ITEMS * EACH neighbouring vectors of a row. */
#include "parts/map.cl"

#ifndef GROUP_ITEMS
#define GROUP_ITEMS 256
#define EACH 1
#endif

kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void map_gpu(const map_shape shape MAP_PARAMETERS)
{
    for (long row = get_group_id(1); row < shape.rows; row += get_num_groups(1)) {
        MAP_ROW(row)
        long j = ((long)get_group_id(0) * (GROUP_ITEMS * EACH) + (long)get_local_id(0)) * WIDTH;
        for (int i = 0; i < EACH; i++, j += GROUP_ITEMS * WIDTH) {
            if (j + WIDTH <= shape.columns) {
                MAP_STEP_V(j)
            } else {
                for (long k = j; k < shape.columns; k++) {
                    MAP_STEP_1(k)
                }
            }
        }
    }
}
