---@meta _
-- Choosing elements by index and by mask, for the Lua language server and for readers; doc/choosing.md has examples. Nothing
-- loads it.

---@class lunarray.array
local array = {}

---@class lunarray.TakeOptions: lunarray.AsyncOptions
---@field axis? integer the axis, where it is no argument
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with the inputs
---@field variant? string the way to run it, one of dev:variants("take")

---@class lunarray.PutOptions: lunarray.AsyncOptions
---@field variant? string the way to run it, one of dev:variants("put")

---@class lunarray.AddAtOptions: lunarray.AsyncOptions
---@field variant? string the way to run it, one of dev:variants("add_at")

---@class lunarray.MaskOptions: lunarray.AsyncOptions
---@field out? lunarray.array where the result goes: one axis, with as many elements as the mask is true
---@field variant? string the way to run it, one of dev:variants("mask")

---@class lunarray.MaskPutOptions: lunarray.AsyncOptions
---@field variant? string the way to run it, one of dev:variants("mask_put")

---@class lunarray.NonzeroOptions: lunarray.AsyncOptions
---@field variant? string the way to run it, one of dev:variants("nonzero")

---The elements at positions of the flattened array, in the shape of the index; or along an axis, in whose place the
---index's axes come then. An index out of range is told when the result is waited for.
---@param index lunarray.array|integer|integer[]|lunarray.array[] i32 or i64; from 1, in numbers and lists negative ones from the last; several arrays name places together
---@param axis? integer|lunarray.TakeOptions default: the flattened array, row-major; the options may stand here, or in the list
---@param opts? lunarray.TakeOptions
---@return lunarray.array
---@overload fun(self, index: lunarray.array|integer|integer[]|lunarray.array[], opts: lunarray.TakeOptions): lunarray.array
function array:take(index, axis, opts) end

---Writes values to positions of the flattened array. Of equal positions the last one's value stays. An index out of range
---writes nothing; the array is marked then, and told when it is read.
---@param index lunarray.array|integer|integer[]|lunarray.array[] i32 or i64; from 1, in numbers and lists negative ones from the last; several arrays name places together
---@param values lunarray.array|number|boolean|lunarray.complex it broadcasts to the index's shape, and is cast to the array's dtype
---@param opts? lunarray.PutOptions
---@return lunarray.array self
function array:put(index, values, opts) end

---Adds values at positions of the flattened array. Equal positions add up, with the same bits every time.
---@param index lunarray.array|integer|integer[]|lunarray.array[] i32 or i64; from 1, in numbers and lists negative ones from the last; several arrays name places together
---@param values lunarray.array|number|boolean|lunarray.complex it broadcasts to the index's shape, and is cast to the array's dtype
---@param opts? lunarray.AddAtOptions
---@return lunarray.array self
function array:add_at(index, values, opts) end

---The elements where the mask is not 0, in row-major order: an array with one axis. Waits for their number.
---@param m lunarray.array bool or u8, of the array's shape, as comparisons give it
---@param opts? lunarray.MaskOptions
---@return lunarray.array
function array:mask(m, opts) end

---Writes where the mask is not 0: a number or one element everywhere, or an array with one axis, element by element in
---row-major order. One of another length writes nothing; the array is marked then, and told when it is read.
---@param m lunarray.array bool or u8, of the array's shape
---@param values lunarray.array|number cast to the array's dtype
---@param opts? lunarray.MaskPutOptions
---@return lunarray.array self
function array:mask_put(m, values, opts) end

---The positions of the elements that are not 0, in row-major order: for each axis an i64 array of positions along it, which
---count from 1. NaN is not 0. Waits for their number.
---@param opts? lunarray.NonzeroOptions
---@return lunarray.array ... one for each axis
function array:nonzero(opts) end
