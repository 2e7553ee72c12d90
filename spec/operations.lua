-- The operations that the specs of failing calls run, and their inputs, all as Lua code.

local operations = {}

-- Inputs that all operations share, and what they hold.
operations.inputs = [[
    local lun = require "lunarray"
    local dev = lun.device()
    local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
    local square = dev:array { { 1, 2 }, { 3, 4 } }
    local pos, vel = dev:array { { 0, 0, 0, 1 }, { 1, 0, 0, 1 } }, dev:zeros { 2, 4 }
    local index, mask = dev:array({ 2, 1 }, "i32"), a:gt(3)
    local long = dev:ones { 40000 }
    local states = dev:zeros({ 4 }, "i64")
    OWN = [=[
        typedef float real;
        typedef int2 pair;
        kernel void own(real by, global const real *x, global float *y, pair p)
        {
            y[get_global_id(0)] += by * x[get_global_id(0)] + p.x;
        }
    ]=]
    local own = dev:program(OWN):kernel()
    local checked = dev:program(OWN, { check = true }):kernel()
    for _, kernel in ipairs { own, checked } do -- the compiler is asked for the parameters' types
        kernel:run({ global = 6 }, 2, a, dev:zeros { 6 }, { 1, 2 })
    end
    local files = { npy = os.tmpname(), npz = os.tmpname(), sim = os.tmpname() }
    local function force(p) return -p end
    local sim = lun.simulation(pos, vel, { dt = 0.5, softening = 1 })
    sim:save(files.sim)
    a:save(files.npy)
    lun.savez(files.npz, { pos = pos, n = 3 })
    local _ <close> = setmetatable({}, { __close = function() os.remove(files.npy) os.remove(files.npz)
        os.remove(files.sim)
    end })
    dev:finish()
]]

-- What the host does by itself, without a call, where it sees the memory of small arrays (src/core/memory/seen.c).
operations.by_host = {}
local by_host = "array,save,totable,totable of a view,tostring,get,savez,load,load of a .npz,write to a view"
for name in by_host:gmatch "[^,]+" do
    operations.by_host[name] = os.getenv "LUNARRAY_COMPANION" ~= "0"
end

-- Each gives results that may be dropped. Inputs stay as they are, so that the next failure meets the same.
operations.list = {
    { "zeros", "dev:zeros { 3, 3 }" },
    { "array", "dev:array({ 1, 2, 3 }, 'i16')" },
    { "array of many", "dev:array(('x'):rep(70000), 'u8')" },
    { "full of another item size", "dev:full({ 5 }, 3, 'i64')" },
    { "arange", "dev:arange(10, 'i32')" },
    { "linspace", "dev:linspace(0, 1, 5)" },
    { "eye", "dev:eye(3)" },
    { "random", "dev:random({ 5 }, { seed = 1 })" },
    { "randint", "dev:randint({ 5 }, 1, 9, { seed = 1 })" },
    { "normal", "dev:normal({ 5 }, { seed = 1 })" },
    { "rng:uniform", "dev:rng(1):uniform { 5 }" },
    { "rng:normal, async", "dev:rng(1):normal({ 5 }, { async = true }):get()" },
    { "rng:exponential", "dev:rng(1):exponential { 5 }" },
    { "rng:integers", "dev:rng(1):integers({ 5 }, 1, 9)" },
    { "rng:poisson", "dev:rng(1):poisson { 5, lambda = 20 }" },
    { "rng:binomial", "dev:rng(1):binomial { 5, n = 50, p = 0.5 }" },
    { "rng of an array", "dev:rng(states):uniform { 5 }" },
    { "permutation", "dev:rng(1):permutation(5)" },
    { "permutation of an array", "dev:rng(1):permutation(a)" },
    { "choice", "dev:rng(1):choice(5, 9)" },
    { "choice without replacement", "dev:rng(1):choice(a, 1, { replace = false })" },
    { "choice with weights", "dev:rng(1):choice(2, 9, { weights = a:col(1) })" },
    { "choice with weights, once each", "dev:rng(1):choice(2, 1, { weights = a:col(1), replace = false })" },
    { "save", "a:save('/dev/null')" },
    { "totable", "a:totable()" },
    { "totable of a view", "a:t():totable()" },
    { "totable, async", "a:totable({ async = true }):get()" },
    { "tostring", "assert(tostring(a))" },
    { "get", "a:get(2, 3)" },
    { "get of many", "long:get(3)" },
    { "cast", "a:cast('i8')" },
    { "copy of a view", "a:t():copy()" },
    { "copy, async", "a:copy({ async = true }):wait()" },
    { "profile", "a:copy({ async = true }):profile()" },
    { "sum", "a:sum()" },
    { "sum of an axis", "a:sum { axis = 1 }" },
    { "min and max, async", "a:reduce({ 'min', 'max', async = true }):get()" },
    { "transpose", "a:transpose()" },
    { "concat", "lun.concat({ a, square }, 2)" },
    { "stack, async", "lun.stack({ a, a }, 2, { async = true }):wait()" },
    { "isclose", "a:isclose(a)" },
    { "allclose and equal", "a:allclose(a) and a:equal(a)" },
    { "nan_to_num, frexp, modf", "a:nan_to_num():frexp():modf()" },
    { "round to decimals", "a:round(1)" },
    { "flatten", "a:t():flatten()" },
    { "tile", "a:tile(2, 3)" },
    { "roll", "a:roll({ 1, 1 }, { 1, 2 })" },
    { "roll of a flat view", "a:t():roll(2)" },
    { "views by an axis", "a:flip({ axis = 2 }):expand({ axis = 1 }):squeeze({ axis = 1 }):copy()" },
    { "split and take by an axis", "a:split(3, { axis = 2 }):take { 2, 1, axis = 1 }" },
    { "concat by an axis", "lun.concat { a, square, axis = 2 }" },
    { "pad", "a:pad({ { 1, 1 }, { 3, 5 } }, { mode = 'reflect' })" },
    { "pad with a constant", "a:pad(2, { value = 7 })" },
    { "tril", "a:tril(1)" },
    { "triu", "a:triu()" },
    { "diag", "a:row(1):diag(1)" },
    { "zeros_like", "a:zeros_like()" },
    { "ones_like", "a:ones_like('i8')" },
    { "full_like", "a:full_like(3)" },
    { "matmul", "a:matmul(a:t())" },
    { "matmul of vectors", "a:row(1):matmul(a:row(2))" },
    { "einsum", "lun.einsum('ij,jk->ik', a, a:t())" },
    { "einsum of several, async", "lun.einsum('ij,kj,kl->li', a, a, square, { async = true }):get()" },
    { "einsum in one pass", "lun.einsum('ij,ij,ij->j', a, a, a)" },
    { "tensordot", "a:tensordot(a:t(), 1)" },
    { "outer", "a:outer(square)" },
    { "kron", "a:kron(square)" },
    { "cross", "a:cross(a:row(1))" },
    { "solve", "square:solve(square:row(1))" },
    { "solve of a triangle", "square:solve(square, { assume = 'upper' })" },
    { "solve, async", "square:solve(square, { async = true }):get()" },
    { "inv", "square:inv()" },
    { "det", "square:expand(1):det()" },
    { "slogdet", "square:slogdet()" },
    { "cholesky", "square:matmul(square:t()):cholesky()" },
    { "lu_factor", "a:lu_factor()" },
    { "lu_solve", "square:lu_solve(dev:array({ 2, 1 }, 'i64'), square)" },
    { "lu", "square:lu():det()" },
    { "cholesky_solve", "lun.cholesky_solve(square:tril(), square)" },
    { "an operator", "2 * a" },
    { "an elementwise function", "a:exp()" },
    { "an elementwise function of views", "a:t():hypot(square:row(1))" },
    { "an elementwise function, async", "a:add(1, { async = true }):get()" },
    { "an elementwise function in place", "dev:zeros({ 2, 3 }):add_(a)" },
    { "where", "lun.where(a, a, 0)" },
    { "map", "dev:map('2*x', { x = a })" },
    { "map of several results", "dev:map({ 'x + k', 'x - k' }, { x = a, k = 3 })" },
    { "fuse", "lun.fuse(function(x) return x + 1 end)(a)" },
    { "fuse, reducing", "lun.fuse(function(x) return (x * x):sum() end)(a)" },
    { "gravity", "pos:gravity { softening = 0.1 }" },
    { "energy", "pos:energy(vel, { softening = 0.1 })" },
    { "gravity of systems", "pos:reshape(1, 2, 4):gravity()" },
    { "energy of systems, async", "pos:reshape(1, 2, 4):energy(vel:reshape(1, 2, 4), { async = true }):get()" },
    { "nbody with steps that are chosen",
        "pos:cast('f64'):nbody(vel:cast('f64'), { dt = 0.1, softening = 0.5, integrator = 'ias15' })" },
    { "gravity of some bodies, softened each", "pos:gravity { softening = dev:ones { 2 }, active = 1 }" },
    { "energy, softened each", "pos:energy(vel, { softening = dev:ones { 2 } })" },
    { "gravity by a tree", "pos:gravity { accuracy = 1e-3 }" },
    { "gravity at points, by a tree", "pos:gravity { accuracy = 1e-3, at = vel, softening = dev:ones { 2 } }" },
    { "gravity at points", "pos:gravity { at = vel }" },
    { "energy by a tree", "pos:energy(vel, { accuracy = 1e-3 })" },
    { "a simulation", "lun.simulation(pos:copy(), vel:copy(), { dt = 0.5, softening = 1 }):step(2)" },
    { "a simulation with a force", "lun.simulation(pos:copy(), vel:copy(), { dt = 0.5, force = force }):step()" },
    { "a simulation with a force within its steps", "lun.simulation(pos:cast('f64'), vel:cast('f64'), "
        .. "{ dt = 0.1, softening = 1, force = force, integrator = 'hermite4' }):step()" },
    { "a simulation's file", "sim:save(files.sim)" },
    { "a simulation from a file", "lun.simulation(files.sim):step()" },
    { "take", "a:take(index)" },
    { "take of rows, async", "a:t():take(index, 1, { async = true }):get()" },
    { "put", "a:copy():put(index, dev:zeros { 2 })" },
    { "add_at", "a:copy():add_at(index, 1)" },
    { "take_along_axis", "a:take_along_axis(a:argsort())" },
    { "take_along_axis of columns, async", "a:t():take_along_axis({ { 1, 2 } }, 1, { async = true }):get()" },
    { "put_along_axis", "a:copy():put_along_axis(a:argsort(), a)" },
    { "take of several", "a:take { index, index }" },
    { "put of several", "a:copy():put({ index, index }, 1)" },
    { "add_at of several", "a:copy():add_at({ index, index }, 1)" },
    { "unravel", "index:unravel(2, 3)" },
    { "ravel, async", "lun.ravel({ index, index }, { 2, 2 }, { async = true }):get()" },
    { "union", "a:union(square)" },
    { "intersect", "a:intersect(square)" },
    { "setdiff", "a:setdiff(square)" },
    { "isin", "a:isin(square)" },
    { "isin of numbers, async", "a:isin({ 1, 2 }, { async = true }):get()" },
    { "unique of rows", "a:unique { axis = 1, first = true, inverse = true }" },
    { "searchsorted with a sorter", "a:row(1):searchsorted(2, { sorter = a:row(1):argsort() })" },
    { "partition", "a:partition(1)" },
    { "argpartition", "a:argpartition(1)" },
    { "mask", "a:mask(mask)" },
    { "mask of a view, async", "a:t():mask(mask:t(), { async = true }):get()" },
    { "mask_put", "a:copy():mask_put(mask, dev:zeros { 3 })" },
    { "nonzero", "mask:nonzero()" },
    { "fft", "a:fft()" },
    { "fft, accurate", "a:fft { accurate = true }" },
    { "fft in place, along columns", "a:cast('c64'):fft_ { axis = 1 }" },
    { "ifft in place, of a prime length", "long:slice { 1, 17 }:cast('c64'):ifft_()" },
    { "ifft of a long line, async", "long:ifft({ async = true }):get()" },
    { "rfft and irfft", "a:rfft():irfft { n = 3 }" },
    { "fft of a long line in steps", "long:slice { 1, 5000 }:fft()" },
    { "fft by the formula", "long:slice { 1, 100 }:fft { variant = 'plain' }" },
    { "fftn and ifftn", "a:fftn():ifftn { axis = 1 }" },
    { "rfftn and irfftn, async", "a:rfftn():irfftn({ n = { 2, 3 }, async = true }):get()" },
    { "fftshift", "a:fftshift()" },
    { "ifftshift of an axis, async", "a:ifftshift(1, { async = true }):get()" },
    { "fftfreq", "dev:fftfreq(5)" },
    { "convolve", "a:convolve(a:row(1))" },
    { "convolve by transforms, a part, async",
        "a:convolve(a:row(1), { method = 'fft', mode = 'same', async = true }):get()" },
    { "correlate of mixed dtypes", "a:correlate(index, { stride = 2 })" },
    { "correlate of complex numbers",
        "a:cast('c64'):correlate(a:fft(), { axis = { 1, 2 }, method = 'fft', stride = 2 })" },
    { "stft", "long:stft { n = 16, hop = 2000 }" },
    { "stft without a window, async", "a:stft({ n = 2, window = 'boxcar', center = false, async = true }):get()" },
    { "spectrogram with a window of its own", "a:spectrogram { window = index:cast('f32') }" },
    { "istft", "a:stft({ n = 2 }):istft { n = 2, hop = 1 }" },
    { "istft of complex numbers", "a:fft():istft { real = false, center = false, window = 'boxcar', hop = 1 }" },
    { "dct of columns", "a:dct { axis = 1 }" },
    { "dst of type 4, async", "a:dst({ type = 4, async = true }):get()" },
    { "idst", "a:idst()" },
    { "idct of type 3, of complex numbers", "a:cast('c64'):idct { type = 3 }" },
    { "hilbert of columns, async", "a:hilbert({ axis = 1, async = true }):get()" },
    { "window", "dev:window('hann', 5)" },
    { "window, async", "lun.window('kaiser', 5, { beta = 2, async = true }):get()" },
    { "rfftfreq, async", "lun.rfftfreq(5, 0.5, { async = true }):get()" },
    { "sort", "a:sort()" },
    { "sort of columns", "a:sort { axis = 1, descending = true }" },
    { "sort of a long row", "long:sort()" },
    { "sort in passes, as GPUs do", "a:sort { variant = 'bytes' }" },
    { "argsort, async", "a:argsort({ async = true }):get()" },
    { "topk", "a:topk(2)" },
    { "unique", "a:unique { counts = true, inverse = true }" },
    { "sort_by", "lun.sort_by(a:row(2), a:row(1), square:row(1):tile(2):slice { 1, 3 })" },
    { "searchsorted", "a:row(1):searchsorted(a:t())" },
    { "searchsorted of a number", "a:row(1):searchsorted(2)" },
    { "dot", "a:dot(a, { axis = 1 })" },
    { "vdot", "a:vdot(a, { axis = 1 })" },
    { "median", "a:median()" },
    { "median among other ops, async", "a:reduce({ 'sum', 'median', 'any' }, { async = true }):get()" },
    { "quantiles among other ops", "a:reduce { 'max', 'quantile', q = { 0.25, 0.75 } }" },
    { "quantile, async", "a:quantile({ 0.1, 0.9 }, { axis = 1, async = true }):get()" },
    { "bincount", "index:bincount()" },
    { "bincount with weights", "index:bincount { size = 3, weights = a:row(1):slice { 1, 2 } }" },
    { "histogram", "a:t():histogram { bins = 3 }" },
    { "histogram2d", "lun.histogram2d(a, a, { bins = { 3, 2 } })" },
    { "host", "a:host('r'):release()" },
    { "program and kernel", "dev:program(OWN):kernel('own'):info()" },
    { "run", "own:run({ global = 6 }, 2, a, dev:zeros { 6 }, { 1, 2 })" },
    { "run on views", "own:run({ global = 3 }, 2, a:col(2), dev:zeros({ 9, 2 }):col(1), { 1, 2 })" },
    { "run on a part", "own:run({ global = 3 }, 2, a, dev:zeros({ 3000 }):slice { 1025, 2000 }, { 1, 2 })" },
    { "run, async", "own:run({ global = 6, async = true }, 2, a, dev:zeros { 6 }, { 1, 2 }):wait()" },
    { "savez", "lun.savez('/dev/null', { a = a, t = a:t(), n = 1 })" },
    { "load", "lun.load(files.npy)" },
    { "load of a .npz", "lun.load(files.npz)" },
    { "scan", "a:scan('sum', { axis = 1 })" },
    { "scan of a flat view, async", "a:t():cummax({ exclusive = true, async = true }):get()" },
    { "scan in parts", "long:cumsum()" },
    { "scan of products", "a:cumprod { axis = 2 }" },
    { "scan in parts of a view", "long:reshape(8, 5000):t():cummin { axis = 2, reverse = true }" },
    { "reduce by an own operator", "a:reduce { map = 'x * x', combine = 'a + b', identity = '0' }" },
    { "reduce by an own operator, async", "long:reduce({ combine = 'max(a, b)', async = true }):get()" },
    { "a list of ops", "a:reduce { 'mean', 'argmax' }" },
    { "segments", "a:sum { segments = index:add(dev:array({ 0, 2 }, 'i32')), axis = 2 }" },
    { "scan by an own operator", "a:scan { combine = 'max(a, b)' }" },
    { "segments in a list", "a:sum { segments = { 1, 2, 4 }, axis = 2 }" },
    { "scan of segments in parts", "long:cumsum { segments = dev:array({ 1, 7, 20000 }, 'i32') }" },
    { "run, checked", "checked:run({ global = 6 }, 2, a, dev:zeros { 6 }, { 1, 2 })" },
    { "program, checked", "dev:program(OWN, { check = true }):kernel('own'):info()" },
    { "run, odd", "own:run({ global = 99 }, 2, dev:zeros { 99 }, dev:zeros { 99 }, { 1, 2 })" },
    { "finish", "dev:zeros { 3 }; dev:finish()" },
}

return operations
