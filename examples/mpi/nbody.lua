-- Bodies under their gravity, each rank with its part of them, which all of them pull: leapfrog, kick-drift-kick. By
-- the direct sum the numbers do not depend on how many ranks there are; with an accuracy a tree is built on every rank.
--
--     mpirun -n 2 lua5.4 examples/mpi/nbody.lua [bodies] [steps] [accuracy, or 0] [file]
--
-- A file that is there is gone on from, by as many ranks as there are now; the end of the run is saved in it.

local mpi = require "lunarray.mpi"

local DT, SOFTENING = 1e-3, 0.05

mpi.run(function(comm)
    local dev = comm:device()
    local rank, size = comm:rank(), comm:size()
    local n, steps = math.tointeger(arg[1] or 8192), math.tointeger(arg[2] or 10)
    local accuracy, file = tonumber(arg[3] or 0), arg[4]
    local options = { softening = SOFTENING, accuracy = accuracy > 0 and accuracy or nil }
    local all = dev:random({ n, 4 }, { seed = 7 }) -- the same on every rank
    all:col(4):fill(1 / n)
    local first, last = n * (rank - 1) // size + 1, n * rank // size
    local own = all:slice({ first, last }):copy()
    local vel, done = dev:zeros { last - first + 1, 4 }, 0
    if file and comm:bcast(rank == 1 and io.open(file) ~= nil) then
        local saved = comm:load(file)
        own, vel, done = saved.pos, saved.vel, saved.steps
        comm:allgather(own, { out = all })
    end

    options.at = own
    local function kick()
        local pull = all:gravity(options)
        vel:slice({}, { 1, 3 }):add_(pull:slice({}, { 1, 3 }) * (DT / 2))
        pull:release()
    end
    kick()
    for i = 1, steps do
        own:slice({}, { 1, 3 }):add_(vel:slice({}, { 1, 3 }) * DT)
        comm:allgather(own, { out = all })
        kick()
        if i < steps then
            kick()
        end
    end

    done = done + steps
    if file then
        comm:save(file, { pos = own, vel = vel, steps = done })
    end
    local momentum = comm:gather(vel)
    if momentum then
        print(("%d bodies, %d steps, %d ranks: positions add up to %.9f, velocities to %.3e"):format(n, done, size,
            all:slice({}, { 1, 3 }):cast("f64"):sum(), momentum:slice({}, { 1, 3 }):cast("f64"):sum()))
    end
end)
