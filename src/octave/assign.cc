/* What Octave's parentheses write and take away: its rules of sizes, growth and classes. */
#include "selector.h"
#include "sparse.h"

#include <octave/Array-util.h>

#include <numeric>

namespace
{

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

/* The dimensions that the array must have for the positions to be there. `room`: those that the positions were seen in. */
dim_vector grown(const dim_vector &dims, const dim_vector &room, const std::vector<selector> &all)
{
    const int n = int(all.size());
    if (n == 1) {
        const octave_idx_type have = dims.numel(), want = all[0].last(have);
        if (want <= have)
            return dims;
        if (dims.ndims() != 2 || (dims(0) > 1 && dims(1) != 1))
            octave::err_invalid_resize();
        return dims(0) <= 1 ? dim_vector(1, want) : dim_vector(want, 1);
    }
    dim_vector out = room;
    for (int i = 0; i < n; i++)
        out(i) = all[i].last(room(i));
    if (out == dims.redim(n))
        return dims;
    if (n < dims.ndims())
        octave::err_invalid_resize();
    out.chop_trailing_singletons();
    return out;
}

/* The dimensions in which the positions are seen: the array's, but where it has none at all those that colons take of the value. */
dim_vector seen_in(const octave_value &into, const octave_value_list &index, const octave_value &value)
{
    const int n = index.length();
    const dim_vector dims = into.dims();
    if (n == 1)
        return dim_vector(into.numel(), 1);
    if (!dims.all_zero())
        return dims.redim(n);
    Array<octave::idx_vector> all(dim_vector(n, 1));
    for (int i = 0; i < n; i++)
        all(i) = is_lunarray(index(i)) ? selector(index(i), 0, i, n).seen() : index_at(index(i), i, n);
    return (n == 2 ? zero_dims_inquire(all(0), all(1), value.dims()) : zero_dims_inquire(all, value.dims())).redim(n);
}

/* Does the value fit the places, dimension by dimension but for those of 1? False: there is nothing to assign on either side. */
bool fits(const std::vector<selector> &all, const octave_value &value)
{
    const int n = int(all.size());
    dim_vector sizes = value.dims(), picked(1, 1);
    if (value.numel() == 1)
        return true;
    sizes.chop_all_singletons();
    picked.resize(n < 2 ? 2 : n, 1);
    bool match = n > 1;
    int at = 0;
    for (int i = 0; i < n; i++) {
        picked(i) = all[i].count;
        if (all[i].count != 1)
            match = match && at < sizes.ndims() && sizes(at++) == all[i].count;
    }
    if (match && (at >= sizes.ndims() || sizes(at) == 1))
        return true;
    if (n == 1 && all[0].count == value.numel())
        return true;
    if (n == 1 || !picked.any_zero() || value.numel() != 0)
        octave::err_nonconformant("=", n == 1 ? dim_vector(picked(0), 1) : picked, value.dims());
    return false;
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

/* The same where some are on the device. */
octave_value crossed_there(const std::vector<selector> &all, const dim_vector &dims)
{
    octave_value sum;
    double stride = 1;
    for (size_t i = 0; i < all.size(); i++) {
        dim_vector line = dim_vector(1, 1).redim(std::max(int(all.size()), 2));
        line(int(i)) = all[i].count;
        const octave_value at = shaped("=", cast(all[i].positions(), LUN_f64), line);
        const octave_value step = binary(LUN_MAP_mul, binary(LUN_MAP_sub, at, 1.0), stride);
        sum = i ? binary(LUN_MAP_add, sum, step) : step;
        stride *= double(dims(int(i)));
    }
    const size_t flat[] = {size_t(sum.numel())};
    return shaped("=", cast(binary(LUN_MAP_add, sum, 1.0), LUN_i64), 1, flat);
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
    const dim_vector dims = into.dims(), room = seen_in(into, index, given);
    octave_value value = upload("=", is_sparse(given) ? as_sparse(given).full_value() : given);
    std::vector<selector> all;
    bool regular = true, host = true, none = false;
    for (int i = 0; i < n; i++) {
        const bool colon = dims.all_zero() && n > 1 && index(i).is_magic_colon();
        all.emplace_back(colon ? octave_value(octave::range<double>(1, 1, double(room(i)))) : index(i), room(i), i, n);
        all[i].count_mask();
        regular = regular && all[i].regular;
        host = host && !all[i].on_device;
        none = none || all[i].count == 0;
    }
    const lun_dtype dtype = assigned(as_lunarray(into).a.dtype, as_lunarray(value).a.dtype);
    value = cast(value, dtype);
    if (!fits(all, value))
        return cast(into, dtype);
    const dim_vector wanted = grown(dims, room, all);
    octave_value out = wanted == dims ? owned(into, dtype) : cast(as_lunarray(into).resize(wanted), dtype);
    if (none)
        return out;
    const dim_vector place = n == 1 ? dim_vector(out.numel(), 1) : wanted.redim(n);
    if (regular)
        write_by_slices(out, all, place, value);
    else if (n == 1)
        put(out, all[0].positions(), value);
    else
        put(out, host ? crossed(all, place) : crossed_there(all, place), value);
    return out;
}

[[noreturn]] static void only_one_index()
{
    error_with_id("Octave:nonconformant-args", "a null assignment can only have one nonempty, non-colon index");
}

/* x(i) = [] */
static octave_value with_some_deleted(const octave_value &from, const octave::idx_vector &gone)
{
    const octave_idx_type n = from.numel();
    const dim_vector dims = from.dims();
    if (gone.is_colon())
        return shaped("=", by_one(from, octave::range<double>(1, 1, 0)), dim_vector(0, 0));
    if (gone.length(n) == 0)
        return from;
    if (gone.extent(n) != n)
        octave::err_del_index_out_of_range(true, gone.extent(n), n);
    const octave::idx_vector kept = gone.complement(n);
    const octave_value some = by_one(from, octave_value(kept));
    const bool column = dims.ndims() == 2 && dims(1) == 1 && dims(0) != 1;
    octave_idx_type from_position, behind;
    if (gone.is_cont_range(n, from_position, behind))
        return shaped("=", some, column ? dim_vector(some.numel(), 1) : dim_vector(1, some.numel()));
    return some;
}

/* The same by positions or truth values on the device, where those that stay are marked. */
static octave_value with_marked_deleted(const octave_value &from, const octave_value_list &index, int at)
{
    const int n = index.length();
    const dim_vector dims = n == 1 ? dim_vector(from.numel(), 1) : from.dims();
    const octave_idx_type room = dims(at);
    const size_t shape[] = {size_t(room)};
    lun_array *out;
    const octave_value stays = make("=", LUN_bool, 1, shape, &out);
    if (room)
        enqueue("=", [&](lun_attempt *t) { return lun_array_fill(out, lun_integer(1), nullptr, &t->err); });
    const selector gone(index(at), room, at, n);
    if (gone.last(room) > room)
        octave::err_del_index_out_of_range(n == 1, gone.last(room), room);
    const octave_value places = gone.positions();
    const octave_idx_type count = places.numel();
    if (count)
        put(stays, places, upload("=", false));
    octave_value_list kept(dims.ndims(), octave_value::magic_colon_t);
    kept(at) = stays;
    if (n > 1)
        return by_several(from, kept);
    const octave_value some = by_one(from, stays);
    const octave_idx_type left = some.numel();
    const auto last = [&] { return gather(as_lunarray(by_one(places, double(count)))).int64_value(); };
    if (count && (gone.mask ? last() == count : count == 1)) /* as Octave has it of the first `count` elements */
        return shaped("=", some,
                      from.ndims() == 2 && from.columns() == 1 && room > 1 ? dim_vector(left, 1) : dim_vector(1, left));
    return left == room ? from : room == 1 ? shaped("=", some, dim_vector(0, 1)) : some;
}

octave_value with_deleted(const octave_value &from, const octave_value_list &index)
{
    const int n = index.length();
    const dim_vector dims = from.dims();
    std::vector<octave::idx_vector> all;
    int at = -1, several = 0, wide = 0;
    bool none = false;
    for (int i = 0; i < n; i++) {
        const octave_idx_type room = i < dims.ndims() ? dims(i) : 1;
        const octave_value &there = index(i);
        const bool device = is_lunarray(there);
        all.push_back(device ? octave::idx_vector() : index_at(there, i, n));
        several += device || !all[i].is_colon();
        at = at < 0 && (device || !all[i].is_colon()) ? i : at;
        none = none || (n > 1 && wide < 2 &&
                        (!device             ? all[i].length(room)
                         : there.islogical() ? there.nnz()
                                             : there.numel()) == 0);
        wide += device || !all[i].is_colon_equiv(room);
    }
    if (n == 1)
        return is_lunarray(index(0)) ? with_marked_deleted(from, index, 0) : with_some_deleted(from, all[0]);
    if (several > 1 && none)
        return from;
    if (several > 1)
        only_one_index();
    if (at >= dims.ndims())
        error_with_id("Octave:index-out-of-bounds", "invalid dimension in delete_elements");
    if (at >= 0 && is_lunarray(index(at)))
        return with_marked_deleted(from, index, at);
    octave_value_list keep(dims.ndims(), octave_value::magic_colon_t);
    if (at < 0) {
        keep(0) = octave_value(octave::range<double>(1, 1, 0));
        return by_several(from, keep);
    }
    if (all[at].length(dims(at)) == 0)
        return from;
    if (all[at].extent(dims(at)) != dims(at))
        octave::err_del_index_out_of_range(false, all[at].extent(dims(at)), dims(at));
    keep(at) = octave_value(all[at].complement(dims(at)));
    return by_several(from, keep);
}
