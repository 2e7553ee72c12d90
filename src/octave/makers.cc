/* Arrays made of sizes: of one value, of ones on a diagonal, or drawn at random. */
#include "host.h"

#include <octave/oct-rand.h>

#include <cmath>

octave_value full(const char *name, double value, lun_dtype dtype, const dim_vector &dims)
{
    size_t shape[LUN_MAX_AXES];
    lun_array *out;
    const int n = core_shape(shape, dims);
    octave_value made = make(name, dtype, n, shape, &out);
    if (out->size)
        enqueue(name, [&](lun_attempt *t) { return lun_array_fill(out, lun_real(value), nullptr, &t->err); });
    return made;
}

/* Sizes, "like", an array. */
octave_value_list filled(const char *name, const octave_value_list &args, int)
{
    const int n = args.length();
    if (n < 2 || !args(n - 2).is_string() || args(n - 2).string_value() != "like" || !is_lunarray(args(n - 1)))
        error_with_id("lunarray:misuse", "%s: sizes, \"like\" and a lunarray are wanted", name);
    RowVector sizes(n > 3 ? n - 2 : 2, 1);
    for (int i = 0; i < n - 2; i++)
        if (n == 3 && args(0).numel() > 1)
            sizes = RowVector(args(0).vector_value());
        else if (n == 3)
            sizes.fill(args(0).double_value());
        else
            sizes(i) = args(i).double_value();
    dim_vector dims(1, 1);
    dims.resize(int(sizes.numel()), 1);
    for (octave_idx_type i = 0; i < sizes.numel(); i++)
        dims(int(i)) = octave_idx_type(sizes(i) > 0 ? sizes(i) : 0);
    const lun_dtype dtype = as_lunarray(args(n - 1)).a.dtype;
    const std::string what = name;
    if (what == "zeros" || what == "ones")
        return ovl(full(name, what == "ones", dtype, dims));
    if (what == "eye" && dims.ndims() == 2 && !dims.any_zero())
        return ovl(operate("eye", LUN_OF_DEVICE, ovl(double(dims(0)), double(dims(1))),
                           ovl("dtype", lun_dtype_name(dtype)))(0));
    if (what == "eye")
        return ovl(full(name, 0, dtype, dim_vector(dims(0), dims(1))));
    if (lun_dtype_has(dtype, LUN_WHOLE))
        error_with_id("lunarray:class", "%s: there are none of class %s; double and single arrays are wanted", name,
                      class_of(dtype));
    if (what == "Inf" || what == "NaN")
        return ovl(full(name, what == "Inf" ? INFINITY : NAN, dtype, dims));
    Matrix shape(1, dims.ndims());
    for (int i = 0; i < dims.ndims(); i++)
        shape(i) = double(dims(i));
    if (dims.any_zero())
        return ovl(full(name, 0, dtype, dims));
    const double seed = std::floor(std::ldexp(octave::rand::scalar(), 53)); /* which rand ("twister", k) repeats */
    return ovl(operate(what == "rand" ? "random" : "normal", LUN_OF_DEVICE, ovl(shape),
                       ovl("dtype", lun_dtype_name(dtype), "seed", seed))(0));
}
