/* The value that a work-item of a reduction on a GPU carries along, and how two of them are joined. */
#include "parts/reduce_values.cl"

typedef struct {
    ACC value;
} item;

#define FINISH(x) ((x).value)

inline item join(item a, item b)
{
    a.value = COMBINE(a.value, b.value);
    return a;
}

inline item item_of(ACC value)
{
    item x;
    x.value = value;
    return x;
}
