/* The value `lunarray`: its size and shape, how it is made of Octave's values and becomes one again, how it is shown. */
#include "host.h"

#include <octave/interpreter.h>
#include <octave/lo-array-errwarn.h>
#include <octave/ov-flt-cx-mat.h>
#include <octave/pager.h>

#include <memory>

DEFINE_OV_TYPEID_FUNCTIONS_AND_DATA(ov_lunarray, "lunarray", "lunarray");

bool is_lunarray(const octave_value &value) { return value.type_id() == ov_lunarray::static_type_id(); }
const ov_lunarray &as_lunarray(const octave_value &value)
{
    const ov_lunarray *array = dynamic_cast<const ov_lunarray *>(&value.get_rep());
    if (!array) /* a sparse one */
        not_brought_back();
    return *array;
}

ov_lunarray::ov_lunarray(const ov_lunarray &other) : octave_base_value()
{
    if (lun_array_is_live(&other.a))
        call_core("lunarray", [&](lun_error *e) { return lun_array_view(&a, &other.a, e); });
}

octave_base_value *ov_lunarray::empty_clone() const
{
    static const size_t none[] = {0, 0};
    std::unique_ptr<ov_lunarray> value(new ov_lunarray());
    call_core("lunarray", [&](lun_error *e) { return lun_array_create(&value->a, the_device(), a.dtype, 2, none, e); });
    return value.release();
}

octave_value fresh(lun_array **made)
{
    ov_lunarray *value = new ov_lunarray();
    *made = &value->a;
    return octave_value(value);
}

octave_value make(const char *name, lun_dtype dtype, int ndim, const size_t *shape, lun_array **made)
{
    octave_value value = fresh(made);
    call_core(name, [&](lun_error *e) { return lun_array_create(*made, the_device(), dtype, ndim, shape, e); });
    return value;
}

octave_value make_computed(const char *name, lun_dtype dtype, int ndim, const size_t *shape, lun_array **made)
{
    if (!traced_graph())
        return make(name, dtype, ndim, shape, made);
    octave_value value = fresh(made);
    call_core(name, [&](lun_error *e) {
        return lun_graph_array(*made, traced_graph(), the_device(), dtype, ndim, shape, e);
    });
    return value;
}

/* ---- shapes ------------------------------------------------------------------------------------------------- */

int core_shape(size_t *shape, const dim_vector &given)
{
    dim_vector dims = given;
    dims.chop_trailing_singletons();
    const int n = dims.ndims();
    if (n > LUN_MAX_AXES)
        error_with_id("lunarray:badshape", "lunarray: %s has more than %d dimensions", dims.str().c_str(),
                      LUN_MAX_AXES);
    for (int i = 0; i < n; i++)
        shape[i] = size_t(dims(n - 1 - i));
    return n;
}

dim_vector ov_lunarray::dims() const
{
    dim_vector dims(1, 1);
    dims.resize(a.ndim < 2 ? 2 : a.ndim, 1);
    for (int i = 0; i < a.ndim; i++)
        dims(i) = octave_idx_type(a.shape[a.ndim - 1 - i]);
    dims.chop_trailing_singletons();
    return dims;
}

octave_value shaped(const char *name, const octave_value &value, int ndim, const size_t *shape)
{
    const lun_array *from = &as_lunarray(value).a;
    lun_array *out, *whole;
    octave_value copy, result = fresh(&out);
    if (!lun_array_is_contiguous(from)) {
        copy = make(name, from->dtype, from->ndim, from->shape, &whole);
        enqueue(name, [&](lun_attempt *t) { return lun_array_copy(whole, from, nullptr, &t->err); });
        from = whole;
    }
    call_core(name, [&](lun_error *e) { return lun_array_reshape(out, from, ndim, shape, e); });
    return result;
}

octave_value shaped(const char *name, const octave_value &value, const dim_vector &dims)
{
    size_t shape[LUN_MAX_AXES];
    const int n = core_shape(shape, dims);
    return shaped(name, value, n, shape);
}

octave_value ov_lunarray::reshape(const dim_vector &dims) const
{
    if (dims.numel() != numel())
        error_with_id("lunarray:badshape", "reshape: can't reshape %s array to %s array", this->dims().str().c_str(),
                      dims.str().c_str());
    return shaped("reshape", clone(), dims);
}

octave_value ov_lunarray::squeeze() const
{
    const dim_vector all = dims(), some = dim_vector(all).squeeze();
    const bool column = all.ndims() > 2 && some.ndims() == 2 && some(0) == 1; /* which dim_vector makes a row of */
    return reshape(column ? dim_vector(some(1), 1) : some);
}

octave_idx_type ov_lunarray::nnz() const
{
    return a.size ? octave_idx_type(operate("nnz", LUN_OF_ARRAY, ovl(octave_value(clone())), ovl())(0).double_value())
                  : 0;
}

octave_value ov_lunarray::permute(const Array<int> &order, bool inverse) const
{
    const int n = int(order.numel());
    int axes[LUN_MAX_AXES];
    dim_vector dims = this->dims();
    if (n > LUN_MAX_AXES)
        error_with_id("lunarray:badshape", "permute: more than %d dimensions", LUN_MAX_AXES);
    if (n < dims.ndims())
        error_with_id("lunarray:badshape", "permute: %d dimensions are named, the array has %d (%s)", n,
                      int(dims.ndims()), dims.str().c_str());
    size_t shape[LUN_MAX_AXES];
    for (int i = 0; i < n; i++)
        shape[n - 1 - i] = i < dims.ndims() ? size_t(dims(i)) : 1;
    lun_array *out;
    octave_value whole = shaped("permute", clone(), n, shape), value = fresh(&out);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (order(i) == order(j))
                error_with_id("lunarray:misuse", "permute: permutation vector cannot contain identical elements");
    for (int i = 0; i < n; i++)
        if (inverse)
            axes[n - 1 - order(i)] = n - 1 - i;
        else
            axes[n - 1 - i] = n - 1 - order(i);
    call_core("permute", [&](lun_error *e) { return lun_array_permute(out, &as_lunarray(whole).a, axes, e); });
    return value;
}

octave_value ov_lunarray::resize(const dim_vector &dims, bool) const
{
    size_t shape[LUN_MAX_AXES];
    lun_array *out;
    const int n = core_shape(shape, dims);
    if (dims.ndims() < this->dims().ndims() && !dims.zero_by_zero()) /* which Octave makes before it joins */
        octave::err_invalid_resize();
    octave_value value = make("resize", a.dtype, n, shape, &out);
    if (out->size)
        enqueue("resize", [&](lun_attempt *t) { return lun_array_fill(out, lun_integer(0), nullptr, &t->err); });
    octave_value_list index;
    const dim_vector old = this->dims();
    for (int i = 0; i < std::max(dims.ndims(), old.ndims()); i++)
        index(i) =
            octave::range<double>(1, 1, double(std::min(i < old.ndims() ? old(i) : 1, i < dims.ndims() ? dims(i) : 1)));
    if (a.size == 0 || dims.any_zero())
        return value;
    return with_assigned(value, index, octave_value(clone()).index_op(index));
}

bool ov_lunarray::is_true() const
{
    if (a.size == 0)
        return false;
    if (lun_array_graph(&a))
        return way_traced(octave_value(clone()));
    const octave_value all = operate("all", LUN_OF_ARRAY, ovl(octave_value(clone())), ovl())(0);
    return all.bool_value();
}

/* ---- classes -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    lun_dtype dtype;
} classes[] = {{"double", LUN_f64}, {"single", LUN_f32}, {"logical", LUN_bool}, {"int8", LUN_i8},
               {"int16", LUN_i16},  {"int32", LUN_i32},  {"int64", LUN_i64},    {"uint8", LUN_u8},
               {"uint16", LUN_u16}, {"uint32", LUN_u32}, {"uint64", LUN_u64}};

const char *class_of(lun_dtype dtype)
{
    for (const auto &row : classes)
        if (row.dtype == lun_dtype_part(dtype))
            return row.name;
    return lun_dtype_name(dtype);
}

bool dtype_of_class(lun_dtype *out, const std::string &name)
{
    for (const auto &row : classes)
        if (name == row.name) {
            *out = row.dtype;
            return true;
        }
    return false;
}

bool ov_lunarray::is_instance_of(const std::string &name) const { return name == class_of(a.dtype); }

#define AS(name, dtype)                                                                                                \
    octave_value ov_lunarray::as_##name() const { return cast(octave_value(clone()), dtype); }
AS(double, iscomplex() ? LUN_c128 : LUN_f64)
AS(single, iscomplex() ? LUN_c64 : LUN_f32)
INTEGER_CLASSES(AS)

/* ---- from Octave's values, and back --------------------------------------------------------------------------- */

template <typename T> static octave_value sent(const char *name, const T &from, lun_dtype dtype)
{
    size_t shape[LUN_MAX_AXES], done = 0;
    lun_array *out;
    const int n = core_shape(shape, from.dims());
    octave_value value = make(name, dtype, n, shape, &out);
    if (out->size)
        enqueue(name,
                [&](lun_attempt *t) { return lun_array_send(&t->more, &done, out, from.data(), nullptr, &t->err); });
    return value;
}

octave_value upload(const char *name, const octave_value &v)
{
    if (is_lunarray(v))
        return v;
    if (v.iscomplex())
        return v.is_single_type() ? sent(name, v.float_complex_array_value(), LUN_c64)
                                  : sent(name, v.complex_array_value(), LUN_c128);
    if (v.islogical())
        return sent(name, v.bool_array_value(), LUN_bool);
    if (v.is_single_type())
        return sent(name, v.float_array_value(), LUN_f32);
    if (v.is_double_type() || v.is_range())
        return sent(name, v.array_value(), LUN_f64);
#define SEND(type, dtype)                                                                                              \
    if (v.is_##type##_type())                                                                                          \
        return sent(name, v.type##_array_value(), dtype);
    INTEGER_CLASSES(SEND)
    error_with_id("lunarray:class", "%s: a numeric or logical array is needed, got a %s", name, v.class_name().c_str());
}

template <typename T> static octave_value received(const ov_lunarray &from)
{
    T out(from.dims());
    size_t done = 0;
    if (from.a.size)
        enqueue("gather", [&](lun_attempt *t) {
            return lun_array_receive(&t->more, &done, out.fortran_vec(), &from.a, nullptr, &t->err);
        });
    return octave_value(out);
}

octave_value gather(const ov_lunarray &x)
{
    switch (x.a.dtype) {
    case LUN_bool:
        return received<boolNDArray>(x);
#define RECEIVE(type, dtype)                                                                                           \
    case dtype:                                                                                                        \
        return received<type##NDArray>(x);
        INTEGER_CLASSES(RECEIVE)
    case LUN_f32:
        return received<FloatNDArray>(x);
    case LUN_f64:
        return received<NDArray>(x);
    case LUN_c64:
        return received<FloatComplexNDArray>(x);
    case LUN_c128:
        return received<ComplexNDArray>(x);
    default:
        error_with_id("lunarray:class", "gather: Octave has no class for %s", lun_dtype_name(x.a.dtype));
    }
}

void look(const char *name, const octave_value &x)
{
    if (x.isempty())
        return;
    const octave_value first = octave_value(x).index_op(ovl(1.0));
    double room[2];
    size_t done = 0;
    enqueue(name, [&](lun_attempt *t) {
        return lun_array_receive(&t->more, &done, room, &as_lunarray(first).a, nullptr, &t->err);
    });
}

void ov_lunarray::short_disp(std::ostream &out) const
{
    out << "lunarray " << dims().str() << ' ' << class_of(a.dtype);
}
