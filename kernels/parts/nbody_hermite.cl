/* Gravity by Hermite's scheme of 4th order (Makino and Aarseth, Publications of the Astronomical Society of Japan 44
 * (1992) 141): from accelerations and their derivatives, jerks, at both ends of a step. What its kernels share. */

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

/* ---- a step of length dt, along one axis, from the acceleration a and the jerk j at its beginning ---------------- */

INLINE REALS predict_place(const system *s, REALS x, REALS v, REALS a, REALS j, T dt)
{
    return x + (v * s->narrow + (a + j * (dt / 3)) * (dt / 2)) * dt;
}

INLINE REALS predict_speed(const system *s, REALS v, REALS a, REALS j, T dt)
{
    return v + (a + j * (dt / 2)) * (dt * s->widen);
}

/* The velocity that it gives, with the acceleration a1 and the jerk j1 at its end. */
INLINE REALS gain_of(REALS a, REALS j, REALS a1, REALS j1, T dt) { return ((a + a1) + (j - j1) * (dt / 6)) * (dt / 2); }

/* Adds the squares of the acceleration and its derivatives up to the third at its end; fewer: a - a1. */
INLINE void add_squares(REALS *square, REALS fewer, REALS j, REALS a1, REALS j1, T dt)
{
    const REALS third = (12 * fewer + 6 * dt * (j + j1)) / (dt * dt * dt);
    const REALS second = (-6 * fewer - dt * (4 * j + 2 * j1)) / (dt * dt) + dt * third;
    square[0] += a1 * a1, square[1] += j1 * j1;
    square[2] += second * second, square[3] += third * third;
}

/* ---- its length ------------------------------------------------------------------------------------------------- */

/* Aarseth's criterion for bodies whose derivatives of acceleration have these squares, from the none'th to the third:
 * one over the square of the time that they allow. */
INLINE REALS rate_of(const REALS *square)
{
    return (sqrt(square[1] * square[3]) + square[2]) / (sqrt(square[0] * square[2]) + square[1]);
}

/* The largest rate of the bodies with these squares; *broken: is some acceleration none? */
INLINE T rate_of_lanes(const REALS *square, T *broken)
{
    const REALS none = (square[0] + square[1]) * 0; /* or NaN */
    *broken = fmax(*broken, largest_lane(none == none ? (REALS)(0) : (REALS)(1)));
    return largest_lane(rate_of(square));
}
