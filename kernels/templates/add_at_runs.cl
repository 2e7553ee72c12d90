/* The body of a kernel of add_at_gpu.cl, which sums a work-item's run of entries: VALUE(i) is one of them. */
    const long me = get_global_id(0), from = me * RUN, to = min(from + RUN, n);
    const KEY none = (KEY)s.extent;
    if (from >= n)
        return;
    KEY key = keys[from], head = none, tail = none;
    bool whole = from == 0 || keys[from - 1] != key; /* does the run begin here? */
    COMPUTE sum = NOTHING, head_sum = NOTHING, tail_sum = NOTHING;
    for (long i = from; i < to; i++) {
        const COMPUTE more = VALUE(i);
        sum = PLUS(sum, more);
        const KEY next = i + 1 < n ? keys[i + 1] : none;
        const bool ends = next != key || i + 1 == n;
        if (!ends && i + 1 < to)
            continue;
        if (ends && whole) {
            if (key != none) {
                const long place = s.dst + layout_offset(&s.to, (long)key);
                const COMPUTE has = LOAD(dst, place);
                STORE(dst, place, PLUS(has, sum));
            }
        } else if (!whole) {
            head = key;
            head_sum = sum;
            tail = ends ? none : key; /* the next entry's neighbour has the same key */
        } else {
            tail = key;
            tail_sum = sum;
        }
        sum = NOTHING;
        whole = true;
        key = next;
    }
    if (next_keys) {
        next_keys[2 * me] = head;
        next_keys[2 * me + 1] = tail;
        next_sums[2 * me] = head_sum;
        next_sums[2 * me + 1] = tail_sum;
    }

#undef VALUE
