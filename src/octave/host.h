/* GNU Octave as a host of core: what its files share. An m x n x p array of Octave's is a row-major array of p x n x m in core, the
 * same bytes, so that nothing moves; core's messages turn axes and sizes around (lun_manner). */
#pragma once

#include <octave/oct.h>
#include <octave/ov-typeinfo.h>
#include <vector>

#include "lunarray.h"

/* ---- calling core: device.cc -------------------------------------------------------------------------------- */

lun_device *the_device();
lun_rng &the_stream(); /* of the methods of streams: who calls one sets it before */

/* The frame around a call of core: lets interrupts in, and raises what core says. False: the call has succeeded. */
bool goes_on(lun_attempt *attempt, const char *name);

/* A call that enqueues nothing, and one that enqueues: f sets the attempt's status, and its `more`. */
template <typename F> void call_core(const char *name, F f)
{
    lun_attempt t;
    for (lun_attempt_start(&t, the_device()); goes_on(&t, name);)
        t.status = f(&t.err);
}
template <typename F> void enqueue(const char *name, F f)
{
    lun_attempt t;
    for (lun_attempt_enqueue(&t, the_device(), nullptr); goes_on(&t, name);)
        t.status = f(&t);
}

/* An array of Octave's own is needed by the function of Octave's that runs, and nothing is brought back silently. */
[[noreturn]] void not_brought_back();

bool runs(const char *name); /* is that function of Octave's running? */
/* By save in MATLAB's formats, which asks for arrays of Octave's own. */
bool is_being_stored();
bool is_taken(); /* or is the array one of few numbers that a function of Octave's takes? */
const char *class_of(lun_dtype dtype);

/* ---- the value: value.cc ------------------------------------------------------------------------------------ */

#define INTEGER_CLASSES(ROW)                                                                                           \
    ROW(int8, LUN_i8)                                                                                                  \
    ROW(int16, LUN_i16)                                                                                                \
    ROW(int32, LUN_i32)                                                                                                \
    ROW(int64, LUN_i64)                                                                                                \
    ROW(uint8, LUN_u8)                                                                                                 \
    ROW(uint16, LUN_u16)                                                                                               \
    ROW(uint32, LUN_u32)                                                                                               \
    ROW(uint64, LUN_u64)

class ov_lunarray : public octave_base_value
{
  public:
    lun_array a{}; /* a view or an array of its own: who writes looks whether another value shares its memory */

    ov_lunarray() = default;
    ov_lunarray(const ov_lunarray &other);
    ~ov_lunarray() { lun_array_clear(&a); }

    octave_base_value *clone() const { return new ov_lunarray(*this); }
    octave_base_value *empty_clone() const; /* what is assigned to where a name has no value yet: 0x0, of this class */

    bool is_defined() const { return true; }
    bool is_constant() const { return true; }
    bool is_matrix_type() const { return true; }
    bool isnumeric() const { return a.dtype != LUN_bool; }
    bool islogical() const { return a.dtype == LUN_bool; }
    bool isfloat() const { return !lun_dtype_has(a.dtype, LUN_WHOLE); }
    bool isinteger() const { return lun_dtype_has(a.dtype, LUN_WHOLE) && a.dtype != LUN_bool; }
    bool iscomplex() const { return lun_dtype_has(a.dtype, LUN_PAIRS); }
    bool isreal() const { return !iscomplex(); }
    bool is_real_scalar() const; /* to functions of Octave's, which take the number then */
    std::string class_name() const { return is_being_stored() ? class_of(a.dtype) : class_name_always(); }
    bool is_real_matrix() const { return isreal() && is_taken(); }
    bool is_complex_matrix() const { return iscomplex() && is_being_stored(); }
    bool is_single_type() const { return lun_dtype_part(a.dtype) == LUN_f32 && is_taken(); }
    bool isobject() const;                                    /* to ranges, which have no other way to a method */
    bool is_instance_of(const std::string &class_name) const; /* isa, by the class of the elements, too */
    bool is_true() const;
    octave_value all(int dim = 0) const { return along("all", dim); } /* which a switch asks, or gets 0 */
    octave_value any(int dim = 0) const { return along("any", dim); }
    std::size_t byte_size() const { return lun_array_bytes(&a); }
    dim_vector dims() const;

    octave_value map(unary_mapper_t function) const;
    octave_value reshape(const dim_vector &dims) const;
    octave_value permute(const Array<int> &order, bool inverse = false) const;
    octave_value squeeze() const;
    octave_value diag(octave_idx_type k = 0) const;
    octave_idx_type nnz() const;
    octave_value resize(const dim_vector &dims, bool fill = false) const;
    octave_value full_value() const { return clone(); }
    octave_value as_double() const;
    octave_value as_single() const;

    /* What a function asks for that knows arrays of Octave's own alone. */
    NDArray array_value(bool = false) const;
    FloatNDArray float_array_value(bool = false) const;
    ComplexNDArray complex_array_value(bool = false) const;
    FloatComplexNDArray float_complex_array_value(bool = false) const;
    Matrix matrix_value(bool = false) const;
    FloatMatrix float_matrix_value(bool = false) const;
    ComplexMatrix complex_matrix_value(bool = false) const;
    FloatComplexMatrix float_complex_matrix_value(bool = false) const;
    SparseMatrix sparse_matrix_value(bool = false) const;
    SparseComplexMatrix sparse_complex_matrix_value(bool = false) const;
    SparseBoolMatrix sparse_bool_matrix_value(bool = false) const;
    boolNDArray bool_array_value(bool = false) const;
    charNDArray char_array_value(bool = false) const;
    octave_value convert_to_str_internal(bool, bool, char) const;
    MatrixType matrix_type() const;
    octave_value diag(octave_idx_type m, octave_idx_type n) const;
    octave_value sort(octave_idx_type = 0, sortmode = ASCENDING) const;
    octave_value sort(Array<octave_idx_type> &, octave_idx_type = 0, sortmode = ASCENDING) const;
#define OF_INTEGERS(name, of)                                                                                          \
    octave_value as_##name() const;                                                                                    \
    bool is_##name##_type() const { return a.dtype == of; } /* one of them, or functions of Octave's abort */          \
    name##NDArray name##_array_value() const;
    INTEGER_CLASSES(OF_INTEGERS)
#undef OF_INTEGERS
    double double_value(bool = false) const;
    float float_value(bool = false) const;
    Complex complex_value(bool = false) const;
    FloatComplex float_complex_value(bool = false) const;
    bool bool_value(bool = false) const;
    uint64_t uint64_value(bool = false, bool = false) const;
    octave::idx_vector index_vector(bool = false) const; /* in an array of Octave's own */
    int int_value(bool = false, bool = false) const;
    int64_t int64_value(bool = false, bool = false) const;
    sortmode issorted(sortmode = UNSORTED) const;
    sortmode is_sorted_rows(sortmode = UNSORTED) const;
    Array<octave_idx_type> sort_rows_idx(sortmode = ASCENDING) const;

    octave_value do_index_op(const octave_value_list &index, bool grow = false);
    octave_value subsref(const std::string &type, const std::list<octave_value_list> &index);
    octave_value_list subsref(const std::string &type, const std::list<octave_value_list> &index, int)
    {
        return subsref(type, index);
    }
    octave_value subsasgn(const std::string &type, const std::list<octave_value_list> &index,
                          const octave_value &value);

    /* As what gather gives, `here`: its type, then its own. */
    octave_value here() const;
    bool become(const octave_value &read);
    bool save_ascii(std::ostream &out);
    bool load_ascii(std::istream &in);
    bool save_binary(std::ostream &out, bool as_floats);
    bool load_binary(std::istream &in, bool swap, octave::mach_info::float_format format);
    bool save_hdf5(octave_hdf5_id place, const char *name, bool as_floats);
    bool load_hdf5(octave_hdf5_id place, const char *name);

    void print(std::ostream &out, bool as_read = false);
    void print_raw(std::ostream &out, bool as_read = false) const;
    bool print_name_tag(std::ostream &out, const std::string &name) const;
    void short_disp(std::ostream &out) const;

  private:
    octave_value along(const char *name, int dim) const;
#define class_name class_name_always
    DECLARE_OV_TYPEID_FUNCTIONS_AND_DATA
#undef class_name
};

[[noreturn]] inline void invalid_call(const char *name)
{
    error_with_id("Octave:invalid-fun-call", "Invalid call to %s", name);
}

/* The string that an argument must be. */
inline std::string text_of(const octave_value &v, const char *message)
{
    if (!v.is_string())
        error_with_id("lunarray:misuse", "%s", message);
    return v.string_value();
}

/* The graph of the function that arrayfun traces at present; nullptr: none. */
lun_graph *traced_graph();
/* Which way such a function goes at a condition: it is called again for each. */
bool way_traced(const octave_value &condition);
/* What it has computed on its way before, up to the condition where ways part, is not computed again. */
bool noted_traced(octave_value_list *values);
void note_traced(const octave_value_list &values);
/* A number that such a function has found is an argument of its kernel. */
void note_number(lun_number *number);
/* What a graph computes of numbers and arrays. */
octave_value_list operate_traced(lun_graph *graph, const std::vector<lun_number> &numbers,
                                 const octave_value_list &arrays);
octave_value_list traced_call(octave::interpreter &interpreter, const octave_value &f, const octave_value_list &arrays,
                              int nargout);
/* What an operator gets, as a value. */
inline octave_value borrowed(const octave_base_value &v)
{
    return octave_value(const_cast<octave_base_value *>(&v), true);
}
/* The same; of a text the codes of its characters. */
inline octave_value operand(const octave_base_value &v)
{
    return v.is_string() ? octave_value(v.array_value(true)) : borrowed(v);
}
bool is_lunarray(const octave_value &value);
const ov_lunarray &as_lunarray(const octave_value &value);
/* A value whose array is still to be made or set; `made` is its array, as long as the value lives. */
octave_value fresh(lun_array **made);
octave_value make(const char *name, lun_dtype dtype, int ndim, const size_t *shape, lun_array **made);
/* The same for what is computed: while a function is traced, an array without elements. */
octave_value make_computed(const char *name, lun_dtype dtype, int ndim, const size_t *shape, lun_array **made);
/* Core's shape of Octave's dimensions; the number of axes. */
int core_shape(size_t *shape, const dim_vector &dims);
bool dtype_of_class(lun_dtype *out, const std::string &name);
octave_value upload(const char *name, const octave_value &value);
octave_value gather(const ov_lunarray &value);
/* What says how a function works, as a dimension, whose elements are looked at. */
inline octave_value brought(const octave_value &value)
{
    return is_lunarray(value) ? gather(as_lunarray(value)) : value;
}
/* Waits, so that what the values make fail raises here. */
void look(const char *name, const octave_value &value);
octave_value cast(const octave_value &value, lun_dtype dtype);
/* The same elements in a shape of that many axes; without a copy where they are one behind the other. */
octave_value shaped(const char *name, const octave_value &value, int ndim, const size_t *shape);
octave_value shaped(const char *name, const octave_value &value, const dim_vector &dims);

/* ---- elementwise: elementwise.cc ---------------------------------------------------------------------------- */

inline bool is_integer(lun_dtype dtype) { return lun_dtype_has(dtype, LUN_WHOLE) && dtype != LUN_bool; }
octave_value unary(lun_map_op op, const octave_value &x);
octave_value binary(lun_map_op op, const octave_value &x, const octave_value &y);
octave_value extreme_of_two(bool least, const octave_value &x, const octave_value &y); /* NaN loses */
octave_value_list polar_of(const octave_value &z); /* sizes and angles, which complex numbers are ordered by */
octave_value remainder_of(bool sign_of_divisor, const octave_value &x, const octave_value &y);
/* The dtype of Octave's class of a result: logical counts as double, integers win, then single. Raises for two integer classes. */
lun_dtype joined(const char *name, lun_dtype x, lun_dtype y);
/* The same of arrays that are joined: of two classes of integers the first. */
inline lun_dtype class_of_both(const char *name, lun_dtype x, lun_dtype y)
{
    return x == y || (is_integer(x) && is_integer(y)) ? x : joined(name, x, y);
}

/* The whole numbers of floats, or an error; sizes that go together, or an error; a vector with one axis. */
octave_value whole_of(const char *name, const octave_value &x);
void check_sizes(const char *name, const dim_vector &dx, const dim_vector &dy);
octave_value as_vector(const char *name, const octave_value &x);

/* ---- operators.cc ------------------------------------------------------------------------------------------- */

const char *word(lun_map_op op); /* what Octave's messages call it */
void install_operators(octave::type_info &types);
octave_value product_of_pages(const char *name, octave_value x, octave_value y);

/* ---- assign.cc ---------------------------------------------------------------------------------------------- */

octave_value with_deleted(const octave_value &from, const octave_value_list &index);
octave_value with_assigned(const octave_value &into, const octave_value_list &index, const octave_value &value);

/* ---- makers.cc ---------------------------------------------------------------------------------------------- */

octave_value full(const char *name, double value, lun_dtype dtype, const dim_vector &dims);
octave_value_list filled(const char *name, const octave_value_list &args, int nargout); /* rows of methods.def */
octave_value_list bound_of_class(const char *name, const octave_value_list &args, int nargout);
octave_value_list joined_along(const char *name, const octave_value_list &args, int nargout);

/* ---- replaced.cc -------------------------------------------------------------------------------------------- */

void install_replaced(octave::interpreter &interpreter); /* Octave's own functions that do more with the package */

/* ---- factors.cc --------------------------------------------------------------------------------------------- */

octave_value quotient_of_matrices(const octave_value &a, const octave_value &b);          /* a \\ b */
octave_value inverse_of(const octave_value &a, double *rcond);                            /* Inf where there is none */
octave_value_list inverted(const char *name, const octave_value_list &args, int nargout); /* rows of methods.def */
octave_value_list determinant(const char *name, const octave_value_list &args, int nargout);
octave_value_list triangle_of_squares(const char *name, const octave_value_list &args, int nargout);

/* ---- what Octave says itself: own.cc ------------------------------------------------------------------------ */

/* The class that the Octave at hand gives of integers or truth values, as it does of one element. `more`: all arguments. */
lun_dtype class_given(const char *name, lun_dtype dtype, const octave_value_list &more);
/* Octave's own function is called, and its results are sent to the device: of few numbers, and of arrays without elements. */
bool has_no_elements(const octave_value_list &args);
octave_value_list made_by_octave(const char *name, const octave_value_list &args, int nargout);
/* The same without sending: of an array of Octave's own, and arguments on the device that say how. */
octave_value_list done_here(const char *name, const octave_value_list &args, int nargout);

/* Makes cells of what is not, and calls Octave's own function. */
octave_value_list with_cells(const char *name, const octave_value_list &args, int first);

/* ---- requests: request.cc ----------------------------------------------------------------------------------- */

/* Core's operation of that name: arguments, then options by name and value. Messages call it `says`, where that is another name. */
octave_value_list operate(const char *op, lun_owner owner, const octave_value_list &arguments,
                          const octave_value_list &options, const char *says = nullptr);
/* The same of a row. `there`: numbers come as arrays on the device, where core does not look at them anyway. */
octave_value_list operate(const lun_operation *row, const octave_value_list &arguments,
                          const octave_value_list &options, const char *name, bool there);
/* The dtype of what would come first, without a call of it; LUN_DTYPES: it is a view. */
lun_dtype dtype_of_result(const lun_operation *row, const octave_value_list &arguments,
                          const octave_value_list &options, const char *name);

/* ---- dimensions: methods.cc --------------------------------------------------------------------------------- */

/* The dimension that Octave means, from 0: the first that is not 1. */
int dimension(const char *name, const octave_value &given, const dim_vector &dims);
/* The array with at least that many dimensions, in core's axes. */
octave_value deep(const char *name, const octave_value &x, int dims);
