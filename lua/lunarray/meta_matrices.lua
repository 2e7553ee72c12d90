---@meta _
-- What the Lua language server, and a reader, should know of words upon factorisations, beside meta.lua and meta_linalg.lua. Nothing
-- loads it.

---@class lunarray.array
local array = {}

---@class lunarray.MatrixOptions: lunarray.AsyncOptions
---@field out? lunarray.array written instead of a new array; shares no element with an input

---@class lunarray.PinvOptions: lunarray.MatrixOptions
---@field rcond? number|lunarray.array singular values up to so much of the largest count as 0; an array broadcasts to the batch. Default: max(m, n) epsilon
---@field info? boolean as for `eigh`

---@class lunarray.RankOptions: lunarray.MatrixOptions
---@field tol? number|lunarray.array singular values up to it count as 0; an array broadcasts to the batch. Default: max(m, n) epsilon of the largest
---@field info? boolean as for `eigh`; the rank of a matrix that is not finite is 0

---@class lunarray.CondOptions: lunarray.MatrixOptions
---@field ord? 1|2|"inf"|"fro"|"nuclear"|"-inf"|number the norm, as for `norm`. Default 2
---@field info? boolean as for `eigh`

---Moore and Penrose's inverse, by singular values: x = p b has the least a x - b, and of those the least x. n x m of m x n.
---@param opts? lunarray.PinvOptions
---@return lunarray.array|lunarray.event
---@return lunarray.array? info with `info`
function array:pinv(opts) end

---How many singular values are above tol, as i64: a number, or of a batch an array.
---@param opts? lunarray.RankOptions
---@return integer|lunarray.array|lunarray.event
---@return lunarray.array? info with `info`
function array:rank(opts) end

---The condition number, the norm times the norm of the inverse; in the norm 2 the largest singular value divided by the least, of matrices of
---any shape, and with -2 the reciprocal. Of a singular matrix it is infinite. A number, or of a batch an array.
---@param opts? lunarray.CondOptions
---@return number|lunarray.array|lunarray.event
---@return lunarray.array? info with `info`
function array:cond(opts) end

---The n-th power, by squaring; of n below 0 that of the inverse, of 0 the matrix 1.
---@param n integer
---@param opts? lunarray.MatrixOptions
---@return lunarray.array|lunarray.event
function array:matrix_power(n, opts) end

---The exponential of the matrix (Al-Mohy and Higham 2009). Waits for the number of squarings, which is the largest of a batch.
---@param opts? lunarray.MatrixOptions
---@return lunarray.array|lunarray.event
function array:expm(opts) end
