-- Who adds an operation is told what else it needs: each row of operation.def is failed call by call, runs among random
-- commands, and is explained; each row of map.def is compared with plain Lua.

local lun = require "lunarray"
local helper = require "spec.helper"

-- What a check does not ask of a method, and why.
local EXCEPTIONS = {
    ["fault loops"] = {
        to = "on one device it makes no call, and a copy is there", broadcast = "as meshgrid",
        mt = "as meshgrid", swapaxes = "as meshgrid", moveaxis = "as meshgrid", rot90 = "as meshgrid",
        diagonal = "as meshgrid", unstack = "as meshgrid", windows = "as meshgrid", empty = "as empty_like",
        real = "as meshgrid", imag = "as meshgrid", as_real = "as meshgrid", as_complex = "as meshgrid",
        meshgrid = "views: it makes no call",
        rcond = "of lu and a dozen solves: too many calls",
        empty_like = "zeros_like without its fill", stream = "it makes no call until it draws",
    },
    sequences = {
        array = "the arrays of a sequence are made before it", load = "as array", loadtxt = "as array",
            fromfile = "as array", imread = "as array", savetxt = "as save", tofile = "as save",
                program = "kernels run, not programs",
        save = "waits for its array as totable does", queue = "a sequence has its queues",
        nbody = "ordering_spec runs it among fills and copies", gravity = "as nbody", energy = "as nbody",
        simulation = "as nbody",
        random = "its values are no model's", normal = "as random", randint = "as random", uniform = "as random",
        exponential = "as random", integers = "as random", poisson = "as random", binomial = "as random",
        permutation = "as random", choice = "as random", where = "elementwise, which are among the commands",
        ones = "a fill", zeros = "a fill", eye = "fills", to = "one device", contiguous = "a copy",
        cast = "a copy between dtypes, which is among the commands", arange = "fills an array that nothing else uses",
        linspace = "as arange", tobytes = "as totable", zeros_like = "a fill", ones_like = "a fill",
        isclose = "elementwise", allclose = "a reduction", equal = "as allclose", nan_to_num = "elementwise",
        take_along_axis = "as take",
        put_along_axis = "as put",
        unravel = "as take, then elementwise",
        ravel = "as take",
        union = "as unique",
        intersect = "as unique",
        setdiff = "as unique",
        isin = "sort, then searchsorted and take",
        partition = "as sort",
        argpartition = "as argsort",
        delete = "puts, then chooses as mask does",
        insert = "sort, then take",
        repeats = "a copy",
        tri = "as tril",
        logspace = "as linspace",
        geomspace = "as linspace",
        indices = "as arange",
        vander = "elementwise",
        trace = "a reduction",
        frexp = "elementwise", modf = "elementwise",
        flatten = "a copy", full_like = "a fill", stack = "as concat", triu = "as tril",
            diag = "a fill and a copy, as pad",
        dot = "a reduction", vdot = "as dot",
        einsum = "made of products and reductions, which are among the commands", tensordot = "as einsum",
            outer = "as einsum",
        kron = "as einsum", cross = "as einsum",
        csr_matmul = "sparse_spec runs it beside fills", csr_check = "as csr_matmul",
        csr_product = "sparse_words_spec does", csr_build = "as csr_product",
        csr_sweep = "sparse_solve_spec runs one behind the other", sparse = "as csr_matmul",
        eigh = "eigh_spec runs it beside fills", eigvalsh = "as eigh",
        eig = "eig_spec does as eigh_spec", eigvals = "as eig", svd = "svd_spec does as eigh_spec",
        svdvals = "as svd",
        solve = "linalg_spec runs it beside fills", inv = "as solve", det = "as solve", slogdet = "as solve",
        cholesky = "as solve", lu_factor = "as solve", cholesky_ = "as solve", lu_factor_ = "as solve",
        lu_ = "as solve", rcond = "as solve", lu_rcond = "as solve", lu_solve = "as solve", lu = "as solve",
        qr = "as solve", lstsq = "as solve",
        cholesky_solve = "as solve", pinv = "svd, then elementwise and a product", rank = "as pinv", cond = "as pinv",
        matrix_power = "products", expm = "products, and as solve",
        softmax = "made of reductions and elementwise functions", log_softmax = "as softmax", ptp = "as softmax",
        average = "as softmax", vector_norm = "as softmax", skew = "as softmax", kurtosis = "as softmax",
        cov = "as softmax, and a product", corrcoef = "as cov", diff = "elementwise, of slices", gradient = "as diff",
        trapezoid = "as diff", polyval = "as diff", roots = "as eigvals", polyfit = "as lstsq",
        interp = "as searchsorted and take",
        cumsum = "as scan", cumprod = "as scan", cummin = "as scan", cummax = "as scan",
        ifft = "as fft", irfft = "as rfft", fftn = "as fft", ifftn = "as fft", rfftn = "as fft", irfftn = "as fft",
        hfft = "as rfft", ihfft = "as rfft",
        ifft_ = "as fft_", fftn_ = "as fft_", ifftn_ = "as fft_", fftshift = "as roll",
        ifftshift = "as roll", fftfreq = "as arange", rfftfreq = "as arange",
        window = "as arange", correlate = "as convolve",
        stft = "as fft", spectrogram = "as fft", istft = "as irfft", hilbert = "as fft",
        dct = "as fft", idct = "as fft", dst = "as fft", idst = "as fft",
        quantile = "as median", nanmedian = "as median",
        nanquantile = "as median", bincount = "as histogram", histogram2d = "as histogram",
        sort_by = "argsort, then take",
    },
}

local methods = {}
for _, operation in ipairs(lun.device():operations()) do
    local by_rows = operation.says:find "reduction$" or operation.says:find "elementwise function$"
    local inner = operation.owner == "nothing" or operation.owner == "trace"
    if not inner and not by_rows then -- these have tables of their own
        local enqueues = false
        for _, option in ipairs(operation.options) do
            enqueues = enqueues or option.name == "queue"
        end
        methods[#methods + 1] = { name = operation.name, enqueues = enqueues }
    end
end

local function asked(what, path, pattern, applies)
    it(what, function()
        local text = ""
        local listing <close> = assert(io.popen("ls " .. path))
        for file in listing:lines() do
            text = text .. helper.read_file(file)
        end
        local missing = {}
        for _, method in ipairs(methods) do
            local excused = EXCEPTIONS[what] and EXCEPTIONS[what][method.name]
            local found = text:find(pattern:gsub("NAME", method.name))
            if applies(method) and not found and not excused then
                missing[#missing + 1] = method.name
            end
        end
        assert.equal("", table.concat(missing, " "), ("%s: missing in %s"):format(what, path))
    end)
end

local function always() return true end

describe("every method of operation.def", function()
    it("is found there", function()
        assert.is_true(#methods > 25)
    end)

    asked("fault loops", "spec/fault_spec.lua spec/operations.lua", "[:.]NAME%f[^%w_]", always)
    asked("sequences", "spec/sequences*.lua", "[:.]NAME%f[^%w_]",
        function(method) return method.enqueues end)
    asked("annotations", "lua/lunarray/meta*.lua", "function [%w_]+[:.]NAME%(", always)
    asked("pages", "README.md doc/*.md", "%f[%w_]NAME%f[^%w_]", always)
end)

describe("every function of map.def", function()
    it("is compared with plain Lua", function()
        local text = helper.read_file "spec/elementwise.lua" .. helper.read_file "spec/arithmetic_spec.lua"
            .. helper.read_file "spec/complex_functions_spec.lua" .. helper.read_file "spec/further_functions_spec.lua"
        local missing = {}
        for name in pairs(lun._functions()) do
            local answered = text:find("%f[%w_]" .. name .. " = [^=]") -- a row of elementwise.lua, or of its own
            local called = text:find("[%w)]:" .. name .. "[( ]")
            if not answered and not called and name ~= "pow" then -- its operator is
                missing[#missing + 1] = name
            end
        end
        assert.equal("", table.concat(missing, " "), "missing in spec/elementwise.lua")
    end)
end)
