---@meta lunarray
-- What the Lua language server, and a reader, should know of lunarray: its rules, arrays, mappings and the module. Other
-- subjects are in files beside this one: meta_device.lua, meta_event.lua and so on. Nothing loads them.
--
-- Everywhere: indices, axes and positions count from 1, negative ones from the last; ranges include both ends;
-- arrays are row-major with up to 8 axes. A mistake in a call raises a string, "file:line: lunarray: method: what",
-- at the caller's own line; a failure of OpenCL raises a lunarray.error. Options stand in a last table; an option
-- that a method does not know is an error, and so are arguments behind the last one, but for nil, and keys of a list
-- beside its elements. Numbers that an integer dtype cannot hold are errors; floats are rounded to a
-- float dtype, and become inf where they are too large for it, as in C and NumPy. Arrays are given back at once, still
-- being computed: only numbers, tables and strings are waited for. With `async = true` a method returns an event, whose
-- `get` gives what the call would have given. That is at once, unless 64 calls on the queue have
-- not ended: another then waits for a place, and a long `nbody` takes many.

---@alias lunarray.dtype
---| "bool" # true and false; what comparisons give, and in arithmetic i64
---| "i8"
---| "u8"
---| "i16"
---| "u16"
---| "i32"
---| "u32"
---| "i64"
---| "u64"  # values from 2^63 are the negative Lua integers with the same bits
---| "f16"  # stored as half, computed in f32
---| "bf16" # the upper half of an f32, computed in f32; saved only as the bits of u16
---| "f32"
---| "f64"  # an error on a device without it
---| "c64"  # complex numbers, pairs of f32
---| "c128" # pairs of f64; an error on a device without f64

---What an element may be.
---@alias lunarray.scalar number|boolean|lunarray.complex

---A number, or a list of such values, all of the same shape.
---@alias lunarray.nested lunarray.scalar|lunarray.nested[]

---Positions of a slice: `{from, to, step}` (missing parts: the whole axis; a range that `for` would not enter is
---empty), one position (the axis goes), or nil (the whole axis). Three numbers in order, `{1, 5, 9}`, raise on an axis of any
---size: as a range they are the first alone, and `take` picks positions that stand in an array or a list. Where a step may be
---longer than the axis, `{1, -1, step}` is no such list.
---@alias lunarray.range integer[]|integer|nil

---What OpenCL itself refused or failed. `tostring` gives the position, the method, the message and the log.
---@class lunarray.error
---@field op string the operation that failed on the device, or the OpenCL function that was refused
---@field method string the method that was called
---@field code integer OpenCL's error code, 0 if it is none of OpenCL's (a memory limit of lunarray's own)
---@field name? string the code's name, "CL_OUT_OF_RESOURCES"
---@field message string
---@field log? string the build log, where a kernel did not compile
---@field position string "file:line: " of the call
---@field traceback string

-- ---- arrays -------------------------------------------------------------------------------------------------

---An array on a device, or a view of one: views share memory and keep it alive. `#a` is the size of the first axis,
---`tostring(a)` a summary; `==` is identity; arithmetic is element by element (meta_arithmetic.lua); `<`, `<=` and `..`
---raise. Its memory goes back when it is collected, when a `<close>` variable leaves its scope, or at `release`,
---whichever comes first, once no other view has it.
---@class lunarray.array
---@operator len: integer
local array = {}

---The sizes of the axes, as several values; of one axis, if it is named. An axis out of range raises.
---@param axis? integer
---@return integer ...
function array:shape(axis) end

---The dtype of the elements.
---@return lunarray.dtype
function array:dtype() end

---How many axes it has.
---@return integer
function array:ndim() end

---How many elements it has.
---@return integer
function array:size() end

---How many bytes its elements take.
---@return integer
function array:nbytes() end

---The device it is on.
---@return lunarray.device
function array:device() end

---Gives its memory back now; any further use raises. What is already under way goes on. Twice does no harm.
function array:release() end

---One element; waits. As many positions as axes.
---@param ... integer
---@return number
function array:get(...) end

---Writes one element, which an integer dtype has to be able to hold; what is too large for a float one becomes inf.
---@param value number|boolean|lunarray.complex
---@param ... integer positions, as many as axes
---@return lunarray.array self
function array:set(value, ...) end

---Writes one number everywhere, which an integer dtype has to be able to hold, as a float one has to hold a Lua integer; a float is
---rounded to a float dtype, and becomes inf where it is too large.
---@param value number|boolean|lunarray.complex
---@param opts? lunarray.FillOptions
---@return lunarray.array self
function array:fill(value, opts) end

---Writes all elements: from a table nested as the array is, or flat in row-major order; from a string of their bytes;
---from an array of the same shape, converted as `cast` does.
---@param data lunarray.nested|string|lunarray.array
---@param opts? lunarray.AsyncOptions
---@return lunarray.array self
function array:write(data, opts) end

---Its elements as a nested table, a number if there are no axes; waits.
---@param opts? lunarray.AsyncOptions
---@return lunarray.nested
function array:totable(opts) end

---The bytes of its elements, row-major, in the machine's own byte order; waits.
---@param opts? lunarray.AsyncOptions
---@return string
function array:tobytes(opts) end

---A new array with the same elements.
---@param opts? lunarray.CopyOptions
---@return lunarray.array
function array:copy(opts) end

---Itself where its elements lie in row-major order without gaps, else a copy that does.
---@param opts? lunarray.AsyncOptions
---@return lunarray.array
function array:contiguous(opts) end

---A new array of another dtype: saturating, NaN to 0 in integers, rounded toward zero.
---@param dtype lunarray.dtype
---@param opts? lunarray.CopyOptions
---@return lunarray.array
function array:cast(dtype, opts) end

---A copy on another device; itself where it is on that one already.
---@param device lunarray.device
---@param opts? lunarray.AsyncOptions
---@return lunarray.array
function array:to(device, opts) end

---Writes a .npy file; waits. It is written beside an old file and takes its place once it is whole, so that a crash leaves
---the old one; pipes and devices are written where they are. Where the name ends in .mtx, a matrix is written as a file of Matrix
---Market, and there are no options.
---@param path string
---@param opts? lunarray.SaveOptions
function array:save(path, opts) end

---Writes a text with a line for each row, of an array with one axis a line for each element, written as `save` writes its file. Read by
---loadtxt, floats are the same again.
---@param path string
---@param opts? lunarray.SavetxtOptions
function array:savetxt(path, opts) end

---Writes the elements' bytes, row by row, and nothing else, as `save` writes its file.
---@param path string
function array:tofile(path) end

---Maps the elements for the host until the mapping is released; waits. Device work on these bytes is an error
---meanwhile, unless it only reads and the access is "r"; on other drivers than PoCL work on all that shares the memory is. Hold it in a variable: `local h <close> = a:host("rw")`.
---@param access? "r"|"w"|"rw" default "r"
---@return lunarray.host
function array:host(access) end

---A view of ranges of each axis, or of single positions, whose axes go. Positions out of range raise.
---@param ... lunarray.range one for each axis; those left out are whole
---@return lunarray.array
function array:slice(...) end

---A view of one position on the first axis.
---@param i integer
---@return lunarray.array
function array:row(i) end

---A view of one column of an array with two axes.
---@param j integer
---@return lunarray.array
function array:col(j) end

---A view with all axes in reverse order.
---@return lunarray.array
function array:t() end

---A view of another shape, with as many elements; a copy of a strided view whose elements no view has in that shape.
---@param ... integer|integer[] sizes, or one list of them; one may be -1: what is left
---@return lunarray.array
function array:reshape(...) end

---A new array whose axis i is axis axes[i] of this one; without a permutation all axes are reversed. Axes may also
---stand as arguments, before the options: `a:transpose(2, 1)`.
---@param axes? integer[]|lunarray.CopyOptions a list of all axes; it may have the options in its table
---@param opts? lunarray.CopyOptions
---@return lunarray.array
---@overload fun(self, ...: integer|lunarray.CopyOptions): lunarray.array
function array:transpose(axes, opts) end

---Rearranges the array in place, square or not; it has to be contiguous. Other views of its memory see it rearranged.
---@param axes? integer[]|lunarray.InPlaceOptions
---@param opts? lunarray.InPlaceOptions
---@return lunarray.array self
---@overload fun(self, ...: integer|lunarray.InPlaceOptions): lunarray.array
function array:transpose_(axes, opts) end

---The product alpha * (self x b) + beta * out, of matrices, of vectors (two of them give a number), with leading batch
---axes that broadcast. Both have one device and equal inner sizes; of two dtypes it is in that of their sum. An integer dtype has to hold alpha and
---beta; sums of it wrap. Transposed views cost no copy.
---@param b lunarray.array
---@param opts? lunarray.MatmulOptions
---@return lunarray.array|number
function array:matmul(b, opts) end

---Advances bodies under their gravity, in place, both arrays at the very end: self is n x 4 (x, y, z, mass), vel n x 4
---(vx, vy, vz, unused), f32 or f64. A body exerts nothing on itself, nor do two at distance zero without softening.
---With the option `active` = k only the first k bodies attract, and a step takes k n interactions; the others are test
---bodies: they are pulled, their masses do not count, and nothing of theirs, not even NaN, comes to another body.
---With an array of softenings, two bodies i and j have (eps_i^2 + eps_j^2) / 2 added to the square of their distance: one
---softening that all have is as good as the number.
---Positions b x n x 4 with velocities b x n x 4 are b systems that know nothing of each other, each to the bit as it would
---be alone; `active` and `softening` are those of all. A small system takes one core, or one work-group of a GPU.
---NaN spreads, from a position to every body and from a mass to every other. The steps are enqueued in slices, some
---20 ms of work or 64 launches each: a run of very many returns, with `async` too, only when the last slice is enqueued.
---With `accuracy` 99 of 100 errors of the accelerations are at most that times the sum of the magnitudes of all pulls on
---the body, and many bodies are summed by a tree; then
---positions must be finite, and masses finite and 0 or more: the call waits for a look at them, and raises.
---@param vel lunarray.array
---@param opts lunarray.NbodyOptions
---@return lunarray.array self
function array:nbody(vel, opts) end

---The acceleration of each body and its potential per unit mass (negative), n x 4, or b x n x 4 as the positions; or with
---`at` those at m points, m x 4. A point at a body's place gets nothing from it without softening; it has none of its own.
---NaN spreads, from a position to all of every body and from a mass to all of every other; a body at infinity is NaN.
---`active`, `softening` and `accuracy` as in nbody; what a tree does not take raises when the result is read.
---@param opts? lunarray.GravityOptions
---@return lunarray.array
function array:gravity(opts) end

---The kinetic and the potential energy of the bodies, with `active` = k of the first k, the potential by a tree with
---`accuracy`; waits. NaN spreads, from any body to the sums that it is in. Of b systems two arrays of b, without a wait.
---@param vel lunarray.array
---@param opts? lunarray.EnergyOptions
---@return number|lunarray.array kinetic
---@return number|lunarray.array potential
function array:energy(vel, opts) end

-- ---- mappings -----------------------------------------------------------------------------------------------

---The elements of an array in host memory: `h[i]` in row-major order (outside: nil when read, an error when written),
---`#h` how many.
---@class lunarray.host
---@field [integer] number
---@operator len: integer
local host = {}

---Where the elements stand, for an FFI, and how many bytes they are; until the mapping is given back. Raises for a view whose
---elements do not stand one behind the other.
---@return lightuserdata address
---@return integer bytes
function host:address() end

---Gives the mapping back; so does leaving the scope of a `<close>` variable.
function host:release() end

-- ---- the module ---------------------------------------------------------------------------------------------

---The module; `print(lun)` shows its version and the default device. Its makers, on that device, are in meta_makers.lua.
---@class lunarray
---@field _VERSION string
local lun = {}

---All devices of the machine, or those that the selector fits, in a list of one's own; `print` shows a line for each. Raises
---where the machine has none, and says what to install.
---@param selector? "gpu"|"cpu"|"accelerator"|string as for lun.device; where it fits none the list is empty
---@return lunarray.device[]
function lun.devices(selector) end

---One device, the same object each time. Raises where none fits.
---@param selector? "gpu"|"cpu"|"accelerator"|string|integer|lunarray.device|fun(dev: lunarray.device): number? nil:
---what the environment variable LUNARRAY_DEVICE says, else the best one; a type; a position as lun.devices() counts, a
---number or digits in a string; part of a name, vendor, platform or version, in any case of letters; "gpu:2", the second of
---those that "gpu" fits; or a function: the highest number wins, nil refuses. LUNARRAY_DEVICE takes what a string can say
---@return lunarray.device
function lun.device(selector) end

---What is known of a dtype.
---@class lunarray.DtypeFacts
---@field name lunarray.dtype
---@field stored string the OpenCL C type of an element
---@field encoding "PLAIN"|"HALF"|"BFLOAT" how a number is packed in it
---@field bytes integer of an element
---@field part lunarray.dtype of the parts that an element consists of
---@field computed lunarray.dtype in which elements are computed
---@field summed lunarray.dtype in which many are summed
---@field digits integer bits of the significand, or of the value
---@field min number the least one; of complex numbers, as all below, of their parts
---@field max number the greatest one; of u64 -1, which has its bits
---@field eps? number of floats: from 1 to the next number
---@field smallest? number of floats: the smallest normal number above 0
---@field file? string NumPy's name of it
---@field ordered boolean one of two elements is less
---@field whole boolean integers
---@field signed boolean
---@field nans boolean there are NaN and infinities
---@field truths boolean false and true
---@field pairs boolean complex numbers

---All dtypes, in a list of one's own, in which they are by name, too.
---@return table<integer|lunarray.dtype, lunarray.DtypeFacts>
function lun.dtypes() end

---The dtype of what arithmetic makes of two dtypes, or of a dtype and a number.
---@param dtype lunarray.dtype
---@param other lunarray.dtype|number|lunarray.complex
---@return lunarray.dtype
function lun.promoted(dtype, other) end

---What x is of lunarray's, or nil.
---@param x any
---@return "array"|"device"|"event"|"host"|"queue"|"program"|"kernel"|"localmem"|"complex"|nil
function lun.type(x) end

---As dev:program, on the default device.
---@param source string|{file: string} the text, or the path of its file
---@param opts? lunarray.ProgramOptions
---@return lunarray.program
function lun.program(source, opts) end

---As dev:queue, on the default device.
---@param opts? lunarray.QueueOptions
---@return lunarray.queue
function lun.queue(opts) end

---As dev:finish, on the default device.
function lun.finish() end

---Seconds, as a float, from some moment on: differences of two are times. Setting the machine's clock does not move it.
---@return number
function lun.clock() end

---Local memory for a kernel's parameter `local float *x`: so many bytes for each group.
---@param bytes integer from 1
---@return lunarray.localmem
function lun.localmem(bytes) end

---Calls f with the arguments, returns what it returns, and releases every array made meanwhile that is not among the
---results: themselves, in values of tables, or an event's. Keys of tables, metatables and functions' upvalues are not
---looked into. After an error all are released. f cannot yield out of it: what polls, in a coroutine of an event loop,
---releases with `<close>`.
---@generic T
---@param f fun(...): T
---@param ... any
---@return T ...
function lun.scope(f, ...) end

---Calls f with the arguments, and gives what ran and how long that took, and then what f returns. The devices are idle before
---and behind f. `tostring` of it is a table; doc/profile.md says what is in it. Raises where a profile or a trace is being
---made already; an error of f passes on.
---@param f fun(...): any
---@param ... any
---@return lunarray.Recorded profile
---@return any ...
function lun.profile(f, ...) end

---Calls f with the arguments, returns what it returns, and writes what ran to a file in the Trace Event Format, which
---browsers and Perfetto show. Raises before the call where the file cannot be written.
---@param path string
---@param f fun(...): any
---@param ... any
---@return any ...
function lun.trace(path, f, ...) end

---Waits for all events. Raises the first failure.
---@param events lunarray.event[]
---@param seconds? number at most, a negative number as 0; default: for ever
---@return boolean done false if the time is over
function lun.wait_all(events, seconds) end

---Waits until one of the events has ended, well or not.
---@param events lunarray.event[] at least one
---@param seconds? number at most, a negative number as 0; default: for ever
---@return integer? position nil if the time is over
function lun.wait_any(events, seconds) end

return lun
