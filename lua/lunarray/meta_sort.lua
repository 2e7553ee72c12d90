---@meta _
-- Sorting and counting, for the Lua language server and for readers; doc/sorting.md has examples. Nothing loads it.

---@class lunarray
local lun = {}

---@class lunarray.array
local array = {}

---@class lunarray.SortOptions: lunarray.AsyncOptions
---@field axis? integer default: the last one
---@field descending? boolean the largest first; NaN comes last all the same
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with the array
---@field variant? string the way to run it, one of dev:variants("sort")

---@class lunarray.ArgsortOptions: lunarray.AsyncOptions
---@field axis? integer default: the last one
---@field descending? boolean the largest first; NaN comes last all the same
---@field out? lunarray.array where the result goes; i64, of the array's shape, sharing no element with the array
---@field variant? string the way to run it, one of dev:variants("argsort")

---@class lunarray.TopkOptions: lunarray.AsyncOptions
---@field axis? integer default: the last one
---@field smallest? boolean the smallest instead, the smallest first
---@field variant? string the way to run it, one of dev:variants("topk")

---@class lunarray.UniqueOptions: lunarray.AsyncOptions
---@field counts? boolean tell how many elements there are of each value
---@field inverse? boolean tell which of the values each element has
---@field first? boolean tell where each value stands first
---@field axis? integer compare what stands at each position along that axis, in place of elements
---@field variant? string the way to sort, one of dev:variants("unique")

---@class lunarray.MedianOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] one axis, or a list of that one or of all; default: of all elements
---@field segments? lunarray.array|integer[] is refused, with what to do instead
---@field keepdims? boolean axes that go stay with size 1, and all of it an array
---@field out? lunarray.array where the result goes, with or without the axes that go, sharing no element with the array
---@field variant? string the way to run it, one of dev:variants("median"), dev:variants("nanmedian")

---@class lunarray.QuantileOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] one axis, or a list of that one or of all; default: of all elements
---@field segments? lunarray.array|integer[] is refused, with what to do instead
---@field keepdims? boolean axes that go stay with size 1, and all of it an array
---@field out? lunarray.array where the result goes, with or without the axes that go, sharing no element with the array
---@field variant? string the way to run it, one of dev:variants("quantile"), dev:variants("nanquantile")

---@class lunarray.SearchsortedOptions: lunarray.AsyncOptions
---@field side? "left"|"right" before elements that are equal (default), or behind them
---@field out? lunarray.array where the result goes; i64, of the values' shape, sharing no element with the inputs
---@field sorter? lunarray.array positions that sort this array, as argsort gives them

---@class lunarray.IsinOptions: lunarray.AsyncOptions
---@field invert? boolean tell which elements are not among them
---@field out? lunarray.array where the result goes; bool, of the array's shape

---@class lunarray.PartitionOptions: lunarray.AsyncOptions
---@field axis? integer default: the last one
---@field out? lunarray.array where the result goes

---@class lunarray.SortByOptions: lunarray.AsyncOptions
---@field descending? boolean the largest key first; NaN comes last all the same

---@class lunarray.BincountOptions: lunarray.AsyncOptions
---@field weights? lunarray.array added up instead of ones; the array's shape
---@field size? integer how many values are counted; default: as many as the largest one wants, which waits
---@field from? integer the value that position 1 counts, 1 (default) or 0
---@field out? lunarray.array where the result goes; it says the size too
---@field variant? string the way to run it, one of dev:variants("bincount")

---@class lunarray.HistogramOptions: lunarray.AsyncOptions
---@field bins? integer how many, default 10
---@field low? number where the first bin begins; default: the least element, which waits
---@field high? number where the last bin ends; default: the largest element, which waits
---@field weights? lunarray.array added up instead of ones; the array's shape
---@field variant? string the way to run it, one of dev:variants("histogram")

---@class lunarray.HistogramPairOptions: lunarray.AsyncOptions
---@field bins? integer|integer[] how many: one number for both axes, or a list of two; default 10
---@field low? number|number[] where the first bins begin; default: the least element of each array, which waits
---@field high? number|number[] where the last bins end; default: the largest element of each array, which waits
---@field weights? lunarray.array added up instead of ones; the arrays' shape
---@field variant? string the way to run it, one of dev:variants("histogram2d")

---The elements along an axis, sorted. Equal elements keep their order; 0 and -0 are equal; NaN comes last.
---@param opts? lunarray.SortOptions
---@return lunarray.array
function array:sort(opts) end

---Where the elements stand along an axis that sort would put there: i64, from 1.
---@param opts? lunarray.ArgsortOptions
---@return lunarray.array
function array:argsort(opts) end

---The k largest elements along an axis, the largest first, and their positions, i64 from 1. NaN comes after all numbers.
---@param k integer from 0 to the axis's size
---@param opts? lunarray.TopkOptions
---@return lunarray.array values
---@return lunarray.array positions
function array:topk(k, opts) end

---The distinct values, sorted: an array with one axis. NaN are equal here, and complex numbers are sorted by their real
---parts, then by their imaginary ones. Waits for their number. The options add how many there are of each (i64), in the array's shape which one each element has (i64, from 1), and where each stands first (i64).
---@param opts? lunarray.UniqueOptions
---@return lunarray.array values
---@return lunarray.array? more the counts, or else the inverse, or else the first positions
---@return lunarray.array? inverse behind the counts
---@return lunarray.array? first behind all
function array:unique(opts) end

---The median, `reduce("median", opts)`: of all elements a number, along an axis an array. Integers give f64 (f32 on devices without), f16 and bf16 f32.
---NaN spreads.
---@param opts? lunarray.MedianOptions
---@return number|lunarray.array
function array:median(opts) end

---Quantiles, `reduce("quantile", {q = q})`, interpolated linearly between two elements: of all elements a number, along an axis an
---array; of a list of q an array with one more axis, the first, for the list. Dtypes and NaN are those of the median.
---@param q number|number[] from 0 to 1; 1 to 1024 of them in a list
---@param opts? lunarray.QuantileOptions
---@return number|lunarray.array
function array:quantile(q, opts) end

---The median of the elements that are no NaN; NaN where all are. Rows are sorted whole.
---@param opts? lunarray.MedianOptions
---@return number|lunarray.array
function array:nanmedian(opts) end

---Quantiles of the elements that are no NaN; NaN where all are. Rows are sorted whole.
---@param q number|number[] from 0 to 1; 1 to 1024 of them in a list
---@param opts? lunarray.QuantileOptions
---@return number|lunarray.array
function array:nanquantile(q, opts) end

---Where each value belongs in this array, which has one axis and is sorted: i64 positions from 1 to its size and one; of a
---number a number. Both are compared by value. Options may stand beside the numbers of a list.
---@param values lunarray.array|number|table
---@param opts? lunarray.SearchsortedOptions
---@return lunarray.array|integer
function array:searchsorted(values, opts) end

---Which elements are among values: bool. Both are compared by value; a NaN is none of them.
---@param values lunarray.array|number|table options may stand beside the numbers of a list
---@param opts? lunarray.IsinOptions
---@return lunarray.array
function array:isin(values, opts) end

---The values of both arrays, sorted, each once; of the dtype that holds both. Waits for their number.
---@param b lunarray.array
---@param opts? lunarray.AsyncOptions
---@return lunarray.array
function array:union(b, opts) end

---The values of this array that the other has too, sorted, each once. Waits for their number.
---@param b lunarray.array
---@param opts? lunarray.AsyncOptions
---@return lunarray.array
function array:intersect(b, opts) end

---The values of this array that the other has not, sorted, each once. Waits for their number.
---@param b lunarray.array
---@param opts? lunarray.AsyncOptions
---@return lunarray.array
function array:setdiff(b, opts) end

---The elements along an axis with the k-th of the sorted ones in its place, none above in front, none below behind: a sort.
---@param k integer|integer[] from 1, or from the last where negative
---@param opts? lunarray.PartitionOptions
---@return lunarray.array
function array:partition(k, opts) end

---The positions that do so: i64, from 1.
---@param k integer|integer[] from 1, or from the last where negative
---@param opts? lunarray.PartitionOptions
---@return lunarray.array
function array:argpartition(k, opts) end

---How often each value occurs: position 1 counts the value 1, or 0 with `from = 0`. A value out of range is told when the
---result is waited for; without `size` and `out` the call waits and tells it at once.
---@param opts? lunarray.BincountOptions
---@return lunarray.array counts i64, or the dtype of the weights' sums
function array:bincount(opts) end

---How many elements there are between two edges each, evenly spaced. A bin has its lower edge, and the last one its upper too.
---NaN and what is outside are not counted.
---@param opts? lunarray.HistogramOptions
---@return lunarray.array counts i64, or the dtype of the weights' sums
---@return lunarray.array edges one more than there are counts
function array:histogram(opts) end

---How many pairs of elements, one of each array, there are between two edges of each. The edges are as those of a:histogram.
---@param x lunarray.array
---@param y lunarray.array of the same shape
---@param opts? lunarray.HistogramPairOptions
---@return lunarray.array counts bins of x by bins of y: i64, or the dtype of the weights' sums
---@return lunarray.array edges of x
---@return lunarray.array edges of y
function lun.histogram2d(x, y, opts) end

---The arrays, reordered along their first axis as the keys are sorted: stably, NaN last.
---@param keys lunarray.array one axis
---@param ... lunarray.array|lunarray.SortByOptions as many positions along the first axis as there are keys; options last
---@return lunarray.array ...
function lun.sort_by(keys, ...) end
