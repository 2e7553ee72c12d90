---@meta _
-- Random streams, for the Lua language server and for readers; doc/random.md has examples. Nothing loads it.

---@class lunarray
local lun = {}

---@class lunarray.device
local device = {}

---A stream of random numbers: what a seed gives, and how far it is used. It is a small object without device memory. Draws of
---the same method, and of dtypes that take as many of the generator's words (f64 takes two, other floats one), give in pieces
---what they give at once; another draw leaves what is left of a block of four words. Uniforms, integers, permutations and
---choices without weights are the same on every device; other numbers may differ in their last bits, and counts by 1 where
---these decide. A call that raises leaves the stream as it was.
---@class lunarray.rng
local rng = {}

---What dev:rng takes: the seed, the number of the stream, how many of its words are used, and the kind of the last draw.
---@return integer[]
function rng:state() end

---The device on which its numbers are drawn.
---@return lunarray.device
function rng:device() end

return lun, device, rng
