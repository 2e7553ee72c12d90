/* Kernels of the user's own: lunarray_program. Arrays that a kernel writes are copied first and returned, so that a name keeps its
 * value as everywhere in Octave. */
#include "host.h"

#include <cmath>
#include <map>
#include <memory>
#include <vector>

namespace
{

struct releases {
    void operator()(lun_kernel *kernel) const { lun_kernel_release(kernel); }
};

/* The program of a text: the last ones are kept. */
lun_program *program_of(const std::string &text)
{
    static std::map<std::string, lun_program *> kept;
    const auto found = kept.find(text);
    if (found != kept.end())
        return found->second;
    lun_program *program = nullptr;
    lun_source source{};
    source.text = text.c_str(), source.length = text.size();
    call_core("lunarray_program", [&](lun_error *e) { return lun_program_create(&program, the_device(), &source, e); });
    if (kept.size() >= 32) {
        lun_program_release(kept.begin()->second);
        kept.erase(kept.begin());
    }
    return kept[text] = program;
}

/* The array itself; one that is written as a copy of its own. */
octave_value array_of(const octave_value &v, bool written)
{
    const octave_value there = upload("lunarray_program", v);
    const lun_array *a = &as_lunarray(there).a;
    if (!written)
        return there;
    lun_array *out;
    octave_value copy = make("lunarray_program", a->dtype, a->ndim, a->shape, &out);
    enqueue("lunarray_program", [&](lun_attempt *t) { return lun_array_copy(out, a, nullptr, &t->err); });
    return copy;
}

void set_numbers(lun_argument *out, const lun_kernel *kernel, size_t position, const octave_value &v)
{
    char text[200];
    const lun_parameter &parameter = lun_kernel_info_get(kernel)->parameters[position];
    const unsigned width = parameter.width;
    const bool whole = lun_dtype_has(parameter.dtype, LUN_WHOLE); /* floats round Octave's numbers, which are floats */
    if (is_lunarray(v) || !v.isreal() || !(v.isnumeric() || v.islogical()) || v.numel() != octave_idx_type(width))
        error_with_id("lunarray:misuse", "lunarray_program: %s: %u real number%s needed, got a %s %s",
                      lun_parameter_text(text, sizeof text, kernel, position), width, width == 1 ? " is" : "s are",
                      v.dims().str().c_str(), v.class_name().c_str());
    const NDArray given = v.array_value();
    lun_number numbers[16];
    for (unsigned i = 0; i < width; i++)
        numbers[i] = whole && given(i) == std::floor(given(i)) && std::abs(given(i)) < 9e15
                         ? lun_integer(int64_t(given(i)))
                         : lun_real(given(i));
    call_core("lunarray_program", [&](lun_error *e) { return lun_argument_set(out, kernel, position, numbers, e); });
}

size_t bytes_of(const octave_value &v)
{
    const double bytes = v.is_real_scalar() ? v.double_value() : -1;
    if (bytes != std::floor(bytes) || bytes < 0)
        error_with_id("lunarray:misuse", "lunarray_program: local memory is a number of bytes");
    return size_t(bytes);
}

lun_range range_of(const octave_value &v)
{
    const bool numbers = v.isnumeric() && v.isreal() && !is_lunarray(v);
    const NDArray sizes = numbers ? v.array_value() : NDArray();
    lun_range range{};
    range.dims = int(sizes.numel());
    bool good = range.dims >= 1 && range.dims <= 3;
    for (int i = 0; good && i < range.dims; i++) {
        good = sizes(i) >= 0 && sizes(i) == std::floor(sizes(i));
        range.global[i] = size_t(sizes(i));
    }
    if (!good)
        error_with_id("lunarray:misuse", "lunarray_program: SIZES must be 1 to 3 numbers, whole and not below 0");
    return range;
}

} // namespace

DEFUN_DLD(
    lunarray_program, args, ,
    "-*- texinfo -*-\n"
    "@deftypefn {} {[@var{y}, @dots{}] =} lunarray_program (@var{text}, @var{kernel}, @var{sizes}, @var{argument}, @dots{})\n"
    "Runs a kernel of the OpenCL C program @var{text} with @var{sizes} work-items, 1 to 3 numbers.  Each pointer takes an array,\n"
    "stored column by column, each number a number, each pointer to local memory its size in bytes.  The results are the\n"
    "arrays whose pointers are not @code{const}, as the kernel leaves them; the arguments themselves keep their values.\n"
    "\n"
    "@example\n"
    "text = \"kernel void twice (global double *x) @{ x[get_global_id (0)] *= 2; @}\";\n"
    "gather (lunarray_program (text, \"twice\", 3, lunarray (1:3)))\n"
    "    @result{} 2 4 6\n"
    "@end example\n"
    "@seealso{lunarray}\n"
    "@end deftypefn")
{
    if (args.length() < 3)
        print_usage();
    const std::string text = text_of(args(0), "lunarray_program: TEXT must be a string"),
                      name = text_of(args(1), "lunarray_program: KERNEL must be a string");
    const lun_range range = range_of(args(2));
    const size_t count = size_t(args.length() - 3);
    lun_program *program = program_of(text);
    lun_kernel *made = nullptr;
    call_core("lunarray_program", [&](lun_error *e) { return lun_kernel_create(&made, program, name.c_str(), e); });
    const std::unique_ptr<lun_kernel, releases> kernel(made);
    call_core("lunarray_program", [&](lun_error *e) { return lun_kernel_takes(made, " after SIZES", count, e); });
    const lun_parameter *parameters = lun_kernel_info_get(made)->parameters;
    std::vector<lun_argument> arguments(count);
    octave_value_list held, results;
    for (size_t i = 0; i < count; i++) {
        const octave_value &v = args(int(i) + 3);
        if (parameters[i].kind == LUN_PARAMETER_ARRAY) {
            held.append(array_of(v, parameters[i].writable));
            arguments[i].array = &as_lunarray(held(held.length() - 1)).a;
            if (parameters[i].writable)
                results.append(held(held.length() - 1));
        } else if (parameters[i].kind == LUN_PARAMETER_LOCAL)
            arguments[i].bytes = bytes_of(v);
        else
            set_numbers(&arguments[i], made, i, v);
    }
    enqueue("lunarray_program",
            [&](lun_attempt *t) { return lun_kernel_run(made, &range, arguments.data(), nullptr, &t->err); });
    return results;
}
