/* Copying memory without gaps on a GPU: a work-item copies 16 aligned bytes; some copy single bytes at both ends. */
#define ITEMS 256

KERNEL(ITEMS) copy_dense(global uchar *restrict dst, long to, global const uchar *restrict src, long from, long head,
                         long vectors, long tail)
{
    const long i = get_global_id(0);
    dst += to;
    src += from;
    if (i < head)
        dst[i] = src[i];
    dst += head;
    src += head;
    if (i < vectors)
        ((global uint4 *)dst)[i] = ((global const uint4 *)src)[i];
    if (i < tail)
        dst[16 * vectors + i] = src[16 * vectors + i];
}
