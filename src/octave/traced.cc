/* arrayfun: a function of elements is called once, with arrays of one element that is not known yet; core notes what it computes, and
 * computes the same of all elements in one kernel. */
#include "host.h"

#include <algorithm>
#include <octave/interpreter.h>
#include <vector>

namespace
{

/* The function that is traced at present. */
struct tracing {
    static tracing *now;
    tracing *before = now;
    lun_graph *graph = nullptr;
    bool ended = false;
    std::vector<lun_number> numbers; /* which the function has found; they are no part of the kernel */

    tracing()
    {
        call_core("arrayfun", [&](lun_error *e) { return lun_graph_create(&graph, e); });
        now = this;
    }
    ~tracing()
    {
        lun_error ignored;
        now = before;
        if (!ended)
            lun_graph_end(graph, nullptr, 0, &ignored);
        lun_graph_release(graph);
    }
};
tracing *tracing::now = nullptr;

/* An array of one element that stands for those of `all`. */
octave_value element_of(tracing &t, const lun_array &all)
{
    lun_array one = all, *out;
    one.ndim = 2;
    one.size = 1;
    for (int i = 0; i < 2; i++)
        one.shape[i] = 1, one.stride[i] = 1;
    const octave_value element = fresh(&out);
    call_core("arrayfun", [&](lun_error *e) { return lun_graph_argument(out, t.graph, &one, e); });
    return element;
}

void end(tracing &t, const octave_value_list &results, int count)
{
    std::vector<const lun_array *> given;
    for (int i = 0; i < count; i++) {
        if (i >= results.length() || !is_lunarray(results(i)) || lun_array_graph(&as_lunarray(results(i)).a) != t.graph)
            error_with_id("lunarray:function",
                          "arrayfun: result %d is not computed of the arguments by operators and elementwise functions",
                          i + 1);
        given.push_back(&as_lunarray(results(i)).a);
    }
    t.ended = true;
    call_core("arrayfun", [&](lun_error *e) { return lun_graph_end(t.graph, given.data(), given.size(), e); });
    if (!lun_graph_is_elementwise(t.graph))
        error_with_id("lunarray:function",
                      "arrayfun: only the device knows an element: what the function does is more than one kernel of "
                      "operators, elementwise functions, max, min, mod and rem");
}

} // namespace

lun_graph *traced_graph() { return tracing::now ? tracing::now->graph : nullptr; }

void note_number(lun_number *number)
{
    tracing *t = tracing::now;
    if (!t || t->numbers.size() == LUN_GRAPH_ARGUMENTS)
        return;
    t->numbers.push_back(*number);
    number->argument = uint16_t(t->numbers.size());
}

octave_value_list traced_call(octave::interpreter &interpreter, const octave_value &f, const octave_value_list &arrays,
                              int nargout)
{
    octave_value_list given, held;
    dim_vector dims;
    const int count = std::max(nargout, 1);
    tracing t;
    for (int i = 0; i < arrays.length(); i++) {
        const octave_value there =
            arrays(i).numel() == 1 && !is_lunarray(arrays(i)) ? arrays(i) : upload("arrayfun", arrays(i));
        if (there.numel() != 1 && !dims.zero_by_zero() && there.dims() != dims)
            error_with_id("Octave:invalid-fun-call",
                          "arrayfun: all the input arguments must have the same size and shape (arg 1 and arg %d)",
                          i + 1);
        dims = there.numel() != 1 ? there.dims() : dims;
        if (is_lunarray(there))
            held.append(there);
        given.append(is_lunarray(there) ? element_of(t, as_lunarray(there).a) : there);
    }
    end(t, interpreter.feval(f, given, count), count);
    octave_value_list taken;
    const unsigned *used;
    const size_t arrays_used = lun_graph_arrays(&used, t.graph);
    for (size_t i = 0; i < arrays_used; i++)
        taken.append(held(int(used[i])));
    std::vector<lun_number> numbers(lun_graph_numbers(&used, t.graph));
    for (size_t i = 0; i < numbers.size(); i++)
        numbers[i] = t.numbers[used[i]];
    return operate_traced(t.graph, numbers, taken);
}
