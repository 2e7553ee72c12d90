/* Gravity by Hermite's scheme of 4th order (Makino and Aarseth, Publications of the Astronomical Society of Japan 44 (1992)
 * 141): from accelerations and their derivatives, jerks, at both ends of a step. What its kernels share. */

#define GROWTH 1.5 /* of a step's length from step to step, at most */

typedef struct {
    REALS pull[3], jerk[3];
} motion;

/* Accelerations and jerks of the LANES bodies from i on, at those places with those velocities. */
INLINE motion find_motion(const system *s, global const T *at, global const T *speed, long i)
{
    const long size = s->size;
    const REALS soft = SOFT_AT(*s, i);
    REALS x[3], v[3];
    motion m;
    for (int c = 0; c < 3; c++) {
        x[c] = REALS_AT(at + c * size + i), v[c] = REALS_AT(speed + c * size + i);
        m.pull[c] = m.jerk[c] = (REALS)(0);
    }
    for (long j = 0; j < s->active; j++) {
        const REALS dx = at[j] - x[0], dy = at[size + j] - x[1], dz = at[2 * size + j] - x[2];
        const REALS ux = (speed[j] - v[0]) * s->narrow, uy = (speed[size + j] - v[1]) * s->narrow;
        const REALS uz = (speed[2 * size + j] - v[2]) * s->narrow;
        const REALS r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, SOFT_BETWEEN(*s, soft, j))));
        const REALS over = r2 == (REALS)(0) ? (REALS)(0) : 1 / r2, w = s->mass[j] * sqrt(over) * over;
        const REALS turn = 3 * over * fma(dx, ux, fma(dy, uy, dz * uz));
        m.pull[0] = fma(w, dx, m.pull[0]), m.jerk[0] = fma(w, ux - turn * dx, m.jerk[0]);
        m.pull[1] = fma(w, dy, m.pull[1]), m.jerk[1] = fma(w, uy - turn * dy, m.jerk[1]);
        m.pull[2] = fma(w, dz, m.pull[2]), m.jerk[2] = fma(w, uz - turn * dz, m.jerk[2]);
    }
    for (int c = 0; c < 3; c++)
        m.pull[c] *= s->strength, m.jerk[c] *= s->strength;
    return m;
}

/* Aarseth's criterion for bodies whose derivatives of acceleration have these squares, from the none'th to the third: one over
 * the square of the time that they allow. */
INLINE REALS rate_of(const REALS *square)
{
    return (sqrt(square[1] * square[3]) + square[2]) / (sqrt(square[0] * square[2]) + square[1]);
}
