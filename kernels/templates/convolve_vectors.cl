/* EACH vectors of results, all of whose taps meet elements along the inner axis, which are neighbours, for
 * convolve_direct.cl. */
inline void JOIN(convolve_, EACH)(const convolve_shape *s, convolve_place at, long i, long j)
{
    const long x = i * s->step[0] + s->first[0], y = j + s->first[1];
    V sum[EACH];
    for (int u = 0; u < EACH; u++)
        sum[u] = (V)(0);
    FOR_TAPS(p, 0, x)
        for (long q = 0; q < s->taps[1]; q++) {
            global const STORED *from = (global const STORED *)(at.a + (x - p) * s->a_axis[0] + y - q);
            const COMPUTE w = LOAD(at.b, p * s->b_axis[0] + q * s->b_axis[1]);
            for (int u = 0; u < EACH; u++)
                sum[u] += w * unpack16(vload16(u, from));
        }
    for (int u = 0; u < EACH; u++)
        vstore16(pack16(sum[u]), u, (global STORED *)(at.out + i * s->out_axis[0] + j));
}

#undef EACH
