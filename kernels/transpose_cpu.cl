/* Transposing on CPU devices: tiles in registers, whole cache lines written at a time, past the cache where the result
 * would not stay in it anyway. Built per item size. */
#ifndef LINE_BYTES
#define LINE_BYTES 64
#endif

#define LINE (LINE_BYTES / ITEM_BYTES) /* items */
/* A tile's side is the items in 16 bytes. */
#if ITEM_BYTES == 1
#define SIDE 16
#define LOW_LANES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_LANES 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif ITEM_BYTES == 2
#define SIDE 8
#define LOW_LANES 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_LANES 4, 12, 5, 13, 6, 14, 7, 15
#elif ITEM_BYTES == 4
#define SIDE 4
#define LOW_LANES 0, 4, 1, 5
#define HIGH_LANES 2, 6, 3, 7
#else
#define SIDE 2
#define LOW_LANES 0, 2
#define HIGH_LANES 1, 3
#endif
#define TILES (LINE / SIDE)
#define RUN (1024 / ITEM_BYTES) /* items written to a row of dst at a time */
#define STRIP 64              /* columns that are walked down together: so many pages of dst are open */

#define VEC JOIN(T, SIDE)
#define LOAD_VEC(p) JOIN(vload, SIDE)(0, p)
#define STORE_VEC(x, p) JOIN(vstore, SIDE)(x, 0, p)
#define UNROLLED _Pragma("unroll") for

#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__)) /* PoCL; not an interpreter of its code */
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM_VEC(x, p) __builtin_nontemporal_store(x, (global VEC *)(p))
#endif
#if __has_builtin(__builtin_prefetch)
#define PREFETCH(p) __builtin_prefetch((const void *)(ulong)(p), 0, 2)
#endif
#endif
#ifndef STREAM_VEC
#define STREAM_VEC(x, p) STORE_VEC(x, p)
#endif
#ifndef PREFETCH
#define PREFETCH(p) prefetch(p, 1)
#endif

typedef struct {
    long dst, src;           /* first elements */
    long rows, columns;      /* of src; columns are its neighbours, rows dst's */
    long dst_step, src_step; /* from column to column of dst, from row to row of src */
    long row_block, row_blocks, column_block, column_blocks;
    long jobs, per_item;     /* batch * row_blocks * column_blocks */
    long streams;            /* write past the cache */
} transpose_plan;

/* The lower, or the upper, halves of two vectors, one item of each in turn. */
#ifdef __clang__
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, LOW_LANES)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, HIGH_LANES)
#else
#define ZIP_LOW(a, b) shuffle2(a, b, (VEC)(LOW_LANES))
#define ZIP_HIGH(a, b) shuffle2(a, b, (VEC)(HIGH_LANES))
#endif

#define ZIP(to, from)                                                                                            \
    UNROLLED(int i = 0; i < SIDE / 2; i++)                                                                       \
    {                                                                                                            \
        to[2 * i] = ZIP_LOW(from[i], from[i + SIDE / 2]);                                                            \
        to[2 * i + 1] = ZIP_HIGH(from[i], from[i + SIDE / 2]);                                                   \
    }

/* A tile of many registers is not inlined: that would double the time of building. */
#if SIDE > 4
#define TILE_FUNCTION __attribute__((noinline)) static
#define EACH_TILE for
#else
#define TILE_FUNCTION inline
#define EACH_TILE UNROLLED
#endif

/* SIDE rows of src become as many columns, `to_step` apart: the upper half is zipped with the lower log2(SIDE) times. */
TILE_FUNCTION void tile(VEC *to, int to_step, global const T *src, long step)
{
    VEC t[SIDE], u[SIDE];
#if SIDE == 4 || SIDE == 16
    UNROLLED(int i = 0; i < SIDE; i++) t[i] = LOAD_VEC(src + i * step);
#else
    UNROLLED(int i = 0; i < SIDE; i++) u[i] = LOAD_VEC(src + i * step);
    ZIP(t, u)
#endif
#if SIDE > 2
    ZIP(u, t)
    ZIP(t, u)
#endif
#if SIDE > 8
    ZIP(u, t)
    ZIP(t, u)
#endif
    UNROLLED(int i = 0; i < SIDE; i++) to[i * to_step] = t[i];
}

static void edge(global T *dst, long dst_step, global const T *src, long src_step, long rows, long columns)
{
    for (long j = 0; j < columns; j++)
        for (long i = 0; i < rows; i++)
            dst[j * dst_step + i] = src[i * src_step + j];
}

/* LINE rows by SIDE columns. */
inline void lines(global T *dst, long dst_step, global const T *src, long src_step, int streams)
{
    VEC t[LINE];
    EACH_TILE(int i = 0; i < TILES; i++) tile(t + i, TILES, src + i * SIDE * src_step, src_step);
    if (streams)
        EACH_TILE(int j = 0; j < SIDE; j++)
            UNROLLED(int i = 0; i < TILES; i++) STREAM_VEC(t[j * TILES + i], dst + j * dst_step + i * SIDE);
    else
        EACH_TILE(int j = 0; j < SIDE; j++)
            UNROLLED(int i = 0; i < TILES; i++) STORE_VEC(t[j * TILES + i], dst + j * dst_step + i * SIDE);
}

static void direct(global T *dst, long dst_step, global const T *src, long src_step, long rows, long columns,
                   int streams)
{
    long i = 0;
    for (; i + LINE <= rows; i += LINE) {
        global const T *p = src + i * src_step;
        long j = 0;
        for (; j + SIDE <= columns; j += SIDE) {
            if (j % LINE == 0 && i + 2 * LINE <= rows)
                for (int r = 0; r < LINE; r++)
                    PREFETCH(p + (LINE + r) * src_step + j);
#if PW
            if (!streams)
              EACH(int c = 0; c < SIDE; c++)
                PREFETCHW(dst + (j + c) * dst_step + i + PW * LINE - 1);
#endif
            lines(dst + j * dst_step + i, dst_step, p + j, src_step, streams);
        }
        edge(dst + j * dst_step + i, dst_step, p + j, src_step, LINE, columns - j);
    }
    edge(dst + i, dst_step, src + i * src_step, src_step, rows - i, columns);
}

/* Where lines of dst begin differs from row to row: a block of up to RUN x STRIP goes through private memory, out of
 * which runs of whole lines are written. */
static void staged(global T *dst, long dst_step, global const T *src, long src_step, int rows, int columns)
{
    T block[STRIP * (RUN + LINE)] __attribute__((aligned(LINE_BYTES)));
    for (int i = 0; i < rows; i += SIDE) {
        global const T *p = src + i * src_step;
        if (i + LINE + SIDE <= rows)
            for (int j = 0; j < columns; j += LINE)
                for (int r = LINE; r < LINE + SIDE; r++)
                    PREFETCH(p + r * src_step + j);
        int j = 0;
        for (; i + SIDE <= rows && j + SIDE <= columns; j += SIDE)
            tile((VEC *)(block + j * (RUN + LINE) + i), (RUN + LINE) / SIDE, p + j, src_step);
        for (int r = 0; r < min(rows - i, SIDE); r++)
            for (int c = j; c < columns; c++)
                block[c * (RUN + LINE) + i + r] = p[r * src_step + c];
    }
    for (int j = 0; j < columns; j++) {
        global T *to = dst + j * dst_step;
        const T *from = block + j * (RUN + LINE);
        const int head = min(rows, (int)(-((ulong)to / ITEM_BYTES) % LINE));
        const int whole = head + (rows - head) / LINE * LINE;
        for (int i = 0; i < head; i++)
            to[i] = from[i];
        for (int i = head; i < whole; i += SIDE)
            STREAM_VEC(LOAD_VEC(from + i), to + i);
        for (int i = whole; i < rows; i++)
            to[i] = from[i];
    }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
transpose_cpu(global T *dst, global const T *src, const lun_layout to, const lun_layout from, const transpose_plan plan)
{
    const long last = min(plan.jobs, (long)(get_group_id(0) + 1) * plan.per_item);
    for (long job = get_group_id(0) * plan.per_item; job < last; job++) {
        const long row = job / plan.column_blocks % plan.row_blocks * plan.row_block;
        const long column = job % plan.column_blocks * plan.column_block;
        const long batch = job / plan.column_blocks / plan.row_blocks;
        const long rows = min(plan.row_block, plan.rows - row), columns = min(plan.column_block, plan.columns - column);
        global T *d = dst + plan.dst + layout_offset(&to, batch) + column * plan.dst_step + row;
        global const T *s = src + plan.src + layout_offset(&from, batch) + row * plan.src_step + column;
        const int aligned = ((ulong)d | (ulong)(plan.dst_step * ITEM_BYTES)) % LINE_BYTES == 0;
        if (plan.streams && !aligned)
            staged(d, plan.dst_step, s, plan.src_step, rows, columns);
        else
            direct(d, plan.dst_step, s, plan.src_step, rows, columns, plan.streams);
    }
}
