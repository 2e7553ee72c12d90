/* arrayfun: a function of elements is called once, with arrays of one element that is not known yet; core notes what it computes, and
 * computes the same of all elements in one kernel. */
#include "api/functions.h"
#include "host.h"

#include <algorithm>
#include <octave/interpreter.h>
#include <vector>

namespace
{

/* Ways through a function by its conditions, as many as are noted. */
const size_t MOST_WAYS = 64;

struct choice {
    octave_value condition; /* an array of one element */
    bool way;
    size_t behind; /* how many operations of the function come before it */
};

/* The function that is traced at present. */
struct tracing {
    static tracing *now;
    tracing *before = now;
    lun_graph *graph = nullptr;
    bool ended = false;
    std::vector<choice> choices;               /* of the present way */
    size_t at = 0;                             /* how many it has come by */
    std::vector<octave_value_list> operations; /* what they gave */
    size_t done = 0;                           /* operations on this way */
    std::vector<lun_number> numbers;           /* which the function has found; they are not part of the kernel */

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

/* Of two ways. A number is a result, too, where the function has conditions. */
octave_value as_array(const octave_value &condition, const octave_value &v)
{
    if (is_lunarray(v))
        return v;
    const octave_value never = binary(LUN_MAP_land, condition, false);
    lun_dtype dtype;
    if (v.islogical())
        return binary(LUN_MAP_lor, never, v);
    if (v.numel() != 1 || !dtype_of_class(&dtype, v.class_name()))
        error_with_id("lunarray:function", "arrayfun: a result is a %s of %s, expected one number",
                      v.class_name().c_str(), v.dims().str().c_str());
    return binary(LUN_MAP_add, cast(never, dtype), v);
}

octave_value of_ways(const octave_value &condition, const octave_value &one, const octave_value &other)
{
    octave_value a = as_array(condition, one), b = as_array(condition, other);
    const lun_dtype both = class_of_both("arrayfun", as_lunarray(a).a.dtype, as_lunarray(b).a.dtype);
    a = cast(a, both), b = cast(b, both);
    return operate("where", LUN_OF_MODULE, ovl(condition, a, b), ovl())(0);
}

/* Calls the function for each way through it: from the last condition whose other way is not taken yet, after which both results of
 * that condition are one. */
octave_value_list each_way(tracing &t, octave::interpreter &interpreter, const octave_value &f,
                           const octave_value_list &given, int count)
{
    std::vector<octave_value_list> taken; /* results where a condition holds */
    for (size_t ways = 1;; ways++) {
        t.at = t.done = 0;
        octave_value_list results = interpreter.feval(f, given, count);
        t.done = t.operations.size(); /* where ways join nothing is repeated */
        while (!t.choices.empty() && !t.choices.back().way) {
            for (int i = 0; i < count && i < results.length() && i < taken.back().length(); i++)
                results(i) = of_ways(t.choices.back().condition, taken.back()(i), results(i));
            taken.pop_back();
            t.choices.pop_back();
        }
        if (t.choices.empty())
            return results;
        if (ways == MOST_WAYS)
            error_with_id("lunarray:ways", "arrayfun: more than %zu paths through the function", MOST_WAYS);
        taken.push_back(results);
        t.choices.back().way = false;
        t.operations.resize(t.choices.back().behind);
    }
}

void end(tracing &t, octave_value_list results, int count, const octave_value_list &elements)
{
    std::vector<const lun_array *> given;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < elements.length() && i < results.length() && results(i).is_defined(); k++)
            if (is_lunarray(elements(k)) && !is_lunarray(results(i))) /* the same number for each */
                results(i) = as_array(elements(k), results(i));
        if (i >= results.length() || !is_lunarray(results(i)) || lun_array_graph(&as_lunarray(results(i)).a) != t.graph)
            error_with_id("lunarray:function",
                          "arrayfun: result %d is not computed from the arguments by operators and elementwise "
                          "functions",
                          i + 1);
        given.push_back(&as_lunarray(results(i)).a);
    }
    t.ended = true;
    call_core("arrayfun", [&](lun_error *e) { return lun_graph_end(t.graph, given.data(), given.size(), e); });
    if (!lun_graph_is_elementwise(t.graph))
        error_with_id("lunarray:function",
                      "arrayfun: the elements are only on the device: the function may use only operators, elementwise "
                      "functions, max, min, mod and rem");
}

} // namespace

lun_graph *traced_graph() { return tracing::now ? tracing::now->graph : nullptr; }

bool way_traced(const octave_value &condition)
{
    tracing *t = tracing::now;
    if (t->at == t->choices.size() && t->choices.size() == MOST_WAYS)
        error_with_id("lunarray:ways", "arrayfun: more than %zu conditions one after the other", MOST_WAYS);
    if (t->at == t->choices.size())
        t->choices.push_back({condition, true, t->done});
    return t->choices[t->at++].way;
}

bool noted_traced(octave_value_list *values)
{
    tracing *t = tracing::now;
    if (!t || t->done >= t->operations.size())
        return false;
    *values = t->operations[t->done++];
    return true;
}

void note_traced(const octave_value_list &values)
{
    if (tracing::now) {
        tracing::now->operations.push_back(values);
        tracing::now->done++;
    }
}

void note_number(lun_number *number)
{
    tracing *t = tracing::now;
    const bool noted = t && t->done < t->operations.size(); /* with the operation that takes it */
    if (!t || noted || t->numbers.size() == LUN_MAP_NUMBERS - 2)
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
            error_with_id("Octave:invalid-fun-call", "arrayfun: dimensions mismatch (arg 1 and arg %d)", i + 1);
        dims = there.numel() != 1 ? there.dims() : dims;
        if (is_lunarray(there))
            held.append(there);
        given.append(is_lunarray(there) ? element_of(t, as_lunarray(there).a) : there);
    }
    end(t, each_way(t, interpreter, f, given, count), count, given);
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
