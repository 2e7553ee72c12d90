/* What the Octave at hand says itself, since its releases differ: the classes of results, and what there is of no elements. */
#include "sparse.h"

#include <octave/parse.h>

#include <dlfcn.h>
#include <link.h>

/* Octave looks for a method of `a:b` where one of them is an object, and joins objects by rules of their own, of which `[x; 1 2]` fails:
 * so values say that they are some when colon_op asks, whose code the library's table of symbols has, and to nobody else. */
bool ov_lunarray::isobject() const
{
    static const char *code = nullptr;
    static size_t bytes = 0;
    if (!code) {
        octave_value (*colon)(const octave_value &, const octave_value &, const octave_value &, bool) =
            octave::colon_op;
        Dl_info library;
        const ElfW(Sym) *symbol = nullptr;
        code = reinterpret_cast<const char *>(colon);
        if (dladdr1(code, &library, reinterpret_cast<void **>(const_cast<ElfW(Sym) **>(&symbol)), RTLD_DL_SYMENT) &&
            symbol)
            bytes = symbol->st_size;
    }
    return size_t(static_cast<const char *>(__builtin_return_address(0)) - code) < bytes;
}

lun_dtype class_given(const char *name, lun_dtype dtype, const octave_value_list &more)
{
    octave_value_list args(more);
    lun_dtype result = LUN_f64;
    for (int i = 1; i < args.length(); i++)
        if (args(i).isnumeric()) /* Octave 9 leaves the class along dimensions that an array does not have */
            args(i) = 1.0;
    args(0) = dtype == LUN_bool ? octave_value(true) : octave::feval(class_of(dtype), ovl(1), 1)(0);
    dtype_of_class(&result, octave::feval(name, args, 1)(0).class_name());
    return result;
}

octave_value ov_lunarray::along(const char *name, int dim) const
{
    if (lun_array_graph(&a) && a.size == 1) /* what a switch compares */
        return octave_value(clone());
    return octave::feval(name, ovl(octave_value(clone()), dim + 1), 1)(0);
}

bool has_no_elements(const octave_value_list &args)
{
    bool some = false;
    for (int i = 0; i < args.length(); i++) {
        if (is_lunarray(args(i)) && !args(i).isempty() && (i == 0 || args(i).numel() > 1)) /* a number says how */
            return false;
        some = some || (is_lunarray(args(i)) && args(i).isempty());
    }
    return some && !(args.length() > 1 && args(args.length() - 2).is_string()); /* "like" */
}

octave_value_list done_here(const char *name, const octave_value_list &args, int nargout)
{
    octave_value_list here(args);
    for (int i = 0; i < args.length(); i++)
        here(i) = is_sparse(args(i)) ? gather_sparse(args(i)) : brought(args(i));
    return octave::feval(name, here, std::max(nargout, 1));
}

octave_value_list made_by_octave(const char *name, const octave_value_list &args, int nargout)
{
    octave_value_list results;
    const octave_value_list given = done_here(name, args, nargout);
    for (int i = 0; i < given.length(); i++)
        results(i) = !given(i).isnumeric() && !given(i).islogical() ? given(i)
                     : given(i).issparse()                          ? upload_sparse(given(i))
                                                                    : upload(name, given(i));
    return results;
}

octave_value_list with_cells(const char *name, const octave_value_list &args, int first)
{
    octave_value_list cells(args);
    for (int i = 0; i < args.length(); i++)
        if (i < first)
            cells(i) = brought(args(i));
        else if (!args(i).iscell())
            cells(i) = args(i).dims().zero_by_zero() ? Cell() : Cell(args(i));
    return octave::feval(name, cells, 1);
}
