---@meta _
-- What the Lua language server, and a reader, should know of statistics, beside meta.lua. Nothing loads it.

---@class lunarray.array
local array = {}

---@class lunarray.SoftmaxOptions: lunarray.ArrangeOptions
---@field axis? integer|integer[] the axes whose exponentials have the sum 1; default: all

---@class lunarray.SpreadOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] the axes that go; default: all, and then a number comes
---@field keepdims? boolean keep the reduced axes, with size 1: the result is an array
---@field out? lunarray.array where the result goes, with or without the reduced axes

---@class lunarray.AverageOptions: lunarray.SpreadOptions
---@field weights? lunarray.array of each element, or in a row of the positions along the one axis that goes; default: the same of all

---@class lunarray.ShapeOptions: lunarray.SpreadOptions
---@field bias? boolean false: corrected as of a sample; default: true

---@class lunarray.CorrelationOptions: lunarray.ArrangeOptions
---@field axis? integer along which the observations lie; default: the last

---@class lunarray.CovarianceOptions: lunarray.CorrelationOptions
---@field ddof? number taken off the count of observations, by which sums are divided; default 1

---@class lunarray.AlongOptions: lunarray.ArrangeOptions
---@field axis? integer default: the last

---@class lunarray.GradientOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] default: all
---@field out? lunarray.array|lunarray.array[] where the results go, a list if there are several

---@class lunarray.TrapezoidOptions: lunarray.AlongOptions
---@field keepdims? boolean keep the axis, with size 1: the result is an array

---Exponentials as shares of their sum, none of which overflows.
---@param opts? lunarray.SoftmaxOptions
---@return lunarray.array
function array:softmax(opts) end

---The logarithms of these shares.
---@param opts? lunarray.SoftmaxOptions
---@return lunarray.array
function array:log_softmax(opts) end

---How far the largest element is from the least, in the dtype.
---@param opts? lunarray.SpreadOptions
---@return number|lunarray.array
function array:ptp(opts) end

---The mean by weights: the sum of the products by the sum of the weights.
---@param opts? lunarray.AverageOptions
---@return number|lunarray.array
function array:average(opts) end

---The norm of any p, of the magnitudes: the root of the sum of their powers, for 0 how many are not 0, for infinities the largest or
---the least. It neither overflows nor vanishes where the result does not.
---@param p? number default 2
---@param opts? lunarray.SpreadOptions
---@return number|lunarray.array
---@overload fun(self, opts: lunarray.SpreadOptions): number|lunarray.array
function array:vector_norm(p, opts) end

---The third moment about the mean, by the cube of the standard deviation; NaN where all elements are equal.
---@param opts? lunarray.ShapeOptions
---@return number|lunarray.array
function array:skew(opts) end

---The fourth moment about the mean, by the square of the variance, less 3; NaN where all elements are equal.
---@param opts? lunarray.ShapeOptions
---@return number|lunarray.array
function array:kurtosis(opts) end

---The covariances of variables, which are the rows of a matrix, or one row; those of a second array below them. Of one variable its
---variance, a number.
---@param b? lunarray.array further variables, with as many observations
---@param opts? lunarray.CovarianceOptions
---@return number|lunarray.array
---@overload fun(self, opts: lunarray.CovarianceOptions): number|lunarray.array
function array:cov(b, opts) end

---Their correlations: covariances by both standard deviations, from -1 to 1.
---@param b? lunarray.array
---@param opts? lunarray.CorrelationOptions
---@return number|lunarray.array
---@overload fun(self, opts: lunarray.CorrelationOptions): number|lunarray.array
function array:corrcoef(b, opts) end

---The differences of neighbours along an axis, which is one shorter each time; of bools whether they differ.
---@param n? integer how many times, default 1
---@param opts? lunarray.AlongOptions
---@return lunarray.array
---@overload fun(self, opts: lunarray.AlongOptions): lunarray.array
function array:diff(n, opts) end

---The slopes along each axis, an array for each: between both neighbours, at the ends to the one.
---@param spacing? number|lunarray.array how far elements lie apart, default 1, or their positions along the one axis
---@param opts? lunarray.GradientOptions
---@return lunarray.array ...
---@overload fun(self, opts: lunarray.GradientOptions): lunarray.array ...
function array:gradient(spacing, opts) end

---The integral along an axis by the trapezoidal rule.
---@param spacing? number|lunarray.array how far elements lie apart, default 1, or their positions
---@param opts? lunarray.TrapezoidOptions
---@return number|lunarray.array
---@overload fun(self, opts: lunarray.TrapezoidOptions): number|lunarray.array
function array:trapezoid(spacing, opts) end

---@class lunarray.InterpOptions: lunarray.ArrangeOptions
---@field left? number what stands for positions below the first point; default: its value
---@field right? number what stands for positions above the last point; default: its value
---@field period? number after which points and values come again; the points need not rise then

---The values, at each of these positions, of straight lines from one point to the next.
---@param points lunarray.array where the values are, in a row, rising
---@param values lunarray.array as many
---@param opts? lunarray.InterpOptions
---@return lunarray.array
function array:interp(points, values, opts) end

---@class lunarray.PolyfitOptions: lunarray.ArrangeOptions
---@field weights? lunarray.array by which the distances at the points are multiplied

---The coefficients, the highest power's first, of the polynomial whose squared distances from values at these points are least:
---f64 of integers (f32 on devices without), f32 of 16 bits. Waits for nothing.
---@param values lunarray.array one for each point, or a row for each: a fit for each column
---@param degree integer from 0 on
---@param opts? lunarray.PolyfitOptions
---@return lunarray.array
function array:polyfit(values, degree, opts) end

---The values of the polynomial whose coefficients these are, the highest power's first.
---@param points lunarray.array where it is taken
---@param opts? lunarray.ArrangeOptions
---@return lunarray.array
function array:polyval(points, opts) end

---Where the polynomial is 0 whose coefficients these are, the highest power's first: the eigenvalues of its companion matrix, in their
---order, c64 of floats of 16 and 32 bits and of c64, else c128. Raises, when they are waited for, where the first coefficient is 0.
---@param opts? lunarray.ArrangeOptions
---@return lunarray.array
function array:roots(opts) end
