-- What the specs of failing calls run, and its inputs, as Lua code: every call that spec/contract.lua knows, and calls
-- that take other ways through the library.

local lun = require "lunarray"
local contract = require "spec.contract"

local operations = {}

-- Inputs that all share, and what they hold.
operations.inputs = [[
    local lun = require "lunarray"
    local dev = lun.device()
    local examples = require "spec.contract".examples(dev, true)
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
    local files = { npy = os.tmpname(), npz = os.tmpname(), sim = os.tmpname(), txt = os.tmpname(),
        png = os.tmpname(), raw = os.tmpname() }
    local function force(p) return -p end
    local sim = lun.simulation(pos, vel, { dt = 0.5, softening = 1 })
    sim:save(files.sim)
    a:save(files.npy)
    a:savetxt(files.txt)
    require("lunarray.plot").image(files.png, a)
    lun.savez(files.npz, { pos = pos, n = 3 })
    files.mtx = files.npy .. ".mtx"
    examples.path = files.raw
    a:sparse():save(files.mtx)
    local _ <close> = setmetatable({},
        { __close = function()
            for _, path in pairs(files) do
                os.remove(path)
            end
        end })
    dev:finish()
]]

-- Each gives results that may be dropped. Inputs stay as they are, so that the next failure meets the same.
local further = {
    { "array of many", "dev:array(('x'):rep(70000), 'u8')" },
    { "rng of an array", "dev:rng(states):uniform { 5 }" },
    { "permutation", "dev:rng(1):permutation(5)" },
    { "choice", "dev:rng(1):choice(5, 9)" },
    { "choice with weights, once each", "dev:rng(1):choice(2, 1, { weights = a:col(1), replace = false })" },
    { "save", "a:save('/dev/null')" },
    { "totable of a view", "a:t():totable()" },
    { "totable, async", "a:totable({ async = true }):get()" },
    { "tostring", "assert(tostring(a))" },
    { "get", "a:get(2, 3)" },
    { "get of many", "long:get(3)" },
    { "copy of a view", "a:t():copy()" },
    { "copy, async", "a:copy({ async = true }):wait()" },
    { "profile", "a:copy({ async = true }):profile()" },
    { "sum", "a:sum()" },
    { "roll of a flat view", "a:t():roll(2)" },
    { "matmul of vectors", "a:row(1):matmul(a:row(2))" },
    { "einsum of several, async", "lun.einsum('ij,kj,kl->li', a, a, square, { async = true }):get()" },
    { "einsum in one pass", "lun.einsum('ij,ij,ij->j', a, a, a)" },
    { "incomplete factors", "square:sparse():ilu():solve(square)" },
    { "sums of sparse matrices", "square:sparse() + square:sparse():t()" },
    { "lun.sparse", "lun.sparse { rows = { 2, 1, 2 }, cols = { 1, 2, 1 }, values = { 1, 2, 3 }, shape = { 2, 2 } }" },
    { "svd of tall matrices", "dev:eye(34, 2):svd()" },
    { "det", "square:expand(1):det()" },
    { "lstsq by a tree", "dev:eye(2050, 1):lstsq(dev:ones { 2050 })" },
    { "cond by the inverse", "square:cond { ord = 1 }" },
    { "norms of matrices", "a:norm { ord = 1 } + a:norm { ord = 'nuclear' }" },
    { "cg", "lun.cg(square, square:row(1), { steps = 3 })" },
    { "cg with a preconditioner", "lun.cg(square, square:row(1), { steps = 3, preconditioner = square })" },
    { "bicgstab", "lun.bicgstab(square, square:row(1), { steps = 3, preconditioner = 'jacobi' })" },
    { "gmres", "lun.gmres(square, square:row(1), { steps = 3 })" },
    { "fuse, reducing", "lun.fuse(function(x) return (x * x):sum() end)(a)" },
    { "gravity of systems", "pos:reshape(1, 2, 4):gravity()" },
    { "nbody with steps that are chosen",
        "pos:cast('f64'):nbody(vel:cast('f64'), { dt = 0.1, softening = 0.5, integrator = 'ias15' })" },
    { "gravity of some bodies, softened each", "pos:gravity { softening = dev:ones { 2 }, active = 1 }" },
    { "energy, softened each", "pos:energy(vel, { softening = dev:ones { 2 } })" },
    { "gravity by a tree", "pos:gravity { accuracy = 1e-3 }" },
    { "gravity at points, by a tree", "pos:gravity { accuracy = 1e-3, at = vel, softening = dev:ones { 2 } }" },
    { "gravity at points", "pos:gravity { at = vel }" },
    { "energy by a tree", "pos:energy(vel, { accuracy = 1e-3 })" },
    { "a simulation with a force", "lun.simulation(pos:copy(), vel:copy(), { dt = 0.5, force = force }):step()" },
    { "a simulation with a force within its steps", "lun.simulation(pos:cast('f64'), vel:cast('f64'), "
        .. "{ dt = 0.1, softening = 1, force = force, integrator = 'hermite4' }):step()" },
    { "a simulation's file", "sim:save(files.sim)" },
    { "a simulation from a file", "lun.simulation(files.sim):step()" },
    { "put of several", "a:copy():put({ index, index }, 1)" },
    { "add_at of several", "a:copy():add_at({ index, index }, 1)" },
    { "unique of rows", "a:unique { axis = 1, first = true, inverse = true }" },
    { "searchsorted with a sorter", "a:row(1):searchsorted(2, { sorter = a:row(1):argsort() })" },
    { "mask_put of rows", "a:copy():mask_put(dev:array({ 1, 0 }, 'bool'), a:row(2))" },
    { "nonzero in one array", "mask:nonzero { axes = true }" },
    { "reshape by a copy", "a:t():reshape(-1)" },
    { "repeats by an array of counts, async", "index:repeats(index, { async = true }):get()" },
    { "mask of a view, async", "a:t():mask(mask:t(), { async = true }):get()" },
    { "fft, accurate", "a:fft { accurate = true }" },
    { "ifft in place, of a prime length", "long:slice { 1, 17 }:cast('c64'):ifft_()" },
    { "ifft of a long line, async", "long:ifft({ async = true }):get()" },
    { "fft of a long line in steps", "long:slice { 1, 5000 }:fft()" },
    { "fft by the formula", "long:slice { 1, 100 }:fft { variant = 'plain' }" },
    { "convolve by transforms, a part, async",
        "a:convolve(a:row(1), { method = 'fft', mode = 'same', async = true }):get()" },
    { "correlate of complex numbers",
        "a:cast('c64'):correlate(a:fft(), { axis = { 1, 2 }, method = 'fft', stride = 2 })" },
    { "convolve, accurate", "a:convolve(a:row(1), { accurate = true })" },
    { "spectrogram with a window of its own", "a:spectrogram { window = index:cast('f32') }" },
    { "istft of complex numbers", "a:fft():istft { real = false, center = false, window = 'boxcar', hop = 1 }" },
    { "idct of type 3, of complex numbers", "a:cast('c64'):idct { type = 3 }" },
    { "sort of a long row", "long:sort()" },
    { "sort in passes, as GPUs do", "a:sort { variant = 'bytes' }" },
    { "median among other ops, async", "a:reduce({ 'sum', 'median', 'any' }, { async = true }):get()" },
    { "quantiles among other ops", "a:reduce { 'max', 'quantile', q = { 0.25, 0.75 } }" },
    { "host", "a:host('r'):release()" },
    { "program and kernel", "dev:program(OWN):kernel('own'):info()" },
    { "run", "own:run({ global = 6 }, 2, a, dev:zeros { 6 }, { 1, 2 })" },
    { "run on views", "own:run({ global = 3 }, 2, a:col(2), dev:zeros({ 9, 2 }):col(1), { 1, 2 })" },
    { "run on a part", "own:run({ global = 3 }, 2, a, dev:zeros({ 3000 }):slice { 1025, 2000 }, { 1, 2 })" },
    { "run, async", "own:run({ global = 6, async = true }, 2, a, dev:zeros { 6 }, { 1, 2 }):wait()" },
    { "load", "lun.load(files.npy)" },
    { "load of a .mtx", "lun.load(files.mtx)" },
    { "save of a .mtx", "a:save(files.mtx .. 'x.mtx'); os.remove(files.mtx .. 'x.mtx')" },
    { "fromfile, mapped", "dev:fromfile(files.txt, 'u8', { mapped = true }):sum()" },
    { "load of a .npz", "lun.load(files.npz)" },
    { "scan of a flat view, async", "a:t():cummax({ exclusive = true, async = true }):get()" },
    { "scan in parts", "long:cumsum()" },
    { "cumsum, the identity first", "a:cumsum { axis = 2, initial = true }" },
    { "scan in parts of a view", "long:reshape(8, 5000):t():cummin { axis = 2, reverse = true }" },
    { "reduce by an own operator, async", "long:reduce({ combine = 'max(a, b)', async = true }):get()" },
    { "segments", "a:sum { segments = index:add(dev:array({ 0, 2 }, 'i32')), axis = 2 }" },
    { "scan by an own operator", "a:scan { combine = 'max(a, b)' }" },
    { "scan of segments in parts", "long:cumsum { segments = dev:array({ 1, 7, 20000 }, 'i32') }" },
    { "run, checked", "checked:run({ global = 6 }, 2, a, dev:zeros { 6 }, { 1, 2 })" },
    { "program, checked", "dev:program(OWN, { check = true }):kernel('own'):info()" },
    { "run, odd", "own:run({ global = 99 }, 2, dev:zeros { 99 }, dev:zeros { 99 }, { 1, 2 })" },
    { "finish", "dev:zeros { 3 }; dev:finish()" },
}

-- All, as { name, code }.
function operations.list()
    local list = {}
    for _, name in ipairs(contract.examples(lun.device(), true).names) do
        list[#list + 1] = { name, ("examples.call[%q]()"):format(name) }
    end
    return table.move(further, 1, #further, #list + 1, list)
end

return operations
