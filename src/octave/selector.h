/* What stands between Octave's parentheses, as index.cc and assign.cc use it. */
#pragma once

#include "host.h"

#include <octave/lo-array-errwarn.h>

#include <vector>

/* The positions that one of several indices means; what is none says at which place it is. */
inline octave::idx_vector index_at(const octave_value &v, int place, int places)
{
    try {
        return v.index_vector();
    } catch (octave::index_exception &e) {
        e.set_pos_if_unset(places, place + 1);
        throw;
    }
}

/* The highest of positions on the device, or 0 without any. It waits, so that what is not a position raises where it is used. */
octave_idx_type highest_of(const octave_value &positions, int place, int places);

/* What stands for one dimension between the parentheses. */
struct selector {
    octave_value device; /* an array of positions, or (mask) of truth values, on the device */
    octave::idx_vector host;
    bool on_device, mask, regular = true;
    octave_idx_type count = 0, from = 0, step = 1, highest = 0; /* highest: on the device */

    selector(const octave_value &v, octave_idx_type extent, int place, int places)
    {
        on_device = is_lunarray(v);
        mask = on_device && v.islogical();
        if (on_device) {
            regular = false;
            device = mask ? v : cast(v, LUN_i64);
            count = v.numel();
            if (!mask || count > extent)
                highest = highest_of(mask ? positions() : v, place, places);
            return;
        }
        host = index_at(v, place, places);
        count = host.length(extent);
        from = count ? host(0) : 0;
        step = count > 1 ? host(1) - host(0) : 1;
        const bool known = host.idx_class() == octave::idx_vector::class_range || host.is_colon();
        for (octave_idx_type i = 2; !known && regular && i < count; i++)
            regular = host(i) - host(i - 1) == step;
        regular = regular && (step != 0 || count < 2);
    }
    octave_idx_type last(octave_idx_type extent) const
    {
        return on_device ? std::max(extent, highest) : host.extent(extent);
    }
    lun_slice slice() const { return {from, step, size_t(count), false}; }
    /* In core's terms, from 1, in i64, one axis. */
    octave_value positions() const;
    /* A mask becomes the positions where it is true, as many as the device says. */
    void count_mask()
    {
        if (mask)
            device = positions(), mask = false, count = device.numel();
    }
    /* What Octave's rules of growth see: as far as these, and whether it is one. */
    octave::idx_vector seen() const
    {
        return !on_device              ? host
               : count == 1 && highest ? octave::idx_vector(highest - 1)
                                       : octave::idx_vector(0, highest);
    }
};

/* Positions as core has them, from 1, in i64. */
octave_value positions_of(const std::vector<int64_t> &positions);
octave_value sliced(const octave_value &from, const lun_slice *slices);
octave_value by_one(const octave_value &x, const octave_value &index); /* x(i) */
octave_value by_several(const octave_value &x, const octave_value_list &index);
