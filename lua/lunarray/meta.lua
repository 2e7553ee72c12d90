---@meta lunarray
-- What the Lua language server, and a reader, should know of lunarray: its rules, arrays, mappings and the module. Other
-- subjects are in files beside this one: meta_device.lua, meta_event.lua and so on. The operations are in
-- meta_operations.lua, which the build prints from their rows. Nothing loads them.
--
-- Everywhere: indices, axes and positions count from 1, negative ones from the last; ranges include both ends;
-- arrays are row-major with up to 8 axes. A mistake in a call raises a string, "file:line: lunarray: method: what",
-- at the caller's own line; a failure of OpenCL raises a lunarray.error. Options are in a last table; an option
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
---size: as a range they are the first alone, and `take` picks positions that are in an array or a list. Where a step may be
---longer than the axis, `{1, -1, step}` is no such list.
---@alias lunarray.range integer[]|integer|nil

---@class lunarray.AsyncOptions
---@field async? boolean return an event
---@field queue? lunarray.queue the queue that runs it; default: the device's own

---@class lunarray.OwnOperator
---@field map? string OpenCL C of x, or of the names of arrays and numbers: what is combined; default for an array: x
---@field combine? string OpenCL C of a and b, associative; values keep their row-major order. It is needed
---@field identity? string OpenCL C, what combines with any value to that value; without it, no elements are an error

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

---The number of axes.
---@return integer
function array:ndim() end

---The number of elements.
---@return integer
function array:size() end

---The size of the elements in bytes.
---@return integer
function array:nbytes() end

---The array's device.
---@return lunarray.device
function array:device() end

---Releases its memory now; any further use raises. What is already under way goes on. Twice does no harm.
function array:release() end

---One element; waits. As many positions as axes.
---@param ... integer
---@return number
function array:get(...) end

---Writes one element. An integer dtype must be able to hold it; a number too large for a float dtype becomes inf.
---@param value number|boolean|lunarray.complex
---@param ... integer positions, as many as axes
---@return lunarray.array self
function array:set(value, ...) end

---Maps the elements for the host until the mapping is released; waits. Device work on these bytes is an error
---meanwhile, unless it only reads and the access is "r"; on other drivers than PoCL work on all that shares the memory is. Hold it in a variable: `local h <close> = a:host("rw")`.
---@param access? "r"|"w"|"rw" default "r"
---@return lunarray.host
function array:host(access) end

-- ---- mappings -----------------------------------------------------------------------------------------------

---The elements of an array in host memory: `h[i]` in row-major order (outside: nil when read, an error when written),
---`#h` how many.
---@class lunarray.host
---@field [integer] number
---@operator len: integer
local host = {}

---The address of the elements, for an FFI, and their size in bytes; valid until the mapping is released. Raises for a view whose
---elements are not contiguous.
---@return lightuserdata address
---@return integer bytes
function host:address() end

---The mapping as a tensor of DLPack (a pointer to a DLManagedTensor), for a library in C of this process, without a copy. The
---tensor takes over the mapping, which ends when the library calls the tensor's deleter.
---@return lightuserdata tensor
function host:dlpack() end

---Releases the mapping, as leaving the scope of a `<close>` variable does.
function host:release() end

-- ---- the module ---------------------------------------------------------------------------------------------

---The module; `print(lun)` shows its version and the default device. Its makers, on that device, are in meta_makers.lua.
---@class lunarray
---@field _VERSION string
local lun = {}

---All devices of the machine, or those that the selector matches, as a new list; `print` shows a line for each. Raises
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

---What lun.prepare has built.
---@class lunarray.Prepared
---@field folder string where the kernels are
---@field programs integer in the folder
---@field kernels integer
---@field bytes integer
---@field seconds number that it took
---@field failed string[] what could not be built, and why

---Compiles the library's kernels beforehand, so that first results do not wait for a compiler: see
---doc/first_results.md. Raises where the device is another driver's, or the folder cannot be written.
---@param options? {operations?: string[], dtypes?: ("f32"|"f64")[], folder?: string, processes?: integer,
---device?: lunarray.device, fresh?: boolean, lua?: string, quiet?: boolean}
---@return lunarray.Prepared
function lun.prepare(options) end

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

---All dtypes, as a new list that also has them by name.
---@return table<integer|lunarray.dtype, lunarray.DtypeFacts>
function lun.dtypes() end

---The dtype that arithmetic on two dtypes, or on a dtype and a number, gives.
---@param dtype lunarray.dtype
---@param other lunarray.dtype|number|lunarray.complex
---@return lunarray.dtype
function lun.promoted(dtype, other) end

---The kind of lunarray's object that x is, or nil.
---@param x any
---@return "array"|"device"|"event"|"host"|"queue"|"program"|"kernel"|"localmem"|"complex"|nil
function lun.type(x) end

---As dev:finish, on the default device.
function lun.finish() end

---Seconds since some moment, as a float: differences are elapsed times. Setting the machine's clock does not move it.
---@return number
function lun.clock() end

---Local memory for a kernel's parameter `local float *x`: the number of bytes for each group.
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

---The dtype of floats where none is named: of what makers, tables of numbers, random draws and text files give. It is f32, or
---what the environment variable LUNARRAY_DTYPE says. A call with a dtype sets it for all devices, within a function of lun.with
---until that ends. Whole numbers of `arange` and draws stay i64, and arithmetic goes by its arrays.
---@param dtype? "f16"|"bf16"|"f32"|"f64" default: it is only read
---@return lunarray.dtype dtype the default that holds now
function lun.default_dtype(dtype) end

---@class lunarray.WithOptions
---@field dtype? "f16"|"bf16"|"f32"|"f64" the dtype of floats where none is named
---@field device? lunarray.device|string the device where none is named, or its selector
---@field reproducible? boolean the option of that name where it is not given

---Gives a function that calls f with its other arguments and returns what f returns; meanwhile dtype, device and
---reproducible are the defaults, of functions that f calls, too. An error, or a coroutine that f leaves by yielding or that is
---closed, gives back those that held before. At least one of them is expected. With reproducible = true, sums, means,
---variances, norms, scans and matrix products give the same bits on every device, and calls that cannot raise an error.
---@param defaults "f16"|"bf16"|"f32"|"f64"|lunarray.WithOptions
---@return fun(f: function, ...: any): ...: any
function lun.with(defaults) end

---Calls f with each row of an array along an axis, a view of one axis, and joins what it gives: numbers to an array without the
---axis, arrays with their axes in its place. Each row costs a call, and kernels of its own: where a reduction, a scan or an
---operation with an axis does the same, that is faster.
---@param f fun(row: lunarray.array): lunarray.array|lunarray.scalar
---@param axis integer
---@param a lunarray.array
---@return lunarray.array|lunarray.scalar
function lun.apply_along_axis(f, axis, a) end

---Calls f with the positions along each axis of a shape, from 1, as one array for each axis, and gives what it returns; a number
---fills the shape. A fused function makes one kernel of it.
---@param f fun(...: lunarray.array): lunarray.array|lunarray.scalar
---@param shape integer|integer[]
---@param dtype? lunarray.dtype|{dtype?: lunarray.dtype} of the positions, default the default dtype
---@return lunarray.array
function lun.fromfunction(f, shape, dtype) end

---For each element of x the value of the last condition that is true there: a number, an array, or what a function gives for x. Where
---none is true it is a further value, or 0. The result has x's dtype. Functions get all of x.
---@param x lunarray.array
---@param conditions lunarray.array[]
---@param values (number|lunarray.array|fun(x: lunarray.array): lunarray.array|number)[] one for each condition, or one more
---@return lunarray.array
function lun.piecewise(x, conditions, values) end

---With nan = true each call of methods, operators and functions of arrays looks at its results, and raises where it has made a NaN
---or an infinity of finite inputs: a debugging aid, which waits at each call. The environment variable LUNARRAY_DEBUG=nan does the
---same for a whole program.
---@param options {nan?: boolean}
function lun.debug(options) end

---Calls f with the arguments, and gives what ran and how long that took, and then what f returns. The devices are idle before
---and behind f. `tostring` of it is a table; doc/profile.md says what is in it. Raises where a profile or a trace is being
---made already; an error of f passes on.
---@param f fun(...): any
---@param ... any
---@return lunarray.Recorded profile
---@return any ...
function lun.profile(f, ...) end

---Calls f with the arguments, returns what it returns, and writes what ran to a file in the Trace Event Format, which
---browsers and Perfetto show. Raises before the call where the file cannot be written. Of an array the sum of its diagonal, as a:trace().
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

---Waits until one of the events has ended, with or without an error.
---@param events lunarray.event[] at least one
---@param seconds? number at most, a negative number as 0; default: for ever
---@return integer? position nil if the time is over
function lun.wait_any(events, seconds) end

---As dev:load, on the default device.
---@param path string
---@return lunarray.array|lunarray.sparse|table<string, lunarray.array>
function lun.load(path) end

---As dev:from_dlpack, on the default device.
---@param tensor lightuserdata a pointer to a DLManagedTensor
---@return lunarray.array
function lun.from_dlpack(tensor) end

---The smallest length from n on whose prime factors are 2, 3, 5 and 7: transforms of it are fastest.
---@param n integer 1 to 2^53
---@return integer
function lun.fft_length(n) end

---All operations, as a list: each with its name, its owner, its arguments and options with their meanings,
---and an example. `dev:operations()` shows besides which dtypes it takes there, and the variants.
---@return table[]
function lun.operations() end

return lun
