/* Sums in bins of values of at most 24 digits: what most leaves of FOLD_LEAF such values need no slices for.
 *
 * Doubles that are whole multiples of a unit add up without rounding as long as the sum has at most 53 digits, in
 * any order. So a leaf is summed in plain doubles where all of its values lie within some powers of two: bits of the
 * values as floats tell, of which the greatest and the least that is not 0 are found beside. Of values a leaf has
 * two slices, of bin `aim` and the next one: the first is what rounding to the bin's unit makes from each value, the
 * second what is then left of the whole sum. Of squares, which have 48 digits, it has three. They are kept apart
 * (`slice`) and go to the bins before the scale or the aim changes. A leaf that does not fit is taken as
 * parts/bins.cl says, and the next ones are aimed as it would have needed. Bits are those of parts/bins.cl: all of
 * this is exact.
 *
 * This text is included for vectors of values (NEAR_V is _v, NEAR_WIDTH their width, NEAR_BINS bins_v) and for
 * single ones (_c, nothing, bins_1); it defines near_v and functions of that name. */

#ifndef NEAR_RANGE
/* Greatest and least of a leaf whose sum is exact, apart as bits: 2^25, and digits for FOLD_LEAF. */
#define NEAR_RANGE (25U << 23)
#define NEAR_HIGHEST 0x72000000U  /* a least that is greater counts as this, so that NEAR_RANGE can be added to it */
#define NEAR_DOWN ((long)BINS_STEP << 52) /* from the bits of a bin's rounder to those of the next */

/* Is any lane's highest bit set? In a few instructions, where any() looks at each lane. */
inline int near_any(uint x) { return (int)x < 0; }
inline int near_any2(uint2 x) { return as_long(x | x.yx) < 0; }
inline int near_any4(uint4 x) { return near_any2(x.lo | x.hi); }
inline int near_any8(uint8 x) { return near_any4(x.lo | x.hi); }
inline int near_any16(uint16 x) { return near_any8(x.lo | x.hi); }
#endif

#define NEAR_STATE JOIN(near, NEAR_V)
#define NEAR_(name) JOIN(NEAR_STATE, name)
#define NEAR_BINS_(name) JOIN(NEAR_BINS, name)

#define NEAR_REAL JOIN(float, NEAR_WIDTH)
#define NEAR_BITS JOIN(uint, NEAR_WIDTH)
#define NEAR_OF_BITS JOIN(as_uint, NEAR_WIDTH)
#define NEAR_REALS JOIN(double, NEAR_WIDTH)
#define NEAR_LONG JOIN(long, NEAR_WIDTH)
#define NEAR_TO_REALS JOIN(convert_double, NEAR_WIDTH)
#define NEAR_TO_LONG JOIN(convert_long, NEAR_WIDTH)
#define NEAR_TO_BITS JOIN(convert_uint, NEAR_WIDTH)
#define NEAR_FROM_BITS JOIN(as_long, NEAR_WIDTH)
#define NEAR_DOUBLE JOIN(as_double, NEAR_WIDTH)
#define NEAR_ANY JOIN(near_any, NEAR_WIDTH)

typedef struct {
    NEAR_BINS all;
    NEAR_LONG slice[3], aim;     /* aim: 0, or -1 where the slices are of the bins from 1 on */
    NEAR_LONG rounder;           /* bits of 1.5 * 2^52 units of the first slice, not scaled */
    NEAR_BITS below, least;      /* bits of the floats that a leaf can have */
} NEAR_STATE;

/* Rounders and ranges for the scale and the aim. Of squares a bin has 20 binary digits of the value. */
BINS_SELDOM void NEAR_(_prepare)(NEAR_STATE *s, int squares)
{
    const NEAR_LONG field = NEAR_FROM_BITS(s->all.scale) >> (NEAR_LONG)(52) & (NEAR_LONG)(0x7ff), none = (NEAR_LONG)(0);
    /* exponent of the values' unit; the scale of NaN gives less than all floats */
    const NEAR_LONG unit = (NEAR_LONG)(1023) - field;
    const NEAR_LONG step = (NEAR_LONG)(squares ? BINS_STEP / 2 : BINS_STEP);
    const NEAR_LONG place = unit * (NEAR_LONG)(squares ? 2 : 1) + (s->aim & (NEAR_LONG)(-BINS_STEP));
    s->rounder = ((place + (NEAR_LONG)(1023 + 52)) << (NEAR_LONG)(52)) | (NEAR_LONG)(1L << 51);
    const NEAR_LONG top = unit + (NEAR_LONG)(127) + (s->aim ? (NEAR_LONG)(-1) : step - (NEAR_LONG)(1));
    const NEAR_LONG end = unit + (NEAR_LONG)(127 - 17) + (s->aim & -step);
    s->below = NEAR_TO_BITS(clamp(top, none, (NEAR_LONG)(255)) << (NEAR_LONG)(23));
    s->least = NEAR_TO_BITS(clamp(end, none, (NEAR_LONG)(255)) << (NEAR_LONG)(23));
}

/* The slices go to their bins. */
BINS_SELDOM void NEAR_(_settle)(NEAR_STATE *s)
{
    const NEAR_LONG none = (NEAR_LONG)(0), aim = s->aim;
    s->all.bin[0] += aim ? none : s->slice[0];
    s->all.bin[1] += aim ? s->slice[0] : s->slice[1];
    s->all.bin[2] += aim ? s->slice[1] : s->slice[2];
    s->all.bin[3] += aim ? s->slice[2] : none;
    s->slice[0] = s->slice[1] = s->slice[2] = none;
}

BINS_OFTEN NEAR_STATE NEAR_(_init)(int step)
{
    NEAR_STATE s;
    s.all = NEAR_BINS_(_init)(step);
    s.slice[0] = s.slice[1] = s.slice[2] = s.aim = s.rounder = (NEAR_LONG)(0);
    s.below = s.least = (NEAR_BITS)(0); /* nothing fits */
    return s;
}

/* b's aim is the newer one. */
BINS_SELDOM void NEAR_(_join_into)(NEAR_STATE *a, NEAR_STATE *b, int step)
{
    NEAR_(_settle)(a);
    NEAR_(_settle)(b);
    a->all = NEAR_BINS_(_join)(a->all, b->all, step);
    a->aim = b->aim;
    NEAR_(_prepare)(a, step != BINS_STEP);
}

BINS_OFTEN NEAR_STATE NEAR_(_join)(NEAR_STATE a, NEAR_STATE b, int step)
{
    NEAR_(_join_into)(&a, &b, step);
    return a;
}

/* Takes the values of a leaf that does not fit. */
BINS_OFTEN void NEAR_(_slowly)(NEAR_STATE *s, const NEAR_REAL *x, NEAR_BITS most, int step)
{
    NEAR_REALS y[FOLD_LEAF];
    NEAR_(_settle)(s);
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) y[i] = NEAR_TO_REALS(x[i]);
    s->all = step == BINS_STEP ? NEAR_BINS_(_take)(s->all, y, 1) : NEAR_BINS_(_take_squares)(s->all, y, 1);
    s->aim = (NEAR_LONG)(0);
    NEAR_(_prepare)(s, step != BINS_STEP);
    /* -1 where all are below half a unit of bin 0: a comparison of single values would give 1 */
    const NEAR_BITS end = s->below - min(s->below, (NEAR_BITS)((uint)step << 23));
    s->aim = (NEAR_TO_LONG(most) - NEAR_TO_LONG(end)) >> (NEAR_LONG)(63);
    NEAR_(_prepare)(s, step != BINS_STEP);
}
BINS_SELDOM void NEAR_(_take_slowly)(NEAR_STATE *s, const NEAR_REAL *x, NEAR_BITS most)
{
    NEAR_(_slowly)(s, x, most, BINS_STEP);
}
BINS_SELDOM void NEAR_(_take_slowly_squares)(NEAR_STATE *s, const NEAR_REAL *x, NEAR_BITS most)
{
    NEAR_(_slowly)(s, x, most, BINS_STEP / 2);
}

BINS_SELDOM void NEAR_(_more)(NEAR_STATE *s, const NEAR_REAL *x)
{
    const NEAR_REALS y = NEAR_TO_REALS(*x);
    NEAR_(_settle)(s);
    s->all = NEAR_BINS_(_more)(s->all, &y, 1);
    NEAR_(_prepare)(s, 0);
}

BINS_SELDOM void NEAR_(_more_squares)(NEAR_STATE *s, const NEAR_REAL *x)
{
    const NEAR_REALS y = NEAR_TO_REALS(*x);
    NEAR_(_settle)(s);
    s->all = NEAR_BINS_(_more_squares)(s->all, &y, 1);
    NEAR_(_prepare)(s, 1);
}

/* Takes a leaf. The states of values and of squares; a null pointer, a constant, where there is none. */
BINS_OFTEN void NEAR_(_take)(NEAR_STATE *sums, NEAR_STATE *squares, const NEAR_REAL *x)
{
    NEAR_BITS most = (NEAR_BITS)(0), least = (NEAR_BITS)(NEAR_HIGHEST);
    NEAR_REALS whole = (NEAR_REALS)(0), left = whole;
    NEAR_LONG first = (NEAR_LONG)(0), place = first, second = first;
    NEAR_REALS rounder, wide, narrow;
    if (sums)
        rounder = NEAR_DOUBLE(sums->rounder);
    if (squares) {
        wide = NEAR_DOUBLE(squares->rounder);
        narrow = NEAR_DOUBLE(squares->rounder - (NEAR_LONG)(NEAR_DOWN));
    }
    FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++)
    {
        const NEAR_BITS size = NEAR_OF_BITS(x[i]) & (NEAR_BITS)(0x7fffffffU);
        const NEAR_REALS y = NEAR_TO_REALS(x[i]);
        most = max(most, size);
        least = min(least, size - (NEAR_BITS)(1)); /* 0 is none */
        if (sums) {
            whole += y;
            first += NEAR_FROM_BITS(y + rounder);
        }
        if (squares) {
            const NEAR_REALS rounded = fma(y, y, wide), rest = fma(y, y, wide - rounded);
            const NEAR_REALS again = rest + narrow;
            place += NEAR_FROM_BITS(rounded);
            second += NEAR_FROM_BITS(again);
            left += rest - (again - narrow);
        }
    }
    NEAR_BITS lacks = (NEAR_BITS)(0);
    if (sums)
        lacks |= (sums->below - (NEAR_BITS)(1) - most) | (least - sums->least) |
                 (least + (NEAR_BITS)(NEAR_RANGE) - most);
    if (squares)
        lacks |= (squares->below - (NEAR_BITS)(1) - most) | (least - squares->least);
    if (NEAR_ANY(lacks)) {
        NEAR_REAL kept[FOLD_LEAF];
        FOLD_UNROLLED for (int i = 0; i < FOLD_LEAF; i++) kept[i] = x[i];
        if (sums) { /* the state itself stays in registers */
            NEAR_STATE taken = *sums;
            NEAR_(_take_slowly)(&taken, kept, most);
            *sums = taken;
        }
        if (squares) {
            NEAR_STATE taken = *squares;
            NEAR_(_take_slowly_squares)(&taken, kept, most);
            *squares = taken;
        }
        return;
    }
    if (sums) {
        const NEAR_LONG bits = sums->rounder, units = first - bits * (NEAR_LONG)(FOLD_LEAF);
        const NEAR_LONG next = bits - (NEAR_LONG)(NEAR_DOWN);
        const NEAR_REALS rest = whole - (NEAR_DOUBLE(units + bits) - rounder);
        sums->slice[0] += units;
        sums->slice[1] += NEAR_FROM_BITS(rest + NEAR_DOUBLE(next)) - next;
    }
    if (squares) {
        const NEAR_LONG bits = squares->rounder, next = bits - (NEAR_LONG)(NEAR_DOWN);
        const NEAR_LONG last = next - (NEAR_LONG)(NEAR_DOWN);
        squares->slice[0] += place - bits * (NEAR_LONG)(FOLD_LEAF);
        squares->slice[1] += second - next * (NEAR_LONG)(FOLD_LEAF);
        squares->slice[2] += NEAR_FROM_BITS(left + NEAR_DOUBLE(last)) - last;
    }
}

#undef NEAR_STATE
#undef NEAR_
#undef NEAR_BINS_
#undef NEAR_REAL
#undef NEAR_BITS
#undef NEAR_OF_BITS
#undef NEAR_REALS
#undef NEAR_LONG
#undef NEAR_TO_REALS
#undef NEAR_TO_LONG
#undef NEAR_TO_BITS
#undef NEAR_FROM_BITS
#undef NEAR_DOUBLE
#undef NEAR_ANY
#undef NEAR_V
#undef NEAR_WIDTH
#undef NEAR_BINS
