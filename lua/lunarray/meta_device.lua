---@meta _
-- What the Lua language server, and a reader, should know of devices, beside meta.lua. Nothing loads it.

---@class lunarray.programs
---@field built integer programs compiled so far, your own included
---@field kept integer the library's programs that the device keeps
---@field generated integer those of them that are made of expressions; the least recently used leave
---@field most_generated integer that many of these are kept
---@field exchanged integer kernels of these that were built again, optimised, as their work had grown

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

---Facts about the device.
---@return lunarray.DeviceInfo
function device:info() end

---How its memory is used.
---@return lunarray.DeviceMemory
function device:memory() end

---Sets how many bytes arrays may take; beyond that, making one collects garbage, tries again and then raises.
---@param bytes? integer nil or 0: back to the default
function device:limit(bytes) end

---The dtype of floats on this device where none is named. A call with a dtype sets it; until then it is that of
---lun.default_dtype. That of lun.with comes before it.
---@param dtype? "f16"|"bf16"|"f32"|"f64" default: it is only read
---@return lunarray.dtype dtype the default that holds now
function device:default_dtype(dtype) end

---Copies a tensor of DLPack that is in the host's memory, and calls its deleter. A pointer to anything else can end the process.
---@param tensor lightuserdata a pointer to a DLManagedTensor
---@return lunarray.array
function device:from_dlpack(tensor) end

---Returns memory that is kept for reuse to OpenCL.
---Closes event descriptors that are spare, too, but for those that an event loop still has.
function device:trim() end

---Waits for all its work, on all queues. Raises a failed operation once: the one that failed first, if others failed
---for its sake.
function device:finish() end

---The variants of an operation on this device, best first, for the option `variant`.
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
---@field takes? string letters for the kinds of dtypes that its array may have, where they are not all: b(ool) i(ntegers) h (f16 bf16)
---f (f32 f64) c(omplex) p (i32 i64)
---@field gives? "each"|"mean" the float dtype of its results, where they are always floats: doc/dtypes.md
---@field arguments { name: string, wanted: string, optional: boolean }[]
---@field options { name: string, wanted: string, optional: boolean }[]
---@field variants string[] those that the device can run, best first
---@field dtypes string[] of a method of arrays or a function of the module those that their arrays may have
---@field meant_for table<string, "cpu"|"gpu"|"any"> all variants, with the devices they are meant for

---An array from a .npy file (NumPy's format, versions 1 to 3, either byte order, C or Fortran order), or a table of arrays
---by name from a .npz file, as lun.savez, np.savez and np.savez_compressed write; its check sums are checked. What the file
---is, its first bytes say. A file that cannot be read, is damaged, or holds something else, raises, and so does a compressed
---array in a build without zlib; bytes behind the data are ignored, as NumPy does. Where the name ends in .mtx, what is read is a file
---of Matrix Market: coordinates give a sparse matrix, an array an array.
---@param path string
---@return lunarray.array|lunarray.sparse|table<string, lunarray.array>
function device:load(path) end
