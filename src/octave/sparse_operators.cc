/* Operators of sparse arrays on the device, and brackets. */
#include "sparse.h"

#include <octave/interpreter.h>

static octave_value transposed(const octave_base_value &v) { return row_of_core("t", ovl(borrowed(v))); }

static octave_value sparse_hermitian(const octave_base_value &v)
{
    const octave_value t = transposed(v);
    return v.iscomplex() ? row_of_core("map", ovl(t, "conj")) : t;
}

static octave_value sparse_negative(const octave_base_value &v)
{
    return row_of_core("neg", ovl(numeric(borrowed(v))));
}
static octave_value sparse_itself(const octave_base_value &v) { return numeric(borrowed(v)); }

static octave_value all_of(const octave_value &x) { return is_sparse(x) ? as_sparse(x).full_value() : x; }

/* One of Octave's own sparse arrays goes to the device. */
static octave_value sparse_there(const octave_base_value &v)
{
    return v.issparse() && !is_sparse(borrowed(v)) ? upload_sparse(borrowed(v)) : borrowed(v);
}

template <lun_map_op OP> static octave_value sum_of(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = sparse_there(bx), y = sparse_there(by);
    if (!is_sparse(x) || !is_sparse(y))
        return binary(OP, all_of(x), all_of(y));
    if ((x.numel() == 1) != (y.numel() == 1))
        return octave::feval("sparse", ovl(binary(OP, all_of(x), all_of(y))), 1)(0);
    if (x.dims() != y.dims())
        octave::err_nonconformant(word(OP), x.dims(), y.dims());
    return row_of_core(lun_map_name(OP), ovl(numeric(x), numeric(y)));
}

/* A number that is not on the device. */
static bool is_number(const octave_value &v) { return !is_sparse(v) && !is_lunarray(v) && v.numel() == 1; }

/* A number on the device, also of a sparse array, is looked at. */
static octave_value with_number_here(const octave_base_value &v)
{
    const octave_value x = borrowed(v);
    return v.numel() != 1 ? x : (is_sparse(x) ? gather_sparse(x) : brought(x)).full_value();
}

/* A x, where f is core's row for it: x and the result are turned, and a column is one axis. */
template <typename F>
static octave_value applied(const char *name, const octave_value &a, const octave_value &given, F f)
{
    const octave_value x = upload(name, given);
    const lun_dtype dtype = joined(name, as_sparse(a).parts[2].dtype, as_lunarray(x).a.dtype);
    const octave_value right = cast(x, dtype);
    const bool column = x.columns() == 1;
    const octave_value y = f(column ? listed(right) : transposed_view(right));
    return column ? shaped(name, y, dim_vector(y.numel(), 1)) : transposed_view(y);
}

static octave_value sparse_product(const octave_base_value &bx, const octave_base_value &by)
{
    octave_value x = sparse_there(bx), y = sparse_there(by);
    if (y.numel() == 1 && (is_sparse(x) || !is_sparse(y) || x.numel() != 1))
        y = with_number_here(y.get_rep());
    else if (x.numel() == 1)
        x = with_number_here(x.get_rep());
    if (!is_sparse(x) && !is_sparse(y)) /* of a sparse number */
        return octave::binary_op(octave_value::op_el_mul, x, y);
    if (is_number(x) || is_number(y))
        return row_of_core("mul", ovl(numeric(is_number(x) ? y : x), is_number(x) ? x : y));
    if (x.columns() != y.rows())
        octave::err_nonconformant("operator *", x.dims(), y.dims());
    if (!is_sparse(x)) /* x y is (y.' x.').' */
        return transposed_view(
            sparse_product(transposed(y.get_rep()).get_rep(), transposed_view(upload("operator *", x)).get_rep()));
    const octave_value a = numeric(x);
    if (is_sparse(y))
        return row_of_core("matmul", ovl(a, numeric(y)));
    return applied("operator *", a, y, [&](const octave_value &right) { return row_of_core("matmul", ovl(a, right)); });
}

static octave_value scaled(const octave_base_value &bx, const octave_base_value &by)
{
    if (!is_number(borrowed(bx)) && !is_number(borrowed(by)))
        return composed("times", ovl(borrowed(bx), borrowed(by)));
    return sparse_product(bx, by);
}

static octave_value divided_by(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = sparse_there(bx);
    if (is_sparse(x) && by.numel() == 1)
        return row_of_core("div", ovl(numeric(x), with_number_here(by)));
    return by.numel() == 1 ? octave::binary_op(octave_value::op_el_div, x, with_number_here(by))
                           : composed("mrdivide", ovl(x, sparse_there(by)));
}

static octave_value sparse_divided(const octave_base_value &bx, const octave_base_value &by)
{
    if (!is_sparse(borrowed(bx)) || !is_number(borrowed(by)))
        return composed("rdivide", ovl(borrowed(bx), borrowed(by)));
    return row_of_core("div", ovl(numeric(borrowed(bx)), borrowed(by)));
}

/* A \ b of a triangle; of another array with all its elements, if they are not too many. */
static const double MOST_FILLED = 4096.0 * 4096.0;

static octave_value sparse_solved(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = sparse_there(bx), b = sparse_there(by);
    if (x.numel() == 1)
        return divided_by(b.get_rep(), x.get_rep());
    if (!is_sparse(x)) /* full */
        return octave::binary_op(octave_value::op_ldiv, x, all_of(b));
    if (is_sparse(b))
        return octave::feval("sparse", ovl(sparse_solved(bx, all_of(b).get_rep())), 1)(0);
    if (x.rows() != b.rows())
        octave::err_nonconformant("operator \\", x.dims(), b.dims());
    const octave_value a = numeric(x);
    const char *assume = triangle_of(a);
    if (!*assume && double(a.rows()) * double(a.columns()) <= MOST_FILLED)
        return octave::binary_op(octave_value::op_ldiv, all_of(a), b);
    if (!*assume)
        error_with_id("lunarray:function",
                      "operator \\: the sparse array is not triangular, and too large for a full one; pcg, "
                      "gmres and bicgstab solve such systems on the device");
    return applied("operator \\", a, b, [&](const octave_value &right) {
        return row_of_core("solve", ovl(a, right), ovl("assume", assume));
    });
}

/* Comparisons with a number for which what is 0 gives false. */
template <lun_map_op OP> static octave_value compared(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = borrowed(bx), y = borrowed(by);
    const auto of = [&](const octave_value &value) {
        return is_sparse(x) ? binary(OP, value, y) : binary(OP, x, value);
    };
    if ((!is_number(x) && !is_number(y)) || gather(as_lunarray(of(upload("operator", 0.0)))).bool_value())
        return composed(lun_map_name(OP), ovl(x, y));
    const octave_value &a = is_sparse(x) ? x : y;
    return with_values(a, of(part(a, 2)));
}

static octave_value left_divided(const octave_base_value &x, const octave_base_value &y)
{
    return sparse_divided(y, x);
}

static octave_value all_but_zero(const octave_base_value &v) { return composed("not", ovl(borrowed(v))); }
static octave_value power(const octave_base_value &x, const octave_base_value &y)
{
    return composed("power", ovl(borrowed(x), borrowed(y)));
}
static octave_value matrix_power(const octave_base_value &x, const octave_base_value &y)
{
    return composed("mpower", ovl(borrowed(x), borrowed(y)));
}
static octave_value both_true(const octave_base_value &x, const octave_base_value &y)
{
    return composed("and", ovl(borrowed(x), borrowed(y)));
}
static octave_value one_true(const octave_base_value &x, const octave_base_value &y)
{
    return composed("or", ovl(borrowed(x), borrowed(y)));
}

/* Brackets: what has been joined so far, in which there is room. */
static octave_value sparse_joined_at(const octave_base_value &x, const octave_base_value &y,
                                     const Array<octave_idx_type> &at)
{
    RowVector behind(2);
    behind(0) = double(at(0)), behind(1) = double(at(1));
    return composed("put", ovl(borrowed(x), borrowed(y), behind));
}

/* One of Octave's own sparse arrays goes to the device. */
static octave_base_value *sparse_sent_there(const octave_base_value &v)
{
    return as_sparse(upload_sparse(borrowed(v))).clone();
}

typedef octave_value (*function)(const octave_base_value &, const octave_base_value &);
/* A number that is sparse is one of Octave's own where it scales all elements. */
static octave_value multiplied(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = borrowed(bx), y = borrowed(by);
    if ((is_sparse(x) && x.numel() == 1 && y.numel() != 1) || (is_sparse(y) && y.numel() == 1 && x.numel() != 1))
        return octave::binary_op(octave_value::op_el_mul, all_of(x), all_of(y));
    return sparse_product(bx, by);
}

template <function F> static octave_value with_own(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = borrowed(bx), y = borrowed(by);
    const octave_value left = x.issparse() ? upload_sparse(x) : x, right = y.issparse() ? upload_sparse(y) : y;
    return F(left.get_rep(), right.get_rep());
}

/* Of x / y and x ^ y, sparse where Octave's is. */
template <function F, octave_value::binary_op OP>
static octave_value with_own_or_all(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = borrowed(bx), y = borrowed(by);
    if (x.issparse() && y.numel() == 1)
        return F(upload_sparse(x).get_rep(), gather(as_lunarray(y)).get_rep());
    return octave::binary_op(OP, upload("operator", x), upload("operator", y));
}

void install_sparse(octave::type_info &types, int of_arrays)
{
    static const struct {
        octave_value::binary_op op;
        function f, own; /* own: of an array and one of Octave's own sparse ones */
    } operators[] = {{octave_value::op_add, sum_of<LUN_MAP_add>, nullptr},
                     {octave_value::op_sub, sum_of<LUN_MAP_sub>, nullptr},
                     {octave_value::op_mul, sparse_product, with_own<multiplied>},
                     {octave_value::op_el_mul, scaled, with_own<scaled>},
                     {octave_value::op_div, divided_by, with_own_or_all<divided_by, octave_value::op_div>},
                     {octave_value::op_el_div, sparse_divided, with_own<sparse_divided>},
                     {octave_value::op_el_ldiv, left_divided, with_own<left_divided>},
                     {octave_value::op_ldiv, sparse_solved, with_own<sparse_solved>},
                     {octave_value::op_pow, matrix_power, with_own_or_all<matrix_power, octave_value::op_pow>},
                     {octave_value::op_el_pow, power, with_own<power>},
                     {octave_value::op_lt, compared<LUN_MAP_lt>, with_own<compared<LUN_MAP_lt>>},
                     {octave_value::op_le, compared<LUN_MAP_le>, with_own<compared<LUN_MAP_le>>},
                     {octave_value::op_eq, compared<LUN_MAP_eq>, with_own<compared<LUN_MAP_eq>>},
                     {octave_value::op_ge, compared<LUN_MAP_ge>, with_own<compared<LUN_MAP_ge>>},
                     {octave_value::op_gt, compared<LUN_MAP_gt>, with_own<compared<LUN_MAP_gt>>},
                     {octave_value::op_ne, compared<LUN_MAP_ne>, with_own<compared<LUN_MAP_ne>>},
                     {octave_value::op_el_and, both_true, with_own<both_true>},
                     {octave_value::op_el_or, one_true, with_own<one_true>}};
    ov_sparse::register_type(types);
    const int own = ov_sparse::static_type_id();
    const string_vector names = types.installed_type_names();
    types.install_unary_op(octave_value::op_transpose, own, transposed);
    types.install_unary_op(octave_value::op_hermitian, own, sparse_hermitian);
    types.install_unary_op(octave_value::op_uminus, own, sparse_negative);
    types.install_unary_op(octave_value::op_uplus, own, sparse_itself);
    types.install_unary_op(octave_value::op_not, own, all_but_zero);
    for (const auto &row : operators)
        for (octave_idx_type i = 0; i < names.numel(); i++) {
            types.install_binary_op(row.op, own, int(i), row.f);
            if (int(i) != own)
                types.install_binary_op(row.op, int(i), own, row.f);
        }
    for (octave_idx_type i = 0; i < names.numel(); i++) { /* what is assigned to elements of an array of Octave's own */
        if (int(i) == own || int(i) == of_arrays)
            continue;
        if (is_type_of_sparse(names(i))) {
            types.install_pref_assign_conv(int(i), of_arrays, own);
            types.install_pref_assign_conv(int(i), own, own);
            types.install_widening_op(int(i), own, sparse_sent_there);
        } else if (types.lookup_pref_assign_conv(int(i), of_arrays) == of_arrays)
            types.install_pref_assign_conv(int(i), own, of_arrays);
        for (const auto &row : operators)
            if (row.own && is_type_of_sparse(names(i))) {
                types.install_binary_op(row.op, of_arrays, int(i), row.own);
                types.install_binary_op(row.op, int(i), of_arrays, row.own);
            }
    }
    for (octave_idx_type i = 0; i < names.numel(); i++) {
        types.install_cat_op(own, int(i), sparse_joined_at);
        if (int(i) != own)
            types.install_cat_op(int(i), own, sparse_joined_at);
    }
}
