/* The functions that Octave's users and the package's methods call. */
#include "host.h"

#include <octave/interpreter.h>

#include <cmath>

static void install(octave::interpreter &interpreter)
{
    static bool done = false;
    if (done)
        return;
    interpreter.mlock(); /* values point into this file */
    octave::type_info &types = interpreter.get_type_info();
    ov_lunarray::register_type(types);
    install_operators(types);
    done = true;
}

DEFMETHOD_DLD(
    lunarray, interpreter, args, ,
    "-*- texinfo -*-\n"
    "@deftypefn {} {@var{x} =} lunarray (@var{a})\n"
    "@deftypefnx {} {@var{x} =} lunarray (@var{a}, @var{class})\n"
    "A copy of the numeric or logical array @var{a} in the memory of an OpenCL device, where it is computed with.\n"
    "\n"
    "@example\n"
    "x = lunarray ([1 2; 3 4]);\n"
    "gather (sum (x .* x))\n"
    "    @result{} 10 20\n"
    "@end example\n"
    "@seealso{gather, gpuDevice}\n"
    "@end deftypefn")
{
    if (args.length() < 1 || args.length() > 2)
        print_usage();
    install(interpreter);
    octave_value value = upload("lunarray", args(0));
    lun_dtype dtype;
    if (args.length() == 1)
        return ovl(value);
    const std::string name = args(1).xstring_value("lunarray: CLASS must be a string");
    if (!dtype_of_class(&dtype, name))
        error_with_id("lunarray:class", "lunarray: there is no class %s on the device", name.c_str());
    return ovl(cast(value, dtype));
}

DEFUN_DLD(gather, args, ,
          "-*- texinfo -*-\n"
          "@deftypefn {} {@var{a} =} gather (@var{x})\n"
          "An Octave array of what @var{x} holds on the device.  Waits until it is computed.\n"
          "\n"
          "@example\n"
          "gather (lunarray (1:3) + 1)\n"
          "    @result{} 2 3 4\n"
          "@end example\n"
          "@seealso{lunarray}\n"
          "@end deftypefn")
{
    if (args.length() != 1)
        print_usage();
    return ovl(is_lunarray(args(0)) ? gather(as_lunarray(args(0))) : args(0));
}

DEFUN_DLD(isgpuarray, args, ,
          "-*- texinfo -*-\n"
          "@deftypefn {} {@var{t} =} isgpuarray (@var{x})\n"
          "Is @var{x} an array on a device?\n"
          "\n"
          "@example\n"
          "isgpuarray (lunarray (1))\n"
          "    @result{} 1\n"
          "@end example\n"
          "@end deftypefn")
{
    if (args.length() != 1)
        print_usage();
    return ovl(is_lunarray(args(0)));
}

DEFUN_DLD(underlyingType, args, ,
          "-*- texinfo -*-\n"
          "@deftypefn {} {@var{name} =} underlyingType (@var{x})\n"
          "The class of the elements of @var{x}, which @code{gather (@var{x})} has.\n"
          "\n"
          "@example\n"
          "underlyingType (lunarray (single (1)))\n"
          "    @result{} single\n"
          "@end example\n"
          "@end deftypefn")
{
    if (args.length() != 1)
        print_usage();
    return ovl(is_lunarray(args(0)) ? std::string(class_of(as_lunarray(args(0)).a.dtype)) : args(0).class_name());
}

/* ---- for the package's methods ------------------------------------------------------------------------------------------ */

static const ov_lunarray &own(const char *name, const octave_value &value)
{
    if (!is_lunarray(value))
        error_with_id("lunarray:misuse", "%s: a lunarray is wanted, got a %s", name, value.class_name().c_str());
    return as_lunarray(value);
}

/* The dimension that Octave means, from 0: the first that is not 1. */
static int dimension(const char *name, const octave_value_list &args, int at, const dim_vector &dims)
{
    if (args.length() <= at || args(at).isempty())
        return dims.first_non_singleton();
    const int dim = args(at).int_value() - 1;
    if (dim < 0 || dim >= LUN_MAX_AXES)
        error_with_id("lunarray:misuse", "%s: DIM must be a dimension, 1 to %d", name, LUN_MAX_AXES);
    return dim;
}

/* The array with at least so many dimensions, in core's axes. */
static octave_value deep(const char *name, const octave_value &x, int dims)
{
    const lun_array *a = &as_lunarray(x).a;
    size_t shape[LUN_MAX_AXES];
    if (a->ndim >= dims)
        return x;
    for (int i = 0; i < dims; i++)
        shape[dims - 1 - i] = i < a->ndim ? a->shape[a->ndim - 1 - i] : 1;
    return shaped(name, x, dims, shape);
}

static octave_value flat(const char *name, const octave_value &x) { return shaped(name, x, x.dims()); }

/* The class of what a reduction gives: Octave counts in doubles, and picks within the class. */
static octave_value in_class(const std::string &op, const octave_value &y, const octave_value &x)
{
    const lun_dtype dtype = as_lunarray(y).a.dtype;
    if (op == "median" && lun_dtype_has(as_lunarray(x).a.dtype, LUN_WHOLE))
        return cast(y, as_lunarray(x).a.dtype);
    const bool picks = op == "nanmax" || op == "nanmin";
    return !picks && dtype != LUN_bool && lun_dtype_has(dtype, LUN_WHOLE) ? cast(y, LUN_f64) : y;
}

/* What Octave gives where the dimension has no elements and core has no identity: NaN, or nothing at all. */
static octave_value of_nothing(const std::string &op, const octave_value &x, const dim_vector &given, int dim)
{
    const char *name = op.c_str();
    const lun_dtype own_dtype = as_lunarray(x).a.dtype;
    const bool extreme = op == "nanmax" || op == "nanmin", position = op == "nanargmax" || op == "nanargmin";
    dim_vector dims = given;
    if (dim < dims.ndims())
        dims(dim) = extreme || position ? 0 : 1;
    if (extreme || position)
        return cast(shaped(name, x, dims), position ? LUN_f64 : own_dtype);
    size_t shape[LUN_MAX_AXES];
    lun_array *out;
    const int n = core_shape(shape, dims);
    octave_value value = make(name, own_dtype == LUN_f32 && op == "mean" ? LUN_f32 : LUN_f64, n, shape, &out);
    if (out->size)
        enqueue(name, [&](lun_attempt *t) { return lun_array_fill(out, lun_real(NAN), nullptr, &t->err); });
    return value;
}

DEFUN_DLD(__lun_reduce__, args, , "y = __lun_reduce__ (op, x, dim, ddof)")
{
    const std::string op = args(0).string_value();
    const char *name = op.c_str();
    octave_value x = args(1);
    dim_vector dims = own(name, x).dims();
    const bool picks = op == "nanmax" || op == "nanmin" || op == "nanargmax" || op == "nanargmin";
    const bool counts = op == "sum" || op == "prod" || op == "any" || op == "all" || op == "sumsq";
    if (dims.zero_by_zero() && !picks)
        x = shaped(name, x, dim_vector(0, 1)), dims = x.dims(); /* the sum of [] is 0 */
    const int dim = dimension(name, args, 2, dims);
    if (op == "any" && !lun_dtype_has(as_lunarray(x).a.dtype, LUN_WHOLE)) /* NaN is not true */
        x = binary(LUN_MAP_gt, unary(LUN_MAP_abs, x), 0.0);
    if (dim < dims.ndims() && dims(dim) == 0 && !counts)
        return ovl(of_nothing(op, x, dims, dim));
    x = deep(name, x, dim + 1);
    const lun_array *a = &as_lunarray(x).a;
    lun_reduction reduction{};
    call_core(name, [&](lun_error *e) { return lun_reduce_find(&reduction.op, name, e); });
    reduction.axis[a->ndim - 1 - dim] = true;
    reduction.base = 1;
    if (args.length() > 3)
        reduction.ddof = a->shape[a->ndim - 1 - dim] > 1 ? args(3).double_value() : 0;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *out;
    call_core(name, [&](lun_error *e) { return lun_reduce_result(&dtype, &ndim, shape, a, &reduction, true, e); });
    octave_value value = make(name, dtype, ndim, shape, &out);
    enqueue(name, [&](lun_attempt *t) { return lun_reduce(out, a, &reduction, nullptr, &t->err); });
    return ovl(in_class(op, flat(name, value), x));
}

/* Operations that go along a dimension and keep the shape: scans, sorting, transforms. */
DEFUN_DLD(__lun_along__, args, , "y = __lun_along__ (op, x, dim, option, value, ...)")
{
    const std::string op = args(0).string_value();
    const char *name = op.c_str();
    octave_value x = args(1);
    const int dim = dimension(name, args, 2, own(name, x).dims());
    x = deep(name, x, dim + 1);
    octave_value_list options = ovl("axis", double(dim + 1));
    for (int i = 3; i < args.length(); i++)
        options.append(args(i));
    octave_value y = operate(name, LUN_OF_ARRAY, ovl(x), options)(0);
    const lun_dtype dtype = as_lunarray(y).a.dtype;
    const bool counts = op != "sort" && op != "flip";
    if (counts && dtype != LUN_bool && lun_dtype_has(dtype, LUN_WHOLE))
        y = cast(y, LUN_f64);
    return ovl(flat(name, y));
}

DEFUN_DLD(__lun_call__, args, nargout, "[y, ...] = __lun_call__ (op, {arguments}, {option, value, ...})")
{
    const std::string op = args(0).string_value();
    const Cell given = args(1).cell_value(), named = args.length() > 2 ? args(2).cell_value() : Cell();
    octave_value_list arguments, options;
    for (octave_idx_type i = 0; i < given.numel(); i++)
        arguments.append(given(i));
    for (octave_idx_type i = 0; i < named.numel(); i++)
        options.append(named(i));
    (void)nargout;
    return operate(op.c_str(), LUN_OF_ARRAY, arguments, options);
}

DEFUN_DLD(__lun_two__, args, , "y = __lun_two__ (op, x, y): max, min, mod, rem, atan2, hypot, power")
{
    const std::string op = args(0).string_value();
    if (op == "max" || op == "min")
        return ovl(extreme_of_two(op == "min", args(1), args(2)));
    if (op == "mod" || op == "rem")
        return ovl(remainder_of(op == "mod", args(1), args(2)));
    lun_map_op map;
    call_core(op.c_str(), [&](lun_error *e) { return lun_map_find(&map, op.c_str(), e); });
    return ovl(binary(map, args(1), args(2)));
}

DEFUN_DLD(__lun_full__, args, , "y = __lun_full__ (value, dims, class)")
{
    const RowVector sizes(args(1).vector_value());
    dim_vector dims(1, 1);
    dims.resize(int(sizes.numel()), 1);
    for (octave_idx_type i = 0; i < sizes.numel(); i++)
        dims(int(i)) = octave_idx_type(sizes(i) > 0 ? sizes(i) : 0);
    lun_dtype dtype;
    size_t shape[LUN_MAX_AXES];
    lun_array *out;
    if (!dtype_of_class(&dtype, args(2).string_value()))
        error_with_id("lunarray:class", "lunarray: there is no class %s on the device", args(2).string_value().c_str());
    const int n = core_shape(shape, dims);
    octave_value value = make("lunarray", dtype, n, shape, &out);
    if (out->size)
        enqueue("lunarray", [&](lun_attempt *t) {
            return lun_array_fill(out, lun_real(args(0).double_value()), nullptr, &t->err);
        });
    return ovl(value);
}

DEFUN_DLD(__lun_find__, args, , "i = __lun_find__ (x): the positions of what is not 0, in a column or a row")
{
    const octave_value x = args(0);
    const dim_vector dims = own("find", x).dims();
    const size_t n[] = {size_t(x.numel())};
    const octave_value found = operate("nonzero", LUN_OF_ARRAY, ovl(shaped("find", x, 1, n)), ovl())(0);
    const octave_idx_type count = found.numel();
    dim_vector result(count, 1);
    if ((dims.numel() == 1 && count == 0) || (dims(0) == 0 && dims.numel(1) == 0))
        result = dim_vector(0, 0);
    else if (dims.ndims() == 2 && dims(0) == 1)
        result = dim_vector(1, count);
    return ovl(shaped("find", cast(found, LUN_f64), result));
}

DEFUN_DLD(__lun_cast__, args, , "y = __lun_cast__ (x, class)")
{
    lun_dtype dtype;
    if (!dtype_of_class(&dtype, args(1).string_value()))
        error_with_id("lunarray:class", "lunarray: there is no class %s on the device", args(1).string_value().c_str());
    return ovl(cast(args(0), dtype));
}
