/* From the n-body kernels' own copy of the bodies back to the user's views. */
#include "parts/nbody_units.cl"

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nbody_store(global const T *body, long size, long bodies, global T *pos, long pos_at, long pos_row,
                 long pos_column, global T *vel, long vel_at, long vel_row, long vel_column)
{
    int2 unit = get_units(body, size);
    FOR_SPREAD(i, bodies)
    {
        for (long c = 0; c < 3; c++) {
            pos[pos_at + i * pos_row + c * pos_column] = ldexp(body[c * size + i], unit.x);
            vel[vel_at + i * vel_row + c * vel_column] = body[(c + 4) * size + i];
        }
    }
}
