/* Octave's own functions that do more with the package: zeros (2, 3, "gpuArray") and its like, and help of functions without a method,
 * which the value itself answers. Octave chooses a function by the numbers among its arguments, and a method of double would make each
 * call of `zeros` eight times as long; so the built-in functions are replaced by ones that run them. */
#include "host.h"

#include <octave/interpreter.h>
#include <octave/ov-builtin.h>
#include <octave/parse.h>

#include <cstring>
#include <dlfcn.h>
#include <sstream>

namespace
{

class replaced : public octave_builtin
{
  public:
    replaced(const std::string &name, const octave_value &of) : octave_builtin(fcn(nullptr), name), own(of)
    {
        const octave_function *f = of.function_value();
        const octave_builtin *b = dynamic_cast<const octave_builtin *>(f);
        document(f->doc_string());
        if (b) {
            m_fcn = b->function();
            m_meth = b->method();
            m_file = b->src_file_name();
        }
        lock();
    }

    octave_value_list execute(octave::tree_evaluator &evaluator, int nargout, const octave_value_list &args)
    {
        return m_fcn || m_meth ? octave_builtin::execute(evaluator, nargout, args) : octave::feval(own, args, nargout);
    }

  private:
    octave_value own;
};

class maker : public replaced
{
  public:
    using replaced::replaced;

    octave_value_list execute(octave::tree_evaluator &evaluator, int nargout, const octave_value_list &args)
    {
        const int n = args.length();
        if (traced_graph() && name().compare(0, 4, "rand") == 0) /* others for each element */
            error_with_id("lunarray:ways", "%s: the function is called for each element", name().c_str());
        if (n > 0 && args(n - 1).is_string() && args(n - 1).string_value() == "lunarray") /* class (x) */
            error_with_id("lunarray:misuse", "%s: lunarray is no class of elements: underlyingType (x), or \"like\", x",
                          name().c_str());
        if (n == 0 || !args(n - 1).is_string() || args(n - 1).string_value() != "gpuArray")
            return replaced::execute(evaluator, nargout, args);
        const bool named = n > 1 && args(n - 2).is_string();
        const std::string kind = named                                   ? args(n - 2).string_value()
                                 : name() == "true" || name() == "false" ? "logical"
                                                                         : "double";
        const octave_value like = octave::feval("lunarray", ovl(0.0, kind), 1)(0);
        return octave::feval(name(), args.slice(0, n - 1 - named).append(ovl("like", like)), nargout);
    }
};

/* Octave's functions that ask the value, so that no file is their method. */
const char answered[] =
    "abs acos acosh and angle arg asin asinh atan atanh cbrt ceil columns conj cos cosh ctranspose diag double eq erf erfc erfcinv erfcx "
    "erfinv exp expm1 fix floor full gamma ge gt imag int16 int32 int64 int8 ipermute iscolumn iscomplex isempty isfinite isfloat isinf "
    "isinteger islogical ismatrix isnan isnumeric isreal isrow isscalar issparse issquare isvector ldivide le lgamma log log10 log1p lt "
    "minus mldivide mrdivide mtimes ndims ne nnz not numel nzmax or permute plus power rdivide real reshape resize round rows sign sin "
    "single sinh size sqrt squeeze tan tanh times transpose uint16 uint32 uint64 uint8 uminus uplus";

bool is_answered(const std::string &name)
{
    return (" " + std::string(answered) + " ").find(" " + name + " ") != std::string::npos;
}

/* get_help_text ("@lunarray/reshape"). */
class helper : public replaced
{
  public:
    using replaced::replaced;

    octave_value_list execute(octave::tree_evaluator &evaluator, int nargout, const octave_value_list &args)
    {
        const std::string asked = args.length() == 1 && args(0).is_string() ? args(0).string_value() : "";
        const std::string plain = asked.compare(0, 10, "@lunarray/") == 0 ? asked.substr(10) : "";
        if (!is_answered(plain))
            return replaced::execute(evaluator, nargout, args);
        octave_value_list found = replaced::execute(evaluator, nargout, ovl(plain));
        const std::string text = found(0).string_value(), head = "-*- texinfo -*-";
        const size_t at = text.find(head) == std::string::npos ? 0 : text.find(head) + head.size();
        found(0) = text.substr(0, at) + "\nThis is Octave's own function, which also takes arrays on the device:\n\n" +
                   text.substr(at);
        return found;
    }
};

/* reset (gpuDevice ()); of figures and so on it is Octave's own. */
class resetter : public replaced
{
  public:
    using replaced::replaced;

    octave_value_list execute(octave::tree_evaluator &evaluator, int nargout, const octave_value_list &args)
    {
        if (args.length() == 1 && args(0).isstruct() && args(0).scalar_map_value().contains("LiveMemory"))
            return octave::feval("gpuDevice", ovl("reset"), nargout);
        return replaced::execute(evaluator, nargout, args);
    }
};

} // namespace

void install_replaced(octave::interpreter &interpreter)
{
    static const char *const names[] = {"zeros", "ones",  "eye",  "Inf",   "inf",   "NaN",   "nan",   "NA",
                                        "true",  "false", "rand", "randn", "rande", "randg", "randp", "randperm"};
    octave::symbol_table &symbols = interpreter.get_symbol_table();
    const auto own = [&](const char *name) { return symbols.find_built_in_function(name); };
    Dl_info self;
    if (dladdr(names, &self)) /* Octave unloads this file before it forgets its functions */
        (void)dlopen(self.dli_fname, RTLD_NOW | RTLD_NODELETE);
    for (const char *name : names)
        symbols.install_built_in_function(name, octave_value(new maker(name, own(name))));
    symbols.install_built_in_function("get_help_text", octave_value(new helper("get_help_text", own("get_help_text"))));
    symbols.install_cmdline_function("randi", octave_value(new maker("randi", symbols.find_function("randi"))));
    symbols.install_cmdline_function("reset", octave_value(new resetter("reset", symbols.find_function("reset"))));
}

DEFUN_DLD(__lun_answered__, , , "names = __lun_answered__ (): Octave's functions that ask the value, without a method")
{
    std::stringstream all(answered);
    string_vector names;
    for (std::string name; all >> name;)
        names.append(name);
    return ovl(Cell(names));
}
