/* Elementwise functions on GPUs, where rows are long: a work-item computes WIDTH elements of each of ROWS rows, one row
 * after the other, so that what a row shares with the next one is still in the cache. The elements are neighbours
 * (SPREAD 1), or lie GROUP_ITEMS apart, so that neighbouring work-items read neighbouring elements. */
#ifndef MAP_KERNEL
#define MAP_KERNEL map_gpu
#endif

#ifndef MAP_BEGUN /* the kernels of a family are this text several times */
#define MAP_BEGUN
#include "parts/map.cl"

#ifndef GROUP_ITEMS
#define GROUP_ITEMS 256
#define SPREAD 1
#define ROWS 1
#endif
#endif

KERNEL(GROUP_ITEMS) MAP_KERNEL(const map_shape shape MAP_PARAMETERS)
{
    const long columns = (long)shape.columns;
    const long j = (long)get_group_id(0) * (GROUP_ITEMS * WIDTH) + (long)get_local_id(0) * (SPREAD > 1 ? 1 : WIDTH);
    for (long first = (long)get_group_id(1) * ROWS; first < shape.rows; first += (long)get_num_groups(1) * ROWS) {
        const long end = min(first + ROWS, shape.rows);
        for (long row = first; row < end; row++) {
            MAP_ROW(row)
            if (j + (WIDTH - 1) * SPREAD < columns) {
                MAP_STEP_V(j)
            } else {
                for (int i = 0; i < WIDTH; i++) {
                    const long k = j + i * SPREAD;
                    if (k < columns) {
                        MAP_STEP_1(k)
                    }
                }
            }
        }
    }
}
