/* What asks a lunarray for an array of Octave's own: no array is brought back silently, and the function that asks is named. What
 * is not data but says how a function works is brought back: a number that a function asks for, positions in an array of Octave's
 * own, and what becomes a text. */
#include "host.h"

#include <octave/interpreter.h>

/* The function that runs: of an inner one of Octave's what has called it. */
static const octave_function *running()
{
    const octave::tree_evaluator &calls = octave::interpreter::the_interpreter()->get_evaluator();
    const octave_function *f = calls.current_function();
    return f && !f->is_user_code() && f->name().compare(0, 2, "__") == 0 && calls.caller_function()
               ? calls.caller_function()
               : f;
}

[[noreturn]] void not_brought_back()
{
    error_with_id("lunarray:function",
                  "%s: there is no such function of arrays on the device; gather (x) brings them back",
                  running() ? running()->name().c_str() : "Octave");
}

/* Positions in an array of Octave's own. */
octave::idx_vector ov_lunarray::index_vector(bool as_given) const
{
    if (running() && running()->is_builtin_function() && running()->name().compare(0, 4, "eval") != 0)
        not_brought_back();
    return gather(*this).index_vector(as_given);
}

octave_value ov_lunarray::convert_to_str_internal(bool pad, bool force, char type) const
{
    return gather(*this).convert_to_str(pad, force, type);
}

/* The one number of an array that a function asks for: a size, a count, a bound. */
static octave_value number_in(const ov_lunarray &x)
{
    if (x.a.size != 1)
        not_brought_back();
    return gather(x);
}

bool ov_lunarray::is_real_scalar() const
{
    return a.size == 1 && isreal() && running() && running()->is_builtin_function();
}

#define NUMBER(type, name)                                                                                             \
    type ov_lunarray::name(bool force) const { return number_in(*this).name(force); }
#define WHOLE_NUMBER(type, name)                                                                                       \
    type ov_lunarray::name(bool exact, bool force) const { return number_in(*this).name(exact, force); }
NUMBER(double, double_value)
NUMBER(float, float_value)
NUMBER(Complex, complex_value)
NUMBER(FloatComplex, float_complex_value)
NUMBER(bool, bool_value)
WHOLE_NUMBER(uint64_t, uint64_value)
WHOLE_NUMBER(int, int_value)
WHOLE_NUMBER(int64_t, int64_value)

/* Does a function run that asks for sizes or dimensions, as reshape (x, [2 3]), and takes its array as it is? Or one that takes few numbers
 * at a time: settings, and what a function of the user's gives to an integral. */
static bool asks_how()
{
    static const char *const names[] = {"size",       "reshape", "permute", "ipermute", "resize",  "cell",
                                        "size_equal", "quad",    "quadcc",  "lsode",    "dassl",   "daspk",
                                        "dasrt",      "dlmread", "fread",   "spparms",  "realmax", "realmin"};
    for (const char *name : names)
        if (runs(name))
            return true;
    return false;
}

bool runs(const char *name) { return running() && running()->name() == name; }
bool is_being_stored() { return runs("save"); }
bool is_taken() { return is_being_stored() || asks_how(); }

NDArray ov_lunarray::array_value(bool force) const
{
    if (!is_taken())
        not_brought_back();
    return gather(*this).array_value(force);
}

Matrix ov_lunarray::matrix_value(bool force) const { return Matrix(array_value(force)); }

#define STORED(type, name, ...)                                                                                        \
    type ov_lunarray::name(__VA_ARGS__) const                                                                          \
    {                                                                                                                  \
        if (!is_being_stored())                                                                                        \
            not_brought_back();                                                                                        \
        return gather(*this).name();                                                                                   \
    }
STORED(FloatNDArray, float_array_value, bool)
STORED(ComplexNDArray, complex_array_value, bool)
STORED(FloatComplexNDArray, float_complex_array_value, bool)
STORED(ComplexMatrix, complex_matrix_value, bool)
STORED(boolNDArray, bool_array_value, bool)
#define STORED_INTEGERS(name, of) STORED(name##NDArray, name##_array_value, )
INTEGER_CLASSES(STORED_INTEGERS)

#define REFUSED(type, name, ...)                                                                                       \
    type ov_lunarray::name(__VA_ARGS__) const { not_brought_back(); }
REFUSED(FloatMatrix, float_matrix_value, bool)
REFUSED(FloatComplexMatrix, float_complex_matrix_value, bool)
REFUSED(SparseMatrix, sparse_matrix_value, bool)
REFUSED(SparseComplexMatrix, sparse_complex_matrix_value, bool)
REFUSED(SparseBoolMatrix, sparse_bool_matrix_value, bool)
REFUSED(charNDArray, char_array_value, bool)
REFUSED(MatrixType, matrix_type, )
REFUSED(octave_value, sort, octave_idx_type, sortmode)
REFUSED(octave_value, sort, Array<octave_idx_type> &, octave_idx_type, sortmode)
REFUSED(sortmode, issorted, sortmode)
REFUSED(sortmode, is_sorted_rows, sortmode)
REFUSED(Array<octave_idx_type>, sort_rows_idx, sortmode)
