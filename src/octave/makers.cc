/* Arrays made of sizes, of one value, of ones on a diagonal, or drawn at random; and of arrays beside each other. */
#include "host.h"

#include <octave/parse.h>
#include <octave/utils.h>

#include <octave/oct-rand.h> /* after parse.h, or its class hides stdlib's function there */

#include <cmath>
#include <cstring>

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

/* Of a vector a matrix with it on a diagonal, of a matrix a diagonal in a column. */
octave_value ov_lunarray::diag(octave_idx_type k) const
{
    const dim_vector all = dims();
    const size_t n[] = {a.size};
    if (all.ndims() > 2)
        error_with_id("lunarray:badshape", "diag: a vector or a matrix is needed, got %s", all.str().c_str());
    if (all.zero_by_zero())
        return clone();
    const octave_value x = all.isvector() ? shaped("diag", clone(), 1, n) : clone();
    const octave_value y = operate("diag", LUN_OF_ARRAY, ovl(x, double(k)), ovl())(0);
    return all.isvector() ? y : shaped("diag", y, dim_vector(y.numel(), 1));
}

octave_value ov_lunarray::diag(octave_idx_type m, octave_idx_type n) const
{
    if (!dims().isvector())
        error("diag: V must be a vector");
    return as_lunarray(diag(0)).resize(dim_vector(m, n));
}

/* The sizes before "like", by Octave's rules. */
static dim_vector sizes_of(const char *name, const octave_value_list &args, int n)
{
    dim_vector dims(1, 1);
    if (n == 1)
        octave::get_dimensions(args(0), name, dims);
    else if (n > 1) {
        dims.resize(n);
        for (int i = 0; i < n; i++)
            dims(i) = args(i).isempty()
                          ? 0
                          : args(i).xidx_type_value("%s: dimension arguments must be scalar integers", name);
    }
    dims.chop_trailing_singletons();
    octave::check_dimensions(dims, name);
    return dims;
}

/* What Octave's own function gives one of, of the class of an array, or what it says of that class. */
static double one_of(const char *name, lun_dtype dtype)
{
    const octave_value kind = lun_dtype_has(dtype, LUN_WHOLE) && dtype != LUN_bool
                                  ? octave::feval(class_of(dtype), ovl(1.0), 1)(0)
                              : dtype == LUN_bool                ? octave_value(true)
                              : lun_dtype_part(dtype) == LUN_f32 ? octave_value(1.0f)
                                                                 : octave_value(1.0);
    return octave::feval(name, ovl(1.0, 1.0, "like", kind), 1)(0).double_value();
}

/* Octave's functions of random numbers, the methods of streams by which they go, and the option that their first argument is. */
static const struct drawing {
    const char *name, *method, *parameter;
} drawings[] = {{"rand", "uniform", nullptr},
                {"randn", "normal", nullptr},
                {"rande", "exponential", nullptr},
                {"randg", "gamma", "alpha"},
                {"randp", "poisson", "lambda"}};

static const drawing *find_drawing(const char *name)
{
    for (const drawing &d : drawings)
        if (std::strcmp(d.name, name) == 0)
            return &d;
    return nullptr;
}

/* The numbers of a new stream, whose seed rand ("twister", k) repeats. */
static octave_value drawn(const drawing &d, const octave_value &parameter, const Matrix &sizes, lun_dtype dtype)
{
    if (lun_dtype_has(dtype, LUN_WHOLE))
        error_with_id("lunarray:class", "%s: there are none of class %s; double and single arrays are needed", d.name,
                      class_of(dtype));
    the_stream() = lun_rng{};
    the_stream().seed = uint64_t(std::floor(std::ldexp(octave::rand::scalar(), 53)));
    octave_value_list options;
    if (d.parameter)
        options =
            ovl(d.parameter, parameter.numel() == 1 && !is_lunarray(parameter) ? parameter : upload(d.name, parameter));
    const bool counts = std::strcmp(d.method, "poisson") == 0;
    if (!counts)
        options = options.append(ovl("dtype", lun_dtype_name(dtype)));
    const octave_value y = operate(d.method, LUN_OF_STREAM, ovl(sizes), options, d.name)(0);
    look(d.name, y);
    return shaped(d.name, counts ? cast(y, dtype) : y, as_lunarray(y).dims());
}

/* Sizes, which are looked at where they are on the device, and where the array is to be there "like" and an array. */
octave_value_list filled(const char *name, const octave_value_list &given, int nargout)
{
    octave_value_list args(given);
    const drawing *draws = find_drawing(name);
    const int first = draws && draws->parameter, n = args.length();
    const bool like =
        n > 1 && args(n - 2).is_string() && args(n - 2).string_value() == "like" && is_lunarray(args(n - 1));
    const bool there = like || (first && is_lunarray(args(0)));
    for (int i = there ? first : 0; i < n - like; i++)
        args(i) = is_lunarray(args(i)) ? gather(as_lunarray(args(i))) : args(i);
    if (!there && n > 0 && args(0).is_string()) { /* rand ("state", x) has no result */
        octave::feval(name, args, 0);
        return ovl(Matrix());
    }
    if (!there)
        return octave::feval(name, args, nargout);
    const std::string kind = there && !like && n > 1 && args(n - 1).is_string() ? args(n - 1).string_value() : "";
    if (!kind.empty() && kind != "single" && kind != "double")
        error_with_id("lunarray:misuse", "%s: unrecognized class %s", name, kind.c_str());
    const int sizes = n - first - 2 * like - !kind.empty();
    const std::string what = name;
    if (sizes < 0 || (what == "eye" && n > 4))
        invalid_call(name);
    const dim_vector dims = first && sizes == 0 ? args(0).dims() : sizes_of(name, args.slice(first, sizes), sizes);
    const lun_dtype dtype = like ? as_lunarray(args(n - 1)).a.dtype : kind == "single" ? LUN_f32 : LUN_f64;
    if (what == "eye" && dims.ndims() == 2 && !dims.any_zero())
        return ovl(operate("eye", LUN_OF_DEVICE, ovl(double(dims(0)), double(dims(1))),
                           ovl("dtype", lun_dtype_name(dtype)))(0));
    if (what == "eye")
        return ovl(full(name, 0, dtype, dim_vector(dims(0), dims(1))));
    if (!draws)
        return ovl(full(name, one_of(name, dtype), dtype, dims));
    Matrix shape(1, dims.ndims());
    for (int i = 0; i < dims.ndims(); i++)
        shape(i) = double(dims(i));
    return ovl(drawn(*draws, args(0), shape, dtype));
}

/* intmax (x) and its like: of the class of the elements. */
octave_value_list bound_of_class(const char *name, const octave_value_list &args, int nargout)
{
    if (args.length() != 1)
        invalid_call(name);
    return octave::feval(name, ovl(class_of(as_lunarray(args(0)).a.dtype)), nargout);
}

/* ---- joining ------------------------------------------------------------------------------------------------------- */

/* horzcat, vertcat, and cat, whose first argument is the dimension. */
octave_value_list joined_along(const char *name, const octave_value_list &args, int)
{
    const bool any = std::string(name) == "cat";
    if (args.length() < (any ? 2 : 1))
        invalid_call(name);
    const int dim = any ? dimension(name, args(0), dim_vector()) : std::string(name) == "horzcat" ? 1 : 0;
    octave_value_list parts;
    dim_vector dims;
    lun_dtype dtype = LUN_bool;
    for (int i = any; i < args.length(); i++) {
        if (args(i).iscell())
            return with_cells(name, args, any);
        if (args(i).is_string()) /* a text, as of codes of characters */
            return done_here(name, args, 1);
        const dim_vector before = dims, next = args(i).dims();
        if (!next.zero_by_zero() && !(any ? dims.concat(next, dim) : dims.hvcat(next, dim)))
            error_with_id("Octave:nonconformant-args", "%s: dimensions mismatch (%s vs %s)", name, before.str().c_str(),
                          next.str().c_str());
        const octave_value part = upload(name, args(i));
        dtype = i == any ? as_lunarray(part).a.dtype : class_of_both(name, dtype, as_lunarray(part).a.dtype);
        parts.append(part);
    }
    size_t shape[LUN_MAX_AXES];
    lun_array *out;
    const int n = core_shape(shape, dims);
    octave_value all = make(name, dtype, n, shape, &out);
    octave_value_list index(std::max(int(dims.ndims()), dim + 1), octave_value::magic_colon_t);
    octave_idx_type from = 0;
    for (int i = 0; i < parts.length(); i++) {
        const octave_idx_type count = dim < parts(i).ndims() ? parts(i).dims()(dim) : 1;
        if (parts(i).isempty())
            continue;
        index(dim) = octave::range<double>(double(from) + 1, 1, double(from + count));
        all = with_assigned(all, index, parts(i));
        from += count;
    }
    return ovl(all);
}
