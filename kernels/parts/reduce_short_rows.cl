/* Reductions of short rows on CPU devices, part of reduce_cpu.cl: LANES rows at once, an output to a lane. */

constant uchar lane_numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Which lanes PICK takes. LOWER, UPPER: the lower (upper) d of each 2*d lanes, in turns from a and from b. TURNED: n
 * columns of LANES/n lanes, as rows. */
#define LOWER(lane, d) ((lane) / (d) % 2 * LANES + (lane) / (2 * (d)) * 2 * (d) + (lane) % (d))
#define UPPER(lane, d) (LOWER(lane, d) + (d))
#define TURNED(lane, n) ((lane) % (LANES / (n)) * (n) + (lane) / (LANES / (n)))
#define EACH_LANE_2(f, n) f(0, n), f(1, n)
#define EACH_LANE_4(f, n) EACH_LANE_2(f, n), f(2, n), f(3, n)
#define EACH_LANE_8(f, n) EACH_LANE_4(f, n), f(4, n), f(5, n), f(6, n), f(7, n)
#define EACH_LANE_16(f, n)                                                                                             \
    EACH_LANE_8(f, n), f(8, n), f(9, n), f(10, n), f(11, n), f(12, n), f(13, n), f(14, n), f(15, n)
#ifdef __clang__
#define PICK(a, b, f, n) __builtin_shufflevector(a, b, JOIN(EACH_LANE_, LANES)(f, n))
#else
#define MASK_1 uchar
#define MASK_2 ushort
#define MASK_4 uint
#define MASK_8 ulong
#define PICK(a, b, f, n) shuffle2(a, b, (JOIN(JOIN(MASK_, LEAF_BYTES), LANES))(JOIN(EACH_LANE_, LANES)(f, n)))
#endif

/* Joins each 2*n lanes of two vectors to n lanes, those of the two vectors in turns. */
#define JOIN_TURNS(n)                                                                                                  \
    c[i] = chain_join(PICK(c[i], c[i + n], LOWER, n), PICK(c[i], c[i + n], UPPER, n));

/* The last, incomplete vector of each row is loaded with elements behind it, or before it, masked. */
inline lanes short_rows(global const T *p, long step, long n, int behind)
{
    const LEAFV number = JOIN(convert_, LEAFV)(JOIN(vload, LANES)(0, lane_numbers));
    const int tail = n % LANES, shift = behind ? 0 : LANES - tail;
    const LEAFV low = (LEAFV)((LEAF_TYPE)shift), high = (LEAFV)((LEAF_TYPE)(shift + tail));
    chain c[LANES];
    EACH(LANES)
        c[i] = (LEAFV)(IDENTITY);
    EACH(LANES)
        for (long k = 0; k + LANES <= n; k += LANES)
            c[i] = chain_join(c[i], LOAD_LANES(p + i * step + k, LEAFV));
    p += n - tail - shift;
    if (tail > 0)
        EACH(LANES)
        {
            const LEAFV read = LOAD_LANES(p + i * step, LEAFV);
            const LEAFV x = select((LEAFV)(IDENTITY), read, (number >= low) & (number < high));
            c[i] = chain_join(c[i], x);
        }
    HALVE(JOIN_TURNS)
    return WIDEN(c[0]);
}

/* Rows of 2, 4 ... LANES elements without gaps between them: as many whole vectors, folded until there are LANES
 * sums. */
#define LOAD_DENSE(count)                                                                                              \
    EACH(count)                                                                                                        \
        c[i] = LOAD_LANES(p + i * LANES, LEAFV);
#define DENSE(count, halves)                                                                                           \
    case count: {                                                                                                      \
        LOAD_DENSE(count)                                                                                              \
        halves                                                                                                         \
        c[0] = PICK(c[0], c[0], TURNED, count);                                                                        \
        break;                                                                                                         \
    }
/* Rows of LANES elements: the halves of two rows are loaded to the lanes where the first join needs them, which
 * takes no further instruction. Rearranging them in registers took as long as all other work (Zen 1, whose vector
 * registers are halves too). */
#ifdef HALF_LANES
#define HALF_ROW(i) load_half_row(p + (i) * HALF_LANES)
#define DENSE_WHOLE(halves)                                                                                            \
    case LANES: {                                                                                                      \
        EACH(HALF_LANES)                                                                                               \
            c[i] = chain_join((LEAFV)(HALF_ROW(2 * i), HALF_ROW(2 * i + LANES)),                                       \
                              (LEAFV)(HALF_ROW(2 * i + 1), HALF_ROW(2 * i + 1 + LANES)));                              \
        halves                                                                                                         \
        break;                                                                                                         \
    }
typedef JOIN(LEAF_TYPE, HALF_LANES) half_row;
typedef JOIN(STORED, HALF_LANES) half_row_anywhere __attribute__((aligned(ITEM_BYTES)));
inline half_row load_half_row(global const T *p)
{
    const JOIN(STORED, HALF_LANES) x = *(global const half_row_anywhere *)p;
#ifdef PACKED
    return MAP(JOIN(unpack, HALF_LANES)(x), half_row);
#else
    return MAP(JOIN(convert_, JOIN(LEAF_TYPE, HALF_LANES))(x), half_row);
#endif
}
#endif
#define FROM_2 EACH(1) JOIN_TURNS(1)
#define FROM_4 EACH(2) JOIN_TURNS(2) FROM_2
#define FROM_8 EACH(4) JOIN_TURNS(4) FROM_4

inline lanes dense_rows(global const T *p, int n)
{
    chain c[LANES];
    switch (n) {
#if LANES == 2
        DENSE(2, FROM_2)
#elif LANES == 4
        DENSE(2, FROM_2)
        DENSE_WHOLE(FROM_2)
#elif LANES == 8
        DENSE(2, FROM_2)
        DENSE(4, FROM_4)
        DENSE_WHOLE(FROM_4)
#else
        DENSE(2, FROM_2)
        DENSE(4, FROM_4)
        DENSE(8, FROM_8)
        DENSE_WHOLE(FROM_8)
#endif
    default: /* does not occur; without it the compiler would see an uninitialised value */
        c[0] = (LEAFV)(IDENTITY);
    }
    return WIDEN(c[0]);
}

/* Reduces LANES rows from `row` on, or the last LANES rows, of which the group before has done some. Inlined, since
 * a call would take as long as the work. */
inline __attribute__((always_inline))
void reduce_group(global OUT *out, global const T *in, const reduce_short_shape *plan, long readable, long row)
{
    const long skip = max(row + LANES - plan->inner, 0L);
    const long from = (row - skip) * plan->step;
    const long reach = from + (LANES - 1) * plan->step + plan->elements + LANES;
    const lanes result = plan->dense ? dense_rows(in + from, (int)plan->elements)
                                     : short_rows(in + from, plan->step, plan->elements, reach <= readable);
    store(out + (row - skip) * plan->out_step, plan->out_step, result, skip, LANES, plan->past_cache);
}

KERNEL(1) reduce_cpu_short(global OUT *out, global const T *in, reduce_short_shape plan)
{
    const long groups = (plan.inner + LANES - 1) / LANES;
    const long last = min(plan.outer * groups, (long)(get_group_id(0) + 1) * plan.per_item);
    for (long job = get_group_id(0) * plan.per_item; job < last;) {
        const long place = job / groups, end = min(last, (place + 1) * groups);
        const long first = plan.in + layout_offset(&plan.kept, place), group = job - place * groups;
        const long apart = (end - job) / 4, streams = apart * LANES * plan.step >= STREAM_LEAST ? 4 * apart : 0;
        global OUT *to = out + plan.out + layout_offset(&plan.kept_out, place);
        for (long i = 0; i < end - job; i++)
            reduce_group(to, in + first, &plan, plan.readable - first,
                         (group + (i < streams ? i / 4 + i % 4 * apart : i)) * LANES);
        job = end;
    }
}
