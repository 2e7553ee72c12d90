/* In meet_tile of nbody_cpu.cl: what the bodies i do to a vector of bodies j that do not attract, or not all. */
    for (long j = whole; j < to; j += WIDTH) {
        V xj = VLOAD(px + j), yj = VLOAD(py + j), zj = VLOAD(pz + j), mj = VLOAD(mass + j);
        V bx = VLOAD(fx + j), by = VLOAD(fy + j), bz = VLOAD(fz + j);
        for (int k = 0; k < BODIES; k++) {
            V dx = xj - x[k], dy = yj - y[k], dz = zj - z[k];
            V c = inverse_cube(dx, dy, dz, SOFT_OF_PAIR(OWN_SOFT(k), j));
            V s = c * mj, t = c * minus_m[k];
            if (j < active) {
                ax[k] += attracting(s * dx, j, active);
                ay[k] += attracting(s * dy, j, active);
                az[k] += attracting(s * dz, j, active);
            }
            bx = fma(t, dx, bx), by = fma(t, dy, by), bz = fma(t, dz, bz);
        }
        VSTORE(bx, fx + j);
        VSTORE(by, fy + j);
        VSTORE(bz, fz + j);
    }
