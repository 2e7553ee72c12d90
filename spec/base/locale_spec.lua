-- The locale of the process: nothing that is written, compiled, read or said depends on it.

local lun = require "lunarray"
local helper = require "spec.helper"

-- What a process does with numbers and names, printed: messages, kernels and files, of which it prints the bytes.
local PROGRAM = [[
    local lun, plot = require "lunarray", require "lunarray.plot"
    local dev, folder = lun.device(), FOLDER
    local function say(f, ...)
        local found = table.pack(pcall(f, ...))
        for i = 2, found.n do
            local x = found[i]
            print(math.type(x) == "float" and string.pack("<d", x):gsub(".", function(c)
                return ("%02x"):format(c:byte())
            end) or x)
        end
    end
    local function bytes(path)
        local file <close> = assert(io.open(path, "rb"))
        print((file:read "a":gsub("[^ -~\n]", function(c) return ("\\%d"):format(c:byte()) end)))
    end

    -- printing
    local x = dev:array { 1.5, 2.25, -1e-30, 0 / 0 }
    print(x, x:cast "f16", dev:array({ 0.1 }, "bf16"))
    -- kernels: constants of fused functions, arguments, operators, defines
    say(lun.fuse(function(y) return y:clamp(-1.5, 1e300) * 2.5 + 0.1 end), x)
    say(dev.map, dev, "a*x + 0.5", { a = 2.5, x = x })
    say(dev.reduce, dev, { map = "x + 0.5f", combine = "a + b", identity = "0.5" }, { x = x:slice { 1, 2 } })
    say(function()
        local program = dev:program("kernel void f(global float *x, float y) { x[0] = K; x[1] = y; }",
            { defines = { K = 1.5 } })
        program:kernel():run({ global = 1 }, x, 0.5)
        return x
    end)
    -- messages of the core, of the Lua side in C, and of that in Lua
    local whole = dev:zeros({ 2 }, "i32")
    say(whole.fill, whole, 0.5)
    say(x.quantile, x, 1.5)
    say(x.histogram, x, { low = 1.5, high = -0.25 })
    say(dev.rng(dev, 1).poisson, dev:rng(1), { 3 }, { lambda = -0.5 })
    say(dev.rng(dev, 1).choice, dev:rng(1), 2, 1, { weights = dev:array { 0.5, -1.5 } })
    say(dev.normal, dev, { 3 }, { std = -0.125 })
    say(dev.zeros, dev, 1.5)
    say(dev.linspace, dev, 2.0, 1 / 0, 3)
    say(dev.arange, dev, 0.5, 1.5, 0.0)
    say(x.reduce, x, { combine = "a + b", identity = 0.5 })
    say(x.sum, x, { [0.5] = 1 })
    say(x.take, x, 1.5)
    say(dev.map, dev, "x", { [0.5] = x })
    say(function() return lun[0.5] end)
    say(lun.fuse(function(y, low) return y:clamp(low, 0.25) end), x, 0.75)
    say(plot.image, folder .. "/x.png", dev:zeros { 2, 2 }, { low = 1.5, high = 0.5 })
    say(plot.block, "data", { { 0.5, 2 }, { 1.25, 3 } })
    -- names and words
    say(function() return lun.device("COMPUTING") == lun.device("computing") end)
    say(dev.zeros, dev, { 1 }, "INT32")
    say(dev.program, dev, "", { defines = { ["\xe4"] = 1 } })
    -- files
    dev:array({ 0.1, 1.5 }, "f64"):save(folder .. "/x.npy")
    bytes(folder .. "/x.npy")
    say(lun.load, folder .. "/x.npy")
    plot.image(folder .. "/x.png", dev:array { { 0.1, 0.25 }, { 0.5, 1.5 } })
    bytes(folder .. "/x.png")
    local sim = lun.simulation(dev:array { { 0, 0, 0, 1 }, { 1.5, 0, 0, 1 } }, dev:zeros { 2, 4 },
        { dt = 0.1, softening = 0.3, time = 0.7 })
    sim:step(3)
    print(sim)
    say(sim.integrate, sim, 1.05)
    sim:save(folder .. "/s.npz")
    local header = lun.load(folder .. "/s.npz").header:tobytes()
    for _, line in ipairs { "origin float 0x1.6666666666666p-1", "option_dt float 0x1.999999999999ap-4" } do
        print(header:find("\n" .. line .. "\n", 1, true) ~= nil)
    end
    local same = lun.simulation(folder .. "/s.npz")
    say(same.time, same)
    say(function() return same.pos end)
]]

-- Makes locales in a folder of their own; nil where one cannot be made.
local function locale_folder(locales)
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir " .. folder))
    for name, charmap in pairs(locales) do
        local made = "localedef -i %s -f %s %s/%s.%s >/dev/null 2>&1"
        if not os.execute(made:format(name, charmap, folder, name, charmap)) then
            os.execute("rm -r " .. folder)
            return nil
        end
    end
    return folder
end

describe("the locale", function()
    local folder = locale_folder { de_DE = "UTF-8", tr_TR = "UTF-8", fr_FR = "ISO-8859-1" }
    if not folder then
        pending "needs localedef and the sources of locales (Debian: apt install locales)"
        return
    end

    teardown(function() os.execute("rm -r " .. folder) end)

    local function output_under(locale)
        local output = helper.child(([[
            local FOLDER = %q
            assert(os.setlocale(%q), "there is no such locale")
        ]]):format(folder, locale) .. PROGRAM, { env = { LOCPATH = folder } })
        return (output:gsub("[^\n ]*:(%d+: lunarray: )", "%1")) -- each process runs a file of its own
    end

    local plain = output_under "C"

    it("plain has points, and files are whole", function()
        assert.matches("array 4 f32 %[ *1%.5, *2%.25, *-1e%-30, *nan%]", plain)
        assert.matches("\ntrue\ntrue\n", plain, 1, true) -- the lines of the simulation's file
        assert.is_nil(plain:find("%d,%d")) -- no comma in a number
        assert.matches("got 2.0 and inf\n", plain, 1, true)
    end)

    it("with a decimal comma gives the same to the last byte", function()
        local output = helper.child([[
            assert(os.setlocale "de_DE.UTF-8")
            print(tostring(1.5))
        ]], { env = { LOCPATH = folder } })
        assert.equal("1,5\n", output) -- else the locale says nothing
        assert.equal(plain, output_under "de_DE.UTF-8")
        -- what was written there is read anywhere
        local sim = lun.simulation(folder .. "/s.npz")
        assert.equal(0.7 + 3 * 0.1, sim:time())
        assert.same({ 0.1, 1.5 }, lun.load(folder .. "/x.npy"):totable())
    end)

    it("with letters and blanks beyond ASCII, or another i, gives the same", function()
        assert.equal(plain, output_under "fr_FR.ISO-8859-1")
        assert.equal(plain, output_under "tr_TR.UTF-8")
    end)

    it("is as the process has it behind each call", function()
        local output = helper.child([[
            local lun = require "lunarray"
            assert(os.setlocale "de_DE.UTF-8")
            local x = lun.array { 1.5 }
            pcall(x.fill, lun.zeros({ 1 }, "i32"), 0.5)
            print(x, lun.fuse(function(y) return y * 1.5 end)(x))
            pcall(x.sum, x, { [0.5] = 1 })
            pcall(require("lunarray.plot").block, "data", { { {} } })
            print(1.5)
        ]], { env = { LOCPATH = folder } })
        assert.matches("\n1,5\n$", output)
    end)
end)
