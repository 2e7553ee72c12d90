---@meta _
-- What the Lua language server, and a reader, should know of views with other axes, beside meta_arrange.lua. The results
-- are NumPy's, but axes and positions count from 1. Nothing loads it.

---@class lunarray.TwoAxesOptions
---@field axes? integer[] the two axes

---@class lunarray.WindowsOptions
---@field axis? integer|integer[] the axes that have windows; default: all
---@field step? integer|integer[] how far a window is from the one before, along each axis, or along all; default 1

---@class lunarray.VanderOptions: lunarray.ArrangeOptions
---@field increasing? boolean from the 0-th power on

---@class lunarray.TraceOptions: lunarray.ArrangeOptions
---@field axes? integer[] which two axes are the matrices', default: the last two

---@class lunarray.PlacesOptions: lunarray.AsyncOptions
---@field axis? integer the axis, where it is no argument; default: the last

---@class lunarray.TakeAlongOptions: lunarray.PlacesOptions
---@field out? lunarray.array where the result goes

---@class lunarray.AllcloseOptions: lunarray.AsyncOptions
---@field rtol? number of |b|, default 1e-5
---@field atol? number default 1e-8
---@field equal_nan? boolean a NaN is close to a NaN; default false

---@class lunarray.IscloseOptions: lunarray.AllcloseOptions
---@field out? lunarray.array where the result goes

---@class lunarray.NanToNumOptions: lunarray.AsyncOptions
---@field nan? number in the place of NaN, default 0
---@field posinf? number in the place of infinity, default the dtype's largest number
---@field neginf? number in the place of -infinity, default the least
---@field out? lunarray.array where the result goes, the array itself perhaps

---@class lunarray.PartsOptions: lunarray.AsyncOptions
---@field out? lunarray.array[] where the results go

---@class lunarray.array
local array = {}

---@class lunarray
local lun = {}

---A view with its last two axes exchanged: each matrix transposed. An array with fewer axes raises.
---@return lunarray.array
function array:mt() end

---A view with two axes exchanged.
---@param i integer
---@param j integer
---@return lunarray.array
function array:swapaxes(i, j) end

---A view whose axes `to` are the axes `from`; the others keep their order.
---@param from integer|integer[]
---@param to integer|integer[] as many
---@return lunarray.array
function array:moveaxis(from, to) end

---A view turned by k quarters, from the first axis toward the second: of a matrix to the left.
---@param k? integer default 1; negative ones turn to the right
---@param opts? lunarray.TwoAxesOptions default: the first two
---@return lunarray.array
---@overload fun(self, opts: lunarray.TwoAxesOptions): lunarray.array
function array:rot90(k, opts) end

---A view of a diagonal of each matrix, as its last axis; `diag` of a vector makes a matrix.
---@param k? integer columns right of the first diagonal, default 0
---@param opts? lunarray.TwoAxesOptions default: the last two
---@return lunarray.array
---@overload fun(self, opts: lunarray.TwoAxesOptions): lunarray.array
function array:diagonal(k, opts) end

---A view of each position along an axis, which goes: as many values as the axis has positions.
---@param axis? integer default 1
---@param opts? lunarray.AxisOptions
---@return lunarray.array ...
---@overload fun(self, opts: lunarray.AxisOptions): lunarray.array ...
function array:unstack(axis, opts) end

---A view of all windows of so many positions: for each axis that has windows one more at the end, with the window's
---positions. An element stands in several, so no operation writes the view as a whole.
---@param width integer|integer[] of each axis that has windows, at most its size
---@param opts? lunarray.WindowsOptions
---@return lunarray.array
function array:windows(width, opts) end

---A copy with one axis, row by row; `reshape(-1)` is a view where the layout allows it.
---@param opts? lunarray.CopyOptions
---@return lunarray.array
function array:flatten(opts) end

---Where |a - b| <= atol + rtol * |b|, or both are the same infinity; bool. Integers are compared as f64.
---@param b lunarray.array|number
---@param opts? lunarray.IscloseOptions
---@return lunarray.array
function array:isclose(b, opts) end

---Whether that holds for all elements.
---@param b lunarray.array|number
---@param opts? lunarray.AllcloseOptions
---@return boolean
function array:allclose(b, opts) end

---Whether both have one shape and the same elements, whatever their dtypes; `eq` compares element by element.
---@param b lunarray.array
---@param opts? lunarray.AsyncOptions
---@return boolean
function array:equal(b, opts) end

---A copy with numbers in the place of NaN and infinities.
---@param opts? lunarray.NanToNumOptions
---@return lunarray.array
function array:nan_to_num(opts) end

---Numbers of 1/2 and more, below 1, and the exponents of 2 (i32) by which they are multiplied: zeros, infinities and NaN by 0.
---@param opts? lunarray.PartsOptions
---@return lunarray.array
---@return lunarray.array
function array:frexp(opts) end

---What is behind the point, and what before it, both with the number's sign.
---@param opts? lunarray.PartsOptions
---@return lunarray.array
---@return lunarray.array
function array:modf(opts) end

---At each place of the index the element that stands, along the axis, at the position there. Index and array have as many axes, and
---broadcast, but for that axis: what argsort gives sorts so. An index out of range is told when the result is waited for.
---@param index lunarray.array|integer[] i32 or i64; from 1, in lists negative ones from the last
---@param axis? integer default: the last; the options may stand here
---@param opts? lunarray.TakeAlongOptions
---@return lunarray.array
---@overload fun(self, index: lunarray.array|integer[], opts: lunarray.TakeAlongOptions): lunarray.array
function array:take_along_axis(index, axis, opts) end

---Writes values there. Of equal places the last one's value stays.
---@param index lunarray.array|integer[] i32 or i64; from 1, in lists negative ones from the last
---@param values lunarray.array|number it broadcasts to the index's shape, and is cast to the array's dtype
---@param axis? integer default: the last; the options may stand here
---@param opts? lunarray.PlacesOptions
---@return lunarray.array self
---@overload fun(self, index: lunarray.array|integer[], values: lunarray.array|number, opts: lunarray.PlacesOptions): lunarray.array
function array:put_along_axis(index, values, axis, opts) end

---Of positions in a flattened array of that shape those along its axes: i64, one array for each axis.
---@param ... integer|integer[]|lunarray.PartsOptions the shape, as numbers or one list of them; then options
---@return lunarray.array ... one for each axis
---@overload fun(self, shape: integer[], opts?: lunarray.PartsOptions): ...
function array:unravel(...) end

---Positions in a flattened array of that shape, i64, of those along its axes, one index array for each; they broadcast.
---@param list lunarray.array[] i32 or i64, from 1
---@param shape integer[]
---@param opts? lunarray.ArrangeOptions
---@return lunarray.array
function lun.ravel(list, shape, opts) end

---Each array as a view in the shape to which all of them broadcast.
---@param ... lunarray.array
---@return lunarray.array ... one for each
function lun.broadcast(...) end

---The powers of each element of a vector, as rows: from the highest to the 0-th. Integers give i64, which wraps.
---@param n? integer how many powers, default as many as there are elements; the options may stand here
---@param opts? lunarray.VanderOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.VanderOptions): lunarray.array
function array:vander(n, opts) end

---The sum of a diagonal, k columns right of the first, or -k rows below: of one matrix a number, of batches one for each.
---@param k? integer default 0; the options may stand here
---@param opts? lunarray.TraceOptions
---@return number|lunarray.array
---@overload fun(self, opts: lunarray.TraceOptions): number|lunarray.array
function array:trace(k, opts) end
