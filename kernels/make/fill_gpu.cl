/* Filling memory without gaps on a GPU: a work-item writes 16 aligned bytes; some write single bytes at both ends. */
#define ITEMS 256

/* `bits` repeats the value. */
KERNEL(ITEMS) fill_gpu(global uchar *dst, long to, long head, long vectors, long tail, ulong2 bits)
{
    const long i = get_global_id(0);
    const uchar byte = (uchar)((i % 16 < 8 ? bits.x : bits.y) >> i % 8 * 8);
    dst += to;
    if (i < head)
        dst[i] = byte;
    dst += head;
    if (i < vectors)
        ((global ulong2 *)dst)[i] = bits;
    if (i < tail)
        dst[16 * vectors + i] = byte;
}
