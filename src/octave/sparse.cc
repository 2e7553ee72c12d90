/* Sparse arrays on the device: a value of its own, of the same class, whose rows are core's. Rows and columns are Octave's, so that arrays
 * of elements, which core has the other way around, are turned where they meet it. */
#include "sparse.h"
#include "selector.h"

#include <octave/interpreter.h>

DEFINE_OV_TYPEID_FUNCTIONS_AND_DATA(ov_sparse, "lunarray sparse", "lunarray");

bool is_sparse(const octave_value &value) { return value.type_id() == ov_sparse::static_type_id(); }
const ov_sparse &as_sparse(const octave_value &value) { return dynamic_cast<const ov_sparse &>(value.get_rep()); }

ov_sparse::ov_sparse(const ov_sparse &other) : ov_sparse()
{
    for (int i = 0; i < 3; i++)
        call_core("sparse", [&](lun_error *e) { return lun_array_view(&parts[i], &other.parts[i], e); });
    s.rows = other.s.rows, s.width = other.s.width;
}

octave_value row_of_core(const char *op, const octave_value_list &args, const octave_value_list &options)
{
    return operate(op, LUN_OF_SPARSE, args, options)(0);
}

octave_value part(const octave_value &a, int i)
{
    lun_array *out;
    octave_value value = fresh(&out);
    call_core("sparse", [&](lun_error *e) { return lun_array_view(out, &as_sparse(a).parts[i], e); });
    return value;
}

/* The same places with other values. */
static octave_value with_values(const octave_value &a, const octave_value &values)
{
    ov_sparse *made = new ov_sparse(as_sparse(a));
    octave_value value(made);
    lun_array_clear(&made->parts[2]);
    call_core("sparse", [&](lun_error *e) { return lun_array_view(&made->parts[2], &as_lunarray(values).a, e); });
    return value;
}

/* Truth values count as double. */
static octave_value numeric(const octave_value &a)
{
    return a.islogical() ? with_values(a, cast(part(a, 2), LUN_f64)) : a;
}

[[noreturn]] static void refuse(const char *name)
{
    error_with_id("lunarray:function",
                  "%s: there is no such function of sparse arrays on the device; full (x) has all elements", name);
}

/* ---- to the device and back ------------------------------------------------------------------------------------------ */

/* A column as core's array of one axis. */
octave_value listed(const octave_value &column)
{
    const size_t count[] = {size_t(column.numel())};
    return shaped("sparse", upload("sparse", column), 1, count);
}

static octave_value made_of(const char *first, const octave_value &positions, const octave_value &columns,
                            const octave_value &values, octave_idx_type m, octave_idx_type n)
{
    Matrix shape(1, 2);
    shape(0) = double(m), shape(1) = double(n);
    return operate("sparse", LUN_OF_DEVICE, ovl(),
                   ovl(first, cast(listed(positions), LUN_i64), "cols", cast(listed(columns), LUN_i64), "values",
                       listed(values), "shape", shape))(0);
}

/* Octave has columns one behind the other: the rows of the transpose. */
template <typename S, typename V> static octave_value sent(const S &from)
{
    const octave_idx_type count = from.nnz();
    ColumnVector starts(from.cols() + 1), rows(count);
    V values(dim_vector(count, 1));
    for (octave_idx_type i = 0; i <= from.cols(); i++)
        starts(i) = double(from.cidx(i)) + 1;
    for (octave_idx_type i = 0; i < count; i++)
        rows(i) = double(from.ridx(i)) + 1, values(i) = from.data(i);
    return row_of_core("t", ovl(made_of("starts", starts, rows, values, from.cols(), from.rows())));
}

octave_value upload_sparse(const octave_value &v)
{
    if (v.islogical())
        return sent<SparseBoolMatrix, boolNDArray>(v.sparse_bool_matrix_value());
    return v.iscomplex() ? sent<SparseComplexMatrix, ComplexNDArray>(v.sparse_complex_matrix_value())
                         : sent<SparseMatrix, NDArray>(v.sparse_matrix_value());
}

template <typename S, typename V> static octave_value received(const octave_value &turned, const V &values)
{
    const NDArray starts = gather(as_lunarray(cast(part(turned, 0), LUN_f64))).array_value(),
                  rows = gather(as_lunarray(cast(part(turned, 1), LUN_f64))).array_value();
    S made(turned.columns(), turned.rows(), rows.numel());
    for (octave_idx_type i = 0; i < starts.numel(); i++)
        made.cidx(i) = octave_idx_type(starts(i)) - 1;
    for (octave_idx_type i = 0; i < rows.numel(); i++)
        made.ridx(i) = octave_idx_type(rows(i)) - 1, made.data(i) = values(i);
    made.maybe_compress(true);
    return octave_value(made);
}

octave_value gather_sparse(const octave_value &a)
{
    const octave_value turned = row_of_core("t", ovl(a)), values = part(turned, 2);
    if (a.islogical())
        return received<SparseBoolMatrix>(turned, gather(as_lunarray(values)).bool_array_value());
    if (a.iscomplex())
        return received<SparseComplexMatrix>(turned, gather(as_lunarray(cast(values, LUN_c128))).complex_array_value());
    return received<SparseMatrix>(turned, gather(as_lunarray(cast(values, LUN_f64))).array_value());
}

/* ---- arrays of elements ------------------------------------------------------------------------------------------------ */

octave_value transposed_view(const octave_value &x)
{
    static const int axes[] = {1, 0};
    lun_array *out;
    const octave_value whole = as_lunarray(x).a.ndim == 2 ? x : x.reshape(x.dims());
    octave_value value = fresh(&out);
    call_core("transpose", [&](lun_error *e) { return lun_array_permute(out, &as_lunarray(whole).a, axes, e); });
    return value;
}

octave_value ov_sparse::full_value() const { return transposed_view(row_of_core("dense", ovl(octave_value(clone())))); }

octave_idx_type ov_sparse::nnz() const { return octave_idx_type(as_lunarray(part(octave_value(clone()), 2)).nnz()); }

octave_value ov_sparse::diag(octave_idx_type k) const
{
    if (k != 0)
        refuse("diag");
    const octave_value d = row_of_core("diag", ovl(octave_value(clone())));
    const size_t shape[] = {size_t(d.numel()), 1};
    return operate("sparse", LUN_OF_ARRAY, ovl(shaped("diag", d, 2, shape)), ovl())(0);
}

/* A(i, j). */
octave_value ov_sparse::subsref(const std::string &type, const std::list<octave_value_list> &index)
{
    const octave_value_list &places = index.front();
    if (type[0] != '(' || places.length() != 2)
        refuse("index");
    octave_value_list args = ovl(octave_value(clone()));
    for (int k = 0; k < 2; k++) {
        const octave_idx_type n = dims()(k);
        const selector s(places(k), n, k, 2);
        if (s.last(n) > n)
            octave::err_index_out_of_range(2, k + 1, s.last(n), n, dims());
        args.append(places(k).is_magic_colon() ? octave_value() : s.positions());
    }
    octave_value found = row_of_core("submatrix", args);
    return index.size() > 1 ? found.next_subsref(type, index) : found;
}

/* Functions that keep 0. */
octave_value ov_sparse::map(unary_mapper_t function) const
{
    const octave_value a(clone()), zero = cast(upload("map", 0.0), parts[2].dtype);
    if (as_lunarray(as_lunarray(zero).map(function)).nnz())
        refuse(get_umap_name(function));
    return with_values(a, as_lunarray(part(a, 2)).map(function));
}

void ov_sparse::print(std::ostream &out, bool as_read) { gather_sparse(octave_value(clone())).print(out, as_read); }
void ov_sparse::print_raw(std::ostream &out, bool as_read) const
{
    gather_sparse(octave_value(clone())).print_raw(out, as_read);
}
bool ov_sparse::print_name_tag(std::ostream &out, const std::string &name) const
{
    return gather_sparse(octave_value(clone())).print_name_tag(out, name);
}

/* ---- methods ------------------------------------------------------------------------------------------------------------- */

/* A column with as many numbers as the others. */
static octave_value stretched(const octave_value &v, octave_idx_type count)
{
    if (v.numel() != 1 || count == 1)
        return v;
    const octave_value one = is_lunarray(v) ? gather(as_lunarray(v)) : v;
    return octave_value(NDArray(dim_vector(count, 1), one.double_value()));
}

octave_value_list sparse_made(const char *name, const octave_value_list &args, int)
{
    octave_value i[3];
    octave_idx_type count = 1;
    if (args.length() == 1)
        return ovl(operate("sparse", LUN_OF_ARRAY, ovl(transposed_view(upload(name, args(0)))), ovl())(0));
    if (args.length() != 3 && args.length() != 5)
        error_with_id("Octave:invalid-fun-call", "Invalid call to %s", name);
    for (int k = 0; k < 3; k++)
        count = args(k).numel() != 1 ? args(k).numel() : count;
    for (int k = 0; k < 3; k++)
        i[k] = upload(name, stretched(args(k), count));
    double sizes[2];
    for (int k = 0; k < 2; k++)
        sizes[k] = args.length() == 5 ? args(3 + k).double_value()
                                      : operate("max", LUN_OF_ARRAY, ovl(listed(i[k])), ovl())(0).double_value();
    const lun_dtype dtype = as_lunarray(i[2]).a.dtype;
    const octave_value v = dtype == LUN_bool                 ? i[2]
                           : lun_dtype_has(dtype, LUN_PAIRS) ? cast(i[2], LUN_c128)
                                                             : cast(i[2], LUN_f64);
    return ovl(made_of("rows", i[0], i[1], v, octave_idx_type(sizes[0]), octave_idx_type(sizes[1])));
}

/* A sum along a dimension is sparse, as Octave's own. */
static octave_value sum(const octave_value_list &args)
{
    const octave_value a = numeric(args(0));
    const int dim = dimension("sum", args.length() > 1 ? args(1) : octave_value(Matrix()), a.dims());
    if (dim > 1)
        return a;
    const octave_value sums = row_of_core("sum", ovl(a), ovl("axis", double(dim + 1)));
    const size_t shape[] = {dim ? size_t(a.rows()) : 1, dim ? 1 : size_t(a.columns())};
    return operate("sparse", LUN_OF_ARRAY, ovl(shaped("sum", sums, 2, shape)), ovl())(0);
}

octave_value_list of_sparse(const std::string &name, const octave_value_list &args)
{
    if (name == "sum" && is_sparse(args(0)) && args.length() < 3)
        return ovl(sum(args));
    if (name == "sparse" && is_sparse(args(0)) && args.length() == 1)
        return args;
    refuse(name.c_str());
}

/* ---- operators ------------------------------------------------------------------------------------------------------------- */

static octave_value borrowed(const octave_base_value &v)
{
    return octave_value(const_cast<octave_base_value *>(&v), true);
}

static octave_value transposed(const octave_base_value &v) { return row_of_core("t", ovl(borrowed(v))); }

static octave_value hermitian(const octave_base_value &v)
{
    const octave_value t = transposed(v);
    return v.iscomplex() ? row_of_core("map", ovl(t, "conj")) : t;
}

static octave_value negative(const octave_base_value &v) { return row_of_core("neg", ovl(numeric(borrowed(v)))); }
static octave_value same(const octave_base_value &v) { return numeric(borrowed(v)); }

static octave_value all_of(const octave_value &x) { return is_sparse(x) ? as_sparse(x).full_value() : x; }

template <lun_map_op OP> static octave_value sum_of(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = borrowed(bx), y = borrowed(by);
    if (!is_sparse(x) || !is_sparse(y))
        return binary(OP, all_of(x), all_of(y));
    if (x.dims() != y.dims())
        error_with_id("Octave:nonconformant-args", "%s: nonconformant arguments (op1 is %s, op2 is %s)", word(OP),
                      x.dims().str().c_str(), y.dims().str().c_str());
    return row_of_core(lun_map_name(OP), ovl(numeric(x), numeric(y)));
}

/* A number that is not on the device. */
static bool is_number(const octave_value &v) { return !is_sparse(v) && !is_lunarray(v) && v.numel() == 1; }

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

static octave_value product(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = borrowed(bx), y = borrowed(by);
    if (is_number(x) || is_number(y))
        return row_of_core("mul", ovl(numeric(is_number(x) ? y : x), is_number(x) ? x : y));
    if (x.columns() != y.rows())
        error_with_id("Octave:nonconformant-args", "operator *: nonconformant arguments (op1 is %s, op2 is %s)",
                      x.dims().str().c_str(), y.dims().str().c_str());
    if (!is_sparse(x)) /* x y is (y.' x.').' */
        return transposed_view(product(transposed(by).get_rep(), transposed_view(upload("operator *", x)).get_rep()));
    const octave_value a = numeric(x);
    if (is_sparse(y))
        return row_of_core("matmul", ovl(a, numeric(y)));
    return applied("operator *", a, y, [&](const octave_value &right) { return row_of_core("matmul", ovl(a, right)); });
}

static octave_value scaled(const octave_base_value &bx, const octave_base_value &by)
{
    if (!is_number(borrowed(bx)) && !is_number(borrowed(by)))
        refuse("product");
    return product(bx, by);
}

static octave_value divided(const octave_base_value &bx, const octave_base_value &by)
{
    if (!is_sparse(borrowed(bx)) || !is_number(borrowed(by)))
        refuse("quotient");
    return row_of_core("div", ovl(numeric(borrowed(bx)), borrowed(by)));
}

octave_value sparse_cast(const octave_value &a, lun_dtype dtype)
{
    return as_sparse(a).parts[2].dtype == dtype ? a : with_values(a, cast(part(a, 2), dtype));
}

const char *triangle_of(const octave_value &a)
{
    if (a.rows() != a.columns() || a.nzmax() == 0)
        return a.rows() == a.columns() ? "lower" : "";
    const octave_value above = operate("sub", LUN_OF_ARRAY, ovl(part(a, 1), row_of_core("rows", ovl(a))), ovl())(0);
    if (operate("min", LUN_OF_ARRAY, ovl(above), ovl())(0).double_value() >= 0)
        return "upper";
    return operate("max", LUN_OF_ARRAY, ovl(above), ovl())(0).double_value() > 0 ? "" : "lower";
}

/* A \ b of a triangle; of another array with all its elements, if they are not too many. */
static const double MOST_FILLED = 4096.0 * 4096.0;

static octave_value solved(const octave_base_value &bx, const octave_base_value &by)
{
    const octave_value x = borrowed(bx), b = borrowed(by);
    if (!is_sparse(x) || is_sparse(b))
        refuse("operator \\");
    if (x.rows() != b.rows())
        error_with_id("Octave:nonconformant-args", "operator \\: nonconformant arguments (op1 is %s, op2 is %s)",
                      x.dims().str().c_str(), b.dims().str().c_str());
    const octave_value a = numeric(x);
    const char *assume = triangle_of(a);
    if (!*assume && double(a.rows()) * double(a.columns()) <= MOST_FILLED)
        return octave::binary_op(octave_value::op_ldiv, all_of(a), b);
    if (!*assume)
        error_with_id("lunarray:function",
                      "operator \\: the sparse array is no triangle, and too large to be filled; pcg, "
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
        refuse(word(OP));
    const octave_value &a = is_sparse(x) ? x : y;
    return with_values(a, of(part(a, 2)));
}

static octave_value no_operator(const octave_base_value &, const octave_base_value &) { refuse("operator"); }

void install_sparse(octave::type_info &types)
{
    static const struct {
        octave_value::binary_op op;
        octave_value (*f)(const octave_base_value &, const octave_base_value &);
    } operators[] = {{octave_value::op_add, sum_of<LUN_MAP_add>},
                     {octave_value::op_sub, sum_of<LUN_MAP_sub>},
                     {octave_value::op_mul, product},
                     {octave_value::op_el_mul, scaled},
                     {octave_value::op_div, divided},
                     {octave_value::op_el_div, divided},
                     {octave_value::op_ldiv, solved},
                     {octave_value::op_pow, no_operator},
                     {octave_value::op_el_pow, no_operator},
                     {octave_value::op_lt, compared<LUN_MAP_lt>},
                     {octave_value::op_le, compared<LUN_MAP_le>},
                     {octave_value::op_eq, compared<LUN_MAP_eq>},
                     {octave_value::op_ge, compared<LUN_MAP_ge>},
                     {octave_value::op_gt, compared<LUN_MAP_gt>},
                     {octave_value::op_ne, compared<LUN_MAP_ne>},
                     {octave_value::op_el_and, no_operator},
                     {octave_value::op_el_or, no_operator}};
    ov_sparse::register_type(types);
    const int own = ov_sparse::static_type_id();
    const string_vector names = types.installed_type_names();
    types.install_unary_op(octave_value::op_transpose, own, transposed);
    types.install_unary_op(octave_value::op_hermitian, own, hermitian);
    types.install_unary_op(octave_value::op_uminus, own, negative);
    types.install_unary_op(octave_value::op_uplus, own, same);
    for (const auto &row : operators)
        for (octave_idx_type i = 0; i < names.numel(); i++) {
            types.install_binary_op(row.op, own, int(i), row.f);
            if (int(i) != own)
                types.install_binary_op(row.op, int(i), own, row.f);
        }
}
