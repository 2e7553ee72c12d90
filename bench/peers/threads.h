/* For peers with threads of their own. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stdint.h>

#define MAX_THREADS 256

static pthread_barrier_t line;

/* Seconds between the two waits at `line` that `work` has in each of `count` threads: when what is not timed is over in
 * all, and when all is. Its argument is the thread's number, from 0. */
static double timed_threads(int count, void *(*work)(void *))
{
    pthread_t thread[MAX_THREADS];
    pthread_barrier_init(&line, NULL, (unsigned)count + 1);
    for (int t = 0; t < count; t++)
        if (pthread_create(&thread[t], NULL, work, (void *)(intptr_t)t) != 0)
            exit(1);
    pthread_barrier_wait(&line);
    double start = now();
    pthread_barrier_wait(&line);
    double seconds = now() - start;
    for (int t = 0; t < count; t++)
        pthread_join(thread[t], NULL);
    pthread_barrier_destroy(&line);
    return seconds;
}

#endif
