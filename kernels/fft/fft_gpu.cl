/* Fourier transforms on GPUs: a group transforms LINES lines of N numbers, a work-item some butterflies of each pass; between passes
 * they are in local memory. N and its radices are the program's own. */
#ifndef N
#define N 64
#define LINES 4
#define PASSES(PASS) PASS(16, 1) PASS(4, 16)
#define FIRST_BY_LANES 0
#define LAST_BY_LANES 0
#define FFT_LOAD FFT_COMPLEX
#define FFT_STORE FFT_COMPLEX
#define FFT_FLAGS 0
#endif
#include "parts/fft.cl"
#define V PART
#include "parts/fft_few.cl"

#define ITEMS 256
#define ROUNDS (FFT_HAS(FFT_FILTERED) ? 2 : 1)
/* A line of local memory, in which neighbours of 16 lie in other banks. */
#define SPOT(i) ((i) + ((i) >> 4))
#define LINE (SPOT(N) + 1)
#define EACH(R) ((LINES * (N / (R)) + ITEMS - 1) / ITEMS)
/* Which line, and which butterfly of it, the b-th of all is. */
#define LINE_OF(b, R, by_lanes) ((by_lanes) ? (b) % LINES : (b) / (N / (R)))
#define PLACE_OF(b, R, by_lanes) ((by_lanes) ? (b) / LINES : (b) % (N / (R)))
#define FOR_BUTTERFLIES(R, by_lanes)                                                                                   \
    FFT_UNROLL for (int u = 0; u < EACH(R); u++)                                                                       \
        for (int b = item + ITEMS * u, line = LINE_OF(b, R, by_lanes), t = PLACE_OF(b, R, by_lanes);                   \
             b < LINES * (N / (R)); b = INT_MAX)

/* Stockham's pass behind radices of product S, as in fft_cpu.cl: the first reads from memory, the last writes there. */
#define PASS(R, S)                                                                                                     \
    {                                                                                                                  \
        const bool first = S == 1 && round == 0, last = S * R == N && round == ROUNDS - 1;                             \
        const bool lanes = first ? FIRST_BY_LANES : last ? LAST_BY_LANES : false;                                      \
        PART re[EACH(R)][R], im[EACH(R)][R];                                                                           \
        FOR_BUTTERFLIES(R, lanes)                                                                                      \
        {                                                                                                              \
            FFT_UNROLL for (int k = 0; k < R; k++) {                                                                   \
                const int from = t + N / (R)*k;                                                                        \
                COMPUTE z = (COMPUTE)(0);                                                                              \
                if (!first)                                                                                            \
                    z = (COMPUTE)(x[line * LINE + SPOT(from)], y[line * LINE + SPOT(from)]);                           \
                else if (line < count)                                                                                 \
                    z = fft_load(s, at, lane + line, from, src, FFT_TABLES_GIVEN);                                     \
                re[u][k] = z.x;                                                                                        \
                im[u][k] = z.y;                                                                                        \
            }                                                                                                          \
            fft_dft##R(re[u], im[u]);                                                                                  \
            if (S * R != N)                                                                                            \
                FFT_UNROLL for (int j = 1; j < R; j++) {                                                               \
                    const COMPUTE w = turns[j * (t - t % S)];                                                          \
                    fft_times(re[u] + j, im[u] + j, w.x, w.y);                                                         \
                }                                                                                                      \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read what lay there */                                               \
        FOR_BUTTERFLIES(R, lanes)                                                                                      \
        {                                                                                                              \
            FFT_UNROLL for (int j = 0; j < R; j++) {                                                                   \
                const int to = t % S + S * ((t / S) * R + j);                                                          \
                COMPUTE z = (COMPUTE)(re[u][j], im[u][j]);                                                             \
                if (last && FFT_STORE < FFT_HALF) {                                                                    \
                    if (line < count)                                                                                  \
                        fft_store(s, at, lane + line, to, dst, z, scale, FFT_TABLES_GIVEN);                            \
                    continue;                                                                                          \
                }                                                                                                      \
                if (S * R == N && !last)                                                                               \
                    z = fft_filtered(s, at, lane + min((long)line, count - 1), to, filter, z);                         \
                x[line * LINE + SPOT(to)] = z.x;                                                                       \
                y[line * LINE + SPOT(to)] = z.y;                                                                       \
            }                                                                                                          \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
    }

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void fft_gpu(global PART *dst, global const PART *src, fft_step step, PART scale, FFT_TABLES)
{
    local PART x[LINES * LINE], y[LINES * LINE];
    const fft_step *s = &step;
    const int item = (int)get_local_id(0);
    const long strips = (s->lanes + LINES - 1) / LINES;
    for (long i = get_group_id(0); i < s->places * strips; i += get_num_groups(0)) {
        const long lane = i % strips * LINES, count = min((long)LINES, s->lanes - lane);
        const fft_place at = fft_place_of(s, i / strips);
        for (int round = 0; round < ROUNDS; round++) {
            PASSES(PASS)
        }
        if (FFT_STORE >= FFT_HALF)
            for (int b = item; b < count * (N + 1); b += ITEMS) {
                const int line = b / (N + 1), k = b % (N + 1);
                const int one = line * LINE + SPOT(k < N ? k : 0), other = line * LINE + SPOT(k ? N - k : 0);
                fft_store_unpacked(s, at.out + (lane + line) * s->out_lane, N, k, dst, (COMPUTE)(x[one], y[one]),
                                   (COMPUTE)(x[other], y[other]), scale, whole_roots);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
