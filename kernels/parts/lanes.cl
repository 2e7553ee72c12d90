/* Vectors of LANES values anywhere in memory, for kernels by hand on CPUs that reduce or scan arrays as they are. */
#include "parts/reduce_values.cl"

#ifndef LANES
#define LANES 8
#endif
#define ACCV JOIN(ACC, LANES)

/* One load or store, where clang 15 made eight of vload16. Packed elements pass through private memory: PoCL 3.1 takes
 * vload_half8's pointer to be aligned to 16 bytes. `past_cache`: p is aligned then. */
#define DEFINE_ACCESS(name, type, bytes)                                                                               \
    typedef JOIN(type, LANES) name##_anywhere __attribute__((aligned(bytes)));                                         \
    inline JOIN(type, LANES) load_##name(global const type *p) { return *(global const name##_anywhere *)p; }          \
    inline void store_##name(global type *p, JOIN(type, LANES) x, long past_cache)                                     \
    {                                                                                                                  \
        if (past_cache)                                                                                                \
            STORE_PAST_CACHE((global JOIN(type, LANES) *)p, x);                                                        \
        else                                                                                                           \
            *(global name##_anywhere *)p = x;                                                                          \
    }
DEFINE_ACCESS(acc, ACC, ACC_BYTES)

/* LOAD_LANES(p, TYPE): elements, as they are combined in vectors of that type. */
#ifdef PACKED
DEFINE_ACCESS(bits, STORED, ITEM_BYTES)
#define LOAD_LANES(p, TYPE) MAP(JOIN(convert_, TYPE)(JOIN(unpack, LANES)(load_bits((global const STORED *)(p)))), TYPE)
#else
DEFINE_ACCESS(item, T, ITEM_BYTES)
#define LOAD_LANES(p, TYPE) MAP(JOIN(convert_, TYPE)(load_item(p)), TYPE)
#endif
#ifdef OUT_PACKED
#define STORE_LANES(p, x, past_cache) store_bits((global STORED *)(p), JOIN(pack, LANES)(x), past_cache)
#else
#define STORE_LANES(p, x, past_cache) store_acc(p, x, past_cache)
#endif
