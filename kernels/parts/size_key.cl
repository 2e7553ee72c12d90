/* Sizes of numbers as whole numbers, which have their order; NaN is larger than all. Numbers below LEAST_DIVISOR have
 * no finite reciprocal, or one that has lost digits. */
#if REAL_BYTES == 8
typedef ulong size_key;
#define SIZE_KEY(x) as_ulong(size_of(x))
#define LEAST_DIVISOR 1e-300
#else
typedef uint size_key;
#define SIZE_KEY(x) as_uint(size_of(x))
#define LEAST_DIVISOR 1e-36f
#endif
