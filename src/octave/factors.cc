/* Matrices divided by, inverted and factorised. What depends on their values, an error or a warning, comes where the call is, as
 * Octave has it: each of these waits. */
#include "api/functions.h"
#include "sparse.h"

#include <octave/errwarn.h>
#include <octave/lo-array-errwarn.h>

#include <cctype>
#include <cmath>

namespace
{

double number_of(const octave_value &x) { return (is_lunarray(x) ? gather(as_lunarray(x)) : x).double_value(); }

/* Divided by more than once: the factors of a square matrix, and the reciprocal of its condition, 0 where it is NaN. */
struct factors {
    octave_value both, order, norm;
    double rcond = 1;

    explicit factors(const octave_value &a)
    {
        if (a.isempty())
            return;
        const octave_value_list made = operate("lu_factor", LUN_OF_ARRAY, ovl(a), ovl());
        const auto along = [](const char *op, const octave_value &x, double axis) {
            return operate(op, LUN_OF_ARRAY, ovl(x), ovl("axis", axis, "keepdims", true))(0);
        };
        norm = along("max", along("sum", unary(LUN_MAP_abs, a), 1), 2);
        both = made(0), order = made(1);
        rcond =
            number_of(operate("lu_rcond", LUN_OF_ARRAY, ovl(both, order, shaped("rcond", norm, 0, nullptr)), ovl())(0));
        if (!(rcond > 0))
            rcond = 0;
    }
    octave_value solve(const octave_value &b) const
    {
        return operate("lu_solve", LUN_OF_ARRAY, ovl(both, order, b), ovl())(0);
    }
};

bool is_single(const octave_value &a) { return lun_dtype_part(as_lunarray(a).a.dtype) == LUN_f32; }

/* Is one added to it still one? */
bool is_lost(double rcond, const octave_value &a)
{
    return is_single(a) ? float(rcond) + 1.0f == 1.0f : rcond + 1.0 == 1.0;
}

/* The matrix in doubles where it is of integers, with two axes in core. */
octave_value matrix(const char *name, const octave_value &x)
{
    if (!is_lunarray(x))
        error_with_id("lunarray:misuse", "%s: a lunarray is needed, got a %s", name, x.class_name().c_str());
    if (x.ndims() > 2)
        error_with_id("lunarray:badshape", "%s: a matrix is needed, got %s", name, x.dims().str().c_str());
    const octave_value a = as_lunarray(x).a.ndim == 2 ? x : as_lunarray(x).reshape(x.dims());
    return lun_dtype_has(as_lunarray(a).a.dtype, LUN_WHOLE) ? cast(a, LUN_f64) : a;
}

octave_value square(const char *name, const octave_value &x)
{
    if (x.rows() != x.columns())
        error_with_id("lunarray:badshape", "%s: A must be a square matrix, got %s", name, x.dims().str().c_str());
    return matrix(name, x);
}

bool is_triangle(const octave_value &a)
{
    const octave_idx_type n = a.nnz();
    return operate("tril", LUN_OF_ARRAY, ovl(a), ovl())(0).nnz() == n ||
           operate("triu", LUN_OF_ARRAY, ovl(a), ovl())(0).nnz() == n;
}

/* Of few rows, Octave's own LAPACK computes: the call waits for the condition in any case, and the estimate takes the device some
 * twenty launches, 4 to 10 times as long. */
constexpr octave_idx_type few = 200;

bool is_few(const octave_value &a) { return a.rows() <= few && a.columns() <= few; }

/* What Octave has computed; of complex numbers it may be real. */
octave_value sent_back(const octave_value &x, lun_dtype dtype) { return cast(upload("operator \\", x), dtype); }

/* A solution by Octave's own, and the condition, 0 where it finds none. */
template <typename M, typename R> octave_value solved_here(const M &a, const M &b, double *rcond)
{
    MatrixType type(a);
    octave_idx_type info;
    R condition = 0;
    const M x = a.solve(
        type, b, info, condition, [](R) {}, false);
    *rcond = info == -2 || !(condition > 0) ? 0 : double(condition);
    return octave_value(x);
}

octave_value solved_here(const octave_value &a, const octave_value &b, lun_dtype dtype, double *rcond)
{
    switch (dtype) {
    case LUN_f32:
        return solved_here<FloatMatrix, float>(a.float_matrix_value(), b.float_matrix_value(), rcond);
    case LUN_c64:
        return solved_here<FloatComplexMatrix, float>(a.float_complex_matrix_value(), b.float_complex_matrix_value(),
                                                      rcond);
    case LUN_c128:
        return solved_here<ComplexMatrix, double>(a.complex_matrix_value(), b.complex_matrix_value(), rcond);
    default:
        return solved_here<Matrix, double>(a.matrix_value(), b.matrix_value(), rcond);
    }
}

} // namespace

octave_value quotient_of_matrices(const octave_value &a, const octave_value &b)
{
    const auto least_squares = [&](const octave_value_list &options) {
        return operate("lstsq", LUN_OF_ARRAY, ovl(a, b), options)(0);
    };
    if (a.rows() != a.columns() || a.isempty() || b.isempty())
        return least_squares(ovl());
    const lun_dtype dtype = as_lunarray(a).a.dtype;
    if (is_few(a) && is_few(b)) {
        double rcond;
        const octave_value x = solved_here(gather(as_lunarray(a)), gather(as_lunarray(b)), dtype, &rcond);
        if (!is_lost(rcond, a))
            return sent_back(x, dtype);
    }
    const factors f(a);
    if (!is_lost(f.rcond, a))
        return f.solve(b);
    const bool finite = std::isfinite(number_of(f.norm));
    if (!finite && is_few(a) && is_few(b)) /* as LAPACK has it, whose releases differ */
        return sent_back(octave::binary_op(octave_value::op_ldiv, gather(as_lunarray(a)), gather(as_lunarray(b))),
                         dtype);
    octave::warn_singular_matrix(f.rcond);
    if (!finite)
        return full("operator \\", NAN, dtype, dim_vector(a.columns(), b.columns()));
    if (f.rcond > 0 && is_triangle(a))
        return f.solve(b);
    return least_squares(ovl("rcond", is_single(a) ? 0x1p-24 : 0x1p-53));
}

octave_value inverse_of(const octave_value &a, double *rcond)
{
    *rcond = 1;
    if (a.isempty())
        return a;
    if (is_few(a)) {
        const octave_value_list made = octave::feval("inv", ovl(gather(as_lunarray(a))), 2);
        *rcond = made(1).double_value();
        return made(0).iscomplex() || *rcond == 0 ? upload("inv", made(0)) : sent_back(made(0), as_lunarray(a).a.dtype);
    }
    const factors f(a);
    const lun_dtype dtype = as_lunarray(a).a.dtype;
    *rcond = f.rcond;
    if (f.rcond == 0)
        return full("inv", INFINITY, lun_dtype_part(dtype), a.dims());
    return f.solve(operate("eye", LUN_OF_DEVICE, ovl(double(a.rows())), ovl("dtype", lun_dtype_name(dtype)))(0));
}

octave_value_list inverted(const char *name, const octave_value_list &args, int nargout)
{
    if (args.length() != 1)
        invalid_call(name);
    const octave_value a = square(name, args(0));
    double rcond;
    if (a.numel() == 1 && nargout < 2 && !a.iscomplex()) /* of which Octave does not warn */
        return ovl(binary(LUN_MAP_div, 1.0, a));
    const octave_value b = inverse_of(a, &rcond);
    if (nargout < 2 && a.numel() > 1 && is_lost(rcond, a))
        octave::warn_singular_matrix(rcond);
    return ovl(b, is_single(a) ? octave_value(float(rcond)) : octave_value(rcond));
}

octave_value_list determinant(const char *name, const octave_value_list &args, int nargout)
{
    if (args.length() != 1)
        invalid_call(name);
    const octave_value a = square(name, args(0)), d = operate("det", LUN_OF_ARRAY, ovl(a), ovl(), name)(0);
    const octave_value there = upload(name, is_single(a) && !is_lunarray(d) ? d.as_single() : d);
    if (nargout < 2)
        return ovl(there);
    const double rcond = factors(a).rcond;
    return ovl(there, is_single(a) ? octave_value(float(rcond)) : octave_value(rcond));
}

octave_value_list triangle_of_squares(const char *name, const octave_value_list &args, int nargout)
{
    if (args.length() < 1 || args.length() > 2)
        invalid_call(name);
    if (is_sparse(args(0))) { /* by all elements */
        octave_value_list filled(args);
        filled(0) = composed("filled", ovl(args(0), name));
        octave_value_list made = triangle_of_squares(name, filled, nargout);
        made(0) = sparse_made("sparse", ovl(made(0)), 1)(0);
        return made.append(upload_sparse(octave::feval("speye", ovl(double(args(0).rows())), 1)(0)));
    }
    const octave_value a = square(name, args(0));
    std::string which = args.length() < 2 ? "upper" : text_of(args(1), "chol: \"upper\" or \"lower\" is needed");
    for (char &c : which)
        c = char(std::tolower(static_cast<unsigned char>(c)));
    if (which != "upper" && which != "lower")
        error_with_id("lunarray:function",
                      "%s: only \"upper\" and \"lower\" are supported on the device, not \"%s\"; gather (x) brings it "
                      "back",
                      name, which.c_str());
    const octave_value_list made =
        operate("cholesky", LUN_OF_ARRAY, ovl(a), ovl("upper", which == "upper", "info", true), name);
    const double bad = number_of(made(1));
    if (bad == 0)
        return ovl(made(0), 0.0);
    if (nargout < 2)
        error("chol: input matrix must be positive definite");
    octave_value_list index;
    index(0) = index(1) = octave::range<double>(1, 1, bad - 1);
    return ovl(octave_value(made(0)).index_op(index), bad);
}
