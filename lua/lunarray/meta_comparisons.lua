---@meta _
-- What the Lua language server, and a reader, should know of comparisons and logic, beside meta_arithmetic.lua, which says
-- what holds for all elementwise methods. Nothing loads it.

---@class lunarray.array
local array = {}

---Gives a < b: bool.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lt(b, opts) end

---As `lt`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lt_(b, opts) end

---Gives a <= b: bool.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:le(b, opts) end

---As `le`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:le_(b, opts) end

---Gives a > b: bool.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:gt(b, opts) end

---As `gt`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:gt_(b, opts) end

---Gives a >= b: bool.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:ge(b, opts) end

---As `ge`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:ge_(b, opts) end

---Gives a == b, element by element: bool.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:eq(b, opts) end

---As `eq`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:eq_(b, opts) end

---Gives a ~= b, element by element: bool.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:ne(b, opts) end

---As `ne`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:ne_(b, opts) end

---Logical and: bool; what is not 0 is true.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:land(b, opts) end

---As `land`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:land_(b, opts) end

---Logical or: bool; what is not 0 is true.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lor(b, opts) end

---As `lor`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lor_(b, opts) end

---Logical exclusive or: bool; what is not 0 is true.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lxor(b, opts) end

---As `lxor`, in place, of a bool array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lxor_(b, opts) end

---Logical not: bool; what is not 0 is true.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:lnot(opts) end

---As `lnot`, in place, of a bool array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:lnot_(opts) end

---Which elements are NaN: bool.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:isnan(opts) end

---As `isnan`, in place, of a bool array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:isnan_(opts) end

---Which elements are infinite: bool.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:isinf(opts) end

---As `isinf`, in place, of a bool array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:isinf_(opts) end

---Which elements are finite: bool.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:isfinite(opts) end

---As `isfinite`, in place, of a bool array.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:isfinite_(opts) end
