---@meta
-- What the language server is told of scans; doc/reductions.md has examples. Nothing runs this file.

---@class lunarray.array
local array = {}

---@class lunarray.ScanOptions: lunarray.AsyncOptions
---@field axis? integer the axis to go along; default: the array as one row, in row-major order, and a result of one axis
---@field exclusive? boolean each result leaves its own element out; the first is the op's identity
---@field reverse? boolean from the end: an element and those behind it
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with the array
---@field variant? string the way to run it, one of dev:variants("scan")

---What an op makes of each element and those before it. Sums and products of integers are i64 or u64, those of f16 and bf16
---f32, else the result has the dtype. The identities are 0 and 1, and of min and max the highest and the lowest number of the
---dtype, of floats the infinities. A NaN spreads to all results that it is a part of.
---@param op "sum"|"prod"|"min"|"max"
---@param opts? lunarray.ScanOptions
---@return lunarray.array
function array:scan(op, opts) end

---The sum of each element and those before it: `scan("sum", opts)`.
---@param opts? lunarray.ScanOptions
---@return lunarray.array
function array:cumsum(opts) end

---The product of each element and those before it: `scan("prod", opts)`.
---@param opts? lunarray.ScanOptions
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
