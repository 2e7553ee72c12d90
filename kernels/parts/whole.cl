/* Functions of integers that take as many rounds as their operands ask for, one lane of a vector of WIDTH after the
 * other. */
#define IS_NEGATIVE(x) ((x) < 0)
#define WHOLE char
#define NATURAL uchar
#include "templates/whole.cl"
#define WHOLE short
#define NATURAL ushort
#include "templates/whole.cl"
#define WHOLE int
#define NATURAL uint
#include "templates/whole.cl"
#define WHOLE long
#define NATURAL ulong
#include "templates/whole.cl"
#undef IS_NEGATIVE
#define IS_NEGATIVE(x) false
#define WHOLE uchar
#define NATURAL uchar
#include "templates/whole.cl"
#define WHOLE ushort
#define NATURAL ushort
#include "templates/whole.cl"
#define WHOLE uint
#define NATURAL uint
#include "templates/whole.cl"
#define WHOLE ulong
#define NATURAL ulong
#include "templates/whole.cl"
#undef IS_NEGATIVE

#define WHOLE_OF(f, TYPE, a, b) JOIN(f##_, TYPE)(a, b)
