/* How a state of sums in bins takes BINS_VALUES values, or their squares, at once: a part of parts/bins.cl, in which
 * BINS_HOW is _take or _more. */

#define BINS_HOW_(name) JOIN(BINS_STATE, JOIN(BINS_HOW, name))

/* Brings numbers to the state's scale, as y, where need be to one that all of them have room in. Of squares NaN and
 * infinities lose their signs. Magnitudes are compared as integers without the sign's bit: fabs of a NaN may keep that
 * bit, and does on NVIDIA's GPUs. */
BINS_OFTEN BINS_STATE BINS_HOW_(_scale)(BINS_STATE s, BINS_REAL *y, const BINS_REAL *x, int step, int squares)
{
    BINS_LONG room = (BINS_LONG)(0); /* below 0 where a number has none: it may be a NaN */
    FOLD_UNROLLED for (int i = 0; i < BINS_VALUES; i++) {
        y[i] = x[i] * s.scale;
        room |= (BINS_LONG)(((1023L + step - 1) << 52) - 1) - (BINS_BITS(y[i]) & (BINS_LONG)(LONG_MAX));
    }
    if (!BINS_ANY(room))
        return s;
    BINS_REAL most = (BINS_REAL)(0), odd = (BINS_REAL)(0);
    FOLD_UNROLLED for (int i = 0; i < BINS_VALUES; i++) {
        const BINS_REAL size = fabs(x[i]);
        const BINS_MASK finite = size < (BINS_REAL)(INFINITY), greater = finite & (size > most);
        most = greater ? size : most;
        odd = finite ? odd : odd + (squares ? fabs(x[i]) : x[i]);
    }
    BINS_STATE raised = s; /* s itself stays in registers */
    BINS_(_raise)(&raised, most, odd, step);
    s = raised;
    FOLD_UNROLLED for (int i = 0; i < BINS_VALUES; i++) {
        const BINS_REAL scaled = x[i] * s.scale;
        y[i] = fabs(scaled) < (BINS_REAL)(INFINITY) ? scaled : (BINS_REAL)(0);
    }
    return s;
}

/* Cuts a slice off each of the numbers: their sum, in units of bin k. */
BINS_OFTEN BINS_LONG BINS_HOW_(_slice)(BINS_REAL *y, int k)
{
    const BINS_REAL rounder = (BINS_REAL)(BINS_ROUNDER(k));
    BINS_LONG units = (BINS_LONG)((long)((ulong)BINS_ROUNDER_BITS(k) * (ulong)-(BINS_VALUES)));
    FOLD_UNROLLED for (int i = 0; i < BINS_VALUES; i++) {
        const BINS_REAL rounded = y[i] + rounder;
        units += BINS_BITS(rounded);
        y[i] -= rounded - rounder;
    }
    return units;
}

/* Is there anything left of the numbers? */
BINS_OFTEN int BINS_HOW_(_left)(const BINS_REAL *y)
{
    BINS_LONG left = BINS_BITS(y[0]);
    FOLD_UNROLLED for (int i = 1; i < BINS_VALUES; i++) left |= BINS_BITS(y[i]);
    return BINS_ANY(left | -left);
}

/* The slices of bin 1 and, where there is anything left, of the others. */
BINS_OFTEN BINS_STATE BINS_HOW_(_slices)(BINS_STATE s, BINS_REAL *y)
{
    s.bin[1] += BINS_HOW_(_slice)(y, 1);
    if (BINS_HOW_(_left)(y)) {
        s.bin[2] += BINS_HOW_(_slice)(y, 2);
        if (BINS_HOW_(_left)(y))
            s.bin[3] += BINS_HOW_(_slice)(y, 3);
    }
    return s;
}

BINS_OFTEN BINS_STATE BINS_(BINS_HOW)(BINS_STATE s, const BINS_REAL *x, int exact)
{
    BINS_REAL y[BINS_VALUES];
    s = BINS_HOW_(_scale)(s, y, x, BINS_STEP, 0);
    s.bin[0] += BINS_HOW_(_slice)(y, 0);
    return BINS_HOW_(_slices)(s, y);
}

/* `exact`, a constant: values have at most 24 digits, so that squares have no error. fma makes the rounded square,
 * whatever a compiler makes from products and sums; its error is below half a unit of bin 0. */
BINS_OFTEN BINS_STATE BINS_HOW_(_squares)(BINS_STATE s, const BINS_REAL *x, int exact)
{
    BINS_REAL y[BINS_VALUES], error[BINS_VALUES];
    s = BINS_HOW_(_scale)(s, y, x, BINS_STEP / 2, 1);
    FOLD_UNROLLED for (int i = 0; i < BINS_VALUES; i++) {
        const BINS_REAL square = fma(y[i], y[i], (BINS_REAL)(0));
        error[i] = fma(y[i], y[i], -square);
        y[i] = square;
    }
    s.bin[0] += BINS_HOW_(_slice)(y, 0);
    s = BINS_HOW_(_slices)(s, y);
    return exact ? s : BINS_HOW_(_slices)(s, error);
}

#undef BINS_HOW_
#undef BINS_HOW
#undef BINS_VALUES
