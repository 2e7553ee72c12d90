/* In a kernel of count_plain.cl: adds VALUE up by the bins of the elements. counts: for each chunk those of all bins,
 * one after the other. */
    FOR_SPREAD(chunk, s.chunks)
    {
        global WEIGHT *const own = counts + chunk * s.bins;
        const long each = (s.size + s.chunks - 1) / s.chunks;
        const long from = chunk * each, to = min(from + each, s.size);
        for (long b = 0; b < s.bins; b++)
            own[b] = 0;
        for (long i = from; i < to; i++)
            if (bins[i] >= 0)
                own[bins[i]] += (VALUE);
    }

#undef VALUE
