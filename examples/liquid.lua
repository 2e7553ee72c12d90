-- Molecular dynamics: a Lennard-Jones liquid in a periodic box, by velocity Verlet and lists of neighbours.
--
--     lua5.4 examples/liquid.lua --side 16 --steps 200

local lun, script = require "lunarray", require "lunarray.script"

local OPTIONS = {
    name = "liquid",
    about = "A Lennard-Jones liquid: molecular dynamics with lists of neighbours.",
    { name = "side", value = "N", default = 16, integer = true, min = 5, max = 100, help = "atoms along an edge" },
    { name = "steps", value = "N", default = 200, integer = true, min = 1, help = "steps of time" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}
local DENSITY, CUT, SKIN, DT = 0.8, 2.5, 0.4, 0.004

-- Of pairs: the force on the first atom, and half of the energy, which is 0 at the cut.
local pull = lun.fuse(function(apart, box)
    local d = apart - (apart / box):round() * box
    local inverse = (d * d):sum { axis = 2, keepdims = true }:recip()
    local s = inverse:gt(1 / CUT ^ 2):where(inverse ^ 3, 0)
    return d * (48 * s * (s - 0.5) * inverse), s:gt(0):where(2 * (s * (s - 1) - CUT ^ -12 + CUT ^ -6), 0)
end)

script.run(OPTIONS.name, function()
    local options = script.options(arg, OPTIONS)
    local dev, side = script.device(OPTIONS.name, options.device), options.side
    local n = side * side * side
    local box, of = (n / DENSITY) ^ (1 / 3), dev:arange(n)
    local x = lun.stack({ dev:indices { side, side, side } }, 4):reshape(n, 3) * (box / side)
    local v = dev:normal({ n, 3 }, { seed = 1, std = 1.2 })
    local starts, first, second, begin
    for step = 0, options.steps do
        if step % 10 == 0 then -- a list holds until atoms have come nearer by SKIN
            starts, second = x:neighbours(CUT + SKIN, { box = box })
            first = of:repeats(starts:diff())
        end
        local pulls, energies = pull(x:take(first, 1) - x:take(second, 1), box)
        local kick = pulls:sum { segments = starts, axis = 1 } * (DT / 2)
        v = step > 0 and v + kick or v
        if step % 50 == 0 then
            local kinetic, energy = v:sumsq() / 2 / n, (v:sumsq() / 2 + energies:sum()) / n
            begin = begin or energy
            print(("step %4d: temperature %.3f, energy of an atom %.5f, drift %.5f"):format(step, kinetic * 2 / 3,
                energy, energy - begin))
        end
        v = v + kick
        x = x + v * DT
    end
end)
