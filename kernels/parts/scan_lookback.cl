/* Scans in one pass: how groups pass to one another the sums of parts.
 *
 * A value that one group passes to others is a number of 64 bits that is never 0, or two of them: a 1, and 32 bits of
 * the value. Each is written and read whole, so no other order in memory is needed. (OpenCL C does not promise that
 * 64 bits are; CPUs and NVIDIA's GPUs do it, and the rows that use this are for these.)
 *
 * BLOCK parts, one to each item of a group, are a block. A part adds up the sums of the parts before it in its
 * block, in a tree whose form depends on the part's place alone, and the last part of a block shows the next block
 * what that block begins with. So results are the same bits every time, whatever part is done first. What blocks
 * begin with is a sum in f64 where elements are added up in f32: with a block added at a time its error would grow
 * with the number of blocks otherwise.
 *
 * Parts are handed out by a counter, in their order, so those before a part have groups that run already. */
#ifndef CARRY
#define CARRY ACC
#endif
#define BLOCK ITEMS
#define SUM_WORDS (ACC_BYTES == 8 ? 2 : 1)

typedef union word {
    ACC sum;
    CARRY start;
    ulong bits;
} word;

inline void tell(volatile global ulong *words, ulong bits, int count)
{
    for (int i = 0; i < count; i++)
        words[i] = bits >> 32 * i << 32 | 1;
}

inline ulong hear_word(ulong word, volatile global ulong *from)
{
    while (word == 0)
        word = *from;
    return word >> 32;
}

inline ulong hear(volatile global ulong *words, int count)
{
    ulong bits = 0;
    for (int i = 0; i < count; i++)
        bits |= hear_word(words[i], words + i) << 32 * i;
    return bits;
}

/* A part: where it lies in its block, what others know of the block's parts, and what the block and the next one
 * begin with. */
typedef struct row_part {
    long place, part;
    int at;
    bool first, last; /* is its block the line's first one, the last one? */
    volatile global ulong *sums, *starts;
} row_part;

/* `words` are: the counter; what the blocks of each line begin with; the sums of the parts. */
inline row_part part_of_job(const scan_shape *s, volatile global ulong *words, long job)
{
    const long blocks = (s->parts + BLOCK - 1) / BLOCK, place = job / s->parts, part = job - place * s->parts;
    const long block = part / BLOCK;
    return (row_part){
        .place = place,
        .part = part,
        .at = (int)(part - block * BLOCK),
        .first = block == 0,
        .last = block == blocks - 1,
        .sums = words + 2 + 2 * s->places * blocks + (place * s->parts + block * BLOCK) * SUM_WORDS,
        .starts = words + 2 + 2 * (place * blocks + block),
    };
}

inline void tell_sum(const row_part *p, ACC sum)
{
    word own = {.bits = 0};
    own.sum = sum;
    tell(p->sums + p->at * SUM_WORDS, own.bits, SUM_WORDS);
}

/* The sum of the block's part that is this item's to ask for; nothing from the part `at` on. */
inline ACC hear_sum(const row_part *p, int item)
{
    word theirs = {.bits = 0};
    if (item >= p->at)
        return IDENTITY;
    theirs.bits = hear(p->sums + item * SUM_WORDS, SUM_WORDS);
    return theirs.sum;
}

/* What a part begins with: by all items of a group. The last part of a block shows what the next block begins with. */
inline ACC wait_for_start(const row_part *p, local ACC *room, local ACC *shared, int item)
{
    const bool tells = item == 0 && p->at == BLOCK - 1 && !p->last;
    ACC total;
    word start = {.bits = 0}, own = {.bits = 0};
    start.start = (CARRY)(IDENTITY);
    const ACC heard = hear_sum(p, item);
    if (item == 0 && !p->first)
        start.bits = hear(p->starts, 2);
    if (tells)
        own.bits = hear(p->sums + p->at * SUM_WORDS, SUM_WORDS);
    group_scan(heard, &total, room);
    start.start = COMBINE(start.start, (CARRY)total);
    if (item == 0)
        *shared = (ACC)start.start;
    start.start = COMBINE(start.start, (CARRY)own.sum);
    if (tells)
        tell(p->starts + 2, start.bits, 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *shared;
}

/* The next job, the same for all items of the group. */
inline long take_job(volatile global ulong *words, local uint *taken)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *taken = atomic_inc((volatile global uint *)words);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *taken;
}
