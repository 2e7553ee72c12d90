---@meta _
-- What the Lua language server, and a reader, should know of iterative solvers, beside meta.lua. Nothing loads it.

---@class lunarray
local lun = {}

---A linear function of an array p in b's shape: it gives the array A p, a new one or `out`, which has p's shape and dtype and may be
---written. p itself stays as it is.
---@alias lunarray.LinearFunction fun(p: lunarray.array, out: lunarray.array): lunarray.array

---@class lunarray.SolverOptions
---@field tol? number the residual's norm is to be this part of b's. Default 1e-6
---@field steps? integer not more. Default 10 for each element of b
---@field x? lunarray.array where to begin, of b's shape; it stays as it is. Default 0
---@field preconditioner? "jacobi"|"ilu"|"ichol"|lunarray.array|lunarray.sparse|lunarray.incomplete|lunarray.LinearFunction M, which is near A's inverse: "jacobi" is one over A's diagonal; "ilu" and "ichol" are a sparse A's incomplete factors, which may be given, too; an array of b's shape multiplies element by element; a matrix, or a function, is applied
---@field every? integer after how many steps the host looks at what the device has, from 1 to 1000. Default 10; the result is the same
---@field callback? fun(step: integer, residual: number) called at each look, with the last step whose residual is known

---@class lunarray.GmresOptions: lunarray.SolverOptions
---@field restart? integer after how many steps it begins anew; it keeps a vector for each. Default 30

---@class lunarray.SolverReport
---@field converged boolean is `residual` up to tol?
---@field steps integer how many were made; one of bicgstab has two products with A
---@field residual number the norm of b - A x, computed anew of x, as a part of b's
---@field history number[] the residual after each step, as the method itself has it; where b - A x was computed, that

---Conjugate gradients (Hestenes and Stiefel 1952): the x of A x = b, A symmetric, or Hermitian, and positive definite. A is a
---matrix, or a function. The dtype is the widest of what is given: f32, f64, c64 or c128; integers count as f64. Raises where a
---number is NaN or infinite, or where p . A p is 0, with the step; that it has not converged is no error.
---@param A lunarray.array|lunarray.sparse|lunarray.LinearFunction
---@param b lunarray.array a vector; where A is a function, of any shape
---@param opts? lunarray.SolverOptions
---@return lunarray.array x
---@return lunarray.SolverReport report
function lun.cg(A, b, opts) end

---The same for a square A of any kind, in memory that does not grow: stabilised bi-conjugate gradients (van der Vorst 1992).
---Raises as `cg`, where rho, (r0, v) or omega is 0.
---@param A lunarray.array|lunarray.sparse|lunarray.LinearFunction
---@param b lunarray.array
---@param opts? lunarray.SolverOptions
---@return lunarray.array x
---@return lunarray.SolverReport report
function lun.bicgstab(A, b, opts) end

---The same for a square A of any kind: the x of the least residual (Saad and Schultz 1986), which never grows. Raises as `cg`, and
---where A is singular and that ends it.
---@param A lunarray.array|lunarray.sparse|lunarray.LinearFunction
---@param b lunarray.array
---@param opts? lunarray.GmresOptions
---@return lunarray.array x
---@return lunarray.SolverReport report
function lun.gmres(A, b, opts) end
