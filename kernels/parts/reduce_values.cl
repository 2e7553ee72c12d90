/* What reductions are built with: what an element becomes (MAP), how two values become one (COMBINE), the value that
 * combining begins with (IDENTITY), and the types in which this is done. The host defines them from reduce.def. */
#include "abi/reduce.h"

#ifndef COMBINE
#define MAP(x, type) (x)
#define COMBINE(a, b) (a + b)
#define IDENTITY 0
#define ACC float /* partial results */
#define ACC_BYTES 4
#define OUT float       /* results */
#define LEAF_TYPE float /* the type in which a few elements are combined first */
#define LEAF_BYTES 4
#endif

#ifdef IS_FLOAT
#define HIGHEST INFINITY
#define LOWEST -INFINITY
#else /* the type's range, by its own arithmetic */
#define LOWEST ((T)-1 > 0 ? (T)0 : (T)((ulong)-1 << (8 * ITEM_BYTES - 1)))
#define HIGHEST ((T)~LOWEST)
#endif

/* x without its sign; a signed integer that has no such number gives the largest one. */
#ifdef IS_FLOAT
#define ABSOLUTE(x, type) fabs(x)
#elif defined(IS_SIGNED)
#define ABSOLUTE(x, type) ((x) < (type)0 ? (type)(-max((x), (type)(-HIGHEST))) : (x))
#else
#define ABSOLUTE(x, type) (x)
#endif

/* Results in the dtype itself are packed as its elements are. */
#ifdef OUT_PACKED
#define STORE_OUT(p, i, x) STORE(p, i, x)
#else
#define STORE_OUT(p, i, x) ((p)[i] = (x))
#endif

/* Element i from p on, as it is combined. */
#define MAPPED(p, i) MAP((ACC)LOAD(p, i), ACC)
