---@meta _
-- What the Lua language server, and a reader, should know of eigenvalues and singular values, beside meta.lua. Nothing loads it.
--
-- Matrices stand in the last two axes, of f32 or f64; integers and truth values count as f64, or as f32 where the device has none.
-- Axes before are batches.

---@class lunarray.array
local array = {}

---@class lunarray.EighOptions: lunarray.AsyncOptions
---@field lower? boolean which triangle is read: the lower one, or with false the upper one. Default true
---@field out? lunarray.array[] the arrays to write, instead of new ones
---@field variant? string one of dev:variants("eigh")

---@class lunarray.EigvalshOptions: lunarray.AsyncOptions
---@field lower? boolean as for `eigh`
---@field out? lunarray.array the array to write, instead of a new one
---@field variant? string one of dev:variants("eigvalsh")

---The eigenvalues w of symmetric matrices, ascending, and their eigenvectors, orthogonal, as the columns of v: a v = v diag(w).
---The largest number of each vector is positive; of those within a thousandth of it the first. Raises, when a result is
---waited for, where a matrix is not finite.
---@param opts? lunarray.EighOptions
---@return lunarray.array|lunarray.event w
---@return lunarray.array? v
function array:eigh(opts) end

---The eigenvalues alone.
---@param opts? lunarray.EigvalshOptions
---@return lunarray.array|lunarray.event
function array:eigvalsh(opts) end
