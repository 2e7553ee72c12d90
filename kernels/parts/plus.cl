/* How two values are combined, by default added, and NOTHING, which changes no value: the largest integer is used as
 * infinity, and with PLUS_SIGNED a sum of negative zeros is one. */
#define MOST ((COMPUTE)(((((COMPUTE)1 << (DIGITS - 1)) - 1) << 1) + 1))
#define LEAST ((COMPUTE)(-MOST - 1))
#ifdef PLUS_MIN
#define PLUS(a, b) NAN_WINS((a) < (b), a, b, LOWER_ZERO(a, b))
#ifdef IS_FLOAT
#define NOTHING ((COMPUTE)INFINITY)
#else
#define NOTHING MOST
#endif
#elif defined(PLUS_MAX)
#define PLUS(a, b) NAN_WINS((a) > (b), a, b, UPPER_ZERO(a, b))
#ifdef IS_FLOAT
#define NOTHING ((COMPUTE)(-INFINITY))
#else
#define NOTHING ((COMPUTE)-1 < (COMPUTE)0 ? LEAST : (COMPUTE)0)
#endif
#elif defined(PLUS_TIMES)
#define PLUS(a, b) PRODUCT(a, b)
#ifdef PART
#define NOTHING ((COMPUTE)(1, 0))
#else
#define NOTHING ((COMPUTE)1)
#endif
#elif defined(PLUS_OR)
#define PLUS(a, b) ((a) | (b))
#define NOTHING ((COMPUTE)0)
#else
#define PLUS(a, b) ((a) + (b))
#if defined(PLUS_SIGNED) && (defined(IS_FLOAT) || defined(PART))
#define NOTHING ((COMPUTE)(-0.0f))
#else
#define NOTHING ((COMPUTE)(0))
#endif
#endif
