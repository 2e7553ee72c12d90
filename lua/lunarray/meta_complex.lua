---@meta _
-- What the Lua language server, and a reader, should know of complex numbers. Nothing loads it.

---@class lunarray
local lun = {}

---A complex number: a value that does not change. `+ - * / ^` and `-z` take numbers and complex numbers on both sides, and arrays;
---`==` compares two complex numbers. It is written `2+3i`.
---@class lunarray.complex
---@field re number the real part
---@field im number the imaginary part
---@operator add(lunarray.complex|number): lunarray.complex
---@operator sub(lunarray.complex|number): lunarray.complex
---@operator mul(lunarray.complex|number): lunarray.complex
---@operator div(lunarray.complex|number): lunarray.complex
---@operator pow(lunarray.complex|number): lunarray.complex
---@operator unm: lunarray.complex
local complex = {}

---The distance from 0, without overflow.
---@return number
function complex:abs() end

---The angle from the positive real axis, from -pi to pi.
---@return number
function complex:arg() end

---The complex number with the opposite imaginary part.
---@return lunarray.complex
function complex:conj() end

---A complex number; without the second argument its imaginary part is 0. Where one of the parts is an array the result is a complex
---array: c64, or c128 of f64.
---@param re number
---@param im? number
---@return lunarray.complex
---@overload fun(re: lunarray.array|number, im: lunarray.array|number): lunarray.array
function lun.complex(re, im) end

---The complex number 0+1i.
---@type lunarray.complex
lun.i = nil

-- ---- arrays -----------------------------------------------------------------------------------------------

---@class lunarray.array
local array = {}
