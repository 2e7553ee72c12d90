---@meta _
-- What the Lua language server, and a reader, should know of further elementwise functions, beside meta_arithmetic.lua,
-- which says what holds for all of them. Nothing loads it. doc/accuracy.md has their errors.

---@class lunarray.array
local array = {}

-- ---- integers ---------------------------------------------------------------------------------------------

---How many bits are set, of integers.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:popcount(opts) end

---As `popcount`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:popcount_(opts) end

---How many bits stand above the highest that is set, of integers; of 0 all of them.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:clz(opts) end

---As `clz`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:clz_(opts) end

---The greatest common divisor of integers, from 0; that of 0 and b is the magnitude of b.
---@param b lunarray.array | number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:gcd(b, opts) end

---As `gcd`, in place.
---@param b lunarray.array | number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:gcd_(b, opts) end

---The least common multiple of integers, from 0; it wraps. That of 0 is 0.
---@param b lunarray.array | number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lcm(b, opts) end

---As `lcm`, in place.
---@param b lunarray.array | number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lcm_(b, opts) end

---Powers in the dtype itself: of integers exact, but that they wrap, where `^` gives floats. A number below 0 is an error
---for integers; in an array of powers it gives the quotient of 1, cut: 0 but for 1 and -1. Of floats as `pow`.
---@param b lunarray.array | number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:powi(b, opts) end

---As `powi`, in place.
---@param b lunarray.array | number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:powi_(b, opts) end

-- ---- signs and exponents ----------------------------------------------------------------------------------

---Is the sign set, of -0 and NaN too? bool.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:signbit(opts) end

---As `signbit`, in place, of a bool array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:signbit_(opts) end

---Gives 0 below 0, 1 above, and b at 0.
---@param b lunarray.array | number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:heaviside(b, opts) end

---As `heaviside`, in place.
---@param b lunarray.array | number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:heaviside_(b, opts) end

---The number of the dtype that comes next on the way to b: f32 and f64.
---@param b lunarray.array | number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:nextafter(b, opts) end

---As `nextafter`, in place, of an f32 or f64 array.
---@param b lunarray.array | number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:nextafter_(b, opts) end

---The exponent: floor(log2(|a|)), exactly; of 0 -inf.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:logb(opts) end

---As `logb`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:logb_(opts) end

---Gives a * 2^b, rounded once; b is cut to a whole number.
---@param b lunarray.array | number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:ldexp(b, opts) end

---As `ldexp`, in place, of a float array.
---@param b lunarray.array | number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:ldexp_(b, opts) end

-- ---- angles, logarithms, probabilities ----------------------------------------------------------------------

---Radians as degrees.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:deg(opts) end

---As `deg`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:deg_(opts) end

---Degrees as radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:rad(opts) end

---As `rad`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:rad_(opts) end

---Gives sin(pi a) / (pi a), of 0 1.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sinc(opts) end

---As `sinc`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sinc_(opts) end

---Gives log(1 + exp(a)), without overflow.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:softplus(opts) end

---As `softplus`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:softplus_(opts) end

---Gives log(exp(a) + exp(b)), without overflow.
---@param b lunarray.array | number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:logaddexp(b, opts) end

---As `logaddexp`, in place, of a float array.
---@param b lunarray.array | number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:logaddexp_(b, opts) end

---Gives a * log(b), which is 0 where a is 0 and b no NaN.
---@param b lunarray.array | number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:xlogy(b, opts) end

---As `xlogy`, in place, of a float array.
---@param b lunarray.array | number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:xlogy_(b, opts) end

---The derivative of `lgamma`.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:digamma(opts) end

---As `digamma`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:digamma_(opts) end

---The inverse of `erf`; of 1 inf, and beyond NaN.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:erfinv(opts) end

---As `erfinv`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:erfinv_(opts) end

---The modified Bessel function of the first kind, of order 0.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:i0(opts) end

---As `i0`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:i0_(opts) end
