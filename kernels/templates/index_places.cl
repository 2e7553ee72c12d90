/* In a kernel with parts/index_ranges.cl: does ACT(place in the array, position of the index) for each index in this
 * work-item's range, in order. The first work-item looks whether all are right. */
        const long own_from = SPREAD_FROM(s.extent), own_to = SPREAD_TO(s.extent);
        const bool dense = s.to.ndim <= 1;
        bool judges = get_global_id(0) == 0;
        long places[RANGE_BLOCK], positions[RANGE_BLOCK];
        for (long first = 0; first < s.count; first += RANGE_BLOCK) {
            const long n = min(s.count - first, (long)RANGE_BLOCK);
            const int found = range_find(places, positions, index, first, n, own_from, own_to);
            for (int k = 0; k < found; k++) {
                const long position = positions[k];
                const long place = dense ? places[k] * s.to.stride[0] : layout_offset(&s.to, places[k]);
                ACT(place, position)
            }
            judges = judges && !range_judge(index, first, n, s.extent, verdicts, verdict_place);
        }

#undef ACT
