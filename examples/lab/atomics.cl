/* Counting with atomics: how many numbers are below a limit, and how many there are of each value. What an atomic
 * costs depends on how many items want the same address at the same time: a counter is the worst case, a histogram of
 * numbers spread over BINS bins a mild one.
 *
 * `counter` and `bins` are zero before each launch. */
#ifndef BINS
#define BINS 256
#endif

/* ---- OpenCL 1.2: relaxed, without being called so ---------------------------------------------------------------- */

/* Every item that has something to count goes to one address in global memory. */
kernel void counter_global(global const int *in, int n, int limit, global int *counter)
{
    const int i = get_global_id(0);
    if (i < n && in[i] < limit)
        atomic_inc(counter);
}

/* The items of a group meet in local memory; one of them goes to global memory. */
kernel void counter_local(global const int *in, int n, int limit, global int *counter)
{
    local int count;
    const int i = get_global_id(0);
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n && in[i] < limit)
        atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(counter, count);
}

/* An item counts many elements in a register first: the best atomic is the one that is not needed. Neighbours read
 * neighbouring elements, as a GPU wants it. */
kernel void counter_private(global const int *in, int n, int limit, global int *counter)
{
    local int count;
    int mine = 0;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        mine += in[i] < limit;
    atomic_add(&count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(counter, count);
}

/* The same, but each item has a piece of the vector to itself. That suits a CPU, which runs the items of a group one
 * after another; on a GPU it scatters the reads. */
kernel void counter_pieces(global const int *in, int n, int limit, global int *counter)
{
    local int count;
    int mine = 0;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int to = (long)n * (get_global_id(0) + 1) / get_global_size(0);
    for (int i = (long)n * get_global_id(0) / get_global_size(0); i < to; i++)
        mine += in[i] < limit;
    atomic_add(&count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(counter, count);
}

kernel void histogram_global(global const int *in, int n, global int *bins)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[in[i]]);
}

/* A histogram for each group in local memory; then BINS atomics of each group, so a group should count many more
 * elements than BINS. */
kernel void histogram_local(global const int *in, int n, global int *bins)
{
    local int mine[BINS];
    for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&mine[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
        if (mine[b] > 0)
            atomic_add(&bins[b], mine[b]);
}

/* ---- OpenCL 2.0: an order and a scope for each atomic -----------------------------------------------------------
 * OpenCL C 2.0 has all orders and scopes. 3.0 has relaxed order in the scope of a work-group, and feature macros that
 * tell which others there are. */
#if __OPENCL_C_VERSION__ >= 300
#ifdef __opencl_c_atomic_scope_device
#define DEVICE_SCOPE 1
#endif
#ifdef __opencl_c_atomic_order_acq_rel
#define ACQUIRE_RELEASE 1
#endif
#ifdef __opencl_c_atomic_order_seq_cst
#define SEQUENTIAL 1
#endif
#elif __OPENCL_C_VERSION__ >= 200
#define DEVICE_SCOPE 1
#define ACQUIRE_RELEASE 1
#define SEQUENTIAL 1
#endif
#ifndef DEVICE_SCOPE
#define DEVICE_SCOPE 0
#endif
#ifndef ACQUIRE_RELEASE
#define ACQUIRE_RELEASE 0
#endif
#ifndef SEQUENTIAL
#define SEQUENTIAL 0
#endif

/* Tells the script which orders and scopes this compiler has. */
kernel void atomics_offered(global int *offered)
{
    offered[0] = DEVICE_SCOPE;
    offered[1] = ACQUIRE_RELEASE;
    offered[2] = SEQUENTIAL;
}

#if __OPENCL_C_VERSION__ >= 200
#define ADD(address, what, order, scope)                                                                              \
    atomic_fetch_add_explicit(address, what, memory_order_##order, memory_scope_##scope)

#if DEVICE_SCOPE
#define ADD_GLOBAL(address, what) ADD((volatile global atomic_int *)(address), what, relaxed, device)
#else
#define ADD_GLOBAL(address, what) atomic_add(address, what)
#endif

/* Memory that a group has to itself needs the scope of the group only, and barriers order the steps. */
kernel void counter_scopes(global const int *in, int n, int limit, global int *result)
{
    local atomic_int count;
    const int i = get_global_id(0);
    if (get_local_id(0) == 0)
        atomic_init(&count, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n && in[i] < limit)
        ADD(&count, 1, relaxed, work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        ADD_GLOBAL(result, atomic_load_explicit(&count, memory_order_relaxed, memory_scope_work_group));
}

kernel void histogram_scopes(global const int *in, int n, global int *bins)
{
    local atomic_int mine[BINS];
    for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
        atomic_init(&mine[b], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        ADD(&mine[in[i]], 1, relaxed, work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = get_local_id(0); b < BINS; b += get_local_size(0)) {
        const int count = atomic_load_explicit(&mine[b], memory_order_relaxed, memory_scope_work_group);
        if (count > 0)
            ADD_GLOBAL(&bins[b], count);
    }
}
#endif

#if DEVICE_SCOPE
#define COUNTER(order)                                                                                                \
    kernel void counter_##order(global const int *in, int n, int limit, global int *result)                           \
    {                                                                                                                 \
        volatile global atomic_int *counter = (volatile global atomic_int *)result;                                   \
        const int i = get_global_id(0);                                                                               \
        if (i < n && in[i] < limit)                                                                                   \
            ADD(counter, 1, order, device);                                                                           \
    }

#define HISTOGRAM(order)                                                                                              \
    kernel void histogram_##order(global const int *in, int n, global int *result)                                    \
    {                                                                                                                 \
        volatile global atomic_int *bins = (volatile global atomic_int *)result;                                      \
        for (int i = get_global_id(0); i < n; i += get_global_size(0))                                                \
            ADD(&bins[in[i]], 1, order, device);                                                                      \
    }

/* Nothing but the number itself matters: the order of these additions among other reads and writes may be any. */
COUNTER(relaxed)
HISTOGRAM(relaxed)

#if ACQUIRE_RELEASE
/* More order than a count needs, to see what it costs. */
COUNTER(acq_rel)
HISTOGRAM(acq_rel)

/* The use of acquire and release: each group writes its own count to `counts`, with no atomic, and then takes a
 * ticket; the group with the last ticket adds all counts up. The release makes a group's count visible before its
 * ticket is; the acquire lets the last group read no count before it has the last ticket. With relaxed order the
 * sum may miss counts: rarely, and on some devices never, which makes it a bad mistake. `ticket` is zero before the
 * launch. */
kernel void counter_ticket(global const int *in, int n, int limit, global int *result, global int *counts,
                           global int *ticket)
{
    local int count;
    int mine = 0;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        mine += in[i] < limit;
    atomic_add(&count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        counts[get_group_id(0)] = count;
        const int before = ADD((volatile global atomic_int *)ticket, 1, acq_rel, device);
        int sum = 0;
        if (before == (int)get_num_groups(0) - 1) {
            for (int g = 0; g < (int)get_num_groups(0); g++)
                sum += counts[g];
            *result = sum;
        }
    }
}
#endif

#if SEQUENTIAL
/* An atomic for which no order is named: all such operations have one order, the same for all items. */
COUNTER(seq_cst)
HISTOGRAM(seq_cst)
#endif
#endif
