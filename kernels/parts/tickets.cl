/* Tickets, by which the work-item that stores an output's last part knows that it is the last. CPUs. */
/* To be called when a part of an output is stored: was it the last one? Then those that other work-items stored before
 * can be read: clang's atomics order memory, and those of other compilers do so on processors. */
inline bool was_last(volatile global uint *ticket, long parts)
{
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
    const uint before = __atomic_fetch_add(ticket, 1u, __ATOMIC_ACQ_REL);
#else
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const uint before = atomic_inc(ticket);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
    if (before != (uint)(parts - 1))
        return false;
    *ticket = 0; /* for the next launch */
    return true;
}
