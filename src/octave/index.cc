/* Elements by their positions: what Octave's parentheses read. */
#include "api/functions.h"
#include "selector.h"

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

octave_value selector::positions() const
{
    if (on_device) {
        const size_t flat[] = {size_t(device.numel())};
        const octave_value all = shaped("index", device, 1, flat);
        return mask ? operate("nonzero", LUN_OF_ARRAY, ovl(all), ovl())(0) : all;
    }
    std::vector<int64_t> places;
    places.reserve(size_t(count));
    for (octave_idx_type i = 0; i < count; i++)
        places.push_back(int64_t(host(i)) + 1);
    return positions_of(places);
}

octave_idx_type highest_of(const octave_value &positions, int place, int places)
{
    if (positions.isempty())
        return 0;
    octave_value whole = positions;
    if (positions.isfloat()) /* of what is not a whole number 0 */
        whole = binary(LUN_MAP_mul, positions, binary(LUN_MAP_eq, positions, cast(positions, LUN_i64)));
    const auto extreme = [&](const char *which) {
        return operate(which, LUN_OF_ARRAY, ovl(whole), ovl())(0).double_value();
    };
    if (!(extreme("min") >= 1))
        index_at(gather(as_lunarray(positions)), place, places); /* raises, in Octave's words */
    return octave_idx_type(extreme("max"));
}

static octave_value taken(const octave_value &from, const octave_value &index, int axis)
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

/* x(i): one position for each element, column by column. */
octave_value by_one(const octave_value &x, const octave_value &index)
{
    const octave_idx_type n = x.numel();
    const dim_vector dims = x.dims();
    const size_t flat[] = {size_t(n)};
    const selector s(index, n, 0, 1);
    if (s.last(n) > n)
        octave::err_index_out_of_range(1, 1, s.last(n), n, dims);
    const octave_value all = shaped("index", x, 1, flat);
    const lun_slice slice = s.slice();
    const octave_value some = s.regular ? sliced(all, &slice) : taken(all, s.positions(), 0);
    const octave_idx_type count = some.numel();
    if (!s.on_device && s.host.is_colon())
        return shaped("index", some, dim_vector(n, 1));
    dim_vector result = s.on_device ? s.device.dims() : s.host.orig_dimensions();
    if (s.mask) /* a vector as the mask is one, as Octave has it */
        result = result.numel() == 1 ? dim_vector(count, count) : result.make_nd_vector(count);
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
    for (int i = 0; i < n; i++) /* what is not an index at all is reported first */
        all.emplace_back(index(i), dims(i), i, n);
    for (int i = 0; i < n; i++) {
        shape[n - 1 - i] = size_t(dims(i));
        if (all[i].last(dims(i)) > dims(i))
            octave::err_index_out_of_range(n, i + 1, all[i].last(dims(i)), dims(i), x.dims());
        slices[n - 1 - i] = all[i].regular ? all[i].slice() : lun_slice{0, 1, size_t(dims(i)), false};
    }
    octave_value value = sliced(shaped("index", x, n, shape), slices);
    for (int i = 0; i < n; i++)
        if (!all[i].regular)
            value = taken(value, all[i].positions(), n - 1 - i);
    const lun_array *a = &as_lunarray(value).a;
    return n > 2 && a->shape[0] == 1 ? shaped("index", value, value.dims()) : value;
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
    if (value.isnull() || (value.dims().zero_by_zero() && runs("subsasgn"))) /* [], "" and '' */
        return with_deleted(self, index.front());
    return with_assigned(self, index.front(), value);
}
