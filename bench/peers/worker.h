/* A peer as a process that lives as long as the benchmark: it reads commands on its standard input and answers each
 * with one line, so that its measurements can be taken in turns with ours.
 *
 *     ready <what it is>                                        said at the start
 *     prepare <slot> <peer> <operation> <dtype> <numbers...>    ok, or: no <why>; the operation has then run once
 *     run <slot> <calls> <warm>                                 ok <seconds per call>, calls back to back; where
 *                                                               warm is 1, one before them that is not counted
 *     get <slot> <from> <count> <file>                          ok; elements of the result, counted from 0, raw
 *     drop <slot>                                               ok; memory is given back
 *
 * A slot is a word for what is prepared there. These workers in C have one, and are started once for each.
 *
 * Arrays hold the same numbers on every side: see block_store and bench/data.lua.
 */
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK_LENGTH 65521 /* a prime: the repeats never fall on the same place of a power of two */
#define SECOND_SHIFT 30011 /* where the second operand starts in the block */
#define MAX_NUMBERS 24

typedef struct request {
    char peer[32], operation[32], dtype[8];
    long number[MAX_NUMBERS]; /* zeros past the last */
    int count;
} request;

/* What a peer fills in when it prepares. */
typedef struct job {
    void (*call)(void);                    /* one call, perhaps only enqueued */
    void (*finish)(void);                  /* waits for all calls; may be NULL */
    double (*timed)(long calls, int warm); /* instead of both: seconds per call */
    const void *result;                    /* on the host, up to date after finish */
    size_t item_bytes;
    double quiet; /* seconds until its threads sleep after work */
} job;

/* Frees what the last prepare left, then prepares; NULL if fine, else why not. */
const char *peer_prepare(const request *wanted, job *out);
void peer_drop(void);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_for(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

static uint32_t block_next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static size_t dtype_bytes(const char *dtype)
{
    int bits = atoi(dtype + 1);
    return (size_t)bits / 8;
}

/* Draws one element: floats in [0, 1), integers in 0..127. False for a dtype that C lacks. */
static int block_store(void *element, const char *dtype, uint32_t *state)
{
    size_t bytes = dtype_bytes(dtype);
    uint32_t v = block_next(state);
    if (strcmp(dtype, "f32") == 0) {
        *(float *)element = (float)v * 0x1p-24f;
    } else if (strcmp(dtype, "f64") == 0) {
        *(double *)element = v * 0x1p-24 + block_next(state) * 0x1p-48;
    } else if (dtype[0] != 'f' && bytes > 0) {
        memset(element, 0, bytes);
        *(unsigned char *)element = (unsigned char)(v >> 16 & 127); /* little-endian */
    } else {
        return 0;
    }
    return 1;
}

/* An array of the block repeated, from one of its places on; `period` values are drawn. NULL where it cannot be. */
static inline void *sequence_array(const char *dtype, size_t count, size_t shift, size_t period)
{
    size_t bytes = dtype_bytes(dtype);
    char *block = malloc(period * bytes), *out = NULL;
    if (block == NULL || posix_memalign((void **)&out, 64, count * bytes + 64) != 0)
        exit(1);
    uint32_t state = 1;
    for (size_t i = 0; i < period; i++) {
        if (!block_store(block + i * bytes, dtype, &state)) {
            free(block);
            free(out);
            return NULL;
        }
    }
    for (size_t i = 0, at = shift % period; i < count; at = 0) {
        size_t run = period - at < count - i ? period - at : count - i;
        memcpy(out + i * bytes, block + at * bytes, run * bytes);
        i += run;
    }
    free(block);
    return out;
}

static inline void *block_array(const char *dtype, size_t count, size_t shift)
{
    return sequence_array(dtype, count, shift, BLOCK_LENGTH);
}

static inline void *zero_array(const char *dtype, size_t count)
{
    void *out = NULL;
    if (posix_memalign(&out, 64, count * dtype_bytes(dtype) + 64) != 0)
        exit(1);
    memset(out, 0, count * dtype_bytes(dtype)); /* touched, so that no page faults are timed */
    return out;
}

static double seconds_per_call(const job *j, long calls, int warm)
{
    if (j->timed != NULL)
        return j->timed(calls, warm);
    if (warm)
        j->call();
    if (warm && j->finish != NULL)
        j->finish();
    double start = now();
    for (long i = 0; i < calls; i++)
        j->call();
    if (j->finish != NULL)
        j->finish();
    return (now() - start) / (double)calls;
}

static int parse_request(request *out, char *text)
{
    int used = 0;
    memset(out, 0, sizeof *out);
    if (sscanf(text, "%*s %31s %31s %7s%n", out->peer, out->operation, out->dtype, &used) != 3)
        return 0;
    char *at = text + used, *end;
    for (long value = strtol(at, &end, 10); end != at && out->count < MAX_NUMBERS; value = strtol(at, &end, 10)) {
        out->number[out->count++] = value;
        at = end;
    }
    return 1;
}

static void answer_get(const job *j, const char *text)
{
    size_t from, count;
    char path[512];
    if (sscanf(text, "%*s %zu %zu %511s", &from, &count, path) != 3 || j->result == NULL) {
        puts("no result");
        return;
    }
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        puts("no file");
        return;
    }
    fwrite((const char *)j->result + from * j->item_bytes, j->item_bytes, count, file);
    fclose(file);
    puts("ok");
}

static int worker_serve(const char *what)
{
    char line[1024];
    job j = {0};
    printf("ready %s\n", what);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        request wanted;
        if (strncmp(line, "run ", 4) == 0 && (j.call != NULL || j.timed != NULL)) {
            long calls = 1;
            int warm = 0;
            sscanf(line + 4, "%*s %ld %d", &calls, &warm);
            double seconds = seconds_per_call(&j, calls, warm);
            pause_for(j.quiet);
            printf("ok %.9g\n", seconds);
        } else if (strncmp(line, "prepare ", 8) == 0 && parse_request(&wanted, line + 8)) {
            j = (job){.item_bytes = dtype_bytes(wanted.dtype)};
            const char *problem = peer_prepare(&wanted, &j);
            if (problem == NULL)
                seconds_per_call(&j, 1, 0);
            else
                j = (job){0};
            printf(problem == NULL ? "ok\n" : "no %s\n", problem);
        } else if (strncmp(line, "get ", 4) == 0) {
            answer_get(&j, line + 4);
        } else {
            peer_drop();
            j = (job){0};
            puts("ok");
        }
        fflush(stdout);
    }
    return 0;
}

#endif
