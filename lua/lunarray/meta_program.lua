---@meta _
-- What the Lua language server, and a reader, should know of programs and kernels, beside meta.lua. Nothing loads it.

-- ---- programs -----------------------------------------------------------------------------------------------

---A built program. What OpenCL holds of it goes when it is collected, when a `<close>` variable leaves its scope, or at
---`release`; kernels keep what they need of it. `prog.saxpy` is its kernel of that name, the same each time, unless a
---method has the name.
---@class lunarray.RunOptions: lunarray.AsyncOptions
---@field global integer|integer[] how many work-items, in one to three dimensions; a 0 among them: nothing runs
---@field group? integer|integer[] work-items in a group, as many dimensions; default: picked by the library
---@field offset? integer|integer[] added to the work-items' global ids, as many dimensions; up to 2^30; default: 0
---@field pad? boolean round global up to whole groups; the kernel then minds its range itself

---@class lunarray.program
---@field [string] lunarray.kernel
local program = {}

---A kernel of the program.
---@param name? string not needed where there is one kernel
---@return lunarray.kernel
function program:kernel(name) end

---The names of its kernels.
---@return string[]
function program:kernels() end

---Releases the program now; its kernels stay usable.
function program:release() end

---@class lunarray.KernelArgument
---@field name string
---@field type string as the kernel says it, without qualifiers: "float4*", "int"
---@field space "global"|"constant"|"local"|"private"
---@field access? "read"|"read_write" of arrays: `const` and `constant` ones are read
---@field dtype? lunarray.dtype of the array that is needed, or of the number's components
---@field bytes? integer of the value, or of what is pointed to

---@class lunarray.KernelInfo
---@field name string
---@field arguments lunarray.KernelArgument[]
---@field max_group integer work-items in a group at most
---@field multiple integer the size of a group is best a multiple of that
---@field required_group? integer[] three sizes, where the kernel has the attribute reqd_work_group_size
---@field local_memory integer bytes that a group has, without lun.localmem
---@field private_memory integer bytes that a work-item has

---A kernel of the user's own. Called as a function, `k(x, y)`, it runs without options over as many work-items as the
---first array has elements: of a parameter `float4 *x` the array's floats divided by four.
---@class lunarray.kernel
---@overload fun(...: lunarray.array|number|number[]|string|lunarray.localmem)
local kernel = {}

---Its parameters, and its limits on its device.
---@return lunarray.KernelInfo
function kernel:info() end

---Runs it: enqueues one launch and returns nothing, or an event with `async`.
---
---There is one argument for each parameter. A pointer to global or constant memory takes an array of the type's dtype
---(`float*` and `float4*` f32, `uchar*` u8; `void*` and structs any), with whole elements of that type; `const` arrays
---are read, others read and written. A view that is strided, or that starts where the device cannot point to, is
---copied in and, unless `const`, back. A writable array may share no element with another argument, but for the very
---same contiguous array without `restrict`. A number takes a number that its type can hold, a vector a list of them, a
---struct a string of its bytes, a pointer to local memory lun.localmem(bytes). Floats too large for a float become inf.
---
---`global` may be of any size. A kernel that cannot determine its groups (it has no word of them) runs in groups of 256, or
---32 x 8, and work-items beyond `global` skip it. For any other kernel a group that the library picks has powers of two
---that divide `global` (with `pad`: that cover it), 256 work-items at most; a kernel with a required group size gets that.
---There are fewer than 2^32 groups in all. With `offset` get_global_id(0) counts from it; a program that has the word
---get_global_size then gets groups that divide `global`.
---@param opts lunarray.RunOptions
---@param ... lunarray.array|number|number[]|string|lunarray.localmem
---@return lunarray.event? event with `async` only
function kernel:run(opts, ...) end

---Releases the kernel now; work that runs goes on.
function kernel:release() end

---Memory of a group, for one argument of a kernel.
---@class lunarray.localmem

return { program = program, kernel = kernel }
