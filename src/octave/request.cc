/* Any operation of core by its name: Octave's values become those of a request, and results values again. */
#include "sparse.h"

#include <octave/parse.h>

#include <deque>
#include <memory>
#include <vector>

extern const lun_manner *octave_speaks();

lun_rng &the_stream()
{
    static lun_rng stream;
    return stream;
}

namespace
{

struct request {
    lun_request r{};
    std::deque<octave_value> held; /* arrays that were made of arguments */
    std::deque<std::string> texts;
    octave_value given; /* what a function has given last */
    ~request() { lun_request_clear(&r); }

    void set(lun_value *out, const octave_value &v, const char *name)
    {
        if (v.is_string()) {
            texts.push_back(v.string_value());
            out->kind = LUN_VALUE_TEXT, out->text = texts.back().c_str();
        } else if (is_lunarray(v)) {
            held.push_back(v);
            out->kind = LUN_VALUE_ARRAY, out->array = const_cast<lun_array *>(&as_lunarray(held.back()).a);
        } else if (is_sparse(v)) {
            held.push_back(v);
            out->kind = LUN_VALUE_SPARSE, out->sparse = &as_sparse(held.back()).s;
        } else if (v.is_function_handle()) {
            out->kind = LUN_VALUE_FUNCTION, out->function = held.size();
            held.push_back(v);
        } else if (v.iscell()) {
            const Cell cell = v.cell_value();
            lun_value *items = list(out, cell.numel(), name);
            for (octave_idx_type i = 0; i < cell.numel(); i++)
                set(&items[i], cell(i), name);
        } else if (v.islogical() && v.numel() == 1) {
            out->kind = LUN_VALUE_BOOLEAN, out->truth = v.bool_value();
        } else if (v.isreal() && v.isnumeric() && v.numel() == 1) {
            number(out, v.double_value());
        } else if (v.isreal() && v.isnumeric()) {
            const NDArray numbers = v.array_value();
            lun_value *items = list(out, numbers.numel(), name);
            for (octave_idx_type i = 0; i < numbers.numel(); i++)
                number(&items[i], numbers(i));
        } else if (v.iscomplex() && v.numel() == 1) {
            const Complex z = v.complex_value();
            out->kind = LUN_VALUE_COMPLEX, out->number = lun_complex(z.real(), z.imag());
        } else
            out->kind = LUN_VALUE_OTHER, out->text = "a value";
    }

    /* Reads the arguments and options; what the results are is known then. */
    void bind(const lun_operation *row, const octave_value_list &arguments, const octave_value_list &options,
              const char *name);

    /* Calls the function that core asks for, of a column. It gets a copy, as it may keep that, and core's array changes. */
    void ask(const char *name)
    {
        const size_t n = r.ask.from->size, shape[] = {1, n};
        lun_array *out;
        ov_lunarray column;
        const octave_value x = make(name, r.ask.from->dtype, 2, shape, &out);
        call_core(name, [&](lun_error *e) { return lun_array_reshape(&column.a, r.ask.from, 2, shape, e); });
        enqueue(name, [&](lun_attempt *t) { return lun_array_copy(out, &column.a, nullptr, &t->err); });
        const octave_value_list got = octave::feval(held[r.ask.function->function], ovl(x), 1);
        r.wish = LUN_WISH_NOTHING;
        r.ask.given.kind = LUN_VALUE_NOTHING;
        if (got.length() == 0 || !got(0).is_defined())
            return;
        given = upload(name, is_sparse(got(0)) ? as_sparse(got(0)).full_value() : got(0));
        const lun_dtype dtype = r.ask.to->dtype, came = as_lunarray(given).a.dtype;
        if (lun_dtype_has(dtype, LUN_PAIRS) || !lun_dtype_has(came, LUN_PAIRS))
            given = cast(given, dtype);
        given = shaped(name, given, 1, std::vector<size_t>{size_t(given.numel())}.data());
        r.ask.given.kind = LUN_VALUE_ARRAY;
        r.ask.given.array = const_cast<lun_array *>(&as_lunarray(given).a);
    }

    lun_value *list(lun_value *out, octave_idx_type count, const char *name)
    {
        lun_value *items = lun_request_list(&r, size_t(count));
        if (!items)
            error_with_id("lunarray:memory", "%s: out of memory", name);
        out->kind = LUN_VALUE_LIST, out->list = lun_list{items, size_t(count), nullptr, nullptr, false};
        return items;
    }

  private:
    static void number(lun_value *out, double x)
    {
        out->kind = LUN_VALUE_NUMBER;
        out->number = x == double(int64_t(x)) ? lun_integer(int64_t(x)) : lun_real(x);
    }
};

void request::bind(const lun_operation *row, const octave_value_list &arguments, const octave_value_list &options,
                   const char *name)
{
    if (row->owner == LUN_OF_ARRAY && arguments.length() > 0 && is_sparse(arguments(0)))
        refuse(name);
    lun_request_init(&r, row, octave_speaks());
    r.device = the_device();
    r.trace = traced_graph();
    if (row->owner == LUN_OF_STREAM)
        r.stream = &the_stream(), r.floats = lun_device_info_get(the_device())->fp64 ? LUN_f64 : LUN_f32;
    const int first =
        row->owner == LUN_OF_ARRAY || row->owner == LUN_OF_SPARSE ? 0 : 1; /* where a device or a module is */
    if (first + arguments.length() > LUN_ARGUMENTS)
        error_with_id("lunarray:misuse", "%s: too many arguments", name);
    for (int i = 0; i < arguments.length(); i++)
        if (arguments(i).is_defined())
            set(&r.arguments[first + i], arguments(i), name);
    for (int i = 0; i + 1 < options.length(); i += 2) {
        lun_value value{};
        set(&value, options(i + 1), name);
        const std::string option = options(i).string_value();
        call_core(name, [&](lun_error *e) { return lun_request_option(&r, option.c_str(), &value, e); });
    }
    call_core(name, [&](lun_error *e) { return lun_request_bind(&r, e); });
}

} // namespace

lun_dtype dtype_of_result(const lun_operation *row, const octave_value_list &arguments,
                          const octave_value_list &options, const char *name)
{
    const std::unique_ptr<request> own(new request);
    own->bind(row, arguments, options, name);
    return own->r.views || !own->r.result_count ? LUN_DTYPES : own->r.results[0].dtype;
}

octave_value_list operate(const char *op, lun_owner owner, const octave_value_list &arguments,
                          const octave_value_list &options, const char *says)
{
    const lun_operation *row = lun_operation_find(owner, op);
    if (!row || !lun_operation_is_called(row))
        error_with_id("lunarray:function", "%s: there is no such operation", says ? says : op);
    return operate(row, arguments, options, says ? says : op, false);
}

octave_value_list operate(const lun_operation *row, const octave_value_list &arguments,
                          const octave_value_list &options, const char *name, bool there)
{
    const std::unique_ptr<request> own(new request);
    lun_request *r = &own->r;
    own->bind(row, arguments, options, name);
    octave_value_list results;
    std::vector<lun_array *> outs(r->result_count ? r->result_count : 1);
    std::vector<bool> numbers(outs.size());
    ov_sparse *sparse = r->sparse ? new ov_sparse() : nullptr;
    const octave_value matrix = sparse ? octave_value(sparse) : octave_value();
    for (size_t i = 0; sparse && i < outs.size(); i++)
        outs[i] = &sparse->parts[i];
    for (size_t i = 0; !sparse && i < outs.size(); i++) {
        numbers[i] = !r->views && i < r->result_count && r->results[i].numbers > 0 &&
                     !(there && !r->direct && r->results[i].dtype != LUN_bool);
        octave_value value;
        if (!r->views && i < r->result_count && r->results[i].given) /* the array itself, changed in place */
            value = arguments(0), outs[i] = r->arguments[0].array;
        else if (!numbers[i])
            value = fresh(&outs[i]);
        else
            outs[i] = nullptr;
        results(int(i)) = value;
    }
    lun_attempt t;
    for (lun_request_attempt(&t, r); goes_on(&t, name);) {
        t.status = lun_request_run(&t.more, r, outs.data(), &t.err);
        if (t.status == LUN_OK && r->wish == LUN_WISH_CALL)
            own->ask(name);
    }
    if (sparse) {
        sparse->s.rows = r->matrix.rows, sparse->s.width = r->matrix.width;
        return ovl(matrix);
    }
    size_t at = 0;
    octave_value_list found;
    for (size_t i = 0; i < outs.size(); i++)
        if (!numbers[i])
            found.append(results(int(i)));
        else
            for (int k = 0; k < int(r->results[i].numbers); k++) {
                const lun_number n = r->numbers[at++];
                found.append(n.is_truth     ? octave_value(n.integer != 0)
                             : n.is_complex ? octave_value(Complex(n.real, n.imaginary))
                                            : octave_value(n.real));
            }
    if (const lun_report *said = r->report) {
        ColumnVector history(octave_idx_type(said->count));
        std::copy_n(said->history, said->count, history.fortran_vec());
        found = found.append(ovl(said->converged, double(said->steps), said->residual, history));
    }
    return found;
}

octave_value_list operate_traced(lun_graph *graph, const std::vector<lun_number> &numbers,
                                 const octave_value_list &arrays)
{
    const std::unique_ptr<request> own(new request);
    lun_request *r = &own->r;
    lun_request_init(r, lun_operation_find(LUN_OF_TRACE, "call"), octave_speaks());
    r->trace = graph;
    if (!numbers.empty()) {
        lun_value *items = own->list(&r->arguments[1], octave_idx_type(numbers.size()), "arrayfun");
        for (size_t i = 0; i < numbers.size(); i++)
            items[i].kind = numbers[i].is_complex ? LUN_VALUE_COMPLEX : LUN_VALUE_NUMBER, items[i].number = numbers[i];
    }
    lun_value *items = own->list(&r->arguments[2], arrays.length(), "arrayfun");
    for (int i = 0; i < arrays.length(); i++)
        own->set(&items[i], arrays(i), "arrayfun");
    call_core("arrayfun", [&](lun_error *e) { return lun_request_bind(r, e); });
    octave_value_list results;
    std::vector<lun_array *> outs(r->result_count);
    for (size_t i = 0; i < outs.size(); i++)
        results.append(fresh(&outs[i]));
    lun_attempt t;
    for (lun_request_attempt(&t, r); goes_on(&t, "arrayfun");)
        t.status = lun_request_run(&t.more, r, outs.data(), &t.err);
    return results;
}
