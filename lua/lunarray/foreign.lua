-- Well-known names in other libraries, and lunarray's equivalents: a name of the same class, or a sentence. A sentence
-- about arrays is also shown to users of the module and of devices.

local joining = "lun.concat{a, b} joins arrays, and lun.stack{a, b} along a new axis"
local groups = "lun.sort_by(keys, keys, a) groups equal keys, and a:sum{segments = starts} or another reduction "
    .. "reduces each group"
local again = "a:device():rng(seed) is a stream of random numbers, and a:device():random(shape) fills an array"
local waiting = "a:device():finish() waits for all work, and a call with async = true gives an event to wait for"
local rows = "lun.concat{a, b} joins matrices one below the other, and lun.stack{a, b} makes vectors the rows "
    .. "of a matrix"
local length = "#a is the size of the first axis, and a:size() the number of elements"
local limits = "lun.dtypes().f32 has eps, smallest, min and max; the other dtypes have the same fields"

local erosion = "m:pad(1):windows{3, 3}:all{axis = {3, 4}} erodes a mask by a square, and any instead of all dilates it"
local cdf = "lun.erfc(x / -2 ^ 0.5) / 2 is the normal distribution at x, and lun.erfcinv(2 * p) * -2 ^ 0.5 its quantile"
local triangle = 'a:solve(b, {assume = "lower"}) solves with the lower triangle of a, and "upper" with the upper one'
local minimum = "lun.minimize(f, x0, {gradient = g}) finds a minimum, and a:lstsq(b) solves linear least squares"
local gradient = 'there are no gradients; lun.minimize takes {gradient = "differences"}'

local function nearby(op)
    return ('a:pad(1, {mode = "symmetric"}):windows{3, 3}:%s{axis = {3, 4}} is that of 3 x 3 neighbours'):format(op)
end

local places = "lun.meshgrid(i, j, {indexing = \"ij\", sparse = true}) has the index arrays, for a:take{...} and a:put"

local function methods(names)
    return "its functions are methods of arrays, as " .. names
end

local function coefficients(sign)
    return ("a %s b, if both have as many coefficients; a:pad{{n, 0}} has n zeros before those of a"):format(sign)
end

local function last_two(name)
    return ("a:%s{axis = {-2, -1}} transforms the last two axes, and a:%s() all"):format(name, name)
end

-- The classes in which users look for the names ("module": the functions of lun), and the names.
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
        map = "lun.fuse(f) compiles a Lua function into one kernel, and dev:map(text, {x = a}) an expression",
        apply = "lun.fuse(f) compiles a Lua function into one kernel, and dev:map(text, {x = a}) an expression",
        fillna = "a:isnan():where(0, a) replaces NaN by 0",
        ffill = "a:scan{combine = \"isnan(b) ? a : b\"} replaces NaN by the last element that is not NaN",
        bfill = "a:scan{combine = \"isnan(a) ? b : a\", reverse = true} replaces NaN by the next element "
            .. "that is not NaN",
        mode = "local values, counts = a:unique{counts = true}; values:get(counts:argmax()) is the most frequent",
        lexsort = "lun.sort_by(keys, ...), called with the last key first, sorts by several keys, since it is stable",
        hstack = "lun.concat({a, b}, 2) joins matrices side by side, and lun.concat{a, b} vectors",
        column_stack = "lun.stack({a, b}, 2) makes vectors the columns of a matrix, and lun.concat({a, b}, 2) "
            .. "joins matrices",
        dstack = "lun.stack({a, b}, 3) joins matrices along a new third axis, and lun.concat({a, b}, 3) along "
            .. "an existing one",
        block = "lun.concat{lun.concat({a, b}, 2), lun.concat({c, d}, 2)} is one matrix of four",
        argwhere = "m:nonzero{axes = true} returns a row of positions for each nonzero element",
        flatnonzero = "m:reshape(-1):nonzero() returns the positions of the nonzero elements, counted row by row",
        fliplr = "a:flip(2) reverses the columns",
        flipud = "a:flip(1) reverses the rows",
        chol = "cholesky", hist = "histogram", median_filter = "medfilt", pearsonr = "corrcoef", psd = "welch",
        imsave = "imwrite", binary_propagation = "propagate",
        erode = erosion, dilate = erosion, binary_erosion = erosion, binary_dilation = erosion,
        maximum_filter = nearby "max", minimum_filter = nearby "min", uniform_filter = nearby "mean",
        find_peaks = "(a:slice{2, -2}:gt(a:slice{1, -3}) & a:slice{2, -2}:gt(a:slice{3, -1})):nonzero() + 1 has the "
            .. "positions of peaks",
        one_hot = "a:expand(2):eq(lun.arange(k)) has a row for each label from 1 to k",
        cdf = cdf, ppf = cdf, ndtr = cdf, ndtri = cdf, norm_cdf = cdf, norm_ppf = cdf,
        solve_triangular = triangle, cho_solve = "lun.cholesky_solve(l, b) solves by the factor l of a:cholesky()",
        sqrtm = "w, v = a:eigh() gives (v * w:sqrt()):matmul(v:t()) of a symmetric matrix",
        logm = "w, v = a:eigh() gives (v * w:log()):matmul(v:t()) of a symmetric matrix",
        zscore = "(a - a:mean()) / a:std() has mean 0 and deviation 1",
        rolling = "a:windows(width):mean{axis = -1} reduces each window of `width` elements",
        cumtrapz = "((a:slice{2, -1} + a:slice{1, -2}) / 2):cumsum() integrates up to each element",
        cumulative_trapezoid = "((a:slice{2, -1} + a:slice{1, -2}) / 2):cumsum() integrates up to each element",
        curve_fit = minimum, least_squares = minimum, grad = gradient, autograd = gradient,
        linalg = methods "a:solve(b), a:inv(), a:eigh() and a:svd()",
        special = methods "a:erf(), a:lgamma() and a:softmax()",
        signal = methods "a:sosfilt(sos), a:welch{n = 256} and a:detrend(); lun.butter(4, cutoff) designs sos",
        stats = methods "a:skew(), a:quantile(q) and a:corrcoef(b)",
        ndimage = methods "a:gaussian_filter(1), a:medfilt(3) and a:label()",
        interpolate = methods "a:interp(x, y) and a:map_coordinates(points)",
        spatial = methods "a:cdist(b) and a:neighbours(radius)",
        integrate = "lun.odeint(f, y0, t) solves differential equations, and a:trapezoid() integrates samples",
        optimize = minimum,
        polyadd = coefficients "+", polysub = coefficients "-", ix = places, ix_ = places,
    } },
    { "array device module", {
        concatenate = joining,
        shuffle = "dev:rng(seed):permutation(a) returns the rows of a in random order",
    } },
    { "device module", {
        seed = "rng", randn = "normal",
        rand = "random", uniform = "random", default_rng = "rng", range = "arange", identity = "eye",
        tensor = "array", asarray = "array", finfo = limits, iinfo = limits,
        pi = "math.pi is Lua's",
        e = "math.exp(1) is that number",
        isdtype = "lun.dtypes()[a:dtype()] has the fields whole, signed, nans, truths and pairs",
        result_type = "lun.promoted(dtype, other) is the dtype of a result of both",
        can_cast = "lun.promoted(from, to) is `to` where promotion allows it",
        inf = "math.huge is Lua's",
        nan = "0/0 is NaN in Lua",
        newaxis = "a:expand(axis) adds an axis",
    } },
    { "array device", { concat = joining, stack = joining, cat = joining } },
    { "module", {
        cat = "concat", append = joining, read_csv = "loadtxt", genfromtxt = "loadtxt", solve_ivp = "odeint",
        jit = "fuse", mgrid = "indices", hann = 'lun.window("hann", n) is that window',
        hamming = 'lun.window("hamming", n) is that window',
    } },
    { "sparse", {
        T = "t", transpose = "t", toarray = "dense", todense = "dense", diagonal = "diag",
        trace = "A:diag():sum() is the trace", norm = "A:values():norm() is the Frobenius norm",
    } },
    { "rng", {
        random = "uniform", rand = "uniform", randn = "normal", randint = "integers", standard_normal = "normal",
        bernoulli = "rng:binomial(shape, {n = 1, p = p}) draws 0 and 1",
        sample = "choice", spawn = "stream", split = "stream", jumped = "stream",
    } },
    { "array event host queue program kernel sparse", { close = "release" } },
    { "device", { build = "program", name = "dev:info().name is the name", type = "dev:info().type is the type" } },
    { "device queue", { synchronize = "finish" } },
}
