// Reducing a vector to one value, from one work-item to the instructions that the hardware has for it. reduction.lua
// runs these kernels.
//
// A kernel reads in[0 .. n-1] and leaves one value per work-group in `out`, unless it says otherwise. n is any
// number: an item beyond the end takes the operation's identity, which changes nothing.

#ifndef T
#define T float
#endif
#ifndef GROUP
#define GROUP 64 // items in a group: a power of two, at least 64
#endif
#if !defined(SUM) && !defined(MAX) && !defined(MIN) && !defined(PROD)
#define SUM
#endif
#ifdef INTEGER
#define LEAST INT_MIN
#define GREATEST INT_MAX
#else
#define LEAST (-INFINITY)
#define GREATEST INFINITY
#endif

#if defined(SUM)
#define COMBINE(a, b) ((a) + (b))
#define IDENTITY 0
#elif defined(PROD)
#ifdef INTEGER
#define COMBINE(a, b) ((T)((uint)(a) * (uint)(b))) // wraps, which int's own product need not
#else
#define COMBINE(a, b) ((a) * (b))
#endif
#define IDENTITY 1
#elif defined(MAX)
#define COMBINE(a, b) max(a, b)
#define IDENTITY LEAST
#else
#define COMBINE(a, b) min(a, b)
#define IDENTITY GREATEST
#endif

#define SYNC barrier(CLK_LOCAL_MEM_FENCE)

static T element(global const T *in, size_t i, size_t n)
{
    return i < n ? in[i] : (T)IDENTITY;
}

// ---- without a tree ------------------------------------------------------------------------------------------

// One work-item walks the whole vector: never do that on a device that runs thousands of items.
kernel void serial(global T *out, global const T *in, ulong n)
{
    T value = IDENTITY;
    for (size_t i = 0; i < n; i++)
        value = COMBINE(value, in[i]);
    out[0] = value;
}

// Combines a value into *at while other items do so too. Integers have instructions for that, but not for the product;
// for floats OpenCL 1.2 has none: compare-exchange, again until no other item wrote between reading and writing.
static void combine_atomic(volatile global T *at, T value)
{
#if defined(INTEGER) && defined(SUM)
    atomic_add(at, value);
#elif defined(INTEGER) && defined(MAX)
    atomic_max(at, value);
#elif defined(INTEGER) && defined(MIN)
    atomic_min(at, value);
#elif defined(INTEGER)
    int old = IDENTITY, seen; // a first guess; reading it plainly would race with the others' writes
    while ((seen = atomic_cmpxchg(at, old, COMBINE(old, value))) != old)
        old = seen;
#else
    // The bits are compared, not the values: NaN differs from itself, and the loop would never end.
    volatile global uint *bits = (volatile global uint *)at;
    uint old = as_uint((float)IDENTITY), seen; // a first guess; reading it plainly would race with the others' writes
    while ((seen = atomic_cmpxchg(bits, old, as_uint(COMBINE(as_float(old), value)))) != old)
        old = seen;
#endif
}

// Every item queues up for one variable. out[0] must hold the identity.
kernel void global_atomics(global T *out, global const T *in, ulong n)
{
    size_t i = get_global_id(0);
    if (i < n)
        combine_atomic(out, in[i]);
}

// ---- the tree in local memory, in its forms ----------------------------------------------------------------------

// Half as many items in each step, each with its partner `s` further on: neighbours touch neighbouring words (no
// bank conflicts), and whole rows of items retire at a time (no divergence). The value is in scratch[0].
static void tree(local T *scratch, uint tid)
{
    for (uint s = GROUP / 2; s > 0; s /= 2) {
        SYNC;
        if (tid < s)
            scratch[tid] = COMBINE(scratch[tid], scratch[tid + s]);
    }
    SYNC;
}

// Items that stride over the whole vector: the value of all elements this item meets.
static T stride_over(global const T *in, size_t n)
{
    T value = IDENTITY;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        value = COMBINE(value, in[i]);
    return value;
}

// One group, so that barriers reach everybody; its local memory is an argument, as large as the caller wants.
kernel void one_group(global T *out, global const T *in, ulong n, local T *scratch)
{
    uint tid = get_local_id(0);
    scratch[tid] = stride_over(in, n);
    tree(scratch, tid);
    if (tid == 0)
        out[0] = scratch[0];
}

// Step 1: each item its own range, into local memory. Step 2: one item per group. Step 3 is the host's.
kernel void three_steps(global T *out, global const T *in, ulong n, local T *scratch)
{
    uint tid = get_local_id(0);
    size_t length = (n + get_global_size(0) - 1) / get_global_size(0);
    size_t from = get_global_id(0) * length, to = min(from + length, (size_t)n);
    T value = IDENTITY;
    for (size_t i = from; i < to; i++)
        value = COMBINE(value, in[i]);
    scratch[tid] = value;
    SYNC;
    if (tid == 0) {
        for (uint i = 1; i < GROUP; i++)
            value = COMBINE(value, scratch[i]);
        out[get_group_id(0)] = value;
    }
}

// Pairs at distance 1, 2, 4 ...: in every row of 32 items some work and some wait, from the first step on.
kernel void interleaved_modulo(global T *out, global const T *in, ulong n)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0);
    scratch[tid] = element(in, get_global_id(0), n);
    for (uint s = 1; s < GROUP; s *= 2) {
        SYNC;
        if (tid % (2 * s) == 0)
            scratch[tid] = COMBINE(scratch[tid], scratch[tid + s]);
    }
    SYNC;
    if (tid == 0)
        out[get_group_id(0)] = scratch[0];
}

// The same pairs, worked on by the first items: no divergence, but items at stride 2s meet in the same banks.
kernel void interleaved_strided(global T *out, global const T *in, ulong n)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0);
    scratch[tid] = element(in, get_global_id(0), n);
    for (uint s = 1; s < GROUP; s *= 2) {
        uint at = 2 * s * tid;
        SYNC;
        if (at < GROUP)
            scratch[at] = COMBINE(scratch[at], scratch[at + s]);
    }
    SYNC;
    if (tid == 0)
        out[get_group_id(0)] = scratch[0];
}

kernel void sequential(global T *out, global const T *in, ulong n)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0);
    scratch[tid] = element(in, get_global_id(0), n);
    tree(scratch, tid);
    if (tid == 0)
        out[get_group_id(0)] = scratch[0];
}

// This item's two elements, a group apart: half the groups, and every item combines. Both loads are guarded.
static T two_elements(global const T *in, size_t n)
{
    size_t i = get_group_id(0) * (2 * GROUP) + get_local_id(0);
    return COMBINE(element(in, i, n), element(in, i + GROUP, n));
}

kernel void first_add(global T *out, global const T *in, ulong n)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0);
    scratch[tid] = two_elements(in, n);
    tree(scratch, tid);
    if (tid == 0)
        out[get_group_id(0)] = scratch[0];
}

// The course's listing drops the barriers below 32 items, because a warp runs in lock step (!). That was never
// promised, and is untrue of a CPU and of NVIDIA's GPUs since Volta. So each step first reads, then writes, with a
// fence between: the warp's own where there is one (PTX), else the group's, passed by all items.
#ifdef PTX
#define WARP_SYNC asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#else
#define WARP_SYNC SYNC
#endif
#define WARP_STEP(s)                                                                                                   \
    if (tid < 32)                                                                                                      \
        value = COMBINE(value, scratch[tid + s]);                                                                      \
    WARP_SYNC;                                                                                                         \
    if (tid < 32)                                                                                                      \
        scratch[tid] = value;                                                                                          \
    WARP_SYNC;

// Combines the 64 values that are left; the result is in scratch[0]. (Values of items 16 to 31 are read no more.)
static void last_warp(local T *scratch, uint tid)
{
    T value = scratch[tid];
    WARP_STEP(32)
    WARP_STEP(16)
    WARP_STEP(8)
    WARP_STEP(4)
    WARP_STEP(2)
    WARP_STEP(1)
}

kernel void last_warp_unrolled(global T *out, global const T *in, ulong n)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0);
    scratch[tid] = two_elements(in, n);
    SYNC;
    for (uint s = GROUP / 2; s > 32; s /= 2) {
        if (tid < s)
            scratch[tid] = COMBINE(scratch[tid], scratch[tid + s]);
        SYNC;
    }
    last_warp(scratch, tid);
    if (tid == 0)
        out[get_group_id(0)] = scratch[0];
}

#define STEP(s)                                                                                                        \
    if (tid < s)                                                                                                       \
        scratch[tid] = COMBINE(scratch[tid], scratch[tid + s]);                                                        \
    SYNC;

// The group's size is known when this is built: no loop and no comparison is left.
static void unrolled_tree(local T *scratch, uint tid)
{
    SYNC;
#if GROUP >= 1024
    STEP(512)
#endif
#if GROUP >= 512
    STEP(256)
#endif
#if GROUP >= 256
    STEP(128)
#endif
#if GROUP >= 128
    STEP(64)
#endif
    last_warp(scratch, tid);
}

kernel void fully_unrolled(global T *out, global const T *in, ulong n)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0);
    scratch[tid] = two_elements(in, n);
    unrolled_tree(scratch, tid);
    if (tid == 0)
        out[get_group_id(0)] = scratch[0];
}

// ---- many elements an item -------------------------------------------------------------------------------------

// Two elements a round, a grid apart, then the tree. The listing loads the second element without a test (!) and so
// reads past the end unless n is a multiple of two groups' worth of elements; here both are guarded.
static T cascaded(global const T *in, size_t n)
{
    T value = IDENTITY;
    size_t step = (size_t)2 * GROUP * get_num_groups(0);
    for (size_t i = get_group_id(0) * (2 * GROUP) + get_local_id(0); i < n; i += step)
        value = COMBINE(value, COMBINE(in[i], element(in, i + GROUP, n)));
    return value;
}

kernel void cascade(global T *out, global const T *in, ulong n)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0);
    scratch[tid] = cascaded(in, n);
    unrolled_tree(scratch, tid);
    if (tid == 0)
        out[get_group_id(0)] = scratch[0];
}

// Two neighbours an item, into local memory that is cleared first, so that items past the end have combined nothing.
kernel void pairs(global T *out, global const T *in, ulong n, local T *scratch)
{
    uint tid = get_local_id(0);
    size_t i = 2 * get_global_id(0);
    scratch[tid] = IDENTITY;
    if (i < n)
        scratch[tid] = in[i];
    if (i + 1 < n)
        scratch[tid] = COMBINE(scratch[tid], in[i + 1]);
    for (uint s = 1; s < GROUP; s *= 2) {
        SYNC;
        if (tid % (2 * s) == 0)
            scratch[tid] = COMBINE(scratch[tid], scratch[tid + s]);
    }
    SYNC;
    if (tid == 0)
        out[get_group_id(0)] = scratch[0];
}

// One launch in all: each group's value goes into out[0], which must hold the identity.
kernel void atomic_finish(global T *out, global const T *in, ulong n)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0);
    scratch[tid] = cascaded(in, n);
    unrolled_tree(scratch, tid);
    if (tid == 0)
        combine_atomic(out, scratch[0]);
}

// Sum and maximum of one reading: out holds a pair per group.
kernel void fused(global T *out, global const T *in, ulong n)
{
    local T sums[GROUP], maxima[GROUP];
    uint tid = get_local_id(0);
    T sum = 0, most = LEAST;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        sum += in[i];
        most = max(most, in[i]);
    }
    sums[tid] = sum;
    maxima[tid] = most;
    for (uint s = GROUP / 2; s > 0; s /= 2) {
        SYNC;
        if (tid < s) {
            sums[tid] += sums[tid + s];
            maxima[tid] = max(maxima[tid], maxima[tid + s]);
        }
    }
    SYNC;
    if (tid == 0) {
        out[2 * get_group_id(0)] = sums[0];
        out[2 * get_group_id(0) + 1] = maxima[0];
    }
}

// ---- instructions of newer devices --------------------------------------------------------------------------------

#if defined(PTX)
#define TIER 32

// The value of lane + distance of this warp, without memory.
static T from_lane(T value, uint distance)
{
    uint in = as_uint(value), out;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(out) : "r"(in), "r"(distance));
#ifdef INTEGER
    return as_int(out);
#else
    return as_float(out);
#endif
}

static T reduce_tier(T value)
{
    for (uint distance = TIER / 2; distance > 0; distance /= 2)
        value = COMBINE(value, from_lane(value, distance));
    return value;
}

#define TIER_ID (get_local_id(0) / TIER)
#define TIER_ITEM (get_local_id(0) % TIER)
#define TIERS (GROUP / TIER)

#elif defined(SUB_GROUPS)
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#define TIER_ID get_sub_group_id()
#define TIER_ITEM get_sub_group_local_id()
#define TIERS get_num_sub_groups()
#if defined(SUM)
#define reduce_tier sub_group_reduce_add
#elif defined(MAX)
#define reduce_tier sub_group_reduce_max
#elif defined(MIN)
#define reduce_tier sub_group_reduce_min
#else
#error "sub_group_reduce has no product"
#endif
#endif

#if defined(PTX) || defined(SUB_GROUPS)
// Each sub-group reduces in registers; only the values of the sub-groups meet in local memory.
kernel void sub_group(global T *out, global const T *in, ulong n)
{
    local T values[GROUP];
    T value = reduce_tier(cascaded(in, n));
    if (TIER_ITEM == 0)
        values[TIER_ID] = value;
    SYNC;
    if (get_local_id(0) == 0) {
        for (uint i = 1; i < TIERS; i++)
            value = COMBINE(value, values[i]);
        out[get_group_id(0)] = value;
    }
}
#endif

// Where OpenCL C has no sub-groups this kernel is missing, and asking for it fails.
#if defined(WORK_GROUP) && (__OPENCL_C_VERSION__ == 200 || defined(__opencl_c_work_group_collective_functions))
#if defined(SUM)
#define reduce_group work_group_reduce_add
#elif defined(MAX)
#define reduce_group work_group_reduce_max
#elif defined(MIN)
#define reduce_group work_group_reduce_min
#else
#error "work_group_reduce has no product"
#endif

kernel void work_group(global T *out, global const T *in, ulong n)
{
    T value = reduce_group(cascaded(in, n));
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
#endif

// ---- one result per run ------------------------------------------------------------------------------------------

// Run r is in[starts[r] .. starts[r + 1] - 1]; an empty run gives the identity. One item a run: quick if all runs are
// short.
kernel void item_per_run(global T *out, global const T *in, global const uint *starts, uint runs)
{
    uint run = get_global_id(0);
    if (run >= runs)
        return;
    T value = IDENTITY;
    for (uint i = starts[run]; i < starts[run + 1]; i++)
        value = COMBINE(value, in[i]);
    out[run] = value;
}

// One group a run: the group's items read side by side, so that a long run is not the work of one item.
kernel void group_per_run(global T *out, global const T *in, global const uint *starts)
{
    local T scratch[GROUP];
    uint tid = get_local_id(0), run = get_group_id(0);
    T value = IDENTITY;
    for (uint i = starts[run] + tid; i < starts[run + 1]; i += GROUP)
        value = COMBINE(value, in[i]);
    scratch[tid] = value;
    tree(scratch, tid);
    if (tid == 0)
        out[run] = scratch[0];
}
