/* Scans on GPUs: sums of the parts of each line, a scan of these, and then the parts, each from what it begins with;
 * or all in one pass. */
#ifndef ITEMS
#define ITEMS 256 /* of a group that scans a part of a row */
#define VECTOR 4  /* elements that a work-item moves at once */
#endif
#include "parts/scan_rows.cl"
#include "parts/scan_lookback.cl"

/* ---- rows: a line's elements are neighbours ---------------------------------------------------------------------- */

/* The sums of all parts but the last: a group to each. */
KERNEL(ITEMS) scan_gpu_row_sums(global ACC *sums, global const T *in, const scan_shape s)
{
    local ACC room[ITEMS];
    ACC x[OWN];
    const int item = (int)get_local_id(0);
    for (long job = get_group_id(0); job < s.places * (s.parts - 1); job += get_num_groups(0)) {
        const long place = job / (s.parts - 1), part = job - place * (s.parts - 1);
        load_own(x, in + PLACE_IN(&s, place), &s, part * TILE, item);
        const ACC sum = sum_of_part(x, room, item);
        if (item == 0)
            sums[SUM_AT(&s, place, part, 0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Of each line the sums of its parts become what the parts begin with: a group to a line. */
KERNEL(ITEMS) scan_gpu_row_starts(global ACC *sums, const scan_shape s)
{
    local ACC room[2 * ITEMS];
    const int item = (int)get_local_id(0);
    for (long place = get_group_id(0); place < s.places; place += get_num_groups(0)) {
        global ACC *own = sums + SUM_AT(&s, place, 0, 0);
        ACC start = IDENTITY, x[OWN], total;
        for (long from = 0; from < s.parts; from += TILE) {
            const long first = from + item * OWN;
            ACC sum = IDENTITY;
            for (int j = 0; j < OWN; j++) {
                x[j] = first + j < s.parts - 1 ? own[first + j] : NOTHING_YET;
                sum = scan_both(sum, x[j]);
            }
            ACC at = scan_both(start, group_scan(sum, &total, room));
            for (int j = 0; j < OWN; j++) {
                if (first + j < s.parts)
                    own[first + j] = at;
                at = scan_both(at, x[j]);
            }
            start = scan_both(start, total);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

/* The parts, the last ones first: these the sums have read last, so the cache may still have them. */
KERNEL(ITEMS) scan_gpu_rows(global OUT *out, global const ACC *starts, global const T *in, const scan_shape s)
{
    local ACC room[2 * ITEMS], totals[ROUNDS * ITEMS];
    ACC x[OWN], before[ROUNDS];
    const int item = (int)get_local_id(0);
    for (long job = s.places * s.parts - 1 - (long)get_group_id(0); job >= 0; job -= get_num_groups(0)) {
        const long place = job / s.parts, part = job - place * s.parts;
        const ACC start = s.parts > 1 ? starts[SUM_AT(&s, place, part, 0)] : NOTHING_YET;
        load_own(x, in + PLACE_IN(&s, place), &s, part * TILE, item);
        scan_within_vectors(x);
        scan_vectors(before, x, totals, room, item);
        finish_vectors(x, before, start, &s);
        store_own(out + PLACE_OUT(&s, place), x, &s, part * TILE, item);
        barrier(CLK_LOCAL_MEM_FENCE); /* `totals` are read */
    }
}

/* ---- rows in one pass: each part waits for the sums of the parts before it --------------------------------------- */

KERNEL(SCAN_GPU_ITEMS) scan_gpu_once_clear(global ulong *words, const long count)
{
    for (long i = (long)get_global_id(0); i < count; i += (long)get_global_size(0))
        words[i] = 0;
}

KERNEL(ITEMS) scan_gpu_once(global OUT *out, volatile global ulong *words, global const T *in, const scan_shape s)
{
    local ACC room[2 * ITEMS], totals[ROUNDS * ITEMS], shared;
    local uint taken;
    ACC x[OWN], before[ROUNDS];
    const int item = (int)get_local_id(0);
    const long jobs = s.places * s.parts;
    for (long job = take_job(words, &taken); job < jobs; job = take_job(words, &taken)) {
        const row_part p = part_of_job(&s, words, job);
        load_own(x, in + PLACE_IN(&s, p.place), &s, p.part * TILE, item);
        scan_within_vectors(x);
        const ACC sum = scan_vectors(before, x, totals, room, item);
        if (item == 0)
            tell_sum(&p, sum);
        finish_vectors(x, before, wait_for_start(&p, room, &shared, item), &s);
        store_own(out + PLACE_OUT(&s, p.place), x, &s, p.part * TILE, item);
    }
}

/* ---- short rows: a work-item to a row, all rows of a group through local memory ---------------------------------- */

#define ROWS SCAN_GPU_ITEMS

KERNEL(ROWS) scan_gpu_short(global OUT *out, global const T *in, const scan_shape s, local ACC *room)
{
    const int item = (int)get_local_id(0), elements = (int)s.elements;
    const int pitch = elements | 1; /* odd: neighbouring rows begin in different banks of local memory */
    for (long from = (long)get_group_id(0) * ROWS; from < s.places; from += (long)get_num_groups(0) * ROWS) {
        const int rows = (int)min((long)ROWS, s.places - from);
        for (int e = item; e < rows * elements; e += ROWS) {
            const int row = e / elements, i = e - row * elements;
            room[row * pitch + i] = MAPPED(in, PLACE_IN(&s, from + row) + i * s.step);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < rows) {
            ACC run = IDENTITY;
            for (int i = 0; i < elements; i++) {
                const ACC both = scan_both(run, room[item * pitch + i]);
                room[item * pitch + i] = s.exclusive ? run : both;
                run = both;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int e = item; e < rows * elements; e += ROWS) {
            const int row = e / elements, i = e - row * elements;
            STORE_OUT(out, PLACE_OUT(&s, from + row) + i * s.out_step, room[row * pitch + i]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* ---- columns: a work-item to a part of a column, neighbours side by side ----------------------------------------- */

#define AHEAD 8 /* elements that a work-item loads before it uses the first */
#define FOR_ITEMS(i, n) for (long i = (long)get_global_id(0); i < (n); i += (long)get_global_size(0))

/* Scans a part of a column from what it begins with, and gives what the next one begins with. */
inline ACC scan_column(global OUT *out, global const T *in, const scan_shape *s, long from, long to, ACC start)
{
    ACC run = IDENTITY, x[AHEAD];
    int count = 0;
    for (long i = from; i < to; i += AHEAD) {
        for (int j = 0; j < AHEAD; j++)
            x[j] = i + j < to ? MAPPED(in, (i + j) * s->step) : NOTHING_YET;
        for (int j = 0; j < AHEAD; j++) {
            const ACC both = scan_both(run, x[j]);
            if (out && i + j < to)
                STORE_OUT(out, (i + j) * s->out_step, scan_both(start, s->exclusive ? run : both));
            run = both;
        }
        if (++count == SCAN_RUN / AHEAD) {
            start = scan_both(start, run);
            run = IDENTITY;
            count = 0;
        }
    }
    return scan_both(start, run);
}

/* The sums of all parts but the last. */
KERNEL(SCAN_GPU_ITEMS) scan_gpu_column_sums(global ACC *sums, global const T *in, const scan_shape s)
{
    FOR_ITEMS(job, s.places * (s.parts - 1) * s.columns) {
        const long piece = job / s.columns, column = job - piece * s.columns;
        const long place = piece / (s.parts - 1), part = piece - place * (s.parts - 1);
        sums[SUM_AT(&s, place, part, column)] = scan_column(0, in + PLACE_IN(&s, place) + column, &s, part * s.part,
                                                            (part + 1) * s.part, NOTHING_YET);
    }
}

/* Of each column the sums of its parts become what the parts begin with. */
KERNEL(SCAN_GPU_ITEMS) scan_gpu_column_starts(global ACC *sums, const scan_shape s)
{
    FOR_ITEMS(job, s.places * s.columns) {
        const long place = job / s.columns;
        global ACC *own = sums + SUM_AT(&s, place, 0, job - place * s.columns);
        ACC level[SCAN_LEVELS], before[SCAN_LEVELS], start = IDENTITY, x[AHEAD];
        for (long part = 0; part < s.parts; part += AHEAD) {
            ACC run = IDENTITY;
            for (int j = 0; j < AHEAD; j++)
                x[j] = part + j < s.parts - 1 ? own[(part + j) * s.columns] : NOTHING_YET;
            for (int j = 0; j < AHEAD && part + j < s.parts; j++) {
                own[(part + j) * s.columns] = scan_both(start, run);
                run = scan_both(run, x[j]);
            }
            start = next_run(level, before, 1, part / AHEAD, NOTHING_YET, run);
        }
    }
}

/* The parts, the last ones first, as of rows. */
KERNEL(SCAN_GPU_ITEMS) scan_gpu_columns(global OUT *out, global const ACC *starts, global const T *in,
                                        const scan_shape s)
{
    const long jobs = s.places * s.parts * s.columns;
    FOR_ITEMS(i, jobs) {
        const long job = s.parts > 1 ? jobs - 1 - i : i, piece = job / s.columns, column = job - piece * s.columns;
        const long place = piece / s.parts, part = piece - place * s.parts;
        scan_column(out + PLACE_OUT(&s, place) + column, in + PLACE_IN(&s, place) + column, &s, part * s.part,
                    min((part + 1) * s.part, s.elements),
                    s.parts > 1 ? starts[SUM_AT(&s, place, part, column)] : NOTHING_YET);
    }
}
