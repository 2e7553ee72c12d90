---@meta _
-- Signals: what is made of transforms, for the Lua language server and for readers; doc/signals.md has examples. Nothing loads
-- it.

---@class lunarray
local lun = {}

---@class lunarray.device
local device = {}

---The next length, from n on, that transforms take in passes of the primes 2, 3, 5 and 7.
---@param n integer 1 to 2^53
---@return integer
function lun.fft_length(n) end

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
