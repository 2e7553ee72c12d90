/* Filling memory without gaps on CPU devices: whole cache lines, written past the cache where the array is larger than
 * it. */
#define LINE_BYTES 64

inline void fill_bytes(global uchar *dst, ulong2 bits, long bytes)
{
    for (long i = 0; i < bytes; i++)
        dst[i] = (uchar)((i % 16 < 8 ? bits.x : bits.y) >> i % 8 * 8);
}

/* `bits` repeats the value. Filled are `head` bytes, then `lines` whole cache lines, then `tail` bytes. */
KERNEL(1) fill_cpu(global uchar *dst, long to, long head, long lines, long tail, ulong2 bits, long streams)
{
    dst += to;
    if (get_global_id(0) == 0) {
        fill_bytes(dst, bits, head);
        fill_bytes(dst + head + LINE_BYTES * lines, bits, tail);
    }
    global ulong8 *d = (global ulong8 *)(dst + head);
    const ulong8 line = (ulong8)(bits, bits, bits, bits);
    const long end = SPREAD_TO(lines);
    if (streams)
        for (long i = SPREAD_FROM(lines); i < end; i++)
            STORE_PAST_CACHE(d + i, line);
    else
        for (long i = SPREAD_FROM(lines); i < end; i++)
            d[i] = line;
}
