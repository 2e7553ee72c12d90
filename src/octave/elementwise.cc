/* Elementwise functions: Octave's rules of classes as nodes of one expression of core's. */
#include "api/functions.h"
#include "expression.h"

#include <octave/interpreter.h>

namespace
{

bool is_comparison(lun_map_op op)
{
    return op == LUN_MAP_lt || op == LUN_MAP_le || op == LUN_MAP_gt || op == LUN_MAP_ge || op == LUN_MAP_eq ||
           op == LUN_MAP_ne;
}

/* Octave's word for shapes that cannot be combined. */
void check_shapes(const char *name, const side &x, const side &y, const octave_value &vx, const octave_value &vy)
{
    if (!x.array || !y.array)
        return;
    for (int i = 1; i <= x.array->ndim && i <= y.array->ndim; i++) {
        const size_t m = x.array->shape[x.array->ndim - i], n = y.array->shape[y.array->ndim - i];
        if (m != n && m != 1 && n != 1)
            octave::err_nonconformant(name, vx.dims(), vy.dims());
    }
}

} // namespace

lun_dtype joined(const char *name, lun_dtype x, lun_dtype y)
{
    if (is_integer(x) && is_integer(y) && x != y)
        error_with_id("Octave:undefined-function", "%s: %s and %s cannot be combined; convert one of them", name,
                      class_of(x), class_of(y));
    if (is_integer(x) || is_integer(y)) {
        if (lun_dtype_has(x, LUN_PAIRS) || lun_dtype_has(y, LUN_PAIRS))
            error_with_id("Octave:undefined-function",
                          "%s: complex numbers and %s cannot be combined; convert one of them", name,
                          class_of(is_integer(x) ? x : y));
        return is_integer(x) ? x : y;
    }
    const bool single = lun_dtype_part(x) == LUN_f32 || lun_dtype_part(y) == LUN_f32;
    if (lun_dtype_has(x, LUN_PAIRS) || lun_dtype_has(y, LUN_PAIRS))
        return single ? LUN_c64 : LUN_c128;
    return single ? LUN_f32 : LUN_f64;
}

octave_value cast(const octave_value &value, lun_dtype dtype)
{
    const lun_array *a = &as_lunarray(value).a;
    const char *name = class_of(dtype);
    if (a->dtype == dtype)
        return value;
    if (is_integer(dtype) && !lun_dtype_has(a->dtype, LUN_WHOLE)) {
        builder b;
        return b.run(name, b.cast(b.array(a), dtype));
    }
    lun_array *out;
    octave_value made = make_computed(name, dtype, a->ndim, a->shape, &out);
    enqueue(name, [&](lun_attempt *t) { return lun_array_copy(out, a, nullptr, &t->err); });
    return made;
}

/* Core's row that an operation is by Octave's rules: of integers, or of all numbers. */
static lun_map_op by_own_rules(lun_map_op op, bool integers)
{
    static const struct {
        lun_map_op op, own;
        bool integers;
    } rows[] = {{LUN_MAP_add, LUN_MAP_saturated_add, true}, {LUN_MAP_sub, LUN_MAP_saturated_sub, true},
                {LUN_MAP_mul, LUN_MAP_saturated_mul, true}, {LUN_MAP_div, LUN_MAP_saturated_div, true},
                {LUN_MAP_pow, LUN_MAP_saturated_pow, true}, {LUN_MAP_neg, LUN_MAP_saturated_neg, true},
                {LUN_MAP_abs, LUN_MAP_saturated_abs, true}, {LUN_MAP_round, LUN_MAP_round_away, false}};
    for (const auto &row : rows)
        if (row.op == op && (integers || !row.integers))
            return row.own;
    return op;
}

octave_value unary(lun_map_op op, const octave_value &v)
{
    const char *name = word(op);
    const side given(name, v);
    builder b;
    if (op == LUN_MAP_isnan || op == LUN_MAP_isinf || op == LUN_MAP_isfinite || op == LUN_MAP_lnot)
        return b.run(name, b.op(op, given.as_is(b)));
    const bool whole =
        op == LUN_MAP_floor || op == LUN_MAP_ceil || op == LUN_MAP_round || op == LUN_MAP_trunc || op == LUN_MAP_conj;
    const bool keeps = whole || op == LUN_MAP_neg || op == LUN_MAP_abs || op == LUN_MAP_sign;
    const bool integers = is_integer(given.dtype), counts = lun_dtype_has(given.dtype, LUN_WHOLE);
    if (whole && integers)
        return v;
    unsigned x = given.as_is(b);
    if (counts && !(keeps && integers))
        x = b.cast(x, LUN_f64);
    if (is_complex(given) && ((whole && op != LUN_MAP_conj) || op == LUN_MAP_sign))
        return b.run(name, by_parts(b, op, x));
    if (is_complex(given) && (op == LUN_MAP_acos || op == LUN_MAP_asin))
        x = across_cut(b, x);
    const unsigned y = b.op(by_own_rules(op, integers), x);
    if (op != LUN_MAP_tgamma)
        return b.run(name, y);
    const unsigned pole = b.op(LUN_MAP_land, b.op(LUN_MAP_lt, x, b.number(lun_real(0), true)),
                               b.op(LUN_MAP_eq, x, b.op(LUN_MAP_floor, x)));
    return b.run(name, b.op(LUN_MAP_where, pole, b.number(lun_real(INFINITY), true), y)); /* as Octave has it */
}

/* Of which integers of 64 bits hold the side and what Octave makes from it with them: whole numbers, and of powers the exponents. */
static bool fits_in_wide(lun_map_op op, const side &s, bool right, lun_dtype result)
{
    const bool whole = s.is_number() && s.number == std::round(s.number) && std::fabs(s.number) <= std::ldexp(1, 53) &&
                       (s.number >= 0 || lun_dtype_has(result, LUN_SIGNED));
    if (op == LUN_MAP_pow)
        return is_integer(s.dtype) || (right && whole && s.number >= 0 && s.number < 63);
    return whole || lun_dtype_has(s.dtype, LUN_WHOLE);
}

octave_value binary(lun_map_op op, const octave_value &vx, const octave_value &vy)
{
    const char *name = word(op);
    if (op == LUN_MAP_pow &&
        (vx.islogical() || vy.islogical())) /* the quotient 1 / 0 of integers is not that of doubles */
        return binary(op, vx.islogical() ? vx.as_double() : vx, vy.islogical() ? vy.as_double() : vy);
    side x(name, vx), y(name, vy);
    check_shapes(name, x, y, vx, vy);
    builder b;
    if (op == LUN_MAP_land || op == LUN_MAP_lor) {
        const auto truth = [&](const side &s) {
            return s.is_number() ? b.number(lun_real(s.number != 0), false) : s.as_is(b);
        };
        const unsigned p = truth(x), q = truth(y);
        return b.run(name, b.op(op, p, q));
    }
    if (is_comparison(op) && op != LUN_MAP_eq && op != LUN_MAP_ne && (is_complex(x) || is_complex(y)))
        return b.run(name, compared(b, op, x, y, joined(name, x.dtype, y.dtype)));
    if (is_comparison(op)) {
        const unsigned p = x.as_is(b), q = y.as_is(b);
        return b.run(name, b.op(op, p, q));
    }
    const auto real = [](lun_dtype dtype) { return is_integer(dtype) ? LUN_f64 : dtype; };
    const bool floats =
        op == LUN_MAP_atan2 || op == LUN_MAP_hypot || op == LUN_MAP_complex; /* integers have no such class */
    const lun_dtype result = floats ? joined(name, real(x.dtype), real(y.dtype)) : joined(name, x.dtype, y.dtype);
    if (is_integer(result)) {
        if (lun_dtype_bytes(result) == 8) {
            if (!fits_in_wide(op, x, false, result) || !fits_in_wide(op, y, true, result))
                error_with_id("lunarray:class",
                              "%s: there is no arithmetic of %s in doubles on the device; take double (x)", name,
                              class_of(result));
            x.dtype = x.is_number() ? result : x.dtype;
            y.dtype = y.is_number() ? result : y.dtype;
        }
        if (x.is_number() && !is_integer(y.dtype)) /* core counts by arrays' dtypes */
            x.lift(name, vx);
        if (y.is_number() && !is_integer(x.dtype))
            y.lift(name, vy);
        const unsigned p = x.node(b), q = y.node(b);
        return b.run(name, b.op(by_own_rules(op, true), p, q));
    }
    if ((op == LUN_MAP_mul || op == LUN_MAP_div) && is_complex(x) != is_complex(y) &&
        (op == LUN_MAP_mul || is_complex(x)))
        return b.run(name, scaled(b, op, x, y, result));
    const bool compiled = y.is_number() && lun_map_compiles_in(op, 1, lun_real(y.number));
    const unsigned p = x.node(b, result), q = y.node(b, result, compiled);
    return b.run(name, b.op(op, p, q));
}

/* Both become of the class of the result first, then one row of core's computes. */
static octave_value in_class(const char *name, lun_map_op op, lun_dtype dtype, const side &x, const side &y)
{
    builder b;
    const unsigned p = x.node(b, dtype), q = y.node(b, dtype);
    return b.run(name, b.op(op, p, q));
}

octave_value extreme_of_two(bool least, const octave_value &vx, const octave_value &vy)
{
    const char *name = least ? "min" : "max";
    const side x(name, vx), y(name, vy);
    check_shapes(name, x, y, vx, vy);
    const bool logical = x.dtype == LUN_bool && y.dtype == LUN_bool;
    const lun_dtype dtype = logical ? LUN_u8 : joined(name, x.dtype, y.dtype);
    if (lun_dtype_has(dtype, LUN_PAIRS)) {
        builder b;
        return b.run(name, extreme_of_complex(b, least, x, y, dtype));
    }
    const octave_value out = in_class(name, least ? LUN_MAP_fmin : LUN_MAP_fmax, dtype, x, y);
    return logical ? cast(out, LUN_bool) : out;
}

octave_value remainder_of(bool sign_of_divisor, const octave_value &vx, const octave_value &vy)
{
    const char *name = sign_of_divisor ? "mod" : "rem";
    const side x(name, vx), y(name, vy);
    check_shapes(name, x, y, vx, vy);
    return in_class(name, sign_of_divisor ? LUN_MAP_modulo : LUN_MAP_remainder, joined(name, x.dtype, y.dtype), x, y);
}

/* The whole numbers of an array of floats, which it looks at: none below 0 where bits are meant. */
octave_value whole_of(const char *name, const octave_value &x)
{
    const lun_dtype dtype = std::strncmp(name, "bit", 3) == 0 ? LUN_u64 : LUN_i64;
    const octave_value whole = cast(x, dtype);
    if (binary(LUN_MAP_ne, cast(whole, as_lunarray(x).a.dtype), x).nnz())
        error_with_id("lunarray:class", "%s: all values must be integers", name);
    return whole;
}

/* Octave's word for shapes of two that do not go together. */
void check_sizes(const char *name, const dim_vector &dx, const dim_vector &dy)
{
    for (int i = 0; i < dx.ndims() && i < dy.ndims(); i++)
        if (dx(i) != dy(i) && dx(i) != 1 && dy(i) != 1)
            octave::err_nonconformant(name, dx, dy);
}

/* With one axis, where it is a vector. */
octave_value as_vector(const char *name, const octave_value &x)
{
    const size_t n[] = {size_t(x.numel())};
    const bool vector = is_lunarray(x) && x.ndims() == 2 && (x.rows() == 1 || x.columns() == 1);
    return vector ? shaped(name, x, 1, n) : x;
}
