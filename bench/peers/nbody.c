/* The hand-written AVX2 n-body as a peer: whole steps (forces, kick, drift), softening 0.01; -DDOUBLE for f64.
 * prepare avx2|avx2_mutual nbody f32|f64 <bodies> ... */
#define main nbody_avx2_main
#include "../nbody_avx2.c"
#undef main
#include "worker.h"

#include <unistd.h>

static system_t bodies;
static real *accelerations;

void peer_drop(void)
{
    real **arrays[] = {&bodies.x,  &bodies.y,  &bodies.z,  &bodies.m,    &bodies.minus_m,
                       &bodies.vx, &bodies.vy, &bodies.vz, &bodies.body, &accelerations};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        free(*arrays[k]);
        *arrays[k] = NULL;
    }
    for (int k = 0; k < MAX_THREADS; k++) {
        free(bodies.pull[k]);
        bodies.pull[k] = NULL;
    }
}

/* As its own `fill`, with the bodies of bench/data.lua. */
static void place_bodies(system_t *s)
{
    real *values = sequence_array(NAME, 4 * s->n, 0, 4 * s->n);
    for (size_t i = 0; i < s->n; i++) {
        real *p = s->body + 4 * i;
        memcpy(p, values + 4 * i, 4 * sizeof *p);
        p[3] /= (real)s->n;
        s->x[i] = p[0], s->y[i] = p[1], s->z[i] = p[2], s->m[i] = p[3], s->minus_m[i] = -p[3];
    }
    free(values);
}

static void make_bodies(system_t *s, size_t n)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *s = (system_t){.n = n, .threads = cores < MAX_THREADS ? (int)cores : MAX_THREADS};
    s->padded = (n + BLOCK - 1) / BLOCK * BLOCK;
    real **arrays[] = {&s->x, &s->y, &s->z, &s->m, &s->minus_m, &s->vx, &s->vy, &s->vz};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *arrays[k] = allocate(s->padded * sizeof(real));
    s->body = allocate(4 * s->padded * sizeof(real));
    for (int k = 0; k < s->threads; k++)
        s->pull[k] = allocate(3 * s->padded * sizeof(real));
}

static double timed(long steps, int warm)
{
    if (warm)
        run(&bodies, 1);
    return run(&bodies, (size_t)steps) / (double)steps;
}

const char *peer_prepare(const request *wanted, job *out)
{
    peer_drop();
    if (strcmp(wanted->operation, "nbody") != 0 || strcmp(wanted->dtype, NAME) != 0)
        return "nbody in " NAME " only";
    size_t n = (size_t)wanted->number[0];
    make_bodies(&bodies, n);
    place_bodies(&bodies);
    bodies.method = strcmp(wanted->peer, "avx2_mutual") == 0 ? mutual : direct;
    pthread_barrier_init(&bodies.barrier, NULL, (unsigned)bodies.threads);
    bodies.kick = 1; /* from rest: the velocities are then the accelerations */
    bodies.drift = 0;
    run(&bodies, 1);
    accelerations = allocate(4 * n * sizeof(real));
    for (size_t i = 0; i < n; i++) {
        accelerations[4 * i] = bodies.vx[i];
        accelerations[4 * i + 1] = bodies.vy[i];
        accelerations[4 * i + 2] = bodies.vz[i];
    }
    bodies.kick = bodies.drift = (real)1e-6;
    out->timed = timed;
    out->result = accelerations;
    return NULL;
}

int main(void)
{
    char what[64];
    snprintf(what, sizeof what, "AVX2 in C, %s, %ld cores", NAME, sysconf(_SC_NPROCESSORS_ONLN));
    return worker_serve(what);
}
