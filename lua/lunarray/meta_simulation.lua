---@meta _
-- What the Lua language server, and a reader, should know of simulations, beside meta.lua. Nothing loads it.

---@class lunarray
local lun = {}

---@class lunarray.ImageOptions
---@field axis? 1|2|3 along which it is looked, default 3 (z): then x goes to the right and y upwards; 2: x and z; 1: y and z
---@field limits? number[] left, right, bottom, top; default: those of the bodies that are at a finite place
---@field weights? lunarray.array|false of each body, n; default: the masses; false: 1 each

---A simulation under way. `release`, and a `<close>` variable that leaves its scope, end it; its arrays stay.
---@class lunarray.simulation
---@field pos lunarray.array positions and masses, n x 4
---@field vel lunarray.array velocities, n x 4
---@field radius? lunarray.array of the bodies, n, with the option `collide`
local simulation = {}

---Advances by steps of dt.
---@param n? integer default 1
---@return boolean went false: collisions have stopped it
---@return integer[][]? pairs {i, j} that have collided
function simulation:step(n) end

---Advances to a time, which must be a whole number of steps from the beginning, up to rounding. Another time is an error that names
---the nearest ones, and so is a time that has passed.
---@param time number
---@return boolean went false: collisions have stopped it
---@return integer[][]? pairs {i, j} that have collided
function simulation:integrate(time) end

---Advances, and calls f(sim) at each multiple of the interval since the beginning, until f returns false.
---The interval is a whole number of steps. Where f raises, the simulation stays at that time and can go on.
---@param interval number
---@param f fun(sim: lunarray.simulation): boolean?
---@return boolean went false: collisions have stopped it
---@return integer[][]? pairs {i, j} that have collided
function simulation:every(interval, f) end

---The time: the initial time plus the number of steps times dt, so that it does not drift.
---@return number
function simulation:time() end

---The kinetic and the potential energy of the bodies that attract, without the force of the option `force`; waits.
---@return number kinetic
---@return number potential
function simulation:energy() end

---The sum of m v of the bodies that attract, in f64 where the device has it; waits.
---@return number x
---@return number y
---@return number z
function simulation:momentum() end

---The angular momentum of the bodies that attract about the origin, the sum of m r x v; waits.
---@return number x
---@return number y
---@return number z
function simulation:angular() end

---The centre of mass of the bodies that attract; NaN without mass; waits.
---@return number x
---@return number y
---@return number z
function simulation:centre() end

---A density map, made on the device: height x width, its first row at the top, the sum of the weights of the bodies in
---each pixel; of their dtype, or i64 without weights. The same bits every time. Bodies outside the limits, and at no
---finite place, are in no pixel.
---@param width integer
---@param height integer
---@param opts? lunarray.ImageOptions
---@return lunarray.array
function simulation:image(width, height, opts) end

---Writes its state to a .npz file, which replaces an old file once it is complete: the arrays pos and vel, those of
---options, and a text. A force, and a collision function, are not in it. Raises where a body that attracts is at no finite
---place.
---@param path string
function simulation:save(path) end

---Releases it now. Its arrays stay.
function simulation:release() end
