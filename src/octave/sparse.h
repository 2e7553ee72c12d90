/* Sparse arrays on the device, as values of Octave's. */
#pragma once

#include "api/functions.h"
#include "host.h"

class ov_sparse : public octave_base_value
{
  public:
    lun_array parts[3]{};   /* starts, columns, values */
    mutable lun_sparse s{}; /* in which core keeps what it finds out */

    ov_sparse() { s.starts = &parts[0], s.columns = &parts[1], s.values = &parts[2]; }
    ov_sparse(const ov_sparse &other);
    ~ov_sparse()
    {
        lun_sparse_forget(&s);
        for (lun_array &part : parts)
            lun_array_clear(&part);
    }
    octave_base_value *clone() const { return new ov_sparse(*this); }
    octave_base_value *empty_clone() const { return new ov_sparse(); }

    bool is_defined() const { return true; }
    bool is_constant() const { return true; }
    bool is_matrix_type() const { return true; }
    bool issparse() const { return true; }
    bool isnumeric() const { return !islogical(); }
    bool islogical() const { return parts[2].dtype == LUN_bool; }
    bool isfloat() const { return !islogical(); }
    bool iscomplex() const { return lun_dtype_has(parts[2].dtype, LUN_PAIRS); }
    bool isreal() const { return !iscomplex(); }
    bool is_complex_matrix() const { return iscomplex(); }
    std::size_t byte_size() const
    {
        return lun_array_bytes(&parts[0]) + lun_array_bytes(&parts[1]) + lun_array_bytes(&parts[2]);
    }
    dim_vector dims() const { return dim_vector(octave_idx_type(s.rows), octave_idx_type(s.width)); }
    octave_idx_type nnz() const;
    octave_idx_type nzmax() const { return octave_idx_type(parts[1].size); }
    octave_value full_value() const;
    octave_value diag(octave_idx_type k = 0) const;
    octave_value map(unary_mapper_t function) const;
    octave_value reshape(const dim_vector &dims) const;
    octave_value permute(const Array<int> &order, bool inverse = false) const;
    octave_value as_double() const;
    bool is_true() const;
    SparseBoolMatrix sparse_bool_matrix_value(bool = false) const { not_brought_back(); }
    MatrixType matrix_type() const { not_brought_back(); }
    SparseMatrix sparse_matrix_value(bool = false) const;
    SparseComplexMatrix sparse_complex_matrix_value(bool = false) const;
    bool save_ascii(std::ostream &out);
    bool load_ascii(std::istream &in);
    bool save_binary(std::ostream &out, bool as_floats);
    bool load_binary(std::istream &in, bool swap, octave::mach_info::float_format format);
    bool save_hdf5(octave_hdf5_id place, const char *name, bool as_floats);
    bool load_hdf5(octave_hdf5_id place, const char *name);
    NDArray array_value(bool = false) const { not_brought_back(); }
    ComplexNDArray complex_array_value(bool = false) const { not_brought_back(); }
    Matrix matrix_value(bool = false) const { not_brought_back(); }
    octave_value subsref(const std::string &, const std::list<octave_value_list> &);
    octave_value_list subsref(const std::string &type, const std::list<octave_value_list> &index, int)
    {
        return subsref(type, index);
    }
    octave_value subsasgn(const std::string &type, const std::list<octave_value_list> &index,
                          const octave_value &value);
    void print(std::ostream &out, bool as_read = false);
    void print_raw(std::ostream &out, bool as_read = false) const;
    bool print_name_tag(std::ostream &out, const std::string &name) const;

  private:
    octave_value here() const; /* what gather gives */
    bool become(const octave_value &read);
    DECLARE_OV_TYPEID_FUNCTIONS_AND_DATA
};

bool is_sparse(const octave_value &value);
const ov_sparse &as_sparse(const octave_value &value);
octave_value upload_sparse(const octave_value &value);
octave_value gather_sparse(const octave_value &value);
octave_value_list sparse_made(const char *name, const octave_value_list &args, int nargout); /* rows of methods.def */
/* A method of the class, with a sparse array among the arguments. */
bool is_of_sparse(const std::string &name, const octave_value &value);
octave_value_list of_sparse(const std::string &name, const octave_value_list &args, int nargout = 1);
octave_value row_of_core(const char *op, const octave_value_list &args, const octave_value_list &options = ovl());
octave_value part(const octave_value &a, int i); /* one of its arrays: starts, columns, values */
octave_value sparse_cast(const octave_value &a, lun_dtype dtype);
const char *triangle_of(const octave_value &a);      /* "lower", "upper", or "": it is not one */
octave_value transposed_view(const octave_value &x); /* x.' of an array of elements */
octave_value listed(const octave_value &column);     /* core's array of one axis */
octave_value with_values(const octave_value &a, const octave_value &values); /* the same places */
octave_value numeric(const octave_value &a);                                 /* truth values count as double */
/* By @lunarray/__of_sparse__.m, from the elements and their places; or it says that there is no such function. */
octave_value composed(const char *name, const octave_value_list &args);
[[noreturn]] void refuse(const char *name); /* a function of sparse arrays */
/* Octave's own sparse arrays by the names of their types; with an array on the device they go there for these operators. */
inline bool is_type_of_sparse(const std::string &type) { return type.compare(0, 6, "sparse") == 0; }
inline bool keeps_sparse(octave_value::binary_op op)
{
    return op != octave_value::op_add && op != octave_value::op_sub;
}
void install_sparse(octave::type_info &types, int of_arrays); /* behind the operators of arrays, whose type that is */
