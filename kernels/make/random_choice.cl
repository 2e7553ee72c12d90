/* What weighted choices draw: positions by the sums of weights, and for choices without replacement a time of arrival
 * each. */
#include "parts/random_floats.cl"

/* The position, from 1, whose share of the sums' range holds a uniform number. sums[i] is that of the weights up to i;
 * rounding may give a weight of 0 a share, or none to the last, so the nearest position that has a weight is taken. */
KERNEL(GROUP) random_positions(global long *dst, long offset, lun_layout to, long n, random_source from,
                               global const T *sums, global const T *weights, long count)
{
    dst += offset;
    FOR_SPREAD(i, n)
    {
        const long at = i + from.skip;
        const T wanted = unit(philox(&from, (ulong)(at / PER_BLOCK), 0), (int)(at % PER_BLOCK)) * sums[count - 1];
        long low = 0, high = count - 1;
        while (low < high) {
            const long middle = low + (high - low) / 2;
            if (sums[middle] > wanted)
                high = middle;
            else
                low = middle + 1;
        }
        while (low + 1 < count && !(weights[low] > 0))
            low++;
        while (low > 0 && !(weights[low] > 0))
            low--;
        dst[layout_offset(&to, i)] = low + 1;
    }
}

/* When each element arrives first, at a rate that is its weight: in the order of arrival the elements are a sample
 * without replacement, one after the other by their weights (Efraimidis and Spirakis, "Weighted random sampling with a
 * reservoir", Information Processing Letters 97, 2006). What has no weight never arrives. */
KERNEL(GROUP) random_arrivals(global T *dst, long offset, lun_layout to, long n, random_source from,
                              global const T *weights)
{
    dst += offset;
    FOR_SPREAD(i, n)
    {
        const long at = i + from.skip;
        const T time = exponential(philox(&from, (ulong)(at / PER_BLOCK), 0), (int)(at % PER_BLOCK));
        dst[layout_offset(&to, i)] = weights[i] > 0 ? time / weights[i] : (T)INFINITY;
    }
}
