---@meta _
-- What the Lua language server, and a reader, should know of products, beside meta.lua. Nothing loads it.

---@class lunarray.array
local array = {}

---@class lunarray
local lun = {}

---@class lunarray.CrossOptions: lunarray.ArrangeOptions
---@field axis? integer along which the 3 numbers of each vector lie; default: the last

---The product of each element with each of another array: as many rows as the array has elements, in row-major order.
---@param b lunarray.array
---@param opts? lunarray.ArrangeOptions
---@return lunarray.array|lunarray.event
function array:outer(b, opts) end

---Kronecker's product: for each element of the array the whole other array times it. Arrays of at most 4 axes.
---@param b lunarray.array
---@param opts? lunarray.ArrangeOptions
---@return lunarray.array|lunarray.event
function array:kron(b, opts) end

---The cross products of vectors of 3 numbers, which broadcast.
---@param b lunarray.array
---@param opts? lunarray.CrossOptions
---@return lunarray.array|lunarray.event
function array:cross(b, opts) end

---The sums of products over axes of both arrays: the last ones of the array and as many first ones of the other, or those that two
---lists name. The result has the other axes of the array, and then those of the other one. Without axes left it is a number.
---@param b lunarray.array
---@param axes? integer|table how many (default 2), or {axes of the array, axes of the other}
---@param opts? lunarray.ArrangeOptions
---@return number|lunarray.array|lunarray.event
---@overload fun(self, b: lunarray.array, opts: lunarray.ArrangeOptions): number|lunarray.array|lunarray.event
function array:tensordot(b, axes, opts) end

---Sums of products, with a letter for each axis: "ij,jk->ik" is the product of matrices, "ii->i" a diagonal, "bij,bjk->bik" the
---products of batches. What stands behind "->" is left, and the rest is summed over; without "->" the letters that occur once are
---left, in their order. "..." stands for axes that broadcast. Any number of arrays, in the cheapest order, in the dtype that holds
---all theirs; integers wrap. Without axes left it is a number.
---@param equation string
---@param ... lunarray.array|lunarray.ArrangeOptions arrays, and options behind them
---@return number|lunarray.array|lunarray.event
function lun.einsum(equation, ...) end
