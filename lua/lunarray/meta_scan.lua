---@meta
-- What the language server is told of scans; doc/reductions.md has examples. Nothing runs this file.

---@class lunarray.array
local array = {}

---@class lunarray.ScanOptions: lunarray.AsyncOptions
---@field axis? integer the axis to go along; default: the array as one row, in row-major order, and a result of one axis
---@field exclusive? boolean each result leaves its own element out; the first is the op's identity
---@field reverse? boolean from the end: an element and those behind it
---@field segments? lunarray.array|integer[] starts (i32 or i64, from 1) at which the scan begins anew, whichever end it comes from; they
---ascend from 1 to at most one more than elements. A bad start raises at the next wait
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with the array
---@field variant? string the way to run it, one of dev:variants("scan")

---@class lunarray.RunningOptions: lunarray.ScanOptions
---@field dtype? lunarray.dtype as which elements are taken, and that of the result; default: the array's
---@field initial? boolean the identity comes before all results, of which there is one more; without `exclusive` and `segments`

---@class lunarray.OwnScanOptions: lunarray.ScanOptions
---@field map? string OpenCL C of x, what an element becomes before it is combined; default: x
---@field combine? string OpenCL C of a and b, associative; elements keep their order. A scan by it needs this one
---@field identity? string OpenCL C, what combines with any value to that value; needed for exclusive scans
---@field dtype? lunarray.dtype of the result and of what is combined; default: the array's

---Applies an op to each element and those before it. Sums and products of integers are i64, of u64 u64, those of f16 and bf16
---f32, else the result has the dtype. The identities are 0 and 1, and of min and max the highest and the lowest number of the
---dtype, of floats the infinities. A NaN spreads to all results that it is a part of.
---@param op "sum"|"prod"|"min"|"max"|lunarray.OwnScanOptions an operator of your own, with the options in its table
---@param opts? lunarray.OwnScanOptions
---@return lunarray.array
function array:scan(op, opts) end

---The sum of each element and those before it: `scan("sum", opts)`.
---@param opts? lunarray.RunningOptions
---@return lunarray.array
function array:cumsum(opts) end

---The product of each element and those before it: `scan("prod", opts)`.
---@param opts? lunarray.RunningOptions
---@return lunarray.array
function array:cumprod(opts) end

---The least of each element and those before it: `scan("min", opts)`.
---@param opts? lunarray.ScanOptions
---@return lunarray.array
function array:cummin(opts) end

---The greatest of each element and those before it: `scan("max", opts)`.
---@param opts? lunarray.ScanOptions
---@return lunarray.array
function array:cummax(opts) end
