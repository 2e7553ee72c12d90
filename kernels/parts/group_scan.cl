/* Scans over the work-items of a group of SCAN_ITEMS. */
#ifndef SCAN_ITEMS
#define SCAN_ITEMS 256
#endif

/* Combines x of the items before this one (`NONE` before the first), and in *total that of all. `room` has 2 *
 * SCAN_ITEMS elements, and is free again behind the next barrier. */
#define DEFINE_GROUP_SCAN_BY(name, type, NONE, BOTH)                                                 \
    inline type name(type x, type *total, local type *room)                                          \
    {                                                                                                \
        const uint me = (uint)get_local_id(0);                                                       \
        local type *here = room, *there = room + SCAN_ITEMS;                                         \
        here[me] = x;                                                                                \
        for (uint step = 1; step < SCAN_ITEMS; step *= 2) {                                          \
            barrier(CLK_LOCAL_MEM_FENCE);                                                            \
            there[me] = me >= step ? BOTH(here[me - step], here[me]) : here[me];                     \
            local type *const held = here;                                                           \
            here = there;                                                                            \
            there = held;                                                                            \
        }                                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        *total = here[SCAN_ITEMS - 1];                                                               \
        return me > 0 ? here[me - 1] : NONE;                                                         \
    }

/* The same for sums. */
#define GROUP_SUM(a, b) ((a) + (b))
#define DEFINE_GROUP_SCAN(type) DEFINE_GROUP_SCAN_BY(group_scan_##type, type, 0, GROUP_SUM)
