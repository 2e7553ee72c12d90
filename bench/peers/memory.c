/* What the memory gives: peers of everything that only moves or reads data.
 * prepare memcpy|memcpy_threads copy <dtype> <elements>
 * prepare read sum <dtype> <axis> <sizes...>       reads as many bytes, with all cores, and adds them up as words */
#include "worker.h"
#include "threads.h"

#include <unistd.h>

typedef uint64_t words __attribute__((vector_size(32)));

static char *from, *to;
static size_t bytes;
static long calls_wanted;
static int threads, reading, warm_wanted;
static uint64_t sums[MAX_THREADS][8];

void peer_drop(void)
{
    free(from);
    free(to);
    from = to = NULL;
}

/* Eight accumulators: enough loads in flight for the memory. */
static uint64_t read_words(const char *data, size_t length)
{
    const words *w = (const words *)data;
    words s[8] = {{0}};
    size_t count = length / sizeof(words), i = 0;
    for (; i + 8 <= count; i += 8)
        for (int j = 0; j < 8; j++)
            s[j] += w[i + (size_t)j];
    for (; i < count; i++)
        s[0] += w[i];
    for (int j = 1; j < 8; j++)
        s[0] += s[j];
    return s[0][0] + s[0][1] + s[0][2] + s[0][3];
}

/* The part of thread t, in whole cache lines but for the last. */
static size_t part_start(int t) { return t == threads ? bytes : bytes / 64 * (size_t)t / (size_t)threads * 64; }

static void *work(void *argument)
{
    int t = (int)(intptr_t)argument;
    size_t start = part_start(t), length = part_start(t + 1) - start;
    for (long i = warm_wanted ? -1 : 0; i < calls_wanted; i++) {
        if (i == 0)
            pthread_barrier_wait(&line); /* the untimed call is over, of all */
        if (reading)
            sums[t][0] += read_words(from + start, length);
        else
            memcpy(to + start, from + start, length);
        __asm__ volatile("" ::: "memory");
    }
    pthread_barrier_wait(&line);
    return NULL;
}

static double timed(long calls, int warm)
{
    calls_wanted = calls;
    warm_wanted = warm;
    return timed_threads(threads, work) / (double)calls;
}

static const char *prepare_copy(const request *wanted, job *out)
{
    size_t count = (size_t)wanted->number[0];
    bytes = count * dtype_bytes(wanted->dtype);
    from = block_array(wanted->dtype, count, 0);
    if (from == NULL)
        return "no such dtype in C";
    to = zero_array(wanted->dtype, count);
    out->result = to;
    return NULL;
}

static const char *prepare_read(const request *wanted)
{
    size_t count = 1;
    for (int i = 1; i < wanted->count; i++)
        count *= (size_t)wanted->number[i];
    bytes = count * dtype_bytes(wanted->dtype);
    from = block_array(wanted->dtype, count, 0);
    return from == NULL ? "no such dtype in C" : NULL;
}

const char *peer_prepare(const request *wanted, job *out)
{
    peer_drop();
    reading = strcmp(wanted->peer, "read") == 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    threads = strcmp(wanted->peer, "memcpy") == 0 ? 1 : cores < MAX_THREADS ? (int)cores : MAX_THREADS;
    out->timed = timed;
    return reading ? prepare_read(wanted) : prepare_copy(wanted, out);
}

int main(void)
{
    char what[64];
    snprintf(what, sizeof what, "libc, %ld cores", sysconf(_SC_NPROCESSORS_ONLN));
    return worker_serve(what);
}
