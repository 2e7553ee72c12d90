/* Adding integers to flattened positions of an array by atomics, on GPUs: integers add up to the same in any order. */
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/verdict.cl"

#if ITEM_BYTES == 8 && !defined(IS_FLOAT)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define ADD_AT(place, value) atom_add(place, value)
#elif ITEM_BYTES == 4 && !defined(IS_FLOAT)
#define ADD_AT(place, value) atomic_add(place, value)
#else /* no device has such atomics, and no plan asks for them */
#define ADD_AT(place, value) ((void)(place), (void)(value))
#endif

#define GROUP_ITEMS 256

KERNEL(GROUP_ITEMS) add_at_atomics(volatile global STORED *dst, global const INDEX *index, global const STORED *values,
                                   STORED single, const put_shape s, VERDICT_PARAMETERS)
{
    const STORED one = values ? values[s.values] : single;
    const bool dense = s.to.ndim <= 1;
    for (long i = get_global_id(0); i < s.count; i += get_global_size(0)) {
        const long at = from_zero(index[s.index + i]);
        if (at < 0 || at >= s.extent) {
            verdict_say(VERDICT, i, index[s.index + i]);
            continue;
        }
        const long place = s.dst + (dense ? at * s.to.stride[0] : layout_offset(&s.to, at));
        ADD_AT(dst + place, s.step ? values[s.values + i] : one);
    }
}
