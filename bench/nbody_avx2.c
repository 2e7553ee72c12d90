/* The yardstick for nbody: gravity by hand in AVX2 intrinsics on POSIX threads, without OpenCL.
 *
 *     cc -O3 -mavx2 -mfma -pthread bench/nbody_avx2.c -o nbody_avx2_f32 -lm
 *     cc -O3 -mavx2 -mfma -pthread -DDOUBLE bench/nbody_avx2.c -o nbody_avx2_f64 -lm
 *     nbody_avx2_f32 [bodies [seconds [threads]]]
 *
 * Two methods, each checked against a plain double sum before it is timed, one line each:
 *     nbody_avx2 f32 direct n=8192 threads=2 rate=7.2 best=7.3 error=3e-07
 * `direct` takes all n*n interactions; `mutual` takes each pair once and gives both bodies their share.
 * Rates count n*n interactions a step, in 1e9/s: the median of the repetitions, and the best of them.
 * A step is a whole one: forces, kick, drift. Softening is on, so that no mask is needed. */
#define _POSIX_C_SOURCE 200809L
#include <immintrin.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef DOUBLE
#define NAME "f64"
typedef double real;
typedef __m256d vector;
#define F(operation) _mm256_##operation##_pd
#define BROADCAST(p) _mm256_broadcast_sd(p)
#else
#define NAME "f32"
typedef float real;
typedef __m256 vector;
#define F(operation) _mm256_##operation##_ps
#define BROADCAST(p) _mm256_broadcast_ss(p)
#endif
#define LOAD(p) F(load)(p)
#define STORE(p, v) F(store)(p, v)
#define ADD(a, b) F(add)(a, b)
#define SUB(a, b) F(sub)(a, b)
#define MUL(a, b) F(mul)(a, b)
#define FMA(a, b, c) F(fmadd)(a, b, c)
#define SET(x) F(set1)((real)(x))

enum { WIDTH = sizeof(vector) / sizeof(real), VECTORS = 2, BLOCK = WIDTH * VECTORS, TILE = 256, MAX_THREADS = 64 };
static const double softening2 = 1e-4;

typedef struct system {
    size_t n, padded; /* bodies; rounded up to whole blocks with massless ones */
    int threads;
    real *x, *y, *z, *m, *minus_m, *vx, *vy, *vz; /* what a block of bodies reads */
    real *body;                                   /* x, y, z, m side by side: what is broadcast */
    real *pull[MAX_THREADS];                      /* a thread's part of the accelerations: 3 x padded */
    real kick, drift;
    void (*method)(struct system *, size_t, real *, real *);
    pthread_barrier_t barrier;
    size_t steps;
} system_t;

/* r^-3, but for the factor INVERSE_CUBE, which `move` applies to the sum. */
static vector inverse_cube(vector r2)
{
#ifdef DOUBLE
#define INVERSE_CUBE 1
    return F(div)(SET(1), MUL(r2, F(sqrt)(r2)));
#else
#define INVERSE_CUBE 1.5
    /* the hardware's 12-bit estimate y of r^-1; with e = 1 - r^2 y^2, r^-3 is y^3 (1 + 3/2 e + O(e^2)) */
    vector y = F(rsqrt)(r2), y2 = MUL(y, y);
    return MUL(MUL(y, y2), F(fnmadd)(r2, y2, SET(5.0 / 3.0)));
#endif
}

static vector distance2(vector dx, vector dy, vector dz, vector soft)
{
    return ADD(FMA(dx, dx, soft), FMA(dy, dy, MUL(dz, dz)));
}

/* Adds to ax, ay, az what the bodies [from, to) do to the block that starts at i. */
static inline void attract(const system_t *s, size_t i, size_t from, size_t to, vector *ax, vector *ay, vector *az)
{
    const vector soft = SET(softening2);
    for (const real *p = s->body + 4 * from, *end = s->body + 4 * to; p < end; p += 4) {
        const vector x = BROADCAST(p), y = BROADCAST(p + 1), z = BROADCAST(p + 2), m = BROADCAST(p + 3);
#pragma GCC unroll 4
        for (size_t k = 0; k < VECTORS; ++k) {
            const size_t b = i + k * WIDTH;
            const vector dx = SUB(x, LOAD(s->x + b)), dy = SUB(y, LOAD(s->y + b)), dz = SUB(z, LOAD(s->z + b));
            const vector w = MUL(m, inverse_cube(distance2(dx, dy, dz, soft)));
            ax[k] = FMA(w, dx, ax[k]), ay[k] = FMA(w, dy, ay[k]), az[k] = FMA(w, dz, az[k]);
        }
    }
}

static void direct(system_t *s, size_t thread, real *pull, real *reaction)
{
    (void)reaction;
    const size_t blocks = s->padded / BLOCK, threads = (size_t)s->threads;
    for (size_t i = blocks * thread / threads * BLOCK; i < blocks * (thread + 1) / threads * BLOCK; i += BLOCK) {
        vector ax[VECTORS], ay[VECTORS], az[VECTORS];
        for (size_t k = 0; k < VECTORS; ++k)
            ax[k] = ay[k] = az[k] = SET(0);
        attract(s, i, 0, s->n, ax, ay, az);
        for (size_t k = 0; k < VECTORS; ++k) {
            STORE(pull + i + k * WIDTH, ax[k]);
            STORE(pull + s->padded + i + k * WIDTH, ay[k]);
            STORE(pull + 2 * s->padded + i + k * WIDTH, az[k]);
        }
    }
}

/* The pairs of the block at i with the bodies [from, to) behind it; `reaction` holds what those bodies get,
 * still spread over the lanes. */
static inline void meet(const system_t *s, size_t i, size_t from, size_t to, real *reaction, vector *ax, vector *ay,
                        vector *az)
{
    const vector soft = SET(softening2);
    real *r = reaction;
    for (const real *p = s->body + 4 * from, *end = s->body + 4 * to; p < end; p += 4, r += 3 * WIDTH) {
        const vector x = BROADCAST(p), y = BROADCAST(p + 1), z = BROADCAST(p + 2), m = BROADCAST(p + 3);
        vector bx = LOAD(r), by = LOAD(r + WIDTH), bz = LOAD(r + 2 * WIDTH);
#pragma GCC unroll 4
        for (size_t k = 0; k < VECTORS; ++k) {
            const size_t b = i + k * WIDTH;
            const vector dx = SUB(x, LOAD(s->x + b)), dy = SUB(y, LOAD(s->y + b)), dz = SUB(z, LOAD(s->z + b));
            const vector c = inverse_cube(distance2(dx, dy, dz, soft));
            const vector w = MUL(c, m), u = MUL(c, LOAD(s->minus_m + b));
            ax[k] = FMA(w, dx, ax[k]), ay[k] = FMA(w, dy, ay[k]), az[k] = FMA(w, dz, az[k]);
            bx = FMA(u, dx, bx), by = FMA(u, dy, by), bz = FMA(u, dz, bz);
        }
        STORE(r, bx), STORE(r + WIDTH, by), STORE(r + 2 * WIDTH, bz);
    }
}

static real lanes(const real *r)
{
    real sum = 0;
    for (size_t k = 0; k < WIDTH / 2; ++k)
        sum += r[k] + r[k + WIDTH / 2];
    return sum;
}

/* Tiles of bodies against the blocks before them; the threads take every second (third ...) block. */
static void mutual(system_t *s, size_t thread, real *pull, real *reaction)
{
    const size_t padded = s->padded;
    memset(pull, 0, 3 * padded * sizeof *pull);
    for (size_t from = 0; from < s->n; from += TILE) {
        const size_t to = from + TILE < s->n ? from + TILE : s->n;
        memset(reaction, 0, 3 * WIDTH * TILE * sizeof *reaction);
        for (size_t i = thread * BLOCK; i < to; i += (size_t)s->threads * BLOCK) {
            vector ax[VECTORS], ay[VECTORS], az[VECTORS];
            for (size_t k = 0; k < VECTORS; ++k) {
                ax[k] = LOAD(pull + i + k * WIDTH);
                ay[k] = LOAD(pull + padded + i + k * WIDTH);
                az[k] = LOAD(pull + 2 * padded + i + k * WIDTH);
            }
            size_t behind = from;
            if (i >= from) {
                behind = i + BLOCK < to ? i + BLOCK : to;
                attract(s, i, i, behind, ax, ay, az);
            }
            meet(s, i, behind, to, reaction + 3 * WIDTH * (behind - from), ax, ay, az);
            for (size_t k = 0; k < VECTORS; ++k) {
                STORE(pull + i + k * WIDTH, ax[k]);
                STORE(pull + padded + i + k * WIDTH, ay[k]);
                STORE(pull + 2 * padded + i + k * WIDTH, az[k]);
            }
        }
        for (size_t j = from; j < to; ++j)
            for (size_t c = 0; c < 3; ++c)
                pull[c * padded + j] += lanes(reaction + WIDTH * (3 * (j - from) + c));
    }
}

static void *allocate(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory)
        exit(1);
    return memset(memory, 0, bytes);
}

static void move(system_t *s, size_t thread)
{
    const size_t blocks = s->padded / BLOCK, threads = (size_t)s->threads;
    const size_t parts = s->method == mutual ? threads : 1;
    real *position[3] = {s->x, s->y, s->z}, *velocity[3] = {s->vx, s->vy, s->vz};
    const size_t from = blocks * thread / threads * BLOCK, to = blocks * (thread + 1) / threads * BLOCK;
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = from; i < to; ++i) {
            real a = 0;
            for (size_t part = 0; part < parts; ++part)
                a += s->pull[part][c * s->padded + i];
            velocity[c][i] += s->kick * (real)INVERSE_CUBE * a;
            position[c][i] += s->drift * velocity[c][i];
            s->body[4 * i + c] = position[c][i];
        }
}

typedef struct task {
    system_t *s;
    size_t thread;
} task;

static void *work(void *argument)
{
    system_t *s = ((task *)argument)->s;
    const size_t thread = ((task *)argument)->thread;
    real *reaction = allocate(3 * WIDTH * TILE * sizeof *reaction);
    for (size_t step = 0; step < s->steps; ++step) {
        s->method(s, thread, s->pull[s->method == mutual ? thread : 0], reaction);
        pthread_barrier_wait(&s->barrier);
        move(s, thread);
        pthread_barrier_wait(&s->barrier);
    }
    free(reaction);
    return NULL;
}

static double run(system_t *s, size_t steps)
{
    struct timespec a, b;
    pthread_t threads[MAX_THREADS];
    task tasks[MAX_THREADS];
    s->steps = steps;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int k = 0; k < s->threads; ++k) {
        tasks[k] = (task){s, (size_t)k};
        if (k > 0 && pthread_create(&threads[k], NULL, work, &tasks[k]) != 0)
            exit(1);
    }
    work(&tasks[0]);
    for (int k = 1; k < s->threads; ++k)
        pthread_join(threads[k], NULL);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

static void fill(system_t *s)
{
    unsigned seed = 12345;
    for (size_t i = 0; i < s->padded; ++i) {
        real *p = s->body + 4 * i;
        for (size_t c = 0; c < 3; ++c)
            p[c] = (real)((seed = seed * 1664525u + 1013904223u) >> 8) / (real)(1 << 24);
        p[3] = i < s->n ? (real)1 / (real)s->n : 0;
        s->x[i] = p[0], s->y[i] = p[1], s->z[i] = p[2], s->m[i] = p[3], s->minus_m[i] = -p[3];
        s->vx[i] = s->vy[i] = s->vz[i] = 0;
    }
}

/* The largest difference from a plain sum in double, relative to the largest acceleration seen. */
static double error(system_t *s)
{
    double worst = 0, scale = 0;
    fill(s);
    s->kick = 1, s->drift = 0;
    run(s, 1);
    for (size_t i = 0; i < s->n; i += 1 + s->n / 100) {
        double a[3] = {0, 0, 0};
        const double v[3] = {(double)s->vx[i], (double)s->vy[i], (double)s->vz[i]};
        for (size_t j = 0; j < s->n; ++j) {
            double d[3], r2 = softening2;
            for (size_t c = 0; c < 3; ++c)
                d[c] = (double)s->body[4 * j + c] - (double)s->body[4 * i + c], r2 += d[c] * d[c];
            for (size_t c = 0; c < 3; ++c)
                a[c] += (double)s->body[4 * j + 3] * d[c] / (r2 * sqrt(r2));
        }
        for (size_t c = 0; c < 3; ++c) {
            worst = fmax(worst, fabs(v[c] - a[c]));
            scale = fmax(scale, fabs(a[c]));
        }
    }
    return scale > 0 ? worst / scale : worst;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(system_t *s, const char *name, double seconds)
{
    enum { MOST = 1000 };
    static double times[MOST];
    const double n = (double)s->n, off = error(s);
    fill(s);
    s->kick = s->drift = (real)1e-6;
    const double once = run(s, 1);
    const size_t steps = once < 2e-3 ? (size_t)(2e-3 / once) + 1 : 1;
    size_t count = 0;
    for (double spent = 0; count < 3 || (spent < seconds && count < MOST); ++count) {
        times[count] = run(s, steps);
        spent += times[count];
    }
    qsort(times, count, sizeof *times, ascending);
    const double work_done = n * n * (double)steps * 1e-9;
    printf("nbody_avx2 %s %s n=%zu threads=%d rate=%.3f best=%.3f error=%.1e\n", NAME, name, s->n, s->threads,
           work_done / times[count / 2], work_done / times[0], off);
}

int main(int argc, char **argv)
{
    const long bodies = argc > 1 ? strtol(argv[1], NULL, 10) : 8192;
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 0.5;
    const long threads = argc > 3 ? strtol(argv[3], NULL, 10) : 2;
    if (bodies < 1 || threads < 1 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: %s [bodies [seconds [threads]]]\n", argv[0]);
        return 2;
    }
    system_t s = {.n = (size_t)bodies, .threads = (int)threads};
    s.padded = (s.n + BLOCK - 1) / BLOCK * BLOCK;
    real **arrays[] = {&s.x, &s.y, &s.z, &s.m, &s.minus_m, &s.vx, &s.vy, &s.vz};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
        *arrays[k] = allocate(s.padded * sizeof(real));
    s.body = allocate(4 * s.padded * sizeof(real));
    for (int k = 0; k < s.threads; ++k)
        s.pull[k] = allocate(3 * s.padded * sizeof(real));
    pthread_barrier_init(&s.barrier, NULL, (unsigned)s.threads);
    s.method = direct;
    measure(&s, "direct", seconds);
    s.method = mutual;
    measure(&s, "mutual", seconds);
    return 0;
}
