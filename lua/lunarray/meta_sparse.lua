---@meta _
-- What the Lua language server, and a reader, should know of sparse matrices, beside meta.lua. Nothing loads it.

---@class lunarray.array
local array = {}

---@class lunarray
local lun = {}

---@class lunarray.SparseParts
---@field rows? integer[]|lunarray.array the row of each triplet, from 1; with `rows` come no starts
---@field starts? integer[]|lunarray.array where each row's entries start, from 1, and behind the last: one more than there are rows
---@field cols integer[]|lunarray.array the column of each entry, from 1
---@field values number|number[]|lunarray.array the number of each entry, or one for all
---@field shape? integer[] how many rows and columns; default: the smallest square that holds all diagonals
---@field dtype? lunarray.dtype of the values; default: the array's, or "f32"

---@class lunarray.SparseProductOptions: lunarray.AsyncOptions
---@field alpha? number what the product is multiplied by; default 1
---@field beta? number what `out` is multiplied by before it is added; default 0, which does not read it
---@field plus? string what adds up: "+" (the default), "min", "max", "or"
---@field times? string what multiplies: "*" (the default), "+", "and"
---@field out? lunarray.array written instead of a new array
---@field variant? string one of dev:variants("csr_matmul")

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

---The numbers of rows and columns.
---@return integer rows
---@return integer columns
function sparse:shape() end

---How many axes it has.
---@return integer # 2
function sparse:ndim() end

---How many entries there are, of which some may be 0.
---@return integer
function sparse:nnz() end

---The dtype of the values.
---@return lunarray.dtype
function sparse:dtype() end

---The device of the arrays that it is made of.
---@return lunarray.device
function sparse:device() end

---Writes a file of Matrix Market, as lun.load reads it; the name ends in .mtx.
---@param path string
function sparse:save(path) end

---Where each row starts among the entries, and behind the last: it shares the matrix's memory.
---@return lunarray.array
function sparse:starts() end

---The column of each entry, ascending in each row: it shares the matrix's memory.
---@return lunarray.array
function sparse:cols() end

---The number of each entry, an array that shares the matrix's memory: what is written there changes the matrix.
---@return lunarray.array
function sparse:values() end

---The row of each entry, as a new array.
---@return lunarray.array
function sparse:rows() end

---The entries, row by row, as new arrays.
---@return lunarray.array rows
---@return lunarray.array cols
---@return lunarray.array values
function sparse:triplets() end

---The same as an array, with all zeros.
---@return lunarray.array
function sparse:dense() end

---The diagonal, 0 where there is no entry.
---@return lunarray.array
function sparse:diag() end

---The transpose, as a new matrix.
---@return lunarray.sparse
function sparse:t() end

---The product with a vector, or with a matrix; with a sparse one, which takes no options, a sparse matrix.
---@param x lunarray.array|lunarray.sparse of as many numbers, or rows, as there are columns
---@param opts? lunarray.SparseProductOptions
---@return lunarray.array|lunarray.event|lunarray.sparse
function sparse:matmul(x, opts) end

---Gives the memory back, but that of arrays of the user's; releasing again does nothing.
function sparse:release() end

---A sparse matrix of triplets, or of rows one behind the other.
---@class lunarray.SparseMakers
---@overload fun(parts: lunarray.SparseParts): lunarray.sparse
lun.sparse = {}

---@class lunarray.SparseSolveOptions: lunarray.AsyncOptions
---@field assume "lower"|"unit lower"|"upper" the triangle that counts, with the diagonal; "unit": as if that were 1
---@field out? lunarray.array written instead of a new array

---What a triangle of the matrix, f32, f64, c64 or c128, solves b by; infinite or NaN where the diagonal has 0. The first call finds, on
---the host, which rows need which.
---@param b lunarray.array a vector, or a matrix whose columns are right sides
---@param opts lunarray.SparseSolveOptions
---@return lunarray.array|lunarray.event
function sparse:solve(b, opts) end

---Incomplete factors L U with the matrix's places, for a preconditioner: at these, their product is the matrix. Raises where a pivot is 0
---or not finite.
---@return lunarray.incomplete
function sparse:ilu() end

---Incomplete factors L L^H of a symmetric, or Hermitian, matrix, whose lower triangle alone is read. Raises where a pivot is not above 0.
---@return lunarray.incomplete
function sparse:ichol() end

---@class lunarray.IncompleteOptions: lunarray.AsyncOptions
---@field out? lunarray.array written instead of a new array

---@class lunarray.incomplete
---@field solve fun(self: lunarray.incomplete, b: lunarray.array, opts?: lunarray.IncompleteOptions): lunarray.array|lunarray.event
---@field release fun(self: lunarray.incomplete)

---A new matrix with the same entries.
---@return lunarray.sparse
function sparse:copy() end

---A new matrix whose values have another dtype.
---@param dtype lunarray.dtype
---@return lunarray.sparse
function sparse:cast(dtype) end

---@class lunarray.SparseSumOptions
---@field axis? integer 1: of each column, 2: of each row; default: of all

---Sums: a number, or with `axis` an array.
---@param opts? lunarray.SparseSumOptions
---@return number|lunarray.array
function sparse:sum(opts) end

---How many entries each row has.
---@return lunarray.array
function sparse:degree() end

---The columns of a row's entries, and their values, as views.
---@param i integer from 1; a negative one counts from the last
---@return lunarray.array cols
---@return lunarray.array values
function sparse:row(i) end

---A part, as a new matrix: ranges of rows and of columns, as in slice of arrays.
---@param rows? integer[] {from, to, step}, of which parts may be missing; nil: all
---@param cols? integer[] the same of columns
---@return lunarray.sparse
function sparse:slice(rows, cols) end

---A part, as a new matrix, by positions.
---@param rows? integer[]|lunarray.array a list, or an i32 or i64 array, of positions; nil: all
---@param cols? integer[]|lunarray.array the same of columns
---@return lunarray.sparse
function sparse:submatrix(rows, cols) end

---The matrix in another order: its row i is the old row rows[i]. Without `cols` columns go as rows do; with nil they stay.
---@param rows? integer[]|lunarray.array a permutation
---@param cols? integer[]|lunarray.array a permutation
---@return lunarray.sparse
function sparse:permute(rows, cols) end

---@class lunarray.SparseEyeOptions
---@field dtype? lunarray.dtype default "f32"

---@class lunarray.SparseDiagsOptions
---@field shape? integer[] how many rows and columns; default: the smallest square that holds all diagonals
---@field dtype? lunarray.dtype of the values; default: that of an array among the diagonals, or "f32"

---@class lunarray.SparseMakers
local makers = {}

---The sparse matrix of ones on the diagonal.
---@param n integer
---@param opts? lunarray.SparseEyeOptions
---@return lunarray.sparse
function makers.eye(n, opts) end

---The sparse matrix of some diagonals.
---@param diagonals (number|number[]|lunarray.array)[] a number stands everywhere on its diagonal
---@param offsets integer[] 0 is the main diagonal, those above it are positive
---@param opts? lunarray.SparseDiagsOptions
---@return lunarray.sparse
function makers.diags(diagonals, offsets, opts) end
