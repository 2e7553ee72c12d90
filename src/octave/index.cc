/* Elements by their positions: what Octave's parentheses read, write and take away. */
#include "host.h"

#include <vector>

namespace
{

/* What stands for one dimension between the parentheses. */
struct selector {
    octave_value device; /* an array of positions, or (mask) of truth values, on the device */
    octave::idx_vector host;
    bool on_device, mask, regular = true;
    octave_idx_type count = 0, from = 0, step = 1;

    selector(const octave_value &v, octave_idx_type extent)
    {
        on_device = is_lunarray(v);
        mask = on_device && v.islogical();
        if (on_device) {
            regular = false;
            device = mask ? v : cast(v, LUN_i64);
            count = v.numel();
            return;
        }
        host = v.index_vector();
        count = host.length(extent);
        from = count ? host(0) : 0;
        step = count > 1 ? host(1) - host(0) : 1;
        for (octave_idx_type i = 2; regular && i < count; i++)
            regular = host(i) - host(i - 1) == step;
        regular = regular && (step != 0 || count < 2);
    }
    octave_idx_type last(octave_idx_type extent) const { return on_device ? extent : host.extent(extent); }
    lun_slice slice() const { return {from, step, size_t(count), false}; }
};

/* Positions as core has them, from 1, in i64. */
octave_value positions_of(const std::vector<int64_t> &positions)
{
    const size_t shape[] = {positions.size()};
    lun_array *out;
    size_t sent = 0;
    octave_value value = make("index", LUN_i64, 1, shape, &out);
    if (out->size)
        enqueue("index", [&](lun_attempt *t) {
            return lun_array_send(&t->more, &sent, out, positions.data(), nullptr, &t->err);
        });
    return value;
}

/* Those of a selector, one axis. */
octave_value positions_of(const selector &s)
{
    if (s.on_device) {
        const size_t flat[] = {size_t(s.count)};
        const octave_value all = shaped("index", s.device, 1, flat);
        return s.mask ? operate("nonzero", LUN_OF_ARRAY, ovl(all), ovl())(0) : all;
    }
    std::vector<int64_t> positions;
    positions.reserve(size_t(s.count));
    for (octave_idx_type i = 0; i < s.count; i++)
        positions.push_back(int64_t(s.host(i)) + 1);
    return positions_of(positions);
}

octave_value taken(const octave_value &from, const octave_value &index, int axis)
{
    const lun_array *a = &as_lunarray(from).a, *i = &as_lunarray(index).a;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_array *out;
    call_core("index", [&](lun_error *e) { return lun_take_result(&ndim, shape, a, i, axis, e); });
    octave_value value = make("index", a->dtype, ndim, shape, &out);
    enqueue("index", [&](lun_attempt *t) { return lun_take(out, a, i, axis, nullptr, &t->err); });
    return value;
}

octave_value sliced(const octave_value &from, const lun_slice *slices)
{
    lun_array *out;
    octave_value value = fresh(&out);
    call_core("index", [&](lun_error *e) { return lun_array_slice(out, &as_lunarray(from).a, slices, e); });
    return value;
}

[[noreturn]] void out_of_bound(octave_idx_type position, octave_idx_type bound, int place, int places,
                               const dim_vector &dims)
{
    std::string text;
    for (int i = 0; i < places; i++)
        text += (i ? "," : "") + (i == place ? std::to_string(position) : std::string("_"));
    error_with_id("Octave:index-out-of-bounds", "index (%s): out of bound %ld (dimensions are %s)", text.c_str(),
                  long(bound), dims.str('x').c_str());
}

/* x(i): one position for each element, column by column. */
octave_value by_one(const octave_value &x, const octave_value &index)
{
    const octave_idx_type n = x.numel();
    const dim_vector dims = x.dims();
    const size_t flat[] = {size_t(n)};
    const selector s(index, n);
    if (!s.on_device && s.last(n) > n)
        out_of_bound(s.last(n), n, 0, 1, dims);
    const octave_value all = shaped("index", x, 1, flat);
    const lun_slice slice = s.slice();
    const octave_value some = s.regular ? sliced(all, &slice) : taken(all, positions_of(s), 0);
    const octave_idx_type count = some.numel();
    if (!s.on_device && s.host.is_colon())
        return shaped("index", some, dim_vector(n, 1));
    dim_vector result = s.on_device ? (s.mask ? dim_vector(count, 1) : s.device.dims()) : s.host.orig_dimensions();
    if (s.mask && index.dims().ndims() == 2 && index.dims()(0) == 1)
        result = dim_vector(1, count);
    if (n != 1 && dims.is_nd_vector() && count != 1 && result.is_nd_vector())
        result = dim_vector(dims).make_nd_vector(count);
    return shaped("index", some, result);
}

octave_value by_several(const octave_value &x, const octave_value_list &index)
{
    const int n = index.length();
    const dim_vector dims = x.dims().redim(n);
    std::vector<selector> all;
    lun_slice slices[LUN_MAX_AXES];
    size_t shape[LUN_MAX_AXES];
    if (n > LUN_MAX_AXES)
        error_with_id("lunarray:badshape", "index: more than %d dimensions", LUN_MAX_AXES);
    for (int i = 0; i < n; i++) {
        all.emplace_back(index(i), dims(i));
        shape[n - 1 - i] = size_t(dims(i));
        if (all[i].last(dims(i)) > dims(i))
            out_of_bound(all[i].last(dims(i)), dims(i), i, n, x.dims());
        slices[n - 1 - i] = all[i].regular ? all[i].slice() : lun_slice{0, 1, size_t(dims(i)), false};
    }
    octave_value value = sliced(shaped("index", x, n, shape), slices);
    for (int i = 0; i < n; i++)
        if (!all[i].regular)
            value = taken(value, positions_of(all[i]), n - 1 - i);
    const lun_array *a = &as_lunarray(value).a;
    return n > 2 && a->shape[0] == 1 ? shaped("index", value, value.dims()) : value;
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

/* An array of its own, contiguous, of that dtype: the value's, if nobody else has its memory. */
octave_value owned(const octave_value &x, lun_dtype dtype)
{
    const lun_array *a = &as_lunarray(x).a;
    if (a->dtype != dtype)
        return cast(x, dtype);
    if (!lun_array_is_shared(a) && lun_array_is_contiguous(a))
        return x;
    lun_array *out;
    octave_value copy = make("=", dtype, a->ndim, a->shape, &out);
    enqueue("=", [&](lun_attempt *t) { return lun_array_copy(out, a, nullptr, &t->err); });
    return copy;
}

/* Octave's class of an array after something was assigned to elements of it: it stays, but for what the class cannot hold. */
lun_dtype assigned(lun_dtype into, lun_dtype value)
{
    if (lun_dtype_has(into, LUN_PAIRS))
        return into;
    if (lun_dtype_has(value, LUN_PAIRS))
        return into == LUN_f32 || (into != LUN_bool && lun_dtype_has(into, LUN_WHOLE))
                   ? (into == LUN_f32 ? LUN_c64 : value)
                   : LUN_c128;
    return into == LUN_bool && value == LUN_f32 ? LUN_f64 : into;
}

/* The dimensions that the array must have for the positions to be there. */
dim_vector grown(const dim_vector &dims, const std::vector<selector> &all)
{
    const int n = int(all.size());
    if (n == 1) {
        const octave_idx_type have = dims.numel(), want = all[0].last(have);
        if (want <= have)
            return dims;
        if (dims.zero_by_zero() || (dims.ndims() == 2 && dims(0) == 1))
            return dim_vector(1, want);
        if (dims.ndims() == 2 && dims(1) == 1)
            return dim_vector(want, 1);
        error_with_id("Octave:index-out-of-bounds", "Octave:index out of bound; value %ld out of bound %ld", long(want),
                      long(have));
    }
    dim_vector out = dims;
    if (out.ndims() < n)
        out.resize(n, 1);
    dim_vector seen = dims.redim(n);
    for (int i = 0; i < n; i++)
        if (all[i].last(seen(i)) > seen(i)) {
            if (seen(i) != out(i))
                error_with_id("Octave:index-out-of-bounds", "index (%d): out of bound; it cannot grow there", i + 1);
            out(i) = all[i].last(seen(i));
        }
    out.chop_trailing_singletons();
    return out;
}

dim_vector without_ones(const dim_vector &dims)
{
    dim_vector out(1, 1);
    int n = 0;
    out.resize(dims.ndims() < 2 ? 2 : dims.ndims(), 1);
    for (int i = 0; i < dims.ndims(); i++)
        if (dims(i) != 1)
            out(n++) = dims(i);
    out.chop_trailing_singletons();
    return out;
}

/* Writes at flattened positions from 1. */
void put(const octave_value &into, const octave_value &positions, const octave_value &value)
{
    const lun_array *index = &as_lunarray(positions).a, *a = &as_lunarray(into).a;
    octave_value flat =
        value.numel() == 1 ? shaped("=", value, 0, nullptr) : shaped("=", value, index->ndim, index->shape);
    const lun_values values = {&as_lunarray(flat).a, lun_integer(0)};
    enqueue("=", [&](lun_attempt *t) { return lun_put(a, index, &values, nullptr, &t->err); });
}

/* All positions that the selectors name together, in the order of their elements. */
octave_value crossed(const std::vector<selector> &all, const dim_vector &dims)
{
    std::vector<int64_t> positions(1, 1);
    int64_t stride = 1;
    size_t count = 1;
    for (const selector &s : all)
        count *= size_t(s.count);
    if (count == 0)
        return positions_of(std::vector<int64_t>());
    std::vector<int64_t> next;
    for (size_t i = 0; i < all.size(); i++) {
        next.clear();
        next.reserve(positions.size() * size_t(all[i].count));
        for (octave_idx_type k = 0; k < all[i].count; k++)
            for (int64_t p : positions)
                next.push_back(p + int64_t(all[i].host(k)) * stride);
        positions.swap(next);
        stride *= int64_t(dims(int(i)));
    }
    return positions_of(positions);
}

void write_by_slices(const octave_value &into, const std::vector<selector> &all, const dim_vector &dims,
                     const octave_value &value)
{
    const int n = int(all.size());
    size_t shape[LUN_MAX_AXES], part[LUN_MAX_AXES];
    lun_slice slices[LUN_MAX_AXES];
    for (int i = 0; i < n; i++) {
        shape[n - 1 - i] = size_t(dims(i));
        part[n - 1 - i] = size_t(all[i].count);
        slices[n - 1 - i] = all[i].slice();
    }
    const octave_value there = sliced(shaped("=", into, n, shape), slices);
    octave_value from = value;
    lun_array *spread;
    if (value.numel() == 1 && there.numel() != 1) {
        const octave_value one = shaped("=", value, 0, nullptr);
        from = fresh(&spread);
        call_core("=", [&](lun_error *e) { return lun_array_broadcast(spread, &as_lunarray(one).a, n, part, e); });
    } else
        from = shaped("=", value, n, part);
    enqueue("=", [&](lun_attempt *t) {
        return lun_array_copy(&as_lunarray(there).a, &as_lunarray(from).a, nullptr, &t->err);
    });
}

} // namespace

octave_value with_assigned(const octave_value &into, const octave_value_list &index, const octave_value &given)
{
    const int n = index.length();
    octave_value value = upload("=", given);
    const dim_vector dims = into.dims(), room = n == 1 ? dim_vector(into.numel(), 1) : dims.redim(n);
    std::vector<selector> all;
    dim_vector picked(1, 1);
    bool regular = true, host = true;
    int filled = 0;
    const dim_vector sizes = without_ones(value.dims());
    picked.resize(n < 2 ? 2 : n, 1);
    for (int i = 0; i < n; i++) {
        octave_value at = index(i);
        /* In an array without elements a colon is as long as what is assigned. */
        if (at.is_magic_colon() && dims.zero_by_zero() && n > 1)
            at = octave::range<double>(1, 1,
                                       double(value.numel() == 1          ? 1
                                              : n == value.dims().ndims() ? value.dims()(i)
                                                                          : sizes(filled)));
        all.emplace_back(at, room(i));
        picked(i) = all[i].count;
        filled += all[i].count != 1;
        regular = regular && all[i].regular;
        host = host && !all[i].on_device;
    }
    const lun_dtype dtype = assigned(as_lunarray(into).a.dtype, as_lunarray(value).a.dtype);
    value = cast(value, dtype);
    const bool masked = n == 1 && all[0].mask;
    const bool fits = n == 1 ? picked(0) == value.numel() : without_ones(picked) == sizes;
    if (!masked && value.numel() != 1 && !fits)
        error_with_id("Octave:nonconformant-args", "=: nonconformant arguments (op1 is %s, op2 is %s)",
                      (n == 1 ? dim_vector(1, picked(0)) : picked).str().c_str(), given.dims().str().c_str());
    const dim_vector wanted = grown(dims, all);
    octave_value out = wanted == dims ? owned(into, dtype) : cast(as_lunarray(into).resize(wanted), dtype);
    if (!masked && picked.any_zero())
        return out;
    const dim_vector place = n == 1 ? dim_vector(out.numel(), 1) : wanted.redim(n);
    if (regular)
        write_by_slices(out, all, place, value);
    else if (n == 1)
        put(out, positions_of(all[0]), value);
    else if (host)
        put(out, crossed(all, place), value);
    else
        error_with_id("lunarray:function",
                      "=: of several indices none may stand on the device; gather (i) brings it back");
    return out;
}

octave_value with_deleted(const octave_value &from, const octave_value_list &index)
{
    const int n = index.length();
    const dim_vector dims = from.dims();
    int at = -1;
    for (int i = 0; i < n; i++)
        if (!index(i).is_magic_colon()) {
            if (at >= 0)
                error("a null assignment can only have one non-colon index");
            at = i;
        }
    if (n == 1 && at >= 0 && !dims.is_nd_vector() && dims.numel() != 1)
        error("a null assignment can only have one non-colon index");
    const dim_vector room = n == 1 ? dim_vector(from.numel(), 1) : dims.redim(n);
    if (at < 0)
        return shaped("=", by_one(from, octave::range<double>(1, 1, 0)),
                      n == 1 ? dim_vector(0, 0) : dim_vector(0, dims(1)));
    const octave::idx_vector gone = index(at).index_vector();
    if (gone.extent(room(at)) > room(at))
        out_of_bound(gone.extent(room(at)), room(at), at, n, dims);
    const octave::idx_vector kept = gone.complement(room(at));
    octave_value_list keep = index;
    keep(at) = octave_value(kept);
    if (n == 1)
        return by_one(from, octave_value(kept.as_array().reshape(dims(0) == 1 ? dim_vector(1, kept.length())
                                                                              : dim_vector(kept.length(), 1)),
                                         true));
    return by_several(from, keep);
}

/* ---- the value's methods -------------------------------------------------------------------------------------------- */

octave_value ov_lunarray::do_index_op(const octave_value_list &index, bool)
{
    octave_value self(clone());
    return index.length() == 0 ? self : index.length() == 1 ? by_one(self, index(0)) : by_several(self, index);
}

octave_value ov_lunarray::subsref(const std::string &type, const std::list<octave_value_list> &index)
{
    if (type[0] != '(')
        error_with_id("lunarray:misuse", "a lunarray cannot be indexed with %c", type[0]);
    const octave_value out = do_index_op(index.front());
    return type.length() > 1 ? octave_value(out).next_subsref(type, index) : out;
}

octave_value ov_lunarray::subsasgn(const std::string &type, const std::list<octave_value_list> &index,
                                   const octave_value &value)
{
    if (type != "(")
        error_with_id("lunarray:misuse", "a lunarray cannot be indexed with %c in an assignment", type[0]);
    if (index.front().length() == 0)
        error("invalid empty index list");
    const octave_value self(this, true);
    if (value.type_name() == "null_matrix")
        return with_deleted(self, index.front());
    return with_assigned(self, index.front(), value);
}
