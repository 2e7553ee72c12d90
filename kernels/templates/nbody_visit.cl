/* In nbody_plain.cl: adds to `sum` what the bodies from .. to-1 of the tile give at a place. IS_SELF: is k the body
 * itself? MASKS: may a distance be 0? */
        for (int k = from; k < to; k++) {
            const mass_point p = tile[k];
            const T dx = p.x - x, dy = p.y - y, dz = p.z - z;
            const T d2 = fma(dx, dx, fma(dy, dy, dz * dz)), r2 = d2 + SOFT_OF_PAIR(k);
            const T r = r2 <= LEAST_SQUARE ? (T)0 : reciprocal_root(r2);
            const T potential = p.w * r;
            const T s = (MASKS) && d2 == 0 ? (T)0 : potential * r * r;
            sum[0] = fma(s, dx, sum[0]);
            sum[1] = fma(s, dy, sum[1]);
            sum[2] = fma(s, dz, sum[2]);
            sum[3] -= (IS_SELF) ? d2 : potential; /* 0, or its own NaN */
        }

#undef IS_SELF
#undef MASKS
