-- What lun.cg, lun.bicgstab and lun.gmres say about arguments that they cannot take.

local helper = require "spec.helper"
local lun = require "lunarray"

describe("misuse of solvers", function()
    local A, b = lun.eye(3), lun.ones { 3 }
    local released = lun.ones { 3 }
    released:release()
    local gone = lun.eye(3)
    gone:release()
    local dropped = lun.eye(3):sparse():ichol()
    dropped:release()
    local KINDS = "'jacobi', 'ilu', 'ichol', an array, a sparse matrix, incomplete factors or a function is needed, "
        .. "got "
    local lost = lun.eye(3):sparse()
    lost:release()

    for _, name in ipairs { "cg", "bicgstab", "gmres" } do
        local solver = lun[name]
        local known = "tol, steps, x, preconditioner, every, callback" .. (name == "gmres" and ", restart" or "")
        local cases = {
            ["argument 1 is the module: it is called with a dot, lun." .. name .. "(...)"] = { lun, A, b },
            ["argument 1: an array, a sparse matrix or a function is needed, got nil"] = {},
            ["argument 1: an array, a sparse matrix or a function is needed, got a table"] = { {}, b },
            ["argument 1: the array was released"] = { gone, b },
            ["argument 1: the matrix was released"] = { lost, b },
            ["argument 1: a square matrix is needed, got 2x4"] = { lun.ones({ 2, 4 }):sparse(), b },
            ["argument 1 is 3x3; b of 3 numbers is needed, got 2"] = { A:sparse(), lun.ones { 2 } },
            ["argument 1: a square matrix is needed, got 3"] = { b, b },
            ["argument 1: a square matrix is needed, got 2x3"] = { lun.ones { 2, 3 }, b },
            ["argument 1: a square matrix is needed, got 1x3x3"] = { A:expand(1), b },
            ["argument 1 is 3x3; b of 3 numbers is needed, got 4"] = { A, lun.ones { 4 } },
            ["argument 1 is 3x3; b of 3 numbers is needed, got 3x1"] = { A, lun.ones { 3, 1 } },
            ["argument 2: an array is needed, got nil"] = { A },
            ["argument 2: an array is needed, got a table"] = { A, { 1, 2, 3 } },
            ["argument 2: an array of 1 axis or more is needed, got a 0-d array"] = { print, lun.ones {} },
            ["argument 2: the array was released"] = { A, released },
            ["argument 3: a table of options is needed, got a number"] = { A, b, 1 },
            ["argument 4: nothing after argument 3 is needed, got a number"] = { A, b, {}, 1 },
            ["unknown option 'tolerance'; known are " .. known] = { A, b, { tolerance = 1 } },
            ["option 'tol': a finite number from 0 is needed, got -1"] = { A, b, { tol = -1 } },
            ["option 'tol': a finite number from 0 is needed, got inf"] = { A, b, { tol = 1 / 0 } },
            ["option 'tol': a finite number from 0 is needed, got a string"] = { A, b, { tol = "1" } },
            ["option 'steps': an integer from 0 is needed, got -1"] = { A, b, { steps = -1 } },
            ["option 'steps': an integer from 0 is needed, got 1.5"] = { A, b, { steps = 1.5 } },
            ["option 'every': an integer from 1 to 1000 is needed, got 0"] = { A, b, { every = 0 } },
            ["option 'every': an integer from 1 to 1000 is needed, got 1001"] = { A, b, { every = 1001 } },
            ["option 'callback': a function is needed, got a boolean"] = { A, b, { callback = true } },
            ["option 'x': an array is needed, got a table"] = { A, b, { x = {} } },
            ["option 'x': the array was released"] = { A, b, { x = released } },
            ["option 'x': the shape of b is needed, 3, got 3x1"] = { A, b, { x = lun.ones { 3, 1 } } },
            ["option 'preconditioner': " .. KINDS .. "'lu'"] = { A, b, { preconditioner = "lu" } },
            ["option 'preconditioner': " .. KINDS .. "1"] = { A, b, { preconditioner = 1 } },
            ["option 'preconditioner': 'ilu' needs a sparse matrix, and A is an array"] =
                { A, b, { preconditioner = "ilu" } },
            ["option 'preconditioner': 'ichol' needs a sparse matrix, and A is a function"] =
                { print, b, { preconditioner = "ichol" } },
            ["option 'preconditioner': the factors are of 4 rows, and b has 3 numbers"] =
                { A, b, { preconditioner = lun.eye(4):sparse():ilu() } },
            ["option 'preconditioner': a list of one or two triangles is needed, {\"lower\", L, \"upper\", U}"] =
                { A, b, { preconditioner = { "lower" } } },
            ["option 'preconditioner': a list of one or two triangles is needed"] =
                { A, b, { preconditioner = { lun.eye(3):sparse(), "lower" } } },
            ["unknown triangle 'diagonal'; known are lower, unit lower, upper"] =
                { A, b, { preconditioner = { "diagonal", lun.eye(3):sparse() } } },
            ["option 'preconditioner': the matrix was released"] = { A, b, { preconditioner = { "lower", lost } } },
            ["the factors were released"] = { A, b, { preconditioner = dropped } },
            ["option 'preconditioner': the array was released"] = { A, b, { preconditioner = released } },
            ["option 'preconditioner': the shape of b is needed, 3, got 4"] =
                { A, b, { preconditioner = lun.ones { 4 } } },
            ["option 'preconditioner': a square matrix is needed, got 3x4"] =
                { A, b, { preconditioner = lun.ones { 3, 4 } } },
            ["option 'preconditioner' is 4x4; b of 4 numbers is needed, got 3"] =
                { A, b, { preconditioner = lun.eye(4) } },
            ["option 'preconditioner': a function A has no diagonal for 'jacobi'; an array of 1 / the diagonal is a "
                .. "preconditioner too"] = { print, b, { preconditioner = "jacobi" } },
            ["option 'preconditioner': 'jacobi' divides by the diagonal, and element 2 of it is 0"] =
                { lun.array { { 1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 1 } }, b, { preconditioner = "jacobi" } },
            ["the function returned nothing; an array is needed"] = { function() end, b },
            ["the function returned an array of 2 f32; one of 3 f32 is needed"] =
                { function() return lun.ones { 2 } end, b },
            ["the function returned an array of 3 i32; one of 3 f32 is needed"] =
                { function(p) return p:cast "i32" end, b },
            ["the function returned an array that was released"] =
                { function(p)
                    local q = p * 2
                    q:release()
                    return q
                end, b },
            ["the preconditioner released an array that was passed to it"] =
                { A, b, { preconditioner = function(r)
                    local q = r * 1
                    r:release()
                    return q
                end } },
            ["the preconditioner returned 1; an array "
                .. "is needed"] = { A, b, { preconditioner = function() return 1 end } },
            ["f16 is not supported; cast it to f32"] = { A, b:cast "f16" },
            ["bf16 is not supported; cast it to f32"] = { A:cast "bf16", b },
        }
        it(name .. ": not within a fused function", function()
            helper.raises(name .. ": cannot be fused: values are not known yet", function()
                lun.fuse(function(right) return (solver(A, right)) end)(b)
            end)
        end)

        for message, arguments in pairs(cases) do
            it(name .. ": " .. message, function()
                helper.raises(name .. ": " .. message, function() solver(table.unpack(arguments, 1, 4)) end)
            end)
        end
    end

    it("of gmres: restart", function()
        for value, got in pairs { [0] = "0", [2.5] = "2.5", [""] = "a string" } do
            helper.refused("gmres: option 'restart': an integer from 1 is needed, got " .. got,
                lun, A, b, { restart = value })
        end
        helper.refused("cg: unknown option 'restart'", lun, A, b, { restart = 1 })
    end)
end)
