/* The dimensions that a reduction goes along, where they are more than one, and what it does with NaN. */
#pragma once

#include "host.h"

#include <vector>

/* What sum (x, [1 2], "omitnan"), max (x, [], "all") and their like say besides one dimension. */
struct extent {
    octave_value_list args; /* without it, and of one dimension, as which all that are meant are */
    dim_vector sizes;       /* of the result; none: as it comes */
    bool all = false, omits = false, includes = false;

    extent(const char *name, const octave_value_list &given, int at) : sizes(0, 0)
    {
        for (int i = 0; i < given.length(); i++) {
            const std::string word = i && given(i).is_string() ? given(i).string_value() : "";
            all = all || word == "all";
            omits = omits || word == "omitnan" || word == "omitmissing";
            includes = includes || word == "includenan" || word == "includemissing";
            if (word != "all" && word != "omitnan" && word != "omitmissing" && word != "includenan" &&
                word != "includemissing")
                args.append(given(i));
        }
        if (!is_lunarray(args(0)))
            return;
        const octave_value along = at < args.length() && !args(at).is_string() ? brought(args(at)) : octave_value();
        if (all) {
            args(0) = args(0).reshape(dim_vector(args(0).numel(), 1));
            set(at, 1.0);
        } else if (along.is_defined() && along.numel() > 1)
            join(name, at, along.xarray_value("%s: DIM must be a valid dimension", name));
    }

  private:
    void set(int at, const octave_value &dim)
    {
        while (args.length() < at)
            args.append(Matrix());
        if (args.length() > at && !args(at).is_string())
            args(at) = dim;
        else { /* before the word of a class */
            octave_value_list behind = args.slice(at, args.length() - at);
            args.resize(at);
            args.append(dim), args.append(behind);
        }
    }

    void join(const char *name, int at, const NDArray &dims)
    {
        const dim_vector whole = args(0).dims();
        std::vector<bool> meant(LUN_MAX_AXES, false);
        std::vector<int> order;
        sizes = whole;
        octave_idx_type together = 1;
        for (octave_idx_type i = 0; i < dims.numel(); i++) {
            const int dim = dimension(name, dims(i), whole);
            if (dim < whole.ndims() && !meant[size_t(dim)])
                order.push_back(dim), together *= whole(dim), sizes(dim) = 1;
            meant[size_t(dim)] = true;
        }
        dim_vector joined(together, 1);
        for (int i = 0; i < whole.ndims(); i++)
            if (!meant[size_t(i)])
                order.push_back(i);
        joined(1) = together ? whole.numel() / together : sizes.numel();
        Array<int> permutation(dim_vector(1, whole.ndims()));
        for (int i = 0; i < whole.ndims(); i++)
            permutation(i) = order[size_t(i)];
        args(0) = args(0).permute(permutation).reshape(joined);
        set(at, 1.0);
    }
};
