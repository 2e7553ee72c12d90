/* Operators of arrays: what is not elementwise, joining, and the table that Octave looks them up in. */
#include "sparse.h"

#include <octave/parse.h>

#include <cmath>

const char *word(lun_map_op op)
{
    static const struct {
        lun_map_op op;
        const char *word;
    } rows[] = {{LUN_MAP_add, "operator +"}, {LUN_MAP_sub, "operator -"},  {LUN_MAP_mul, "product"},
                {LUN_MAP_div, "quotient"},   {LUN_MAP_pow, "operator .^"}, {LUN_MAP_lt, "operator <"},
                {LUN_MAP_le, "operator <="}, {LUN_MAP_eq, "operator =="},  {LUN_MAP_ge, "operator >="},
                {LUN_MAP_gt, "operator >"},  {LUN_MAP_ne, "operator !="},  {LUN_MAP_land, "operator &"},
                {LUN_MAP_lor, "operator |"}, {LUN_MAP_lnot, "operator !"}, {LUN_MAP_neg, "operator -"},
                {LUN_MAP_trunc, "fix"},      {LUN_MAP_tgamma, "gamma"}};
    for (const auto &row : rows)
        if (row.op == op)
            return row.word;
    return lun_map_name(op);
}

template <lun_map_op OP> static octave_value both(const octave_base_value &x, const octave_base_value &y)
{
    return binary(OP, operand(x), operand(y));
}

template <lun_map_op OP> static octave_value turned(const octave_base_value &x, const octave_base_value &y)
{
    return binary(OP, operand(y), operand(x));
}

static octave_value transpose(const octave_base_value &v)
{
    const ov_lunarray &x = dynamic_cast<const ov_lunarray &>(v);
    static const int axes[] = {1, 0};
    lun_array *out;
    if (x.dims().ndims() > 2)
        error("transpose not defined for N-D objects");
    octave_value whole = x.a.ndim == 2 ? borrowed(v) : x.reshape(x.dims()), value = fresh(&out);
    call_core("transpose", [&](lun_error *e) { return lun_array_permute(out, &as_lunarray(whole).a, axes, e); });
    return value;
}

static octave_value same(const octave_base_value &v)
{
    const octave_value x = borrowed(v);
    return x.islogical() ? cast(x, LUN_f64) : x;
}

static octave_value hermitian(const octave_base_value &v)
{
    const octave_value x =
        dynamic_cast<const ov_lunarray &>(v).iscomplex() ? unary(LUN_MAP_conj, borrowed(v)) : borrowed(v);
    return transpose(x.get_rep());
}

static octave_value negative(const octave_base_value &v) { return unary(LUN_MAP_neg, borrowed(v)); }
static octave_value negated(const octave_base_value &v) { return unary(LUN_MAP_lnot, borrowed(v)); }

/* x++ and x--: another array for the name, since others may have this one. */
template <lun_map_op OP> static void stepped(octave_base_value &v)
{
    ov_lunarray &x = dynamic_cast<ov_lunarray &>(v);
    const octave_value next = binary(OP, borrowed(v), 1.0);
    lun_array_clear(&x.a);
    call_core("lunarray", [&](lun_error *e) { return lun_array_view(&x.a, &as_lunarray(next).a, e); });
}

/* a(i) = x, where a is not on the device and x is: a goes there. */
static octave_base_value *sent_there(const octave_base_value &a)
{
    return new ov_lunarray(as_lunarray(upload("=", borrowed(a))));
}

/* A product of matrices; of a number and a matrix the elementwise one. */
static octave_value product(const octave_base_value &bx, const octave_base_value &by)
{
    octave_value x = operand(bx), y = operand(by);
    if (x.numel() == 1 || y.numel() == 1)
        return binary(LUN_MAP_mul, x, y);
    if (x.ndims() > 2 || y.ndims() > 2)
        octave::err_nonconformant("operator *", x.dims(), y.dims());
    return product_of_pages("operator *", x, y);
}

octave_value product_of_pages(const char *name, octave_value x, octave_value y)
{
    const dim_vector dx = x.dims(), dy = y.dims();
    bool fits = dx(1) == dy(0);
    for (int i = 2; i < dx.ndims() && i < dy.ndims(); i++)
        fits = fits && (dx(i) == dy(i) || dx(i) == 1 || dy(i) == 1);
    if (!fits)
        octave::err_nonconformant(name, dx, dy);
    x = upload(name, x), y = upload(name, y);
    const lun_dtype dtype = joined(name, as_lunarray(x).a.dtype, as_lunarray(y).a.dtype);
    if (is_integer(dtype))
        error_with_id("lunarray:class", "%s: there is no product of matrices of %s; take double (x)", name,
                      class_of(dtype));
    return operate("matmul", LUN_OF_ARRAY, ovl(cast(x, dtype), cast(y, dtype)), ovl())(0);
}

/* x ^ y of numbers, and of a square matrix and a whole number; mpower.m has the others. */
static octave_value raised(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = operand(bx), y = operand(by);
    const dim_vector dims = x.dims();
    if (x.numel() == 1 && y.numel() == 1)
        return binary(LUN_MAP_pow, x, y);
    if (is_lunarray(y) && y.numel() == 1 && dims.ndims() == 2 && dims(0) == dims(1))
        return raised(bx, gather(as_lunarray(y)).get_rep());
    if (dims.ndims() > 2 || dims(0) != dims(1) || y.numel() != 1 || !y.isreal() ||
        y.double_value() != std::round(y.double_value()))
        return octave::feval("mpower", ovl(x, y), 1)(0); /* by eigenvalues */
    if (is_integer(as_lunarray(x).a.dtype))
        error_with_id("lunarray:class", "operator ^: there is no product of matrices of %s; take double (x)",
                      class_of(as_lunarray(x).a.dtype));
    const lun_dtype dtype = joined("operator ^", as_lunarray(x).a.dtype, y.is_single_type() ? LUN_f32 : LUN_f64);
    octave_value base = cast(x, dtype);
    const double power = y.double_value();
    double rcond;
    if (power < 0) {
        base = inverse_of(base, &rcond);
        if (rcond == 0)
            warning("inverse: matrix singular to machine precision, rcond = %g", rcond);
    }
    return operate("matrix_power", LUN_OF_ARRAY, ovl(base, std::fabs(power)), ovl(), "operator ^")(0);
}

/* A \\ b. */
static octave_value solved(const octave_base_value &bx, const octave_base_value &by)
{
    octave_value x = operand(bx), y = operand(by);
    if (x.numel() == 1)
        return binary(LUN_MAP_div, y, x);
    const dim_vector dx = x.dims(), dy = y.dims();
    if (dx.ndims() > 2 || dy.ndims() > 2 || dx(0) != dy(0))
        octave::err_nonconformant("operator \\", dx, dy);
    x = upload("operator \\", x), y = upload("operator \\", y);
    const lun_dtype dtype = joined("operator \\", as_lunarray(x).a.dtype, as_lunarray(y).a.dtype);
    if (is_integer(dtype))
        error_with_id("lunarray:class", "operator \\: there is no division by a matrix in %s; take double (x)",
                      class_of(dtype));
    return quotient_of_matrices(cast(x, dtype), cast(y, dtype));
}

/* x / A is (A' \\ x')'. */
static octave_value divided(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = operand(bx), y = operand(by);
    if (y.numel() == 1)
        return both<LUN_MAP_div>(bx, by);
    const dim_vector dx = x.dims(), dy = y.dims();
    if (dx.ndims() > 2 || dy.ndims() > 2 || dx(1) != dy(1))
        octave::err_nonconformant("operator /", dx, dy);
    const octave_value a = hermitian(upload("operator /", y).get_rep()),
                       b = hermitian(upload("operator /", x).get_rep());
    return hermitian(solved(a.get_rep(), b.get_rep()).get_rep());
}

/* [x, y]: x has the room already, and y's place in it begins there. */
static octave_value joined_at(const octave_base_value &x, const octave_base_value &y, const Array<octave_idx_type> &at)
{
    if (x.is_string() || y.is_string()) /* a text, as of codes of characters */
        return octave::cat_op(octave::__get_type_info__("concatenation"), brought(borrowed(x)), brought(borrowed(y)),
                              at);
    octave_value into = upload("concatenation", borrowed(x)), value = upload("concatenation", borrowed(y));
    const dim_vector dims = value.dims();
    const lun_dtype dtype = class_of_both("concatenation", as_lunarray(into).a.dtype, as_lunarray(value).a.dtype);
    octave_value_list index;
    into = cast(into, dtype);
    if (dims.any_zero())
        return into;
    const dim_vector room = into.dims();
    for (octave_idx_type i = 0; i < at.numel(); i++) {
        const octave_idx_type n = i < dims.ndims() ? dims(i) : 1, have = i < room.ndims() ? room(i) : 1;
        if (at(i) + n > have && n < have) /* Octave counts rows of 1x0, for which it has made no room */
            error_with_id("lunarray:badshape",
                          "concatenation: [...] has arrays of 1x0; leave them out, or call vertcat");
        const octave_idx_type from = std::min(at(i), have - n);
        index(i) = octave::range<double>(double(from) + 1, 1, double(from + n));
    }
    return with_assigned(into, index, cast(value, dtype));
}

typedef octave_value (*function)(const octave_base_value &, const octave_base_value &);
static const struct {
    octave_value::binary_op op;
    function f;
} operators[] = {{octave_value::op_add, both<LUN_MAP_add>},
                 {octave_value::op_sub, both<LUN_MAP_sub>},
                 {octave_value::op_el_mul, both<LUN_MAP_mul>},
                 {octave_value::op_el_div, both<LUN_MAP_div>},
                 {octave_value::op_el_pow, both<LUN_MAP_pow>},
                 {octave_value::op_el_ldiv, turned<LUN_MAP_div>},
                 {octave_value::op_lt, both<LUN_MAP_lt>},
                 {octave_value::op_le, both<LUN_MAP_le>},
                 {octave_value::op_eq, both<LUN_MAP_eq>},
                 {octave_value::op_ge, both<LUN_MAP_ge>},
                 {octave_value::op_gt, both<LUN_MAP_gt>},
                 {octave_value::op_ne, both<LUN_MAP_ne>},
                 {octave_value::op_el_and, both<LUN_MAP_land>},
                 {octave_value::op_el_or, both<LUN_MAP_lor>},
                 {octave_value::op_mul, product},
                 {octave_value::op_pow, raised},
                 {octave_value::op_div, divided},
                 {octave_value::op_ldiv, solved}};

/* Is it a type of numbers, or of what counts as numbers in Octave, which upload refuses by name? */
static bool has_numbers(const std::string &type)
{
    for (const char *word : {"matrix", "scalar", "bool", "range", "string"})
        if (type.find(word) != std::string::npos)
            return true;
    return false;
}

void install_operators(octave::type_info &types)
{
    const int own = ov_lunarray::static_type_id();
    const string_vector names = types.installed_type_names();
    types.install_unary_op(octave_value::op_transpose, own, transpose);
    types.install_unary_op(octave_value::op_hermitian, own, hermitian);
    types.install_unary_op(octave_value::op_uminus, own, negative);
    types.install_unary_op(octave_value::op_uplus, own, same);
    types.install_unary_op(octave_value::op_not, own, negated);
    types.install_non_const_unary_op(octave_value::op_incr, own, stepped<LUN_MAP_add>);
    types.install_non_const_unary_op(octave_value::op_decr, own, stepped<LUN_MAP_sub>);
    for (const auto &row : operators)
        for (octave_idx_type i = 0; i < names.numel(); i++) {
            const int other = int(i); /* a type is its place in that list */
            if (is_type_of_sparse(names(i)) && keeps_sparse(row.op))
                continue;
            types.install_binary_op(row.op, own, other, row.f);
            if (other != own)
                types.install_binary_op(row.op, other, own, row.f);
        }
    for (octave_idx_type i = 0; i < names.numel(); i++) {
        const int other = int(i); /* a type is its place in that list */
        types.install_cat_op(own, other, joined_at);
        if (other == own)
            continue;
        types.install_cat_op(other, own, joined_at);
        if (has_numbers(names(i)) && !is_type_of_sparse(names(i))) {
            types.install_pref_assign_conv(other, own, own);
            types.install_widening_op(other, own, sent_there);
        }
    }
}
