-- Prints a table of the worst errors of linear algebra on a device, in LAPACK's units, beside those of LAPACK itself:
--
--     lua5.4 tools/accuracy_linalg.lua [device]
--
-- A Python with NumPy and SciPy, PYTHON or python3, makes the matrices and measures. Run it at the project's root.

local lun = require "lunarray"

local dev = lun.device(arg and arg[1])
local python = os.getenv "PYTHON" or "python3"

local words = {
    solve = function(of) return of.s and of.a:solve(of.b) end,
    inv = function(of) return of.s and of.a:inv() end,
    lu = function(of)
        local f = of.s and of.a:lu()
        if f then
            return f.l, f.u, f.p
        end
    end,
    cholesky = function(of) return of.p and of.p:cholesky() end,
    qr = function(of)
        if of.b then
            return of.a:qr()
        end
    end,
    lstsq = function(of) return of.b and (of.a:lstsq(of.b)) end,
    eigh = function(of)
        if of.s then
            return of.s:eigh()
        end
    end,
    eigvalsh = function(of) return of.s and of.s:eigvalsh() end,
    svd = function(of)
        if of.s then
            return of.a:svd()
        end
    end,
    svdvals = function(of) return of.s and of.a:svdvals() end,
    eig = function(of)
        if of.s or not of.b then
            return of.a:eig()
        end
    end,
}

local function run(command)
    assert(os.execute(command), command .. " failed")
end

local pipe <close> = assert(io.popen "mktemp -d")
local folder = pipe:read "l"
run(("%s tools/accuracy_linalg.py make %s"):format(python, folder))
local list <close> = assert(io.popen("ls " .. folder))
for file in list:lines() do
    local start = file:match "^(.*)%-a%.npy$"
    if start and (dev:info().fp64 or start:find "^%a32" or start:find "^c64") then
        local of = {}
        for _, letter in ipairs { "a", "s", "p", "b" } do
            local path = ("%s/%s-%s.npy"):format(folder, start, letter)
            of[letter] = io.open(path) and dev:load(path)
        end
        for word, compute in pairs(words) do
            for i, result in ipairs { compute(of) } do
                if result then
                    result:save(("%s/%s-%s%d.npy"):format(folder, start, word, i))
                end
            end
        end
    end
end
print(("%s, %s, %s:\n"):format(dev:info().name, dev:info().platform, dev:info().driver))
run(("%s tools/accuracy_linalg.py measure %s"):format(python, folder))
run("rm -r " .. folder)
