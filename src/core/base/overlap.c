/* Whether two views share an element: an equation of their strides, solved without trying all values.
 *
 * A byte of `a` is low_a + sum of s[i]*x[i], x[i] below the size of axis i, and one of `b`, counted from its last one
 * downwards, is high_b - sum of t[j]*y[j]. They are the same byte where
 *
 *     sum of s[i]*x[i] + sum of t[j]*y[j] == high_b - low_a,
 *
 * an equation in whole numbers with positive factors, each unknown from 0 to a bound. In general that is as hard as the
 * knapsack problem. But most strides of views are multiples of one another, and such terms are merged into one
 * (`merge`). If two terms remain, they are a congruence; if three remain, the solutions are counted as points of a
 * lattice in a polygon, in as many steps as a number has digits (`count_three`). Four and more are split in two at a
 * place where the first part can have only a few values, for example between the rows and the columns of two views of
 * one matrix. */
#include "base/error.h"
#include "base/shape.h"

/* The limit of equations examined for one pair of views, some 30 ms. Views of one block that was sliced, transposed and
 * reshaped took at most 10 in 170,000 random pairs, whatever the size of the axes. Eight or more unrelated strides,
 * which views do not have in practice, may need more; such views count as overlapping. */
#define MOST_EQUATIONS 20000
#define MOST_TERMS (2 * LUN_MAX_AXES + 2)

typedef __int128 wide;
typedef unsigned __int128 uwide;

typedef struct term { /* factor * x, x from 0 to most; both positive */
    wide factor, most;
} term;

static wide least(wide a, wide b) { return a < b ? a : b; }
static wide greatest(wide a, wide b) { return a > b ? a : b; }

static wide gcd(wide a, wide b)
{
    while (b) {
        const wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* From 0 to m - 1. */
static wide modulo(wide a, wide m) { return (a % m + m) % m; }

/* Rounded down, and up; b is positive. */
static wide quotient(wide a, wide b) { return (a - modulo(a, b)) / b; }
static wide quotient_up(wide a, wide b) { return -quotient(-a, b); }

/* The number from 0 to m - 1 whose product with a is 1 modulo m, to which a is coprime. */
static wide inverse(wide a, wide m)
{
    wide r = m, next_r = modulo(a, m), t = 0, next_t = 1;
    while (next_r) {
        const wide q = r / next_r, rest = r - q * next_r, factor = t - q * next_t;
        r = next_r, next_r = rest;
        t = next_t, next_t = factor;
    }
    return modulo(t, m);
}

static wide reach(const term *terms, int count)
{
    wide sum = 0;
    for (int i = 0; i < count; i++)
        sum += terms[i].factor * terms[i].most;
    return sum;
}

static wide common(const term *terms, int count)
{
    wide factor = 0;
    for (int i = 0; i < count; i++)
        factor = gcd(factor, terms[i].factor);
    return factor;
}

/* ---- one term for two ------------------------------------------------------------------------------------------- */

/* Inserts a term in descending order of the factors; a term whose unknown must be 0 for the sum to be `target` is left
 * out. */
static void insert(term *terms, int *count, term added, wide target)
{
    added.most = least(added.most, target / added.factor);
    if (added.most == 0)
        return;
    int at = (*count)++;
    for (; at > 0 && terms[at - 1].factor < added.factor; at--)
        terms[at] = terms[at - 1];
    terms[at] = added;
}

/* If y fills the steps of x, the values of k*c*x + c*y are all multiples of c up to the largest: one term. */
static bool merge(term *terms, int *count, wide target)
{
    for (int i = 0; i < *count; i++)
        for (int j = i + 1; j < *count; j++) {
            const wide times = terms[i].factor / terms[j].factor;
            if (terms[i].factor % terms[j].factor || times > terms[j].most + 1)
                continue;
            terms[j].most = least(terms[j].most + times * terms[i].most, target / terms[j].factor);
            for (int k = i; k + 1 < *count; k++)
                terms[k] = terms[k + 1];
            --*count;
            return true;
        }
    return false;
}

/* ---- two and three terms ---------------------------------------------------------------------------------------- */

/* The possible values of the first part of an equation: `count` values in equal steps from `first`. They are multiples
 * of the divisor of its factors, and leave for the second part a multiple of the divisor of its factors within its
 * range. */
typedef struct values {
    wide first, step, count;
} values;

static values values_of(const term *one, int ones, const term *other, int others, wide target)
{
    const wide own = common(one, ones), rest = common(other, others), step = own * rest;
    const wide low = greatest(0, target - reach(other, others)), high = least(target, reach(one, ones));
    const wide residue = own * (modulo(target, rest) * inverse(own, rest) % rest);
    const wide first = low + modulo(residue - low, step);
    return (values){first, step, first > high ? 0 : (high - first) / step + 1};
}

/* The sum of floor((a*i + b) / m) for i from 0 to n - 1, modulo 2^128, which suffices for differences of such sums. It
 * counts the lattice points under a line first by columns, then the remaining ones by rows, and so on as in Euclid's
 * algorithm. */
static uwide floor_sum(uwide n, wide m, wide a, wide b)
{
    uwide sum = 0;
    for (;;) {
        const uwide pairs = n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1);
        sum += pairs * (uwide)quotient(a, m) + n * (uwide)quotient(b, m);
        a = modulo(a, m);
        b = modulo(b, m);
        const wide top = a * (wide)n + b;
        if (n == 0 || top < m)
            return sum;
        n = (uwide)(top / m);
        b = top % m;
        const wide kept = m;
        m = a;
        a = kept;
    }
}

/* A line over u: (at - slope*u) / over. */
typedef struct line {
    wide at, slope, over;
} line;

/* The number of lattice points between two lines, including the lines, for u from `from` to `to` - 1, modulo 2^128. */
static uwide points(line low, line high, wide from, wide to)
{
    if (from >= to)
        return 0;
    const uwide n = (uwide)(to - from);
    const uwide above = floor_sum(n, high.over, -high.slope, high.at - high.slope * from);
    const uwide below = floor_sum(n, low.over, -low.slope, low.at - low.slope * from - 1);
    return above - below;
}

/* Does a*x + b*y + c*z == target have a solution, if the factors have no common divisor? With g the divisor of b and c,
 * x is first + g*u, and the rest for y and z is left - a*u, in units of g. Then y is determined modulo c/g: the
 * solutions for one u are y = start + turn*u + c/g*k and z = z_start - z_turn*u - b/g*k. The bounds of y and z are
 * lines over u, between which the lattice points (u, k) are counted. */
static bool count_three(const term *t, wide target)
{
    const wide g = gcd(t[1].factor, t[2].factor), a = t[0].factor, b = t[1].factor / g, c = t[2].factor / g;
    const wide first = modulo(target, g) * inverse(a, g) % g, left = quotient(target - a * first, g);
    const wide y_reach = b * t[1].most, z_reach = c * t[2].most;
    const wide from = greatest(0, quotient_up(left - y_reach - z_reach, a));
    const wide to = least(quotient(t[0].most - first, g), quotient(left, a)) + 1;
    const wide turns = inverse(b, c), start = modulo(left, c) * turns % c, turn = modulo(-modulo(a, c) * turns, c);
    const wide z_start = (left - b * start) / c, z_turn = (a + b * turn) / c;
    const line y_low = {-start, turn, c}, y_high = {t[1].most - start, turn, c};
    const line z_low = {z_start - t[2].most, z_turn, b}, z_high = {z_start, z_turn, b};
    /* Where z reaches its bound before y is 0, and where y reaches its bound before z is 0. */
    const wide z_ends = least(greatest(quotient_up(left - z_reach, a), from), to);
    const wide y_ends = least(greatest(quotient(left - y_reach, a) + 1, from), to);
    const wide between = least(z_ends, y_ends), behind = greatest(z_ends, y_ends);
    uwide count = points(z_low, y_high, from, between) + points(y_low, z_high, behind, to);
    count += points(z_ends < y_ends ? y_low : z_low, z_ends < y_ends ? y_high : z_high, between, behind);
    return count != 0;
}

/* ---- any number of them ----------------------------------------------------------------------------------------- */

static bool solvable(const term *given, int count, wide target, int *work);

/* Splits the equation where the first part has the fewest values: after a term, or one term from all others. */
static bool solve_parts(const term *terms, int count, wide target, int *work)
{
    term order[MOST_TERMS], best[MOST_TERMS];
    values fewest = {.count = -1};
    int ones = 0;
    for (int cut = 0; cut < 2 * count - 2; cut++) {
        const int single = cut < count ? cut : 0, own = cut < count ? 1 : cut - count + 2;
        for (int i = 0; i < count; i++)
            order[i] = terms[i == 0 ? single : i <= single ? i - 1 : i];
        const values found = values_of(order, own, order + own, count - own, target);
        if (fewest.count >= 0 && fewest.count <= found.count)
            continue;
        fewest = found;
        ones = own;
        for (int i = 0; i < count; i++)
            best[i] = order[i];
    }
    for (wide i = 0; i < fewest.count; i++) { /* from the middle on, where most sums have solutions */
        const wide value = fewest.first + (fewest.count / 2 + i) % fewest.count * fewest.step;
        if (solvable(best + ones, count - ones, target - value, work) && solvable(best, ones, value, work))
            return true;
    }
    return false;
}

/* Is there a solution? Also true once `work` equations were examined. */
static bool solvable(const term *given, int count, wide target, int *work)
{
    term terms[MOST_TERMS];
    int left = 0;
    target = least(target, reach(given, count) - target); /* the unknowns counted from their bounds downwards */
    if (target <= 0)
        return target == 0;
    if (--*work < 0)
        return true;
    for (int i = 0; i < count; i++)
        insert(terms, &left, given[i], target);
    while (merge(terms, &left, target))
        ;
    const wide divisor = common(terms, left);
    if (left == 0 || target % divisor || target > reach(terms, left))
        return false;
    target /= divisor;
    for (int i = 0; i < left; i++)
        terms[i].factor /= divisor;
    if (left == 1)
        return true;
    if (left == 2)
        return values_of(terms, 1, terms + 1, 1, target).count != 0;
    return left == 3 ? count_three(terms, target) : solve_parts(terms, left, target, work);
}

/* ---- views ------------------------------------------------------------------------------------------------------ */

/* Appends the terms of a view, in units of that many bytes; *low and *high are its first and last unit. */
static int add_terms(term *terms, int count, wide *low, wide *high, const lun_array *array, wide unit)
{
    const wide item = (wide)lun_dtype_bytes(array->dtype) / unit;
    *low = *high = array->offset * item;
    for (int i = 0; i < array->ndim; i++) {
        const wide most = (wide)array->shape[i] - 1, step = array->stride[i] * item;
        *(step < 0 ? low : high) += step * most;
        if (step && most)
            terms[count++] = (term){step < 0 ? -step : step, most};
    }
    *high += item - 1;
    if (item > 1)
        terms[count++] = (term){1, item - 1};
    return count;
}

bool lun_array_overlap(const lun_array *a, const lun_array *b)
{
    if (a->block != b->block || a->size == 0 || b->size == 0)
        return false;
    term terms[MOST_TERMS];
    wide low_a, high_a, low_b, high_b;
    int work = MOST_EQUATIONS;
    const wide unit = gcd((wide)lun_dtype_bytes(a->dtype), (wide)lun_dtype_bytes(b->dtype));
    int count = add_terms(terms, 0, &low_a, &high_a, a, unit);
    count = add_terms(terms, count, &low_b, &high_b, b, unit);
    return solvable(terms, count, high_b - low_a, &work);
}
