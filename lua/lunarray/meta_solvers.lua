---@meta _
-- What the Lua language server, and a reader, should know of iterative solvers, beside meta_operations.lua. Nothing loads it.

local lun = {}

---A linear function of an array p in b's shape: it gives the array A p, a new one or `out`, which has p's shape and dtype and may be
---written. p itself stays as it is.
---@alias lunarray.LinearFunction fun(p: lunarray.array, out: lunarray.array): lunarray.array

---@class lunarray.SolverReport
---@field converged boolean is `residual` up to tol?
---@field steps integer how many were made; one of bicgstab has two products with A
---@field residual number the norm of b - A x, computed anew of x, as a part of b's
---@field history number[] the residual after each step, as the method itself has it; where b - A x was computed, that

---@class lunarray.OdeReport
---@field steps integer how many were made,
---@field rejected integer and how many were too long
---@field evaluations integer of f
---@field time number that was reached: the last one, or that of an event that ended it
---@field events {t: number, y: lunarray.array}[][] for each event where it was

---@class lunarray.OdeEvent
---@field f fun(t: number, y: lunarray.array): number|lunarray.array
---@field terminal? boolean true: the integration ends there
---@field direction? number above 0: only where the value rises; below 0: only where it falls

---@class lunarray.OdeOptions
---@field method? "rk45"
---@field rtol? number the error of a step is at most atol + rtol * |y|; default 1e-3
---@field atol? number default 1e-6
---@field first_step? number its length; default: by the slopes at the start
---@field max_step? number the longest step
---@field steps? integer how many are made at most; default 100000
---@field events? function|lunarray.OdeEvent|(function|lunarray.OdeEvent)[] where the value of f(t, y) is 0 is an event

---Solves dy/dt = f(t, y) from y0 at t[1], by the method of Dormand and Prince, for problems that are not stiff. Gives the solution at
---the times, along a new first axis. All axes of y0 but the last are members of an ensemble, which take steps together. Waits at each
---step.
---@param f fun(t: number, y: lunarray.array): lunarray.array
---@param y0 lunarray.array f32, f64, c64 or c128
---@param t number[]|lunarray.array times that rise, or fall
---@param options? lunarray.OdeOptions
---@return lunarray.array ys, lunarray.OdeReport report
function lun.odeint(f, y0, t, options) end

---@class lunarray.MinimizeReport
---@field value number of f at x
---@field gradient number the largest magnitude of its elements there
---@field converged boolean is that at most tol?
---@field iterations integer
---@field evaluations integer of f
---@field message string why it ended

---@class lunarray.MinimizeOptions
---@field gradient true|"differences"|fun(x: lunarray.array): lunarray.array true: f gives it behind the value
---@field method? "lbfgs"
---@field tol? number of the gradient's elements; default 1e-5
---@field max? integer iterations at most; default 1000
---@field memory? integer how many steps are kept; default 10

---Finds a local minimum of a smooth function by L-BFGS. Waits for each value of f.
---@param f fun(x: lunarray.array): number|lunarray.array, lunarray.array?
---@param x0 lunarray.array f32 or f64
---@param options lunarray.MinimizeOptions
---@return lunarray.array x, lunarray.MinimizeReport report
function lun.minimize(f, x0, options) end
