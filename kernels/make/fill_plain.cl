/* Filling any layout with one value, built per item size. */
KERNEL(GROUP) fill_plain(global T *dst, long offset, lun_layout to, long n, ulong2 bits)
{
#if ITEM_BYTES == 16
    const T value = JOIN(as_, T)(bits);
#else
    const T value = (T)bits.x;
#endif
    dst += offset;
    if (to.ndim <= 1 && (n <= 1 || to.stride[0] == 1)) {
        FOR_SPREAD(i, n)
            dst[i] = value;
    } else {
        FOR_SPREAD(i, n)
            dst[layout_offset(&to, i)] = value;
    }
}
