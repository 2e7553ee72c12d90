---@meta _
-- What the Lua language server, and a reader, should know of arithmetic, beside meta.lua: operators, rounding, choosing,
-- expressions and fused functions. Comparisons are in meta_comparisons.lua, other functions in meta_functions.lua and
-- meta_angles.lua. Nothing loads it.
--
-- Operands are arrays of one device and numbers. Shapes broadcast. A result has the dtype that holds both operands; a
-- Lua number takes the dtype of the array that it meets, but a float makes integers f32. In place, an array keeps its
-- shape and dtype, which have to be those of the result. The methods are the rows of src/core/op/expression/map.def;
-- doc/arithmetic.md tells more.

---@class lunarray.array
---@operator add(lunarray.array|number): lunarray.array
---@operator sub(lunarray.array|number): lunarray.array
---@operator mul(lunarray.array|number): lunarray.array
---@operator div(lunarray.array|number): lunarray.array
---@operator idiv(lunarray.array|number): lunarray.array
---@operator mod(lunarray.array|number): lunarray.array
---@operator pow(lunarray.array|number): lunarray.array
---@operator unm: lunarray.array
---@operator band(lunarray.array|number): lunarray.array
---@operator bor(lunarray.array|number): lunarray.array
---@operator bxor(lunarray.array|number): lunarray.array
---@operator bnot: lunarray.array
---@operator shl(lunarray.array|number): lunarray.array
---@operator shr(lunarray.array|number): lunarray.array
local array = {}

-- ---- operators --------------------------------------------------------------------------------------------

---Gives a + b.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:add(b, opts) end

---As `add`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:add_(b, opts) end

---Gives a - b. Two bools have no difference: `lxor` gives where they differ.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sub(b, opts) end

---As `sub`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sub_(b, opts) end

---Gives a * b.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:mul(b, opts) end

---As `mul`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:mul_(b, opts) end

---Gives a / b; integers give f32.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:div(b, opts) end

---As `div`, in place, of a float array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:div_(b, opts) end

---Gives a // b, rounded toward minus infinity; integers by 0 give 0.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:floordiv(b, opts) end

---As `floordiv`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:floordiv_(b, opts) end

---Gives a % b, of the sign of b, as in Lua; integers by 0 give 0.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:mod(b, opts) end

---As `mod`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:mod_(b, opts) end

---Gives a ^ b; integers of 32 and 64 bits give f64 (f32 on devices without), of fewer f32. `powi` gives integers.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:pow(b, opts) end

---As `pow`, in place, of a float array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:pow_(b, opts) end

---Gives -a. A bool has no negative: `lnot` turns it.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:neg(opts) end

---As `neg`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:neg_(opts) end

-- ---- bits -------------------------------------------------------------------------------------------------

---Gives a & b, of integers.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:band(b, opts) end

---As `band`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:band_(b, opts) end

---Gives a | b, of integers.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:bor(b, opts) end

---As `bor`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:bor_(b, opts) end

---Gives a ~ b, of integers.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:bxor(b, opts) end

---As `bxor`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:bxor_(b, opts) end

---Gives ~a, of integers.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:bnot(opts) end

---As `bnot`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:bnot_(opts) end

---Gives a << b, of integers; as in Lua, a negative b shifts the other way.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:shl(b, opts) end

---As `shl`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:shl_(b, opts) end

---Gives a >> b, of integers; no sign is carried along.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:shr(b, opts) end

---As `shr`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:shr_(b, opts) end

---Gives a >> b, of integers, with the sign carried along.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sar(b, opts) end

---As `sar`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sar_(b, opts) end

-- ---- signs and rounding -----------------------------------------------------------------------------------

---The absolute value; the least integer stays what it is.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:abs(opts) end

---As `abs`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:abs_(opts) end

---Gives -1, 0 or 1, of complex numbers z/|z|; NaN stays.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:sign(opts) end

---As `sign`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:sign_(opts) end

---The greatest whole number that is not above a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:floor(opts) end

---As `floor`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:floor_(opts) end

---The least whole number that is not below a.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:ceil(opts) end

---As `ceil`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:ceil_(opts) end

---The nearest whole number; halves go to the even one.
---@param opts? lunarray.MapOptions
---@return lunarray.array
---@overload fun(self, decimals: integer, opts?: lunarray.ArrangeOptions): lunarray.array
function array:round(opts) end

---As `round`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:round_(opts) end

---The whole number toward zero.
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:trunc(opts) end

---As `trunc`, in place.
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:trunc_(opts) end

---The absolute value of a with the sign of b.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:copysign(b, opts) end

---As `copysign`, in place, of a float array.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:copysign_(b, opts) end

---The lesser of a and b; NaN where one of them is NaN.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:minimum(b, opts) end

---As `minimum`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:minimum_(b, opts) end

---The greater of a and b; NaN where one of them is NaN.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:maximum(b, opts) end

---As `maximum`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:maximum_(b, opts) end

---The lesser of a and b; the number where one of them is NaN.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:fmin(b, opts) end

---As `fmin`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:fmin_(b, opts) end

---The greater of a and b; the number where one of them is NaN.
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:fmax(b, opts) end

---As `fmax`, in place.
---@param b lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:fmax_(b, opts) end

---Gives a where it lies between b and c, else the nearer of the two; NaN where one of them is NaN. Of two numbers b is not above c.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:clamp(b, c, opts) end

---As `clamp`, in place.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:clamp_(b, c, opts) end

-- ---- choosing ---------------------------------------------------------------------------------------------

---Elements of b where a is not 0, of c elsewhere. The dtype is that of b and c.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function array:where(b, c, opts) end

---As `where`, in place.
---@param b lunarray.array|number
---@param c lunarray.array|number
---@param opts? lunarray.InPlaceMapOptions
---@return lunarray.array self
function array:where_(b, c, opts) end

-- ---- expressions and fused functions ---------------------------------------------------------------------------

---@class lunarray.device
local device = {}

---Computes an expression of OpenCL C for every element, in one kernel. Arrays broadcast.
---@param expression string|string[] over the names of the arguments, "a*x + y"; a list has a result for each, all of
---one dtype. `^` and `//` are refused: pow(a, b) is the power, of floats. Integers divide as in C: cut toward 0, and by
---0 undefined
---@param arguments table<string, lunarray.array|number|lunarray.complex> by name, each of which stands in an expression: at
---least one array; at most 32 arrays, 16 numbers and 16 results. Complex ones are structs, of parts z.re and z.im, for
---cadd(a, b), csub, cmul, cdiv, cpow, cneg(z), conj, cabs, carg, cexp, clog, csqrt, csin, ccos, ctan, csinh, ccosh, ctanh,
---casin, cacos, catan, casinh, cacosh, catanh, cexpm1, clog1p, csign;
---complex(re, im) and cpolar(r, angle) make them
---@param opts? lunarray.ExpressionOptions
---@return lunarray.array ... one for each expression
function device:map(expression, arguments, opts) end

---@class lunarray
local lun = {}

---Elements of a where m is not 0, of b elsewhere. One of the three at least is an array.
---@param m lunarray.array|number
---@param a lunarray.array|number
---@param b lunarray.array|number
---@param opts? lunarray.MapOptions
---@return lunarray.array
function lun.where(m, a, b, opts) end

---Makes a function whose arithmetic is one kernel. f is called once for each list of its arguments' kinds (an array's
---dtype and number of axes, integer or float), with stand-ins that note what is computed with them: operators, the
---elementwise methods, `cast`, `lun.where`, and of arguments the views `slice`, `row`, `col`, `t`, `reshape`, `broadcast`,
---`squeeze`, `expand` and `flip`. It returns what it computes, or last a reduction of that. `if` on a stand-in
---sees no elements, as it is true to Lua: `where` chooses element by element.
---Numbers among the arguments may differ from call to call; other numbers that f uses are those of the call that made
---the kernel.
---@param f fun(...): any
---@return fun(...: lunarray.array|number|lunarray.FuseOptions): any fused takes arrays and numbers, then options
function lun.fuse(f) end
