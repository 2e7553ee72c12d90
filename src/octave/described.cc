/* Any operation of core's as a method, by its row and a signature, which tools/octave.lua prints: "maxk (x, k, dim, smallest = true)".
 * Names are x, the array itself, those of the row's operands and options, and `dim`, the option axis as Octave counts, where it is
 * missing the first that is not 1, or `dims`, where it is missing all; behind them options are as pairs of name and value.
 * Words behind the parentheses: `vectors`, what has one dimension is a vector in core, and results are as x does; `row`, `column`:
 * so do they appear; `keeps`: of integers the class, into which results saturate. */
#include "sparse.h"

#include <octave/parse.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <vector>

namespace
{

struct signature {
    std::string name;
    std::vector<std::string> items;                         /* in order */
    std::vector<std::pair<std::string, std::string>> fixed; /* options with values */
    bool vectors, row, column, keeps;

    explicit signature(const std::string &text)
    {
        const size_t open = text.find(" ("), close = text.rfind(')');
        const std::string behind = text.substr(close);
        std::stringstream list(text.substr(open + 2, close - open - 2));
        name = text.substr(0, open);
        for (std::string item; std::getline(list, item, ',');) {
            item.erase(0, item.find_first_not_of(' '));
            const size_t equals = item.find(" = ");
            if (equals == std::string::npos)
                items.push_back(item);
            else
                fixed.emplace_back(item.substr(0, equals), item.substr(equals + 3));
        }
        vectors = behind.find("vectors") != std::string::npos;
        row = behind.find("row") != std::string::npos;
        keeps = behind.find("keeps") != std::string::npos;
        column = behind.find("column") != std::string::npos;
    }
};

/* A call of an operation, as far as its arguments are read. */
struct call {
    const signature form;
    const lun_operation *row;
    octave_value_list arguments, options;
    octave_value along;
    bool has_axis = false;

    call(const std::string &text, const lun_operation *of) : form(text), row(of) {}

    const char *name() const { return form.name.c_str(); }
    bool has_option(const char *option) const { return lun_operation_option(row, option) != nullptr; }
    int operand(const std::string &named) const
    {
        const int first = row->owner == LUN_OF_ARRAY;
        for (int i = 0; row->arguments[i].name; i++)
            if (named == row->arguments[i].name)
                return i + first;
        return -1;
    }
    lun_option_kind kind_of(int argument) const
    {
        const int first = row->owner == LUN_OF_ARRAY;
        return argument < first ? LUN_OPTION_ARRAY : row->arguments[argument - first].kind;
    }
    bool of_each_place() const /* positions that are where the results do */
    {
        const lun_operand *at = row->arguments;
        while (at->name && !at->last)
            at++;
        return at->name != nullptr;
    }

    void put(const std::string &item, const octave_value &value);
    void read(const octave_value_list &args);
    void read_options(const octave_value_list &args, int at);
};

/* A value as the option or operand of that kind takes it: arrays of Octave's go to the device where arrays are needed. */
octave_value taken(const char *name, lun_option_kind kind, const octave_value &value)
{
    const bool places = kind == LUN_OPTION_POSITIONS || kind == LUN_OPTION_PLACES;
    const bool arrays = kind == LUN_OPTION_ARRAY || kind == LUN_OPTION_ARRAYS;
    const bool several = kind == LUN_OPTION_NUMBERS || kind == LUN_OPTION_KEYS || kind == LUN_OPTION_SCALARS || places;
    if (value.is_string() || value.iscell() || !(arrays || (several && (is_lunarray(value) || value.numel() != 1))))
        return brought(value);
    const octave_value there = upload(name, value);
    if (kind == LUN_OPTION_KEYS && there.rows() > 1 && std::strcmp(name, "sosfilt") == 0) /* a row for each section */
        return transposed_view(there);
    return places ? cast(there, LUN_i64) : there;
}

void call::put(const std::string &item, const octave_value &value)
{
    if (item == "dim" || item == "dims") {
        along = brought(value);
        return;
    }
    const int at = item == "x" && row->owner == LUN_OF_ARRAY ? 0 : operand(item);
    const lun_option *option = at < 0 ? lun_operation_option(row, item.c_str()) : nullptr;
    if (value.isempty() && !value.is_string() && !is_lunarray(value)) /* left out */
        return;
    if (at >= 0) {
        if (at >= arguments.length())
            arguments.resize(at + 1);
        arguments(at) = taken(name(), kind_of(at), value);
    } else if (option)
        options.append(ovl(item, taken(name(), option->kind, value.numel() == 1 ? brought(value) : value)));
}

void call::read_options(const octave_value_list &args, int at)
{
    for (; at < args.length(); at += 2) {
        const std::string option = text_of(args(at), "lunarray: options are pairs of name and value");
        if (at + 1 == args.length())
            error_with_id("lunarray:misuse", "%s: the option %s has no value", name(), option.c_str());
        if (option == "out" || option == "async" || option == "queue" || !has_option(option.c_str()))
            error_with_id("lunarray:misuse", "%s: there is no option %s", name(), option.c_str());
        put(option == "axis" ? "dim" : option, args(at + 1));
    }
}

void call::read(const octave_value_list &args)
{
    int at = 0;
    for (const std::string &item : form.items) {
        const int to = operand(item);
        const lun_option *option = to < 0 ? lun_operation_option(row, item.c_str()) : nullptr;
        const bool word = option && option->kind == LUN_OPTION_VALUE && at < args.length() && args(at).is_string() &&
                          !has_option(args(at).string_value().c_str()); /* cond (x, "fro") */
        const bool text = word || (to >= 0 && (kind_of(to) == LUN_OPTION_TEXT || kind_of(to) == LUN_OPTION_NAMES));
        if (at >= args.length() || (args(at).is_string() && !text)) /* options are behind */
            break;
        if (to >= 0 && kind_of(to) == LUN_OPTION_ARRAYS) /* what is there up to the options */
            for (octave_value_list all; at < args.length() && !args(at).is_string(); put(item, Cell(all)))
                all.append(upload(name(), args(at++)));
        else
            put(item, args(at++));
    }
    if (at < args.length() && !args(at).is_string())
        invalid_call(name());
    read_options(args, at);
    for (const auto &option : form.fixed) {
        octave_value value = option.second == "true" ? octave_value(true) : octave_value(option.second);
        put(option.first, option.first == "dims" ? octave::feval("str2num", ovl(option.second), 1)(0) : value);
    }
    bool lacks = arguments.length() == 0 && row->owner != LUN_OF_STREAM;
    for (int i = 0, first = row->owner == LUN_OF_ARRAY; row->arguments[i].name; i++)
        lacks = lacks || (!row->arguments[i].optional &&
                          (i + first >= arguments.length() || !arguments(i + first).is_defined()));
    if (lacks)
        invalid_call(name());
    has_axis = has_option("axis") || operand("axis") >= 0;
}

/* The first word of what a row promises of result i, behind the dtypes that it takes: "bihf: same n m; i64 n m". */
std::string promised(const lun_operation *row, int i)
{
    const char *text = lun_operation_promise(row);
    const std::string promise = text ? text : "";
    const size_t colon = promise.find(": ");
    std::stringstream rest(colon == std::string::npos ? promise : promise.substr(colon + 2));
    std::string result, word;
    for (int k = 0; k <= i; k++)
        if (!std::getline(rest, result, ';'))
            return "";
    std::stringstream(result) >> word;
    return word;
}

/* Positions and counts, whatever the class of the elements. */
bool is_position(const std::string &gives) { return gives == "i64" || gives == "i32"; }

/* Applies f to each argument on the device that holds elements, and no positions. */
template <typename F> void of_elements(call &c, F f)
{
    for (int i = 0; i < c.arguments.length(); i++) {
        const lun_option_kind kind = c.kind_of(i);
        if (kind == LUN_OPTION_ARRAYS) {
            octave_value_list list(c.arguments(i).cell_value());
            for (int k = 0; k < list.length(); k++)
                list(k) = f(list(k));
            c.arguments(i) = Cell(list);
        } else if (is_lunarray(c.arguments(i)) && kind != LUN_OPTION_POSITIONS && kind != LUN_OPTION_PLACES)
            c.arguments(i) = f(c.arguments(i));
    }
}

octave_value first_of(call &c)
{
    octave_value first;
    of_elements(c, [&](const octave_value &x) { return first = first.is_defined() ? first : x, x; });
    return first;
}

/* Vectors get one axis in core where they are such there; else arrays get the dimension that is named, which becomes an option. */
void set_shapes(call &c)
{
    const octave_value first = first_of(c);
    for (int i = 0; i < c.arguments.length(); i++)
        if (c.kind_of(i) == LUN_OPTION_PLACES || (c.kind_of(i) == LUN_OPTION_POSITIONS && !c.of_each_place()))
            c.arguments(i) = as_vector(c.name(), c.arguments(i));
    if (c.form.vectors) {
        of_elements(c, [&](const octave_value &x) { return as_vector(c.name(), x); });
        for (int i = 1; i < c.options.length(); i += 2)
            c.options(i) = as_vector(c.name(), c.options(i));
        return;
    }
    const bool all = std::find(c.form.items.begin(), c.form.items.end(), "dims") != c.form.items.end();
    if (!c.has_axis || (all && c.along.isempty()))
        return;
    const Matrix dims = c.along.isempty() ? Matrix(1, 1, first.dims().first_non_singleton() + 1)
                                          : c.along.xmatrix_value("%s: DIM must be a valid dimension", c.name());
    const int most = dimension(c.name(), double(dims.row_max().max()), first.dims()) + 1;
    of_elements(c, [&](const octave_value &x) { return deep(c.name(), x, most); });
    c.options.append(ovl("axis", dims));
}

void check_whole(call &c, const octave_value_list &given)
{
    octave_value_list taken = given;
    std::swap(taken, c.arguments);
    of_elements(c, [&](const octave_value &x) {
        return lun_dtype_has(as_lunarray(x).a.dtype, LUN_WHOLE) ? x : whole_of(c.name(), x);
    });
    c.arguments = taken;
}

/* Makes the class of all elements the one that Octave computes in, and says which one results get where core's would be integers, too;
 * LUN_DTYPES: none. Integers are computed in doubles, and rounded and saturated at the end. */
lun_dtype set_classes(call &c)
{
    const lun_operation *row = c.row;
    const std::string gives = promised(row, 0);
    const bool moved = !row->kind && ((gives == "same" && !c.form.keeps) || gives == "i64" || gives == "bool");
    lun_dtype both = LUN_DTYPES;
    bool floats = false;
    of_elements(c, [&](const octave_value &x) {
        const lun_dtype dtype = as_lunarray(x).a.dtype;
        floats = floats || !lun_dtype_has(dtype, LUN_WHOLE);
        return both = both == LUN_DTYPES || both == dtype ? dtype : joined(c.name(), both, dtype), x;
    });
    if (moved || both == LUN_DTYPES)
        return LUN_DTYPES;
    const auto cast_all = [&](lun_dtype to) {
        of_elements(c, [&](const octave_value &x) { return cast(x, x.iscomplex() ? to : lun_dtype_part(to)); });
    };
    const octave_value_list given = c.arguments;
    cast_all(both);
    if (both == LUN_f64 || both == LUN_f32) /* whole numbers of an operation of integers */
        if (!lun_operation_takes(row, the_device(), both) && lun_operation_takes(row, the_device(), LUN_i32)) {
            of_elements(c, [&](const octave_value &x) { return whole_of(c.name(), x); });
            return both;
        }
    if (!lun_dtype_has(both, LUN_WHOLE) || !lun_operation_takes(row, the_device(), LUN_f64))
        return LUN_DTYPES;
    lun_map_op function;
    const bool elementwise = lun_operation_is_elementwise(&function, row);
    const lun_dtype natural = lun_operation_takes(row, the_device(), both)
                                  ? dtype_of_result(row, c.arguments, c.options, c.name())
                                  : LUN_DTYPES;
    const bool wide = is_integer(both) && lun_dtype_bytes(both) == 8; /* no double holds all of them */
    if (wide && (c.form.keeps || (natural == both && (elementwise || !floats))))
        return check_whole(c, given), LUN_DTYPES;
    if ((natural == LUN_bool && !c.form.keeps && !floats) ||
        (row->kind && !elementwise && natural == both)) /* the least, and its like */
        return LUN_DTYPES;
    c.arguments = given; /* with the fractions among them */
    cast_all(LUN_f64);
    return is_integer(both) && (c.form.keeps || (elementwise && natural == both)) ? both : LUN_DTYPES;
}

/* A result as Octave has it: positions and counts in doubles, of two dimensions at least. */
octave_value finished(const call &c, octave_value y, bool as_row, lun_dtype whole, bool wide)
{
    if (!is_lunarray(y))
        return y;
    const lun_array *a = &as_lunarray(y).a;
    if (whole != LUN_DTYPES && lun_dtype_has(a->dtype, LUN_WHOLE) != lun_dtype_has(whole, LUN_WHOLE))
        y = cast(y, whole);
    else if (a->dtype == LUN_i32 || a->dtype == LUN_i64)
        y = wide ? y : cast(y, LUN_f64);
    return shaped(c.name(), y, a->ndim < 2 && as_row ? dim_vector(1, y.numel()) : y.dims());
}

octave_value_list described(const std::string &text, const char *op, const octave_value_list &args, int nargout)
{
    const lun_operation *row = lun_operation_find(LUN_OF_ARRAY, op);
    call c(text, row ? row : lun_operation_find(LUN_OF_MODULE, op));
    lun_map_op function;
    if (args.length() > 2 && !args(2).is_string() && lun_operation_is_elementwise(&function, c.row) &&
        c.form.items.size() == 2) { /* gcd (a, b, c) */
        octave_value_list rest = args.slice(1, args.length() - 1);
        rest(0) = described(text, op, args.slice(0, 2), 1)(0);
        return described(text, op, rest, nargout);
    }
    c.read(args);
    const octave_value first = first_of(c);
    if (std::strcmp(op, "where") == 0) /* two numbers say the class, as merge (m, 1, 2i) */
        for (int i = 1; i < c.arguments.length(); i++)
            if (!is_lunarray(c.arguments(3 - i)))
                c.arguments(i) = upload(c.name(), c.arguments(i));
    if (lun_operation_is_elementwise(&function, c.row))
        for (int i = 1; i < c.arguments.length(); i++)
            check_sizes(c.name(), c.arguments(i - 1).dims(), c.arguments(i).dims());
    set_shapes(c);
    const lun_dtype whole = set_classes(c);
    bool wide = false; /* are there integers of the kind of positions? */
    of_elements(c, [&](const octave_value &x) {
        const lun_dtype dtype = as_lunarray(x).a.dtype;
        return wide = wide || dtype == LUN_i32 || dtype == LUN_i64, x;
    });
    if (c.has_option("keepdims"))
        c.options.append(ovl("keepdims", true));
    octave_value_list results = operate(c.row, c.arguments, c.options, c.name(), true);
    if (c.has_option("info") && is_lunarray(results(0))) /* what can fail by values raises where the call is */
        look(c.name(), results(0));
    if (nargout > results.length())
        error_with_id("lunarray:function",
                      "%s: at most %d results are supported on the device; gather (x) brings the array back", c.name(),
                      int(results.length()));
    const bool as_row = c.form.row || (c.form.vectors && !c.form.column && first.ndims() == 2 && first.rows() == 1);
    for (int i = 0; i < results.length(); i++)
        results(i) = finished(c, results(i), as_row, whole, wide && !is_position(promised(c.row, i)));
    return results;
}

/* Is the array of an operation that takes no other one of Octave's own, so that only what says how is on the device? */
bool is_of_first(const std::string &op, const octave_value_list &args)
{
    const lun_operation *row = lun_operation_find(LUN_OF_ARRAY, op.c_str());
    if (!row || args.length() < 2 || is_lunarray(args(0)))
        return false;
    for (int i = 0; row->arguments[i].name; i++)
        if (row->arguments[i].kind == LUN_OPTION_ARRAY || row->arguments[i].kind == LUN_OPTION_ARRAYS)
            return false;
    return true;
}

} // namespace

DEFUN_DLD(__lun_operation__, args, nargout, "[y, ...] = __lun_operation__ (signature, operation, argument, ...)")
{
    const octave_value_list given = args.slice(2, args.length() - 2);
    const std::string text = args(0).string_value(), name = text.substr(0, text.find(' '));
    for (int i = 0; i < given.length(); i++)
        if (is_of_sparse(name, given(i)))
            return of_sparse(name, given, nargout);
    if (name == "stft" && (given.length() < 2 || !given(1).is_string())) /* Octave's own has other arguments */
        return octave::feval("builtin", ovl(name).append(given), nargout);
    const auto known = [&] { return octave::feval("exist", ovl(name), 1)(0).double_value() > 0; };
    const bool texts =
        args(1).string_value() == "where" && given.length() == 3 && given(1).is_string() && given(2).is_string();
    if ((texts || is_of_first(args(1).string_value(), given)) && known())
        return done_here(name.c_str(), given, nargout);
    const bool more = name == "gcd" && nargout > 1;
    if ((more || has_no_elements(given) || (name == "diff" && given.length() && given(0).numel() == 1)) && known())
        return made_by_octave(name.c_str(), given, nargout);
    return described(text, args(1).string_value().c_str(), given, nargout);
}

DEFUN_DLD(__lun_draw__, args, ,
          "[state, y] = __lun_draw__ (state, method, argument, ...): a draw from the stream with this state or seed.")
{
    int64_t numbers[LUN_RNG_NUMBERS] = {};
    const std::string name = args(1).string_value();
    const lun_operation *row = lun_operation_find(LUN_OF_STREAM, name.c_str());
    if (!row || name == "shuffle") /* which changes an array that other names may have */
        error_with_id("lunarray:function", "lunarray_rng: there is no method %s", name.c_str());
    const int64NDArray state = args(0).int64_array_value();
    for (octave_idx_type i = 0; i < state.numel() && i < LUN_RNG_NUMBERS; i++)
        numbers[i] = state(i).value();
    call_core("lunarray_rng", [&](lun_error *e) { return lun_rng_restore(&the_stream(), numbers, e); });
    std::string text = name + " (";
    for (const lun_operand *at = row->arguments; at->name && std::strcmp(at->name, "dtype") != 0; at++)
        text += std::string(at == row->arguments ? "" : ", ") + at->name;
    call c(text + ") row", row);
    c.read(args.slice(2, args.length() - 2));
    for (int i = 1; i < c.options.length(); i += 2)
        if (lun_operation_option(row, c.options(i - 1).string_value().c_str())->kind == LUN_OPTION_KEYS)
            c.options(i) = as_vector(c.name(), c.options(i));
    octave_value y = operate(row, c.arguments, c.options, c.name(), true)(0);
    if (is_lunarray(y))
        look(c.name(), y);
    lun_rng_save(numbers, &the_stream());
    int64NDArray after(dim_vector(1, LUN_RNG_NUMBERS));
    for (int i = 0; i < LUN_RNG_NUMBERS; i++)
        after(i) = octave_int64(numbers[i]);
    return ovl(after, finished(c, y, true, LUN_DTYPES, false));
}
