/* Scans one element after the other: every device and view. */
#include "parts/scan.cl"

/* Scans a part from what it begins with, and gives what the next one begins with. No result is stored where there is no out. */
inline ACC scan_part(global OUT *out, global const T *in, const scan_shape *s, long from, long to, ACC start)
{
    ACC level[SCAN_LEVELS], before[SCAN_LEVELS];
    const ACC first = start;
    long count = 0;
    for (long i = from; i < to;) {
        const long end = min(i + SCAN_RUN, to);
        ACC run = IDENTITY;
        for (; i < end; i++) {
            const ACC both = scan_both(run, MAPPED(in, i * s->step));
            if (out)
                STORE_OUT(out, i * s->out_step, scan_both(start, s->exclusive ? run : both));
            run = both;
        }
        start = next_run(level, before, 1, count++, first, run);
    }
    return start;
}

/* The sums of all parts but the last. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_plain_sums(global ACC *sums, global const T *in, const scan_shape s)
{
    FOR_SPREAD(job, s.places * (s.parts - 1)) {
        const long place = job / (s.parts - 1), part = job - place * (s.parts - 1);
        sums[SUM_AT(&s, place, part, 0)] =
            scan_part(0, in + PLACE_IN(&s, place), &s, part * s.part, (part + 1) * s.part, NOTHING_YET);
    }
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_plain(global OUT *out, global const ACC *sums, global const T *in, const scan_shape s)
{
    FOR_SPREAD(job, s.places * s.parts) {
        const long place = job / s.parts, part = job - place * s.parts;
        scan_part(out + PLACE_OUT(&s, place), in + PLACE_IN(&s, place), &s, part * s.part,
                  min((part + 1) * s.part, s.elements), sums_before(sums, &s, place, part, 0));
    }
}
