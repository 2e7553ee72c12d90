/* The numbers that products are computed in, and how elements become numbers: f32 for packed dtypes; integers wrap, so
 * they are computed as unsigned ones, of at least 32 bits. alpha and beta are scalars. A vector has 16 bytes of
 * numbers. */
#ifdef IS_FLOAT
#define NUMBER COMPUTE
typedef COMPUTE scalar;
#define MULTIPLY_ADD(a, b, sum) fma((a), (b), (sum))
#elif defined(PART)
#define NUMBER T
typedef T scalar;
#else
#if ITEM_BYTES == 8
#define NUMBER ulong
#else
#define NUMBER uint
#endif
typedef ulong scalar;
#define MULTIPLY_ADD(a, b, sum) ((a) * (b) + (sum))
#endif
typedef NUMBER number;

#ifndef PART
#if ITEM_BYTES == 8
#define VEC 2
#else
#define VEC 4
#endif
typedef JOIN(NUMBER, VEC) vector;

/* Elements as they lie in memory, which for small ones takes fewer registers than numbers. */
typedef STORED element;
typedef JOIN(STORED, VEC) elements;
#ifdef PACKED
#define to_number(x) unpack1(x)
#define to_vector(x) unpack4(x)
#define to_elements(x) pack4(x)
#else
#define to_number(x) ((number)(x))
#define to_vector(x) JOIN(JOIN(convert_, NUMBER), VEC)(x)
#define to_elements(x) JOIN(JOIN(convert_, STORED), VEC)(x)
#endif
#define STORE_VECTOR JOIN(vstore, VEC)
#define LOAD_WIDE(p) to_vector(*(global const elements *)(p))
#endif
