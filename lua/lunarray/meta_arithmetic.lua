---@meta _
-- What the Lua language server, and a reader, should know of arithmetic, beside meta.lua: the operators. Nothing loads it.
--
-- Operands are arrays of one device and numbers. Shapes broadcast. A result has the dtype that holds both operands; a
-- Lua number takes the dtype of the array that it meets, but a float makes integers f32. In place, an array keeps its
-- shape and dtype, which have to be those of the result. The methods are the rows of src/core/op/expression/map.def;
-- doc/arithmetic.md shows more.

---@class lunarray.array
---@operator add(lunarray.array|number): lunarray.array
---@operator sub(lunarray.array|number): lunarray.array
---@operator mul(lunarray.array|number): lunarray.array
---@operator div(lunarray.array|number): lunarray.array
---@operator idiv(lunarray.array|number): lunarray.array
---@operator mod(lunarray.array|number): lunarray.array
---@operator pow(lunarray.array|number): lunarray.array
---@operator unm: lunarray.array
---@operator band(lunarray.array|number): lunarray.array
---@operator bor(lunarray.array|number): lunarray.array
---@operator bxor(lunarray.array|number): lunarray.array
---@operator bnot: lunarray.array
---@operator shl(lunarray.array|number): lunarray.array
---@operator shr(lunarray.array|number): lunarray.array
local array = {}

-- ---- filters ----------------------------------------------------------------------------------------------

---@class lunarray
local lun = {}

---@class lunarray.FilterOptions
---@field type? "lowpass"|"highpass"|"bandpass"|"bandstop" by default lowpass, or bandpass of two cutoffs
---@field rate? number samples per second, by default 2, so that a cutoff is a share of half the rate
---@field output? "sos"|"ba" rows of second-order sections (default), or the lists b and a

---A digital Butterworth filter: the coefficients, as lists of doubles, for a:sosfilt(sos) and a:sosfiltfilt(sos), or a:lfilter(b, a)
---and a:filtfilt(b, a).
---@param order integer
---@param cutoff number|number[] where the magnitude is the root of 1/2
---@param options? lunarray.FilterOptions
---@return number[][]|number[] sos
---@return number[]? a
function lun.butter(order, cutoff, options) end

---A digital Chebyshev filter of type I, as lun.butter: the magnitude in the passband stays within a ripple.
---@param order integer
---@param ripple number in dB
---@param cutoff number|number[] where the magnitude leaves the ripple
---@param options? lunarray.FilterOptions
---@return number[][]|number[] sos
---@return number[]? a
function lun.cheby1(order, ripple, cutoff, options) end

---The response of a filter at frequencies from 0 to below half the rate, and these frequencies. A list of second-order sections is an
---argument alone: lun.freqz(sos, options).
---@param b number[]|lunarray.array
---@param a number[]|lunarray.array
---@param options? {n?: integer, whole?: boolean, rate?: number}
---@return lunarray.array response
---@return lunarray.array frequencies
---@overload fun(sos: number[][]|lunarray.array, options?: {n?: integer, whole?: boolean, rate?: number}): lunarray.array, lunarray.array
function lun.freqz(b, a, options) end

---The signal, filtered along an axis forward and backward, so without a shift in time.
---@param b number[]|lunarray.array
---@param a number[]|lunarray.array
---@param options? {axis?: integer, padlen?: integer}
---@return lunarray.array
function array:filtfilt(b, a, options) end

---As `filtfilt`, by second-order sections.
---@param sos number[][]|lunarray.array
---@param options? {axis?: integer, padlen?: integer}
---@return lunarray.array
function array:sosfiltfilt(sos, options) end
