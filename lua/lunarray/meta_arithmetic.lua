---@meta _
-- The elementwise methods, for the Lua language server and for readers: rows of src/core/op/map/map.def. Operands broadcast.
-- Nothing loads it.

---@class lunarray.array
local array = {}

---Gives a + b.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:add(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:add_(b, opts) end

---Gives a - b.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sub(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sub_(b, opts) end

---Gives a * b.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:mul(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:mul_(b, opts) end

---Gives a / b; integers give f32.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:div(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:div_(b, opts) end

---Gives a // b, rounded toward minus infinity; integers by 0 give 0.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:floordiv(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:floordiv_(b, opts) end

---Gives a % b, with the sign of b, as in Lua; integers by 0 give 0.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:mod(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:mod_(b, opts) end

---Gives a ^ b; integers give f32.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:pow(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:pow_(b, opts) end

---Gives -a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:neg(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:neg_(opts) end

---Gives a & b, of integers.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:band(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:band_(b, opts) end

---Gives a | b, of integers.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:bor(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:bor_(b, opts) end

---Gives a ~ b, of integers.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:bxor(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:bxor_(b, opts) end

---Gives ~a, of integers.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:bnot(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:bnot_(opts) end

---Gives a << b, of integers; as in Lua, a negative b shifts the other way.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:shl(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:shl_(b, opts) end

---Gives a >> b, of integers; no sign is carried along.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:shr(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:shr_(b, opts) end

---Gives a < b: u8, 0 or 1.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lt(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lt_(b, opts) end

---Gives a <= b: u8, 0 or 1.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:le(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:le_(b, opts) end

---Gives a > b: u8, 0 or 1.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:gt(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:gt_(b, opts) end

---Gives a >= b: u8, 0 or 1.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:ge(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:ge_(b, opts) end

---Gives a == b, element by element: u8, 0 or 1.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:eq(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:eq_(b, opts) end

---Gives a ~= b, element by element: u8, 0 or 1.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:ne(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:ne_(b, opts) end

---Logical and: u8; what is not 0 is true.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:land(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:land_(b, opts) end

---Logical or: u8; what is not 0 is true.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lor(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lor_(b, opts) end

---Is one of the two not 0, and the other 0? u8.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lxor(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lxor_(b, opts) end

---Logical not: u8; what is not 0 is true.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lnot(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lnot_(opts) end

---Which elements are NaN: u8.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:isnan(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:isnan_(opts) end

---Which elements are infinite: u8.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:isinf(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:isinf_(opts) end

---Which elements are finite: u8.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:isfinite(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:isfinite_(opts) end

---The absolute value.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:abs(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:abs_(opts) end

---Gives -1, 0 or 1; a NaN stays.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sign(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sign_(opts) end

---The greatest whole number that is not greater.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:floor(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:floor_(opts) end

---The least whole number that is not less.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:ceil(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:ceil_(opts) end

---The nearest whole number; halves go to the even one.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:round(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:round_(opts) end

---The whole number toward zero.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:trunc(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:trunc_(opts) end

---The absolute value of a with the sign of b.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:copysign(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:copysign_(b, opts) end

---The lesser of a and b; a NaN wins.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:minimum(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:minimum_(b, opts) end

---The greater of a and b; a NaN wins.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:maximum(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:maximum_(b, opts) end

---Gives a between b and c.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:clamp(b, c, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:clamp_(b, c, opts) end

---Gives a * a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:square(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:square_(opts) end

---Gives 1 / a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:recip(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:recip_(opts) end

---The square root.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sqrt(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sqrt_(opts) end

---Gives 1 / sqrt(a).
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:rsqrt(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:rsqrt_(opts) end

---The cube root.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:cbrt(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:cbrt_(opts) end

---Gives sqrt(a*a + b*b), without overflow.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:hypot(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:hypot_(b, opts) end

---The remainder of a / b, with the sign of a.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:fmod(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:fmod_(b, opts) end

---Gives a * b + c, rounded once.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:fma(b, c, opts) end

---The same in place: the array is its own result.
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

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lerp_(b, c, opts) end

---Gives e to the power of a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:exp(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:exp_(opts) end

---Gives 2 to the power of a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:exp2(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:exp2_(opts) end

---Gives 10 to the power of a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:exp10(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:exp10_(opts) end

---Gives exp(a) - 1, precise near 0.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:expm1(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:expm1_(opts) end

---The natural logarithm.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:log(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:log_(opts) end

---The logarithm to base 2.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:log2(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:log2_(opts) end

---The logarithm to base 10.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:log10(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:log10_(opts) end

---Gives log(1 + a), precise near 0.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:log1p(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:log1p_(opts) end

---Gives 1 / (1 + exp(-a)).
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sigmoid(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sigmoid_(opts) end

---The sine of an angle in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sin(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sin_(opts) end

---The cosine of an angle in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:cos(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:cos_(opts) end

---The tangent of an angle in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:tan(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:tan_(opts) end

---The arc sine, in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:asin(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:asin_(opts) end

---The arc cosine, in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:acos(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:acos_(opts) end

---The arc tangent, in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:atan(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:atan_(opts) end

---The angle of the point (b, a), in radians.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:atan2(b, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:atan2_(b, opts) end

---Gives sin(pi * a).
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sinpi(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sinpi_(opts) end

---Gives cos(pi * a).
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:cospi(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:cospi_(opts) end

---The hyperbolic sine.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sinh(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sinh_(opts) end

---The hyperbolic cosine.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:cosh(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:cosh_(opts) end

---The hyperbolic tangent.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:tanh(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:tanh_(opts) end

---The inverse hyperbolic sine.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:asinh(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:asinh_(opts) end

---The inverse hyperbolic cosine.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:acosh(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:acosh_(opts) end

---The inverse hyperbolic tangent.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:atanh(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:atanh_(opts) end

---The error function.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:erf(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:erf_(opts) end

---Gives 1 - erf(a), precise where that is small.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:erfc(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:erfc_(opts) end

---The gamma function.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:tgamma(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:tgamma_(opts) end

---The logarithm of the gamma function's absolute value.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lgamma(opts) end

---The same in place: the array is its own result.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lgamma_(opts) end

---Elements of b where a is not 0, of c elsewhere.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:where(b, c, opts) end

---The same in place: the array is its own result.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:where_(b, c, opts) end
