/* The functions that Octave's users and the package's methods call. */
#include "api/reductions.h"
#include "sparse.h"

#include <octave/interpreter.h>

static void install(octave::interpreter &interpreter)
{
    static bool done = false;
    if (done)
        return;
    interpreter.mlock(); /* values point into this file */
    octave::type_info &types = interpreter.get_type_info();
    ov_lunarray::register_type(types);
    install_operators(types);
    install_sparse(types, ov_lunarray::static_type_id());
    install_replaced(interpreter);
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
    if (args(0).issparse() && args.length() == 1)
        return ovl(is_sparse(args(0)) ? args(0) : upload_sparse(args(0)));
    if (args(0).is_string())
        error_with_id("lunarray:class", "lunarray: there are no texts on the device; double (x) has their codes");
    octave_value value = upload("lunarray", args(0));
    lun_dtype dtype;
    if (args.length() == 1)
        return ovl(value);
    const std::string name = text_of(args(1), "lunarray: CLASS must be a string");
    if (!dtype_of_class(&dtype, name))
        error_with_id("lunarray:class", "lunarray: there is no class %s on the device", name.c_str());
    return ovl(cast(value, dtype));
}

DEFUN_DLD(gather, args, ,
          "-*- texinfo -*-\n"
          "@deftypefn {} {@var{a} =} gather (@var{x})\n"
          "An Octave array with the elements of @var{x}.  Waits until they are computed.\n"
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
    return ovl(is_lunarray(args(0)) ? gather(as_lunarray(args(0)))
               : is_sparse(args(0)) ? gather_sparse(args(0))
                                    : args(0));
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
    return ovl(is_lunarray(args(0)) || is_sparse(args(0)));
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
    const lun_array *a = is_lunarray(args(0)) ? &as_lunarray(args(0)).a
                         : is_sparse(args(0)) ? &as_sparse(args(0)).parts[2]
                                              : nullptr;
    return ovl(a ? std::string(class_of(a->dtype)) : args(0).class_name());
}

/* ---- for the package's methods that are made of several operations ----------------------------------------------------------- */

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

DEFUN_DLD(__lun_find__, args, , "i = __lun_find__ (x): the positions of the nonzero elements, in a column or a row")
{
    const octave_value x = args(0);
    const dim_vector dims = x.dims();
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

DEFUN_DLD(__lun_triplets__, args, ,
          "[i, j, v] = __lun_triplets__ (s): the elements of a sparse array, column by column")
{
    const octave_value turned = row_of_core("t", ovl(args(0)));
    const auto column = [](const octave_value &x) { return shaped("find", x, dim_vector(x.numel(), 1)); };
    const auto places = [&](const octave_value &x) { return column(cast(x, LUN_f64)); };
    return ovl(places(part(turned, 1)), places(row_of_core("rows", ovl(turned))), column(part(turned, 2)));
}

DEFUN_DLD(__lun_typecast__, args, ,
          "y = __lun_typecast__ (x, class): the bytes of a vector as elements of another class")
{
    const std::string name = args(1).string_value();
    const size_t space = name.find(" complex");
    lun_dtype dtype;
    if (!dtype_of_class(&dtype, name.substr(0, space)) ||
        (space != std::string::npos && dtype != LUN_f32 && dtype != LUN_f64))
        error_with_id("lunarray:class", "typecast: cannot convert to %s class", name.c_str());
    if (space != std::string::npos)
        dtype = dtype == LUN_f32 ? LUN_c64 : LUN_c128;
    const lun_array *from = &as_lunarray(args(0)).a;
    const size_t all = lun_array_bytes(from), each = lun_dtype_bytes(dtype), whole[] = {from->size};
    if (all % each)
        error_with_id("lunarray:misuse",
                      "typecast: incorrect number of input values to make output value: %zu bytes, elements of %zu",
                      all, each);
    lun_array *out, *shown;
    const octave_value flat = shaped("typecast", args(0), 1, whole);
    const octave_value copy = make("typecast", from->dtype, 1, whole, &out); /* which begins where its memory does */
    if (from->size)
        enqueue("typecast",
                [&](lun_attempt *t) { return lun_array_copy(out, &as_lunarray(flat).a, nullptr, &t->err); });
    const octave_value value = fresh(&shown);
    call_core("typecast", [&](lun_error *e) { return lun_array_view(shown, out, e); });
    shown->dtype = dtype, shown->size = shown->shape[0] = all / each;
    return ovl(
        shaped("typecast", value, args(0).rows() == 1 ? dim_vector(1, value.numel()) : dim_vector(value.numel(), 1)));
}

DEFUN_DLD(__lun_factor__, args, , "L = __lun_factor__ (name, A): core's incomplete factors of a sparse array, in one")
{
    const octave_value &a = args(1);
    const std::string name = args(0).string_value();
    const lun_dtype dtype = a.iscomplex() ? LUN_c128 : LUN_f64;
    return ovl(row_of_core(name.c_str(), ovl(sparse_cast(a, dtype))));
}

DEFUN_DLD(__lun_pages__, args, , "C = __lun_pages__ (A, B): products of matrices along further dimensions")
{
    return ovl(product_of_pages("pagemtimes", args(0), args(1)));
}

DEFUN_DLD(__lun_add_at__, args, ,
          "y = __lun_add_at__ (x, positions, values): x, which no other variable shares, with values added")
{
    const octave_value x = args(0), at = cast(args(1), LUN_i64);
    const size_t n[] = {size_t(x.numel())}, k[] = {size_t(at.numel())};
    const octave_value whole = shaped("accumarray", x, 1, n), index = shaped("accumarray", at, 1, k),
                       each = shaped("accumarray", args(2), 1, k);
    const lun_values values = {&as_lunarray(each).a, lun_integer(0)};
    enqueue("accumarray", [&](lun_attempt *t) {
        return lun_combine_at(&as_lunarray(whole).a, &as_lunarray(index).a, &values, LUN_REDUCE_sum, nullptr, &t->err);
    });
    return ovl(x);
}

DEFMETHOD_DLD(__lun_install__, interpreter, , , "Makes the class known, so that load finds it.")
{
    install(interpreter);
    return ovl();
}

DEFMETHOD_DLD(__lun_arrayfun__, interpreter, args, nargout, "[y, ...] = __lun_arrayfun__ (f, x, ...)")
{
    if (has_no_elements(args))
        return made_by_octave("arrayfun", args, nargout);
    return traced_call(interpreter, args(0), args.slice(1, args.length() - 1), nargout);
}

DEFUN_DLD(__lun_look__, args, ,
          "x = __lun_look__ (name, x): waits for x, and raises what the function of that name raises")
{
    look(args(0).string_value().c_str(), args(1));
    return ovl(args(1));
}
