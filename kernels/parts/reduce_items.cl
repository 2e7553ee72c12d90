/* The value that a work-item of a reduction on a GPU carries along, and how two of them are joined. */
#include "parts/reduce_values.cl"

/* A value; for accurate sums with the sum of its rounding errors. */
typedef struct {
    ACC value;
#ifdef ACCURATE
    ACC rest;
#endif
} item;

#ifdef ACCURATE
#define JOIN_INTO(a, b_value, b_rest, type) \
    do { \
        const type sum_ = (a).value + (b_value), part_ = sum_ - (a).value; \
        (a).rest = ((a).rest + (b_rest)) + (((a).value - (sum_ - part_)) + ((b_value) - part_)); \
        (a).value = sum_; \
    } while (0)
#define FINISH(x) (isnan((x).rest) ? (x).value : (x).value + (x).rest) /* infinities have no rest */
#else
#define FINISH(x) ((x).value)
#endif

inline item join(item a, item b)
{
#ifdef ACCURATE
    JOIN_INTO(a, b.value, b.rest, ACC);
#else
    a.value = COMBINE(a.value, b.value);
#endif
    return a;
}

inline item item_of(ACC value)
{
    item x;
    x.value = value;
#ifdef ACCURATE
    x.rest = 0;
#endif
    return x;
}
