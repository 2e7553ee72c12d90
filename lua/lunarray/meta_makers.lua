---@meta _
-- What the Lua language server, and a reader, should know of the module's makers, beside meta.lua: they are the methods
-- of a device with their names, called with a dot, and their arrays are on the default device. Nothing loads it.

---@class lunarray
local lun = {}

---As dev:array, on the default device.
---@param data lunarray.nested|string|lunarray.array
---@param dtype? lunarray.dtype default f32, or that of the array
---@param shape? integer|integer[] of the result; as many elements as the data
---@param opts? lunarray.ArrayOptions
---@return lunarray.array
---@overload fun(data: lunarray.nested|string|lunarray.array, opts: lunarray.ArrayOptions): lunarray.array
---@overload fun(data: lunarray.nested|string|lunarray.array, dtype: lunarray.dtype, opts: lunarray.ArrayOptions): lunarray.array
function lun.array(data, dtype, shape, opts) end

---As dev:zeros, on the default device.
---@param shape integer|integer[]|lunarray.MakeOptions a list of sizes; `{}` is an array without axes, of one element
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(shape: integer|integer[], opts: lunarray.MakeOptions): lunarray.array
function lun.zeros(shape, dtype, opts) end

---As dev:ones, on the default device.
---@param shape integer|integer[]|lunarray.MakeOptions
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(shape: integer|integer[], opts: lunarray.MakeOptions): lunarray.array
function lun.ones(shape, dtype, opts) end

---As dev:full, on the default device.
---@param shape integer|integer[]|lunarray.MakeOptions
---@param value number|boolean|lunarray.complex
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(shape: integer|integer[], value: number, opts: lunarray.MakeOptions): lunarray.array
function lun.full(shape, value, dtype, opts) end

---As dev:arange, on the default device.
---@param from number
---@param to? number
---@param step? number default 1; negative counts down
---@param dtype? lunarray.dtype default i64 if all numbers are integers, else f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(n: number, dtype?: lunarray.dtype, opts?: lunarray.MakeOptions): lunarray.array
---@overload fun(n: number, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(from: number, to: number, dtype?: lunarray.dtype, opts?: lunarray.MakeOptions): lunarray.array
---@overload fun(from: number, to: number, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(from: number, to: number, step: number, opts: lunarray.MakeOptions): lunarray.array
function lun.arange(from, to, step, dtype, opts) end

---As dev:linspace, on the default device.
---@param from number|lunarray.complex
---@param to number|lunarray.complex
---@param n integer
---@param dtype? "f16"|"bf16"|"f32"|"f64"|"c64"|"c128" default f32, of complex numbers c64
---@param opts? lunarray.LinspaceOptions
---@return lunarray.array
---@overload fun(from: number|lunarray.complex, to: number|lunarray.complex, n: integer, opts: lunarray.LinspaceOptions): lunarray.array
function lun.linspace(from, to, n, dtype, opts) end

---As dev:eye, on the default device.
---@param n integer
---@param m? integer default n
---@param k? integer columns right of the first diagonal, default 0
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(n: integer, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(n: integer, dtype: lunarray.dtype, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(n: integer, m: integer, k: integer, opts: lunarray.MakeOptions): lunarray.array
function lun.eye(n, m, k, dtype, opts) end

---As dev:empty, on the default device.
---@param shape integer|integer[]|lunarray.EmptyOptions
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.EmptyOptions
---@return lunarray.array
---@overload fun(shape: integer|integer[], opts: lunarray.EmptyOptions): lunarray.array
function lun.empty(shape, dtype, opts) end

---As dev:random, on the default device.
---@param shape integer|integer[]|lunarray.UniformOptions
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.UniformOptions
---@return lunarray.array
---@overload fun(shape: integer|integer[], opts: lunarray.UniformOptions): lunarray.array
function lun.random(shape, dtype, opts) end

---As dev:normal, on the default device.
---@param shape integer|integer[]|lunarray.NormalOptions
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.NormalOptions
---@return lunarray.array
---@overload fun(shape: integer|integer[], opts: lunarray.NormalOptions): lunarray.array
function lun.normal(shape, dtype, opts) end

---As dev:randint, on the default device.
---@param shape integer|integer[]|lunarray.UniformOptions
---@param low? integer
---@param high? integer
---@param dtype? lunarray.dtype an integer one, default i64
---@param opts? lunarray.UniformOptions
---@return lunarray.array
---@overload fun(shape: integer|integer[], low: integer, high: integer, opts: lunarray.UniformOptions): lunarray.array
---@overload fun(shape: integer|integer[], dtype: lunarray.dtype, opts: lunarray.UniformOptions): lunarray.array
---@overload fun(shape: integer|integer[], opts: lunarray.UniformOptions): lunarray.array
function lun.randint(shape, low, high, dtype, opts) end

---As dev:load, on the default device.
---@param path string
---@return lunarray.array|lunarray.sparse|table<string, lunarray.array>
function lun.load(path) end

---As dev:loadtxt, on the default device.
---@param path string
---@param dtype? lunarray.dtype default: f32
---@param opts? lunarray.LoadtxtOptions
---@return lunarray.array
---@overload fun(path: string, opts: lunarray.LoadtxtOptions): lunarray.array
function lun.loadtxt(path, dtype, opts) end

---As dev:fromfile, on the default device.
---@param path string
---@param dtype? lunarray.dtype default: f32
---@param shape? integer|integer[] default: one axis, as many elements as there are
---@param opts? lunarray.FromfileOptions
---@return lunarray.array
---@overload fun(path: string, opts: lunarray.FromfileOptions): lunarray.array
---@overload fun(path: string, dtype: lunarray.dtype, opts: lunarray.FromfileOptions): lunarray.array
function lun.fromfile(path, dtype, shape, opts) end

---As dev:imread, on the default device.
---@param path string
---@param opts? lunarray.AsyncOptions
---@return lunarray.array
function lun.imread(path, opts) end

---Writes arrays and numbers by name to a .npz file, which lun.load and np.load read: a zip archive of .npy files, zip64
---where it has to be. Numbers become i64 or f64 arrays without axes. Waits. It is written beside an old file,
---as a:save does. The arrays may be on several devices.
---@param path string
---@param arrays table<string, lunarray.array|number>
---@param opts? lunarray.SavezOptions
function lun.savez(path, arrays, opts) end

---A matrix with ones on a diagonal and below it, k columns right of the first, or -k rows below.
---@param n integer rows
---@param m? integer columns, default n
---@param k? integer default 0
---@param dtype? lunarray.dtype default f32
---@param opts? lunarray.MakeOptions
---@return lunarray.array
---@overload fun(n: integer, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(n: integer, dtype: lunarray.dtype, opts: lunarray.MakeOptions): lunarray.array
---@overload fun(n: integer, m: integer, k: integer, opts: lunarray.MakeOptions): lunarray.array
function lun.tri(n, m, k, dtype, opts) end

---Powers of a base whose exponents are as those of linspace: of 10, or of the option `base`.
---@param from number
---@param to number
---@param n integer
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.LogspaceOptions
---@return lunarray.array
---@overload fun(from: number, to: number, n: integer, opts: lunarray.LogspaceOptions): lunarray.array
function lun.logspace(from, to, n, dtype, opts) end

---As many numbers as asked for, each so many times the one before; both ends, of one sign, are as they are given.
---@param from number
---@param to number
---@param n integer
---@param dtype? "f16"|"bf16"|"f32"|"f64" default f32
---@param opts? lunarray.LinspaceOptions
---@return lunarray.array
---@overload fun(from: number, to: number, n: integer, opts: lunarray.LinspaceOptions): lunarray.array
function lun.geomspace(from, to, n, dtype, opts) end

---For each axis of a shape an i64 array of that shape, with the positions along the axis.
---@param shape integer|integer[]|lunarray.AsyncOptions
---@param opts? lunarray.AsyncOptions
---@return lunarray.array ... one for each axis
function lun.indices(shape, opts) end

return lun
