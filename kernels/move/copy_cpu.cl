/* Copying memory without gaps on CPU devices: whole cache lines, written past the cache where the copy is larger than
 * it. */
#define LINE_BYTES 64

typedef ulong8 UNALIGNED __attribute__((aligned(1)));

inline void copy_bytes(global uchar *restrict dst, global const uchar *restrict src, long bytes)
{
    for (long i = 0; i < bytes; i++)
        dst[i] = src[i];
}

/* `head` bytes, then `lines` whole cache lines of dst, then `tail` bytes. */
KERNEL(1) copy_cpu(global uchar *restrict dst, long to, global const uchar *restrict src, long from, long head,
                   long lines, long tail, long streams)
{
    dst += to;
    src += from;
    if (get_global_id(0) == 0) {
        const long behind = head + LINE_BYTES * lines;
        copy_bytes(dst, src, head);
        copy_bytes(dst + behind, src + behind, tail);
    }
    global ulong8 *d = (global ulong8 *)(dst + head);
    global const UNALIGNED *s = (global const UNALIGNED *)(src + head);
    const long end = SPREAD_TO(lines);
    if (streams)
        for (long i = SPREAD_FROM(lines); i < end; i++)
            /* The cast drops the alignment of UNALIGNED, for which clang would make eight stores. */
            STORE_PAST_CACHE(d + i, (ulong8)s[i]);
    else
        for (long i = SPREAD_FROM(lines); i < end; i++)
            d[i] = s[i];
}
