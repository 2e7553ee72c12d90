/* What asks a lunarray for an array of Octave's own: nothing is brought back silently, and the function that asks is named. */
#include "host.h"

#include <octave/interpreter.h>

/* The function that runs: of an inner one of Octave's what has called it. */
static const octave_function *running()
{
    const octave::call_stack &calls = octave::interpreter::the_interpreter()->get_evaluator().get_call_stack();
    const octave_function *f = calls.current_function();
    return f && f->name().compare(0, 2, "__") == 0 && calls.caller_function() ? calls.caller_function() : f;
}

[[noreturn]] void not_brought_back()
{
    error_with_id("lunarray:function",
                  "%s: there is no such function of arrays on the device; gather (x) brings them back",
                  running() ? running()->name().c_str() : "Octave");
}

octave::idx_vector ov_lunarray::index_vector(bool) const
{
    if (running() && running()->is_builtin_function() && running()->name().compare(0, 4, "eval") != 0)
        not_brought_back();
    error_with_id("lunarray:function",
                  "index: positions on the device are for arrays there; gather (i) brings them back, or lunarray (a) "
                  "sends the array there");
}

#define REFUSED(type, name, ...)                                                                                       \
    type ov_lunarray::name(__VA_ARGS__) const { not_brought_back(); }
REFUSED(NDArray, array_value, bool)
REFUSED(FloatNDArray, float_array_value, bool)
REFUSED(ComplexNDArray, complex_array_value, bool)
REFUSED(FloatComplexNDArray, float_complex_array_value, bool)
REFUSED(Matrix, matrix_value, bool)
REFUSED(FloatMatrix, float_matrix_value, bool)
REFUSED(ComplexMatrix, complex_matrix_value, bool)
REFUSED(FloatComplexMatrix, float_complex_matrix_value, bool)
REFUSED(SparseMatrix, sparse_matrix_value, bool)
REFUSED(SparseComplexMatrix, sparse_complex_matrix_value, bool)
REFUSED(SparseBoolMatrix, sparse_bool_matrix_value, bool)
REFUSED(boolNDArray, bool_array_value, bool)
REFUSED(charNDArray, char_array_value, bool)
REFUSED(octave_value, convert_to_str_internal, bool, bool, char)
REFUSED(MatrixType, matrix_type, )
REFUSED(octave_value, diag, octave_idx_type, octave_idx_type)
REFUSED(octave_value, sort, octave_idx_type, sortmode)
REFUSED(octave_value, sort, Array<octave_idx_type> &, octave_idx_type, sortmode)
REFUSED(double, double_value, bool)
REFUSED(float, float_value, bool)
REFUSED(Complex, complex_value, bool)
REFUSED(FloatComplex, float_complex_value, bool)
REFUSED(bool, bool_value, bool)
REFUSED(uint64_t, uint64_value, bool, bool)
REFUSED(int, int_value, bool, bool)
REFUSED(int64_t, int64_value, bool, bool)
REFUSED(sortmode, issorted, sortmode)
REFUSED(sortmode, is_sorted_rows, sortmode)
REFUSED(Array<octave_idx_type>, sort_rows_idx, sortmode)
