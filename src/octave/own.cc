/* What the Octave at hand says itself, since its releases differ: the classes of results, and what there is of no elements. */
#include "host.h"

#include <octave/parse.h>

lun_dtype class_given(const char *name, lun_dtype dtype, const octave_value_list &more)
{
    octave_value_list args(more);
    lun_dtype result = LUN_f64;
    args(0) = dtype == LUN_bool ? octave_value(true) : octave::feval(class_of(dtype), ovl(1), 1)(0);
    dtype_of_class(&result, octave::feval(name, args, 1)(0).class_name());
    return result;
}

octave_value ov_lunarray::along(const char *name, int dim) const
{
    return octave::feval(name, ovl(octave_value(clone()), dim + 1), 1)(0);
}

bool has_no_elements(const octave_value_list &args)
{
    bool some = false;
    for (int i = 0; i < args.length(); i++) {
        if (is_lunarray(args(i)) && !args(i).isempty())
            return false;
        some = some || is_lunarray(args(i));
    }
    return some && !(args.length() > 1 && args(args.length() - 2).is_string()); /* "like" */
}

octave_value_list of_no_elements(const char *name, const octave_value_list &args, int nargout)
{
    octave_value_list here(args), results;
    for (int i = 0; i < args.length(); i++)
        here(i) = is_lunarray(args(i)) ? gather(as_lunarray(args(i))) : args(i);
    const octave_value_list given = octave::feval(name, here, std::max(nargout, 1));
    for (int i = 0; i < given.length(); i++)
        results(i) = upload(name, given(i));
    return results;
}

octave_value_list with_cells(const char *name, const octave_value_list &args, int first)
{
    octave_value_list cells(args);
    for (int i = first; i < args.length(); i++)
        cells(i) = args(i).iscell() ? args(i) : octave_value(Cell(args(i)));
    return octave::feval(name, cells, 1);
}
