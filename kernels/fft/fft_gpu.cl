/* Fourier transforms on GPUs: a group transforms LINES lines of N numbers, ITEMS_EACH work-items a line. A work-item
 * holds some butterflies of each pass in registers; from pass to pass the numbers go through local memory. The
 * program's text says all that is the same for a step's lines: each kind of step has a program. */
#ifndef N
#define N 64
#define LINES 4
#define ITEMS_EACH 4
#define HELD 16       /* numbers of a work-item */
#define PARTS 1       /* of a line, of which local memory holds one at a time */
#define PADDED true   /* is it wider than the numbers are? */
#define TOGETHER true /* does it hold real and imaginary parts at once? */
#define PASSES(COME, PASS, GO) COME(16, false) PASS(16, 1, false, 4, false) GO(4, false)
#define ALL_BY_LANES false
#define WHOLE_STRIPS false /* are there LINES lines everywhere? */
#define FFT_LOAD FFT_COMPLEX
#define FFT_STORE FFT_COMPLEX
#define FFT_FLAGS 0
#define FFT_PLAIN_IN 0
#define FFT_PLAIN_OUT 0
#define FFT_AXES_USED 1
#define FFT_INDEX long
#define FFT_IN_STEP 1
#define FFT_OUT_STEP 1
#endif
#define FFT_TURNS_OUT false /* GO does */
#include "parts/fft.cl"
#pragma OPENCL FP_CONTRACT ON
#define V PART
#include "parts/fft_few.cl"
#include "parts/fft_products.cl"

/* The place in local memory: neighbours of 16 are in other banks, and so are lines. Of powers of 2 the place of a sum
 * is the sum of the places, since i and j have no bit in common. */
#define SPOT(i) (PADDED ? (i) + ((i) >> 4) : (i))
#define SPOT_OF_SUM(i, j) (PADDED && (N & (N - 1)) ? SPOT((i) + (j)) : SPOT(i) + SPOT(j))
#define HELD_THERE ((N + PARTS - 1) / PARTS) /* of a line */
#define ROW (SPOT(HELD_THERE) | 1)
#define ROOM (LINES * (ALL_BY_LANES ? SPOT(HELD_THERE) : ROW))
#define ADDRESS(line, spot) (ALL_BY_LANES ? (spot)*LINES + (line) : (line)*ROW + (spot))

/* Neighbouring work-items have butterflies of one line, or of neighbouring lines. */
#define LINE(by_lanes) ((by_lanes) ? item % LINES : item / ITEMS_EACH)
#define FIRST(by_lanes) ((by_lanes) ? item / LINES : item % ITEMS_EACH)
#define EACH(R) ((N / (R) + ITEMS_EACH - 1) / ITEMS_EACH)
#define FOR_BUTTERFLIES(R, by_lanes, t)                                                                                \
    FFT_UNROLL for (int u = 0, t = FIRST(by_lanes); u < EACH(R);                                                       \
                    u++, t += ITEMS_EACH) if (N / (R) % ITEMS_EACH == 0 || t < N / (R))
#define FOR_NUMBERS(R, by_lanes, t, j)                                                                                 \
    FOR_BUTTERFLIES(R, by_lanes, t)                                                                                    \
    FFT_UNROLL for (int j = 0; j < (R); j++)

/* The position from which number j of a butterfly comes, and where it goes behind passes whose radices have the product
 * S. */
#define FROM(R, t, j) ((t) + N / (R) * (j))
#define SPOT_FROM(R, t, j, below) SPOT_OF_SUM(t, N / (R) * (j) - (below))
#define TO(R, S, t, j) ((t) % (S) + (S) * (R) * ((t) / (S)) + (S) * (j))
#define SPOT_TO(R, S, t, j, below) SPOT_OF_SUM(TO(R, S, t, 0) - (below), (S) * (j))
#define MIRRORED(R, t, j) ((N - FROM(R, t, j)) % N)
#define SPOT_MIRRORED(R, t, j, below) SPOT(MIRRORED(R, t, j) - (below))

/* Numbers through local memory: both components at once, or first all real parts, then all imaginary ones, PARTS of
 * each. What butterflies of R numbers put there those of NEXT numbers take, by the position TAKEN. */
#define HERE(i) (PARTS == 1 || (uint)(i) < HELD_THERE)
#define HERE_TO(R, S, t, j, below) HERE(TO(R, S, t, HELD_THERE % ((S) * (R)) ? (j) : 0) - (below))
#define HERE_FROM(R, t, j, below) HERE(FROM(R, HELD_THERE % (N / (R)) ? (t) : 0, j) - (below))
#define HERE_MIRRORED(R, t, j, below) HERE(MIRRORED(R, t, j) - (below))
#define HAND_OVER(R, S, by_lanes, NEXT, next_by_lanes, TAKEN, to_re, to_im)                                            \
    FFT_UNROLL for (int round = 0; round < (TOGETHER ? 1 : 2 * PARTS); round++)                                        \
    {                                                                                                                  \
        const bool reals = TOGETHER || round < PARTS, imaginaries = TOGETHER || round >= PARTS;                        \
        const int below = round % PARTS * HELD_THERE;                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        FOR_NUMBERS(R, by_lanes, t, j)                                                                                 \
        {                                                                                                              \
            const bool here = HERE_TO(R, S, t, j, below);                                                              \
            const int i = ADDRESS(LINE(by_lanes), SPOT_TO(R, S, t, j, below));                                         \
            if (here && reals)                                                                                         \
                x[i] = re[u * (R) + j];                                                                                \
            if (here && imaginaries)                                                                                   \
                y[i] = im[u * (R) + j];                                                                                \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        FOR_NUMBERS(NEXT, next_by_lanes, t, j)                                                                         \
        {                                                                                                              \
            const bool here = HERE_##TAKEN(NEXT, t, j, below);                                                         \
            const int i = ADDRESS(LINE(next_by_lanes), SPOT_##TAKEN(NEXT, t, j, below));                               \
            if (here && reals)                                                                                         \
                to_re[u * (NEXT) + j] = x[i];                                                                          \
            if (here && imaginaries)                                                                                   \
                to_im[u * (NEXT) + j] = y[i];                                                                          \
        }                                                                                                              \
    }

/* The numbers of a butterfly times `by` and the powers of a root that ROOT finds in a table: up to the third, and each
 * fourth; the others are products of two of them. */
#define TURN(R, ROOT, by)                                                                                              \
    {                                                                                                                  \
        COMPUTE low[4], high = (COMPUTE)(0);                                                                           \
        FFT_UNROLL for (int j = 1; j < (R); j++)                                                                       \
        {                                                                                                              \
            if (j < 4)                                                                                                 \
                low[j] = ROOT(j);                                                                                      \
            else if (j % 4 == 0)                                                                                       \
                high = ROOT(j);                                                                                        \
            const COMPUTE power = j < 4 ? low[j] : j % 4 == 0 ? high : fft_product(high, low[j % 4]);                  \
            const COMPUTE w = by, z = fft_product((COMPUTE)(re[u * (R) + j], im[u * (R) + j]), w);                     \
            re[u * (R) + j] = z.x;                                                                                     \
            im[u * (R) + j] = z.y;                                                                                     \
        }                                                                                                              \
    }
#define BETWEEN_PASSES(j) turns[(j)*turned]
#define BETWEEN_STEPS(j) fft_root(roots, s->shift, (j)*turned)

/* The first pass reads; each is as in fft_cpu.cl Stockham's behind radices of product S. */
#define COME(R, by_lanes)                                                                                              \
    const int in_line = LINE(by_lanes);                                                                                \
    const fft_place from = fft_line_of(s, at, lane + in_line);                                                         \
    FOR_NUMBERS(R, by_lanes, t, j)                                                                                     \
    {                                                                                                                  \
        COMPUTE z = (COMPUTE)(0);                                                                                      \
        if (WHOLE_STRIPS || in_line < count)                                                                           \
            z = fft_load(s, from, 0, FROM(R, t, j), src, FFT_TABLES_GIVEN);                                            \
        re[u * (R) + j] = z.x;                                                                                         \
        im[u * (R) + j] = z.y;                                                                                         \
    }
#define PASS(R, S, by_lanes, NEXT, next_by_lanes)                                                                      \
    {                                                                                                                  \
        FOR_BUTTERFLIES(R, by_lanes, t)                                                                                \
        {                                                                                                              \
            fft_dft##R(re + u * (R), im + u * (R));                                                                    \
            if ((S) * (R) < N) {                                                                                       \
                const int turned = t - t % (S);                                                                        \
                TURN(R, BETWEEN_PASSES, power)                                                                         \
            } else {                                                                                                   \
                const long other = lane + (WHOLE_STRIPS ? LINE(by_lanes) : min((long)LINE(by_lanes), count - 1));      \
                FFT_UNROLL for (int j = 0; j < (R); j++)                                                               \
                {                                                                                                      \
                    const COMPUTE z = (COMPUTE)(re[u * (R) + j], im[u * (R) + j]);                                     \
                    const COMPUTE to = fft_filtered(s, at, other, FROM(R, t, j), filter, z);                           \
                    re[u * (R) + j] = to.x;                                                                            \
                    im[u * (R) + j] = to.y;                                                                            \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        PART next_re[HELD], next_im[HELD];                                                                             \
        HAND_OVER(R, S, by_lanes, NEXT, next_by_lanes, FROM, next_re, next_im)                                         \
        FFT_UNROLL for (int i = 0; i < EACH(NEXT) * (NEXT); i++)                                                       \
        {                                                                                                              \
            re[i] = next_re[i];                                                                                        \
            im[i] = next_im[i];                                                                                        \
        }                                                                                                              \
    }
/* The last pass leaves its numbers in order: they come from where they go to. */
#define GO(R, by_lanes)                                                                                                \
    const int out_line = LINE(by_lanes);                                                                               \
    const fft_place to = fft_line_of(s, at, lane + out_line);                                                          \
    FOR_BUTTERFLIES(R, by_lanes, t)                                                                                    \
    {                                                                                                                  \
        fft_dft##R(re + u * (R), im + u * (R));                                                                        \
        if (FFT_HAS(FFT_TURN_OUT)) {                                                                                   \
            FFT_INDEX turned = (FFT_INDEX)to.from * (N / (R));                                                         \
            const COMPUTE one = fft_root(roots, s->shift, (FFT_INDEX)to.from * t);                                     \
            fft_times(re + u * (R), im + u * (R), one.x, one.y);                                                       \
            TURN(R, BETWEEN_STEPS, fft_product(one, power))                                                            \
        }                                                                                                              \
        if (FFT_STORE < FFT_HALF && (WHOLE_STRIPS || out_line < count))                                                \
            FFT_UNROLL for (int j = 0; j < (R); j++)                                                                   \
            {                                                                                                          \
                const COMPUTE z = (COMPUTE)(re[u * (R) + j], im[u * (R) + j]);                                         \
                fft_store(s, to, 0, FROM(R, t, j), dst, z, scale, FFT_TABLES_GIVEN);                                   \
            }                                                                                                          \
    }                                                                                                                  \
    if (FFT_STORE >= FFT_HALF) {                                                                                       \
        PART other_re[HELD], other_im[HELD];                                                                           \
        HAND_OVER(R, N / (R), by_lanes, R, by_lanes, MIRRORED, other_re, other_im)                                     \
        FOR_NUMBERS(R, by_lanes, t, j)                                                                                 \
        {                                                                                                              \
            const COMPUTE one = (COMPUTE)(re[u * (R) + j], im[u * (R) + j]);                                           \
            const COMPUTE other = (COMPUTE)(other_re[u * (R) + j], other_im[u * (R) + j]);                             \
            if (WHOLE_STRIPS || out_line < count) {                                                                    \
                fft_store_unpacked(s, to.out, N, FROM(R, t, j), dst, one, other, scale, whole_roots);                  \
                if (FROM(R, t, j) == 0)                                                                                \
                    fft_store_unpacked(s, to.out, N, N, dst, one, one, scale, whole_roots);                            \
            }                                                                                                          \
        }                                                                                                              \
    }

kernel __attribute__((reqd_work_group_size(LINES * ITEMS_EACH, 1, 1))) void fft_gpu(global DST_PART *dst,
                                                                                    global const SRC_PART *src,
                                                                                    fft_step step, PART scale,
                                                                                    FFT_TABLES)
{
    local PART room[ROOM * (TOGETHER ? 2 : 1)], *const x = room, *const y = TOGETHER ? room + ROOM : room;
    const fft_step *s = &step;
    const int item = (int)get_local_id(0);
    const FFT_INDEX strips = (FFT_INDEX)((s->lanes + LINES - 1) / LINES), all = (FFT_INDEX)s->places * strips;
    for (FFT_INDEX i = (FFT_INDEX)get_group_id(0); i < all; i += (FFT_INDEX)get_num_groups(0)) {
        const long lane = (long)(i % strips) * LINES, count = min((long)LINES, s->lanes - lane);
        const fft_place at = fft_place_of(s, i / strips);
        PART re[HELD], im[HELD];
        PASSES(COME, PASS, GO)
    }
}
