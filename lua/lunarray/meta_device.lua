---@meta _
-- What the Lua language server, and a reader, should know of devices, beside meta.lua. Nothing loads it.

---@class lunarray.QueueOptions
---@field profiling? boolean keep times for event:profile(), default true

---@class lunarray.programs
---@field built integer programs compiled so far, your own included
---@field kept integer the library's programs that the device keeps
---@field generated integer those of them that are made of expressions; the least recently used leave
---@field most_generated integer that many of these are kept

---@class lunarray.DeviceInfo
---@field name string
---@field vendor string
---@field version string the OpenCL version
---@field driver string
---@field platform string
---@field type "gpu"|"cpu"|"accelerator"|"other"
---@field units integer compute units
---@field clock integer MHz
---@field memory integer bytes
---@field max_allocation integer bytes of the largest single piece of memory
---@field local_memory integer bytes a work-group can have
---@field cache integer bytes of the global-memory cache
---@field max_group integer work-items in a work-group
---@field vector_f32 integer the native vector width in elements
---@field vector_f64 integer 0 where there is no f64
---@field fp64 boolean can it do f64?
---@field fp16 boolean does it compute in half? (f16 arrays work everywhere)
---@field unified_memory boolean does it share the host's memory?
---@field extensions string[]
---@field programs lunarray.programs what the device has compiled and keeps

---@class lunarray.DeviceMemory
---@field live integer bytes in arrays
---@field pooled integer bytes kept for reuse
---@field peak integer the most bytes ever live
---@field limit integer bytes allowed

---An OpenCL device, shared by all that use it: it cannot be closed.
---@class lunarray.device
local device = {}

---What the device is.
---@return lunarray.DeviceInfo
function device:info() end

---What its memory is used for.
---@return lunarray.DeviceMemory
function device:memory() end

---Sets the bytes that arrays may have; beyond, making one collects garbage, tries again and then raises.
---@param bytes? integer nil or 0: back to the default
function device:limit(bytes) end

---Gives the memory that is kept for reuse back to OpenCL.
---Closes event descriptors that are spare, too, but for those that an event loop still has.
function device:trim() end

---Waits for all its work, on all queues. Raises a failed operation once: the one that failed first, if others failed
---for its sake.
function device:finish() end

---A further queue, for the option `queue`. There can be 16 at a time.
---@param opts? lunarray.QueueOptions
---@return lunarray.queue
function device:queue(opts) end

---The ways to run an operation on this device, best first: what the option `variant` takes.
---@param operation "reduce"|"transpose"|"matmul"|"nbody"|"gravity"|"energy"|"copy"|"fill"|"map"
---@return string[]
function device:variants(operation) end

---All operations, as the library's own table has them.
---@return lunarray.operation[]
function device:operations() end

---@class lunarray.operation
---@field name string
---@field owner "array"|"device"|"module"|"stream"|"nothing" whose method it is
---@field says string what it gives, in a line
---@field gives? "each"|"mean" the float dtype of its results, where they are always floats: doc/dtypes.md
---@field arguments { name: string, wanted: string, optional: boolean }[]
---@field options { name: string, wanted: string, optional: boolean }[]
---@field variants string[] those that the device can run, best first
---@field dtypes string[] of a method of arrays or a function of the module those that their arrays may have
---@field meant_for table<string, "cpu"|"gpu"|"any"> all variants, with the devices they are meant for

---A new array from Lua's data or another array.
---
---A (nested) table has to be regular and hold numbers only, of which a float dtype has to hold the Lua integers exactly; floats are rounded.
---Options may stand beside its elements. A string holds the
---elements' bytes, row-major, in the machine's own byte order; without a shape the array has one axis. An array is
---copied, converted as `cast` does if a dtype is given, from another device too.
---@param data lunarray.nested|string|lunarray.array
---@param dtype? lunarray.dtype default f32, or that of the array
---@param shape? integer|integer[] of the result; as many elements as the data
---@param opts? lunarray.ArrayOptions
---@return lunarray.array
---@overload fun(self, data: lunarray.nested|string|lunarray.array, opts: lunarray.ArrayOptions): lunarray.array
---@overload fun(self, data: lunarray.nested|string|lunarray.array, dtype: lunarray.dtype, opts: lunarray.ArrayOptions): lunarray.array
function device:array(data, dtype, shape, opts) end

---An array of zeros.
---@param shape integer|integer[]|lunarray.MakeOptions a list of sizes; `{}` is an array without axes, of one element
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.MakeOptions): lunarray.array
function device:zeros(shape, dtype, opts) end

---An array of ones.
---@param shape integer|integer[]|lunarray.MakeOptions
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.MakeOptions): lunarray.array
function device:ones(shape, dtype, opts) end

---An array of one number, which an integer dtype has to be able to hold; what is too large for a float one becomes inf.
---@param shape integer|integer[]|lunarray.MakeOptions
---@param value number|boolean|lunarray.complex
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], value: number, opts: lunarray.MakeOptions): lunarray.array
function device:full(shape, value, dtype, opts) end

---The numbers 1 to n, or from, from + step, ... up to `to`, which is included (also where rounding has moved it by a
---few units in the last place).
---@param from number
---@param to? number
---@param step? number default 1; negative counts down
---@param dtype? lunarray.dtype default i64 if all numbers are integers, else f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, n: number, dtype?: lunarray.dtype, opts?: lunarray.MakeOptions): lunarray.array
---@overload fun(self, n: number, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(self, from: number, to: number, dtype?: lunarray.dtype, opts?: lunarray.MakeOptions): lunarray.array
---@overload fun(self, from: number, to: number, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(self, from: number, to: number, step: number, opts: lunarray.MakeOptions): lunarray.array
function device:arange(from, to, step, dtype, opts) end

---A matrix with ones on a diagonal and below it, k columns right of the first, or -k rows below.
---@param n integer rows
---@param m? integer columns, default n
---@param k? integer default 0
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, n: integer, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(self, n: integer, dtype: lunarray.dtype, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(self, n: integer, m: integer, k: integer, opts: lunarray.MakeOptions): lunarray.array
function device:tri(n, m, k, dtype, opts) end

---Powers of a base whose exponents are as those of linspace: of 10, or of the option `base`.
---@param from number
---@param to number
---@param n integer
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.LogspaceOptions
---@return lunarray.array
---@overload fun(self, from: number, to: number, n: integer, opts: lunarray.LogspaceOptions): lunarray.array
function device:logspace(from, to, n, dtype, opts) end

---As many numbers as asked for, each so many times the one before; both ends, of one sign, are as they are given.
---@param from number
---@param to number
---@param n integer
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.LinspaceOptions
---@return lunarray.array
---@overload fun(self, from: number, to: number, n: integer, opts: lunarray.LinspaceOptions): lunarray.array
function device:geomspace(from, to, n, dtype, opts) end

---For each axis of a shape an i64 array of that shape, with the positions along the axis.
---@param shape integer|integer[]|lunarray.AsyncOptions
---@param opts? lunarray.AsyncOptions
---@return lunarray.array ... one for each axis
function device:indices(shape, opts) end

---As many numbers as asked for, at even distances, both ends included.
---@param from number|lunarray.complex
---@param to number|lunarray.complex
---@param n integer
---@param dtype? "f16"|"bf16"|"f32"|"f64"|"c64"|"c128" default f32, of complex numbers c64
---@param opts? lunarray.LinspaceOptions
---@return lunarray.array
---@overload fun(self, from: number|lunarray.complex, to: number|lunarray.complex, n: integer, opts: lunarray.LinspaceOptions): lunarray.array
function device:linspace(from, to, n, dtype, opts) end

---A matrix with ones on its diagonal k, n x n or n x m.
---@param n integer
---@param m? integer default n
---@param k? integer columns right of the first diagonal, default 0
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(self, n: integer, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(self, n: integer, dtype: lunarray.dtype, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(self, n: integer, m: integer, k: integer, opts: lunarray.MakeOptions): lunarray.array
function device:eye(n, m, k, dtype, opts) end

---An array whose contents are undefined, until they are written.
---@param shape integer|integer[]|lunarray.EmptyOptions
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.EmptyOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.EmptyOptions): lunarray.array
function device:empty(shape, dtype, opts) end

---Uniform random numbers, low <= x < high (0 and 1), by Philox4x32-10. Without a seed they follow math.randomseed.
---@param shape integer|integer[]|lunarray.UniformOptions
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.UniformOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.UniformOptions): lunarray.array
function device:random(shape, dtype, opts) end

---Normally distributed random numbers, by Box and Muller's method; variants and devices may differ in the last bits.
---@param shape integer|integer[]|lunarray.NormalOptions
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.NormalOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.NormalOptions): lunarray.array
function device:normal(shape, dtype, opts) end

---Random integers, low <= x <= high. Both may be options instead; then low is 1 unless given.
---@param shape integer|integer[]|lunarray.UniformOptions
---@param low? integer
---@param high? integer
---@param dtype? lunarray.dtype an integer one, default i64
---@param opts? lunarray.UniformOptions
---@return lunarray.array
---@overload fun(self, shape: integer|integer[], low: integer, high: integer, opts: lunarray.UniformOptions): lunarray.array
---@overload fun(self, shape: integer|integer[], dtype: lunarray.dtype, opts: lunarray.UniformOptions): lunarray.array
---@overload fun(self, shape: integer|integer[], opts: lunarray.UniformOptions): lunarray.array
function device:randint(shape, low, high, dtype, opts) end

---An array from a .npy file (NumPy's format, versions 1 to 3, either byte order, C or Fortran order), or a table of arrays
---by name from a .npz file, as lun.savez, np.savez and np.savez_compressed write; its check sums are checked. What the file
---is, its first bytes say. A file that cannot be read, is damaged, or holds something else, raises, and so does a compressed
---array in a build without zlib; bytes behind the data are ignored, as NumPy does. Where the name ends in .mtx, what is read is a file
---of Matrix Market: coordinates give a sparse matrix, an array an array.
---@param path string
---@return lunarray.array|lunarray.sparse|table<string, lunarray.array>
function device:load(path) end

---The numbers in columns of a text, as rows x columns. A line that is empty, or a comment, is no row. What is no number, and a row of
---another length, is an error that names its line and column.
---@param path string
---@param dtype? lunarray.dtype default: f32
---@param opts? lunarray.LoadtxtOptions
---@return lunarray.array
---@overload fun(self, path: string, opts: lunarray.LoadtxtOptions): lunarray.array
function device:loadtxt(path, dtype, opts) end

---An array of a file's bytes, as they are.
---@param path string
---@param dtype? lunarray.dtype default: f32
---@param shape? integer|integer[] default: one axis, as many elements as there are
---@param opts? lunarray.FromfileOptions
---@return lunarray.array
---@overload fun(self, path: string, opts: lunarray.FromfileOptions): lunarray.array
---@overload fun(self, path: string, dtype: lunarray.dtype, opts: lunarray.FromfileOptions): lunarray.array
function device:fromfile(path, dtype, shape, opts) end

---The picture of a PNG file, h x w x channels, of grey h x w: u8, or u16 where it has 16 bits a channel. Colours of a palette are put in
---place; fewer than 8 bits are spread over 0 to 255.
---@param path string
---@param opts? lunarray.AsyncOptions
---@return lunarray.array
function device:imread(path, opts) end

---Builds a program in OpenCL C. Text that does not compile raises an error object with the compiler's `log`, which
---names the text's own lines: those of the file, or of the script in which the string stands; where that does not hold
---it as it is, or it is too short to tell, those of "program".
---@param source string|{file: string} the text, or the path of its file
---@param opts? lunarray.ProgramOptions
---@return lunarray.program
function device:program(source, opts) end
