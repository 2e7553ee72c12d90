---@meta _
-- What the Lua language server, and a reader, should know of linear algebra, beside meta.lua. Nothing loads it.
--
-- Matrices stand in the last two axes, of f32, f64, c64 or c128; integers and truth values count as f64, or as f32 where the device has none.
-- Axes before are batches, which broadcast.

---@class lunarray.array
local array = {}

---@class lunarray
local lun = {}

---@class lunarray.LinalgOptions: lunarray.AsyncOptions
---@field out? lunarray.array written instead of a new array; shares no element with an input
---@field variant? string the way to run it, one of dev:variants("solve"), dev:variants("inv"), dev:variants("cholesky"), dev:variants("cholesky_solve") or dev:variants("lu_solve")

---@class lunarray.SolveOptions: lunarray.LinalgOptions
---@field assume? "general"|"positive"|"upper"|"lower"|"unit_lower" what the matrix is: of "positive", symmetric (Hermitian) and positive definite, the lower triangle is read; of "upper", "lower" and "unit_lower" (with ones on its diagonal) that triangle. Default "general"
---@field transpose? boolean|"conjugate" solve with the transposed matrix, or with the transposed and conjugated one
---@field least_rcond? number raise, when the result is waited for, where rcond's estimate is below: of general matrices, without info
---@field info? boolean a second result, an i32 for each matrix: 0, or the pivot or row, from 1, that has no solution; nothing is raised then

---@class lunarray.InverseOptions: lunarray.LinalgOptions
---@field info? boolean as for `solve`

---@class lunarray.CholeskyOptions: lunarray.LinalgOptions
---@field upper? boolean the upper triangle is read, and given
---@field info? boolean as for `solve`

---@class lunarray.CholeskyInPlaceOptions: lunarray.AsyncOptions
---@field upper? boolean the upper triangle is read, and given
---@field info? boolean as for `solve`
---@field variant? string one of dev:variants("cholesky_")

---@class lunarray.RcondOptions: lunarray.AsyncOptions
---@field out? lunarray.array written instead of a new array

---@class lunarray.DeterminantOptions: lunarray.AsyncOptions
---@field out? lunarray.array|lunarray.array[] written instead of new arrays
---@field variant? string one of dev:variants("det"), dev:variants("slogdet")

---@class lunarray.FactorOptions: lunarray.AsyncOptions
---@field variant? string one of dev:variants("lu_factor"), dev:variants("lu_factor_")

---@class lunarray.LuSolveOptions: lunarray.LinalgOptions
---@field transpose? boolean|"conjugate" solve with the transposed matrix, or with the transposed and conjugated one

---@class lunarray.LuOptions
---@field variant? string as for `lu_factor`
---@field queue? lunarray.queue

---The x of a x = b: LU with partial pivoting, Cholesky's factors or substitution, as the matrix is said to be.
---Raises, when the result is waited for, where a pivot is 0 or a matrix is not positive definite.
---@param b lunarray.array a vector of n, or matrices of n rows; one axis is a vector
---@param opts? lunarray.SolveOptions
---@return lunarray.array|lunarray.event x as b is
---@return lunarray.array? info with `info`
function array:solve(b, opts) end

---The inverse of each matrix. To solve equations `solve` is faster and more accurate.
---@param opts? lunarray.InverseOptions
---@return lunarray.array|lunarray.event
---@return lunarray.array? info with `info`
function array:inv(opts) end

---The determinant, by LU: a number, or of a batch an array. Of no rows it is 1.
---@param opts? lunarray.DeterminantOptions
---@return number|lunarray.complex|lunarray.array|lunarray.event
function array:det(opts) end

---The determinant's sign, 1, -1 or 0 (of complex matrices a number of size 1, or 0), and the logarithm of its absolute value, which no size makes overflow.
---@param opts? lunarray.DeterminantOptions
---@return number|lunarray.complex|lunarray.array|lunarray.event sign
---@return number|lunarray.array logarithm -infinity for a determinant of 0
function array:slogdet(opts) end

---The lower triangle l with a = l l^H, or with `upper` u with a = u^H u, and zeros in the other triangle.
---The other triangle of the array is not read.
---Raises, when the result is waited for, where the matrix is not positive definite.
---@param opts? lunarray.CholeskyOptions
---@return lunarray.array|lunarray.event
---@return lunarray.array? info with `info`
function array:cholesky(opts) end

---The same in place: the array itself, of f32 or f64, becomes that triangle, with zeros in the other one.
---@param opts? lunarray.CholeskyInPlaceOptions
---@return lunarray.array|lunarray.event self
---@return lunarray.array? info with `info`
function array:cholesky_(opts) end

---LU with partial pivoting, of m x n: the upper triangle in one matrix with the lower one, whose ones on the diagonal are left out; the
---order of the rows, as i64 from 1: a:take(order, 1) is l u; and the rows that were exchanged, one after the other, as i32 from 0.
---Singular matrices have factors, too.
---@param opts? lunarray.FactorOptions
---@return lunarray.array|lunarray.event factors
---@return lunarray.array order
---@return lunarray.array exchanges
function array:lu_factor(opts) end

---The same in place: the array itself, of f32 or f64, becomes the factors.
---@param opts? lunarray.FactorOptions
---@return lunarray.array|lunarray.event self
---@return lunarray.array order
---@return lunarray.array exchanges
function array:lu_factor_(opts) end

---The estimate of `rcond` by the factors, the order of their rows, and the 1-norm of the matrix, a number for each of a batch.
---@param order lunarray.array as lu_factor gave it
---@param norm lunarray.array in the dtype of the factors: a:norm{ord = 1, keepdims = true}, without its last two axes
---@param opts? lunarray.RcondOptions
---@return number|lunarray.array|lunarray.event
function array:lu_rcond(order, norm, opts) end

---What solves with factors that lu_factor gave; of a singular matrix there come infinities and NaN.
---@param order lunarray.array as lu_factor gave it; rows that it names and that are not there are NaN
---@param b lunarray.array as for `solve`
---@param opts? lunarray.LuSolveOptions
---@return lunarray.array|lunarray.event
function array:lu_solve(order, b, opts) end

---Factors of the matrix, or of each of a batch, as an object, which solves again and again.
---@param opts? lunarray.LuOptions
---@return lunarray.lu
function array:lu(opts) end

---The same in place: the array, of f32 or f64, holds the factors, and the object shares its memory. What is written there later
---changes what the object solves.
---@param opts? lunarray.LuOptions
---@return lunarray.lu
function array:lu_(opts) end

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

---An estimate of 1 / (norm(a) norm(inverse of a)) in the 1-norm (Hager 1984, Higham 1988): near 1 for what is well conditioned, near the
---dtype's epsilon for what is as good as singular, 0 for what is singular. It is hardly ever more than three times too large.
---@param opts? lunarray.RcondOptions
---@return number|lunarray.array|lunarray.event
function array:rcond(opts) end

---The x of l l^T x = b, by the lower triangle that `cholesky` gives.
---@param l lunarray.array
---@param b lunarray.array as for `solve`
---@param opts? lunarray.LinalgOptions
---@return lunarray.array|lunarray.event
function lun.cholesky_solve(l, b, opts) end
