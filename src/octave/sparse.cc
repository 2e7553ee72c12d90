/* Sparse arrays on the device: a value of its own, of the same class, whose rows are core's. Rows and columns are Octave's, so that arrays
 * of elements, which core has the other way around, are turned where they meet it. */
#include "sparse.h"
#include "selector.h"

#include <octave/interpreter.h>
#include <octave/parse.h>

DEFINE_OV_TYPEID_FUNCTIONS_AND_DATA(ov_sparse, "lunarray sparse", "lunarray");

bool is_sparse(const octave_value &value) { return value.type_id() == ov_sparse::static_type_id(); }
const ov_sparse &as_sparse(const octave_value &value) { return dynamic_cast<const ov_sparse &>(value.get_rep()); }

ov_sparse::ov_sparse(const ov_sparse &other) : ov_sparse()
{
    for (int i = 0; i < 3 && lun_array_is_live(&other.parts[i]); i++)
        call_core("sparse", [&](lun_error *e) { return lun_array_view(&parts[i], &other.parts[i], e); });
    s.rows = other.s.rows, s.width = other.s.width;
}

octave_value ov_sparse::here() const { return gather_sparse(octave_value(clone())); }

bool ov_sparse::become(const octave_value &read)
{
    const octave_value there = upload_sparse(read);
    lun_sparse_forget(&s);
    for (int i = 0; i < 3; i++) {
        lun_array_clear(&parts[i]);
        call_core("load", [&](lun_error *e) { return lun_array_view(&parts[i], &as_sparse(there).parts[i], e); });
    }
    s.rows = size_t(read.rows()), s.width = size_t(read.columns());
    return true;
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
octave_value with_values(const octave_value &a, const octave_value &values)
{
    ov_sparse *made = new ov_sparse(as_sparse(a));
    octave_value value(made);
    lun_array_clear(&made->parts[2]);
    call_core("sparse", [&](lun_error *e) { return lun_array_view(&made->parts[2], &as_lunarray(values).a, e); });
    return value;
}

/* Truth values count as double. */
octave_value numeric(const octave_value &a) { return a.islogical() ? with_values(a, cast(part(a, 2), LUN_f64)) : a; }

[[noreturn]] void refuse(const char *name)
{
    error_with_id("lunarray:function",
                  "%s: there is no such function of sparse arrays on the device; full (x) has all elements", name);
}

/* By @lunarray/__of_sparse__.m, from the elements and their places; or it says that there is no such function. */
octave_value composed(const char *name, const octave_value_list &args)
{
    return octave::feval("__of_sparse__", ovl(name).append(args), 1)(0);
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

SparseMatrix ov_sparse::sparse_matrix_value(bool) const
{
    if (!is_being_stored())
        not_brought_back();
    return here().sparse_matrix_value();
}

SparseComplexMatrix ov_sparse::sparse_complex_matrix_value(bool) const
{
    if (!is_being_stored())
        not_brought_back();
    return here().sparse_complex_matrix_value();
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
    if (k != 0 || rows() == 1 || columns() == 1)
        return composed("diag", ovl(octave_value(clone()), double(k)));
    const octave_value d = row_of_core("diag", ovl(octave_value(clone())));
    const size_t shape[] = {size_t(d.numel()), 1};
    return operate("sparse", LUN_OF_ARRAY, ovl(shaped("diag", d, 2, shape)), ovl())(0);
}

/* A(i, j). */
octave_value ov_sparse::subsref(const std::string &type, const std::list<octave_value_list> &index)
{
    const octave_value_list &places = index.front();
    if (type[0] != '(' || places.length() < 1 || places.length() > 2)
        refuse("index");
    if (places.length() == 1) {
        octave_value found =
            composed("at", ovl(octave_value(clone()), places(0).is_magic_colon() ? octave_value(":") : places(0)));
        return index.size() > 1 ? found.next_subsref(type, index) : found;
    }
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

/* A(i, j) = v, and A(i) = v. */
octave_value ov_sparse::subsasgn(const std::string &type, const std::list<octave_value_list> &index,
                                 const octave_value &value)
{
    octave_value_list at = index.front(), args;
    const int n = at.length();
    if (type != "(")
        error_with_id("lunarray:misuse", "a lunarray cannot be indexed with %c in an assignment", type[0]);
    if (n < 1 || n > 2)
        error_with_id("Octave:index-out-of-bounds", "sparse indexing needs 1 or 2 indices");
    dim_vector all = n == 1 ? dim_vector(numel(), 1) : dims(), wanted = dims(), picked(1, 1);
    int free = 0, along = 0; /* dimensions whose colon names all of them, and the last one else */
    for (int k = 0; k < n; k++) {
        if (is_sparse(at(k))) /* A(A > 1) */
            at(k) = octave::feval("find", ovl(at(k)), 1)(0);
        const selector s(at(k), all(k), k, n);
        const octave_value positions = s.positions();
        picked(k) = positions.numel();
        all(k) = s.last(all(k));
        along = !s.on_device && s.host.is_colon() ? along : k;
        free += !s.on_device && s.host.is_colon();
        args.append(cast(positions, LUN_f64));
    }
    if (n == 2)
        wanted = all;
    else if (all(0) > numel() && dims().ndims() == 2 && (rows() <= 1 || columns() == 1))
        wanted = rows() <= 1 ? dim_vector(1, all(0)) : dim_vector(all(0), 1);
    else if (all(0) > numel())
        octave::err_invalid_resize();
    const octave_value self(clone());
    if (value.isnull()) {
        along = n == 1 && rows() == 1 ? 1 : along;
        if (picked.numel() == 0)
            return self;
        if (n == 1 ? rows() != 1 && columns() != 1 : free == 0)
            error_with_id("Octave:nonconformant-args", "a null assignment can only have one non-colon index");
        if (wanted != dims())
            octave::err_del_index_out_of_range(n == 1, all(n == 1 ? 0 : along), n == 1 ? numel() : dims()(along));
        return composed("delete", ovl(self, args(n == 1 ? 0 : along), double(along + 1)));
    }
    const octave_idx_type count = value.numel();
    if (count != 1 &&
        (n == 1 ? count != picked.numel()
                : value.dims() != picked && !(count == picked.numel() && (picked(0) == 1 || picked(1) == 1))))
        octave::err_nonconformant("=", picked, value.dims());
    if (picked.numel() == 0)
        return self;
    RowVector sizes(2);
    sizes(0) = double(wanted(0)), sizes(1) = double(wanted(1));
    return composed("assign", ovl(self, value, sizes).append(args));
}

/* Functions that keep 0; others are computed of all elements. */
octave_value ov_sparse::map(unary_mapper_t function) const
{
    const octave_value a(clone()), zero = cast(upload("map", 0.0), parts[2].dtype);
    if (as_lunarray(as_lunarray(zero).map(function)).nnz())
        return composed("map", ovl(a, get_umap_name(function)));
    return with_values(a, as_lunarray(part(a, 2)).map(function));
}

octave_value ov_sparse::reshape(const dim_vector &dims) const
{
    if (dims.ndims() > 2)
        refuse("reshape");
    RowVector sizes(2);
    sizes(0) = double(dims(0)), sizes(1) = double(dims(1));
    return composed("reshape", ovl(octave_value(clone()), sizes));
}

octave_value ov_sparse::permute(const Array<int> &order, bool) const
{
    const octave_value a(clone());
    if (order.numel() != 2)
        refuse("permute");
    return order(0) == 0 ? a : row_of_core("t", ovl(a));
}

/* Are all elements, of which there is one, other than 0? */
bool ov_sparse::is_true() const { return dims().numel() > 0 && nnz() == dims().numel(); }

octave_value ov_sparse::as_double() const { return numeric(octave_value(clone())); }

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
    if (args.length() == 2 && args(0).numel() == 1 && args(1).numel() == 1) /* sizes alone */
        return done_here(name, args, 1);
    if (args.length() != 3 && args.length() != 5)
        invalid_call(name);
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

/* Of Octave's own sparse arrays those whose function with an array on the device is sparse. */
bool is_of_sparse(const std::string &name, const octave_value &value)
{
    return is_sparse(value) || (value.issparse() && (name == "rem" || name == "mod" || name == "hypot"));
}

octave_value_list of_sparse(const std::string &name, const octave_value_list &args, int nargout)
{
    if (name == "sum" && is_sparse(args(0)) && args.length() < 3)
        return ovl(sum(args));
    if (name == "sparse" && is_sparse(args(0)) && args.length() == 1)
        return args;
    return octave::feval("__of_sparse__", ovl(name).append(args), std::max(nargout, 1));
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
