---@meta _
-- What the Lua language server, and a reader, should know of iterative solvers, beside meta_operations.lua. Nothing loads it.

---A linear function of an array p in b's shape: it gives the array A p, a new one or `out`, which has p's shape and dtype and may be
---written. p itself stays as it is.
---@alias lunarray.LinearFunction fun(p: lunarray.array, out: lunarray.array): lunarray.array

---@class lunarray.SolverReport
---@field converged boolean is `residual` up to tol?
---@field steps integer how many were made; one of bicgstab has two products with A
---@field residual number the norm of b - A x, computed anew of x, as a part of b's
---@field history number[] the residual after each step, as the method itself has it; where b - A x was computed, that
