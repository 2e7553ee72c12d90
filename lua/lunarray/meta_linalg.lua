---@meta _
-- What the Lua language server, and a reader, should know of linear algebra, beside meta.lua. Nothing loads it.
--
-- Matrices are in the last two axes, of f32, f64, c64 or c128; integers and truth values count as f64, or as f32 where the device has none.
-- Axes before are batches, which broadcast.

---@class lunarray.array
local array = {}

---@class lunarray
local lun = {}

---@class lunarray.LinalgOptions: lunarray.AsyncOptions
---@field out? lunarray.array written instead of a new array; shares no element with an input
---@field variant? string the way to run it, one of dev:variants("solve"), dev:variants("inv"), dev:variants("cholesky"), dev:variants("cholesky_solve") or dev:variants("lu_solve")

---@class lunarray.LuSolveOptions: lunarray.LinalgOptions
---@field transpose? boolean|"conjugate" solve with the transposed matrix, or with the transposed and conjugated one

---@class lunarray.lu
---@field l lunarray.array the lower triangle, with ones on its diagonal
---@field u lunarray.array the upper triangle
---@field p lunarray.array the order of the rows, i64 from 1: a:take(f.p, 1) is l u
---@field solve fun(self: lunarray.lu, b: lunarray.array, opts?: lunarray.LuSolveOptions): lunarray.array
---@field det fun(self: lunarray.lu): number|lunarray.array
---@field slogdet fun(self: lunarray.lu): number|lunarray.array, number|lunarray.array
---@field inv fun(self: lunarray.lu): lunarray.array
---@field rcond fun(self: lunarray.lu): number|lunarray.array
---@field release fun(self: lunarray.lu)

---@class lunarray.LstsqReport
---@field rank integer|lunarray.array how many columns count; of a batch i64, one for each matrix
---@field residuals number|lunarray.array the sum of squares of b - a x for each column of b, whatever the rank
---@field rcond number what ranks were found with
---@field info? integer|lunarray.array with `info`: 0, or the row of the first number that is not finite; of a batch i32, one for each matrix
