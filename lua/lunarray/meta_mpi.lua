---@meta lunarray.mpi
-- What the Lua language server, and a reader, should know of lunarray.mpi, the rock lunarray-mpi. Nothing loads it.

---@class lunarray.mpi
---@field version string of the MPI that it calls
local mpi = {}

---@class lunarray.MpiOptions
---@field check? boolean of earlier versions: ranks always compare what they call, with which shapes
---@field timeout? number seconds after which a call raises, and names the ranks that do not answer; default: never

---Starts MPI, calls f with the communicator of all ranks, and ends MPI; once in a process. An error in f ends the processes of
---all ranks at once, without waiting for devices, and says its rank and its host.
---@generic T
---@param f fun(comm: lunarray.comm): T ...
---@param options? lunarray.MpiOptions
---@return T ...
function mpi.run(f, options) end

---Ranks, one process each, that call the same things in the same order. They count from 1. With async = true calls of arrays
---give an event (lunarray.event) whose get() gives what the call would have given.
---@class lunarray.comm
local comm = {}

---@class lunarray.CommOptions
---@field timeout? number seconds, for this call
---@field async? boolean the call returns an event, and goes on by itself

---@alias lunarray.CommOp
---| "sum" | "prod" | "min" | "max"
---| "land" | "lor" | "lxor" | "band" | "bor" | "bxor"

---@alias lunarray.sent lunarray.array|number|string|boolean|nil

---This process's rank.
---@return integer rank from 1
function comm:rank() end

---The number of ranks.
---@return integer ranks
function comm:size() end

---The name of this rank's machine.
---@return string host
function comm:host() end

---This rank's device, which received arrays are on. The ranks of a machine take its devices in turn, and share one's memory where
---there are more ranks than devices.
---@param selector? "gpu"|"cpu"|"accelerator"|string as for lun.devices; default: LUNARRAY_DEVICE, else the best type there is
---@return lunarray.device
function comm:device(selector) end

---Makes a communicator of the ranks that give the same number, in the order of their keys. All ranks call it.
---@param number? integer from 0; nil: this rank is in none
---@param key? integer default: the rank
---@return lunarray.comm|nil
function comm:split(number, key) end

---Waits until all ranks have called it.
---@param options? lunarray.CommOptions
function comm:barrier(options) end

---Sends the root's value to all ranks. An array that another rank gives is written to; without one it is new, on comm:device().
---@param x? lunarray.sent
---@param options? { root: integer?, timeout: number?, async: boolean? } root: 1
---@return lunarray.sent
function comm:bcast(x, options) end

---Sends a value to a rank, and returns once the memory may be written again, which may be before the other rank has it.
---@param x lunarray.sent
---@param to integer
---@param options? { tag: integer?, timeout: number?, async: boolean? } tag: 0
function comm:send(x, to, options) end

---Receives what another rank sends; waits.
---@param from? integer nil: from any rank
---@param options? { tag: integer?, out: lunarray.array?, timeout: number?, async: boolean? } tag: 0
---@return lunarray.sent
---@return integer from
function comm:recv(from, options) end

---Combines the ranks' arrays, element by element, or their numbers, at the root; nil elsewhere.
---@generic T: lunarray.array|number
---@param x T
---@param op? lunarray.CommOp default: "sum"
---@param options? { root: integer?, exact: boolean?, out: lunarray.array?, timeout: number?, async: boolean? }
---@return T|nil
function comm:reduce(x, op, options) end

---Combines as reduce does, with the result on all ranks. The dtype stays; f16 and bf16 travel, and are added, as f32. Numbers are added in the order of ranks.
---@generic T: lunarray.array|number
---@param x T
---@param op? lunarray.CommOp default: "sum"
---@param options? { exact: boolean?, out: lunarray.array?, timeout: number?, async: boolean? } exact: in the order of ranks; out may
---be x
---@return T
function comm:allreduce(x, op, options) end

---Joins the ranks' arrays along the first axis, or gives a list of their numbers and strings, at the root; nil elsewhere.
---@param x lunarray.sent
---@param options? { root: integer?, out: lunarray.array?, timeout: number?, async: boolean? }
---@return lunarray.array|table|nil
function comm:gather(x, options) end

---A part of the root's array: rows, as equal in number as can be; or one value of the root's list.
---@param x? lunarray.array|table at the root
---@param options? { root: integer?, out: lunarray.array?, timeout: number?, async: boolean? }
---@return lunarray.sent
function comm:scatter(x, options) end

---The ranks' arrays one behind the other along an axis, or a list of numbers and strings, on all ranks.
---@param x lunarray.sent
---@param options? { axis: integer?, out: lunarray.array?, timeout: number?, async: boolean? } axis: 1
---@return lunarray.array|table
function comm:allgather(x, options) end

---Of what each rank gives, part i goes to rank i: equal parts of the rows of an array, or values of a list.
---@param x lunarray.array|table
---@param options? { out: lunarray.array?, timeout: number?, async: boolean? }
---@return lunarray.array|table
function comm:alltoall(x, options) end

---Fills the first and the last rows along an axis, `width` of each, with those of the ranks before and behind that lie beside
---this rank's own. The edge of the first and the last rank stays as it is, unless ranks go round.
---@param u lunarray.array
---@param options? { axis: integer?, width: integer?, periodic: boolean?, timeout: number?, async: boolean? } axis: 1; width: 1
---@return lunarray.array u
function comm:exchange(u, options) end

---Writes this rank's rows of arrays to a file of its own, and the first rank an index at the path, with its values, once all are
---written. The names, dtypes and other axes are the same on all ranks.
---@param path string in a folder that all ranks see
---@param state table<string, lunarray.array|number|string|boolean>
---@param options? { timeout: number? }
function comm:save(path, state, options) end

---Reads what some ranks have saved: values, and of each array this rank's rows, shared out as scatter does.
---@param path string
---@param options? { timeout: number? }
---@return table<string, lunarray.array|number|string|boolean>
function comm:load(path, options) end

return mpi
