/* An index of the user's, counted from 0 instead of 1. It may be any number: the least long has none before it, for
 * which a compiler may do as it likes unless the subtraction is one of unsigned numbers, which wrap. */
inline long from_zero(long index) { return (long)((ulong)index - 1); }
