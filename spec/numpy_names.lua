-- NumPy's names and ours: lines that need words in one list, names of functions and reductions by their rows.
-- spec/house/numpy_spec.lua runs them, and tools/numpy_page.lua prints doc/numpy.md.
--
-- A section is { title, rows ... }. A row is { NumPy's, ours, expected, note = a few words }.
--   ours       a Lua expression, which the spec evaluates with the names of numpy_names.inputs, and lun and dev.
--   expected   what it gives: a number, true, false, a string, or an array's elements, nested; numbers within 1e-6 of
--              their size. { all = { each } } of several results, { lua = {...} } a table, { complex = { re, im } },
--              and { shape = {...} } where the elements are not told.
-- Rows stand by subject. A new word brings its row, and the page is made anew; names that we do not have stand in
-- numpy_names.missing.

local numpy_names = {}

numpy_names.inputs = [[
    local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
    local b = dev:array { { 6, 5, 4 }, { 3, 2, 1 } }
    local s = dev:array { { 1, 2 }, { 3, 4 } }
    local v, w = dev:array { 3, 1, 2 }, dev:array { 1, 2, 4 }
    local n, k = dev:array({ 6, -4, 9 }, "i32"), dev:array({ 4, 6, 3 }, "i32")
    local i = dev:array({ 2, 1 }, "i64")
    local x = dev:array { 0 / 0, 1, 1 / 0 }
    local z = dev:array({ lun.complex(3, 4) }, "c64")
    local m = a:gt(3)
]]

numpy_names.list = {
    { "Making arrays",
        { "np.array([[1, 2], [3, 4]])", "dev:array{{1, 2}, {3, 4}}", { { 1, 2 }, { 3, 4 } } },
        { "np.zeros((2, 3))", "dev:zeros{2, 3}", { { 0, 0, 0 }, { 0, 0, 0 } } },
        { "np.ones(2, dtype=np.int8)", "dev:ones(2, \"i8\")", { 1, 1 } },
        { "np.full((2,), 7)", "dev:full({2}, 7)", { 7, 7 } },
        { "np.empty((2, 3))", "dev:empty{2, 3}", { shape = { 2, 3 } } },
        { "np.zeros_like(a) ones_like full_like empty_like", "a:zeros_like()", { { 0, 0, 0 }, { 0, 0, 0 } } },
        { "np.arange(4)", "dev:arange(0, 3)", { 0, 1, 2, 3 },
            note = "the end is included; `dev:arange(3)` is 1, 2, 3" },
        { "np.linspace(0, 1, 5)", "dev:linspace(0, 1, 5)", { 0, 0.25, 0.5, 0.75, 1 } },
        { "np.linspace(0, 1, 4, endpoint=False)", "dev:linspace(0, 1, 4, {endpoint = false})", { 0, 0.25, 0.5, 0.75 } },
        { "np.eye(2, 3, 1), np.identity", "dev:eye(2, 3, 1)", { { 0, 1, 0 }, { 0, 0, 1 } } },
        { "np.tri(2, 3), np.tril_indices", "dev:tri(2, 3)", { { 1, 0, 0 }, { 1, 1, 0 } },
            note = "`dev:tri(2):nonzero()`" },
        { "np.logspace(0, 3, 4)", "dev:logspace(0, 3, 4)", { 1, 10, 100, 1000 }, note = "`{base = 2}`" },
        { "np.geomspace(1, 16, 5)", "dev:geomspace(1, 16, 5)", { 1, 2, 4, 8, 16 } },
        { "np.indices((2, 2)), np.mgrid, np.ogrid", "dev:indices{2, 2}",
            { all = { { { 1, 1 }, { 2, 2 } }, { { 1, 2 }, { 1, 2 } } } }, note = "one array for each axis" },
        { "np.vander(v, 3)", "w:vander(3)", { { 1, 1, 1 }, { 4, 2, 1 }, { 16, 4, 1 } } },
        { "np.broadcast_arrays(s, i)", "lun.broadcast(s, i)",
            { all = { { { 1, 2 }, { 3, 4 } }, { { 2, 1 }, { 2, 1 } } } } },
        { "np.trace(s)", "s:trace()", 5, note = "of a batch one for each matrix" },
        { "np.diag(v)", "v:diag()", { { 3, 0, 0 }, { 0, 1, 0 }, { 0, 0, 2 } } },
        { "np.meshgrid(v, w)", "lun.meshgrid(v, w)", { all = {
            { { 3, 1, 2 }, { 3, 1, 2 }, { 3, 1, 2 } }, { { 1, 1, 1 }, { 2, 2, 2 }, { 4, 4, 4 } } } } },
        { "np.frombuffer(bytes, dtype)", "dev:array(\"\\1\\2\", \"u8\")", { 1, 2 } },
        { "np.random.default_rng(1).uniform(size=3)", "dev:rng(1):uniform{3}", { shape = { 3 } } },
        { "rng.normal exponential integers poisson binomial", "dev:rng(1):normal{3}", { shape = { 3 } } },
        { "rng.permutation(5), rng.choice(5, 3)", "dev:rng(1):permutation(5):sort()", { 1, 2, 3, 4, 5 } },
    },
    { "Asking",
        { "a.shape", "{a:shape()}", { lua = { 2, 3 } } },
        { "len(a), a.size, a.ndim, a.nbytes", "{#a, a:size(), a:ndim(), a:nbytes()}", { lua = { 2, 6, 2, 24 } } },
        { "a.dtype", "a:dtype()", "f32" },
        { "a.tolist()", "a:totable()", { lua = { { 1, 2, 3 }, { 4, 5, 6 } } } },
        { "a.tobytes()", "#a:tobytes()", 24 },
        { "a.item(0, 1), a[0, 1]", "a:get(1, 2)", 2 },
        { "np.finfo(np.float32).eps", "lun.dtypes().f32.eps", 1.1920929e-7, note = "and `min`, `max`, `smallest`" },
        { "np.iinfo(np.int8).max", "lun.dtypes().i8.max", 127 },
        { "xp.isdtype(a.dtype, 'integral')", "lun.dtypes()[n:dtype()].whole", true },
        { "xp.can_cast(np.int8, np.int16)", "lun.promoted(\"i8\", \"i16\") == \"i16\"", true },
        { "np.pi, np.e, np.inf, np.nan", "{math.pi, math.exp(1)}", { lua = { 3.14159265, 2.71828183 } },
            note = "`math.huge`, `0/0`" },
        { "np.result_type", "lun.promoted(\"f32\", \"i8\")", "f32" },
        { "a.astype(np.int32)", "a:cast(\"i32\")", { { 1, 2, 3 }, { 4, 5, 6 } } },
        { "a.copy()", "a:copy()", { { 1, 2, 3 }, { 4, 5, 6 } } },
    },
    { "Arranging",
        { "a[0], a[:, 1]", "a:row(1), a:col(2)", { all = { { 1, 2, 3 }, { 2, 5 } } } },
        { "a[:, 0:2], a[::-1]", "a:slice(nil, {1, 2}), a:slice{2, 1, -1}",
            { all = { { { 1, 2 }, { 4, 5 } }, { { 4, 5, 6 }, { 1, 2, 3 } } } } },
        { "a[..., None], np.expand_dims", "a:expand(-1)", { { { 1 }, { 2 }, { 3 } }, { { 4 }, { 5 }, { 6 } } } },
        { "np.squeeze(a[None])", "a:expand(1):squeeze()", { { 1, 2, 3 }, { 4, 5, 6 } } },
        { "a.reshape(3, -1)", "a:reshape(3, -1)", { { 1, 2 }, { 3, 4 }, { 5, 6 } } },
        { "a.ravel(), a.flatten()", "a:reshape(-1), a:flatten()", { all = { { 1, 2, 3, 4, 5, 6 }, { 1, 2, 3, 4, 5,
            6 } } } },
        { "a.T", "a:t()", { { 1, 4 }, { 2, 5 }, { 3, 6 } } },
        { "a.mT, np.matrix_transpose", "a:mt()", { { 1, 4 }, { 2, 5 }, { 3, 6 } } },
        { "np.transpose(a, (1, 0)), np.permute_dims", "a:transpose{2, 1}", { { 1, 4 }, { 2, 5 }, { 3, 6 } } },
        { "np.swapaxes(a, 0, 1)", "a:swapaxes(1, 2)", { { 1, 4 }, { 2, 5 }, { 3, 6 } } },
        { "np.moveaxis(a, 0, -1), np.rollaxis", "a:moveaxis(1, -1)", { { 1, 4 }, { 2, 5 }, { 3, 6 } } },
        { "np.flip(a, 1), fliplr, flipud", "a:flip(2)", { { 3, 2, 1 }, { 6, 5, 4 } } },
        { "np.rot90(a)", "a:rot90()", { { 3, 6 }, { 2, 5 }, { 1, 4 } } },
        { "np.roll(v, 1)", "v:roll(1)", { 2, 3, 1 } },
        { "np.broadcast_to(v, (2, 3))", "v:broadcast(2, 3)", { { 3, 1, 2 }, { 3, 1, 2 } } },
        { "np.concatenate((a, b))", "lun.concat{a, b}", { { 1, 2, 3 }, { 4, 5, 6 }, { 6, 5, 4 }, { 3, 2, 1 } } },
        { "np.hstack((v, w)), np.append", "lun.concat{v, w}", { 3, 1, 2, 1, 2, 4 } },
        { "np.stack((v, w)), np.vstack", "lun.stack{v, w}", { { 3, 1, 2 }, { 1, 2, 4 } } },
        { "np.column_stack((v, w))", "lun.stack({v, w}, 2)", { { 3, 1 }, { 1, 2 }, { 2, 4 } } },
        { "np.split(a, 3, 1)", "a:split(3, 2)", { all = { { { 1 }, { 4 } }, { { 2 }, { 5 } }, { { 3 }, { 6 } } } } },
        { "np.array_split, np.split(v, [1])", "v:split{1, 2}", { all = { { 3 }, { 1, 2 } } } },
        { "np.unstack(a)", "a:unstack()", { all = { { 1, 2, 3 }, { 4, 5, 6 } } } },
        { "np.tile(v, 2)", "v:tile(2)", { 3, 1, 2, 3, 1, 2 } },
        { "np.pad(v, (1, 0))", "v:pad{{1, 0}}", { 0, 3, 1, 2 } },
        { "np.pad(v, 1, 'symmetric'), edge reflect wrap", "v:pad(1, {mode = \"symmetric\"})", { 3, 3, 1, 2, 2 } },
        { "np.pad(v, 2, 'linear_ramp', end_values=1)", "v:pad(2, {mode = \"linear_ramp\", value = 1})",
            { 1, 2, 3, 1, 2, 1.5, 1 } },
        { "np.tril(s), np.triu(s)", "s:tril(), s:triu()", { all = { { { 1, 0 }, { 3, 4 } }, { { 1, 2 }, { 0,
            4 } } } } },
        { "np.diagonal(s), np.diag(s)", "s:diagonal()", { 1, 4 } },
        { "sliding_window_view(v, 2)", "v:windows(2)", { { 3, 1 }, { 1, 2 } } },
        { "np.fill_diagonal(s, 0)", "s:diag():fill(0)", { 0, 0 } },
    },
    { "Choosing",
        { "np.take(a, [1, 0], axis=1)", "a:take(i, 2)", { { 2, 1 }, { 5, 4 } } },
        { "a[a > 3], np.extract, np.compress", "a:mask(m)", { 4, 5, 6 } },
        { "a[v > 1], a[[True, False]]", "a:mask(i:gt(1))", { { 1, 2, 3 } },
            note = "a mask over the first axes chooses rows" },
        { "np.argwhere(m)", "m:nonzero{axes = true}", { { 2, 1 }, { 2, 2 }, { 2, 3 } } },
        { "np.delete(v, [0, 1])", "v:delete{1, 2}", { 2 } },
        { "np.delete(a, 0, axis=1)", "a:delete(1, 2)", { { 2, 3 }, { 5, 6 } } },
        { "np.insert(v, 1, 7), np.append", "v:insert(2, 7)", { 3, 7, 1, 2 }, note = "`lun.concat` appends" },
        { "np.repeat(v, 2)", "v:repeats(2)", { 3, 3, 1, 1, 2, 2 }, note = "`repeat` is a keyword of Lua" },
        { "np.repeat(a, [1, 2], axis=0)", "a:repeats({1, 2}, 1)", { { 1, 2, 3 }, { 4, 5, 6 }, { 4, 5, 6 } } },
        { "a[a > 3] = 0, np.putmask, np.place", "a:mask_put(m, 0)", { { 1, 2, 3 }, { 0, 0, 0 } } },
        { "np.take_along_axis(a, np.argsort(a), -1)", "b:take_along_axis(b:argsort())", { { 4, 5, 6 }, { 1, 2, 3 } } },
        { "np.put_along_axis(a, p, 0, 1)", "a:put_along_axis({{2}, {1}}, 0)", { { 1, 0, 3 }, { 0, 5, 6 } },
            note = "the last axis, where none is said" },
        { "a[[1, 0], [1, 0]]", "a:take{i, i}", { 5, 1 }, note = "the same of `put` and `add_at`" },
        { "a[np.ix_([1, 0], [1, 0])]", "a:take{i:expand(2), i}", { { 5, 4 }, { 2, 1 } },
            note = "`put` and `add_at`, too" },
        { "np.unravel_index(p, (2, 3))", "k:unravel(2, 3)", { all = { { 2, 2, 1 }, { 1, 3, 3 } } } },
        { "np.ravel_multi_index((i, i), (2, 3))", "lun.ravel({i, i}, {2, 3})", { 5, 1 } },
        { "np.put(v, [1], 9)", "v:put(2, 9)", { 3, 9, 2 } },
        { "np.add.at(v, [1, 0], 1)", "v:add_at(i, 1)", { 4, 2, 2 } },
        { "np.multiply.at(v, [1, 0], 2), minimum, maximum",
            "v:copy():mul_at(i, 2), v:copy():min_at(i, 2), v:max_at(i, 2)",
            { all = { { 6, 2, 2 }, { 2, 1, 2 }, { 3, 2, 2 } } } },
        { "np.where(m, a, 0)", "lun.where(m, a, 0)", { { 0, 0, 0 }, { 4, 5, 6 } } },
        { "np.select([v > 2, v < 2], [v, 0], 9), piecewise", "lun.select({v:gt(2), v:lt(2)}, {v, 0}, 9)", { 3, 0, 9 },
            note = "`piecewise` has values in place of functions: `lun.select(conditions, {f(v), g(v)})`" },
        { "np.nonzero(m)", "m:nonzero()", { all = { { 2, 2, 2 }, { 1, 2, 3 } } } },
    },
    { "Sorting, searching, sets",
        { "np.sort(v), np.argsort(v)", "v:sort(), v:argsort()", { all = { { 1, 2, 3 }, { 2, 3, 1 } } } },
        { "np.lexsort", "lun.sort_by(v, w)", { 2, 4, 1 }, note = "stable: by the last key first" },
        { "np.unique(v, return_counts=True)", "v:unique{counts = true}", { all = { { 1, 2, 3 }, { 1, 1, 1 } } } },
        { "np.searchsorted(w, 3), np.digitize", "w:searchsorted(3)", 3 },
        { "np.unique(v, return_index=True)", "v:unique{first = true}", { all = { { 1, 2, 3 }, { 2, 3, 1 } } },
            note = "the first positions come last" },
        { "np.unique(a, axis=0)", "lun.concat{a, a}:unique{axis = 1}", { { 1, 2, 3 }, { 4, 5, 6 } } },
        { "np.isin(v, w)", "v:isin(w)", { false, true, true } },
        { "np.isin(v, [3, 9], invert=True)", "v:isin{3, 9, invert = true}", { false, true, true } },
        { "np.union1d(v, w), intersect1d, setdiff1d", "v:union(w), v:intersect(w), v:setdiff(w)",
            { all = { { 1, 2, 3, 4 }, { 1, 2 }, { 3 } } } },
        { "np.setxor1d(v, w)", "v:setxor(w)", { 3, 4 } },
        { "np.searchsorted(v, 2, sorter=p)", "v:searchsorted(2, {sorter = v:argsort()})", 2 },
        { "np.partition(v, 1), np.argpartition", "v:partition(2), v:argpartition(2)",
            { all = { { 1, 2, 3 }, { 2, 3, 1 } } }, note = "all of it is sorted; `topk` sorts the first alone" },
        { "np.histogram(v, bins=2)", "v:histogram{bins = 2}", { all = { { 1, 2 }, { 1, 2, 3 } } } },
        { "np.histogram(v, [0, 2, 4], density=True)", "v:histogram{bins = {0, 2, 4}, density = true}",
            { all = { { 1 / 6, 1 / 3 }, { 0, 2, 4 } } } },
        { "np.bincount(k)", "k:bincount()", { 0, 0, 1, 1, 0, 1 }, note = "from 1; `{from = 0}` as NumPy" },
        { "np.histogram2d(v, w, bins=1)", "(lun.histogram2d(v, w, {bins = 1}))", { { 3 } } },
        { "np.histogramdd(s, bins=1)", "(s:histogramdd{bins = 1})", { { 2 } } },
        { "torch.topk(v, 2)", "v:topk(2)", { all = { { 3, 2 }, { 1, 3 } } } },
    },
    { "Arithmetic",
        { "a + b, a - b, a * b, a / b", "v + w, v - w, v * w, v / w",
            { all = { { 4, 3, 6 }, { 2, -1, -2 }, { 3, 2, 8 }, { 3, 0.5, 0.5 } } } },
        { "m + m, 2 * m - 1, m.sum()", "m + m, 2 * m - 1, m:sum()",
            { all = { { { 0, 0, 0 }, { 2, 2, 2 } }, { { -1, -1, -1 }, { 1, 1, 1 } }, 3 } },
            note = "i64; NumPy's `m + m` and `m * m` are bool, and `m - m` is an error in both" },
        { "a // b, a % b, np.remainder, divmod", "n // k, n % k", { all = { { 1, -1, 3 }, { 2, 2, 0 } } } },
        { "a ** 2, np.square", "v ^ 2, v:square()", { all = { { 9, 1, 4 }, { 9, 1, 4 } } } },
        { "n ** 3", "n:powi(3)", { 216, -64, 729 }, note = "`n ^ 3` of integers gives floats" },
        { "-a, np.negative, np.positive", "-v", { -3, -1, -2 } },
        { "a += b", "a:add_(b)", { { 7, 7, 7 }, { 7, 7, 7 } } },
        { "n & k, n | k, n ^ k, ~n", "n & k, n | k, n ~ k, ~n",
            { all = { { 4, 4, 1 }, { 6, -2, 11 }, { 2, -6, 10 }, { -7, 3, -10 } } } },
        { "n << 1, n >> 1", "n << 1, n:sar(1)", { all = { { 12, -8, 18 }, { 3, -2, 4 } } },
            note = "`n >> 1` carries no sign, as in Lua" },
        { "np.fmin(x, 2), np.fmax(v, np.nan)", "x:fmin(2), v:fmax(0/0)", { all = { { 2, 1, 2 }, { 3, 1, 2 } } },
            note = "a number wins over a NaN" },
        { "2 * v + 1, v + (w - v) * 0.5", "v:fma(2, 1), v:lerp(w, 0.5)", { all = { { 7, 3, 5 }, { 2, 1.5, 3 } } },
            note = "one kernel; `fma` rounds once" },
    },
    { "Functions",
        { "np.nextafter, np.spacing", "w:nextafter(8) - w", { 2 ^ -23, 2 ^ -22, 2 ^ -21 } },
        { "a < b, np.less, np.equal, ...", "v:lt(w), v:eq(w)", { all = { { false, true, true }, { false, false,
            false } } },
            note = "methods, as Lua's `<` gives one boolean" },
        { "np.real imag conj angle abs", "z:real(), z:conj():imag(), z:abs()", { all = { { 3 }, { -4 }, { 5 } } } },
        { "np.apply_along_axis(f, 0, a)", "lun.apply_along_axis(function(r) return r:median() end, 1, a)",
            { 2.5, 3.5, 4.5 }, note = "calls the function for each row" },
        { "np.fromfunction(f, (2, 2))", "(function(x, y) return x - y end)(dev:indices{2, 2})",
            { { 0, -1 }, { 1, 0 } }, note = "positions count from 1" },
        { "np.vectorize, np.frompyfunc", "lun.fuse(function(p) return p * 2 end)(v)", { 6, 2, 4 } },
        { "np.isclose(v, w), np.allclose", "v:isclose(w), v:allclose(w)", { all = { { false, false, false },
            false } } },
        { "np.array_equal(v, v)", "v:equal(v)", true },
        { "np.nan_to_num(x, posinf=9)", "x:nan_to_num{posinf = 9}", { 0, 1, 9 } },
        { "np.frexp(v), np.modf(v)", "(v:frexp())", { 0.75, 0.5, 0.5 } },
        { "np.round(v, 2)", "(v / 7):round(2)", { 0.43, 0.14, 0.29 } },
    },
    { "Reductions and scans",
        { "np.sum(a), np.sum(a, axis=0)", "a:sum(), a:sum{axis = 1}", { all = { 21, { 5, 7, 9 } } } },
        { "np.sum(n, dtype=np.int8), np.mean, np.cumsum ...", "{n:sum{dtype = \"i8\"}, n:mean{dtype = \"f32\"}}",
            { lua = { 11, 3.6666667 } } },
        { "np.sum(a, where=m), np.mean(a, where=m) ...", "{a:sum{where = m}, a:mean{where = m}}", { lua = { 15, 5 } } },
        { "np.max(a, where=~m, initial=0), np.sum(a, initial=1)",
            "{a:max{where = m:lnot(), initial = 0}, a:sum{initial = 1}}",
            { lua = { 3, 22 } } },
        { "np.var(v), np.std(v, ddof=1)", "{v:var(), v:std{ddof = 1}}", { lua = { 2 / 3, 1 } } },
        { "np.median(v), np.quantile(v, 0.5), percentile", "{v:median(), v:quantile(0.5)}", { lua = { 2, 2 } } },
        { "np.quantile(v, 0.4, method='hazen')", "v:quantile(0.4, {method = \"hazen\"})", 1.7,
            note = "or its number, 5" },
        { "np.nanmedian(v), np.nanquantile(v, 0.5)", "{v:nanmedian(), v:nanquantile(0.5)}", { lua = { 2, 2 } } },
        { "a.count() of pandas, np.isnan(x).sum()", "{x:count(), x:size() - x:count()}", { lua = { 2, 1 } } },
        { "np.cumulative_sum(v, include_initial=True)", "v:cumsum{initial = true}", { 0, 3, 4, 6 } },
        { "np.cumsum(v), np.cumprod(v)", "v:cumsum(), v:cumprod()", { all = { { 3, 4, 6 }, { 3, 3, 6 } } } },
        { "np.nancumsum(x), np.nancumprod(x)", "x:slice{1, 2}:nancumsum(), x:slice{1, 2}:nancumprod()",
            { all = { { 0, 1 }, { 1, 1 } } } },
        { "np.ptp(v)", "v:ptp()", 2 },
        { "np.average(v, weights=w)", "v:average{weights = w}", 13 / 7 },
        { "np.cov(s), np.corrcoef(s)", "s:cov(), s:corrcoef()",
            { all = { { { 0.5, 0.5 }, { 0.5, 0.5 } }, { { 1, 1 }, { 1, 1 } } } } },
        { "np.diff(v), np.ediff1d", "v:diff()", { -2, 1 } },
        { "np.unwrap([0, 3, 6.5], period=4)", "dev:array{0, 3, 6.5}:unwrap{period = 4}", { 0, -1, -1.5 } },
        { "np.gradient(v)", "v:gradient()", { -2, -0.5, 1 } },
        { "np.gradient(a, 1, w, edge_order=1)", "(a:gradient{1, w, edge_order = 1})", { { 3, 3, 3 }, { 3, 3, 3 } } },
        { "np.trapezoid(v, w)", "v:trapezoid(w)", 5 },
        { "np.interp([1.5], w, v)", "dev:array{1.5}:interp(w, v)", { 2 } },
        { "np.polyfit(v, w, 2)", "v:polyfit(w, 2)", { -2.5, 9.5, -5 } },
        { "np.polyval(v, w)", "v:polyval(w)", { 6, 16, 54 } },
        { "np.roots([1, 1, -2])", "lun.array{1, 1, -2}:roots():real()", { -2, 1 },
            note = "ascending by their real parts" },
        { "scipy.spatial.cKDTree(p).query_ball_point", "select(2, lun.array{{0}, {2}, {9}}:neighbours(2))", { 2, 1 },
            note = "the others alone; with `starts`" },
        { "np.poly([1, -2])", "lun.array{1, -2}:poly()", { 1, 1, -2 } },
        { "np.polymul(v, w), np.polyadd", "v:convolve(w)", { 3, 7, 16, 8, 8 },
            note = "`v + w` of as many coefficients" },
        { "np.polydiv(v, [1, 2])", "v:polydiv(dev:array{1, 2})", { all = { { 3, -5 }, { 12 } } },
            note = "leading zeros of the remainder stay" },
        { "np.polyder(v), np.polyint(v)", "v:polyder(), v:polyint()", { all = { { 6, 1 }, { 1, 0.5, 2, 0 } } } },
        { "scipy.special.softmax(w), log_softmax", "w:softmax(), w:log_softmax():exp()", { all = {
            { 0.0420100661, 0.1141951994, 0.8437947345 }, { 0.0420100661, 0.1141951994, 0.8437947345 } } } },
        { "scipy.stats.skew(v), kurtosis(v)", "{v:skew(), v:kurtosis()}", { lua = { 0, -1.5 } } },
        { "np.maximum.accumulate(w)", "w:cummax()", { 1, 2, 4 } },
        { "np.add.reduceat", "v:sum{segments = {1, 2, 4}}", { 3, 3 } },
        { "np.linalg.norm(v)", "v:norm()", math.sqrt(14) },
        { "np.linalg.vector_norm(v, ord=3)", "v:vector_norm(3)", 36 ^ (1 / 3) },
        { "np.ufunc.reduce", "v:reduce{combine = \"a * b\", identity = \"1\"}", 6 },
    },
    { "Products",
        { "a @ b, np.matmul, np.dot", "s:matmul(s)", { { 7, 10 }, { 15, 22 } },
            note = "`s:dot(s)` of matrices is one number" },
        { "np.vdot(v, w), np.vecdot, np.inner", "v:dot(w), z:vdot(z)", { all = { 13, { complex = { 25, 0 } } } } },
        { "np.outer(v, w)", "v:outer(w)", { { 3, 6, 12 }, { 1, 2, 4 }, { 2, 4, 8 } } },
        { "np.kron(v, w)", "v:kron(w)", { 3, 6, 12, 1, 2, 4, 2, 4, 8 } },
        { "np.cross(v, w)", "v:cross(w)", { 0, -10, 5 } },
        { "np.tensordot(s, s, 1)", "s:tensordot(s, 1)", { { 7, 10 }, { 15, 22 } } },
        { "np.einsum('ij,jk->ik', s, s)", "lun.einsum(\"ij,jk->ik\", s, s)", { { 7, 10 }, { 15, 22 } } },
    },
    { "Fourier transforms",
        { "np.fft.fft ifft rfft irfft fftn ...", "w:fft():ifft():real()", { 1, 2, 4 } },
        { "np.fft.hfft, ihfft", "w:ihfft():hfft{n = 3}", { 1, 2, 4 } },
        { "np.fft.fftfreq(4), rfftfreq", "lun.fftfreq(4)", { 0, 0.25, -0.5, -0.25 } },
        { "np.fft.fftshift(v), ifftshift", "v:fftshift()", { 2, 3, 1 } },
        { "scipy.signal.lfilter([1], [1, -0.5], w)", "w:lfilter({1}, {1, -0.5})", { 1, 2.5, 5.25 } },
        { "scipy.signal.sosfilt([[1, 0, 0, 1, -0.5, 0]], w)", "w:sosfilt(dev:array{{1, 0, 0, 1, -0.5, 0}})",
            { 1, 2.5, 5.25 } },
        { "scipy.signal.welch(w), csd", "w:welch()", { all = { { 0.88888889, 3.44444444 }, { 0, 0.33333333 } } },
            note = "the power comes first" },
        { "scipy.signal.periodogram(w, detrend=False), coherence", "w:periodogram { detrend = \"none\" }", { all = {
            { 16.3333333, 4.66666667 }, { 0, 0.33333333 } } } },
        { "scipy.signal.detrend(w)", "w:detrend()", { 0.16666667, -0.33333333, 0.16666667 } },
        { "scipy.fft.dct idct dst idst", "w:dct { type = 1 }", { 9, -3, 1 } },
    },
    { "Images",
        { "scipy.ndimage.label([[1, 0, 1]])", "dev:array{{1, 0, 1}}:label()", { all = { { { 1, 0, 2 } }, 2 } } },
        { "scipy.ndimage.binary_propagation(v == 1, mask=v > 1)", "v:eq(1):propagate(v:gt(1))", { true, true, true } },
        { "scipy.ndimage.map_coordinates(w, [[0.5]], order=1)",
            "w:map_coordinates(dev:array{{1.5}}, {order = 1})", { 1.5 } },
        { "scipy.signal.medfilt(w), scipy.ndimage.median_filter", "w:medfilt(3)", { 1, 2, 2 } },
        { "scipy.ndimage.sum_labels(w, labels)", "w:label():bincount{weights = w, from = 0}", { 0, 7 },
            note = "the first is the background's" },
    },
    { "Linear algebra",
        { "np.linalg.solve(s, [1, 2])", "s:solve(dev:array{1, 2})", { 0, 0.5 } },
        { "np.linalg.eigh(m)", "dev:array{{2, 1}, {1, 2}}:eigh()", { all = { { 1, 3 },
            { { 0.70710678, 0.70710678 }, { -0.70710678, 0.70710678 } } } }, note = "signs are fixed" },
        { "np.linalg.eigvalsh(m)", "dev:array{{2, 1}, {1, 2}}:eigvalsh()", { 1, 3 } },
        { "np.linalg.eigvals(m)", "dev:array{{2, 1}, {1, 2}}:eigvals():real()", { 1, 3 },
            note = "ordered; `eig` has vectors, too" },
        { "np.linalg.svd(m)", "dev:array{{0, 2}, {1, 0}}:svd()", { all = { { { 1, 0 }, { 0, 1 } }, { 2, 1 },
            { { 0, 1 }, { 1, 0 } } } }, note = "`v`, not its transpose; thin unless `full = true`" },
        { "np.linalg.svdvals(m)", "dev:array{{0, 2}, {1, 0}}:svdvals()", { 2, 1 } },
        { "np.linalg.inv(s)", "s:inv()", { { -2, 1 }, { 1.5, -0.5 } } },
        { "np.linalg.det(s)", "s:det()", -2 },
        { "np.linalg.slogdet(s)", "s:slogdet()", { all = { -1, 0.69314718 } } },
        { "np.linalg.cholesky([[4, 2], [2, 3]])", "dev:array{{4, 2}, {2, 3}}:cholesky()",
            { { 2, 0 }, { 1, 1.41421356 } } },
        { "scipy.linalg.solve_triangular(s, [1, 2])", "s:solve(dev:array{1, 2}, {assume = \"upper\"})", { 0, 0.5 } },
        { "scipy.linalg.lu(s)", "s:lu().u", { { 3, 4 }, { 0, 0.66666667 } }, note = "`l`, `u` and `p` of an object" },
        { "scipy.linalg.lu_factor(s), lu_solve", "s:lu():solve(dev:array{1, 2})", { 0, 0.5 } },
        { "scipy.linalg.cho_solve", "lun.cholesky_solve(dev:array{{4, 2}, {2, 3}}:cholesky(), dev:array{8, 7})",
            { 1.25, 1.5 } },
        { "scipy.sparse.linalg.cg(s.T @ s, [10, 14])",
            "(lun.cg(s:t():matmul(s), dev:array({10, 14}, \"f64\")))", { 1, 0 } },
        { "scipy.sparse.linalg.gmres(s, [1, 3])", "(lun.gmres(s, dev:array({1, 3}, \"f64\")))", { 1, 0 } },
        { "scipy.sparse.linalg.bicgstab(s, [1, 3])", "(lun.bicgstab(s, dev:array({1, 3}, \"f64\")))", { 1, 0 } },
        { "np.linalg.qr(s)", "s:qr()", { all = { { { 0.31622777, 0.9486833 }, { 0.9486833, -0.31622777 } },
            { { 3.16227766, 4.42718872 }, { 0, 0.63245553 } } } }, note = "R's diagonal is not below 0" },
        { "scipy.linalg.qr(s, pivoting=True)", "select(3, s:qr{pivot = true})", { 2, 1 }, note = "q, r and p" },
        { "np.linalg.lstsq(s, [3, 7])", "(s:lstsq(dev:array({3, 7}, \"f64\")))", { 1, 1 }, note = "x, and a report" },
        { "np.linalg.pinv(s)", "s:pinv()", { { -2, 1 }, { 1.5, -0.5 } } },
        { "np.linalg.matrix_rank(s, rtol=0.1)", "s:rank{rcond = 0.1}", 1 },
        { "np.linalg.cond(s), cond(s, 1)", "{s:cond(), s:cond{ord = 1}}", { lua = { 14.933034373659, 21 } } },
        { "np.linalg.norm(s, ord)", "{s:norm{ord = 1}, s:norm{ord = 2}, s:norm{ord = \"inf\"}}",
            { lua = { 6, 5.4649857, 7 } }, note = "`fro`, `nuclear`, and these below 0 too" },
        { "np.linalg.matrix_power(s, 3)", "s:matrix_power(3)", { { 37, 54 }, { 81, 118 } } },
        { "scipy.linalg.expm(s)", "s:expm()", { { 51.9689562, 74.7365646 }, { 112.1048469, 164.0738031 } } },
        { "1 / np.linalg.cond(s, 1)", "s:rcond()", 0.047619048, note = "an estimate" },
    },
    { "Files",
        { "np.save(path, a), np.load(path)", "a:save(path), lun.load(path)", { all = { { { 1, 2, 3 }, { 4, 5,
            6 } } } } },
        { "np.savez(path, a=a), np.savez_compressed", "lun.savez(path, {a = a}), lun.load(path).a",
            { all = { { { 1, 2, 3 }, { 4, 5, 6 } } } } },
        { "np.savetxt(path, a), np.loadtxt(path)", "a:savetxt(path), lun.loadtxt(path)",
            { all = { { { 1, 2, 3 }, { 4, 5, 6 } } } } },
        { "np.genfromtxt(path, filling_values=0)", "a:savetxt(path), lun.loadtxt(path, {missing = 0})",
            { all = { { { 1, 2, 3 }, { 4, 5, 6 } } } } },
        { "v.tofile(path), np.fromfile(path)", "v:tofile(path), lun.fromfile(path)", { all = { { 3, 1, 2 } } } },
        { "np.memmap(path, np.float32, 'c')", "v:tofile(path), lun.fromfile(path, {mapped = true})",
            { all = { { 3, 1, 2 } } }, note = "on CPUs without a copy" },
    },
}

-- What NumPy and SciPy call elementwise functions and reductions, where a line needs no words. The page finds each by
-- the name of our row, or by lua/lunarray/foreign.lua, which has the names that differ.
numpy_names.plain = {
    np = "abs absolute fabs acos arccos acosh arccosh add angle asin arcsin asinh arcsinh atan arctan atan2 arctan2 "
        .. "atanh arctanh bitwise_and bitwise_or bitwise_xor bitwise_not invert bitwise_count left_shift cbrt "
        .. "ceil clip "
        .. "conj copysign cos cosh deg2rad radians rad2deg degrees divide true_divide not_equal less less_equal "
        .. "greater "
        .. "greater_equal exp exp2 expm1 floor floor_divide fmax fmin fmod gcd heaviside hypot i0 isfinite isinf isnan "
        .. "lcm ldexp log log10 log1p log2 logaddexp logical_and logical_or logical_xor logical_not maximum "
        .. "minimum mod "
        .. "remainder multiply negative nextafter reciprocal rint sign signbit sin sinc sinh sqrt square subtract tan "
        .. "tanh trunc all any argmax argmin count_nonzero max amax mean min amin nanargmax nanargmin nanmax nanmean "
        .. "nanmin nanprod nanstd nansum nanvar prod std sum var",
    ["scipy.special"] = "erf erfc erfcinv erfcx erfinv exp1 exp10 expit gamma gammaln i1 j0 j1 logsumexp psi "
        .. "softplus xlogy y0 y1",
    ["scipy.stats"] = "gmean",
}

-- The elementwise functions and reductions among `operations`, sorted by name, as { name =, says =, theirs = {
-- "np.arcsin" ... } }. `foreign` has what lua/lunarray/foreign.lua gives.
function numpy_names.by_name(operations, foreign)
    local ours, list, differs = {}, {}, foreign[1] and foreign[1][2] or {} -- of arrays
    for _, operation in ipairs(operations) do
        local plain = operation.kind == "function" or operation.kind == "reduction"
        if plain and operation.owner == "array" and not operation.name:find "_$" then
            list[#list + 1] = { name = operation.name, says = operation.says, theirs = {} }
            ours[operation.name] = list[#list]
        end
    end
    for from, names in pairs(numpy_names.plain) do
        for theirs in names:gmatch "%S+" do
            local row = assert(ours[theirs] or ours[differs[theirs]], theirs .. " has no row")
            table.insert(row.theirs, from .. "." .. theirs)
        end
    end
    for _, row in ipairs(list) do
        table.sort(row.theirs)
    end
    table.sort(list, function(a, b) return a.name < b.name end)
    return list
end

-- What NumPy has and we do not, by subject.
numpy_names.missing = {
    "dtypes: objects, strings, dates, records", "`np.choose`: `lun.select`", "`np.trim_zeros`, `np.resize`",
    "`np.packbits`",
}

-- The Python array API standard 2024.12: how many names it has, dtypes, constants and the array object's among them;
-- which of them are here in part, each with a line that its users would write and that fails; and which are not here.
numpy_names.standard = {
    names = 218,
    partly = {
        { "clip", "v:clamp(2)" },
        { "[]", "a[{1, 2}]" },
        { "[]=", "(function() a[1] = 2 end)()" },
        { ">>", "assert((n >> 1):get(2) == -2)" },
        { "@", "assert(load(\"return a @ b\"))" },
        { "sign", "assert(1 / dev:array { -0.0 }:sign():get(1) > 0)" },
        { "remainder", "assert(1 / dev:array { -0.0 }:mod(3):get(1) > 0)" },
        { "%", "assert(1 / (dev:array { -0.0 } % 3):get(1) > 0)" },
        { "mean", "dev:zeros({ 0 }):mean()" },
        { "var", "dev:zeros({ 0 }):var()" },
        { "std", "dev:zeros({ 0 }):std()" },
    },
    absent = { "from_dlpack", "__dlpack__", "__array_namespace__", "__array_namespace_info__", "capabilities",
        "default_dtypes" },
}

return numpy_names
