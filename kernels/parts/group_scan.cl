/* Sums over the work-items of a group of 256. */
#define SCAN_ITEMS 256

/* The sum of x of the items before this one, and that of all. `room` has 2 * SCAN_ITEMS elements, and is free again behind
 * the next barrier. */
#define DEFINE_GROUP_SCAN(type)                                                                      \
    inline type group_scan_##type(type x, type *total, local type *room)                             \
    {                                                                                                \
        const uint me = (uint)get_local_id(0);                                                       \
        local type *here = room, *there = room + SCAN_ITEMS;                                         \
        here[me] = x;                                                                                \
        for (uint step = 1; step < SCAN_ITEMS; step *= 2) {                                          \
            barrier(CLK_LOCAL_MEM_FENCE);                                                            \
            there[me] = me >= step ? here[me] + here[me - step] : here[me];                          \
            local type *const held = here;                                                           \
            here = there;                                                                            \
            there = held;                                                                            \
        }                                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        *total = here[SCAN_ITEMS - 1];                                                               \
        return here[me] - x;                                                                         \
    }
