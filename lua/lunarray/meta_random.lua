---@meta _
-- Random streams, for the Lua language server and for readers; doc/random.md has examples. Nothing loads it.

---@class lunarray
local lun = {}

---@class lunarray.device
local device = {}

---A stream of random numbers: what a seed gives, and how far it is used. It is a small object without device memory. Draws of
---the same method, and of dtypes that take as many of the generator's words (f64 takes two, other floats one), give in pieces
---what they give at once; another draw leaves what is left of a block of four words. Uniforms, integers, permutations and
---choices without weights are the same on every device; other numbers may differ in their last bits, and counts by 1 where
---these decide. A draw that raises leaves the stream as it was.
---@class lunarray.rng
local rng = {}

---@class lunarray.RngUniformOptions: lunarray.AsyncOptions
---@field low? number the least number, which can occur, default 0
---@field high? number where the numbers end, which is not reached, default 1
---@field dtype? lunarray.dtype
---@field out? lunarray.array filled instead of a new one; of that shape
---@field variant? string the way to run it, one of dev:variants("random")

---@class lunarray.RngNormalOptions: lunarray.AsyncOptions
---@field mean? number default 0
---@field std? number standard deviation, default 1
---@field dtype? lunarray.dtype
---@field out? lunarray.array filled instead of a new one; of that shape
---@field variant? string the way to run it, one of dev:variants("random")

---@class lunarray.RngExponentialOptions: lunarray.AsyncOptions
---@field scale? number the mean, default 1
---@field dtype? lunarray.dtype
---@field out? lunarray.array filled instead of a new one; of that shape
---@field variant? string the way to run it, one of dev:variants("random")

---@class lunarray.RngIntegersOptions: lunarray.AsyncOptions
---@field low? integer the least number, default 1
---@field high? integer the largest number, which can occur
---@field dtype? lunarray.dtype
---@field out? lunarray.array filled instead of a new one; of that shape
---@field variant? string the way to run it, one of dev:variants("random")

---@class lunarray.RngPoissonOptions: lunarray.AsyncOptions
---@field lambda? number the mean, default 1
---@field dtype? lunarray.dtype
---@field out? lunarray.array filled instead of a new one; of that shape
---@field variant? string the way to run it, one of dev:variants("random")

---@class lunarray.RngBinomialOptions: lunarray.AsyncOptions
---@field n integer how many trials
---@field p number with which probability each succeeds
---@field dtype? lunarray.dtype
---@field out? lunarray.array filled instead of a new one; of that shape
---@field variant? string the way to run it, one of dev:variants("random")

---@class lunarray.PermutationOptions: lunarray.AsyncOptions
---@field out? lunarray.array where the result goes, sharing no element with the array

---@class lunarray.ChoiceOptions: lunarray.AsyncOptions
---@field replace? boolean may an element be chosen several times? default true
---@field weights? lunarray.array as many numbers from 0 as there is to choose from, in proportion to which it is chosen; waits
---@field out? lunarray.array where the result goes, sharing no element with the inputs

---A stream of random numbers at its beginning: stream 0 of that seed, or a new seed from math.random. Of a state, which
---rng:state() gives, or an i64 array of it, the stream as it was; reading an array waits.
---@param seed? integer|integer[]|lunarray.array
---@return lunarray.rng
function device:rng(seed) end

---As dev:rng, on the default device.
---@param seed? integer|integer[]|lunarray.array
---@return lunarray.rng
function lun.rng(seed) end

---Stream i of the same seed, at its beginning; dev:rng(seed) is stream 0. Streams of a seed have no block of the generator in
---common: their number is a part of the counter that Philox4x32-10 enciphers.
---@param i integer from 0 to 2^32 - 1
---@return lunarray.rng
function rng:stream(i) end

---What dev:rng takes: the seed, the number of the stream, how many of its words are used, and the kind of the last draw.
---@return integer[]
function rng:state() end

---The device on which its numbers are drawn.
---@return lunarray.device
function rng:device() end

---Uniform floats, low <= x < high.
---@param shape integer|integer[]|lunarray.RngUniformOptions
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.RngUniformOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.RngUniformOptions): lunarray.array
function rng:uniform(shape, dtype, opts) end

---Normally distributed floats, by Box and Muller's method.
---@param shape integer|integer[]|lunarray.RngNormalOptions
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.RngNormalOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.RngNormalOptions): lunarray.array
function rng:normal(shape, dtype, opts) end

---Exponentially distributed floats, by the logarithm of a uniform.
---@param shape integer|integer[]|lunarray.RngExponentialOptions
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.RngExponentialOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.RngExponentialOptions): lunarray.array
function rng:exponential(shape, dtype, opts) end

---Integers, low <= x <= high, none of them favoured (Lemire, "Fast random integer generation in an interval", 2019). Both may
---be options instead; then low is 1 unless given.
---@param shape integer|integer[]|lunarray.RngIntegersOptions
---@param low? integer
---@param high? integer
---@param dtype? lunarray.dtype an integer one, default i64
---@param opts? lunarray.RngIntegersOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], low: integer, high: integer, opts: lunarray.RngIntegersOptions): lunarray.array
---@overload fun(self, shape: integer|integer[], dtype: lunarray.dtype, opts: lunarray.RngIntegersOptions): lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.RngIntegersOptions): lunarray.array
function rng:integers(shape, low, high, dtype, opts) end

---Poisson's counts: by inversion below a mean of 10, else by Hormann's transformed rejection (PTRS, 1993). Means whose counts
---the dtype could not hold raise.
---@param shape integer|integer[]|lunarray.RngPoissonOptions
---@param dtype? lunarray.dtype an integer one, default i64
---@param opts? lunarray.RngPoissonOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.RngPoissonOptions): lunarray.array
function rng:poisson(shape, dtype, opts) end

---How many of n trials succeed: by inversion below a mean of 10, else by Hormann's transformed rejection (BTRS, 1993).
---@param shape integer|integer[]|lunarray.RngBinomialOptions
---@param dtype? lunarray.dtype an integer one, default i64
---@param opts? lunarray.RngBinomialOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.RngBinomialOptions): lunarray.array
function rng:binomial(shape, dtype, opts) end

---The numbers 1 .. n in a random order, i64; of an array its rows, along the first axis. It is the order of n random integers of
---64 bits.
---@param from integer|lunarray.array
---@param opts? lunarray.PermutationOptions
---@return lunarray.array
function rng:permutation(from, opts) end

---Chosen positions 1 .. n, i64, in that shape; of an array the rows that stand there, along its first axis. With weights and
---without replacement each is chosen by the weights of those that are left (Efraimidis and Spirakis 2006).
---@param from integer|lunarray.array
---@param shape integer|integer[] of what is chosen
---@param opts? lunarray.ChoiceOptions
---@return lunarray.array
function rng:choice(from, shape, opts) end

return lun, device, rng
