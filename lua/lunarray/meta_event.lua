---@meta _
-- What the Lua language server, and a reader, should know of events and queues, beside meta.lua. Nothing loads it.

-- ---- events -------------------------------------------------------------------------------------------------

---@class lunarray.Profile
---@field queued number seconds on the device's clock
---@field submitted number
---@field started number
---@field ended number

---What an operation, a kernel, a kernel file or a line of the program took; seconds and bytes.
---@class lunarray.RecordedRow
---@field operation? string
---@field kernel? string
---@field program? string
---@field line? string "file:line"
---@field device? lunarray.device of an operation
---@field calls integer of an operation, or runs of a kernel
---@field bytes integer of an operation: from the first to the last element of what it read and wrote
---@field on_device number that its commands ran for,
---@field at_once number of which a core of the host was at work itself
---@field starting number that its commands could have run and had not begun
---@field on_host number in calls, without what follows
---@field waiting number that the host waited for it
---@field compiling number
---@field built integer programs compiled
---@field rate? number of an operation: bytes a second of the device's time
---@field of_copy? number and that beside the rate of the device's copies
---@field kernels? lunarray.RecordedRow[] of an operation
---@field programs? lunarray.RecordedRow[] of an operation

---What lun.profile gives: the sums over all operations, and rows, longest first.
---@class lunarray.Recorded: lunarray.RecordedRow
---@field rows lunarray.RecordedRow[] operations
---@field lines lunarray.RecordedRow[] lines of the program
---@field seconds number that passed
---@field elsewhere number in which the host did nothing of the library's
---@field devices lunarray.device[] that did something
---@field copy_rates table<lunarray.device, number|false> bytes a second, read and written
---@field lost integer commands whose times are not known

---Work under way, all commands of one call. Leaving the scope of a `<close>` variable does not wait for it.
---@class lunarray.event
local event = {}

---Waits. Raises if the work failed, every time.
---@param seconds? number at most, a negative number as 0; default: for ever
---@return boolean done false if the time is over
function event:wait(seconds) end

---Whether the work has ended, with or without an error.
---@return boolean
function event:done() end

---The state of the work.
---@return "queued"|"submitted"|"running"|"complete"|"failed"
function event:status() end

---Waits, and gives the result of the call. It may be called again.
---@return any ...
function event:get() end

---When the work was queued, submitted, started and ended; waits.
---@return lunarray.Profile
function event:profile() end

---A descriptor that is readable once the work has ended, well or not, and stays so; complete events have one that is
---readable at once. For event loops: `cqueues.poll(ev)` asks for it, and `luv.new_poll(ev:pollfd())` takes it. It is made
---when first asked for, the same each time, and serves another event once this one is released: polls have to have ended by
---then. Nobody need read from it or close it.
---@return integer
function event:pollfd() end

---What to poll the descriptor for, as cqueues asks.
---@return "r"
function event:events() end

---How long to poll at most, as cqueues asks: nil, since the descriptor reports every end.
---@return nil
function event:timeout() end

---Forgets the work, which goes on.
function event:release() end

-- ---- queues -------------------------------------------------------------------------------------------------

---A further queue of a device: work on different queues may run at the same time. What an operation on one queue reads
---or writes is waited for where another queue writes or reads it: there is nothing to declare. Queues are for the option
---`queue`; a released one ends what it has. An error on the device spoils what was enqueued behind it on its queue, and
---what waited for that; the queue takes further work all the same.
---@class lunarray.queue
local queue = {}

---An event of all that has been enqueued on this queue so far: it ends with the last of it, whose times and whose
---error it has.
---@return lunarray.event
function queue:event() end

---Waits until the queue is empty. Raises each failure of its work once, which dev:finish() then does not.
function queue:finish() end

---The queue's device.
---@return lunarray.device
function queue:device() end

---Releases the queue; its work goes on. So does leaving the scope of a `<close>` variable, and the collector.
function queue:release() end
