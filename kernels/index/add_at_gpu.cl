/* Combining values with flattened positions of an array on GPUs, with the same bits every time: the places that the
 * indices name are sorted, stably, together with the indices' positions, and each run of equal places is combined in
 * that order. A sum is any such result below. */
#define PLUS_SIGNED 1
#include "abi/index.h"
#include "parts/from_zero.cl"
#include "parts/plus.cl"
#include "parts/verdict.cl"

#ifndef KEY
#define KEY uint /* holds all places, and one more, which stands for none */
#endif

#define GROUP_ITEMS 256

#ifdef BINS /* the indices are bins that are counted from 0, and what is outside of them has none */
KERNEL(GROUP_ITEMS) add_at_gpu_keys(global KEY *keys, global const INDEX *index, const put_shape s)
{
    const long i = get_global_id(0);
    if (i < s.count)
        keys[i] = (KEY)(index[s.index + s.from + i] >= 0 ? index[s.index + s.from + i] : s.extent);
}
#else
KERNEL(GROUP_ITEMS) add_at_gpu_keys(global KEY *keys, global const INDEX *index, const put_shape s, VERDICT_PARAMETERS)
{
    const long i = get_global_id(0);
    if (i >= s.count)
        return;
    const long at = from_zero(index[s.index + s.from + i]);
    const bool good = at >= 0 && at < s.extent;
    keys[i] = (KEY)(good ? at : s.extent);
    if (!good)
        verdict_say(VERDICT, s.from + i, index[s.index + s.from + i]);
}
#endif

/* ---- summing runs of equal keys ---------------------------------------------------------------------------------- */

/* A work-item sums RUN neighbours. A run of equal keys that begins and ends there is added to the array. What goes on
 * before or behind becomes two entries of the next, shorter list, which is summed likewise: the sum of the run that
 * comes from before (or is all there is), and that of the run that goes on. An entry that is nothing has the key
 * `none`. */

#define RUN 32

KERNEL(GROUP_ITEMS) add_at_gpu_first(global T *dst, global KEY *next_keys, global COMPUTE *next_sums,
                                     global const KEY *keys, global const uint *positions, global const T *values,
                                     STORED single, long n, const put_shape s)
{
    const COMPUTE one = values ? LOAD(values, s.values) : unpack1(single);
#define VALUE(i) (s.step ? LOAD(values, s.values + s.from + positions[i]) : one)
#include "templates/add_at_runs.cl"
}

KERNEL(GROUP_ITEMS) add_at_gpu_next(global T *dst, global KEY *next_keys, global COMPUTE *next_sums,
                                    global const KEY *keys, global const COMPUTE *sums, long n, const put_shape s)
{
#define VALUE(i) (sums[i])
#include "templates/add_at_runs.cl"
}
