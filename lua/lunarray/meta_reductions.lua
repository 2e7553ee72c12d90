---@meta _
-- What the Lua language server, and a reader, should know of reductions, beside meta.lua. Nothing loads it.

---@class lunarray.array
local array = {}

---@class lunarray.device
local device = {}

---@alias lunarray.op
---| "sum"   # integers in i64, u64 in u64, f16 in f32, else the dtype; empty: 0
---| "prod"  # dtype as for sum; empty: 1
---| "min"   # the dtype; NaN spreads; empty: an error
---| "max"   # the dtype; NaN spreads; empty: an error
---| "sumsq" # the sum of squares; dtype as for sum; empty: 0
---| "absmax" # the greatest magnitude, in the dtype; NaN spreads; empty: 0; -128 of i8 counts as 127
---| "mean"   # a float: f64 of integers (f32 where there is no f64), else as for sum; empty: an error
---| "var"    # as mean: the mean of the squares about the mean; option ddof
---| "std"    # as mean: the square root of var; option ddof
---| "argmin" # i64: the position of the least, from 1, in row-major order of the reduced axes; the first of equals, and a NaN before all
---| "argmax" # i64: the position of the greatest, as argmin
---| "any"    # is an element not 0 (a NaN is not)? a boolean, or bool with an axis; empty: false
---| "all"    # is no element 0? a boolean, or bool with an axis; empty: true
---| "nnz"    # i64: how many elements are not 0; empty: 0
---| "asum"   # the sum of the magnitudes; dtype as for sum; empty: 0
---| "nansum" # the sum of what is no NaN; dtype as for sum; empty: 0
---| "nanmin" # the least of what is no NaN, which is NaN where there is nothing else; the dtype; empty: an error
---| "nanmax" # the greatest of what is no NaN, as nanmin
---| "norm"   # as mean: the square root of the sum of the squares, which neither overflows nor underflows; empty: 0
---| "nanprod" # the product of what is no NaN; dtype as for sum; empty: 1
---| "count"  # i64: how many elements are no NaN; empty: 0
---| "nanmean" # the mean of what is no NaN, which is NaN where there is nothing else; dtype as mean; empty: an error
---| "nanvar" # the variance of what is no NaN, NaN where ddof leaves nothing; option ddof
---| "nanstd" # the square root of nanvar
---| "nanargmin" # i64: the position of the least of what is no NaN; the first where there is nothing else
---| "nanargmax" # the position of the greatest, as nanargmin
---| "logsumexp" # as mean: the logarithm of the sum of the exponentials, none of which overflows; empty: an error
---| "median" # as mean: of an array, along one axis or of all elements; NaN spreads; empty: an error
---| "quantile" # as median: the quantiles that the option q names
---| "nanmedian" # the median of what is no NaN
---| "nanquantile" # quantiles of what is no NaN

---@class lunarray.NormOptions: lunarray.SumOptions
---@field ord? 1|2|"inf"|"nuclear"|"fro"|number norms of matrices: the largest sum of a column's sizes, the largest singular value, the largest sum of a row's, the sum of the singular values, the root of the sum of squares; -1, -2 and "-inf" are the least where those are the largest. With out, keepdims, async and queue alone

---Reduces all axes to a number, or those named to an array; several ops give several results, from 4 MB of elements on in one
---pass, and in one pass always where one of them is other than sum, prod, min, max, sumsq and absmax. Where median or quantile is
---among them, each is a pass.
---@param op lunarray.op|lunarray.op[]|lunarray.OwnReduceOptions a list of ops, or an operator of your own, may have the options in
---its table
---@param opts? lunarray.OwnReduceOptions
---@return number|boolean|lunarray.array ...
function array:reduce(op, opts) end

---The sum: `reduce("sum", opts)`.
---@param opts? lunarray.TypedSumOptions
---@return number|lunarray.array
function array:sum(opts) end

---The product: `reduce("prod", opts)`.
---@param opts? lunarray.TypedReduceOptions
---@return number|lunarray.array
function array:prod(opts) end

---The least element: `reduce("min", opts)`.
---@param opts? lunarray.ReduceOptions
---@return number|lunarray.array
function array:min(opts) end

---The greatest element: `reduce("max", opts)`.
---@param opts? lunarray.ReduceOptions
---@return number|lunarray.array
function array:max(opts) end

---The sum of the squares: `reduce("sumsq", opts)`.
---@param opts? lunarray.TypedSumOptions
---@return number|lunarray.array
function array:sumsq(opts) end

---The sum of products with another array, whose shape broadcasts with this one's, over all axes or those of `axis`: one pass over both.
---Products of integers are made in 64 bits, as their sum is.
---@param b lunarray.array
---@param opts? lunarray.SumOptions
---@return number|lunarray.array
function array:dot(b, opts) end

---As `dot`, of the conjugates of the array's own complex numbers.
---@param b lunarray.array
---@param opts? lunarray.SumOptions
---@return number|lunarray.array
function array:vdot(b, opts) end

---The greatest magnitude: `reduce("absmax", opts)`.
---@param opts? lunarray.ReduceOptions
---@return number|lunarray.array
function array:absmax(opts) end

---The mean: `reduce("mean", opts)`.
---@param opts? lunarray.TypedSumOptions
---@return number|lunarray.array
function array:mean(opts) end

---The variance, the mean of the squares about the mean: `reduce("var", opts)`.
---@param opts? lunarray.VarianceOptions
---@return number|lunarray.array
function array:var(opts) end

---The standard deviation, the square root of the variance: `reduce("std", opts)`.
---@param opts? lunarray.VarianceOptions
---@return number|lunarray.array
function array:std(opts) end

---The position of the least element, from 1: `reduce("argmin", opts)`.
---@param opts? lunarray.ReduceOptions
---@return integer|lunarray.array
function array:argmin(opts) end

---The position of the greatest element, from 1: `reduce("argmax", opts)`.
---@param opts? lunarray.ReduceOptions
---@return integer|lunarray.array
function array:argmax(opts) end

---Is an element not 0? `reduce("any", opts)`.
---@param opts? lunarray.ReduceOptions
---@return boolean|lunarray.array
function array:any(opts) end

---Is no element 0? `reduce("all", opts)`.
---@param opts? lunarray.ReduceOptions
---@return boolean|lunarray.array
function array:all(opts) end

---How many elements are not 0: `reduce("nnz", opts)`.
---@param opts? lunarray.ReduceOptions
---@return integer|lunarray.array
function array:nnz(opts) end

---The sum of the magnitudes: `reduce("asum", opts)`.
---@param opts? lunarray.TypedSumOptions
---@return number|lunarray.array
function array:asum(opts) end

---The sum of what is no NaN: `reduce("nansum", opts)`.
---@param opts? lunarray.TypedSumOptions
---@return number|lunarray.array
function array:nansum(opts) end

---The least of what is no NaN: `reduce("nanmin", opts)`.
---@param opts? lunarray.ReduceOptions
---@return number|lunarray.array
function array:nanmin(opts) end

---The greatest of what is no NaN: `reduce("nanmax", opts)`.
---@param opts? lunarray.ReduceOptions
---@return number|lunarray.array
function array:nanmax(opts) end

---The Euclidean norm, the square root of the sum of the squares: `reduce("norm", opts)`. With `ord` the norms of matrices, in
---the last two axes.
---@param opts? lunarray.NormOptions
---@return number|lunarray.array
function array:norm(opts) end

---The product of what is no NaN: `reduce("nanprod", opts)`.
---@param opts? lunarray.TypedReduceOptions
---@return number|lunarray.array
function array:nanprod(opts) end

---How many elements are no NaN: `reduce("count", opts)`.
---@param opts? lunarray.ReduceOptions
---@return integer|lunarray.array
function array:count(opts) end

---The mean of what is no NaN: `reduce("nanmean", opts)`.
---@param opts? lunarray.TypedReduceOptions
---@return number|lunarray.array
function array:nanmean(opts) end

---The variance of what is no NaN: `reduce("nanvar", opts)`.
---@param opts? lunarray.DeviationOptions
---@return number|lunarray.array
function array:nanvar(opts) end

---The standard deviation of what is no NaN: `reduce("nanstd", opts)`.
---@param opts? lunarray.DeviationOptions
---@return number|lunarray.array
function array:nanstd(opts) end

---The position of the least of what is no NaN, from 1: `reduce("nanargmin", opts)`.
---@param opts? lunarray.ReduceOptions
---@return integer|lunarray.array
function array:nanargmin(opts) end

---The position of the greatest of what is no NaN, from 1: `reduce("nanargmax", opts)`.
---@param opts? lunarray.ReduceOptions
---@return integer|lunarray.array
function array:nanargmax(opts) end

---The logarithm of the sum of the exponentials: `reduce("logsumexp", opts)`.
---@param opts? lunarray.ReduceOptions
---@return number|lunarray.array
function array:logsumexp(opts) end

---Reduces an expression of arrays and numbers, or each of a list of them, in one pass that reads each array once and makes no
---array in between. One op and several expressions, or one expression and several ops, go with each other.
---In place of op and expression an operator of your own may stand.
---@overload fun(self: lunarray.device, op: lunarray.OwnOperator, arguments: table<string, lunarray.array|number>, opts?: lunarray.ReduceExpressionOptions): number|lunarray.array
---@param op lunarray.op|lunarray.op[] but median, quantile, nanmedian and nanquantile, which want an array: `dev:map(...):median()`
---@param expression string|string[] OpenCL C, as for `map`
---@param arguments table<string, lunarray.array|number> what the expression's names stand for; 10 arrays and results at most
---@param opts? lunarray.ReduceExpressionOptions
---@return number|boolean|lunarray.array ...
function device:reduce(op, expression, arguments, opts) end
