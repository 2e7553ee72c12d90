/* The methods of methods.def: Octave's arguments, classes and sizes of core's operations. */
#include "api/functions.h"
#include "api/reductions.h"
#include "extent.h"
#include "selector.h"
#include "sparse.h"

#include <octave/parse.h>

#include <cmath>
#include <cstring>

int dimension(const char *name, const octave_value &said, const dim_vector &dims)
{
    const octave_value given = brought(said);
    if (given.isempty())
        return dims.first_non_singleton();
    const double dim = given.is_real_scalar() ? given.double_value() : 0;
    if (dim != std::floor(dim) || dim < 1 || dim > LUN_MAX_AXES)
        error_with_id("lunarray:misuse", "%s: DIM must be a valid dimension, 1 to %d", name, LUN_MAX_AXES);
    return int(dim) - 1;
}

octave_value deep(const char *name, const octave_value &x, int dims)
{
    const lun_array *a = &as_lunarray(x).a;
    size_t shape[LUN_MAX_AXES];
    if (a->ndim >= dims)
        return x;
    for (int i = 0; i < dims; i++)
        shape[dims - 1 - i] = i < a->ndim ? a->shape[a->ndim - 1 - i] : 1;
    return shaped(name, x, dims, shape);
}
namespace
{

const ov_lunarray &own(const char *name, const octave_value &value)
{
    if (is_sparse(value))
        of_sparse(name, ovl(value));
    if (!is_lunarray(value))
        error_with_id("lunarray:misuse", "%s: a lunarray is needed, got a %s", name, value.class_name().c_str());
    return as_lunarray(value);
}

octave_value argument(const octave_value_list &args, int at) { return at < args.length() ? args(at) : Matrix(); }

void check_count(const char *name, const octave_value_list &args, int least, int most)
{
    if (args.length() < least || args.length() > most)
        invalid_call(name);
}

octave_value flat(const char *name, const octave_value &x) { return shaped(name, x, x.dims()); }

bool is_whole(const octave_value &x) { return lun_dtype_has(as_lunarray(x).a.dtype, LUN_WHOLE); }

octave_value chosen(const octave_value &m, const octave_value &a, const octave_value &b)
{
    return operate("where", LUN_OF_MODULE, ovl(m, a, b), ovl())(0);
}

/* ---- reductions ------------------------------------------------------------------------------------------------- */

octave_value reduce(const char *name, const std::string &op, octave_value x, const octave_value &along, double ddof = 0)
{
    const int dim = dimension(name, along, own(name, x).dims());
    if (op == "any" && !is_whole(x)) /* NaN is not true */
        x = binary(LUN_MAP_gt, unary(LUN_MAP_abs, x), 0.0);
    x = deep(name, x, dim + 1);
    const lun_array *a = &as_lunarray(x).a;
    lun_reduction reduction{};
    call_core(name, [&](lun_error *e) { return lun_reduce_find(&reduction.op, op.c_str(), e); });
    reduction.axis[a->ndim - 1 - dim] = true;
    reduction.base = 1;
    reduction.ddof = a->shape[a->ndim - 1 - dim] > 1 ? ddof : 0;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *out;
    call_core(name, [&](lun_error *e) { return lun_reduce_result(&dtype, &ndim, shape, a, &reduction, true, e); });
    octave_value value = make(name, dtype, ndim, shape, &out);
    enqueue(name, [&](lun_attempt *t) { return lun_reduce(out, a, &reduction, nullptr, &t->err); });
    return flat(name, value);
}

/* What was counted in 64 bits, and where that went around the nearest in the class to what was counted in doubles. */
octave_value exact_within(const octave_value &doubles, const octave_value &exact, lun_dtype dtype)
{
    const octave_value apart = unary(LUN_MAP_abs, binary(LUN_MAP_sub, cast(exact, LUN_f64), doubles));
    return chosen(binary(LUN_MAP_lt, apart, std::ldexp(1, 62)), exact, cast(doubles, dtype));
}

/* The arguments without the word behind them; single is summed in double, where that is the word. */
octave_value_list without_type(const char *name, const octave_value_list &given)
{
    octave_value_list args = given;
    check_count(name, args, 1, 3);
    if (args(args.length() - 1).is_string()) {
        const std::string type = args(args.length() - 1).string_value();
        if (type != "native" && type != "double" && type != "default" && type != "extra")
            error_with_id("lunarray:misuse", "%s: unrecognized type argument '%s'", name, type.c_str());
        args.resize(args.length() - 1);
        own(name, args(0));
        if ((type == "double" || type == "extra") && !is_whole(args(0)))
            args(0) = args(0).as_double();
    }
    check_count(name, args, 1, 2);
    return args;
}

/* By Octave's own file, which computes on the device. */
octave_value_list by_its_file(const char *name, const octave_value_list &args, int nargout)
{
    return octave::feval("builtin", ovl(name).append(args), std::max(nargout, 1));
}

/* Octave counts in doubles, but for what 'native' keeps within the class. */
octave_value_list reduced(const char *name, const octave_value_list &given, int)
{
    for (int i = 1; i < given.length() && std::strcmp(name, "mean") == 0; i++)
        if (given(i).is_string() && given(i).numel() == 1) /* "g", "h": other means */
            return by_its_file(name, given, 1);
    const octave_value_list args = without_type(name, given);
    const lun_dtype dtype = own(name, args(0)).a.dtype;
    const octave_value along = argument(args, 1);
    const std::string op = name;
    if (!is_whole(args(0)) || op == "any" || op == "all")
        return ovl(reduce(name, op, args(0), along));
    const lun_dtype result = class_given(name, dtype, given);
    const bool wide = lun_dtype_bytes(dtype) == 8;
    const bool doubles = op == "prod" || op == "sumsq" || (op == "sum" && wide); /* which leave the integers */
    const octave_value y = reduce(name, op, doubles ? cast(args(0), LUN_f64) : octave_value(args(0)), along);
    if (result != dtype || !doubles || !wide)
        return ovl(cast(y, result));
    return ovl(exact_within(y, reduce(name, op, args(0), along), dtype));
}

octave_value_list spread(const char *name, const octave_value_list &args, int nargout)
{
    check_count(name, args, 1, 3);
    const octave_value opt = brought(argument(args, 1)), dim = brought(argument(args, 2));
    const double n = opt.isempty() ? 0 : opt.is_real_scalar() ? opt.double_value() : NAN;
    if ((n != 0 && n != 1) || (!dim.isempty() && !dim.is_real_scalar())) /* weights, several dimensions */
        return by_its_file(name, args, nargout);
    octave_value_list results = ovl(reduce(name, name, args(0), dim, 1 - n));
    if (nargout > 1)
        results.append(reduce(name, std::strncmp(name, "nan", 3) == 0 ? "nanmean" : "mean", args(0), dim));
    if (std::strncmp(name, "nan", 3) != 0)
        return results;
    const octave_value known = reduce(name, "count", args(0), argument(args, 2)); /* of one number it is 0 */
    results(0) = chosen(binary(LUN_MAP_eq, known, 1.0), 0.0, results(0));
    return results;
}

/* The elements that are along a dimension at the positions of an array of as many dimensions. */
octave_value taken_along(const char *name, const octave_value &x, const octave_value &positions, int dim)
{
    const int n = std::max(x.ndims(), dim + 1);
    const octave_value at = deep(name, cast(positions, LUN_i64), n);
    return flat(name, operate("take_along_axis", LUN_OF_ARRAY, ovl(deep(name, x, n), at, double(dim + 1)), ovl())(0));
}

/* Of complex numbers that of the largest size and, of several, of the largest angle. */
octave_value_list extreme_of_complex(const char *name, const octave_value &x, int dim)
{
    const octave_value along(double(dim + 1));
    const octave_value_list polar = polar_of(x);
    const octave_value size = reduce(name, std::string("nan") + name, polar(0), along);
    const octave_value angle = chosen(binary(LUN_MAP_eq, polar(0), size), polar(1), NAN);
    const octave_value at = cast(reduce(name, std::string("nanarg") + name, angle, along), LUN_f64);
    return ovl(taken_along(name, x, at, dim), at);
}

/* The reduction by which an operation's row goes. */
static bool goes_by(const char *name, lun_reduce_op op)
{
    return lun_reduce_op(lun_operation_find(LUN_OF_ARRAY, name)->number) == op;
}

octave_value_list extreme(const char *name, const octave_value_list &args, int nargout)
{
    check_count(name, args, 1, 3);
    const octave_value other = argument(args, 1);
    if (args.length() == 2 && nargout > 1)
        error_with_id("lunarray:misuse", "%s: there are no positions for two arrays", name);
    if (args.length() == 3 && !other.isempty())
        error_with_id("lunarray:misuse", "%s: DIM is not possible with two arrays", name);
    if (args.length() == 2)
        return ovl(extreme_of_two(goes_by(name, LUN_REDUCE_min), args(0), other));
    if (own(name, args(0)).iscomplex())
        return extreme_of_complex(name, args(0), dimension(name, argument(args, 2), args(0).dims()));
    const octave_value m = reduce(name, std::string("nan") + name, args(0), argument(args, 2));
    if (nargout < 2)
        return ovl(m);
    return ovl(m, cast(reduce(name, std::string("nanarg") + name, args(0), argument(args, 2)), LUN_f64));
}

/* ---- several dimensions, and NaN ------------------------------------------------------------------------------- */

/* A row of methods.def that reduces one dimension, of what the arguments say. */
octave_value_list over_extent(octave_value_list (*run)(const char *, const octave_value_list &, int), const char *name,
                              const octave_value_list &given, int nargout)
{
    const bool of_extreme = run == extreme;
    const extent e(name, given, run == reduced ? 1 : 2);
    octave_value_list results;
    const std::string op = name;
    const bool named = e.omits || e.includes;
    if ((!e.all && !named && e.sizes.all_zero()) || (named && (op == "any" || op == "all" || op == "sumsq")))
        return run(name, given, nargout);
    if (!is_lunarray(e.args(0)))
        return done_here(name, given, nargout);
    if (of_extreme && nargout > 1 && !e.sizes.all_zero())
        error_with_id("lunarray:misuse", "%s: there are no positions for several dimensions", name);
    const bool real = !is_whole(e.args(0)) && !e.args(0).iscomplex();
    if (has_no_elements(e.args))
        results = made_by_octave(name, e.args, nargout);
    else if (of_extreme && e.includes && real) {
        const octave_value along = argument(e.args, 2);
        results = ovl(reduce(name, name, e.args(0), along));
        if (nargout > 1)
            results.append(cast(reduce(name, std::string("arg") + name, e.args(0), along), LUN_f64));
    } else if (!of_extreme && e.omits && !is_whole(e.args(0)))
        results = run((std::string("nan") + name).c_str(), e.args, nargout);
    else
        results = run(name, e.args, nargout);
    if (!e.sizes.all_zero())
        for (int i = 0; i < results.length(); i++)
            results(i) = results(i).reshape(e.sizes);
    return results;
}

/* ---- along a dimension ------------------------------------------------------------------------------------------- */

octave_value along(const char *op, const octave_value &x, int dim, octave_value_list options)
{
    options = options.append(ovl("axis", double(dim + 1)));
    return flat(op, operate(op, LUN_OF_ARRAY, ovl(deep(op, x, dim + 1)), options)(0));
}

octave_value_list running(const char *name, const octave_value_list &given, int)
{
    const octave_value_list args = goes_by(name, LUN_REDUCE_sum) ? without_type(name, given) : given;
    check_count(name, args, 1, 2);
    const int dim = dimension(name, argument(args, 1), own(name, args(0)).dims());
    if (!is_whole(args(0)))
        return ovl(along(name, args(0), dim, ovl()));
    const lun_dtype result = class_given(name, as_lunarray(args(0)).a.dtype, given);
    const octave_value y = along(name, args(0), dim, ovl("dtype", "f64"));
    if (result != as_lunarray(args(0)).a.dtype || lun_dtype_bytes(result) < 8)
        return ovl(cast(y, result));
    return ovl(exact_within(y, along(name, args(0), dim, ovl("dtype", lun_dtype_name(result))), result));
}

/* x at the positions from `from` to `to` of a dimension. */
octave_value part(octave_value x, int dim, double from, double to)
{
    octave_value_list index(std::max(x.ndims(), dim + 1), octave_value::magic_colon_t);
    index(dim) = octave::range<double>(from, 1, to);
    return x.index_op(index);
}

octave_value_list running_extreme(const char *name, const octave_value_list &args, int nargout)
{
    check_count(name, args, 1, 2);
    const octave_value &x = args(0);
    const bool least = goes_by(name, LUN_REDUCE_min);
    const int dim = dimension(name, argument(args, 1), own(name, x).dims());
    octave_value w, fresh;
    const octave_idx_type n = dim < x.ndims() ? x.dims()(dim) : 1;
    if (is_whole(x))
        w = along(name, x, dim, ovl());
    else { /* NaN is as far as can be, until there is something else */
        const octave_value missing = unary(LUN_MAP_isnan, x);
        const octave_value seen = along("cummax", cast(unary(LUN_MAP_lnot, missing), LUN_u8), dim, ovl());
        w = chosen(seen, along(name, chosen(missing, least ? INFINITY : -INFINITY, x), dim, ovl()), NAN);
    }
    if (nargout < 2)
        return ovl(w);
    dim_vector sizes(1, 1);
    sizes.resize(std::max(2, dim + 1), 1);
    sizes(dim) = n;
    octave_value at = upload(name, octave_value(octave::range<double>(1, 1, double(n)))), first = part(w, dim, 1, 1);
    at = shaped(name, at, sizes);
    octave_value i = binary(LUN_MAP_add, binary(LUN_MAP_mul, unary(LUN_MAP_isinf, first), 0.0), 1.0);
    if (n > 1) { /* where it is another one than before, beginning with the first */
        const octave_value later = binary(LUN_MAP_ne, part(w, dim, 2, double(n)), part(w, dim, 1, double(n - 1)));
        const octave_value there =
            binary(LUN_MAP_land, later, unary(LUN_MAP_lnot, unary(LUN_MAP_isnan, part(w, dim, 2, double(n)))));
        octave_value all = full(name, 1, LUN_f64, w.dims());
        octave_value_list index(std::max(w.ndims(), dim + 1), octave_value::magic_colon_t);
        index(dim) = octave::range<double>(2, 1, double(n));
        all = with_assigned(all, index, binary(LUN_MAP_mul, there, part(at, dim, 2, double(n))));
        i = along("cummax", all, dim, ovl());
    }
    return ovl(w, i);
}

octave_value_list of_two(const char *name, const octave_value_list &args, int)
{
    const std::string op = name;
    check_count(name, args, op == "complex" ? 1 : 2, 2);
    if (args.length() == 1)
        return ovl(own(name, args(0)).iscomplex() ? args(0) : binary(LUN_MAP_complex, args(0), 0.0));
    if (op == "mod" || op == "rem")
        return ovl(remainder_of(op == "mod", args(0), args(1)));
    return ovl(binary(LUN_MAP_complex, args(0), args(1)));
}

octave_value_list made_logical(const char *name, const octave_value_list &args, int)
{
    check_count(name, args, 1, 1);
    own(name, args(0));
    return ovl(cast(args(0), LUN_bool));
}

/* Of a vector the first element, as Octave has it. */
octave_value_list of_diagonal(const char *name, const octave_value_list &args, int)
{
    check_count(name, args, 1, 1);
    if (own(name, args(0)).dims().isvector())
        return ovl(by_one(args(0), 1.0));
    const octave_value_list t = octave::feval("__lun_operation__", ovl("trace (x, k)", "trace", args(0)), 1);
    return is_whole(args(0)) ? ovl(cast(t(0), class_given("sum", as_lunarray(args(0)).a.dtype, args))) : t;
}

/* Is the array that such a method is of one of Octave's own, and only what says how on the device? */
bool goes_by_first(octave_value_list (*run)(const char *, const octave_value_list &, int),
                   const octave_value_list &args)
{
    if (args.length() == 0 || is_lunarray(args(0)))
        return false;
    if (run == extreme)
        return args.length() == 3;
    return run == reduced || run == spread || run == running || run == running_extreme;
}

} // namespace

DEFUN_DLD(
    __lunarray__, args, nargout,
    "[y, ...] = __lunarray__ (method, argument, ...): a row of methods.def; or by Octave's own function, and sent back")
{
    static const struct {
        const char *name;
        octave_value_list (*run)(const char *name, const octave_value_list &args, int nargout);
    } rows[] = {
#define METHOD(name, how, usage, says, example, shows) {#name, how},
#define TEXTS(...)
#define SHOWN(...)
#define HOSTED(...)
#define SPARSE_HOSTED(...)
#include "methods.def"
#undef SPARSE_HOSTED
#undef HOSTED
#undef SHOWN
#undef TEXTS
#undef METHOD
    };
    const std::string name = args(0).string_value();
    for (const auto &row : rows)
        if (name == row.name) {
            octave_value_list given = args.slice(1, args.length() - 1);
            if (row.run == joined_along && name == "cat" && given.length()) /* the dimension */
                given(0) = brought(given(0));
            for (int i = 0; i < given.length(); i++)
                if (is_of_sparse(name, given(i)) && row.run != triangle_of_squares)
                    return of_sparse(name, given, nargout);
            if ((name == "median" || row.run == running_extreme) && given.length() > 0 && given(0).iscomplex())
                return made_by_octave(row.name, given, nargout); /* which orders them */
            if (goes_by_first(row.run, given))
                return done_here(row.name, given, nargout);
            if (row.run == reduced || row.run == spread || row.run == extreme)
                for (int i = 1; i < given.length(); i++)
                    if (given(i).is_string() || (given(i).numel() > 1 && i == 1 + (row.run != reduced)))
                        return over_extent(row.run, row.name, given, nargout);
            return (has_no_elements(given) ? made_by_octave : row.run)(row.name, given, nargout);
        }
    if (octave::feval("exist", ovl(name), 1)(0).double_value() > 0) /* HOSTED */
        return made_by_octave(name.c_str(), args.slice(1, args.length() - 1), nargout);
    error_with_id("lunarray:function", "%s: there is no such method", name.c_str());
}

/* Operations that go along a dimension and keep the shape, for methods that are made of several; or elements by positions along it. */
DEFUN_DLD(__lun_along__, args, , "y = __lun_along__ (op, x, dim), __lun_along__ (\"take\", x, dim, positions)")
{
    const std::string op = args(0).string_value();
    const int dim = dimension(op.c_str(), argument(args, 2), own(op.c_str(), args(1)).dims());
    if (op == "take")
        return ovl(taken_along(op.c_str(), args(1), args(3), dim));
    const octave_value y = along(op.c_str(), args(1), dim, ovl());
    return ovl(op == "argsort" ? cast(y, LUN_f64) : y);
}
