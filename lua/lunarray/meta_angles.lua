---@meta _
-- What the Lua language server, and a reader, should know of functions of angles and their inverses, beside
-- meta_arithmetic.lua, which says what holds for all elementwise methods. Integers give f32. Nothing loads it.

---@class lunarray.array
local array = {}

---The sine of an angle in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sin(opts) end

---As `sin`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sin_(opts) end

---The cosine of an angle in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:cos(opts) end

---As `cos`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:cos_(opts) end

---The tangent of an angle in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:tan(opts) end

---As `tan`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:tan_(opts) end

---The arc sine, in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:asin(opts) end

---As `asin`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:asin_(opts) end

---The arc cosine, in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:acos(opts) end

---As `acos`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:acos_(opts) end

---The arc tangent, in radians.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:atan(opts) end

---As `atan`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:atan_(opts) end

---The angle of the point whose x is b and whose y is a, in radians.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:atan2(b, opts) end

---As `atan2`, in place, of a float array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:atan2_(b, opts) end

---Gives sin(pi * a).
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sinpi(opts) end

---As `sinpi`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sinpi_(opts) end

---Gives cos(pi * a).
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:cospi(opts) end

---As `cospi`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:cospi_(opts) end

---The hyperbolic sine.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sinh(opts) end

---As `sinh`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sinh_(opts) end

---The hyperbolic cosine.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:cosh(opts) end

---As `cosh`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:cosh_(opts) end

---The hyperbolic tangent.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:tanh(opts) end

---As `tanh`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:tanh_(opts) end

---The inverse hyperbolic sine.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:asinh(opts) end

---As `asinh`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:asinh_(opts) end

---The inverse hyperbolic cosine.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:acosh(opts) end

---As `acosh`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:acosh_(opts) end

---The inverse hyperbolic tangent.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:atanh(opts) end

---As `atanh`, in place, of a float array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:atanh_(opts) end
