---@meta _
-- What the Lua language server, and a reader, should know of arranging and joining arrays, beside meta.lua. The results are
-- NumPy's, but axes count from 1. Nothing loads it.

---@class lunarray.ArrangeOptions: lunarray.AsyncOptions
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with an input

---@class lunarray.AxisOptions
---@field axis? integer the axis, where it is no argument

---@class lunarray.AxesOptions
---@field axis? integer|integer[] the axis or the axes, where they are no argument

---@class lunarray.RollOptions: lunarray.ArrangeOptions
---@field axis? integer|integer[] the axis or the axes, where they are no argument

---@class lunarray.JoinOptions: lunarray.ArrangeOptions
---@field axis? integer the axis, where it is no argument

---@class lunarray.PadOptions: lunarray.ArrangeOptions
---@field mode? "constant"|"edge"|"wrap"|"reflect" what stands there: `value` (the default); the nearest element; what stands at the other end; the mirror image, without the last element itself
---@field value? number of mode "constant"; default 0; one that an integer dtype cannot hold is an error

---@class lunarray.MeshgridOptions
---@field indexing? "xy"|"ij" of the first two axes: x along axis 2 and y along axis 1 (the default); each vector along its own axis

---@class lunarray.EmptyOptions
---@field dtype? lunarray.dtype

---@class lunarray.array
local array = {}

-- ---- views ----------------------------------------------------------------------------------------------------

---A view of that shape: axes are matched from the last on, and one that is missing or has size 1 goes along with any size.
---It takes no memory. Its elements stand for several positions, so no operation writes it as a whole; `copy` gives an array
---that can be written. A shape that does not fit raises.
---@param ... integer|integer[] sizes, or one list of them
---@return lunarray.array
function array:broadcast(...) end

---A view of the real parts of complex numbers: f32 of c64, f64 of c128. Other dtypes raise.
---@return lunarray.array
function array:real() end

---A view of the imaginary parts of complex numbers. Other dtypes raise.
---@return lunarray.array
function array:imag() end

---A view of complex numbers as real ones, with a last axis of 2: the parts. Other dtypes raise.
---@return lunarray.array
function array:as_real() end

---A view of an f32 or f64 array whose last axis is of 2 as complex numbers, c64 or c128. The parts must be neighbours in memory.
---@return lunarray.array
function array:as_complex() end

---A view without axes of size 1: without that axis or those axes, or without all of them. A longer axis raises.
---@param axis? integer|integer[]
---@param opts? lunarray.AxesOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.AxesOptions): lunarray.array
function array:squeeze(axis, opts) end

---A view with axes of size 1 more.
---@param axis integer|integer[] which axes of the view they are; -1 is its last one
---@param opts? lunarray.AxesOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.AxesOptions): lunarray.array
function array:expand(axis, opts) end

---A view in reverse along that axis or those axes, or along all.
---@param axis? integer|integer[]
---@param opts? lunarray.AxesOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.AxesOptions): lunarray.array
function array:flip(axis, opts) end

---Views of its parts along an axis, as several values: `local q, k, v = x:split(3)`; `{x:split(3)}` is a list of them. As
---many parts of one size as asked for, or parts of the sizes in a list. Sizes that do not add up raise.
---@param parts integer|integer[]
---@param axis? integer default 1
---@param opts? lunarray.AxisOptions they may stand in the list
---@return lunarray.array ...
---@overload fun(self, parts: integer|integer[], opts: lunarray.AxisOptions): lunarray.array ...
function array:split(parts, axis, opts) end

---Of a matrix a view of its diagonal (options raise); of a vector a new square matrix that has it as its diagonal, and zeros
---elsewhere.
---@param k? integer so many columns right of the first diagonal; negative: rows below it. Default 0
---@param opts? lunarray.ArrangeOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.ArrangeOptions): lunarray.array
function array:diag(k, opts) end

-- ---- new arrays -------------------------------------------------------------------------------------------------

---A new array with zeros above diagonal k of the matrices in its last two axes. Fewer axes raise.
---@param k? integer as for `diag`; the diagonal itself stays
---@param opts? lunarray.ArrangeOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.ArrangeOptions): lunarray.array
function array:tril(k, opts) end

---The same with zeros below it.
---@param k? integer
---@param opts? lunarray.ArrangeOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.ArrangeOptions): lunarray.array
function array:triu(k, opts) end

---A new array that repeats this one so many times along each axis. Numbers and axes are matched from the last on; those that
---are missing are 1.
---@param ... integer|integer[]|lunarray.ArrangeOptions numbers of times, or one list of them; then options
---@return lunarray.array
---@overload fun(self, times: integer[], opts?: lunarray.ArrangeOptions): lunarray.array
function array:tile(...) end

---A new array in which each element stands so many positions further; what leaves an axis at its end comes in at its start.
---Without an axis, through all elements in row-major order. Several axes have one shift, or a list of as many.
---@param shift integer|integer[]
---@param axis? integer|integer[]
---@param opts? lunarray.RollOptions
---@return lunarray.array
---@overload fun(self, shift: integer|integer[], opts: lunarray.RollOptions): lunarray.array
function array:roll(shift, axis, opts) end

---A new array with more positions before and behind each axis; options may stand beside the pairs. An axis without positions
---can be padded with a constant alone; other modes raise.
---@param widths integer[][]|integer {before, after} for each axis, or one number for all
---@param opts? lunarray.PadOptions
---@return lunarray.array
function array:pad(widths, opts) end

---An array of zeros of the same shape, dtype and device.
---@param dtype? lunarray.dtype another dtype
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.MakeOptions): lunarray.array
function array:zeros_like(dtype, opts) end

---The same of ones.
---@param dtype? lunarray.dtype
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.MakeOptions): lunarray.array
function array:ones_like(dtype, opts) end

---The same of one number, which an integer dtype has to be able to hold.
---@param value number|boolean|lunarray.complex
---@param dtype? lunarray.dtype
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, value: number, opts: lunarray.MakeOptions): lunarray.array
function array:full_like(value, dtype, opts) end

---The same with undefined contents, for what is written whole next.
---@param dtype? lunarray.dtype
---@param opts? lunarray.EmptyOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.EmptyOptions): lunarray.array
function array:empty_like(dtype, opts) end

---@class lunarray
local lun = {}

---A new array of the arrays one behind the other along an axis; the other sizes have to be equal. Its dtype is the one that
---holds those of all. Options may stand beside the arrays.
---@param list lunarray.array[]
---@param axis? integer default 1
---@param opts? lunarray.JoinOptions
---@return lunarray.array
---@overload fun(list: lunarray.array[], opts: lunarray.JoinOptions): lunarray.array
function lun.concat(list, axis, opts) end

---A new array of arrays of one shape along a new axis. Dtypes and options as for `concat`.
---@param list lunarray.array[]
---@param axis? integer which axis of the result is the new one; default 1
---@param opts? lunarray.JoinOptions
---@return lunarray.array
---@overload fun(list: lunarray.array[], opts: lunarray.JoinOptions): lunarray.array
function lun.stack(list, axis, opts) end

---The coordinates of a grid: views of the vectors, all of one shape, as several values. They take no memory, and cannot be
---written; `copy` gives arrays that can.
---@param ... lunarray.array|lunarray.MeshgridOptions vectors, at most 8; then options
---@return lunarray.array ...
function lun.meshgrid(...) end
