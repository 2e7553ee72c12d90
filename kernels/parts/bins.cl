/* Sums whose bits depend on the values alone, not on their order: binned summation, after Ahrens, Demmel and Nguyen
 * ("Algorithms for efficient reproducible floating point summation", ACM TOMS 46, 2020).
 *
 * A state has a scale, a power of two that brings the greatest magnitude below 2^39, and four bins. Each scaled
 * value is cut into slices: what it is to the nearest 1, what is left of it to the nearest 2^-40, then 2^-80 and
 * 2^-120; what is left then is dropped. Bin k adds the k-th slices, in integers of the bin's unit, so in any order.
 * A value's slices do not depend on the other values: where a greater value comes, the scale shrinks by whole steps
 * and bins move down, of which the last ones are dropped. `carry` takes what exceeds 40 digits in a bin. So the sum
 * is exact but for what lies 2^-120 below the greatest magnitude.
 *
 * Of squares the scale has half the step, so that the bins' units are the same: the square of the scaled value, and
 * where that is not exact its rounding error, are cut. No square overflows or vanishes.
 *
 * A state that has met a NaN or an infinity has it as its scale: the sum of all such values.
 *
 * This text is included for states of one value (BINS_V is _1, BINS_REAL double) and for vectors of them (_v,
 * double4); it defines bins_v, bins_v_init, bins_v_join, bins_v_take and bins_v_take_squares (FOLD_LEAF values),
 * bins_v_more and bins_v_more_squares (one). Where a function has a step, it is BINS_STEP, or half of it for
 * squares. */

#define BINS_STATE JOIN(bins, BINS_V)
#define BINS_(name) JOIN(BINS_STATE, name)

typedef struct {
    BINS_REAL scale;
    BINS_LONG bin[4], carry[4];
} BINS_STATE;

#ifndef BINS_COUNT
#define BINS_COUNT 4
#define BINS_STEP 40 /* binary digits of a bin */
/* 1.5 * 2^52 units of bin k: a number that is added to it is rounded to whole units, which the sum's last 51 bits
 * count. */
#define BINS_ROUNDER_BITS(k) ((1023L + 52 - BINS_STEP * (k)) << 52 | 1L << 51)
#define BINS_ROUNDER(k) as_double(BINS_ROUNDER_BITS(k))
#define BINS_POWER(e) as_double((ulong)(1023 + (e)) << 52)
/* What is done for every leaf is inlined, so that the bins stay in registers; the rest is not, for its size. */
#define BINS_OFTEN inline __attribute__((always_inline))
#define BINS_SELDOM __attribute__((noinline))
#endif

inline BINS_STATE BINS_(_init)(int step)
{
    BINS_STATE s;
    s.scale = (BINS_REAL)(BINS_POWER(2063 - 1023 - step)); /* the greatest of BINS_(_scale_for) */
    FOLD_UNROLLED for (int k = 0; k < BINS_COUNT; k++) s.bin[k] = s.carry[k] = (BINS_LONG)(0);
    return s;
}

/* Goes to a scale that is smaller by whole steps. */
BINS_SELDOM void BINS_(_lower)(BINS_STATE *s, BINS_REAL scale, int step)
{
    const BINS_LONG nothing = (BINS_LONG)(0);
    BINS_LONG held = nothing;
    FOLD_UNROLLED for (int k = 0; k < BINS_COUNT; k++) held |= s->bin[k] | s->carry[k];
    if (BINS_ALL(held == nothing)) {
        s->scale = scale;
        return;
    }
    for (int round = 0; round < BINS_COUNT; round++) {
        const BINS_MASK falls = s->scale > scale;
        FOLD_UNROLLED for (int k = BINS_COUNT - 1; k > 0; k--)
        {
            s->bin[k] = falls ? s->bin[k - 1] : s->bin[k];
            s->carry[k] = falls ? s->carry[k - 1] : s->carry[k];
        }
        s->bin[0] = falls ? nothing : s->bin[0];
        s->carry[0] = falls ? nothing : s->carry[0];
        s->scale = falls ? s->scale * (BINS_REAL)(BINS_POWER(-step)) : s->scale;
    }
    s->scale = scale;
}

/* The greatest scale of 2^(20 i) or 2^(40 i) that brings a finite magnitude below 2^19 or 2^39. */
inline BINS_REAL BINS_(_scale_for)(BINS_REAL most, int step)
{
    const BINS_LONG shifted = (BINS_BITS(most) >> (BINS_LONG)(52)) + (BINS_LONG)(18);
    /* shifted / step: shifted is at most 2065 */
    const BINS_LONG place = (shifted * (BINS_LONG)(65536 / step + 1)) >> (BINS_LONG)(16);
    const BINS_LONG wanted = max(place, (BINS_LONG)(1)) * (BINS_LONG)(step);
    return BINS_DOUBLE(((BINS_LONG)(2063) - wanted) << (BINS_LONG)(52));
}

/* Makes the scale one that does for values of magnitudes up to `most`, too. `odd`: the sum of NaN and infinities
 * among them. */
BINS_SELDOM void BINS_(_raise)(BINS_STATE *s, BINS_REAL most, BINS_REAL odd, int step)
{
    const BINS_MASK sound = fabs(s->scale) < (BINS_REAL)(INFINITY), met = odd != (BINS_REAL)(0);
    const BINS_REAL wanted = BINS_(_scale_for)(most, step), scale = sound ? fmin(s->scale, wanted) : s->scale;
    BINS_(_lower)(s, scale, step);
    const BINS_REAL all = sound ? odd : s->scale + odd;
    s->scale = met ? all : s->scale;
}

#define BINS_HOW _take
#define BINS_VALUES FOLD_LEAF
#include "parts/bins_take.cl"

#define BINS_HOW _more
#define BINS_VALUES 1
#include "parts/bins_take.cl"

/* Brings two states to one scale. */
BINS_SELDOM void BINS_(_align)(BINS_STATE *a, BINS_STATE *b, int step)
{
    const BINS_MASK sound = (fabs(a->scale) < (BINS_REAL)(INFINITY)) & (fabs(b->scale) < (BINS_REAL)(INFINITY));
    const BINS_REAL least = fmin(a->scale, b->scale), scale = sound ? least : a->scale + b->scale;
    BINS_(_lower)(a, scale, step);
    BINS_(_lower)(b, scale, step);
}

BINS_OFTEN BINS_STATE BINS_(_join)(BINS_STATE a, BINS_STATE b, int step)
{
    if (!(BINS_ALL(a.scale == b.scale))) {
        BINS_STATE both = a, other = b; /* a and b themselves stay in registers */
        BINS_(_align)(&both, &other, step);
        a = both;
        b = other;
    }
    FOLD_UNROLLED for (int k = 0; k < BINS_COUNT; k++)
    {
        const BINS_LONG sum = a.bin[k] + b.bin[k];
        a.carry[k] += b.carry[k] + (sum >> (BINS_LONG)(BINS_STEP));
        a.bin[k] = sum & (BINS_LONG)((1L << BINS_STEP) - 1);
    }
    return a;
}

#undef BINS_STATE
#undef BINS_
#undef BINS_V
#undef BINS_REAL
#undef BINS_MASK
#undef BINS_LONG
#undef BINS_BITS
#undef BINS_DOUBLE
#undef BINS_ALL
#undef BINS_ANY
