---@meta _
-- What the Lua language server, and a reader, should know of sparse matrices, beside meta.lua. Nothing loads it.

---@class lunarray
local lun = {}

---A matrix that has entries at some places, and is 0 elsewhere. `A:release()` and `<close>` give its memory back, but arrays that it
---was made of stay.
---@class lunarray.sparse
---@operator len: integer
---@operator add(lunarray.sparse): lunarray.sparse
---@operator sub(lunarray.sparse): lunarray.sparse
---@operator unm: lunarray.sparse
---@operator mul(number): lunarray.sparse
---@operator div(number): lunarray.sparse
local sparse = {}

---The number of rows and the number of columns.
---@return integer rows
---@return integer columns
function sparse:shape() end

---The number of axes.
---@return integer # 2
function sparse:ndim() end

---The number of entries, some of which may be 0.
---@return integer
function sparse:nnz() end

---The dtype of the values.
---@return lunarray.dtype
function sparse:dtype() end

---The matrix's device.
---@return lunarray.device
function sparse:device() end

---Writes a Matrix Market file, which lun.load reads; the name ends in .mtx.
---@param path string
function sparse:save(path) end

---Where each row's entries start, and the position after the last entry; it shares the matrix's memory.
---@return lunarray.array
function sparse:starts() end

---The column of each entry, ascending in each row; it shares the matrix's memory.
---@return lunarray.array
function sparse:cols() end

---The value of each entry; it shares the matrix's memory, so writing to it changes the matrix.
---@return lunarray.array
function sparse:values() end

---Releases its memory, but not that of arrays that were given; releasing it again does nothing.
function sparse:release() end

---A sparse matrix of triplets, or of rows one behind the other.
---@class lunarray.SparseMakers
---@overload fun(parts: lunarray.DeviceSparseOptions): lunarray.sparse
lun.sparse = {}

---@class lunarray.IncompleteOptions: lunarray.AsyncOptions
---@field out? lunarray.array written instead of a new array

---@class lunarray.incomplete
---@field solve fun(self: lunarray.incomplete, b: lunarray.array, opts?: lunarray.IncompleteOptions): lunarray.array|lunarray.event
---@field release fun(self: lunarray.incomplete)

---@class lunarray.SparseEyeOptions
---@field dtype? lunarray.dtype default: that of lun.default_dtype

---@class lunarray.SparseDiagsOptions
---@field shape? integer[] how many rows and columns; default: the smallest square that holds all diagonals
---@field dtype? lunarray.dtype of the values; default: that of an array among the diagonals, or that of lun.default_dtype

---@class lunarray.SparseMakers
local makers = {}

---The sparse matrix of ones on the diagonal.
---@param n integer
---@param opts? lunarray.SparseEyeOptions
---@return lunarray.sparse
function makers.eye(n, opts) end

---The sparse matrix with the given diagonals.
---@param diagonals (number|number[]|lunarray.array)[] a number is everywhere on its diagonal
---@param offsets integer[] 0 is the main diagonal, those above it are positive
---@param opts? lunarray.SparseDiagsOptions
---@return lunarray.sparse
function makers.diags(diagonals, offsets, opts) end
