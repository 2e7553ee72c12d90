---@meta _
-- What the Lua language server, and a reader, should know of eigenvalues and singular values, beside meta.lua. Nothing loads it.
--
-- Matrices stand in the last two axes, of f32, f64, c64 or c128; integers and truth values count as f64, or as f32 where the device has
-- none. Axes before are batches. Values are real.

---@class lunarray.array
local array = {}

---@class lunarray.EighOptions: lunarray.AsyncOptions
---@field lower? boolean which triangle is read: the lower one, or with false the upper one. Default true
---@field info? boolean nothing is raised where a matrix is not finite: its results are NaN, and a last result has an i32 for each matrix, 0 or the row, from 1, of the first number that is not finite
---@field out? lunarray.array[] the arrays to write, instead of new ones
---@field variant? string one of dev:variants("eigh")

---@class lunarray.EigvalshOptions: lunarray.AsyncOptions
---@field lower? boolean as for `eigh`
---@field info? boolean as for `eigh`
---@field out? lunarray.array the array to write, instead of a new one
---@field variant? string one of dev:variants("eigvalsh")

---The eigenvalues w of symmetric, or Hermitian, matrices, ascending, and their eigenvectors, orthogonal, as the columns of v: a v = v diag(w).
---The largest number of each vector is real and positive; of those within a thousandth of it the first. Raises, when a result is
---waited for, where a matrix is not finite.
---@param opts? lunarray.EighOptions
---@return lunarray.array|lunarray.event w
---@return lunarray.array? v
---@return lunarray.array? info with `info`
function array:eigh(opts) end

---The eigenvalues alone.
---@param opts? lunarray.EigvalshOptions
---@return lunarray.array|lunarray.event
---@return lunarray.array? info with `info`
function array:eigvalsh(opts) end

---@class lunarray.EigOptions: lunarray.AsyncOptions
---@field info? boolean as for `eigh`; -1 where the steps towards a triangle have not come to an end
---@field out? lunarray.array[] the arrays to write, instead of new ones
---@field variant? string one of dev:variants("eig")

---@class lunarray.EigvalsOptions: lunarray.AsyncOptions
---@field info? boolean as for `eig`
---@field out? lunarray.array the array to write, instead of a new one
---@field variant? string one of dev:variants("eigvals")

---The eigenvalues w of square matrices and their eigenvectors as the columns of v: a v = v diag(w). Both are complex: c64 of f32 and c64
---matrices, else c128. Values ascend by their real parts, then by the sizes of their imaginary parts; those of real matrices are real,
---or pairs of conjugate ones, the one with the positive imaginary part first. Vectors have length 1; the largest number of each is
---real and positive, of those nearly as large the first. A matrix with too few vectors has some twice, nearly. It is computed in f64
---where the device has that, by one work-item for each matrix: for some hundred rows at most. Balancing, Householder's reflections, Francis' QR
---steps (Golub and Van Loan, chapter 7). Raises, when a result is waited for, where a matrix is not finite.
---@param opts? lunarray.EigOptions
---@return lunarray.array|lunarray.event w
---@return lunarray.array? v
---@return lunarray.array? info with `info`
function array:eig(opts) end

---The eigenvalues alone.
---@param opts? lunarray.EigvalsOptions
---@return lunarray.array|lunarray.event
---@return lunarray.array? info with `info`
function array:eigvals(opts) end

---@class lunarray.SvdOptions: lunarray.AsyncOptions
---@field full? boolean square u and v, whose further columns belong to no singular value. Default false: as many as there are values
---@field info? boolean as for `eigh`
---@field out? lunarray.array[] the arrays to write, instead of new ones
---@field variant? string one of dev:variants("svd")

---@class lunarray.SvdvalsOptions: lunarray.AsyncOptions
---@field info? boolean as for `eigh`
---@field out? lunarray.array the array to write, instead of a new one
---@field variant? string one of dev:variants("svdvals")

---Singular values s, descending, with vectors, orthogonal, as columns of u and of v, which is not transposed: a = u diag(s) v^T,
---of complex matrices u diag(s) v^H. The largest number of each column of v that has a value is real and positive; of those within a thousandth of it the first. Raises, when a
---result is waited for, where a matrix is not finite.
---@param opts? lunarray.SvdOptions
---@return lunarray.array|lunarray.event u
---@return lunarray.array? s
---@return lunarray.array? v
---@return lunarray.array? info with `info`
function array:svd(opts) end

---The singular values alone.
---@param opts? lunarray.SvdvalsOptions
---@return lunarray.array|lunarray.event
---@return lunarray.array? info with `info`
function array:svdvals(opts) end
