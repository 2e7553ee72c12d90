/* Arrays that an expression reads at other positions than their own: where position i of what is read lies in an array
 * of that length, which begins at position `before` of it. */

inline long read_roll(long i, long before, long length)
{
    const long at = i - before;
    return at < 0 ? at + length : at;
}
inline long read_wrap(long i, long before, long length)
{
    const long at = read_roll(i, before, length);
    return at >= length ? at - length : at;
}
inline long read_edge(long i, long before, long length) { return clamp(i - before, 0L, length - 1); }
inline long read_reflect(long i, long before, long length)
{
    const long at = i < before ? before - i : i - before;
    return at < length ? at : 2 * (length - 1) - at;
}
inline long read_symmetric(long i, long before, long length)
{
    const long at = i < before ? before - 1 - i : i - before;
    return at < length ? at : 2 * length - 1 - at;
}
inline bool read_within(long i, long before, long length) { return (ulong)(i - before) < (ulong)length; }

/* The end of the piece of a row in which j lies. */
#define READ_ROLLED(j, before) stop = (j) < before ? min(stop, before) : stop;
#define READ_PADDED(j, before, length)         \
    border |= !read_within(j, before, length); \
    stop = (j) < before ? min(stop, before) : (j) < before + length ? min(stop, before + length) : stop;
