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

---@class lunarray.RepeatsOptions: lunarray.AsyncOptions
---@field axis? integer the axis, where it is no argument
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with the inputs

---@class lunarray.MaskPutOptions: lunarray.AsyncOptions
---@field variant? string the way to run it, one of dev:variants("mask_put")

---@class lunarray.NonzeroOptions: lunarray.AsyncOptions
---@field axes? boolean one array, with a row of positions for each element
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

---The elements where the mask is not 0, in row-major order: an array with one axis; or of a mask over the first axes what stands
---there, with the other axes. Waits for their number.
---@param m lunarray.array bool or u8, of the array's shape, as comparisons give it, or of its first sizes
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

---What is left without those positions along an axis, or of the flattened array. Waits for its number.
---@param index lunarray.array|integer|integer[] i32 or i64; from 1, in numbers and lists negative ones from the last
---@param axis? integer default: the flattened array; the options may stand here
---@param opts? lunarray.RepeatsOptions
---@return lunarray.array
---@overload fun(self, index: lunarray.array|integer|integer[], opts: lunarray.RepeatsOptions): lunarray.array
function array:delete(index, axis, opts) end

---A copy with values in front of positions along an axis, or of the flattened array, in the order in which they come; the size and
---one is behind all.
---@param index lunarray.array|integer|integer[] i32 or i64; from 1, in numbers and lists negative ones from the last
---@param values lunarray.array|number it broadcasts to what is inserted, and is cast; of one position it may lack the axis
---@param axis? integer default: the flattened array; the options may stand here
---@param opts? lunarray.RepeatsOptions
---@return lunarray.array
---@overload fun(self, index: lunarray.array|integer|integer[], values: lunarray.array|number, opts: lunarray.RepeatsOptions): lunarray.array
function array:insert(index, values, axis, opts) end

---Each element, or what stands at each position along an axis, so many times. By counts it waits for their sum.
---@param counts integer|integer[]|lunarray.array one for all, or one for each
---@param axis? integer default: the flattened array; the options may stand here
---@param opts? lunarray.RepeatsOptions
---@return lunarray.array
---@overload fun(self, counts: integer|integer[]|lunarray.array, opts: lunarray.RepeatsOptions): lunarray.array
function array:repeats(counts, axis, opts) end
