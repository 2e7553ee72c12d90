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

---What dev:rng takes: the seed, the number of the stream, how many of its words are used, and the kind of the last draw.
---@return integer[]
function rng:state() end

---The device on which its numbers are drawn.
---@return lunarray.device
function rng:device() end

---Parameters of draws are numbers, or arrays that broadcast to the shape, of which each element has its own. Such a draw
---checks them and waits.
---@class lunarray.RngLocationOptions
---@field location? number|lunarray.array default 0
---@field scale? number|lunarray.array 0 or more, default 1
---@field dtype? lunarray.dtype where it is no argument

---@class lunarray.RngLognormalOptions
---@field mean? number|lunarray.array of the logarithms, default 0
---@field std? number|lunarray.array of the logarithms, default 1
---@field dtype? lunarray.dtype where it is no argument

---@class lunarray.RngGammaOptions
---@field alpha number|lunarray.array the shape parameter, above 0
---@field scale? number|lunarray.array 0 or more, default 1: the mean is alpha times scale
---@field dtype? lunarray.dtype where it is no argument

---@class lunarray.RngBetaOptions
---@field a number|lunarray.array above 0
---@field b number|lunarray.array above 0
---@field dtype? lunarray.dtype where it is no argument

---@class lunarray.RngChisquareOptions
---@field df number|lunarray.array degrees of freedom, above 0
---@field dtype? lunarray.dtype where it is no argument

---@class lunarray.RngGeometricOptions
---@field p number|lunarray.array the probability of success, above 0
---@field dtype? lunarray.dtype where it is no argument

---@class lunarray.RngMultinomialOptions
---@field n number|lunarray.array how many trials
---@field p number[]|lunarray.array the probabilities of the outcomes, whose sum is 1
---@field dtype? lunarray.dtype where it is no argument

---@class lunarray.RngMultivariateOptions
---@field mean number[]|lunarray.array n numbers
---@field cov number[][]|lunarray.array n x n covariances, positive definite
---@field dtype? lunarray.dtype where it is no argument

---Laplace's distribution: the difference of two exponential numbers, times `scale`.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngLocationOptions default: f32, or the default that is set
---@param opts? lunarray.RngLocationOptions
---@return lunarray.array
function rng:laplace(shape, dtype, opts) end

---Cauchy's distribution, by the tangent of a uniform angle.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngLocationOptions default: f32, or the default that is set
---@param opts? lunarray.RngLocationOptions
---@return lunarray.array
function rng:cauchy(shape, dtype, opts) end

---Numbers whose logarithms are normally distributed.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngLognormalOptions default: f32, or the default that is set
---@param opts? lunarray.RngLognormalOptions
---@return lunarray.array
function rng:lognormal(shape, dtype, opts) end

---The gamma distribution, by Marsaglia and Tsang's rejection (2000); waits.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngGammaOptions default: f32, or the default that is set
---@param opts? lunarray.RngGammaOptions
---@return lunarray.array
function rng:gamma(shape, dtype, opts) end

---The beta distribution, by two gamma numbers; waits.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngBetaOptions default: f32, or the default that is set
---@param opts? lunarray.RngBetaOptions
---@return lunarray.array
function rng:beta(shape, dtype, opts) end

---The chi-squared distribution, by gamma numbers; waits.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngChisquareOptions default: f32, or the default that is set
---@param opts? lunarray.RngChisquareOptions
---@return lunarray.array
function rng:chisquare(shape, dtype, opts) end

---How many trials there are up to the first success, from 1; i64 unless a dtype is named.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngGeometricOptions default: f32, or the default that is set
---@param opts? lunarray.RngGeometricOptions
---@return lunarray.array
function rng:geometric(shape, dtype, opts) end

---How often each of k outcomes occurs in n trials: a further last axis of k counts; i64 unless a dtype is named.
---Waits.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngMultinomialOptions default: f32, or the default that is set
---@param opts? lunarray.RngMultinomialOptions
---@return lunarray.array
function rng:multinomial(shape, dtype, opts) end

---Normal numbers with these means and covariances, in a further last axis; by the Cholesky factor of `cov`.
---@param shape integer|integer[] a list may have the options, too
---@param dtype? lunarray.dtype|lunarray.RngMultivariateOptions default: f32, or the default that is set
---@param opts? lunarray.RngMultivariateOptions
---@return lunarray.array
function rng:multivariate_normal(shape, dtype, opts) end

---Puts the rows of an array, along its first axis, in a random order, in place.
---@param a lunarray.array
---@return lunarray.array a
function rng:shuffle(a) end

return lun, device, rng
