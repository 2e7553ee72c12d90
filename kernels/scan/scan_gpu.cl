/* Scans on GPUs: sums of the parts of each line, a scan of these, and then the parts, each from what it begins with. */
#ifndef ITEMS
#define ITEMS 256 /* of a group that scans a part of a row */
#define VECTOR 4  /* elements that a work-item moves at once */
#endif
#define SCAN_ITEMS ITEMS
#include "parts/scan.cl"
#include "parts/group_scan.cl"

#define ROUNDS SCAN_ROUNDS
#define OWN (ROUNDS * VECTOR) /* elements of a work-item, */
#define TILE (ITEMS * OWN)    /* and of a part of a row */
#define ACCV JOIN(ACC, VECTOR)

DEFINE_GROUP_SCAN_BY(group_scan, ACC, IDENTITY, scan_both)

/* ---- rows: a line's elements are neighbours -------------------------------------------------------------------------- */

/* Where the vector that a work-item holds of a round begins. */
#define VECTOR_AT(from, round, item) ((from) + ((round) * ITEMS + (item)) * VECTOR)

/* A work-item's elements of a part; behind the end of the line come those that change nothing. */
inline void load_own(ACC *x, global const T *in, const scan_shape *s, long from, int item)
{
    for (int k = 0; k < ROUNDS; k++) {
        const long at = VECTOR_AT(from, k, item);
        if (s->wide && at + VECTOR <= s->elements) {
            const JOIN(STORED, VECTOR) packed = *(global const JOIN(STORED, VECTOR) *)(in + at);
            JOIN(vstore, VECTOR)(JOIN(convert_, ACCV)(JOIN(unpack, VECTOR)(packed)), k, x);
        } else {
            for (int j = 0; j < VECTOR; j++)
                x[k * VECTOR + j] = at + j < s->elements ? MAPPED(in, (at + j) * s->step) : NOTHING_YET;
        }
    }
}

inline void store_own(global OUT *out, const ACC *x, const scan_shape *s, long from, int item)
{
    for (int k = 0; k < ROUNDS; k++) {
        const long at = VECTOR_AT(from, k, item);
        if (s->wide && at + VECTOR <= s->elements) {
            const ACCV v = JOIN(vload, VECTOR)(k, x);
#ifdef OUT_PACKED
            *(global JOIN(ushort, VECTOR) *)(out + at) = JOIN(pack, VECTOR)(v);
#else
            *(global ACCV *)(out + at) = v;
#endif
        } else {
            for (int j = 0; j < VECTOR && at + j < s->elements; j++)
                STORE_OUT(out, (at + j) * s->out_step, x[k * VECTOR + j]);
        }
    }
}

/* The sums of all parts but the last: a group to each. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void scan_gpu_row_sums(global ACC *sums, global const T *in, const scan_shape s)
{
    local ACC room[ITEMS];
    ACC x[OWN];
    const int item = (int)get_local_id(0);
    for (long job = get_group_id(0); job < s.places * (s.parts - 1); job += get_num_groups(0)) {
        const long place = job / (s.parts - 1), part = job - place * (s.parts - 1);
        load_own(x, in + PLACE_IN(&s, place), &s, part * TILE, item);
        for (int step = 1; step < OWN; step *= 2)
            for (int j = 0; j < OWN; j += 2 * step)
                x[j] = scan_both(x[j], x[j + step]);
        room[item] = x[0];
        for (int step = ITEMS / 2; step > 0; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item < step)
                room[item] = scan_both(room[item], room[item + step]);
        }
        if (item == 0)
            sums[SUM_AT(&s, place, part, 0)] = room[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Of each line the sums of its parts become what the parts begin with: a group to a line. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void scan_gpu_row_starts(global ACC *sums, const scan_shape s)
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

/* In before[k], what stands before the vector of round k in this part; gives the part's sum. `x` is scanned within its vectors. */
inline ACC scan_vectors(ACC *before, const ACC *x, local ACC *totals, local ACC *room, int item)
{
    ACC all, own[ROUNDS], sum = IDENTITY;
    for (int k = 0; k < ROUNDS; k++)
        totals[k * ITEMS + item] = x[k * VECTOR + VECTOR - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ROUNDS; k++) { /* vectors that follow one another */
        own[k] = totals[item * ROUNDS + k];
        sum = scan_both(sum, own[k]);
    }
    sum = group_scan(sum, &all, room);
    for (int k = 0; k < ROUNDS; k++) {
        totals[item * ROUNDS + k] = sum;
        sum = scan_both(sum, own[k]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ROUNDS; k++)
        before[k] = totals[k * ITEMS + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

inline void scan_within_vectors(ACC *x)
{
    for (int k = 0; k < ROUNDS; k++)
        for (int j = 1; j < VECTOR; j++)
            x[k * VECTOR + j] = scan_both(x[k * VECTOR + j - 1], x[k * VECTOR + j]);
}

/* The results of a part that begins with `start`, in x. */
inline void finish_vectors(ACC *x, const ACC *before, ACC start, const scan_shape *s)
{
    for (int k = 0; k < ROUNDS; k++) {
        const ACC from = scan_both(start, before[k]);
        for (int j = VECTOR - 1; j >= 0; j--) {
            const ACC shown = s->exclusive ? (j ? x[k * VECTOR + max(j - 1, 0)] : NOTHING_YET) : x[k * VECTOR + j];
            x[k * VECTOR + j] = scan_both(from, shown);
        }
    }
}

/* The parts, the last ones first: these the sums have read last, so the cache may still have them. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void scan_gpu_rows(global OUT *out, global const ACC *starts, global const T *in, const scan_shape s)
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
    }
}

/* ---- rows in one pass: each part waits for the sums of the parts before it ---------------------------------------------- */

/* A value that one group tells others is a number of 64 bits that is never 0, or two of them: a 1, and 32 bits of the value. Each
 * is written and read whole, so no other order in memory is needed.
 *
 * ITEMS parts are a block. A part adds up the sums of the parts before it in its block, in a tree whose form depends on the
 * part's place alone, and the last part of a block tells the next block what that block begins with. So results are the same bits
 * every time, whatever part is done first. What blocks begin with is a sum in f64 where elements are added up in f32: with a
 * block added at a time its error would grow with the number of blocks otherwise.
 *
 * Parts are handed out by a counter, in their order, so those before a part have groups that run already. */
#ifndef CARRY
#define CARRY ACC
#endif
#define SUM_WORDS (ACC_BYTES == 8 ? 2 : 1)

typedef union told {
    ACC sum;
    CARRY start;
    ulong bits;
} told;

inline void tell(volatile global ulong *words, ulong bits, int count)
{
    for (int i = 0; i < count; i++)
        words[i] = bits >> 32 * i << 32 | 1;
}

inline ulong hear(volatile global ulong *words, int count)
{
    ulong bits = 0;
    for (int i = 0; i < count; i++) {
        ulong word = 0;
        while (word == 0)
            word = words[i];
        bits |= word >> 32 << 32 * i;
    }
    return bits;
}

kernel __attribute__((reqd_work_group_size(SCAN_GPU_ITEMS, 1, 1)))
void scan_gpu_once_clear(global ulong *words, const long count)
{
    for (long i = (long)get_global_id(0); i < count; i += (long)get_global_size(0))
        words[i] = 0;
}

/* What part `at` of a block begins with: by all items of a group. */
inline ACC wait_for_start(ACC sum, int at, volatile global ulong *sums, volatile global ulong *starts, bool first, bool last,
                          local ACC *room, local ACC *shared, int item)
{
    told own = {.bits = 0}, theirs = {.bits = 0};
    ACC total;
    own.sum = sum;
    if (item == 0)
        tell(sums + at * SUM_WORDS, own.bits, SUM_WORDS);
    theirs.sum = NOTHING_YET;
    if (item < at)
        theirs.bits = hear(sums + item * SUM_WORDS, SUM_WORDS);
    group_scan(theirs.sum, &total, room);
    if (item == 0) {
        told start = {.bits = 0};
        start.start = (CARRY)(IDENTITY);
        if (!first)
            start.bits = hear(starts, 2);
        start.start = COMBINE(start.start, (CARRY)total);
        *shared = (ACC)start.start;
        start.start = COMBINE(start.start, (CARRY)sum);
        if (at == ITEMS - 1 && !last)
            tell(starts + 2, start.bits, 2);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *shared;
}

/* `words` are 0, and are: the counter; what the blocks of each line begin with; the sums of the parts. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void scan_gpu_once(global OUT *out, volatile global ulong *words, global const T *in, const scan_shape s)
{
    local ACC room[2 * ITEMS], totals[ROUNDS * ITEMS], shared;
    local uint taken;
    ACC x[OWN], before[ROUNDS];
    const int item = (int)get_local_id(0);
    const long blocks = (s.parts + ITEMS - 1) / ITEMS, jobs = s.places * s.parts;
    for (long job = 0; job < jobs;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0)
            taken = atomic_inc((volatile global uint *)words);
        barrier(CLK_LOCAL_MEM_FENCE);
        job = taken;
        if (job < jobs) {
            const long place = job / s.parts, part = job - place * s.parts, block = part / ITEMS;
            volatile global ulong *starts = words + 2 + 2 * (place * blocks + block);
            volatile global ulong *sums = words + 2 + 2 * s.places * blocks + (place * s.parts + block * ITEMS) * SUM_WORDS;
            load_own(x, in + PLACE_IN(&s, place), &s, part * TILE, item);
            scan_within_vectors(x);
            const ACC sum = scan_vectors(before, x, totals, room, item);
            const ACC start = wait_for_start(sum, (int)(part - block * ITEMS), sums, starts, block == 0, block == blocks - 1,
                                             room, &shared, item);
            finish_vectors(x, before, start, &s);
            store_own(out + PLACE_OUT(&s, place), x, &s, part * TILE, item);
        }
    }
}

/* ---- short rows: a work-item to a row, all rows of a group through local memory ----------------------------------------- */

#define ROWS SCAN_GPU_ITEMS

kernel __attribute__((reqd_work_group_size(ROWS, 1, 1)))
void scan_gpu_short(global OUT *out, global const T *in, const scan_shape s, local ACC *room)
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

/* ---- columns: a work-item to a part of a column, neighbours side by side ---------------------------------------------- */

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
kernel __attribute__((reqd_work_group_size(SCAN_GPU_ITEMS, 1, 1)))
void scan_gpu_column_sums(global ACC *sums, global const T *in, const scan_shape s)
{
    FOR_ITEMS(job, s.places * (s.parts - 1) * s.columns) {
        const long piece = job / s.columns, column = job - piece * s.columns;
        const long place = piece / (s.parts - 1), part = piece - place * (s.parts - 1);
        sums[SUM_AT(&s, place, part, column)] = scan_column(0, in + PLACE_IN(&s, place) + column, &s, part * s.part,
                                                            (part + 1) * s.part, NOTHING_YET);
    }
}

/* Of each column the sums of its parts become what the parts begin with. */
kernel __attribute__((reqd_work_group_size(SCAN_GPU_ITEMS, 1, 1)))
void scan_gpu_column_starts(global ACC *sums, const scan_shape s)
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
kernel __attribute__((reqd_work_group_size(SCAN_GPU_ITEMS, 1, 1)))
void scan_gpu_columns(global OUT *out, global const ACC *starts, global const T *in, const scan_shape s)
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
