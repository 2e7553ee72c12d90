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

---@alias lunarray.scanned
---| "sum"  # integers in i64 or u64, f16 and bf16 in f32, else the dtype; identity 0
---| "prod" # dtype as for sum; identity 1
---| "min"  # the dtype; identity: its highest number, of floats the infinity
---| "max"  # the dtype; identity: its lowest number, of floats minus the infinity

---What an op makes of each element and those before it. A NaN spreads to all results that it is a part of.
---@param op lunarray.scanned
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
