/* What every kernel file starts with: element access for each dtype, layouts, and how work is spread.
 * The host puts a prelude before it: T, STORED, COMPUTE, ITEM_BYTES, DIGITS, DTYPE_<name>, ENCODED_<how>,
 * PACKED, IS_FLOAT, GROUP, HAS_F64. */
#ifndef T
#define T float
#define COMPUTE float
#define ITEM_BYTES 4
#define DIGITS 24
#define DTYPE_f32 1
#define IS_FLOAT 1
#endif
#ifndef GROUP
#define GROUP 64
#endif
#ifndef INDEX
#define INDEX int /* of an array of indices, where a kernel takes one */
#endif
#if defined(DTYPE_f64) || defined(HAS_F64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* On CPUs a group of ours is one work-item, without neighbours to become the lanes of a vector. Intel's compiler makes
 * vectors of such kernels all the same unless it is told not to, and needs minutes for those that are written in
 * vectors. */
#if defined(cl_intel_vec_len_hint) && GROUP == 1
#define reqd_work_group_size(x, y, z) reqd_work_group_size(x, y, z), intel_vec_len_hint(1)
#endif

/* Begins a kernel whose groups have so many work-items: KERNEL(GROUP) fill_plain(...). */
#define KERNEL(items) kernel __attribute__((reqd_work_group_size(items, 1, 1))) void

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#include "parts/numbers.cl"

/* *p = x past the cache, and a hint that the line at p is read soon, where the compiler has built-ins for them: PoCL's
 * clang does; Oclgrind, which interprets code, does not. */
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#define FETCH_SOON(p) __builtin_prefetch((const void *)(ulong)(p), 0, 3)
#if __has_builtin(__builtin_nontemporal_store)
#define STORE_PAST_CACHE(p, x) __builtin_nontemporal_store(x, p)
#endif
#endif
#ifndef FETCH_SOON
#define FETCH_SOON(p) ((void)(p))
#endif
#ifndef STORE_PAST_CACHE
#define STORE_PAST_CACHE(p, x) (*(p) = (x))
#endif

/* Is this group the last of the `parts` groups that share a ticket to come here? The last one sees everything that the
 * others stored before they came. OpenCL C before 2.0 has no such order between groups; NVIDIA's instructions have
 * it. */
#ifdef NVIDIA
inline bool is_last_of(volatile global uint *ticket, uint parts, local uint *turn)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint before;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(ticket) : "memory");
        if (before + 1 == parts)
            *ticket = 0; /* as the next launch needs it */
        *turn = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *turn + 1 == parts;
}
#endif

/* Reads 16 bytes of a stream that is read once, on NVIDIA from compute capability 8 on, where the host defines STREAM.
 * The bytes do not enter the L1 cache. The first STREAM_KEPT bytes of the stream stay in the L2 cache as usual; the
 * rest is evicted first. So a stream longer than the L2 cache does not push its own beginning out, and the next kernel
 * that reads the array finds that beginning in the cache. */
#ifdef STREAM
#define STREAM_KEPT ((size_t)24 << 20)
inline ulong stream_policy(global const void *p, global const void *first)
{
    ulong once, again;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(once));
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(again));
    return (size_t)p - (size_t)first < STREAM_KEPT ? again : once;
}

inline uint4 stream_load(global const void *p, ulong policy)
{
    uint4 x;
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "l"(p), "l"(policy));
    return x;
}
#else
#define stream_policy(p, first) ((void)(first), (ulong)0)
#endif

#include "abi/layout.h"

/* The element offset of position i, counted in row-major order. */
inline long layout_offset(const lun_layout *at, long i)
{
    long offset = 0;
    for (long axis = at->ndim - 1; axis > 0; axis--) {
        long rest = i / at->size[axis];
        offset += (i - rest * at->size[axis]) * at->stride[axis];
        i = rest;
    }
    return at->ndim > 0 ? offset + i * at->stride[0] : offset;
}

/* This work-item's chunk of 0 .. n-1: its first position, and the position behind its last. */
#define SPREAD_FROM(n) ((n) / (long)get_global_size(0) * (long)get_global_id(0) + \
                        min((long)get_global_id(0), (n) % (long)get_global_size(0)))
#define SPREAD_TO(n) (SPREAD_FROM(n) + (n) / (long)get_global_size(0) + \
                      ((long)get_global_id(0) < (n) % (long)get_global_size(0)))

/* A loop over 0 .. n-1, shared by all work-items: in chunks where a work-item has a core to itself, else interleaved,
 * so that neighbouring work-items touch neighbouring memory. */
#if GROUP == 1
#define FOR_SPREAD(i, n) for (long i = SPREAD_FROM(n), i##_end = SPREAD_TO(n); i < i##_end; i++)
#else
#define FOR_SPREAD(i, n) for (long i = get_global_id(0); i < (n); i += get_global_size(0))
#endif

/* a where it is better, `equal` where both are the same number, b elsewhere; a NaN is taken from either, or from
 * neither. */
#define NAN_IN(x) (x != x)
#define NAN_WINS(better, a, b, equal) (((better) | NAN_IN(a)) ? a : a == b ? equal : b)
#define NAN_LOSES(better, a, b, equal) (((better) | NAN_IN(b)) ? a : a == b ? equal : b)
/* Of numbers that are equal, a and b: -0 where one of them is, 0 where one of them is. */
#define LOWER_ZERO(a, b) bitselect(b, a, a)
#define UPPER_ZERO(a, b) bitselect(a, b, a)
