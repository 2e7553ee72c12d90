/* Adding floats to flattened positions of an array on GPUs, with the same bits every time: the values for an element
 * are added as integers, whose unit is a fixed part of the largest value for that element. Integers add up to the same
 * in any order. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define ADD_LONG(place, value) atom_add(place, value)
#else /* no plan asks for it */
#define ADD_LONG(place, value) ((void)(place), (void)(value))
#endif

#define GROUP_ITEMS 256
#define EACH 4 /* values that an item has under way at a time */

#ifdef BINS /* the indices are bins that are counted from 0, and what is outside of them has none */
#define PLACE(x) ((long)(x))
#define WITH_VERDICT
#define SAY_WRONG(position, value) ((void)(position))
#else
#define PLACE(x) from_zero(x)
#define WITH_VERDICT , VERDICT_PARAMETERS
#define SAY_WRONG(position, value) verdict_say(VERDICT, position, value)
#endif

#ifdef IS_FLOAT
#define BITS(x) as_uint((float)(x)) /* of a value as it is computed with, a float of 4 bytes */
#else
#define BITS(x) ((uint)(x)) /* no plan asks for it */
#endif

#define SIGN 0x80000000u
#define HIDDEN 0x00800000u /* the mantissa's first bit, which is not stored */
#define ENDLESS 255u       /* the exponent of infinities and NaN */
#define HAS_INFINITY 1l
#define HAS_MINUS_INFINITY 2l
#define HAS_NAN 4l

/* The exponent of a value, from 1 on: that of zeros and subnormal numbers is 1 as well. */
inline uint exponent_of(uint bits) { return max(bits >> 23 & 255u, 1u); }

/* How large a value is: twice its exponent, and 1 more where it is not -0. The highest level of an element's values
 * shows their unit; it is 0 where there is no value. */
inline uint level_of(uint bits) { return 2 * exponent_of(bits) + (bits != SIGN); }

/* Numbers that look random, the same each time: 2^-32 of them are below 1. */
inline uint scattered(uint x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* A value in units, of which the last place of a value with the highest exponent has 2^shift. What is less than a unit
 * counts as one or none, by chance in its proportion, so that many small values do not all get lost. */
inline long in_units(uint bits, uint highest, uint shift, uint position)
{
    const uint low = min(highest - exponent_of(bits), 63u);
    const ulong mantissa = (bits & (HIDDEN - 1)) | ((bits >> 23 & 255u) ? HIDDEN : 0u);
    const uint chance = scattered(position);
    const ulong below = ((ulong)chance << 32 | scattered(chance)) & ((1ul << low) - 1);
    const long units = (long)(((mantissa << shift) + below) >> low);
    return bits & SIGN ? -units : units;
}

inline long special(uint bits)
{
    if ((bits >> 23 & 255u) != ENDLESS)
        return 0;
    return bits & (HIDDEN - 1) ? HAS_NAN : bits & SIGN ? HAS_MINUS_INFINITY : HAS_INFINITY;
}

/* The values of a group's next EACH * GROUP_ITEMS positions: `place` is the element's, or -1, `bits` those of the
 * value. */
#define FOR_VALUES                                                                                                \
    const uint one = BITS(values ? LOAD(values, s.values) : unpack1(single));                                     \
    for (long from = (long)get_group_id(0) * EACH * GROUP_ITEMS + get_local_id(0); from < s.count;                \
         from += (long)get_num_groups(0) * EACH * GROUP_ITEMS) {                                                  \
        long place[EACH];                                                                                         \
        uint bits[EACH];                                                                                          \
        for (int k = 0; k < EACH; k++) {                                                                          \
            const long i = from + k * GROUP_ITEMS;                                                                \
            place[k] = i < s.count ? PLACE(index[s.index + i]) : -1;                                              \
            bits[k] = i < s.count && s.step ? BITS(LOAD(values, s.values + i)) : one;                             \
        }

KERNEL(GROUP_ITEMS) add_at_fixed_clear(global uint *highest, global long *sums, long n)
{
    const long i = get_global_id(0);
    if (i < n) {
        highest[i] = 0;
        sums[i] = 0;
    }
}

KERNEL(GROUP_ITEMS) add_at_fixed_highest(volatile global uint *highest, global const INDEX *index,
                                         global const T *values, STORED single, const put_shape s WITH_VERDICT)
{
    FOR_VALUES
        uint known[EACH];
        for (int k = 0; k < EACH; k++)
            known[k] = place[k] >= 0 && place[k] < s.extent ? ((global const uint *)highest)[place[k]] : ~0u;
        for (int k = 0; k < EACH; k++) {
            if (known[k] == ~0u) {
                if (from + k * GROUP_ITEMS < s.count)
                    SAY_WRONG(from + k * GROUP_ITEMS, index[s.index + from + k * GROUP_ITEMS]);
            } else if (level_of(bits[k]) > known[k]) { /* what is known may be old, and then is less */
                atomic_max(highest + place[k], level_of(bits[k]));
            }
        }
    }
}

KERNEL(GROUP_ITEMS) add_at_fixed_sum(volatile global long *sums, global const uint *highest, global const INDEX *index,
                                     global const T *values, STORED single, long shift, const put_shape s)
{
    FOR_VALUES
        uint top[EACH];
        for (int k = 0; k < EACH; k++)
            top[k] = place[k] >= 0 && place[k] < s.extent ? highest[place[k]] / 2 : 0;
        for (int k = 0; k < EACH; k++) {
            if (top[k] == ENDLESS) {
                const long found = special(bits[k]);
                if (found)
                    atomic_or((volatile global uint *)(sums + place[k]), (uint)found);
            } else if (top[k]) {
                const long units = in_units(bits[k], top[k], (uint)shift, (uint)(from + k * GROUP_ITEMS));
                if (units)
                    ADD_LONG(sums + place[k], units);
            }
        }
    }
}

KERNEL(GROUP_ITEMS) add_at_fixed_end(global T *dst, global const uint *highest, global const long *sums, long shift,
                                     const put_shape s)
{
    const long i = get_global_id(0);
    if (i >= s.extent || !highest[i])
        return;
    const long place = s.dst + layout_offset(&s.to, i);
    const uint top = highest[i] / 2;
    float sum;
    if (top == ENDLESS)
        sum = sums[i] == HAS_INFINITY ? INFINITY : sums[i] == HAS_MINUS_INFINITY ? -INFINITY : NAN;
    else if (highest[i] == 2) /* nothing but -0 */
        sum = -0.0f;
    else
        sum = ldexp((float)sums[i], (int)top - 150 - (int)shift);
    STORE(dst, place, LOAD(dst, place) + (COMPUTE)sum);
}
