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
---@field accurate? boolean f32 and c64 are computed in f64, and rounded once
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

---@class lunarray.FramesOptions: lunarray.AsyncOptions
---@field window? string|lunarray.array the name of a window without parameters (default "hann"), or n numbers
---@field n? integer the length of frames; default: the window's, where that is an array
---@field hop? integer from one frame to the next; default: n // 4, or 1
---@field center? boolean n // 2 numbers are put at both ends (default), so that frame i has number i hop in its middle
---@field pad? "constant"|"edge"|"wrap"|"reflect" which; default: "constant", zeros
---@field accurate? boolean f32 and c64 are computed in f64, and rounded once
---@field out? lunarray.array where the result goes; of its shape and dtype, sharing no element with the array

---The transforms of the frames of signals, which lie along the last axis: in its place come frames, and the numbers of each: n, or
---n // 2 + 1 of real signals.
---@param opts lunarray.FramesOptions
---@return lunarray.array|lunarray.event
function array:stft(opts) end

---The squares of the magnitudes of these.
---@param opts lunarray.FramesOptions
---@return lunarray.array|lunarray.event
function array:spectrogram(opts) end

---@class lunarray.SignalOptions: lunarray.AsyncOptions
---@field window? string|lunarray.array as stft has it
---@field n? integer the length of frames; default: the window's, or 2 (m - 1) of transforms of m numbers; m where `real` is false
---@field hop? integer as stft has it
---@field center? boolean as stft has it
---@field real? boolean false: the signal is complex
---@field size? integer of the signal; default: what the frames cover, without what stft puts at the ends
---@field accurate? boolean f32 and c64 are computed in f64, and rounded once
---@field out? lunarray.array where the result goes; of its shape and dtype, sharing no element with the array

---The signal that has these transforms of frames. Where no window is above 0 the next wait on the result raises.
---@param opts? lunarray.SignalOptions
---@return lunarray.array|lunarray.event
function array:istft(opts) end

---@class lunarray.HilbertOptions: lunarray.AsyncOptions
---@field axis? integer default: the last one
---@field n? integer length along the axis: what is longer is cut, what is shorter is followed by 0
---@field accurate? boolean f32 and c64 are computed in f64, and rounded once
---@field out? lunarray.array where the result goes; of its shape and dtype, sharing no element with the array

---The analytic signal of a real one: itself, and as imaginary parts its Hilbert transform.
---@param opts? lunarray.HilbertOptions
---@return lunarray.array|lunarray.event
function array:hilbert(opts) end

---@class lunarray.WindowOptions: lunarray.MakeOptions
---@field periodic? boolean of a period of n numbers (default), as transforms want them; false: its two ends are alike
---@field beta? number of "kaiser", -700 to 700
---@field std? number of "gaussian", above 0: the standard deviation in numbers

---Numbers that fall towards both ends, by which a piece of a signal is multiplied before its transform.
---@param name string boxcar hann hamming blackman blackmanharris nuttall flattop bartlett cosine kaiser gaussian
---@param n integer
---@param dtype? lunarray.dtype default "f32"
---@param opts? lunarray.WindowOptions
---@return lunarray.array|lunarray.event
---@overload fun(self, name: string, n: integer, opts: lunarray.WindowOptions): lunarray.array|lunarray.event
function device:window(name, n, dtype, opts) end

---The same on the default device.
---@param name string boxcar hann hamming blackman blackmanharris nuttall flattop bartlett cosine kaiser gaussian
---@param n integer
---@param dtype? lunarray.dtype default "f32"
---@param opts? lunarray.WindowOptions
---@return lunarray.array|lunarray.event
---@overload fun(name: string, n: integer, opts: lunarray.WindowOptions): lunarray.array|lunarray.event
function lun.window(name, n, dtype, opts) end
