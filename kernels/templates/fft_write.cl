/* The numbers of eight lines from the k-th up to that many, as WRITTEN has them, for fft_cpu.cl. */
inline long NAME(const fft_step *s, fft_place at, long lane, long k, long numbers, local const PART *x,
                 global DST_PART *dst, PART scale, global const PART *lane_roots, FFT_TABLES)
{
    const bool pairs = STORES(FFT_PAIRS);
    const long parts = pairs ? 1 : 2, apart = parts * s->out_step, lanes = parts * s->out_lane;
    const bool near = apart == 2 && (!pairs || s->out_unit == 1);
    const long blocks = near && lanes != 2 ? k + (numbers - k) / 8 * 8 : 0;
    global DST_PART *const first = dst + parts * (at.out + lane * s->out_lane);
    for (; k < blocks; k += 8) {
        V re[8], im[8];
        FFT_UNROLL for (int h = 0; h < 8; h++)
            WRITTEN(s, at, lane, k + h, x, scale, lane_roots, FFT_TABLES_GIVEN, re + h, im + h);
        fft_across(re);
        fft_across(im);
        FFT_UNROLL for (int l = 0; l < 8; l++) {
            PUT_DST(first + l * lanes + 2 * k, ZIP_LOW(re[l], im[l]));
            PUT_DST(first + l * lanes + 2 * k + 8, ZIP_HIGH(re[l], im[l]));
        }
    }
    for (; k < numbers; k++) {
        V re, im;
        global DST_PART *const to = first + k * apart;
        WRITTEN(s, at, lane, k, x, scale, lane_roots, FFT_TABLES_GIVEN, &re, &im);
        if (!pairs && lanes == 2) {
            PUT_DST(to, ZIP_LOW(re, im));
            PUT_DST(to + 8, ZIP_HIGH(re, im));
        } else if (pairs && lanes == 1) {
            PUT_DST(to, re);
            PUT_DST(to + s->out_unit, im);
        } else {
            const long other = pairs ? s->out_unit : 1;
            for (int l = 0; l < FFT_LANES; l++) {
                to[l * lanes] = (DST_PART)((private PART *)&re)[l];
                to[l * lanes + other] = (DST_PART)((private PART *)&im)[l];
            }
        }
    }
    return k;
}

#undef NAME
#undef WRITTEN
