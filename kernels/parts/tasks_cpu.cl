/* Tasks that the groups of a launch claim, one after the other and in order: a core that starts late or is slow takes
 * fewer. PoCL deals out groups by itself, but each thread's share of them at once.
 *
 * A queue's counters are zeros between its kernels: the last group to find no task left sets them back. One is for who
 * includes this. */
enum { NEXT_TASK, GROUPS_DONE, OWN_COUNT };

#define FOR_CLAIMED(task, n)                                                                                     \
    for (long task = atomic_inc(counters + NEXT_TASK); task < (n); task = atomic_inc(counters + NEXT_TASK))

inline void leave_tasks(volatile global uint *counters)
{
    if (atomic_inc(counters + GROUPS_DONE) == get_num_groups(0) - 1)
        counters[NEXT_TASK] = counters[GROUPS_DONE] = counters[OWN_COUNT] = 0;
}
