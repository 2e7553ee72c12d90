-- CG of Poisson's equation on 1024 x 1024: 100 steps.
local lun = require "lunarray"
local n, inner = 1024, { 2, 1025 }
local five = lun.fuse(function(u, v)
    return 4 * u - v:slice({ 1, n }, inner) - v:slice({ 3, n + 2 }, inner) - v:slice(inner, { 1, n })
        - v:slice(inner, { 3, n + 2 })
end)
local function A(u) return five(u, u:pad { { 1, 1 }, { 1, 1 } }) end
local b = lun.ones { n, n }
local x = lun.cg(A, b, { steps = 100, tol = 0 })
print((A(x) - b):norm() / b:norm())
