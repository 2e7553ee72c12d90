---@meta _
-- Signals: what is made of transforms, for the Lua language server and for readers; doc/signals.md has examples. Nothing loads
-- it.

---@class lunarray
local lun = {}

---@class lunarray.device
local device = {}

---@class lunarray.array
local array = {}

---The next length, from n on, that transforms take in passes of the primes 2, 3, 5 and 7.
---@param n integer 1 to 2^53
---@return integer
function lun.fft_length(n) end

---@class lunarray.ConvolveOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] an axis, or a list of them; default: the last one
---@field mode? "full"|"same"|"valid" all places where both meet (default), as many as the array has, in the middle of these, or those where one lies within the other
---@field method? "direct"|"fft" by the sums, or by transforms; default: integers and short kernels directly
---@field stride? integer|integer[] every so manyth result alone, along each axis
---@field out? lunarray.array where the result goes; of its shape and dtype, sharing no element with the arrays

---Along an axis the i-th result is the sum over p of a[i - p] b[p], i and p from 0. The other axes are batches, which broadcast; a
---b of fewer axes may have those alone along which is convolved. The dtype is the one that holds both; integers are exact, and wrap.
---@param b lunarray.array
---@param opts? lunarray.ConvolveOptions
---@return lunarray.array|lunarray.event
function array:convolve(b, opts) end

---The same with b in reverse and conjugated: sums of a[i + p] conj(b[p]); the first place of "full" is where b's last number
---meets the array's first one.
---@param b lunarray.array
---@param opts? lunarray.ConvolveOptions
---@return lunarray.array|lunarray.event
function array:correlate(b, opts) end

---@class lunarray.WindowOptions: lunarray.MakeOptions
---@field periodic? boolean of a period of n numbers (default), as transforms want them; false: its two ends are alike
---@field beta? number of "kaiser", -700 to 700
---@field std? number of "gaussian", above 0: the standard deviation in numbers

---Numbers that fall towards both ends, by which a piece of a signal is multiplied before its transform.
---@param name string boxcar hann hamming blackman blackmanharris nuttall flattop bartlett cosine kaiser gaussian
---@param n integer
---@param opts? lunarray.WindowOptions
---@return lunarray.array|lunarray.event
function device:window(name, n, opts) end

---The same on the default device.
---@param name string boxcar hann hamming blackman blackmanharris nuttall flattop bartlett cosine kaiser gaussian
---@param n integer
---@param opts? lunarray.WindowOptions
---@return lunarray.array|lunarray.event
function lun.window(name, n, opts) end
