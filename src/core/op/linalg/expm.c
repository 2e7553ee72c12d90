/* expm: Pade's approximant of degree 13 of a matrix divided by 2^s, squared s times (Al-Mohy, Higham 2009). Each matrix
 * of a batch has its own s; the host waits for the largest, the number of squarings of the batch. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "op/linalg/matrix_words.h"

#include <math.h>

#define DEGREE 13
#define THETA 4.25            /* the norm up to which the approximant's truncation is below rounding */
#define BITS_OF_FIRST 116.    /* the first term that it leaves out has the factor 2^-116, 1 / (binomial(26, 13) 27!) */
#define TERM (2 * DEGREE + 1) /* and the matrix to that power */
#define MOST 20000            /* squarings: past the range of all dtypes */

typedef struct exponential {
    const lun_array *given, *one, *alone, *base, *powers[3], *shift, *squarings;
} exponential;

/* How often the batch is squared, on its way. */
typedef struct squarings {
    size_t received;
    char data[LUN_MOST_BYTES];
} squarings;

/* ---- the number of halvings of each matrix
 * --------------------------------------------------------------------------------------- */

static bool is_wide(const lun_array *a) { return lun_dtype_part(a->dtype) == LUN_f64; }

static lun_status norm_of(const lun_array **out, composing *c, const lun_array *a, lun_error *err)
{
    composed x = {0};
    lun_reduce_op op;
    composed_axes over;
    TRY(words_norm_step(&x, &op, &over, c, a, NORM_ONE, err));
    over.keepdims = true;
    return compose_fold(out, c, &x, &op, &over, err);
}

static lun_status product(const lun_array **out, composing *c, const lun_array *a, const lun_array *b, lun_error *err)
{
    lun_array *made;
    TRY(words_array(&made, c, b, rows_of(a), columns_of(b), err));
    TRY(compose_matmul(c, made, a, b, false, err));
    *out = made;
    return LUN_OK;
}

/* a if that is finite and above 0, else 0. */
static unsigned if_some(composed *x, unsigned a)
{
    const unsigned some =
        of_op(x, LUN_MAP_land, of_op(x, LUN_MAP_gt, a, of_real(x, 0)), of_op1(x, LUN_MAP_isfinite, a));
    return of_op3(x, LUN_MAP_where, some, a, of_real(x, 0));
}

/* The matrix with isolated diagonal numbers replaced by 0. */
static unsigned of_others(composed *x, const exponential *e)
{
    return of_op3(x, LUN_MAP_where, of_array(x, e->alone), of_real(x, 0), of_array(x, e->given));
}

/* Scales matrices by powers of 2: real ones by exponents, complex ones by factors, which stay in range here. */
typedef struct scaling {
    bool factors;
    lun_map_op applied, joined;
} scaling;

static scaling scaling_of(const lun_array *a)
{
    return lun_dtype_has(a->dtype, LUN_PAIRS) ? (scaling){true, LUN_MAP_mul, LUN_MAP_mul}
                                              : (scaling){false, LUN_MAP_ldexp, LUN_MAP_add};
}

static unsigned scale_by(composed *x, const scaling *s, unsigned exponent)
{
    return s->factors ? of_op(x, LUN_MAP_ldexp, of_real(x, 1), exponent) : exponent;
}

/* Isolated diagonal numbers, with zeros elsewhere in their rows and columns: they are exponentiated separately, so that
 * a large or infinite one does not affect the others. */
static lun_status find_alone(composing *c, exponential *e, lun_error *err)
{
    static const lun_reduce_op any = LUN_REDUCE_any;
    const lun_array *a = e->given, *beside[2];
    lun_array *one;
    TRY(compose_array(&one, c, a->dtype, 2, a->shape + a->ndim - 2, err));
    TRY(words_fill_one(c, one, false, err));
    e->one = one;
    for (int i = 0; i < 2; i++) {
        composed x = {0};
        const composed_axes over = words_over(a, 1 + i, true);
        const unsigned some = of_op(&x, LUN_MAP_ne, of_array(&x, a), of_real(&x, 0));
        x.results[0] = of_op(&x, LUN_MAP_land, some, of_op(&x, LUN_MAP_eq, of_array(&x, one), of_real(&x, 0)));
        TRY(compose_fold(&beside[i], c, &x, &any, &over, err));
    }
    composed x = {0};
    const unsigned others = of_op(&x, LUN_MAP_lor, of_array(&x, beside[0]), of_array(&x, beside[1]));
    x.results[0] = of_op(&x, LUN_MAP_land, of_array(&x, one), of_op1(&x, LUN_MAP_lnot, others));
    return compose_map(&e->alone, c, &x, err);
}

/* The other numbers, divided by a power of 2 (its exponent goes to `exponent`), so that the matrix's 8th power does not
 * overflow. */
static lun_status tame(const lun_array **base, const lun_array **exponent, composing *c, const exponential *e,
                       lun_error *err)
{
    const lun_array *a = e->given, *largest;
    const scaling way = scaling_of(a);
    const double most = (is_wide(a) ? 119 : 11) - ceil(log2((double)larger(1, rows_of(a)))); /* of half a number */
    static const lun_reduce_op op = LUN_REDUCE_absmax;
    composed_axes over = words_over(a, 1, true);
    composed x = {0};
    over.axis[a->ndim - 2] = true;
    x.results[0] = of_op1(&x, LUN_MAP_abs, of_op(&x, LUN_MAP_mul, of_others(&x, e), of_real(&x, 0.5)));
    TRY(compose_fold(&largest, c, &x, &op, &over, err));
    x = (composed){0};
    const unsigned above = of_op1(&x, LUN_MAP_logb, of_array(&x, largest));
    x.results[0] = if_some(&x, of_op(&x, LUN_MAP_sub, above, of_real(&x, most)));
    TRY(compose_map(exponent, c, &x, err));
    x = (composed){0};
    const unsigned back = of_op1(&x, LUN_MAP_neg, of_array(&x, *exponent));
    x.results[0] = of_op(&x, way.applied, of_others(&x, e), scale_by(&x, &way, back));
    return compose_map(base, c, &x, err);
}

/* The norm of |a|^27, for matrices divided by their norms. */
static lun_status norm_of_power(const lun_array **out, composing *c, const lun_array *a, const lun_array *norm,
                                lun_error *err)
{
    const lun_array *sizes, *sums;
    lun_array *ones, *rows[2];
    composed x = {0};
    static const lun_reduce_op largest = LUN_REDUCE_absmax;
    x.results[0] = of_op(&x, LUN_MAP_div, of_op1(&x, LUN_MAP_abs, of_array(&x, a)), of_array(&x, norm));
    TRY(compose_map(&sizes, c, &x, err));
    TRY(words_array(&ones, c, sizes, 1, rows_of(a), err));
    TRY(CALLED(c, false, lun_array_fill(ones, lun_integer(1), &call, err)));
    for (int i = 0; i < 2; i++)
        TRY(words_array(&rows[i], c, sizes, 1, rows_of(a), err));
    sums = ones;
    for (int i = 0; i < TERM; i++) {
        TRY(compose_matmul(c, rows[i % 2], sums, sizes, false, err));
        sums = rows[i % 2];
    }
    const composed_axes over = words_over(a, 1, true);
    return compose_reduce(out, c, sums, largest, &over, err);
}

/* s, such that both the truncation error of the approximant and its first term for |a| are below rounding. */
static lun_status find_squarings(composing *c, exponential *e, const lun_array *exponent, const lun_array *eighth,
                                 lun_error *err)
{
    const lun_array *norms[3], *term, *both[2];
    const lun_array *const of[] = {e->base, e->powers[2], eighth};
    const double bits = is_wide(e->base) ? 53 : 24;
    unsigned n[3];
    composed x = {.result_count = 2};
    for (int i = 0; i < 3; i++) {
        TRY(norm_of(&norms[i], c, of[i], err));
        n[i] = of_op1(&x, LUN_MAP_log2, of_array(&x, norms[i]));
    }
    TRY(norm_of_power(&term, c, e->base, norms[0], err));
    const unsigned left = of_op1(&x, LUN_MAP_log2, of_array(&x, term));
    const unsigned sixth = of_op(&x, LUN_MAP_div, n[1], of_real(&x, 6));
    const unsigned root = of_op(&x, LUN_MAP_maximum, sixth, of_op(&x, LUN_MAP_div, n[2], of_real(&x, 8)));
    const unsigned by_norm = of_op(&x, LUN_MAP_sub, root, of_real(&x, log2(THETA)));
    const unsigned share = of_op(&x, LUN_MAP_add, left, of_real(&x, bits - BITS_OF_FIRST));
    const unsigned by_term = of_op(&x, LUN_MAP_add, n[0], of_op(&x, LUN_MAP_div, share, of_real(&x, TERM - 1)));
    const unsigned whole = of_op1(&x, LUN_MAP_ceil, of_op(&x, LUN_MAP_maximum, by_norm, by_term));
    const unsigned down = of_array(&x, exponent), s = if_some(&x, of_op(&x, LUN_MAP_add, whole, down));
    x.results[0] = of_op(&x, LUN_MAP_minimum, s, of_real(&x, MOST));
    x.results[1] = of_op(&x, LUN_MAP_sub, down, x.results[0]);
    TRY(compose_map(both, c, &x, err));
    e->squarings = both[0];
    e->shift = both[1];
    return LUN_OK;
}

static lun_status prepare(const lun_array **most, composing *c, exponential *e, lun_error *err)
{
    const lun_array *exponent, *eighth;
    composed_axes all = {.keepdims = false};
    TRY(find_alone(c, e, err));
    TRY(tame(&e->base, &exponent, c, e, err));
    TRY(product(&e->powers[0], c, e->base, e->base, err));
    TRY(product(&e->powers[1], c, e->powers[0], e->powers[0], err));
    TRY(product(&e->powers[2], c, e->powers[1], e->powers[0], err));
    TRY(product(&eighth, c, e->powers[1], e->powers[1], err));
    TRY(find_squarings(c, e, exponent, eighth, err));
    for (int i = 0; i < e->given->ndim; i++)
        all.axis[i] = true;
    return compose_reduce(most, c, e->squarings, LUN_REDUCE_absmax, &all, err);
}

/* ---- the approximant --------------------------------------------------------------------------------------------------------- */

/* The odd and the even part, each as a factor of the 6th power and a remainder, all in the same scale. */
static lun_status find_polynomials(const lun_array **out, composing *c, const exponential *e, lun_error *err)
{
    double b[DEGREE + 1] = {1}; /* so that the matrix 0 gives 1 */
    const scaling way = scaling_of(e->base);
    composed x = {.result_count = 6};
    unsigned power[4], shift[4];
    for (int k = 1; k <= DEGREE; k++)
        b[k] = b[k - 1] * (DEGREE + 1 - k) / ((2 * DEGREE + 1 - k) * k);
    shift[1] = scale_by(&x, &way, of_array(&x, e->shift));
    shift[2] = of_op(&x, way.joined, shift[1], shift[1]);
    power[0] = of_array(&x, e->one);
    x.results[0] = of_op(&x, way.applied, of_array(&x, e->base), shift[1]);
    for (unsigned i = 1, by = shift[2]; i < 4; i++) {
        power[i] = of_op(&x, way.applied, of_array(&x, e->powers[i - 1]), by);
        if (i < 3)
            by = of_op(&x, way.joined, by, shift[2]);
    }
    x.results[1] = power[3];
    for (unsigned part = 0; part < 4; part++) { /* odd above, odd below, even above, even below */
        const bool above = part % 2 == 0, odd = part < 2;
        unsigned sum = 0;
        for (unsigned i = above ? 1 : 0; i < 4; i++) {
            const double factor = b[(above ? 6 : 0) + 2 * i + (odd ? 1 : 0)];
            const unsigned term = of_op(&x, LUN_MAP_mul, power[i], of_real(&x, factor));
            sum = i == (above ? 1u : 0u) ? term : of_op(&x, LUN_MAP_add, sum, term);
        }
        x.results[2 + part] = sum;
    }
    return compose_map(out, c, &x, err);
}

static lun_status approximate(const lun_array **out, composing *c, const exponential *e, lun_error *err)
{
    const lun_array *parts[6], *odd, *sides[2], *solved[2];
    composed x = {.result_count = 2};
    TRY(find_polynomials(parts, c, e, err));
    for (int i = 2; i < 6; i += 2)
        TRY(CALLED(c, false, lun_matmul(parts[i + 1], parts[1], parts[i], lun_integer(1), lun_integer(1), &call, err)));
    TRY(product(&odd, c, parts[0], parts[3], err));
    const unsigned u = of_array(&x, odd), v = of_array(&x, parts[5]);
    x.results[0] = of_op(&x, LUN_MAP_sub, v, u);
    x.results[1] = of_op(&x, LUN_MAP_add, v, u);
    TRY(compose_map(sides, c, &x, err));
    TRY(compose_call(solved, c, "solve", sides, 2, "info", err));
    *out = solved[0];
    return LUN_OK;
}

/* Squares the matrices of the batch that need this squaring, and inserts the isolated numbers. */
static lun_status square(composing *c, const exponential *e, const lun_array *to, double count, lun_error *err)
{
    const lun_array *power;
    lun_array *room;
    TRY(approximate(&power, c, e, err));
    TRY(words_array(&room, c, power, rows_of(power), rows_of(power), err));
    for (double i = count < 1 ? 0 : 1; i <= count; i++) {
        const bool last = i + 1 > count;
        composed x = {0};
        unsigned squared = of_array(&x, power);
        if (i > 0) {
            TRY(compose_matmul(c, room, power, power, false, err));
            const unsigned wants = of_op(&x, LUN_MAP_ge, of_array(&x, e->squarings), of_real(&x, i));
            squared = of_op3(&x, LUN_MAP_where, wants, of_array(&x, room), squared);
        }
        const unsigned by_itself = last ? of_op1(&x, LUN_MAP_exp, of_array(&x, e->given)) : 0;
        x.results[0] = last ? of_op3(&x, LUN_MAP_where, of_array(&x, e->alone), by_itself, squared) : squared;
        TRY(compose_into(c, last ? &to : &power, &x, last, err));
    }
    return LUN_OK;
}

static lun_status expm(composing *c, lun_error *err)
{
    const lun_array *to, *most;
    const lun_call quiet = request_quiet(c->r);
    exponential e = {.given = NULL};
    squarings *s;
    COMPOSE_KEPT(s, c);
    TRY(words_matrices(&e.given, c, true, err));
    TRY(words_result(&to, c, e.given, rows_of(e.given), rows_of(e.given), err));
    if (!c->out)
        return LUN_OK;
    TRY(prepare(&most, c, &e, err));
    if (compose_enters(c))
        TRY(lun_array_receive(c->more, &s->received, s->data, most, &quiet, err));
    if (compose_waits(c))
        return LUN_OK;
    return square(c, &e, to, lun_number_load(s->data, most->dtype).real, err);
}

COMPOSED(expm)
