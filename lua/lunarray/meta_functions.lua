---@meta _
-- What the Lua language server, and a reader, should know of powers, roots, exponentials, logarithms and
-- probabilities, beside meta_arithmetic.lua, which says what holds for all elementwise methods. Nothing loads it.
-- Integers give f32, but for `square` and `fma`. Errors are those that OpenCL allows, a few units in the last place.

---@class lunarray.array
local array = {}

-- ---- powers and roots -------------------------------------------------------------------------------------

---Gives a * a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:square(opts) end

---As `square`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:square_(opts) end

---Gives 1 / a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:recip(opts) end

---As `recip`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:recip_(opts) end

---The square root.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sqrt(opts) end

---As `sqrt`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sqrt_(opts) end

---Gives 1 / sqrt(a).
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:rsqrt(opts) end

---As `rsqrt`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:rsqrt_(opts) end

---The cube root.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:cbrt(opts) end

---As `cbrt`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:cbrt_(opts) end

---Gives sqrt(a*a + b*b), without overflow.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:hypot(b, opts) end

---As `hypot`, in place, of a float array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:hypot_(b, opts) end

---The remainder of a / b, with the sign of a; of integers an integer, 0 where b is 0.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:fmod(b, opts) end

---As `fmod`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:fmod_(b, opts) end

---Gives a * b + c; floats are rounded once.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:fma(b, c, opts) end

---As `fma`, in place.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:fma_(b, c, opts) end

---Gives a + (b - a) * c.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lerp(b, c, opts) end

---As `lerp`, in place, of a float array.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lerp_(b, c, opts) end

-- ---- exponentials and logarithms --------------------------------------------------------------------------

---Gives e to the power of a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:exp(opts) end

---As `exp`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:exp_(opts) end

---Gives 2 to the power of a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:exp2(opts) end

---As `exp2`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:exp2_(opts) end

---Gives 10 to the power of a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:exp10(opts) end

---As `exp10`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:exp10_(opts) end

---Gives exp(a) - 1, precise near 0.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:expm1(opts) end

---As `expm1`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:expm1_(opts) end

---The natural logarithm.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:log(opts) end

---As `log`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:log_(opts) end

---The logarithm to base 2.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:log2(opts) end

---As `log2`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:log2_(opts) end

---The logarithm to base 10.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:log10(opts) end

---As `log10`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:log10_(opts) end

---Gives log(1 + a), precise near 0.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:log1p(opts) end

---As `log1p`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:log1p_(opts) end

---Gives 1 / (1 + exp(-a)).
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sigmoid(opts) end

---As `sigmoid`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sigmoid_(opts) end

-- ---- of probabilities -------------------------------------------------------------------------------------

---The error function.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:erf(opts) end

---As `erf`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:erf_(opts) end

---Gives 1 - erf(a), precise where that is small.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:erfc(opts) end

---As `erfc`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:erfc_(opts) end

---The gamma function.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:tgamma(opts) end

---As `tgamma`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:tgamma_(opts) end

---The logarithm of the gamma function's absolute value.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lgamma(opts) end

---As `lgamma`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lgamma_(opts) end
