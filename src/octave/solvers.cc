/* Iterative solvers: pcg, gmres and bicgstab, whose functions in octave/inst read the arguments as Octave's own do. */
#include "sparse.h"

/* A matrix as core has it, in that dtype; a function as it is. */
static octave_value system_of(const char *name, const octave_value &a, lun_dtype dtype)
{
    if (a.is_function_handle())
        return a;
    const octave_value there = a.issparse() && !is_sparse(a) ? upload_sparse(a) : a;
    return is_sparse(there) ? sparse_cast(there, dtype) : transposed_view(cast(upload(name, there), dtype));
}

/* Triangles, {"lower", L, ...}, or a function; nothing where there is none. */
static octave_value preconditioner_of(const char *name, const octave_value &m, lun_dtype dtype)
{
    if (!m.iscell())
        return m;
    Cell parts = m.cell_value();
    for (octave_idx_type i = 1; i < parts.numel(); i += 2)
        parts(i) = system_of(name, parts(i), dtype);
    return octave_value(parts);
}

DEFUN_DLD(__lun_solver__, args, ,
          "[x, converged, steps, residual, history] = __lun_solver__ (method, name, A, b, M, x0, {option, value, ...})")
{
    const std::string method = args(0).string_value(), says = args(1).string_value();
    const char *name = says.c_str();
    const octave_value a = args(2), b = upload(name, args(3));
    const Cell more = args(6).cell_value();
    lun_dtype dtype = as_lunarray(b).a.dtype;
    if (!a.is_function_handle()) /* sparse ones are double, as Octave's own */
        dtype = joined(name, dtype,
                       is_sparse(a)   ? as_sparse(a).parts[2].dtype
                       : a.issparse() ? (a.iscomplex() ? LUN_c128 : LUN_f64)
                                      : as_lunarray(upload(name, a)).a.dtype);
    if (lun_dtype_has(dtype, LUN_WHOLE))
        dtype = LUN_f64;
    octave_value_list options;
    for (octave_idx_type i = 0; i < more.numel(); i++)
        options.append(more(i));
    if (!args(4).isempty())
        options = options.append(ovl("preconditioner", preconditioner_of(name, args(4), dtype)));
    if (!args(5).isempty())
        options = options.append(ovl("x", listed(cast(upload(name, args(5)), dtype))));
    octave_value_list found =
        operate(method.c_str(), LUN_OF_MODULE, ovl(system_of(name, a, dtype), listed(cast(b, dtype))), options, name);
    found(0) = shaped(name, found(0), dim_vector(found(0).numel(), 1));
    return found;
}

DEFUN_DLD(__lun_triangle__, args, ,
          "name = __lun_triangle__ (S): \"lower\", \"upper\", or \"\" of a sparse array that is not triangular")
{
    const octave_value a = args(0).issparse() && !is_sparse(args(0)) ? upload_sparse(args(0)) : args(0);
    return ovl(is_sparse(a) ? triangle_of(a) : "");
}
