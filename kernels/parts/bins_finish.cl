/* What states of parts/bins.cl are worth: a result and what is left of it, two numbers of which the second is at
 * most half a unit in the last place of the first. All is exact in integers up to the last steps, which are
 * additions, and divisions and roots that are then corrected: so the bits are the same on every device. */

#define BINS_DIGITS 5 /* of 40 binary digits; the first one has more */

/* The whole as digits: of places 2^40, 1, 2^-40 ... in scaled units. All but the first are from 0 to 2^40 - 1. */
inline void bins_carry(long *digit)
{
    for (int i = BINS_DIGITS - 1; i > 0; i--) {
        digit[i - 1] += digit[i] >> BINS_STEP;
        digit[i] &= (1L << BINS_STEP) - 1;
    }
}

/* The digits of the magnitude; returns whether the sum is below 0. */
BINS_SELDOM int bins_digits(const bins_1 *s, long *digit)
{
    digit[0] = 0;
    for (int k = 0; k < BINS_COUNT; k++) {
        digit[k + 1] = s->bin[k];
        digit[k] += s->carry[k];
    }
    bins_carry(digit);
    const int below = digit[0] < 0;
    if (below) {
        for (int i = 0; i < BINS_DIGITS; i++)
            digit[i] = -digit[i];
        bins_carry(digit);
    }
    return below;
}

/* The sum of two numbers that is exact, of which the second is nothing or less than the first's last place. */
inline double2 bins_pair(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (double2)(sum, (a - (sum - part)) + (b - part));
}

/* In scaled units. */
BINS_SELDOM double2 bins_scaled(const bins_1 *s)
{
    long digit[BINS_DIGITS];
    const int below = bins_digits(s, digit);
    double2 sum = (double2)(0.0, 0.0);
    double rest = 0.0;
    for (int i = BINS_DIGITS - 1; i >= 0; i--) { /* digits do not overlap: what is lost comes from the last ones */
        sum = bins_pair(convert_double(digit[i]) * BINS_POWER(BINS_STEP * (1 - i)), sum.x);
        rest += sum.y;
    }
    sum = bins_pair(sum.x, rest);
    return below ? -sum : sum;
}

#define BINS_SOUND(s) (fabs((s)->scale) < (double)INFINITY)

inline double2 bins_times(double2 x, double power) { return x * power; }

/* x / n, corrected by what is left of the division. */
BINS_SELDOM double2 bins_divided(double2 x, double n)
{
    const double whole = x.x / n;
    if (!(fabs(whole) < (double)INFINITY) || n == 0)
        return (double2)(whole, 0.0);
    return bins_pair(whole, (fma(-whole, n, x.x) + x.y) / n);
}

BINS_SELDOM double2 bins_rooted(double2 x)
{
    const double root = sqrt(x.x);
    if (!(root > 0 && root < (double)INFINITY))
        return (double2)(root, 0.0);
    return bins_pair(root, (fma(-root, root, x.x) + x.y) / (2 * root));
}

inline double2 bins_total(bins_1 s)
{
    return BINS_SOUND(&s) ? bins_times(bins_scaled(&s), 1 / s.scale) : (double2)(s.scale, 0.0);
}

inline double2 bins_mean(bins_1 s, long count)
{
    return BINS_SOUND(&s) ? bins_times(bins_divided(bins_scaled(&s), convert_double(count)), 1 / s.scale)
                          : (double2)(s.scale, 0.0);
}

inline double2 bins_total_squares(bins_1 s)
{
    const double unit = 1 / s.scale;
    return BINS_SOUND(&s) ? bins_times(bins_times(bins_scaled(&s), unit), unit) : (double2)(s.scale, 0.0);
}

inline double2 bins_norm(bins_1 s)
{
    return BINS_SOUND(&s) ? bins_times(bins_rooted(bins_scaled(&s)), 1 / s.scale) : (double2)(s.scale, 0.0);
}

/* ---- variances --------------------------------------------------------------------------------------------------- */

#define BINS_SMALL 20 /* binary digits of a digit whose products are added without overflow */
#define BINS_WIDE 26  /* such digits that n * squares - sum^2 has at most */

inline void bins_split(const long *digit, long *small) /* the last digit comes first */
{
    const long mask = (1L << BINS_SMALL) - 1;
    for (int i = 0; i < BINS_DIGITS; i++) {
        small[2 * i] = digit[BINS_DIGITS - 1 - i] & mask;
        small[2 * i + 1] = digit[BINS_DIGITS - 1 - i] >> BINS_SMALL & (i < BINS_DIGITS - 1 ? mask : ~0L);
    }
}

/* n * squares - sum^2, where a unit in the last place is 2^-240 of the square of the sum's scaled units: exact,
 * though it may be a tiny difference of large numbers. */
BINS_SELDOM double2 bins_spread(const bins_1 *s, const bins_1 *squares, long n)
{
    long digit[BINS_DIGITS], small[2 * BINS_DIGITS], wide[BINS_WIDE];
    for (int i = 0; i < BINS_WIDE; i++)
        wide[i] = 0;
    bins_digits(s, digit);
    bins_split(digit, small);
    for (int i = 0; i < 2 * BINS_DIGITS; i++)
        for (int j = 0; j < 2 * BINS_DIGITS; j++)
            wide[i + j] -= small[i] * small[j];
    /* The scales' exponents, as they are stored: the unit of squares is finer than the sum's by 120 places less
     * their difference. */
    const long apart = 2 * (long)(as_ulong(s->scale) >> 52) - 2 * (long)(as_ulong(squares->scale) >> 52);
    const int shift = (int)((120 + apart) / BINS_SMALL);
    bins_digits(squares, digit);
    bins_split(digit, small);
    for (int i = 0; i < 2 * BINS_DIGITS; i++)
        for (int j = 0; j < 3; j++)
            wide[i + j + shift] += small[i] * (n >> BINS_SMALL * j & ((1L << BINS_SMALL) - 1));
    for (int i = 0; i < BINS_WIDE - 1; i++) {
        wide[i + 1] += wide[i] >> BINS_SMALL;
        wide[i] &= (1L << BINS_SMALL) - 1;
    }
    double2 sum = (double2)(0.0, 0.0);
    double rest = 0.0, place = 1.0;
    for (int i = 0; i < BINS_WIDE && wide[BINS_WIDE - 1] >= 0; i++, place *= 1 << BINS_SMALL) {
        sum = bins_pair(convert_double(wide[i]) * place, sum.x);
        rest += sum.y;
    }
    return bins_pair(sum.x, rest);
}

inline double2 bins_variance(bins_1 s, bins_1 squares, long n, double ddof, int root)
{
    if (!BINS_SOUND(&s))
        return (double2)(NAN, 0.0);
    double2 spread = bins_spread(&s, &squares, n) * BINS_POWER(-240);
    spread = bins_divided(bins_divided(spread, convert_double(n)), fmax(convert_double(n) - ddof, (double)(0)));
    const double unit = 1 / s.scale;
    return root ? bins_times(bins_rooted(spread), unit) : bins_times(bins_times(spread, unit), unit);
}

/* ---- rounded once ------------------------------------------------------------------------------------------------ */

inline double bins_to_double(double2 x) { return x.x; }

/* By way of a double whose last bit says whether anything is left: so a float is not rounded twice. */
inline float bins_to_float(double2 x)
{
    const ulong bits = as_ulong(x.x);
    if (!(fabs(x.x) < (double)INFINITY) || x.y == 0 || (bits & 1))
        return convert_float(x.x);
    return convert_float(as_double((x.y > 0) == (x.x > 0) ? bits + 1 : bits - 1));
}
