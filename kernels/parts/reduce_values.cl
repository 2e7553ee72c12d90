/* What reductions are built with: how two values become one, with which begins, and how results are stored. */
#ifndef COMBINE
#define COMBINE(a, b) (a + b)
#define IDENTITY 0
#define ACC float /* partial results */
#define ACC_BYTES 4
#define OUT float       /* results */
#define LEAF_TYPE float /* what a few elements are combined in first */
#define LEAF_BYTES 4
#endif

#ifdef IS_FLOAT
#define HIGHEST INFINITY
#define LOWEST -INFINITY
#else /* the type's range, by its own arithmetic */
#define LOWEST ((T)-1 > 0 ? (T)0 : (T)((ulong)-1 << (8 * ITEM_BYTES - 1)))
#define HIGHEST ((T)~LOWEST)
#endif

#ifdef OUT_IS_HALF
#define STORE_OUT(p, i, x) vstore_half_rte(x, i, p)
#else
#define STORE_OUT(p, i, x) ((p)[i] = (x))
#endif
