-- Pi as the area under 4 / (1 + x^2): each rank adds up its own strips.
--
--     mpirun -n 4 lua5.4 examples/mpi/pi.lua [strips]

local lun = require "lunarray"
local mpi = require "lunarray.mpi"

mpi.run(function(comm)
    local dev = comm:device()
    local rank, size = comm:rank(), comm:size()
    local strips = math.tointeger(arg[1] or 10000000)
    local first, last = strips * (rank - 1) // size + 1, strips * rank // size
    local sum = 0.0
    if last >= first then
        local area = lun.fuse(function(i, h)
            local x = (i - 0.5) * h
            return (4 / (1 + x * x)):sum()
        end)
        sum = area(dev:arange(first, last):cast "f64", 1 / strips) / strips
    end
    local pi = comm:reduce(sum)
    if pi then
        print(("%d strips, %d ranks: pi is %.12f, off by %.1e"):format(strips, size, pi, math.abs(pi - math.pi)))
    end
end)
