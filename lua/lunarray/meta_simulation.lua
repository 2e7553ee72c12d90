---@meta _
-- What the Lua language server, and a reader, should know of simulations, beside meta.lua. Nothing loads it.

---@class lunarray
local lun = {}

---@class lunarray.SimulationOptions
---@field dt number the time step, not 0; negative: time runs backwards
---@field time? number the time at the beginning, default 0
---@field softening? number|lunarray.array as for nbody
---@field G? number the constant of gravity, default 1
---@field active? integer so many bodies attract, the first ones; default all
---@field accuracy? number as for nbody
---@field integrator? "leapfrog"|"euler"|"yoshida4"|"kahan_li6"|"kahan_li8"|"hermite4"|"ias15" as for nbody
---@field adaptive? number as for nbody, of hermite4 and ias15
---@field force? lunarray.kernel|fun(pos: lunarray.array, vel: lunarray.array, time: number): lunarray.array what accelerates the bodies beside their gravity
---@field radius? number|lunarray.array of the bodies, or of each one, n of the dtype of the positions; 0 or more
---@field collide? "merge"|"stop"|fun(sim: lunarray.simulation, i: integer, j: integer): string? what becomes of bodies that overlap and come closer
---@field devices? lunarray.device[] as for nbody; a file does not hold it
---@field variant? string the way to run it, one of dev:variants("nbody")
---@field queue? lunarray.queue default: the device's own

---@class lunarray.ResumeOptions
---@field force? lunarray.kernel|false|fun(pos: lunarray.array, vel: lunarray.array, time: number): lunarray.array again, where the file was saved with one; false: without
---@field collide? "merge"|"stop"|fun(sim: lunarray.simulation, i: integer, j: integer): string? again, where it was a function
---@field variant? string the way to run it
---@field queue? lunarray.queue default: the device's own
---@field device? lunarray.device default: lun.device()
---@field devices? lunarray.device[] again, where it was given; the first is `device`

---@class lunarray.ImageOptions
---@field axis? 1|2|3 along which it is looked, default 3 (z): then x goes to the right and y upwards; 2: x and z; 1: y and z
---@field limits? number[] left, right, bottom, top; default: those of the bodies that are at a finite place
---@field weights? lunarray.array|false of each body, n; default: the masses; false: 1 each

---Bodies under their gravity over a long time: fixed steps of nbody, whose time, units and state are kept, so that any
---split of a run gives the same bits. pos is n x 4 (x, y, z, mass), vel n x 4 (vx, vy, vz, unused), f32 or f64; both are
---advanced in place, and what is written to them between the steps counts from the next one on. With a path: the
---simulation that `save` has written there, on arrays of its own.
---
---A `force` that is a kernel gets positions, velocities, accelerations (n x 4 each) and, if it has a fourth parameter, the
---time, one work-item to a body, and adds to the accelerations. A function, plain or of lun.fuse, gets positions,
---velocities and the time, and gives accelerations, n x 3 or n x 4.
---
---A step with `collide` ends with a search for bodies that overlap and come closer, which waits. Merged ones become one
---body at the place of the first, which has their mass, momentum, centre of mass and volume; the others are taken out.
---A function is asked for each pair, and gives nothing, "merge", "stop", "first", "second" (that one is taken out) or
---"both". Bodies behind one that was taken out move up: `sim.pos`, `sim.vel` and `sim.radius` are then views of as many
---rows as bodies are left, and 0 stands in the rows behind these.
---@param pos lunarray.array|string
---@param vel lunarray.array|lunarray.ResumeOptions
---@param opts lunarray.SimulationOptions
---@return lunarray.simulation
---@overload fun(path: string, opts?: lunarray.ResumeOptions): lunarray.simulation
function lun.simulation(pos, vel, opts) end

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

---Advances to a time that is a whole number of steps from the beginning, but for rounding; another is an error that names
---the nearest ones, as is one that has passed.
---@param time number
---@return boolean went false: collisions have stopped it
---@return integer[][]? pairs {i, j} that have collided
function simulation:integrate(time) end

---Goes on and on, and calls f(sim) whenever a multiple of the interval has passed since the beginning, until f gives false.
---The interval is a whole number of steps. Where f raises, the simulation stays at that time and can go on.
---@param interval number
---@param f fun(sim: lunarray.simulation): boolean?
---@return boolean went false: collisions have stopped it
---@return integer[][]? pairs {i, j} that have collided
function simulation:every(interval, f) end

---The time: that of the beginning and the number of steps times dt, so that it does not drift.
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

---Writes all that it is to a .npz file, which takes an old one's place once it is whole: the arrays pos and vel, those of
---options, and a text. A force, and a collision function, are not in it. Raises where a body that attracts is at no finite
---place.
---@param path string
function simulation:save(path) end

---Ends it now. Its arrays stay.
function simulation:release() end
