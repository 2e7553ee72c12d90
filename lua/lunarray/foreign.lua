-- Well-known names that other libraries have, and what lunarray has instead: a name of the same class, or a sentence.
-- A sentence about arrays is shown to users of the module and of devices, too.

local joining = "lun.concat{a, b} joins arrays, and lun.stack{a, b} along a new axis"
local groups = "lun.sort_by(keys, keys, a) brings equal keys together, and a:sum{segments = starts} and its "
    .. "like reduce each run"
local again = "a:device():rng(seed) is a stream that draws again and again, and a:device():random(shape) fills an array"
local waiting = "a:device():finish() waits for all work, and a call with async = true gives an event to wait for"
local rows = "lun.concat{a, b} joins matrices one below the other, and lun.stack{a, b} has vectors as its rows"
local length = "#a is the size of the first axis, and a:size() the number of elements"
local limits = "lun.dtypes().f32 has eps, smallest, min and max, and so have the other dtypes by their names"

local function last_two(name)
    return ("a:%s{axis = {-2, -1}} transforms the last two axes, and a:%s() all"):format(name, name)
end

-- The classes whose users look for the names, "module" the functions of lun, and the names.
return {
    { "array", {
        astype = "cast", clone = "copy", mm = "matmul", tolist = "totable", numpy = "totable", item = "get", T = "t",
        permute = "transpose", view = "reshape", broadcast_to = "broadcast", unsqueeze = "expand",
        expand_dims = "expand", chunk = "split", numel = "size", variance = "var", stddev = "std",
        percentile = "quantile", nanpercentile = "nanquantile", digitize = "searchsorted", clip = "clamp",
        power = "pow", greater = "gt", greater_equal = "ge", less = "lt", less_equal = "le", array_equal = "equal",
        not_equal = "ne", logical_and = "land", logical_or = "lor", logical_xor = "lxor", logical_not = "lnot",
        bitwise_and = "band", bitwise_or = "bor", bitwise_xor = "bxor", bitwise_not = "bnot", left_shift = "shl",
        right_shift = "shr", subtract = "sub", multiply = "mul", divide = "div", floor_divide = "floordiv",
        remainder = "mod", negative = "neg", reciprocal = "recip", absolute = "abs", fabs = "abs", rint = "round",
        ln = "log", arcsin = "asin", arccos = "acos", arctan = "atan", arctan2 = "atan2", arcsinh = "asinh",
        arccosh = "acosh", arctanh = "atanh", deg2rad = "rad", radians = "rad", rad2deg = "deg", degrees = "deg",
        true_divide = "div", invert = "bnot", bitwise_count = "popcount", gamma = "tgamma", gammaln = "lgamma",
        center_of_mass = "centre_of_mass", pdist2 = "cdist", psi = "digamma", expit = "sigmoid", exp1 = "expint",
        masked_select = "mask", masked_fill = "mask_put", index_select = "take",
        gather = "take_along_axis", unravel_index = "unravel", scatter = "put_along_axis", scatter_add = "add_at",
        index_add = "add_at", ravel = "reshape", count_nonzero = "nnz", groupby = groups, group_by = groups,
        rand = again, randn = again, scale = "mul", wait = waiting, sync = waiting, vstack = rows, row_stack = rows,
        in1d = "isin", permute_dims = "transpose", rollaxis = "moveaxis", matrix_transpose = "mt", mT = "mt",
        reverse = "flip", repeat_interleave = "repeats", len = length, length = length, dim = "ndim", amax = "max",
        amin = "min", cumulative_sum = "cumsum", cumulative_prod = "cumprod", union1d = "union",
        intersect1d = "intersect", setdiff1d = "setdiff", setxor1d = "setxor",
        polymul = "convolve", inner = "tensordot", inverse = "inv", matrix_rank = "rank",
        matrix_norm = "norm", trapz = "trapezoid",
        fft2 = last_two "fftn", ifft2 = last_two "ifftn", rfft2 = last_two "rfftn", irfft2 = last_two "irfftn",
        pdist = "cdist",
        relu = "a:maximum(0) replaces negative elements by 0",
        map = "lun.fuse(f) makes one kernel of a Lua function, dev:map(text, {x = a}) of an expression",
        apply = "lun.fuse(f) makes one kernel of a Lua function, dev:map(text, {x = a}) of an expression",
        fillna = "a:isnan():where(0, a) replaces NaN by 0",
        ffill = "a:scan{combine = \"isnan(b) ? a : b\"} replaces NaN by the last element that is not NaN",
        bfill = "a:scan{combine = \"isnan(a) ? b : a\", reverse = true} replaces NaN by the next element "
            .. "that is not NaN",
        mode = "local values, counts = a:unique{counts = true}; values:get(counts:argmax()) is the most frequent",
        lexsort = "lun.sort_by(keys, ...) by the last key first, and so on, since sorting is stable",
        hstack = "lun.concat({a, b}, 2) joins matrices side by side, and lun.concat{a, b} vectors",
        column_stack = "lun.stack({a, b}, 2) has vectors as its columns, and lun.concat({a, b}, 2) joins matrices",
        dstack = "lun.stack({a, b}, 3) has matrices along a third axis, and lun.concat({a, b}, 3) joins along one",
        block = "lun.concat{lun.concat({a, b}, 2), lun.concat({c, d}, 2)} is one matrix of four",
        argwhere = "m:nonzero{axes = true} has a row of positions for each element that is not 0",
        flatnonzero = "m:reshape(-1):nonzero() has the positions, row by row, of what is not 0",
        fliplr = "a:flip(2) has the columns in reverse",
        flipud = "a:flip(1) has the rows in reverse",
        linalg = "its functions are methods of arrays, as a:solve(b), a:inv(), a:eigh() and a:svd()",
    } },
    { "array device module", {
        concatenate = joining,
        shuffle = "dev:rng(seed):permutation(a) has the rows of a in a random order",
    } },
    { "device module", {
        seed = "rng", randn = "normal",
        rand = "random", uniform = "random", default_rng = "rng", range = "arange", identity = "eye",
        tensor = "array", asarray = "array", finfo = limits, iinfo = limits,
        pi = "math.pi is Lua's",
        e = "math.exp(1) is that number",
        isdtype = "lun.dtypes()[a:dtype()] has whole, signed, nans, truths and pairs",
        result_type = "lun.promoted(dtype, other) is the dtype of a result of both",
        can_cast = "lun.promoted(from, to) is `to` where promotion allows it",
        inf = "math.huge is Lua's",
        nan = "0/0 is one in Lua",
        newaxis = "a:expand(axis) has a new axis",
    } },
    { "array device", { concat = joining, stack = joining, cat = joining } },
    { "module", { cat = "concat" } },
    { "rng", {
        random = "uniform", rand = "uniform", randn = "normal", randint = "integers",
        sample = "choice", spawn = "stream", split = "stream", jumped = "stream",
    } },
    { "array event host queue program kernel sparse", { close = "release" } },
    { "device", { build = "program", name = "dev:info().name is the name", type = "dev:info().type is the type" } },
    { "device queue", { synchronize = "finish" } },
}
